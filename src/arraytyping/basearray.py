"""`Array[DType, Shape]`, the class that arrays are annotated with."""

from __future__ import annotations

from typing import Any, Generic

from typing_extensions import TypeVar

__all__ = ["Array"]

DType = TypeVar("DType", covariant=True, default=Any)
Shape = TypeVar("Shape", covariant=True, default=Any)


class Array(Generic[DType, Shape]):
    """An array: its dtype is a scalar type, or a Python type for a weak one, its shape a tuple of sizes.

    Shapes: `tuple[Literal[3], int]` is two dimensions, the first of size 3.  Both parameters may be left out, and are
    unknown then.

    Raises:
        TypeError: if it is called; it is a class for annotations and `isinstance`.

    Source: JEP 12049, https://docs.jax.dev/en/latest/jep/12049-type-annotations.html, option 4.
    """

    __slots__ = ()

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise TypeError("Array is not made by calling it; use a function that makes arrays, such as zeros or asarray")
