"""Types of arrays that say how these are cut along the explicit axes of a mesh.

A type that says nothing of it is that of an array which is whole along all of them.

Source: https://docs.jax.dev/en/latest/notebooks/explicit-sharding.html.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from arraytyping.runtime.sharding import AxisType, Mesh, NamedSharding, PartitionSpec
from arraytyping.runtime.sharding.specs import UNCONSTRAINED
from arraytyping.semantics.avals import ShapedArray, static_shape
from arraytyping.semantics.cut_rules import Cut, axes_of_entry, cut_str, entry_of

__all__ = ["CutArray", "cut_of", "explicit_mesh", "explicit_spec", "shown", "uncut", "with_cut", "with_sharding"]

_SHORT: Final = {"float": "f", "uint": "u", "int": "i", "complex": "c", "bfloat": "bf"}


@dataclass(frozen=True, slots=True)
class CutArray(ShapedArray):
    """An abstract value, the mesh over which the value lies, and the axes along which each dimension is cut."""

    mesh: Any = None
    cut: Cut = ()

    def __str__(self) -> str:
        return shown(self)


def shown(aval: ShapedArray) -> str:
    """A type as JAX prints it: `float32[8@x,4]`."""
    return cut_str(static_shape(aval), cut_of(aval), f"{'~' if aval.weak_type else ''}{aval.dtype}")


def shown_short(aval: ShapedArray) -> str:
    """The same with a short name of the dtype, as JAX prints it in some sentences: `f32[8@x,4]`."""
    long = shown(aval)
    for start, short in _SHORT.items():
        long = re.sub(rf"^(~?){start}(?=\d)", rf"\1{short}", long)
    return long


def cut_of(aval: ShapedArray) -> Cut | None:
    """Along which explicit axes a value of this type is cut; None for a type that says nothing of it."""
    return aval.cut if isinstance(aval, CutArray) else None


def uncut(aval: ShapedArray) -> ShapedArray:
    """The type without what it says of cuts."""
    return ShapedArray(aval.shape, aval.dtype, aval.weak_type) if isinstance(aval, CutArray) else aval


def with_cut(aval: ShapedArray, mesh: Any, cut: Cut) -> ShapedArray:
    """The type of a value that is cut so, without naming an axis twice.

    Raises:
        ValueError: if the mesh does not divide a dimension.
    """
    shape = static_shape(aval)
    sizes = mesh.shape
    for i, (size, entry) in enumerate(zip(shape, cut)):
        count = 1
        for axis in axes_of_entry(entry):
            count *= sizes[axis]
        if size % count:
            raise ValueError(
                f"Sharding spec {axes_of_entry(entry)} implies that array axis {i} is partitioned {count} times, but "
                f"does not evenly divide the dimension size {size}. Got shape: {shape} and sharding "
                f"{PartitionSpec(*cut)}"
            )
    return CutArray(aval.shape, aval.dtype, aval.weak_type, None, mesh, tuple(cut))


def explicit_spec(sharding: NamedSharding, rank: int) -> Cut:
    """What a type says of a sharding: the entries without the axes along which the compiler decides."""
    types = dict(zip(sharding.mesh.axis_names, sharding.mesh.axis_types))
    found: list[Any] = []
    for entry in (*sharding.spec.partitions, *[None] * (rank - len(sharding.spec.partitions))):
        axes = () if entry is UNCONSTRAINED else axes_of_entry(entry)
        found.append(entry_of([a for a in axes if types[a] is AxisType.Explicit]))
    return tuple(found)


def explicit_mesh(sharding: Any) -> Mesh | None:
    """The mesh of a sharding, if types say how arrays are cut along some of its axes."""
    mesh = getattr(sharding, "mesh", None)
    return mesh if mesh is not None and mesh.explicit_axes else None


def with_sharding(aval: ShapedArray, sharding: Any) -> ShapedArray:
    """The type of a value that lies so."""
    if (mesh := explicit_mesh(sharding)) is None:
        return uncut(aval)
    return CutArray(
        aval.shape, aval.dtype, aval.weak_type, None, mesh, explicit_spec(sharding, len(static_shape(aval)))
    )


def without_dim(aval: ShapedArray, dim: int) -> ShapedArray:
    """The type of what stands at one place along a dimension."""
    shape = static_shape(aval)
    made = ShapedArray((*shape[:dim], *shape[dim + 1 :]), aval.dtype, aval.weak_type)
    if not isinstance(aval, CutArray):
        return made
    return with_cut(made, aval.mesh, (*aval.cut[:dim], *aval.cut[dim + 1 :]))


def with_dim(aval: ShapedArray, dim: int, size: int, entry: Any = None) -> ShapedArray:
    """The type of so many values of this type, along a new dimension."""
    shape = static_shape(aval)
    made = ShapedArray((*shape[:dim], size, *shape[dim:]), aval.dtype, aval.weak_type)
    if not isinstance(aval, CutArray):
        return made
    return with_cut(made, aval.mesh, (*aval.cut[:dim], entry, *aval.cut[dim:]))


def sharding_of_type(aval: ShapedArray) -> NamedSharding | None:
    """How a value of this type lies; None if the type says nothing of it."""
    return NamedSharding(aval.mesh, PartitionSpec(*aval.cut)) if isinstance(aval, CutArray) else None


def same_cut(a: ShapedArray, b: ShapedArray) -> bool:
    """Whether values of both types are cut in the same way."""
    whole = (None,) * len(static_shape(a))
    return (cut_of(a) or whole) == (cut_of(b) or whole)


def names_twice(cut: Sequence[Any]) -> bool:
    """Whether one axis would cut two dimensions."""
    named = [axis for entry in cut for axis in axes_of_entry(entry)]
    return len(named) != len(set(named))
