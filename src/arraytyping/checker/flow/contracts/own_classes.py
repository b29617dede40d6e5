"""`arraytyping.Array[DType, Shape]`, both parameters optional."""

from __future__ import annotations

import types
import typing
from typing import Any, Final

from arraytyping.basearray import Array
from arraytyping.checker.flow.contracts.expectations import AnyArray, ArrayOf, Expectation
from arraytyping.checker.flow.contracts.grammar import DimSpec
from arraytyping.checker.flow.values import Value
from arraytyping.scalars import DTYPES, KINDS, SCALARS, generic

__all__ = ["array_of"]

_WEAK: Final[dict[type, str]] = {bool: "b", int: "iu", float: "f", complex: "c"}


def array_of(args: tuple[Value, ...]) -> Expectation:
    """What `Array[...]` with these arguments asks for."""
    dtypes = _dtypes(args[0]) if args else None
    dims = _dims(args[1]) if len(args) > 1 else None
    if dtypes is None and dims is None:
        return AnyArray()
    name = _name(args[0]) if args else "Any"
    sizes = "" if dims is None else f", [{', '.join(d.text for d in dims)}]"
    return ArrayOf(Array, dtypes, dims, f"Array[{name}{sizes}]", name)


def _dtypes(dtype: Any) -> tuple[str, ...] | None:
    """The dtypes of a parameter; a Python type is a weak one, of any width."""
    if typing.get_origin(dtype) in (typing.Union, types.UnionType):
        found: list[str] = []
        for one in typing.get_args(dtype):
            names = _dtypes(one)
            if names is None:
                return None
            found += names
        return tuple(found)
    if dtype in _WEAK:
        return tuple(d for d in DTYPES if KINDS[d] in _WEAK[dtype])
    if isinstance(dtype, type) and issubclass(dtype, generic):
        return tuple(name for name, scalar in SCALARS.items() if issubclass(scalar, dtype))
    return None


def _name(dtype: Any) -> str:
    return dtype.__name__ if isinstance(dtype, type) else str(dtype).replace("arraytyping.scalars.", "")


def _dims(shape: Any) -> tuple[DimSpec, ...] | None:
    """The sizes of a tuple type: those that are literals are known."""
    if typing.get_origin(shape) is not tuple:
        return None
    args = typing.get_args(shape)
    if len(args) == 2 and args[1] is ...:
        return (DimSpec("any", "...", variadic=True),)
    return tuple(_dim(a) for a in args)


def _dim(size: Any) -> DimSpec:
    values = typing.get_args(size) if typing.get_origin(size) is typing.Literal else ()
    if len(values) == 1 and type(values[0]) is int:
        return DimSpec("fixed", str(values[0]), values[0])
    return DimSpec("any", "?")
