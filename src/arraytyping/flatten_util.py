"""A tree of arrays as one flat vector, under the name of `jax.flatten_util`.

Source: https://docs.jax.dev/en/latest/jax.flatten_util.html.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from arraytyping import lax
from arraytyping.numpy.creation import zeros
from arraytyping.numpy.dtype_functions import result_type
from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import array_from, materialized

__all__ = ["ravel_pytree"]


@dataclass(frozen=True)
class Unravel:
    """The way back from the vector to the tree; one that is equal to another is the same static argument."""

    treedef: tree.PyTreeDef
    shapes: tuple[tuple[int, ...], ...]
    dtypes: tuple[str, ...]
    """Of the leaves, where they differ; else empty, and a vector of any dtype is taken."""
    dtype: str

    def __call__(self, vector: Any) -> Any:
        """The tree whose leaves stand in the vector.

        Raises:
            TypeError: for a vector of another dtype.
            ValueError: for a vector of another size.
        """
        sizes = [math.prod(shape) for shape in self.shapes]
        vector = materialized(array_from(vector))
        given = vector.aval
        if given.shape != (sum(sizes),):
            raise ValueError(f"unravel takes a vector of shape ({sum(sizes)},), got an array of shape {given.shape}")
        if self.dtypes and given.dtype != self.dtype:
            raise TypeError(
                f"unravel function given array of dtype {given.dtype}, but expected dtype {self.dtype}; convert it "
                f"with .astype({self.dtype!r})"
            )
        if not self.shapes:
            return tree.unflatten(self.treedef, [])
        parts = [lax.reshape(part, shape) for part, shape in zip(lax.split(vector, sizes), self.shapes)]
        if self.dtypes:
            parts = [lax.convert_element_type(part, dtype) for part, dtype in zip(parts, self.dtypes)]
        return tree.unflatten(self.treedef, parts)


def ravel_pytree(pytree: Any) -> tuple[Any, Callable[[Any], Any]]:
    """The leaves of a tree one after another in a vector, of the dtype that they promote to, and the way back.

    Raises:
        TypeError: for a leaf that is no array-like.
    """
    leaves, treedef = tree.flatten(pytree)
    if not leaves:
        return zeros(0, "float32"), Unravel(treedef, (), (), "float32")
    arrays = [materialized(array_from(leaf)) for leaf in leaves]
    dtypes = tuple([str(array.aval.dtype) for array in arrays])
    dtype = str(result_type(*dtypes))
    differ = len({*dtypes, dtype}) > 1
    if differ:
        arrays = [lax.convert_element_type(array, dtype) for array in arrays]
    shapes = tuple([array.aval.shape for array in arrays])
    flat = lax.concatenate([lax.reshape(array, (math.prod(array.aval.shape),)) for array in arrays], 0)
    return flat, Unravel(treedef, shapes, dtypes if differ else (), dtype)
