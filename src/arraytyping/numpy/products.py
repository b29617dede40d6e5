"""Products that pair elements without a sum over a shared dimension: outer, Kronecker and cross products.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

from typing import Any

from arraytyping.numpy.axes import at_axis, axis_of, raveled
from arraytyping.numpy.promoting import in_result_dtype, one_shape
from arraytyping.runtime.calling import answered
from arraytyping.runtime.lax.arithmetic import mul_p, sub_p
from arraytyping.runtime.lax.creation import zeros_of
from arraytyping.runtime.lax.integers import bitwise_and_p
from arraytyping.runtime.lax.slicing import concatenate_p
from arraytyping.runtime.lax.structure import moveaxis, reshape
from arraytyping.semantics.avals import ShapedArray

__all__ = ["cross", "kron", "outer"]


def outer_product(answer: ShapedArray, a: Any, b: Any) -> Any:
    """Every element of the first times every element of the second, in one dimension each."""
    x, y = map(raveled, in_result_dtype(answer, a, b))
    x, y = reshape(x, (*x.aval.shape, 1)), reshape(y, (1, *y.aval.shape))
    return (bitwise_and_p if x.aval.dtype == "bool" else mul_p).bind(x, y)


@answered("numpy.outer", "a", "b")
def outer(answer: ShapedArray, a: Any, b: Any, out: None = None) -> Any:
    """Every element of the first times every element of the second: `jax.numpy.outer`."""
    return outer_product(answer, a, b)


@answered("numpy.kron", "a", "b")
def kron(answer: ShapedArray, a: Any, b: Any) -> Any:
    """The second array, multiplied by every element of the first, in its place: `jax.numpy.kron`."""
    x, y = in_result_dtype(answer, a, b)
    rank = max(len(x.aval.shape), len(y.aval.shape))
    of_x, of_y = ((1,) * (rank - len(v.aval.shape)) + v.aval.shape for v in (x, y))
    x = reshape(x, tuple(n for size in of_x for n in (size, 1)))
    y = reshape(y, tuple(n for size in of_y for n in (1, size)))
    return reshape(mul_p.bind(x, y), tuple(n * m for n, m in zip(of_x, of_y)))


def cross_product(answer: ShapedArray, a: Any, b: Any, axisa: int, axisb: int, axisc: int) -> Any:
    """The cross product of vectors of 2 or 3 components along an axis of each."""
    vectors = []
    for x, axis in zip(in_result_dtype(answer, a, b), (axisa, axisb)):
        along = axis_of(axis, len(x.aval.shape))
        vectors.append([at_axis(x, i, along) for i in range(x.aval.shape[along])])
    left, right = vectors

    def minor(i: int, j: int) -> Any:
        return sub_p.bind(mul_p.bind(*one_shape(left[i], right[j])), mul_p.bind(*one_shape(left[j], right[i])))

    if len(left) == len(right) == 2:
        return minor(0, 1)
    for components in vectors:
        if len(components) == 2:
            components.append(zeros_of(components[0].aval))
    each = [minor(1, 2), minor(2, 0), minor(0, 1)]
    stacked = concatenate_p.bind(*(reshape(x, (1, *x.aval.shape)) for x in each), dimension=0)
    return moveaxis(stacked, 0, axisc)


@answered("numpy.cross", "a", "b")
def cross(
    answer: ShapedArray, a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Any:
    """The vector perpendicular to two, of two in the plane its one component: `jax.numpy.cross`."""
    return cross_product(answer, a, b, *((axisa, axisb, axisc) if axis is None else (axis,) * 3))
