"""What an array looks like, without its values: what functions may be asked about before there are arrays.

A dtype that has a `key_shape` is one of arrays around others, of keys around their bits.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.ShapeDtypeStruct.html.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from arraytyping.runtime import tree
from arraytyping.runtime.cut_types import sharding_of_type
from arraytyping.runtime.np_dtypes import np_dtype
from arraytyping.runtime.sharding import NamedSharding, PartitionSpec, Sharding, get_mesh
from arraytyping.runtime.sharding.specs import entries_of
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.shardings import check_fit

__all__ = ["ShapeDtypeStruct", "around_bits", "of_whole", "struct_of"]


class ShapeDtypeStruct:
    """A shape, a dtype, a weak type, and maybe a sharding; it stands for an array where nothing is computed.

    Raises:
        ValueError: where the dtype is None, for what is no sharding, and for one that arrays of the rank cannot have.
    """

    __slots__ = ("_sharding", "dtype", "shape", "weak_type")

    def __init__(self, shape: Sequence[int], dtype: Any, *, sharding: Any = None, weak_type: bool = False) -> None:
        if dtype is None:
            raise ValueError("ShapeDtypeStruct: dtype is None; give one such as float32")
        self.shape: tuple[int, ...] = tuple(map(operator.index, shape))
        self.dtype: Any = dtype if hasattr(dtype, "key_shape") else np.dtype(dtype)
        self.weak_type: bool = weak_type
        if isinstance(sharding, Sharding):
            sharding.check_compatible_aval(self.shape)
        elif isinstance(sharding, PartitionSpec):
            check_fit(entries_of(sharding), {}, self.shape, str(sharding), "the array")
        elif sharding is not None:
            raise ValueError(
                "sharding should be an instance of `jax.sharding.Sharding` or `jax.sharding.PartitionSpec`. Got "
                f"{sharding} of type {type(sharding)}."
            )
        self._sharding: Any = sharding

    @property
    def sharding(self) -> Sharding | None:
        """Where the array lies; None if that is not said.

        Raises:
            TypeError: if it was given as a PartitionSpec, and no mesh is in force.
        """
        given = self._sharding
        if not isinstance(given, PartitionSpec):
            return given  # type: ignore[no-any-return]
        mesh = get_mesh()
        if mesh is None:
            raise TypeError(
                "When specifying PartitionSpec to `ShapeDtypeStruct`, the context mesh cannot be empty. Please use "
                "`jax.set_mesh` to set the mesh context."
            )
        return NamedSharding(mesh, given)

    @classmethod
    def like(cls, x: Any) -> ShapeDtypeStruct:
        """What an array looks like, with its sharding if it is to stay where it lies."""
        aval = getattr(x, "aval", None)
        if isinstance(aval, ShapedArray) and not hasattr(x, "_value"):  # a tracer lies as its type says
            return struct_of(aval)
        lies = getattr(x, "sharding", None) if getattr(x, "committed", True) else None
        return cls(x.shape, x.dtype, sharding=lies, weak_type=bool(getattr(x, "weak_type", False)))

    def update(self, **changes: Any) -> ShapeDtypeStruct:
        """The same with another shape, dtype, weak type or sharding.

        Raises:
            ValueError: for something else.
        """
        own = {"shape": self.shape, "dtype": self.dtype, "weak_type": self.weak_type, "sharding": self._sharding}
        if others := changes.keys() - own.keys():
            raise ValueError(
                f"ShapeDtypeStruct.update takes shape, dtype, weak_type and sharding, got {', '.join(sorted(others))}"
            )
        return ShapeDtypeStruct(**{**own, **changes})

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object: there are no dimensions")
        return self.shape[0]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ShapeDtypeStruct) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> Any:
        return self.shape, self.dtype, self.weak_type, self.sharding

    def __repr__(self) -> str:
        weak = ", weak_type=True" if self.weak_type else ""
        lies = "" if self.sharding is None else f", sharding={self.sharding}"
        return f"ShapeDtypeStruct(shape={self.shape}, dtype={self.dtype.name}{lies}{weak})"


def around_bits(value: Any, stand_in: Callable[[ShapedArray], Any]) -> Any:
    """A tree in which the arrays that are described as keys are keys around stand-ins for their bits."""

    def around(leaf: Any) -> Any:
        if not isinstance(leaf, ShapeDtypeStruct) or not hasattr(leaf.dtype, "key_shape"):
            return leaf
        return leaf.dtype.around(stand_in(ShapedArray((*leaf.shape, *leaf.dtype.key_shape), "uint32")))

    return tree.map(around, value)


def of_whole(value: Any) -> Any:
    """A tree in which keys around descriptions are described as keys."""

    def is_around(leaf: Any) -> bool:
        return hasattr(getattr(leaf, "dtype", None), "key_shape")

    return tree.map(lambda leaf: ShapeDtypeStruct(leaf.shape, leaf.dtype) if is_around(leaf) else leaf, value,
                    is_leaf=is_around)  # fmt: skip


def struct_of(aval: ShapedArray) -> ShapeDtypeStruct:
    """What a fully known abstract value looks like."""
    dtype, typed = np_dtype(str(aval.dtype)), sharding_of_type(aval)
    lies = None if typed is None else NamedSharding(typed.mesh.abstract_mesh, typed.spec)
    return ShapeDtypeStruct(aval.shape, dtype, sharding=lies, weak_type=bool(aval.weak_type))  # type: ignore[arg-type]
