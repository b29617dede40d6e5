"""What reductions share: the axes, the operation with its identity, a mask, an initial value.

Source: `_reduction` of https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/reductions.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from arraytyping import config
from arraytyping.numpy.promoting import chosen, kind_of, numeric_dtype, promoted_numeric
from arraytyping.runtime.array_likes import concrete_int, convert_to
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax import aggregates, extremes
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, mul_p
from arraytyping.runtime.lax.collectives import pmax, pmin, psum
from arraytyping.runtime.lax.comparisons import max_p, min_p
from arraytyping.runtime.lax.integers import bitwise_and_p, bitwise_or_p, bitwise_xor_p
from arraytyping.runtime.lax.limits import extreme
from arraytyping.runtime.lax.reductions import reduce_sum_p
from arraytyping.runtime.lax.structure import reshape
from arraytyping.scalars import KINDS
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.reduction_arguments import summed

__all__ = [
    "ALL", "ANY", "MAX", "MIN", "PROD", "SUM", "XOR", "Axes", "Reduction", "axes_of", "kept_shape",
    "reduced", "total", "total_in", "wide_dtype",
]  # fmt: skip


@dataclass(frozen=True)
class Reduction:
    """An operation that puts elements together: of two, of all along dimensions, of all examples of a mapped axis.

    `identity` gives for a dtype the element that changes none.
    """

    combine: Primitive
    along: Primitive
    identity: Callable[[str], Any]
    mapped: Callable[..., Any] | None = None


SUM: Final = Reduction(add_p, reduce_sum_p, lambda dtype: 0, psum)
PROD: Final = Reduction(mul_p, aggregates.reduce_prod_p, lambda dtype: 1)
MAX: Final = Reduction(max_p, extremes.reduce_max_p, lambda dtype: extreme(dtype, lowest=True), pmax)
MIN: Final = Reduction(min_p, extremes.reduce_min_p, lambda dtype: extreme(dtype, lowest=False), pmin)
ANY: Final = Reduction(bitwise_or_p, aggregates.reduce_or_p, lambda dtype: 0)
ALL: Final = Reduction(bitwise_and_p, aggregates.reduce_and_p, lambda dtype: _all_ones(dtype))
XOR: Final = Reduction(bitwise_xor_p, aggregates.reduce_xor_p, lambda dtype: 0)


def _all_ones(dtype: str) -> Any:
    return -1 if KINDS[dtype] == "i" else extreme(dtype, lowest=False)


@dataclass(frozen=True)
class Axes:
    """The dimensions that are reduced, and the names of mapped axes."""

    positions: tuple[int, ...]
    names: tuple[Any, ...] = ()


def axes_of(axis: Any, rank: int) -> Axes:
    """The axes of an `axis` argument: None for all, one, or several; a string names a mapped one."""
    if axis is None:
        return Axes(tuple(range(rank)))
    given = axis if isinstance(axis, tuple | list) else (axis,)
    names = tuple(a for a in given if isinstance(a, str))
    return Axes(tuple(concrete_int(a, "an axis") % rank for a in given if not isinstance(a, str)), names)


def kept_shape(shape: tuple[int, ...], positions: tuple[int, ...]) -> tuple[int, ...]:
    """The shape with reduced dimensions of size 1."""
    return tuple(1 if i in positions else d for i, d in enumerate(shape))


def reduced(kind: Reduction, x: Any, axes: Axes, keepdims: bool, initial: Any = None, where: Any = None) -> Any:
    """The elements along axes put together, those that a mask hides left out, with an initial one.

    Raises:
        NotImplementedError: for a mapped axis, where JAX does not implement it.
    """
    if where is not None:
        x = chosen(where, x, constant_like(x, kind.identity(x.aval.dtype)))
    positions = axes.positions
    result = kind.along.bind(x, axes=positions) if positions else x
    if axes.names:
        if kind.mapped is None:
            raise NotImplementedError(
                f"{kind.along} over the mapped axes {axes.names} is not implemented; use lax.psum"
            )
        result = kind.mapped(result, axes.names)
    if initial is not None:
        result = kind.combine.bind(convert_to(initial, x.aval.dtype), result)
    return reshape(result, kept_shape(x.aval.shape, positions)) if keepdims else result


def wide_dtype(dtype: str) -> str:
    """The dtype in which sums are computed: float32 for floats of 16 bits."""
    return "float32" if dtype in ("float16", "bfloat16") else dtype


def total_in(
    kind: Reduction, result: str, x: Any, axis: Any, dtype: Any, keepdims: bool = False, initial: Any = None,
    where: Any = None,
) -> Any:  # fmt: skip
    """A sum or a product in the dtype `result`, computed in a wide one unless `dtype` asks for it."""
    (x,) = promoted_numeric(x)
    computed = wide_dtype(result) if dtype is None else result
    axes = axes_of(axis, len(x.aval.shape))
    x = convert_to(x, computed)
    if kind_of(x) == "b":
        kind = ANY if kind is SUM else ALL
    return convert_to(reduced(kind, x, axes, bool(keepdims), initial, where), result)


def total(
    kind: Reduction, x: Any, axis: Any = None, dtype: str | None = None, keepdims: bool = False, initial: Any = None,
    where: Any = None,
) -> Any:  # fmt: skip
    """A sum or a product on the way to a result, in this dtype, else in one to which integers widen."""
    result = summed(Context(config.promotion()), "sum", numeric_dtype(x.aval.dtype)) if dtype is None else dtype
    assert result is not None
    return total_in(kind, result, x, axis, dtype, keepdims, initial, where)
