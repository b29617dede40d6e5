"""The attention of `jax.nn`, and the logarithms that are computed beside it.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/nn/functions.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import UNKNOWN, Alternatives, ShapedArray
from arraytyping.semantics.rules.compositions import Operations, composition
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.named import named
from arraytyping.semantics.rules.static_arguments import as_flag
from arraytyping.semantics.rules.table import rule

__all__: list[str] = []

_asarray = named("numpy.asarray")


@rule("nn.dot_product_attention")
def dot_product_attention(
    cx: Context, query: Any, key: Any, value: Any, bias: Any = None, mask: Any = None, *, scale: Any = None,
    is_causal: Any = False, query_seq_lengths: Any = None, key_value_seq_lengths: Any = None,
    local_window_size: Any = None, implementation: Any = None, return_residual: Any = False,
) -> Any:  # fmt: skip
    """`jax.nn.dot_product_attention`: of the shape of the queries, and of their dtype.

    Shapes: (B, T, N, H) of queries, (B, S, K, H) of keys and values, or without B; N is a multiple of K.
    """
    if implementation == "cudnn" or not (implementation is None or isinstance(implementation, str)):
        return UNKNOWN
    if implementation not in (None, "xla"):
        raise RuleError(
            f"dot_product_attention: implementation is 'xla' or 'cudnn', got {implementation!r}; leave it out",
            ValueError,
        )
    arrays = [_asarray(cx, x) for x in (query, key, value)]
    for name, x in zip(("query", "key", "value"), arrays):
        if x.shape is not None and len(x.shape) > 4:
            raise DimError(f"dot_product_attention: {name} has 3 or 4 dimensions, got {len(x.shape)}", ValueError)
    queries, keys, values = arrays
    _check_sizes(queries, keys, values)
    _check_dtypes(queries, keys, values)
    if mask is not None and mask is not UNKNOWN:
        found = _asarray(cx, mask).dtype
        if found not in (None, "bool"):
            raise DtypeError(
                f"dot_product_attention: mask is of bools, got {found}; what is added to the logits is bias", ValueError
            )
    for name, lengths in (("query_seq_lengths", query_seq_lengths), ("key_value_seq_lengths", key_value_seq_lengths)):
        if lengths is not None and lengths is not UNKNOWN:
            _check_lengths(name, _asarray(cx, lengths))
    dtype = keys.dtype or queries.dtype or values.dtype
    result = ShapedArray(queries.shape, dtype, False)
    residual = ShapedArray(None if queries.shape is None else queries.shape[:-1], dtype, False)
    wanted = as_flag(return_residual)
    if wanted is None:
        return Alternatives.of((result, (result, residual)))
    return (result, residual) if wanted else result


def _four(x: ShapedArray) -> tuple[Any, ...] | None:
    """The sizes of four dimensions, of which the first ones may be missing."""
    return None if x.shape is None else (*(1,) * (4 - len(x.shape)), *x.shape)


def _check_sizes(queries: ShapedArray, keys: ShapedArray, values: ShapedArray) -> None:
    q, k, v = map(_four, (queries, keys, values))
    if k is not None and v is not None and _differ(k, v):
        raise ShapeError(
            f"dot_product_attention: keys and values have one shape, got {keys.shape} and {values.shape}", ValueError
        )
    for other in (k, v):
        if q is None or other is None:
            continue
        if _differ((q[0], q[3]), (other[0], other[3])):
            raise ShapeError(
                "dot_product_attention: queries and keys have the same first and last size, got "
                f"{queries.shape} and {keys.shape}", ValueError,
            )  # fmt: skip
        if isinstance(q[2], int) and isinstance(other[2], int) and (other[2] == 0 or q[2] % other[2]):
            raise ShapeError(
                "dot_product_attention: the number of heads of the queries is a multiple of that of the keys, got "
                f"{q[2]} and {other[2]}", ZeroDivisionError if other[2] == 0 else ValueError,
            )  # fmt: skip


def _differ(a: tuple[Any, ...], b: tuple[Any, ...]) -> bool:
    return any(isinstance(m, int) and isinstance(n, int) and m != n for m, n in zip(a, b))


def _check_dtypes(*arrays: ShapedArray) -> None:
    known = {x.dtype for x in arrays if x.dtype is not None}
    if len(known) > 1:
        raise DtypeError(
            f"dot_product_attention: queries, keys and values have one dtype, got {', '.join(sorted(known))}; "
            "convert them",
            ValueError,
        )


def _check_lengths(name: str, lengths: ShapedArray) -> None:
    if lengths.shape is not None and len(lengths.shape) != 1:
        raise DimError(f"dot_product_attention: {name} has one dimension, got {len(lengths.shape)}", ValueError)
    if lengths.dtype not in (None, "int32"):
        raise DtypeError(f"dot_product_attention: {name} are of int32, got {lengths.dtype}; convert them", ValueError)


@composition("nn.log1mexp")
def log1mexp(ops: Operations, x: Any) -> Any:
    """`jax.nn.log1mexp`: log(1 - exp(-x)), which keeps its digits for small x and for great ones."""
    x = ops.array(x, "log1mexp")
    below = ops("numpy.less", x, ops("numpy.log", 2.0))
    negative = ops("numpy.negative", x)
    small = ops("numpy.log", ops("numpy.negative", ops("numpy.expm1", negative)))
    great = ops("numpy.log1p", ops("numpy.negative", ops("numpy.exp", negative)))
    return ops("numpy.where", below, small, great)


@composition("nn.logmeanexp")
def logmeanexp(ops: Operations, x: Any, axis: Any = None, where: Any = None, keepdims: Any = False) -> Any:
    """`jax.nn.logmeanexp`: the logarithm of the mean of exp(x)."""
    if ops.is_unknown(where):
        return UNKNOWN

    def mean(keeps: bool) -> Any:
        total = ops("nn.logsumexp", x, axis, where=where, keepdims=keeps)
        ones = ops("numpy.astype", ops("numpy.ones_like", x), ops.dtype(total))
        return ops("numpy.subtract", total, ops("numpy.log", ops("numpy.sum", ones, axis, keepdims=keeps, where=where)))

    return ops.choose(keepdims, lambda: mean(True), lambda: mean(False))
