"""Functions of `jax.nn` along an axis: softmax and its kin, standardization; and the encoding of classes.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/nn/functions.py and
https://github.com/jax-ml/jax/blob/main/jax/_src/ops/special.py.
"""

from __future__ import annotations

import math
from typing import Any

from arraytyping.semantics.avals import UNKNOWN, ShapedArray
from arraytyping.semantics.rules.compositions import Operations, composition
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, DtypeError, RuleError
from arraytyping.semantics.rules.operands import requested_dtype
from arraytyping.semantics.rules.static_arguments import as_size
from arraytyping.semantics.rules.table import RULES, rule

__all__: list[str] = []


def greatest(ops: Operations, x: Any, axis: Any, where: Any) -> Any:
    """The greatest elements along an axis, which stays."""
    return ops("numpy.max", x, axis, keepdims=True, initial=-math.inf, where=where)


@composition("nn.softmax")
def softmax(ops: Operations, x: Any, axis: Any = -1, where: Any = None) -> Any:
    """`jax.nn.softmax`: exp(x) divided by its sum along an axis, where a condition holds; 0 elsewhere."""
    if ops.is_unknown(where):
        return UNKNOWN
    safe = x if where is None else ops("numpy.where", where, x, -math.inf)
    powers = ops("numpy.exp", ops("numpy.subtract", safe, greatest(ops, x, axis, where)))
    result = ops("numpy.true_divide", powers, ops("numpy.sum", powers, axis, keepdims=True, where=where))
    return result if where is None else ops("numpy.where", where, result, 0)


@composition("nn.log_softmax")
def log_softmax(ops: Operations, x: Any, axis: Any = -1, where: Any = None) -> Any:
    """`jax.nn.log_softmax`: the logarithm of the softmax."""
    if ops.is_unknown(where):
        return UNKNOWN
    x = ops.array(x, "log_softmax")
    safe = x if where is None else ops("numpy.where", where, x, -math.inf)
    shifted = ops("numpy.subtract", safe, ops("lax.stop_gradient", greatest(ops, x, axis, where)))
    total = ops("numpy.sum", ops("numpy.exp", shifted), axis, keepdims=True, where=where)
    result = ops("numpy.subtract", shifted, ops("numpy.log", total))
    return result if where is None else ops("numpy.where", where, result, -math.inf)


@composition("nn.logsumexp", "scipy.special.logsumexp")
def logsumexp(
    ops: Operations, a: Any, axis: Any = None, b: Any = None, keepdims: Any = False, return_sign: Any = False,
    where: Any = None,
) -> Any:  # fmt: skip
    """`jax.nn.logsumexp`: the logarithm of the sum of exp(a), times b if given; with its sign if asked for."""
    if ops.is_unknown(b, where):
        return UNKNOWN
    if where is not None:
        a = ops("numpy.where", where, a, 0)
    if type(b) is int and 2**31 <= abs(b) < 2**1000:
        b = ops.constant_like(ops.inexact("logsumexp", a)[0], float(b))  # JAX makes no integer of it
    if b is None:
        (x,) = ops.inexact("logsumexp", a)
        weights = None
    else:
        x, weights = ops.inexact("logsumexp", a, b)
        x = ops("numpy.where", ops("numpy.not_equal", weights, 0), x, -math.inf)
    most = greatest(ops, ops("numpy.real", x), axis, where)
    most = ops("numpy.where", ops("numpy.isfinite", most), most, ops("numpy.zeros_like", most))
    most = ops("lax.stop_gradient", most)
    powers = ops("numpy.exp", ops("numpy.subtract", x, ops("numpy.astype", most, ops.dtype(x))))
    if weights is not None:
        powers = ops("numpy.multiply", powers, weights)
    total = ops("numpy.sum", powers, axis, keepdims=True, where=where)
    sign = ops("numpy.sign", total)

    def squeezed(value: Any) -> Any:
        return ops.choose(keepdims, lambda: value, lambda: ops("numpy.squeeze", value, axis))

    def logarithm(size: Any) -> Any:
        return ops("numpy.add", ops("numpy.log", size), ops("numpy.astype", most, ops.dtype(size)))

    def alone() -> Any:
        is_complex = ops.is_complex(x)
        if is_complex is None:
            return ShapedArray(None, None)
        result = logarithm(total if is_complex else ops("numpy.abs", total))
        if weights is not None and not is_complex:
            result = ops("numpy.where", ops("numpy.less", sign, 0), ops.constant_like(result, math.nan), result)
        return squeezed(result)

    return ops.choose(return_sign, lambda: (squeezed(logarithm(ops("numpy.abs", total))), squeezed(sign)), alone)


@composition("nn.standardize")
def standardize(
    ops: Operations, x: Any, axis: Any = -1, mean: Any = None, variance: Any = None, epsilon: Any = 1e-5,
    where: Any = None, *, algorithm: Any = "fast",
) -> Any:  # fmt: skip
    """`jax.nn.standardize`: x brought to the mean 0 and the variance 1 along an axis."""
    if ops.is_unknown(mean, variance, where, algorithm):
        return UNKNOWN
    x = ops.array(x, "standardize")
    if mean is None:
        mean = ops("numpy.mean", x, axis, keepdims=True, where=where)
    if variance is None:
        if algorithm not in ("stable", "fast"):
            raise RuleError(f"standardize: algorithm is 'fast' or 'stable', got {algorithm!r}", ValueError)
        if algorithm == "stable":
            square = ops("numpy.square", ops("numpy.subtract", x, mean))
            variance = ops("numpy.mean", square, axis, keepdims=True, where=where)
        else:  # less accurate, and faster; it may come out negative
            square = ops("numpy.mean", ops("numpy.square", x), axis, keepdims=True, where=where)
            variance = ops("numpy.clip", ops("numpy.subtract", square, ops("numpy.square", mean)), 0)
    return ops("numpy.multiply", ops("numpy.subtract", x, mean), ops("lax.rsqrt", ops("numpy.add", variance, epsilon)))


@rule("nn.one_hot")
def one_hot(cx: Context, x: Any, num_classes: Any, *, dtype: Any = None, axis: Any = -1) -> ShapedArray:
    """`jax.nn.one_hot`: a new axis, along which 1 stands at the class."""
    classes = as_size("one_hot", "num_classes", num_classes)
    given = RULES["numpy.asarray"].function(cx, x)
    chosen = cx.default("float") if dtype is None else requested_dtype(cx, dtype, "one_hot")
    shape = given.shape if isinstance(given, ShapedArray) else None
    if shape is None or axis is UNKNOWN:
        return ShapedArray(None, chosen, False)
    if isinstance(axis, str | tuple):  # a mapped axis has the classes
        return ShapedArray(shape, chosen, False)
    place = as_size("one_hot", "axis", axis)
    rank = len(shape) + 1
    if not isinstance(place, int):
        return ShapedArray((None,) * rank, chosen, False)
    if not -rank <= place < rank:
        raise DimError(f"one_hot: axis {place} is out of bounds for a result of {rank} dimensions")
    if given.dtype == "bool":
        raise DtypeError("one_hot: the classes are numbers, got bool; convert them to integers first")
    place %= rank
    return ShapedArray((*shape[:place], classes, *shape[place:]), chosen, False)
