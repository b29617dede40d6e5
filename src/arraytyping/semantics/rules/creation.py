"""Rules of the family: creation of arrays full of one value, and of identity and triangular matrices.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/array_creation.py.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from arraytyping.semantics.avals import UNKNOWN, NumPyArray, Scalar, Shape, ShapedArray
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_INTEGER
from arraytyping.semantics.rules.errors import DtypeError
from arraytyping.semantics.rules.operands import as_array, as_operand, requested_dtype
from arraytyping.semantics.rules.scalar_conversion import check_filled
from arraytyping.semantics.rules.shapes.broadcasting import stretched
from arraytyping.semantics.rules.shapes.creation import matrix, sizes_of
from arraytyping.semantics.rules.static_arguments import as_index, as_shape, non_negative
from arraytyping.semantics.rules.table import rule

__all__: list[str] = []


def _dtype_or(cx: Context, dtype: Any, default: str, operation: str) -> str | None:
    """The dtype asked for, by default the given one; None if unknown."""
    return cx.promotion.canonicalize(default) if dtype is None else requested_dtype(cx, dtype, operation)


def _filled(cx: Context, operation: str, shape: Any, dtype: Any) -> ShapedArray:
    chosen = _dtype_or(cx, dtype, "float64", operation)
    return ShapedArray(sizes_of(operation, shape), chosen, False)


@rule("numpy.zeros")
def zeros(cx: Context, shape: Any, dtype: Any = None, *, device: Any = None, out_sharding: Any = None) -> ShapedArray:
    """`jax.numpy.zeros`."""
    return _filled(cx, "zeros", shape, dtype)


@rule("numpy.ones")
def ones(cx: Context, shape: Any, dtype: Any = None, *, device: Any = None, out_sharding: Any = None) -> ShapedArray:
    """`jax.numpy.ones`."""
    return _filled(cx, "ones", shape, dtype)


@rule("numpy.empty")
def empty(cx: Context, shape: Any, dtype: Any = None, *, device: Any = None, out_sharding: Any = None) -> ShapedArray:
    """`jax.numpy.empty`."""
    return _filled(cx, "empty", shape, dtype)


def _stretched(operation: str, shape: Shape | None, target: Shape | None) -> Shape | None:
    return target if shape is None or target is None else stretched(operation, shape, target)


@rule("numpy.full")
def full(
    cx: Context, shape: Any, fill_value: Any, dtype: Any = None, *, device: Any = None, out_sharding: Any = None
) -> ShapedArray:
    """`jax.numpy.full`."""
    chosen = None if dtype is None else requested_dtype(cx, dtype, "full")
    fill = as_array(cx, fill_value, "full", 1)
    if dtype is None:
        chosen, weak = fill.dtype, fill.weak_type
    else:
        weak = False
    target = as_shape("full", shape)
    if fill.ndim == 0:
        _check_fill("full", fill_value, chosen, weak)
        non_negative("full", target)
    elif fill.ndim is not None:
        target = _stretched("full", fill.shape, target)
        non_negative("full", target)
    return ShapedArray(target, chosen, weak)


def _check_fill(operation: str, fill_value: Any, dtype: str | None, weak: bool | None) -> None:
    if dtype is not None:
        check_filled(operation, fill_value, dtype, weak)


def _like(cx: Context, operation: str, a: Any, dtype: Any, shape: Any) -> ShapedArray:
    """The array of this one's shape, dtype and weak type, of which the arguments may override two."""
    like = as_array(cx, a, operation)
    if dtype is not None:
        like = replace(like, dtype=requested_dtype(cx, dtype, operation), weak_type=False)
    if shape is not None:
        like = replace(like, shape=as_shape(operation, shape))
    return replace(like, value=None)


def _of_one_value(cx: Context, operation: str, a: Any, dtype: Any, shape: Any) -> ShapedArray:
    like = _like(cx, operation, a, dtype, shape)
    non_negative(operation, like.shape)
    return like


@rule("numpy.zeros_like")
def zeros_like(
    cx: Context, a: Any, dtype: Any = None, shape: Any = None, *, device: Any = None, out_sharding: Any = None
) -> ShapedArray:
    """`jax.numpy.zeros_like`."""
    return _of_one_value(cx, "zeros_like", a, dtype, shape)


@rule("numpy.ones_like")
def ones_like(
    cx: Context, a: Any, dtype: Any = None, shape: Any = None, *, device: Any = None, out_sharding: Any = None
) -> ShapedArray:
    """`jax.numpy.ones_like`."""
    return _of_one_value(cx, "ones_like", a, dtype, shape)


@rule("numpy.empty_like")
def empty_like(cx: Context, prototype: Any, dtype: Any = None, shape: Any = None, *, device: Any = None) -> ShapedArray:
    """`jax.numpy.empty_like`."""
    return _of_one_value(cx, "empty_like", prototype, dtype, shape)


@rule("numpy.full_like")
def full_like(
    cx: Context,
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    shape: Any = None,
    *,
    device: Any = None,
    out_sharding: Any = None,
) -> ShapedArray:
    """`jax.numpy.full_like`: an array as fill value makes the result strong."""
    fill = as_array(cx, fill_value, "full_like", 1)
    like = _like(cx, "full_like", a, dtype, shape)
    if fill.ndim == 0:
        _check_fill("full_like", fill_value, like.dtype, like.weak_type)
        non_negative("full_like", like.shape)
        return like
    if fill.ndim is None:
        non_negative("full_like", like.shape)
        return replace(like, weak_type=False if like.weak_type is False else None)
    chosen = like.dtype
    if like.weak_type and chosen is not None:
        chosen = cx.join("full_like", (like,))[0]
    target = _stretched("full_like", fill.shape, like.shape)
    return ShapedArray(non_negative("full_like", target), chosen, False)


@rule("numpy.eye")
def eye(cx: Context, N: Any, M: Any = None, k: Any = 0, dtype: Any = None, *, device: Any = None) -> ShapedArray:
    """`jax.numpy.eye`."""
    chosen = _dtype_or(cx, dtype, "float64", "eye")
    if not (isinstance(k, int) or (isinstance(k, Scalar) and k.kind == "bool")):  # a Python bool is an int here
        offset = as_array(cx, k, "eye", "k")
        if offset.ndim or offset.dtype not in (None, *ANY_INTEGER):
            raise DtypeError(f"eye: k must be a scalar integer, got {_shown(k)}; give an int", ValueError)
    return ShapedArray(matrix("eye", N, M, ValueError), chosen, False)


@rule("numpy.identity")
def identity(cx: Context, n: Any, dtype: Any = None) -> ShapedArray:
    """`jax.numpy.identity`."""
    chosen = _dtype_or(cx, dtype, "float64", "identity")
    return ShapedArray(matrix("identity", n, None, ValueError), chosen, False)


@rule("numpy.tri")
def tri(cx: Context, N: Any, M: Any = None, k: Any = 0, dtype: Any = None) -> ShapedArray:
    """`jax.numpy.tri`: float32 by default, also where x64 is on."""
    chosen = _dtype_or(cx, dtype, "float32", "tri")
    shape = matrix("tri", N, M, TypeError)
    if type(k) is bool or (isinstance(k, Scalar) and k.kind == "bool"):
        raise DtypeError(f"tri: k must be an integer, got {_shown(k)}; give an int")
    as_index("tri", "k", k)
    as_operand(cx, k, "tri", "k")
    return ShapedArray(shape, chosen, False)


def _shown(value: Any) -> str:
    return str(value) if isinstance(value, ShapedArray | NumPyArray | Scalar) or value is UNKNOWN else repr(value)
