"""Elements in order, and the indices that bring them into order.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; `jax/_src/numpy/sorting.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arraytyping.numpy.axes import axis_of, raveled
from arraytyping.numpy.joining import rows
from arraytyping.numpy.promoting import kind_of
from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.calling import answered, dtype_of, operation
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, neg_p, sub_p
from arraytyping.runtime.lax.creation import full_of, iota_of, zeros_of
from arraytyping.runtime.lax.gathering import GatherScatterMode
from arraytyping.runtime.lax.scattering import ScatterDimensionNumbers, scatter_p
from arraytyping.runtime.lax.slicing import concatenate_p, rev_p
from arraytyping.runtime.lax.sorting import sort_p, top_k_p
from arraytyping.runtime.lax.structure import moveaxis, reshape
from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import ShapedArray

__all__ = ["argpartition", "argsort", "lexsort", "partition", "sort", "sort_complex"]


def sorted_along(operands: Sequence[Any], axis: int, num_keys: int = 1, *, stable: bool = True) -> list[Any]:
    """The arrays in the order of the first ones along an axis; NaN comes last."""
    results: list[Any] = sort_p.bind(*operands, dimension=axis, is_stable=stable, num_keys=num_keys)
    return results


def _operand(a: Any, axis: int | None) -> tuple[Any, int]:
    return (raveled(a), 0) if axis is None else (a, axis_of(axis, len(a.aval.shape)))


@operation("numpy.sort", "a")
def sort(
    a: Any, axis: int | None = -1, *, kind: None = None, order: None = None, stable: bool = True,
    descending: bool = False,
) -> Any:  # fmt: skip
    """The elements in order along an axis, NaN last: `jax.numpy.sort`."""
    x, along = _operand(a, axis)
    (result,) = sorted_along([x], along, stable=bool(stable))
    return rev_p.bind(result, dimensions=(along,)) if descending else result


@answered("numpy.argsort", "a")
def argsort(
    answer: ShapedArray, a: Any, axis: int | None = -1, *, kind: None = None, order: None = None, stable: bool = True,
    descending: bool = False, dtype: Any = None,
) -> Any:  # fmt: skip
    """The indices that bring the elements into order along an axis: `jax.numpy.argsort`."""
    x, along = _operand(a, axis)
    places = iota_of(dtype_of(answer), x.aval.shape, along)
    if descending and stable:  # what is equal stays in its order although all is reversed at the end
        x, places = (rev_p.bind(v, dimensions=(along,)) for v in (x, places))
    _, result = sorted_along([x, places], along, stable=bool(stable))
    return rev_p.bind(result, dimensions=(along,)) if descending else result


@answered("numpy.lexsort", "keys")
def lexsort(answer: ShapedArray, keys: Any, axis: int = -1) -> Any:
    """The indices that sort by the last of several keys, what is equal there by the one before: `jax.numpy.lexsort`."""
    each = rows(keys)
    rank = len(each[0].aval.shape)
    if not rank:
        return zeros_of(answer)
    places = iota_of(dtype_of(answer), each[0].aval.shape, axis % rank)
    return sorted_along([*each[::-1], places], axis % rank, len(each))[-1]


@operation("numpy.sort_complex", "a")
def sort_complex(a: Any) -> Any:
    """The elements in order along the last axis, as complex numbers: `jax.numpy.sort_complex`."""
    (result,) = sorted_along([a], len(a.aval.shape) - 1)
    dtype = result.aval.dtype
    if KINDS[dtype] == "c":
        return result
    return convert_to(result, "complex128" if dtype in ("float64", "int64", "uint64") else "complex64")


def _least(x: Any, count: int) -> tuple[Any, Any]:
    """The least elements along the last axis and their indices; of unsigned integers by way of those less by 1."""
    along = len(x.aval.shape) - 1
    if kind_of(x) == "u":
        one = constant_like(x, 1)
        values, places = top_k_p.bind(neg_p.bind(add_p.bind(x, one)), k=count, axis=along)
        return sub_p.bind(neg_p.bind(values), one), places
    values, places = top_k_p.bind(neg_p.bind(x), k=count, axis=along)
    return neg_p.bind(values), places


@operation("numpy.partition", "a")
def partition(a: Any, kth: int, axis: int = -1) -> Any:
    """The elements with the kth in its place, lesser ones before, greater ones after: `jax.numpy.partition`."""
    along = axis % len(a.aval.shape)
    place = kth % a.aval.shape[along]
    x = moveaxis(a, along, -1)
    last = len(x.aval.shape) - 1
    low, _ = _least(x, place + 1)
    high, _ = top_k_p.bind(x, k=x.aval.shape[last] - place - 1, axis=last)
    return moveaxis(concatenate_p.bind(low, high, dimension=last), -1, along)


@operation("numpy.argpartition", "a")
def argpartition(a: Any, kth: int, axis: int = -1) -> Any:
    """The indices that bring the elements into the order of `partition`: `jax.numpy.argpartition`."""
    along = axis % len(a.aval.shape)
    place = kth % a.aval.shape[along]
    x = moveaxis(a, along, -1)
    shape = x.aval.shape
    last = len(shape) - 1
    _, low = _least(x, place + 1)
    # what is not among the least ones, in the order in which it stands
    marks = full_of(1.0, ShapedArray(shape, "float32", True))  # weak, as JAX's, so that its indices are, too
    lead = tuple(range(last))
    marks = scatter_p.bind(
        marks, reshape(low, (*low.aval.shape, 1)), zeros_of(ShapedArray(low.aval.shape, "float32", True)),
        dimension_numbers=ScatterDimensionNumbers((), (last,), (last,), lead, lead), indices_are_sorted=False,
        unique_indices=True, mode=GatherScatterMode.FILL_OR_DROP,
    )  # fmt: skip
    _, high = top_k_p.bind(marks, k=shape[last] - place - 1, axis=last)
    return moveaxis(concatenate_p.bind(low, high, dimension=last), -1, along)
