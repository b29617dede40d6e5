"""The arguments of a call of NumPy by the names of its parameters, and what is known of each.

The rules for the shapes of NumPy's results ask the functions of `semantics/rules/shapes/`, as those of jax.numpy do.
Where NumPy differs, its rule says so: it takes some arguments that JAX refuses, and it raises other exceptions, which
`Rule.refusal` names.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

from arraytyping.checker.flow.engines.numpy_array_likes import dtype_of, shape_of
from arraytyping.checker.flow.engines.numpy_statics import size_of, sizes_of, static_of
from arraytyping.semantics.avals import UNKNOWN, Dim, Shape
from arraytyping.semantics.rules.errors import AxisError, IntegerError, RuleError

__all__ = [
    "RULES",
    "Arguments",
    "Refused",
    "Rule",
    "Unknowable",
    "dims_of",
    "known_shape",
    "rule",
    "same_dtype",
]


class Rule(NamedTuple):
    """What gives the shape of a function's result (a list of shapes: of its several results).

    `dtype` gives the dtype, where NumPy is not asked on small arrays; `sequence` makes a list or tuple of several
    results; with `grows` the result may be much larger than the arguments; `exception` is the name of the class that
    NumPy raises for shapes that do not go together.
    """

    shapes: Callable[[Arguments], Any]
    dtype: Callable[[Arguments], str | None] | None = None
    sequence: Callable[[list[Any]], Any] | None = None
    grows: bool = False
    exception: str = "ValueError"

    def refusal(self, error: RuleError) -> str:
        """What NumPy says in the place of an error of the rules, with the class that it raises."""
        named = self.exception
        if isinstance(error, AxisError):
            named = "AxisError"
        elif type(error) in (IntegerError, RuleError):
            named = error.exception.__name__
        return f"{named}: {error.message}"


RULES: dict[str, Rule] = {}
"""The rules by the functions' names."""


class Unknowable(Exception):
    """Not even the rank of the result is known."""


class Refused(Exception):
    """NumPy certainly refuses: `code` and the message."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def rule(
    *names: str,
    dtype: Callable[[Arguments], str | None] | None = None,
    sequence: Callable[[list[Any]], Any] | None = None,
    grows: bool = False,
    exception: str = "ValueError",
) -> Callable[[Any], Any]:
    """Register the rule for the shape of these functions' results."""

    def register(function: Any) -> Any:
        for name in names:
            RULES[name] = Rule(function, dtype, sequence, grows, exception)
        return function

    return register


class Arguments:
    """The arguments of one call, by parameter."""

    def __init__(self, name: str, bound: inspect.BoundArguments) -> None:
        self.name = name
        self.given: dict[str, Any] = dict(bound.arguments)
        self.bound = bound
        for parameter in bound.signature.parameters.values():
            if parameter.kind is inspect.Parameter.VAR_KEYWORD:
                self.given.update(self.given.pop(parameter.name, {}))

    def __contains__(self, name: str) -> bool:
        return self.given.get(name) is not None

    def get(self, *names: str) -> Any:
        """The argument of the first of these parameters that is given; else None."""
        for name in names:
            if name in self.given:
                return self.given[name]
        return None

    @property
    def first(self) -> Any:
        """The argument of the first parameter."""
        for value in self.given.values():
            return value
        raise Unknowable

    def operand(self, *names: str) -> Shape | None:
        """The shape of an array-like argument, of the first one if no name is given; None if its rank is not known."""
        return shape_of(self.get(*names) if names else self.first)

    def static(self, name: str, default: Any = None) -> Any:
        """An argument that is no array, as the rules take it: numbers, texts and sequences of them, or `UNKNOWN`."""
        return static_of(self.given[name]) if name in self.given else default

    def flag(self, name: str, default: bool = False) -> bool | None:
        """Whether a flag is set, by its truth; None if it is not known."""
        if name not in self.given:
            return default
        value = self.given[name]
        return bool(value) if value is None or isinstance(value, bool | int | float | str) else None

    def axis(self, name: str = "axis", default: Any = None) -> Any:
        """An axis as the rules take it; in many places NumPy takes a tuple of one, too."""
        axis = self.static(name, default)
        return (axis[0] if len(axis) == 1 else UNKNOWN) if isinstance(axis, tuple) else axis

    def size(self, *names: str, default: Dim = None) -> Dim:
        """An argument that is one integer, of the first of these parameters that is given; None if it is not known."""
        value = self.get(*names)
        return default if value is None else size_of(value)

    def sizes(self, name: str) -> Any:
        """An argument that is one integer or several, each of which may be `UNKNOWN`, as they all may."""
        return sizes_of(self.get(name))


def known_shape(value: Any) -> Shape:
    """The shape of an array-like.

    Raises:
        Unknowable: if its rank is not known.
    """
    shape = shape_of(value)
    if shape is None:
        raise Unknowable
    return shape


def dims_of(value: Any) -> tuple[Dim, ...]:
    """A size or several, each of which may be unknown.

    Raises:
        Unknowable: if their number is not known.
    """
    found = sizes_of(value)
    if found is UNKNOWN:
        raise Unknowable
    return tuple(None if size is UNKNOWN else size for size in found)


def same_dtype(arguments: Arguments) -> str | None:
    """The dtype of the first argument."""
    return dtype_of(arguments.first)
