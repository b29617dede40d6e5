"""`typeof`: what is known of an array before there are values.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.typeof.html.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.core import Tracer
from arraytyping.runtime.cut_types import sharding_of_type
from arraytyping.runtime.meshes import get_abstract_mesh
from arraytyping.runtime.np_dtypes import np_dtype
from arraytyping.runtime.sharding import NamedSharding, PartitionSpec
from arraytyping.runtime.trace_state import manual_here
from arraytyping.runtime.varying import ManualAxisType, varying_axes
from arraytyping.semantics.avals import ShapedArray, static_shape
from arraytyping.semantics.cut_rules import cut_str

__all__ = ["ArrayType", "type_sharding", "typeof"]


@dataclass(frozen=True)
class ArrayType:
    """A shape, a dtype, a weak type, and along which axes of a mesh the value differs, where a function is mapped."""

    shape: tuple[int, ...]
    dtype: Any
    weak_type: bool
    mat: ManualAxisType
    sharding: Any

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    @property
    def vma(self) -> frozenset[Any]:
        """The axes along which it differs."""
        return self.mat.varying

    def str_short(self, short_dtypes: bool = False) -> str:
        """Its text; with short names of dtypes such as `f32`."""
        name: str = self.dtype.name
        if short_dtypes:
            for long, short in (("float", "f"), ("uint", "u"), ("int", "i"), ("complex", "c"), ("bfloat", "bf")):
                if name.startswith(long):
                    name = short + name.removeprefix(long)
                    break
        differs = f"{{V:{','.join(sorted(map(str, self.vma)))}}}" if self.vma else ""
        return f"{'~' if self.weak_type else ''}{cut_str(self.shape, self.sharding.spec.partitions, name)}{differs}"

    def __str__(self) -> str:
        return self.str_short()

    def __repr__(self) -> str:
        weak = ", weak_type=True" if self.weak_type else ""
        return f"ShapedArray({self.str_short().removeprefix('~')}{weak})"


def type_sharding(aval: ShapedArray) -> NamedSharding:
    """How a type says that an array is cut, over a mesh without devices: that in force if it says nothing."""
    found = sharding_of_type(aval)
    if found is not None:
        return NamedSharding(found.mesh.abstract_mesh, found.spec)
    return NamedSharding(get_abstract_mesh(), PartitionSpec(*[None] * len(static_shape(aval))))


def typeof(x: Any) -> Any:
    """`jax.typeof`: the type of an array or an array-like, of a traced one too.

    Raises:
        TypeError: for what is no array-like.
        NotImplementedError: within a function that is mapped over some axes, where others are explicit.
    """
    array = materialized(array_from(x))
    aval: ShapedArray = array.aval
    if (manual := manual_here()) is not None and (free := set(manual.mesh.explicit_axes) - manual.axes):
        raise NotImplementedError(
            f"typeof: along the axes {sorted(free)}, which are explicit and over which shard_map does not map here, "
            "types say in JAX how arrays are cut, which they do not here; map over them too"
        )
    shape = static_shape(aval)
    sharding = type_sharding(aval)
    along = (varying_axes(aval) or frozenset()) if isinstance(array, Tracer) else frozenset()
    dtype = np.dtype(np_dtype(str(aval.dtype)))
    return ArrayType(shape, dtype, bool(aval.weak_type), ManualAxisType(along), sharding)
