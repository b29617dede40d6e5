"""Products that sum over dimensions which two arrays share.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; `jax/_src/numpy/tensor_contractions.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arraytyping.numpy.axes import axis_of, ints_of, moved, raveled, several
from arraytyping.numpy.parts import conjugated
from arraytyping.numpy.promoting import joined, one_rank, promoted, to_dtype
from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.arithmetic import mul_p
from arraytyping.runtime.lax.contractions import DotDimensionNumbers, dot_general_p
from arraytyping.runtime.lax.dtype_arguments import canonical_dtype
from arraytyping.runtime.lax.integers import bitwise_and_p
from arraytyping.runtime.lax.precisions import canonical_precision
from arraytyping.runtime.lax.structure import reshape, transpose

__all__ = ["dot", "inner", "matmul", "matvec", "tensordot", "vdot", "vecdot", "vecmat"]


def result_dtype(preferred: Any, *arrays: Any) -> tuple[str, bool]:
    """The dtype and weak type of a contraction: what is preferred, else what the operands promote to."""
    if preferred is not None:
        return canonical_dtype(preferred, "preferred_element_type"), False
    dtype, weak = joined(*arrays)
    return dtype, weak


def contracted(a: Any, b: Any, numbers: DotDimensionNumbers, precision: Any, dtype: str, weak_type: bool) -> Any:
    """The contraction of these dimensions, of the operands as they are, into a result of this dtype."""
    result = dot_general_p.bind(
        a, b, dimension_numbers=numbers, precision=canonical_precision(precision), preferred_element_type=dtype
    )
    return convert_to(result, dtype, weak_type)


def _product(
    a: Any, b: Any, contracting: tuple[Sequence[int], Sequence[int]], precision: Any, preferred: Any
) -> Any:  # fmt: skip
    """The contraction of dimensions that neither is batched over."""
    first, second = contracting
    return contracted(a, b, ((tuple(first), tuple(second)), ((), ())), precision, *result_dtype(preferred, a, b))


def _dot(a: Any, b: Any, precision: Any, preferred: Any) -> Any:
    n, m = len(a.aval.shape), len(b.aval.shape)
    return _product(a, b, ((n - 1,), (max(m - 2, 0),)) if n and m else ((), ()), precision, preferred)


@operation("numpy.dot", "a", "b")
def dot(a: Any, b: Any, *, precision: Any = None, preferred_element_type: Any = None, out_sharding: Any = None) -> Any:
    """The product of vectors or matrices, of more dimensions over the last and the last but one: `jax.numpy.dot`."""
    return _dot(a, b, precision, preferred_element_type)


def matrices_product(a: Any, b: Any, precision: Any, preferred: Any) -> Any:
    """The product of matrices for each place of the leading dimensions, which broadcast.

    A leading dimension of one operand alone is a free one of it, those of both are batch dimensions.
    """
    dtype, weak = result_dtype(preferred, a, b)
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
    result = contracted(a, b, numbers, precision, dtype, weak)
    order = [*batch, *only_a, *([rank] if a_matrix else []), *only_b, *([rank + 1] if b_matrix else [])]
    result = transpose(result, sorted(range(len(order)), key=order.__getitem__))
    sizes = iter(result.aval.shape)
    return reshape(result, tuple(1 if i in ones else next(sizes) for i in range(rank + a_matrix + b_matrix)))


@operation("numpy.matmul", "a", "b")
def matmul(
    a: Any, b: Any, *, precision: Any = None, preferred_element_type: Any = None, out_sharding: Any = None
) -> Any:  # fmt: skip
    """The product of matrices for each place of the leading dimensions: `jax.numpy.matmul`."""
    return matrices_product(a, b, precision, preferred_element_type)


def _as_column(x: Any) -> Any:
    return reshape(x, (*x.aval.shape, 1))


def _as_row(x: Any) -> Any:
    shape = x.aval.shape
    return reshape(x, (*shape[:-1], 1, shape[-1]))


def _without(x: Any, axis: int) -> Any:
    shape = list(x.aval.shape)
    del shape[axis]
    return reshape(x, tuple(shape))


@operation("numpy.matvec", "x1", "x2")
def matvec(x1: Any, x2: Any, /) -> Any:
    """The product of matrices with vectors, for each place of the leading dimensions: `jax.numpy.matvec`."""
    return _without(matrices_product(x1, _as_column(x2), None, None), -1)


@operation("numpy.vecmat", "x1", "x2")
def vecmat(x1: Any, x2: Any, /) -> Any:
    """The product of vectors, conjugated, with matrices, for each leading place: `jax.numpy.vecmat`."""
    return _without(matrices_product(_as_row(conjugated(x1)), x2, None, None), -2)


@operation("numpy.vdot", "a", "b")
def vdot(a: Any, b: Any, *, precision: Any = None, preferred_element_type: Any = None) -> Any:
    """The product of all elements, those of the first conjugated, summed: `jax.numpy.vdot`."""
    return _dot(raveled(conjugated(a)), raveled(b), precision, preferred_element_type)


def vectors_dot(a: Any, b: Any, axis: int, precision: Any, preferred: Any) -> Any:
    """The product of vectors along an axis, those of the first conjugated; the other dimensions broadcast."""
    a, b = (moved(x, [axis_of(axis, len(x.aval.shape))], [len(x.aval.shape) - 1]) for x in (a, b))
    product = matrices_product(_as_row(conjugated(a)), _as_column(b), precision, preferred)
    return reshape(product, product.aval.shape[:-2])


@operation("numpy.vecdot", "x1", "x2")
def vecdot(x1: Any, x2: Any, /, *, axis: int = -1, precision: Any = None, preferred_element_type: Any = None) -> Any:
    """The product of vectors along an axis, those of the first conjugated, summed: `jax.numpy.vecdot`."""
    return vectors_dot(x1, x2, axis, precision, preferred_element_type)


@operation("numpy.inner", "a", "b")
def inner(a: Any, b: Any, *, precision: Any = None, preferred_element_type: Any = None) -> Any:
    """The product summed over the last dimensions of both: `jax.numpy.inner`."""
    n, m = len(a.aval.shape), len(b.aval.shape)
    if n and m:
        return _product(a, b, ((n - 1,), (m - 1,)), precision, preferred_element_type)
    if preferred_element_type is not None:
        a, b = to_dtype(canonical_dtype(preferred_element_type, "inner"), a, b)
    a, b = one_rank(*promoted(a, b))
    return (bitwise_and_p if a.aval.dtype == "bool" else mul_p).bind(a, b)


def tensors_dot(a: Any, b: Any, axes: Any, precision: Any, preferred: Any) -> Any:
    """The product summed over so many dimensions, the last ones and the first ones, or over these."""
    n, m = len(a.aval.shape), len(b.aval.shape)
    if not several(axes):
        count = int(axes)
        return _product(a, b, (range(n - count, n), range(count)), precision, preferred)
    first, second = (ints_of(x, "an axis") for x in axes)
    return _product(a, b, ([i % n for i in first], [j % m for j in second]), precision, preferred)


@operation("numpy.tensordot", "a", "b")
def tensordot(
    a: Any, b: Any, axes: Any = 2, *, precision: Any = None, preferred_element_type: Any = None,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """The product summed over so many dimensions, or over those that are named: `jax.numpy.tensordot`."""
    return tensors_dot(a, b, axes, precision, preferred_element_type)
