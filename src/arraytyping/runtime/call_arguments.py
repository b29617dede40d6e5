"""The arguments of a call taken apart, and its result put together: the arrays, and what stands around them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from arraytyping.basearray import Array
from arraytyping.runtime.array_likes import PYTHON_SCALARS
from arraytyping.runtime.core import Tracer, TypedScalar
from arraytyping.runtime.cut_types import with_sharding
from arraytyping.runtime.np_dtypes import dtype_name_of
from arraytyping.runtime.sharding import AbstractMesh, NamedSharding, get_mesh
from arraytyping.semantics.avals import NumPyArray, ShapedArray
from arraytyping.semantics.promotion.jax import JaxPromotion

__all__ = [
    "Arguments",
    "OfType",
    "Slot",
    "abstract",
    "described",
    "described_type",
    "place_of",
    "filled",
    "known_value",
    "quick_key",
    "rebuilt",
    "static_int",
    "structured",
]


class Slot:
    """Where, in the arguments of a call, an array stood: its number."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number: int = number


class Arguments:
    """The arguments of a call taken apart: the arrays, a key for what kind of call it is, the rest with slots."""

    __slots__ = ("arrays", "key")

    def __init__(self) -> None:
        self.arrays: list[Any] = []
        self.key: list[Any] = []

    def slot(self, value: Any, key: Any) -> Slot:
        """The slot of one more array, of which `key` says what kind it is."""
        self.arrays.append(value)
        self.key.append(key)
        return Slot(len(self.arrays) - 1)

    def take(self, value: Any, is_array: bool, looks: bool) -> Any:
        """The argument with a slot in the place of each array in it.

        `is_array` says that a Python scalar is an array here; `looks` that the rule looks at its value.
        """
        kind = type(value)
        if isinstance(value, Array):
            if looks and (known := known_value(value)) is not None:
                return self.slot(value, (value.aval, type(known), known))
            return self.slot(value, value.aval)
        if kind in PYTHON_SCALARS:
            if is_array:
                narrow = kind is not int or -0x80000000 <= value < 0x80000000
                return self.slot(value, kind if narrow and not looks else (kind, repr(value)))
            self.key.append((kind, repr(value) if kind is float or kind is complex else value))
            return value
        if value is None or kind is str:
            self.key.append(value)
            return value
        if kind is tuple or kind is list:
            self.key.append((kind, len(value)))
            return kind([self.take(v, is_array, looks) for v in value])
        if isinstance(value, np.ndarray | np.generic):
            if not is_array:
                return self.take(value.tolist() if value.dtype.kind in "biufc?" else value.item(), False, looks)
            return self.slot(value, (NumPyArray(value.shape, dtype_name_of(value.dtype) or str(value.dtype))))
        if hasattr(value, "__jax_array__"):
            return self.take(value.__jax_array__(), is_array, looks)
        if is_array and hasattr(value, "__array__") and not isinstance(value, type):
            return self.take(np.asarray(value), is_array, looks)
        if kind is slice:
            self.key.append("slice")
            return slice(*(self.take(v, False, False) for v in (value.start, value.stop, value.step)))
        if kind is range and not is_array:  # of axes, or sizes
            return self.take(tuple(value), False, looks)
        if isinstance(value, tuple):  # a named one
            self.key.append((kind, len(value)))
            return kind(*[self.take(v, is_array, looks) for v in value])
        self.key.append((kind, value))
        return value


def known_value(value: Any) -> bool | int | float | complex | None:
    """The Python scalar that a concrete integer array without dimensions holds, where a rule looks at values."""
    if value.aval.shape != () or isinstance(value, Tracer):
        return None
    scalar = value.value if isinstance(value, TypedScalar) else value._literal()
    return scalar if type(scalar) in (int, bool) else None


def filled(value: Any, arrays: Sequence[Any]) -> Any:
    """An argument with these arrays in its slots."""
    kind = type(value)
    if kind is Slot:
        return arrays[value.number]
    if kind is tuple or kind is list:
        return kind([filled(v, arrays) for v in value])
    if kind is slice:
        return slice(*(filled(v, arrays) for v in (value.start, value.stop, value.step)))
    if isinstance(value, tuple):
        return kind(*[filled(v, arrays) for v in value])
    return value


def abstract(value: Any, looks: bool) -> Any:
    """What a rule is told of an array-like."""
    if isinstance(value, Array):
        aval: ShapedArray = value.aval
        if looks and (known := known_value(value)) is not None:
            return ShapedArray(aval.shape, aval.dtype, aval.weak_type, known)
        return aval
    if isinstance(value, np.ndarray | np.generic):
        return NumPyArray(value.shape, dtype_name_of(value.dtype) or str(value.dtype))
    return value


def described(value: Any) -> Any:
    """An argument that is no array, in the form in which rules take it: a dtype by its name."""
    if isinstance(value, np.dtype):
        return dtype_name_of(value) or value.name
    if isinstance(value, type) and issubclass(value, np.generic):
        return dtype_name_of(np.dtype(value)) or value
    if type(value) is tuple or type(value) is list:
        return type(value)(described(v) for v in value)
    return value


class OfType(Array):
    """Stands for an array of which the type alone is known and asked for, and maybe where it is to lie."""

    __slots__ = ("aval", "lies")

    def __init__(self, aval: ShapedArray, lies: Any = None) -> None:
        self.aval: ShapedArray = aval
        self.lies: Any = lies


def described_type(value: Any) -> ShapedArray | None:
    """The type that something with a shape and a dtype describes, which is no array itself (`ShapeDtypeStruct`)."""
    kind = type(value)
    if kind in PYTHON_SCALARS or not (hasattr(value, "shape") and hasattr(value, "dtype")):
        return None
    if isinstance(value, type) or hasattr(value, "__array__") or hasattr(value.dtype, "key_shape"):
        return None
    dtype = dtype_name_of(np.dtype(value.dtype))
    if dtype is None:
        return None
    aval = ShapedArray(tuple(value.shape), dtype, bool(getattr(value, "weak_type", False)))
    lies = place_of(value)
    return aval if lies is None else with_sharding(aval, lies)


def place_of(value: Any) -> Any:
    """Where what something describes is to lie: over the mesh in force, if its own has no devices."""
    lies = getattr(value, "sharding", None)
    if not isinstance(lies, NamedSharding) or not isinstance(lies.mesh, AbstractMesh):
        return lies
    mesh = get_mesh()
    return None if mesh is None or mesh.shape != lies.mesh.shape else NamedSharding(mesh, lies.spec)


def quick_key(promotion: JaxPromotion, args: tuple[Any, ...], of_arrays: Sequence[bool]) -> tuple[Any, ...] | None:
    """What kind of call this is, if every argument is an array, or a Python scalar in the place of one."""
    key: list[Any] = [id(promotion)]
    for value, is_array in zip(args, of_arrays):
        kind = type(value)
        if isinstance(value, Array):
            if not hasattr(value, "aval"):
                return None  # an array of keys
            key.append(value.aval)
        elif is_array and (kind is float or kind is bool or (kind is int and -0x80000000 <= value < 0x80000000)):
            key.append(kind)
        else:
            return None
    return tuple(key)


def static_int(value: Any) -> Any:
    """An axis that is given as a concrete array without dimensions, as the int that it holds."""
    if isinstance(value, Array) and not isinstance(value, Tracer) and value.aval.shape == ():
        return value.__index__()  # type: ignore[attr-defined]
    return value


def structured(value: Any, leaves: list[Any]) -> Any:
    """The form of a result, whose arrays are put into `leaves`."""
    if isinstance(value, Array):
        leaves.append(value)
        return Slot(len(leaves) - 1)
    if isinstance(value, tuple | list):
        items = [structured(v, leaves) for v in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return value


def rebuilt(structure: Any, outs: Any) -> Any:
    """A result of this form."""
    if type(structure) is Slot:
        return next(outs)
    if isinstance(structure, tuple | list):
        items = [rebuilt(v, outs) for v in structure]
        return type(structure)(*items) if hasattr(structure, "_fields") else type(structure)(items)
    return structure
