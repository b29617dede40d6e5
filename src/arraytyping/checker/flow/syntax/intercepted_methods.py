"""Blocks in which `flax.linen.intercept_methods` may do to the methods of modules what is not followed.

A program that speaks of it may call it in each context manager of which not all is known.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import Any, Final, NoReturn

from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import InstanceValue, Unknown

__all__ = ["enter_intercepted"]

_NAME: Final = "intercept_methods"


def enter_intercepted(it: Interpreter, manager: Any, stack: ExitStack) -> None:
    """Let nothing be known of what methods of modules give until the stack is left, if a manager may intercept them."""
    if isinstance(manager, Unknown | InstanceValue):
        may_intercept = any(_NAME in module.source for module in it.importer.loaded)
    else:
        may_intercept = getattr(getattr(manager, "func", None), "__name__", "") == _NAME
    linen = sys.modules.get("flax.linen")
    if may_intercept and linen is not None:
        stack.enter_context(linen.intercept_methods(_refuse))


def _refuse(*_: Any) -> NoReturn:
    raise Abort("the methods of modules are intercepted")
