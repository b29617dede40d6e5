"""A type with the knowledge taken out of the arrays in it: `Array[Any, Any]` in place of `Array[int8, ...]`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    ProperType,
    TupleType,
    Type,
    TypeOfAny,
    UninhabitedType,
    UnionType,
    get_proper_type,
)

from arraytyping_mypy.finite_types import get_finite_type, is_endless
from arraytyping_mypy.names import ARRAYS

__all__ = ["generalize", "is_unknown", "map_arrays", "without_never", "without_scalars"]


NDARRAY: Final = "numpy.ndarray"
_FAMILIES: Final = ("bool", "signedinteger", "unsignedinteger", "floating", "float64", "complexfloating", "complex128")
OF_NUMPY: Final = frozenset({NDARRAY, *(f"numpy.{name}" for name in _FAMILIES)})
"""NumPy's classes of arrays and scalars, as its stubs call what has a dtype."""
_SCALARS: Final = frozenset({"builtins.bool", "builtins.int", "builtins.float", "builtins.complex"})


def map_arrays(t: Type, change: Callable[[Instance], Type], names: frozenset[str] = OF_NUMPY | ARRAYS) -> Type:
    """The type with every array's type in it replaced, or the very same object if there is none to replace.

    `names` are the full names of the classes that are replaced: arrays and scalars of NumPy's too.
    """
    if is_endless(t):
        return t  # a tree of arrays, without end; what is written in an alias is no inferred knowledge
    p = get_finite_type(t)
    if isinstance(p, Instance):
        if p.type.fullname in names:
            return change(p)
        args = [map_arrays(a, change, names) for a in p.args]
        return t if all(a is b for a, b in zip(args, p.args)) else p.copy_modified(args=args)
    if isinstance(p, UnionType):
        items = [map_arrays(i, change, names) for i in p.items]
        return t if all(a is b for a, b in zip(items, p.items)) else UnionType.make_union(items)
    if isinstance(p, TupleType):
        items = [map_arrays(i, change, names) for i in p.items]
        return t if all(a is b for a, b in zip(items, p.items)) else p.copy_modified(items=items)
    if isinstance(p, CallableType):
        types = [map_arrays(a, change, names) for a in p.arg_types]
        result = map_arrays(p.ret_type, change, names)
        if result is p.ret_type and all(a is b for a, b in zip(types, p.arg_types)):
            return t
        return p.copy_modified(arg_types=types, ret_type=result)
    return t


def generalize(t: Type) -> Type:
    """The type with an unknown array in place of every array of which something is known."""
    return map_arrays(t, _unknown)


def without_scalars(t: Type) -> Type:
    """The type with `Any` in place of Python's numbers: what goes through a loop of JAX comes out as an array."""
    return map_arrays(t, lambda scalar: AnyType(TypeOfAny.special_form), _SCALARS)


def without_never(t: Type) -> Type:
    """The type with `Any` where mypy has found no value to infer a type from."""
    p = get_finite_type(t)
    if isinstance(p, UninhabitedType):
        return AnyType(TypeOfAny.special_form)
    if not isinstance(p, TupleType):
        return t
    items = [without_never(i) for i in p.items]
    return t if all(a is b for a, b in zip(items, p.items)) else p.copy_modified(items=items)


def is_unknown(array: Instance) -> bool:
    """Whether nothing is known of an array."""
    if array.type.fullname in OF_NUMPY:
        return array.type.fullname == NDARRAY and all(_is_open(a) for a in array.args)
    return all(_is_any(get_proper_type(a)) for a in array.args)


def _is_any(p: ProperType) -> bool:
    """Whether it is `Any`, or the unknown shape of our stubs, whose base is."""
    return isinstance(p, AnyType) or (isinstance(p, Instance) and p.type.fallback_to_any)


def _is_open(t: Type) -> bool:
    """Whether it is no shape, and no dtype, of NumPy's."""
    p = get_proper_type(t)
    if isinstance(p, Instance) and p.args and p.type.fullname in ("numpy.dtype", "builtins.tuple"):
        p = get_proper_type(p.args[0])
    return _is_any(p)


def _unknown(array: Instance) -> Type:
    if is_unknown(array):
        return array
    if array.type.fullname in OF_NUMPY and array.type.fullname != NDARRAY:
        return AnyType(TypeOfAny.special_form)
    return array.copy_modified(args=[AnyType(TypeOfAny.special_form)] * len(array.args))
