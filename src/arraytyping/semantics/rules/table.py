"""The table of abstract-evaluation rules: the name of an operation -> its rule.

A name is that of the public thing without the framework: `numpy.add` for `jax.numpy.add`, `Array.sum` for the
method, `Array.T` for the attribute, `Array.__add__` for the operator.  A rule takes a `Context` and then the
operation's own parameters, under JAX's names and defaults, each an abstract value (see `avals`); it returns the
abstract value of the result or raises `RuleError` if the call is certain to fail.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, Final, Protocol, TypeVar

from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.families import FAMILIES

__all__ = ["RULES", "Rule", "RuleFunction", "RuleTable", "register", "rule"]


class RuleFunction(Protocol):
    """What a rule is: a pure function of a context and abstract values."""

    def __call__(self, cx: Context, /, *args: Any, **kwargs: Any) -> Any:
        """The abstract value of the result; raises RuleError for a certain mistake."""
        ...


@dataclass(frozen=True)
class Rule:
    """One operation's rule, with the signature by which a call's arguments are bound."""

    name: str
    function: Callable[..., Any]

    @cached_property
    def signature(self) -> inspect.Signature:
        """The operation's own parameters (the context is left out)."""
        full = inspect.signature(self.function)
        return full.replace(parameters=list(full.parameters.values())[1:])


class RuleTable(MutableMapping[str, Rule]):
    """All rules by name; a family is imported when one of its rules is first asked for (`families`)."""

    def __init__(self, families: Mapping[str, tuple[str, ...]]) -> None:
        self._families = {name: family for family, names in families.items() for name in names}
        self._entered: dict[str, Rule] = {}

    def __getitem__(self, name: str) -> Rule:
        rule = self._entered.get(name)
        if rule is None:
            import_module(f"{__package__}.{self._families[name]}")
            rule = self._entered[name]
        return rule

    def __setitem__(self, name: str, rule: Rule) -> None:
        if name in self._families:
            self[name]  # else its family would enter its own later
        self._entered[name] = rule

    def __delitem__(self, name: str) -> None:
        del self._entered[name]

    def __contains__(self, name: object) -> bool:
        return name in self._families or name in self._entered

    def __iter__(self) -> Iterator[str]:
        return iter(self._families | self._entered)

    def __len__(self) -> int:
        return len(self._families | self._entered)

    def enter(self, name: str, rule: Rule) -> None:
        """Enter the rule of a family that is being imported.

        Raises:
            ValueError: if the name has a rule already.
        """
        there = self._entered.get(name)
        if there is not None:
            raise ValueError(f"{name} has a rule already, in {there.function.__module__}; a rule is written once")
        self._entered[name] = rule

    def import_all(self) -> None:
        """Import all families, where nothing may be imported later or all of them are needed anyway."""
        for family in dict.fromkeys(self._families.values()):
            import_module(f"{__package__}.{family}")


RULES: Final = RuleTable(FAMILIES)
"""The table that is read."""

F = TypeVar("F", bound=Callable[..., Any])


def register(name: str, function: Callable[..., Any]) -> None:
    """Enter a rule under a name.

    Raises:
        ValueError: if the name has a rule already.
    """
    RULES.enter(name, Rule(name, function))


def rule(*names: str) -> Callable[[F], F]:
    """Enter the decorated function as the rule of these names."""

    def enter(function: F) -> F:
        for name in names:
            register(name, function)
        return function

    return enter
