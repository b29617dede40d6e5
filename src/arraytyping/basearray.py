"""`Array[DType, Shape]`, the class that arrays are annotated with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Generic

from typing_extensions import TypeVar

from arraytyping.semantics.array_types import array_type

__all__ = ["Array"]

DType = TypeVar("DType", covariant=True, default=Any)
Shape = TypeVar("Shape", covariant=True, default=Any)


_TYPES: Final[dict[Any, Any]] = {}
"""The types that were made, by their parameters."""


class Array(Generic[DType, Shape]):
    """An array: its dtype is a scalar type, or a Python type for a weak one, its shape a tuple of sizes.

    Shapes: `tuple[Literal[3], int]` is two dimensions, the first of size 3.  Both parameters may be left out, and are
    unknown then.  `isinstance` of `Array[float32, ...]` looks at the dtype and the shape, see `array_types`.

    Raises:
        TypeError: if it is called; it is a class for annotations and `isinstance`.

    Source: JEP 12049, https://docs.jax.dev/en/latest/jep/12049-type-annotations.html, option 4.
    """

    __slots__ = ()

    if TYPE_CHECKING:
        aval: Any
        """What is known of the array without its values; each kind of array has one."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise TypeError("Array is not made by calling it; use a function that makes arrays, such as zeros or asarray")

    if not TYPE_CHECKING:  # checkers know what a generic class does

        def __class_getitem__(cls, parameters: Any) -> Any:
            try:
                return _TYPES[cls, parameters]
            except (KeyError, TypeError):  # none of these yet; or one without a hash, which is no parameter
                pass
            given = parameters if isinstance(parameters, tuple) else (parameters,)
            made = array_type(cls, given) if cls is Array else None
            if made is None:
                return super().__class_getitem__(parameters)
            if len(_TYPES) >= 4096:
                _TYPES.clear()
            _TYPES[cls, parameters] = made
            return made
