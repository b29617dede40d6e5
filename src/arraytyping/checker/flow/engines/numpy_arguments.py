"""The arguments of a call of NumPy by the names of its parameters, and what is known of each."""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable
from typing import Any, NamedTuple

from arraytyping.checker.flow.engines.numpy_array_likes import dim_of, dtype_of, shape_of
from arraytyping.checker.flow.engines.numpy_values import NotExact, NotPossible, exact
from arraytyping.checker.flow.values import ListValue, NumPyValue, ScalarValue
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.avals import Dim, Shape

__all__ = [
    "RULES",
    "Arguments",
    "Refused",
    "Rule",
    "Unknowable",
    "axis_of",
    "dims_of",
    "index_of",
    "known_shape",
    "rule",
    "same_dtype",
]


class Rule(NamedTuple):
    """What gives the shape of a function's result (a list of shapes: of its several results).

    `dtype` gives the dtype, where NumPy is not asked on small arrays; `sequence` makes a list or tuple of several
    results; with `grows` the result may be much larger than the arguments.
    """

    shapes: Callable[[Arguments], Any]
    dtype: Callable[[Arguments], str | None] | None = None
    sequence: Callable[[list[Any]], Any] | None = None
    grows: bool = False


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
) -> Callable[[Any], Any]:
    """Register the rule for the shape of these functions' results."""

    def register(function: Any) -> Any:
        for name in names:
            RULES[name] = Rule(_bearing(function), dtype, sequence, grows)
        return function

    return register


def _bearing(function: Callable[[Arguments], Any]) -> Callable[[Arguments], Any]:
    """A rule that knows nothing where an argument is of a kind that it does not expect, as NumPy mostly refuses."""

    @functools.wraps(function)
    def shapes(arguments: Arguments) -> Any:
        try:
            return function(arguments)
        except (TypeError, ValueError, LookupError, AttributeError, AssertionError, NotPossible) as error:
            swallow(error)
            raise Unknowable from None

    return shapes


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

    def exact(self, name: str, default: Any = None) -> Any:
        """An argument that must be known.

        Raises:
            Unknowable: if it is not.
        """
        if name not in self.given:
            return default
        try:
            return exact(self.given[name])
        except NotExact:
            raise Unknowable from None

    def shape(self, *names: str) -> Shape:
        """The shape of an array-like argument; of the first one, if no name is given.

        Raises:
            Unknowable: if its rank is not known.
        """
        return known_shape(self.get(*names) if names else self.first)

    def axis(self, rank: int, name: str = "axis", default: Any = None) -> int | None:
        """An axis counted from 0, or None.

        Raises:
            Unknowable: if it is not known.
            Refused: if there is no such axis.
        """
        found = self.exact(name, default)
        return None if found is None else axis_of(found, rank)

    def dims(self, name: str) -> Shape:
        """An argument that is a size or several, each of which may be unknown.

        Raises:
            Unknowable: if their number is not known.
        """
        return dims_of(self.get(name))


def known_shape(value: Any) -> Shape:
    """The shape of an array-like.

    Raises:
        Unknowable: if its rank is not known.
    """
    shape = shape_of(value)
    if shape is None:
        raise Unknowable
    return shape


def axis_of(axis: Any, rank: int) -> int:
    """An axis counted from 0.

    Raises:
        Unknowable: if it is no int.
        Refused: if there is no such axis.
    """
    number = index_of(axis)
    if not -rank <= number < rank:
        raise Refused("array-dim", f"AxisError: axis {number} is out of bounds for array of dimension {rank}")
    return number % rank


def index_of(value: Any) -> int:
    """An int, or what NumPy takes for one.

    Raises:
        Unknowable: if it is none.
    """
    try:
        return operator.index(value)
    except TypeError:
        raise Unknowable from None


def dims_of(value: Any) -> tuple[Dim, ...]:
    """A size or several, each of which may be unknown.

    Raises:
        Unknowable: if their number is not known.
    """
    if isinstance(value, ListValue):
        if value.items is None:
            raise Unknowable
        value = tuple(value.items)
    if isinstance(value, NumPyValue) and value.shape is not None and len(value.shape) == 1:
        (count,) = value.shape
        if value.data is not None:
            value = tuple(int(d) for d in value.data)
        elif isinstance(count, int) and count <= 32:
            return (None,) * count
    if isinstance(value, tuple):
        try:
            return tuple(map(dim_of, value))
        except NotPossible:
            raise Unknowable from None
    if (
        isinstance(value, ScalarValue | int)
        or (isinstance(value, NumPyValue) and value.shape == ())
        or hasattr(value, "__index__")
    ):
        try:
            return (dim_of(value),)
        except NotPossible:
            raise Unknowable from None
    raise Unknowable


def same_dtype(arguments: Arguments) -> str | None:
    """The dtype of the first argument."""
    return dtype_of(arguments.first)
