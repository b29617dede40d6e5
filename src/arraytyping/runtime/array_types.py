"""`typeof`: what is known of an array before there are values.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.typeof.html.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.core import Tracer, manual_here
from arraytyping.runtime.meshes import get_abstract_mesh
from arraytyping.runtime.np_dtypes import np_dtype
from arraytyping.runtime.sharding import NamedSharding, PartitionSpec, get_mesh
from arraytyping.runtime.varying import ManualAxisType, varying_axes
from arraytyping.semantics.avals import ShapedArray, static_shape

__all__ = ["ArrayType", "typeof"]


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
        return f"{'~' if self.weak_type else ''}{name}[{','.join(map(str, self.shape))}]{differs}"

    def __str__(self) -> str:
        return self.str_short()

    def __repr__(self) -> str:
        weak = ", weak_type=True" if self.weak_type else ""
        return f"ShapedArray({self.str_short().removeprefix('~')}{weak})"


def typeof(x: Any) -> Any:
    """`jax.typeof`: the type of an array or an array-like, of a traced one too.

    Raises:
        TypeError: for what is no array-like.
        NotImplementedError: where there are explicit axes of a mesh, along which types in JAX say how arrays are cut.
    """
    array = materialized(array_from(x))
    aval: ShapedArray = array.aval
    mesh = get_mesh()
    manual = manual_here()
    mapped = frozenset() if manual is None else manual.axes
    placed = None if isinstance(array, Tracer) else array.sharding
    for one in (mesh, getattr(placed, "mesh", None)):
        if one is not None and (axes := [n for n in one.explicit_axes if n not in mapped]):
            raise NotImplementedError(
                f"typeof: along the explicit axes {axes} of {one} the types of arrays say in JAX how they are cut, "
                "which they do not here; use axes of type AxisType.Auto, or `.sharding` of an array that is computed"
            )
    shape = static_shape(aval)
    sharding = NamedSharding(get_abstract_mesh(), PartitionSpec(*[None] * len(shape)))
    along = (varying_axes(aval) or frozenset()) if isinstance(array, Tracer) else frozenset()
    dtype = np.dtype(np_dtype(str(aval.dtype)))
    return ArrayType(shape, dtype, bool(aval.weak_type), ManualAxisType(along), sharding)
