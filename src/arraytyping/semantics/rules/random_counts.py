"""Rules of the family: samples that are counts, of `jax.random`.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/random/core.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.scalars import DTYPES
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_COMPLEX, ANY_INTEGER, to_inexact
from arraytyping.semantics.rules.errors import DtypeError, ShapeError
from arraytyping.semantics.rules.random_arguments import (
    asked_dtype,
    asked_shape,
    check_parameters,
    float_dtype,
    one_key,
    parameter,
)
from arraytyping.semantics.rules.random_functions import sample_shape
from arraytyping.semantics.rules.table import rule

__all__: list[str] = []


@rule("random.poisson")
def poisson(
    cx: Context, key: Any, lam: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None
) -> ShapedArray:
    """`jax.random.poisson`: integers, of keys of JAX's default implementation only."""
    one_key("poisson", key)
    chosen = asked_dtype(cx, "poisson", dtype, int, ANY_INTEGER, "an integer")
    rate = parameter(cx, "poisson", lam, "lam")
    target = rate.shape
    if shape is not None:
        target = asked_shape("poisson", shape)
        check_parameters("poisson", target, rate.shape)
    return ShapedArray(target, chosen, False)


@rule("random.geometric")
def geometric(
    cx: Context, key: Any, p: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None
) -> ShapedArray:
    """`jax.random.geometric`: integers."""
    one_key("geometric", key)
    chosen = asked_dtype(cx, "geometric", dtype, int, ANY_INTEGER, "an int")
    chance = parameter(cx, "geometric", p, "p")
    if chance.dtype in ANY_COMPLEX:
        raise DtypeError(
            f"geometric: the probability p must be real, got {chance.dtype}; take its real part", ValueError
        )
    target = None if shape is None else asked_shape("geometric", shape)
    return ShapedArray(sample_shape("geometric", shape, target, chance), chosen, False)


def _check_weak(cx: Context, operation: str, dtype: str | None, weak_type: bool | None) -> None:
    """Check that 1 - p has the dtype of p, which it has not where p is weak and of another than the default dtype.

    Raises:
        DtypeError: (TypeError) if it has not.
    """
    if weak_type and dtype is not None and dtype not in ANY_INTEGER and to_inexact(dtype) != cx.default("float"):
        raise DtypeError(
            f"{operation}: a weakly typed p of {dtype} is not taken; convert it first, with p.astype('{dtype}')"
        )


@rule("random.binomial")
def binomial(cx: Context, key: Any, n: Any, p: Any, shape: Any = None, dtype: Any = None) -> ShapedArray:
    """`jax.random.binomial`: whole numbers, as floats."""
    one_key("binomial", key)
    count, chance = (parameter(cx, "binomial", v, name) for name, v in (("n", n), ("p", p)))
    chosen = float_dtype(cx, "binomial", dtype)
    target = None if shape is None else asked_shape("binomial", shape)
    result = sample_shape("binomial", shape, target, count, chance)
    _check_weak(cx, "binomial", chance.dtype, chance.weak_type)
    return ShapedArray(result, chosen, False)


@rule("random.multinomial")
def multinomial(
    cx: Context, key: Any, n: Any, p: Any, *, shape: Any = None, dtype: Any = None, unroll: Any = 1
) -> ShapedArray:
    """`jax.random.multinomial`: how often each outcome came, as floats."""
    one_key("multinomial", key)
    count, chances = (parameter(cx, "multinomial", v, name) for name, v in (("n", n), ("p", p)))
    chosen = asked_dtype(cx, "multinomial", dtype, float, DTYPES, "a")
    target = chances.shape
    if shape is not None:
        target = asked_shape("multinomial", shape)
        check_parameters("multinomial", target, chances.shape)
    if target is None:
        return ShapedArray(None, chosen, False)
    if not target:
        raise ShapeError("multinomial: p must have at least 1 dimension, got a number; give a vector", ValueError)
    check_parameters("multinomial", target[:-1], count.shape)
    _check_weak(cx, "multinomial", *cx.join("multinomial", (count, chances)))
    return ShapedArray(target, chosen, False)
