"""Attention by dot products, and the logarithms that are computed beside it.

Source: A. Vaswani et al., "Attention is all you need", https://arxiv.org/abs/1706.03762; J. Ainslie et al., "GQA",
https://arxiv.org/abs/2305.13245; https://docs.jax.dev/en/latest/_autosummary/jax.nn.dot_product_attention.html.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from arraytyping.nn.normalizing import logsumexp, softmax
from arraytyping.nn.operations import OPERATIONS, composed
from arraytyping.numpy import arange, astype, broadcast_to, einsum, expm1, reshape, transpose, where
from arraytyping.numpy.conversion import asarray
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.gradients import stop_gradient
from arraytyping.runtime.np_dtypes import limits_of, np_dtype
from arraytyping.runtime.transformations.custom_rules import custom_jvp
from arraytyping.scalars import KINDS
from arraytyping.semantics.rules import nn_attention as definitions

__all__ = ["dot_product_attention", "log1mexp", "logmeanexp"]


def _four(x: Any) -> Any:
    shape = x.aval.shape
    return x if len(shape) == 4 else reshape(x, (*(1,) * (4 - len(shape)), *shape))


def _grouped(x: Any, name: str, heads: int, groups: int) -> Any:
    """A bias or a mask by heads of the keys and groups of heads of the queries: (B, K, G, T, S)."""
    b, n, t, s = _four(x).aval.shape
    if n not in (1, heads * groups):
        raise AssertionError(f"dot_product_attention: {name} is for 1 or all {heads * groups} heads, got {n}")
    x = _four(x)
    return reshape(x, (b, 1, 1, t, s)) if n == 1 else reshape(x, (b, heads, groups, t, s))


def _allowed(t: int, s: int, is_causal: bool, window: Any, lengths: tuple[Any, Any]) -> list[Any]:
    """What takes part, besides the mask: conditions that broadcast to (B, K, G, T, S)."""
    found: list[Any] = []
    rows, columns = np.arange(t)[:, None], np.arange(s)[None, :]
    if is_causal:
        found.append(rows >= columns)
    if window is not None:
        left, right = (window, window) if isinstance(window, int) else window
        found.append((rows <= columns + left) & (rows >= columns - right))
    for length, size, place in zip(lengths, (t, s), (3, 4)):
        if length is not None:
            shape = [1] * 5
            shape[place] = size
            found.append(reshape(arange(size), shape) < reshape(length, (-1, 1, 1, 1, 1)))
    return found


@operation("nn.dot_product_attention", "query", "key", "value", "bias", "mask", "scale", "query_seq_lengths",
           "key_value_seq_lengths")  # fmt: skip
def dot_product_attention(
    query: Any, key: Any, value: Any, bias: Any = None, mask: Any = None, *, scale: Any = None,
    is_causal: bool = False, query_seq_lengths: Any = None, key_value_seq_lengths: Any = None,
    local_window_size: Any = None, implementation: str | None = None, return_residual: bool = False,
) -> Any:  # fmt: skip
    """`jax.nn.dot_product_attention`: the values, weighted by the softmax of the products of queries and keys.

    Shapes: (B, T, N, H) of queries, (B, S, K, H) of keys and values, or without B; the result is as the queries.

    Raises:
        NotImplementedError: with `implementation="cudnn"`.
    """
    if implementation == "cudnn":
        raise NotImplementedError("dot_product_attention: there is no implementation by cuDNN; leave it out")
    given = asarray(query).aval.shape
    query, key, value = (_four(asarray(x)) for x in (query, key, value))
    batch, t, heads, width = query.aval.shape
    s, kv_heads = key.aval.shape[1:3]
    groups = heads // kv_heads
    dtype = str(key.aval.dtype)
    wide = np_dtype("float32") if dtype in ("bool", "bfloat16", "float16") or KINDS[dtype] in "iu" else np_dtype(dtype)
    logits = einsum(
        "btkgh,bskh->bkgts", reshape(query, (batch, t, kv_heads, groups, width)), key, preferred_element_type=wide
    )
    logits = logits * astype(asarray(1 / math.sqrt(width) if scale is None else scale), logits.dtype)
    if bias is not None:
        logits = astype(logits + _grouped(asarray(bias), "bias", kv_heads, groups), logits.dtype)
    conditions = _allowed(t, s, is_causal, local_window_size, (query_seq_lengths, key_value_seq_lengths))
    if mask is not None:
        conditions.append(_grouped(asarray(mask), "mask", kv_heads, groups))
    for condition in conditions:
        least = -0.7 * float(limits_of(str(logits.aval.dtype)).max)
        logits = where(condition, logits, logits.dtype.type(least))
    logits = astype(logits, np_dtype("float32"))
    weights = astype(softmax(logits, axis=-1), key.dtype)
    result = reshape(einsum("bkgts,bskh->btkgh", weights, value), (batch, t, heads, width))
    if query_seq_lengths is not None:
        inside = reshape(arange(t), (1, t)) < reshape(query_seq_lengths, (-1, 1))
        result = result * astype(reshape(broadcast_to(inside, (batch, t)), (batch, t, 1, 1)), result.dtype)
    result = reshape(result, given)
    if not return_residual:
        return result
    sums = transpose(astype(logsumexp(logits, axis=-1), key.dtype), (0, 3, 1, 2))
    return result, stop_gradient(reshape(sums, given[:-1]))


@custom_jvp
def _log1mexp(x: Any) -> Any:
    return definitions.log1mexp(OPERATIONS, x)


_log1mexp.defjvps(lambda g, ans, x: g / expm1(x))

log1mexp: Final = composed("nn.log1mexp", "x", body=_log1mexp)
logmeanexp: Final = composed("nn.logmeanexp", "x", "where")
