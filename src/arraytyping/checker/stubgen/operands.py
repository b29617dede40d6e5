"""How the operands of overloads are annotated, and their results."""

from __future__ import annotations

from typing import Final

from arraytyping.checker.stubgen.matching import Overload
from arraytyping.checker.stubgen.overloads import TypeVariables
from arraytyping.checker.stubgen.spelling import (
    Joining,
    OneOf,
    Pattern,
    Same,
    UpperBound,
    annotation,
    joined,
    result,
)
from arraytyping.checker.stubgen.surface import Signature

__all__ = [
    "ANY_ARRAY", "NUMPY_LIKE", "OF_SHAPE", "SELF", "Form", "first_operand", "of_self", "operand", "said_result",
]  # fmt: skip

ANY_ARRAY: Final = "Array[Any, SomeShape]"
SELF: Final = "_ArrayOf"
OF_SHAPE: Final = "_ArrayOfShape"
"""An array as an operand whose shape is the other's: invariant in the shape, where `Array` takes a wider one, too.

Of `Array`, mypy would take a call as this operand (`x + jnp.zeros((2, 3))`) for whatever `x` asks for: no overload of
the call gives `x`'s shape, so it tries the last one, and an unknown shape is accepted as every shape.
"""
NUMPY_LIKE: Final = "NumPyLike | SupportsJAXArray"  # np.float64 is a float, but no weak type: these come first
"""What JAX makes an array of, and no stub of ours says the dtype of."""

Form = tuple[Signature, str]
"""One overload: its parameters and its result."""


def operand(variables: TypeVariables, pattern: Pattern, shape: str, *, other: str = "_D", second: bool = False) -> str:
    """The annotation of a parameter other than `self`."""
    if isinstance(pattern, OneOf):
        return f"Array[{variables.bounded(pattern.members, second=second)}, {shape}]"
    return annotation(pattern, shape, other=other)


def first_operand(variables: TypeVariables, pattern: Pattern, shape: str, method: bool, uniform: bool) -> str:
    """The annotation of the first operand; where all dtypes have one result, of any dtype."""
    if not method:
        return f"Array[Any, {shape}]" if uniform else operand(variables, pattern, shape)
    if uniform or (isinstance(pattern, Same) and pattern.members is None):
        return "Self" if shape in ("Any", "S") else f"{SELF}[Any, {shape}]"
    return of_self(pattern, shape)


def said_result(row: Overload, shape: str, method: bool) -> str:
    """The annotation of the result of an overload."""
    pattern = row.patterns[1] if row.joins else None if row.same is None else row.patterns[row.same]
    match pattern:
        case UpperBound() | Joining():
            return f"Array[{joined(pattern)}, {shape}]"
        case Same():
            return f"Array[{'D' if method else pattern.variable}, {shape}]"
    return result(row.answer, shape)


def of_self(pattern: Pattern, shape: str) -> str:
    """The annotation of `self`: mypy binds a type variable of the class in less time than one of the method."""
    if isinstance(pattern, Same):
        return "Self" if pattern.members is None else annotation(pattern.members, shape, array=SELF)
    return annotation(pattern, shape, array=SELF)
