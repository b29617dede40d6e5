"""The variables of modules that functions change, which are not known to what nothing has called."""

from __future__ import annotations

import types
from collections.abc import Iterable
from typing import Final

from arraytyping.checker.flow.sources.changed_names import changed_by_functions
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.library_work import forget_in_stand_ins
from arraytyping.checker.flow.values import (
    MISSING,
    ClassValue,
    FunctionValue,
    HandlerValue,
    JitValue,
    ModuleValue,
    Unknown,
)
from arraytyping.checker.flow.values.frames import Module

__all__ = ["forget_changed"]

_SAME: Final = (
    ClassValue, FunctionValue, HandlerValue, JitValue, ModuleValue, type, types.FunctionType, types.ModuleType,
)  # fmt: skip
"""What a variable that holds such a thing is taken to hold for good."""


def forget_changed(it: Interpreter, loaded: Iterable[Module]) -> None:
    """Forget what functions may have changed of modules, which others that nothing calls find as it is then."""
    changed: list[tuple[Module, str]] = []
    for module in loaded:
        if module.is_program:
            names = changed_by_functions(module.tree)
            changed += [(module, name) for name in sorted(names.own)]
            for alias, name in sorted(names.of_others):
                other = module.frame.variables.get(alias)
                if isinstance(other, ModuleValue) and other.module.is_program:
                    changed.append((other.module, name))
    for module, name in changed:
        value = module.frame.variables.get(name, MISSING)
        if value is not MISSING and not isinstance(value, _SAME):
            it.journal.bind(module.frame, name, Unknown("a variable of a module that functions change"))
    forget_in_stand_ins(it)
