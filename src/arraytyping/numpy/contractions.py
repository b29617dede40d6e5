"""Products that sum over dimensions which two arrays share.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; `jax/_src/numpy/tensor_contractions.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arraytyping.numpy.axes import axis_of, ints_of, moved, raveled, several
from arraytyping.numpy.parts import conjugated
from arraytyping.numpy.promoting import in_result_dtype, one_rank
from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.calling import answered, dtype_of
from arraytyping.runtime.lax.arithmetic import mul_p
from arraytyping.runtime.lax.contractions import DotDimensionNumbers, dot_general_p
from arraytyping.runtime.lax.integers import bitwise_and_p
from arraytyping.runtime.lax.precisions import canonical_precision
from arraytyping.runtime.lax.structure import reshape, transpose
from arraytyping.semantics.avals import ShapedArray

__all__ = ["dot", "inner", "matmul", "matvec", "tensordot", "vdot", "vecdot", "vecmat"]


def contracted(answer: ShapedArray, a: Any, b: Any, numbers: DotDimensionNumbers, precision: Any) -> Any:
    """The contraction of these dimensions, of the operands as they are, into the dtype of the result."""
    dtype = dtype_of(answer)
    result = dot_general_p.bind(
        a, b, dimension_numbers=numbers, precision=canonical_precision(precision), preferred_element_type=dtype
    )
    return convert_to(result, dtype, bool(answer.weak_type))


def _product(
    answer: ShapedArray, a: Any, b: Any, contracting: tuple[Sequence[int], Sequence[int]], precision: Any
) -> Any:
    """The contraction of dimensions that neither is batched over."""
    first, second = contracting
    return contracted(answer, a, b, ((tuple(first), tuple(second)), ((), ())), precision)


def _dot(answer: ShapedArray, a: Any, b: Any, precision: Any) -> Any:
    n, m = len(a.aval.shape), len(b.aval.shape)
    return _product(answer, a, b, ((n - 1,), (max(m - 2, 0),)) if n and m else ((), ()), precision)


@answered("numpy.dot", "a", "b")
def dot(
    answer: ShapedArray, a: Any, b: Any, *, precision: Any = None, preferred_element_type: Any = None,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """The product of vectors or matrices, of more dimensions over the last and the last but one: `jax.numpy.dot`."""
    return _dot(answer, a, b, precision)


def matrices_product(answer: ShapedArray, a: Any, b: Any, precision: Any) -> Any:
    """The product of matrices for each place of the leading dimensions, which broadcast.

    A leading dimension of one operand alone is a free one of it, those of both are batch dimensions.
    """
    (a_matrix, a_lead), (b_matrix, b_lead) = ((len(s) > 1, s[:-2]) for s in (a.aval.shape, b.aval.shape))
    rank = max(len(a_lead), len(b_lead))
    batch, only_a, only_b, ones = [], [], [], []  # the leading dimensions, numbered in the result
    of_a, of_b = [None] * (rank - len(a_lead)) + [*a_lead], [None] * (rank - len(b_lead)) + [*b_lead]
    for i, (n, m) in enumerate(zip(of_a, of_b)):
        if n in (None, 1) and m in (None, 1):
            ones.append(i)
        elif n in (None, 1):
            only_b.append(i)
        elif m in (None, 1):
            only_a.append(i)
        else:
            batch.append(i)

    def squeezed(x: Any, lead: tuple[int, ...], kept: list[int]) -> tuple[Any, list[int]]:
        missing = rank - len(lead)
        sizes = [n for i, n in enumerate(lead) if i + missing in kept]
        places = [k for k, i in enumerate(sorted(kept)) if i in batch]
        return reshape(x, (*sizes, *x.aval.shape[len(lead) :])), places

    a, a_batch = squeezed(a, a_lead, [*batch, *only_a])
    b, b_batch = squeezed(b, b_lead, [*batch, *only_b])
    numbers = ((len(a.aval.shape) - 1,), (len(b.aval.shape) - 1 - b_matrix,)), (tuple(a_batch), tuple(b_batch))
    result = contracted(answer, a, b, numbers, precision)
    order = [*batch, *only_a, *([rank] if a_matrix else []), *only_b, *([rank + 1] if b_matrix else [])]
    result = transpose(result, sorted(range(len(order)), key=order.__getitem__))
    sizes = iter(result.aval.shape)
    return reshape(result, tuple(1 if i in ones else next(sizes) for i in range(rank + a_matrix + b_matrix)))


@answered("numpy.matmul", "a", "b")
def matmul(
    answer: ShapedArray, a: Any, b: Any, *, precision: Any = None, preferred_element_type: Any = None,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """The product of matrices for each place of the leading dimensions: `jax.numpy.matmul`."""
    return matrices_product(answer, a, b, precision)


def _as_column(x: Any) -> Any:
    return reshape(x, (*x.aval.shape, 1))


def _as_row(x: Any) -> Any:
    shape = x.aval.shape
    return reshape(x, (*shape[:-1], 1, shape[-1]))


def _without(x: Any, axis: int) -> Any:
    shape = list(x.aval.shape)
    del shape[axis]
    return reshape(x, tuple(shape))


@answered("numpy.matvec", "x1", "x2")
def matvec(answer: ShapedArray, x1: Any, x2: Any, /) -> Any:
    """The product of matrices with vectors, for each place of the leading dimensions: `jax.numpy.matvec`."""
    return _without(matrices_product(answer, x1, _as_column(x2), None), -1)


@answered("numpy.vecmat", "x1", "x2")
def vecmat(answer: ShapedArray, x1: Any, x2: Any, /) -> Any:
    """The product of vectors, conjugated, with matrices, for each leading place: `jax.numpy.vecmat`."""
    return _without(matrices_product(answer, _as_row(conjugated(x1)), x2, None), -2)


@answered("numpy.vdot", "a", "b")
def vdot(answer: ShapedArray, a: Any, b: Any, *, precision: Any = None, preferred_element_type: Any = None) -> Any:
    """The product of all elements, those of the first conjugated, summed: `jax.numpy.vdot`."""
    return _dot(answer, raveled(conjugated(a)), raveled(b), precision)


def vectors_dot(answer: ShapedArray, a: Any, b: Any, axis: int, precision: Any) -> Any:
    """The product of vectors along an axis, those of the first conjugated; the other dimensions broadcast."""
    a, b = (moved(x, [axis_of(axis, len(x.aval.shape))], [len(x.aval.shape) - 1]) for x in (a, b))
    product = matrices_product(answer, _as_row(conjugated(a)), _as_column(b), precision)
    return reshape(product, product.aval.shape[:-2])


@answered("numpy.vecdot", "x1", "x2")
def vecdot(
    answer: ShapedArray, x1: Any, x2: Any, /, *, axis: int = -1, precision: Any = None,
    preferred_element_type: Any = None,
) -> Any:  # fmt: skip
    """The product of vectors along an axis, those of the first conjugated, summed: `jax.numpy.vecdot`."""
    return vectors_dot(answer, x1, x2, axis, precision)


@answered("numpy.inner", "a", "b")
def inner(answer: ShapedArray, a: Any, b: Any, *, precision: Any = None, preferred_element_type: Any = None) -> Any:
    """The product summed over the last dimensions of both: `jax.numpy.inner`."""
    n, m = len(a.aval.shape), len(b.aval.shape)
    if n and m:
        return _product(answer, a, b, ((n - 1,), (m - 1,)), precision)
    a, b = one_rank(*in_result_dtype(answer, a, b))
    return (bitwise_and_p if a.aval.dtype == "bool" else mul_p).bind(a, b)


def tensors_dot(answer: ShapedArray, a: Any, b: Any, axes: Any, precision: Any) -> Any:
    """The product summed over so many dimensions, the last ones and the first ones, or over these."""
    n, m = len(a.aval.shape), len(b.aval.shape)
    if not several(axes):
        count = int(axes)
        return _product(answer, a, b, (range(n - count, n), range(count)), precision)
    first, second = (ints_of(x, "an axis") for x in axes)
    return _product(answer, a, b, ([i % n for i in first], [j % m for j in second]), precision)


@answered("numpy.tensordot", "a", "b")
def tensordot(
    answer: ShapedArray, a: Any, b: Any, axes: Any = 2, *, precision: Any = None, preferred_element_type: Any = None,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """The product summed over so many dimensions, or over those that are named: `jax.numpy.tensordot`."""
    return tensors_dot(answer, a, b, axes, precision)
