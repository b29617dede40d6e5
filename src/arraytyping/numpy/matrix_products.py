"""Products of `jax.numpy.linalg`: under other parameters than those of `jax.numpy`, chains and powers of matrices.

Source: https://docs.jax.dev/en/latest/jax.numpy.linalg.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arraytyping.numpy.contractions import matrices_product, tensors_dot, vectors_dot
from arraytyping.numpy.diagonals import diagonal as diagonal_of_axes
from arraytyping.numpy.joining import rows
from arraytyping.numpy.permuting import matrix_transpose
from arraytyping.numpy.products import cross_product, outer_product
from arraytyping.numpy.summation import einsum
from arraytyping.runtime.calling import answered, operation
from arraytyping.semantics.avals import ShapedArray

__all__ = [
    "cross", "diagonal", "matmul", "matrix_transpose", "multi_dot", "outer", "tensordot", "vecdot",
]  # fmt: skip


@answered("numpy.linalg.matmul", "x1", "x2")
def matmul(
    answer: ShapedArray, x1: Any, x2: Any, /, *, precision: Any = None, preferred_element_type: Any = None
) -> Any:
    """The product of matrices for each place of the leading dimensions: `jax.numpy.linalg.matmul`."""
    return matrices_product(answer, x1, x2, precision)


@answered("numpy.linalg.tensordot", "x1", "x2")
def tensordot(
    answer: ShapedArray, x1: Any, x2: Any, /, *, axes: Any = 2, precision: Any = None,
    preferred_element_type: Any = None, out_sharding: Any = None,
) -> Any:  # fmt: skip
    """The product summed over so many dimensions, or over those that are named: `jax.numpy.linalg.tensordot`."""
    return tensors_dot(answer, x1, x2, axes, precision)


@answered("numpy.linalg.vecdot", "x1", "x2")
def vecdot(
    answer: ShapedArray, x1: Any, x2: Any, /, *, axis: int = -1, precision: Any = None,
    preferred_element_type: Any = None,
) -> Any:  # fmt: skip
    """The product of vectors along an axis, those of the first conjugated, summed: `jax.numpy.linalg.vecdot`."""
    return vectors_dot(answer, x1, x2, axis, precision)


@answered("numpy.linalg.outer", "x1", "x2")
def outer(answer: ShapedArray, x1: Any, x2: Any, /) -> Any:
    """Every element of a vector times every element of another: `jax.numpy.linalg.outer`."""
    return outer_product(answer, x1, x2)


@answered("numpy.linalg.cross", "x1", "x2")
def cross(answer: ShapedArray, x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The vector perpendicular to two of 3 components: `jax.numpy.linalg.cross`."""
    return cross_product(answer, x1, x2, axis, axis, axis)


def diagonal(x: Any, /, *, offset: int = 0) -> Any:
    """A diagonal of the matrices in the last two axes: `jax.numpy.linalg.diagonal`."""
    return diagonal_of_axes(x, offset, -2, -1)


@operation("numpy.linalg.multi_dot", "arrays")
def multi_dot(arrays: Sequence[Any], *, precision: Any = None) -> Any:
    """The product of a chain of matrices, in the order that is cheapest: `jax.numpy.linalg.multi_dot`.

    The first and the last one may be vectors.
    """
    each = rows(arrays[0]) if len(arrays) == 1 else list(arrays)
    ranks = [len(x.aval.shape) for x in each]
    labels = [[i, i + 1] for i in range(len(each))]
    if ranks[0] == 1:
        labels[0] = labels[0][1:]
    if ranks[-1] == 1:
        labels[-1] = labels[-1][:1]
    return einsum(*(v for pair in zip(each, labels) for v in pair), precision=precision)
