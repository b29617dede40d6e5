"""What tests of families of rules share: which calls are tried in part, and the signatures of both sides."""

from __future__ import annotations

import inspect
from collections.abc import Iterable

from oracle import Call, resolve

from arraytyping.semantics.rules.table import RULES

__all__ = ["a_few_of_each", "parameters_of_both"]

Parameter = tuple[str, object, object]


def a_few_of_each(names: Iterable[str], calls: Iterable[Call]) -> tuple[Call, ...]:
    """Some calls of each rule, from all over the list: those that are tried with unknown parts."""
    every = tuple(calls)
    found: list[Call] = []
    for name in names:
        own = [call for call in every if call.name == name]
        found += own[:: max(1, len(own) // 12)]
    return tuple(found)


def parameters_of_both(name: str) -> tuple[list[Parameter], list[Parameter]]:
    """Name, kind and default of each parameter of a rule, and of JAX's function."""
    ours = RULES[name].signature.parameters.values()
    real = inspect.signature(resolve(name)).parameters.values()
    return [(p.name, p.kind, p.default) for p in ours], [(p.name, p.kind, p.default) for p in real]
