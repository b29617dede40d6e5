"""Rules of the family: keys, random bits, and samples of distributions on real numbers, of `jax.random`.

Functions that make a key of a seed have no rule: which keys they make depends on the configuration.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/random/core.py.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from arraytyping.scalars import DTYPES, UNSIGNED, bits
from arraytyping.semantics.avals import UNKNOWN, Dim, NumPyArray, Shape, ShapedArray
from arraytyping.semantics.key_implementations import KEY_SIZES
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_FLOAT, ANY_INEXACT, ANY_INTEGER, to_real
from arraytyping.semantics.rules.errors import DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.random_arguments import (
    asked_dtype,
    asked_shape,
    check_parameters,
    float_dtype,
    is_typed_key,
    key_shape,
    one_key,
    parameter,
    whole_bytes,
)
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes
from arraytyping.semantics.rules.static_arguments import as_size
from arraytyping.semantics.rules.table import register, rule

__all__ = ["check_mode", "sample_shape"]


def _like(key: Any, shape: Shape | None) -> ShapedArray:
    """Keys of the kind of this one: typed ones, or the bits of keys."""
    if is_typed_key(key):
        return ShapedArray(shape, key.dtype, False)
    if not isinstance(key, ShapedArray | NumPyArray) or key.dtype is None:
        return ShapedArray(None, None)  # one dimension more if it is bits
    words: Dim = key.shape[-1] if key.shape else None
    return ShapedArray(None if shape is None else (*shape, words), "uint32", False)


@rule("random.split")
def split(cx: Context, key: Any, num: Any = 2) -> ShapedArray:
    """`jax.random.split`."""
    one_key("split", key)
    shape: Shape | None
    if isinstance(num, tuple | list):
        shape = tuple(as_size("split", "num", n) for n in num)
    elif num is UNKNOWN or isinstance(num, ShapedArray | NumPyArray):
        shape = None
    else:
        shape = (as_size("split", "num", num),)
    for size in shape or ():
        if isinstance(size, int) and size < 0:
            raise ShapeError(f"split: num must not be negative, got {size}", ValueError)
    return _like(key, shape)


@rule("random.fold_in")
def fold_in(cx: Context, key: Any, data: Any) -> ShapedArray:
    """`jax.random.fold_in`."""
    one_key("fold_in", key)
    if isinstance(data, ShapedArray | NumPyArray) and data.shape:
        raise ShapeError(f"fold_in accepts a scalar, but was given {data}; use vmap for batching")
    if isinstance(data, int) and not 0 <= data < 1 << 32:
        raise DtypeError(f"fold_in: the Python int {data} is out of bounds for uint32", OverflowError)
    return _like(key, ())


@rule("random.key_data")
def key_data(cx: Context, keys: Any) -> ShapedArray:
    """`jax.random.key_data`: the bits, with one dimension more."""
    shape = key_shape("key_data", keys)
    if is_typed_key(keys):
        words = KEY_SIZES.get(keys.dtype.removeprefix("key<").rstrip(">"))
        return ShapedArray(None if shape is None else (*shape, words), "uint32", False)
    found = keys.shape if isinstance(keys, ShapedArray | NumPyArray) and keys.dtype is not None else None
    return ShapedArray(found, "uint32", False)


@rule("random.clone")
def clone(cx: Context, key: Any) -> Any:
    """`jax.random.clone`: the same, whatever it is."""
    if is_typed_key(key):
        return key
    return replace(as_operand(cx, key, "clone"), value=None)


@rule("random.bits")
def random_bits(cx: Context, key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> ShapedArray:
    """`jax.random.bits`; a dtype narrower than a byte gives bytes."""
    one_key("bits", key)
    if dtype is None:
        chosen: str | None = cx.default("u")
    else:
        chosen = asked_dtype(cx, "bits", dtype, int, UNSIGNED, "an unsigned int")
    if chosen is not None and bits(chosen) < 8:
        chosen = "uint8"
    return ShapedArray(asked_shape("bits", shape), chosen, False)


@rule("random.uniform")
def uniform(
    cx: Context, key: Any, shape: Any = (), dtype: Any = None, minval: Any = 0.0, maxval: Any = 1.0, *,
    out_sharding: Any = None,
) -> ShapedArray:  # fmt: skip
    """`jax.random.uniform`."""
    one_key("uniform", key)
    chosen = float_dtype(cx, "uniform", dtype)
    target = asked_shape("uniform", shape)
    bounds = [parameter(cx, "uniform", v, n, ValueError) for n, v in (("minval", minval), ("maxval", maxval))]
    check_parameters("uniform", target, *(b.shape for b in bounds), exception=TypeError)
    return ShapedArray(target, chosen, False)


@rule("random.normal")
def normal(cx: Context, key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> ShapedArray:
    """`jax.random.normal`."""
    one_key("normal", key)
    target = asked_shape("normal", shape)
    chosen = asked_dtype(cx, "normal", dtype, float, ANY_INEXACT, "a float or complex")
    if chosen is not None:
        whole_bytes("normal", to_real(chosen))
    return ShapedArray(target, chosen, False)


def _standard(name: str) -> None:
    def function(cx: Context, key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> ShapedArray:
        one_key(name, key)
        chosen = float_dtype(cx, name, dtype)
        return ShapedArray(asked_shape(name, shape), chosen, False)

    register(f"random.{name}", function)


for _name in ("cauchy", "exponential", "laplace", "logistic"):
    _standard(_name)

_GUMBEL_MODES: Final = ("highest", "high", "low")


@rule("random.gumbel")
def gumbel(
    cx: Context, key: Any, shape: Any = (), dtype: Any = None, mode: Any = None, *, out_sharding: Any = None
) -> ShapedArray:
    """`jax.random.gumbel`."""
    one_key("gumbel", key)
    chosen = float_dtype(cx, "gumbel", dtype)
    target = asked_shape("gumbel", shape)
    check_mode("gumbel", mode, _GUMBEL_MODES)
    return ShapedArray(target, chosen, False)


def check_mode(operation: str, mode: Any, modes: tuple[str, ...]) -> None:
    """Check how many bits a sampler is to use.

    Raises:
        RuleError: (ValueError) for what is none of these.
    """
    if isinstance(mode, str | int | float | tuple | list) and mode not in modes:
        raise RuleError(f"{operation}: mode is one of {', '.join(map(repr, modes))}, got {mode!r}", ValueError)


@rule("random.truncated_normal")
def truncated_normal(
    cx: Context, key: Any, lower: Any, upper: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None
) -> ShapedArray:
    """`jax.random.truncated_normal`."""
    target = None if shape is None else asked_shape("truncated_normal", shape)
    one_key("truncated_normal", key)
    chosen = float_dtype(cx, "truncated_normal", dtype)
    a, b = (parameter(cx, "truncated_normal", v, n, ValueError) for n, v in (("lower", lower), ("upper", upper)))
    return ShapedArray(sample_shape("truncated_normal", shape, target, a, b), chosen, False)


def sample_shape(operation: str, shape: Any, target: Shape | None, *parameters: ShapedArray) -> Shape | None:
    """The shape that is asked for, by default that to which the parameters broadcast."""
    shapes = [p.shape for p in parameters]
    if shape is None:
        try:
            return broadcast_shapes(operation, *shapes)
        except ShapeError as error:
            raise ShapeError(error.message, ValueError) from None
    check_parameters(operation, target, *shapes)
    return None if shape is UNKNOWN else target


@rule("random.bernoulli")
def bernoulli(
    cx: Context, key: Any, p: Any = 0.5, shape: Any = None, mode: Any = "low", *, out_sharding: Any = None
) -> ShapedArray:
    """`jax.random.bernoulli`."""
    target = None if shape is None else asked_shape("bernoulli", shape)
    if mode is None:
        raise RuleError("bernoulli: mode is 'high' or 'low', got None", ValueError)
    check_mode("bernoulli", mode, ("high", "low"))
    one_key("bernoulli", key)
    mean = parameter(cx, "bernoulli", p, "p", ValueError)
    if mean.dtype is not None:
        if mean.dtype not in ANY_FLOAT:
            raise DtypeError(f"bernoulli probability p must have a floating dtype, got {mean.dtype}; give a float")
        whole_bytes("bernoulli", mean.dtype)
    return ShapedArray(sample_shape("bernoulli", shape, target, mean), "bool", False)


@rule("random.rademacher")
def rademacher(cx: Context, key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> ShapedArray:
    """`jax.random.rademacher`."""
    one_key("rademacher", key)
    chosen = asked_dtype(cx, "rademacher", dtype, int, DTYPES, "a")
    return ShapedArray(asked_shape("rademacher", shape), chosen, False)


@rule("random.randint")
def randint(
    cx: Context, key: Any, shape: Any, minval: Any, maxval: Any, dtype: Any = None, *, out_sharding: Any = None
) -> ShapedArray:
    """`jax.random.randint`."""
    one_key("randint", key)
    chosen = asked_dtype(cx, "randint", dtype, int, ANY_INTEGER, "an integer", TypeError)
    target = asked_shape("randint", shape)
    if chosen is None or bits(chosen) < 32:  # the bounds go through asarray, which takes lists too
        bounds = [
            None if isinstance(v, tuple | list) else _shape_of(cx, v, n, ValueError if chosen else None)
            for n, v in (("minval", minval), ("maxval", maxval))
        ]
    else:
        bounds = [_shape_of(cx, v, n, TypeError) for n, v in (("minval", minval), ("maxval", maxval))]
    check_parameters("randint", target, *bounds)
    return ShapedArray(target, chosen, False)


def _shape_of(cx: Context, value: Any, name: str, no_array: type[Exception] | None) -> Shape | None:
    if value is None and no_array is None:
        return None
    return parameter(cx, "randint", value, name, no_array or TypeError).shape
