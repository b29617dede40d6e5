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
from arraytyping.runtime.np_dtypes import np_dtype
from arraytyping.semantics.avals import ShapedArray

__all__ = ["ShapeDtypeStruct", "around_bits", "of_whole", "struct_of"]


class ShapeDtypeStruct:
    """A shape, a dtype and a weak type; it stands for an array in `eval_shape` and `make_jaxpr`."""

    __slots__ = ("dtype", "shape", "weak_type")

    def __init__(self, shape: Sequence[int], dtype: Any, *, weak_type: bool = False) -> None:
        if dtype is None:
            raise ValueError("ShapeDtypeStruct: dtype is None; give one such as float32")
        self.shape: tuple[int, ...] = tuple(map(operator.index, shape))
        self.dtype: Any = dtype if hasattr(dtype, "key_shape") else np.dtype(dtype)
        self.weak_type: bool = weak_type

    @classmethod
    def like(cls, x: Any) -> ShapeDtypeStruct:
        """What an array looks like, without its sharding."""
        return cls(x.shape, x.dtype, weak_type=bool(getattr(x, "weak_type", False)))

    def update(self, **changes: Any) -> ShapeDtypeStruct:
        """The same with another shape, dtype or weak type.

        Raises:
            ValueError: for something else.
        """
        if others := changes.keys() - {"shape", "dtype", "weak_type"}:
            raise ValueError(
                f"ShapeDtypeStruct.update takes shape, dtype and weak_type, got {', '.join(sorted(others))}"
            )
        return ShapeDtypeStruct(**{"shape": self.shape, "dtype": self.dtype, "weak_type": self.weak_type, **changes})

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
        return isinstance(other, ShapeDtypeStruct) and (self.shape, self.dtype, self.weak_type) == (
            other.shape,
            other.dtype,
            other.weak_type,
        )

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype, self.weak_type))

    def __repr__(self) -> str:
        weak = ", weak_type=True" if self.weak_type else ""
        return f"ShapeDtypeStruct(shape={self.shape}, dtype={self.dtype.name}{weak})"


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
    return ShapeDtypeStruct(aval.shape, np_dtype(str(aval.dtype)), weak_type=bool(aval.weak_type))  # type: ignore[arg-type]
