"""Abstract values: what is known of an argument or a result before anything runs.

Everything an abstract-evaluation rule takes or returns is one of these: a `ShapedArray`, a `NumPyArray`, a
`Scalar` (a Python scalar whose value is not known), an exact Python constant (also in tuples and lists, which
may hold any of these), `Alternatives` (one of several), or `UNKNOWN`.

A dtype, as part of an array, is its name (`"float32"`); as an argument it is one of the classes of `scalars`, a
Python type, or a string.

Source: `ShapedArray` and weak types as in https://docs.jax.dev/en/latest/autodidax.html and
https://docs.jax.dev/en/latest/type_promotion.html#weakly-typed-values-in-jax.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal

from arraytyping.semantics.shardings import Spec, cut_shape_str
from arraytyping.semantics.sizes.dims import Dim, SymbolicDim

__all__ = [
    "UNKNOWN",
    "Alternatives",
    "Dim",
    "NumPyArray",
    "Scalar",
    "ShapedArray",
    "Shape",
    "SymbolicDim",
    "Unknown",
    "array_str",
    "join_dims",
    "join_shapes",
    "size_of",
    "static_shape",
]


class Unknown(enum.Enum):
    """The type of `UNKNOWN`: it may be anything."""

    UNKNOWN = "unknown"

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = Unknown.UNKNOWN


Shape = tuple[Dim, ...]
"""The sizes of all dimensions; where even the rank is unknown, None stands in place of the tuple."""


@dataclass(frozen=True, slots=True)
class ShapedArray:
    """An array of which the shape, dtype and weak type may be known, each in part.

    `shape` is None if the rank is unknown; `dtype` and `weak_type` are None if unknown (a known `weak_type` never
    stands with an unknown `dtype`).  `value` is the Python scalar that a 0-d array is known to hold, else None: a
    few rules (power) look at it.
    """

    shape: Shape | None
    dtype: str | None
    weak_type: bool | None = False
    value: bool | int | float | complex | None = None

    def __post_init__(self) -> None:
        if self.dtype is None and self.weak_type is not None:
            object.__setattr__(self, "weak_type", None)

    @property
    def ndim(self) -> int | None:
        """The rank, or None."""
        return None if self.shape is None else len(self.shape)

    @property
    def size(self) -> int | None:
        """The number of elements, or None."""
        return None if self.shape is None else size_of(self.shape)

    def __str__(self) -> str:
        return array_str(self.dtype, self.weak_type, self.shape)


@dataclass(frozen=True, slots=True)
class NumPyArray:
    """A NumPy array or scalar (0-d) as an argument: JAX reads it as a strong type, canonicalized.

    `dtype` is the name of NumPy's or ml_dtypes' type, or None if unknown.
    """

    shape: Shape | None
    dtype: str | None

    def __str__(self) -> str:
        return f"numpy {self.dtype or 'array'}{shape_str(self.shape)}"


@dataclass(frozen=True, slots=True)
class Scalar:
    """A Python scalar of exactly the type `kind`, whose value is not known."""

    kind: Literal["bool", "int", "float", "complex"]

    def __str__(self) -> str:
        return self.kind


@dataclass(frozen=True, slots=True)
class Alternatives:
    """One of several values, it is not known which."""

    values: tuple[Any, ...]

    @staticmethod
    def of(values: Iterable[Any]) -> Any:
        """The value, if all are the same; else the alternatives, without repetition and without nesting."""
        unique: dict[Any, Any] = {}
        for value in values:
            for v in value.values if isinstance(value, Alternatives) else (value,):
                if v is UNKNOWN:
                    return UNKNOWN
                unique.setdefault(_identity(v), v)
        alternatives = tuple(unique.values())
        return alternatives[0] if len(alternatives) == 1 else Alternatives(alternatives)


def _identity(value: Any) -> Any:
    """What tells values apart, by type too: 1, 1.0 and True are equal, but differ; a list has no hash."""
    if isinstance(value, tuple | list):
        return type(value), tuple(map(_identity, value))
    if isinstance(value, slice):
        return slice, _identity((value.start, value.stop, value.step))
    if isinstance(value, Alternatives):  # one item of a list
        return Alternatives, _identity(value.values)
    return type(value), value


def size_of(shape: Shape) -> int | None:
    """The number of elements of an array of this shape, or None if a size is unknown (and none is 0)."""
    if any(d == 0 for d in shape):
        return 0
    return math.prod(d for d in shape if isinstance(d, int)) if all(isinstance(d, int) for d in shape) else None


def static_shape(aval: ShapedArray) -> tuple[int, ...]:
    """The shape of an array that is fully known, as all are at run time."""
    return tuple([d for d in aval.shape or () if isinstance(d, int)])


def join_dims(a: Dim, b: Dim) -> Dim:
    """What is known of a size that is one of the two."""
    return a if a == b else None


def join_shapes(a: Shape | None, b: Shape | None) -> Shape | None:
    """What is known of a shape that is one of the two."""
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(map(join_dims, a, b))


def dim_str(dim: Dim) -> str:
    """A size as messages show it: `?` where it is unknown."""
    return "?" if dim is None else str(dim)


def shape_str(shape: Shape | None) -> str:
    """A shape as messages show it, in brackets: `[3, ?]`, or `[...]` if the rank is unknown."""
    return "[...]" if shape is None else f"[{', '.join(map(dim_str, shape))}]"


def shape_tuple_str(shape: Shape) -> str:
    """A shape as Python writes a tuple: `(3,)`, with `?` for an unknown size."""
    return f"({', '.join(map(dim_str, shape))}{',' if len(shape) == 1 else ''})"


def dtype_name(dtype: str | None, weak_type: bool | None) -> str:
    """A dtype as messages show it: `float32`, `float32 (weak)`, or `?` for an unknown one."""
    return f"{dtype or '?'}{_weak(dtype, weak_type)}"


def array_str(dtype: str | None, weak_type: bool | None, shape: Shape | None, cut: Spec | None = None) -> str:
    """An array as messages show it: `float32[3, 4]`, `float32[3, 4] (weak)`; `cut` says how: `float32[8@data, 4]`."""
    shown = shape_str(shape) if cut is None else cut_shape_str(shape, cut)
    return f"{dtype or '?'}{shown}{_weak(dtype, weak_type)}"


def _weak(dtype: str | None, weak_type: bool | None) -> str:
    return " (weak)" if weak_type and dtype is not None and dtype != "bool" else ""
