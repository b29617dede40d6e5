"""Rules of `jax.scipy.stats`: statistics of samples.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/scipy/stats/_core.py.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, Dim, ShapedArray
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_COMPLEX, to_inexact
from arraytyping.semantics.rules.errors import DimError, RuleError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.named import named
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.shapes.reductions import reduced_axes
from arraytyping.semantics.rules.static_arguments import as_flag, as_index, is_unknown
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import at_least, multiply_dims

__all__: list[str] = []

_std: Final = named("numpy.std")
_nanstd: Final = named("numpy.nanstd")
_true_divide: Final = named("numpy.true_divide")


@rule("scipy.stats.sem")
def sem(
    cx: Context, a: Any, axis: Any = 0, ddof: Any = 1, nan_policy: Any = "propagate", *, keepdims: Any = False
) -> ShapedArray:
    """`jax.scipy.stats.sem`: the standard error of the mean, the deviation by the root of the number of elements."""
    check_hashable("sem", axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    array = as_operand(cx, a, "sem")
    dtype = None if array.dtype is None else to_inexact(array.dtype)
    sample = ShapedArray(array.shape, dtype, array.weak_type and array.dtype != "bool")
    if is_unknown(nan_policy):
        return ShapedArray(None, None)
    if nan_policy not in ("propagate", "omit"):
        raise RuleError(f"sem: nan_policy is 'propagate' or 'omit', got {nan_policy!r}", ValueError)
    if nan_policy == "propagate":
        _check_one_axis(axis, array.ndim)
    deviation = (_std if nan_policy == "propagate" else _nanstd)(cx, sample, axis, ddof=ddof, keepdims=keepdims)
    result: ShapedArray = _true_divide(cx, deviation, ShapedArray((), dtype, False))
    return result


def _check_one_axis(axis: Any, rank: int | None) -> None:
    """Refuse what is no index into a shape.

    Raises:
        DimError: (TypeError) for what is no integer, (IndexError) for one that is no axis.
    """
    if axis is None or is_unknown(axis):
        return
    number = as_index("sem", "axis", axis)
    if number is not None and rank is not None and not -rank <= number < rank:
        raise DimError(f"sem: axis {number} of an array of {rank} dimensions", IndexError)


def _check_policy(operation: str, nan_policy: Any) -> None:
    """Refuse what JAX does not do with NaNs.

    Raises:
        RuleError: for all but `propagate`: (NotImplementedError) where SciPy has it, (ValueError) where it has not.
    """
    if is_unknown(nan_policy) or nan_policy == "propagate":
        return
    raise RuleError(
        f"{operation}: nan_policy is 'propagate', got {nan_policy!r}",
        NotImplementedError if nan_policy in ("omit", "raise") else ValueError,
    )


@rule("scipy.stats.rankdata")
def rankdata(
    cx: Context, a: Any, method: Any = "average", *, axis: Any = None, nan_policy: Any = "propagate"
) -> ShapedArray:
    """`jax.scipy.stats.rankdata`: the place of each element among all, or along an axis, as floats."""
    check_hashable("rankdata", method=method, axis=axis, nan_policy=nan_policy)
    array = as_operand(cx, a, "rankdata")
    _check_policy("rankdata", nan_policy)
    if not is_unknown(method) and method not in ("average", "min", "max", "dense", "ordinal"):
        raise RuleError(
            f"rankdata: the method is 'average', 'min', 'max', 'dense' or 'ordinal', got {method!r}", ValueError
        )
    dtype = cx.default("float")
    if is_unknown(axis):
        return ShapedArray(None, dtype, False)
    if axis is None:
        return ShapedArray((None if array.shape is None else multiply_dims(array.shape),), dtype, False)
    reduced_axes("rankdata", as_index("rankdata", "axis", axis), array.ndim)
    return ShapedArray(array.shape, dtype, False)


@rule("scipy.stats.mode")
def mode(cx: Context, a: Any, axis: Any = 0, nan_policy: Any = "propagate", keepdims: Any = False) -> Any:
    """`jax.scipy.stats.mode`: the most common elements, and how often each is there.

    Of no elements it is NaN, which is there 0.0 times, whatever the dtype.
    """
    check_hashable("mode", axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    array = as_operand(cx, a, "mode")
    _check_policy("mode", nan_policy)
    shape = (1,) if array.shape == () else array.shape
    if is_unknown(axis):
        return UNKNOWN
    number = None if axis is None else as_index("mode", "axis", axis)
    axes = reduced_axes("mode", number, None if shape is None else len(shape))
    count: Dim = None
    if shape is not None and (axis is None or number is not None):
        count = multiply_dims(shape) if number is None else shape[number]
    reduced = axes.reduce(shape, as_flag(keepdims)) if axis is None or number is not None else None
    weak = False if array.dtype in ANY_COMPLEX else None if array.dtype is None else array.weak_type
    if count == 0:
        nothing = ShapedArray(reduced, cx.default("float"), False)
        return nothing, nothing
    if not at_least(count, 1):
        return ShapedArray(reduced, None), ShapedArray(reduced, None)
    return ShapedArray(reduced, array.dtype, weak), ShapedArray(reduced, cx.default("int"), False)
