"""The table of abstract-evaluation rules: the name of an operation -> its rule.

A name is that of the public thing without the framework: `numpy.add` for `jax.numpy.add`, `Array.sum` for the
method, `Array.T` for the attribute, `Array.__add__` for the operator.  A rule takes a `Context` and then the
operation's own parameters, under JAX's names and defaults, each an abstract value (see `avals`); it returns the
abstract value of the result or raises `RuleError` if the call is certain to fail.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Protocol, TypeVar

from arraytyping.semantics.rules.context import Context

__all__ = ["RULES", "Rule", "RuleFunction", "register", "rule"]


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


RULES: Final[dict[str, Rule]] = {}
"""All rules by name; filled as the family modules are imported by the package."""

F = TypeVar("F", bound=Callable[..., Any])


def register(name: str, function: Callable[..., Any]) -> None:
    """Enter a rule under a name.

    Raises:
        ValueError: if the name has a rule already.
    """
    if name in RULES:
        raise ValueError(f"{name} has a rule already, in {RULES[name].function.__module__}; a rule is written once")
    RULES[name] = Rule(name, function)


def rule(*names: str) -> Callable[[F], F]:
    """Enter the decorated function as the rule of these names."""

    def enter(function: F) -> F:
        for name in names:
            register(name, function)
        return function

    return enter
