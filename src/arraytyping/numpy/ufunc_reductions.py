"""What `ufunc.reduce` computes at once, for the functions that have such a reduction.

All take the array, `axis`, `dtype`, `keepdims`, `initial` and `where`.

Source: the reductions with which https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/ufuncs.py makes its ufuncs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from arraytyping.numpy import arithmetic, cumulative, reductions, special
from arraytyping.numpy.parts import real_part
from arraytyping.numpy.promoting import chosen, kind_of, promoted_inexact
from arraytyping.numpy.reducing import ALL, ANY, MAX, SUM, XOR, Axes, Reduction, axes_of, reduced, total
from arraytyping.numpy.ufuncs import ACCUMULATIONS, REDUCTIONS
from arraytyping.runtime.array_likes import array_from, convert_to, materialized
from arraytyping.runtime.core import raised
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, sub_p
from arraytyping.runtime.lax.comparisons import is_finite_p
from arraytyping.runtime.lax.dtype_arguments import canonical_dtype
from arraytyping.runtime.lax.elementary import exp_p, log_p
from arraytyping.semantics.rules.errors import RuleError
from arraytyping.semantics.rules.shapes.reductions import reduced_axes

__all__: list[str] = []


def _axes(name: str, axis: Any, rank: int) -> Axes:
    """The axes.

    Raises:
        ValueError: if an array of this rank lacks one, or one is given twice.
    """
    try:
        reduced_axes(name, axis, rank)
    except RuleError as error:
        raise raised(error) from None
    return axes_of(axis, rank)


def _plain(function: Callable[..., Any], takes_dtype: bool) -> Callable[..., Any]:
    def reduction(a: Any, axis: Any, dtype: Any, keepdims: bool, initial: Any, where: Any) -> Any:
        if takes_dtype:
            return function(a, axis, dtype, keepdims=keepdims, initial=initial, where=where)
        if dtype is not None:
            a = convert_to(array_from(a), canonical_dtype(dtype, function.__name__))
        return function(a, axis, keepdims=keepdims, initial=initial, where=where)

    return reduction


def _of_bits(name: str, kind: Reduction, of_truth: bool) -> Callable[..., Any]:
    def reduction(a: Any, axis: Any, dtype: Any, keepdims: bool, initial: Any, where: Any) -> Any:
        x = materialized(array_from(a))
        if of_truth:
            x = convert_to(real_part(x), "bool")
        elif kind_of(x) not in "bui":
            raise ValueError(f"{name}.reduce takes bool and integers, got {x.aval.dtype}; convert it first")
        if dtype is not None:
            x = convert_to(x, canonical_dtype(dtype, name))
        mask, first = (None if v is None else array_from(v) for v in (where, initial))
        return materialized(reduced(kind, x, _axes(name, axis, len(x.aval.shape)), keepdims, first, mask))

    return reduction


def _logsumexp(a: Any, axis: Any, dtype: Any, keepdims: bool, initial: Any, where: Any) -> Any:
    (x,) = promoted_inexact(materialized(array_from(a)))
    axes = _axes("logaddexp", axis, len(x.aval.shape))
    mask = None if where is None else array_from(where)
    greatest = reduced(MAX, real_part(x), axes, True, constant_like(real_part(x), -math.inf), mask)
    greatest = chosen(is_finite_p.bind(greatest), greatest, constant_like(greatest, 0))
    powers = exp_p.bind(sub_p.bind(x, convert_to(greatest, x.aval.dtype)))
    summed = total(SUM, powers, axis, None, True, None, mask)
    result = add_p.bind(log_p.bind(summed), convert_to(greatest, summed.aval.dtype))
    if not keepdims:
        result = reductions.sum(result, axes.positions)  # of one element each
    return result if initial is None else special.logaddexp(initial, result)


def _log2sumexp2(a: Any, axis: Any, dtype: Any, keepdims: bool, initial: Any, where: Any) -> Any:
    ln2 = math.log(2)
    first = None if initial is None else arithmetic.multiply(initial, ln2)
    return arithmetic.true_divide(_logsumexp(arithmetic.multiply(a, ln2), axis, dtype, keepdims, first, where), ln2)


REDUCTIONS.update(
    {
        "sum": _plain(reductions.sum, takes_dtype=True),
        "prod": _plain(reductions.prod, takes_dtype=True),
        "max": _plain(reductions.max, takes_dtype=False),
        "min": _plain(reductions.min, takes_dtype=False),
        "bitwise_and": _of_bits("bitwise_and", ALL, of_truth=False),
        "bitwise_or": _of_bits("bitwise_or", ANY, of_truth=False),
        "bitwise_xor": _of_bits("bitwise_xor", XOR, of_truth=False),
        "logical_and": _of_bits("logical_and", ALL, of_truth=True),
        "logical_or": _of_bits("logical_or", ANY, of_truth=True),
        "logical_xor": _of_bits("logical_xor", XOR, of_truth=True),
        "logaddexp": _logsumexp,
        "logaddexp2": _log2sumexp2,
    }
)
ACCUMULATIONS.update(cumsum=cumulative.cumsum, cumprod=cumulative.cumprod)
