"""Initializers of weights: functions that make one of a key, a shape and a dtype.

Source: https://docs.jax.dev/en/latest/jax.nn.initializers.html; X. Glorot and Y. Bengio, "Understanding the difficulty
of training deep feedforward neural networks" (AISTATS 2010); K. He and others, "Delving deep into rectifiers" (ICCV
2015).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

from arraytyping import numpy as anp, random
from arraytyping.runtime.lax.dtype_arguments import canonical_dtype
from arraytyping.semantics.rules.dtype_kinds import to_real

__all__ = [
    "constant", "glorot_normal", "glorot_uniform", "he_normal", "he_uniform", "kaiming_normal", "kaiming_uniform",
    "lecun_normal", "lecun_uniform", "normal", "ones", "truncated_normal", "uniform", "variance_scaling",
    "xavier_normal", "xavier_uniform", "zeros",
]  # fmt: skip

Initializer = Callable[..., Any]
Axes = int | Sequence[int]


def _dtype(dtype: Any) -> str:
    return canonical_dtype(float if dtype is None else dtype, "an initializer")


def zeros(key: Any, shape: Sequence[int], dtype: Any = None, out_sharding: Any = None) -> Any:
    """`jax.nn.initializers.zeros`: zeros, whatever the key."""
    return anp.zeros(shape, _dtype(dtype))


def ones(key: Any, shape: Sequence[int], dtype: Any = None, out_sharding: Any = None) -> Any:
    """`jax.nn.initializers.ones`: ones, whatever the key."""
    return anp.ones(shape, _dtype(dtype))


def constant(value: Any, dtype: Any = None) -> Initializer:
    """`jax.nn.initializers.constant`: the same value everywhere."""
    default = dtype

    def init(key: Any, shape: Sequence[int], dtype: Any = default, out_sharding: Any = None) -> Any:
        return anp.full(shape, value, _dtype(dtype))

    return init


def _scaled(sample: Callable[..., Any], scale: Any, default: Any) -> Initializer:
    """Samples times a number."""

    def init(key: Any, shape: Sequence[int], dtype: Any = default, out_sharding: Any = None) -> Any:
        return sample(key, shape, _dtype(dtype)) * anp.array(scale, _dtype(dtype))

    return init


def uniform(scale: Any = 1e-2, dtype: Any = None) -> Initializer:
    """`jax.nn.initializers.uniform`: numbers from 0 to `scale`."""
    return _scaled(random.uniform, scale, dtype)


def normal(stddev: Any = 1e-2, dtype: Any = None) -> Initializer:
    """`jax.nn.initializers.normal`: normally distributed numbers."""
    return _scaled(random.normal, stddev, dtype)


def truncated_normal(stddev: Any = 1e-2, dtype: Any = None, lower: Any = -2.0, upper: Any = 2.0) -> Initializer:
    """`jax.nn.initializers.truncated_normal`: normally distributed numbers between two bounds."""
    return _scaled(lambda key, shape, asked: random.truncated_normal(key, lower, upper, shape, asked), stddev, dtype)


def _count(shape: Sequence[int], axes: Axes) -> int:
    return shape[axes] if isinstance(axes, int) else math.prod(shape[a] for a in axes)


def _fans(shape: Sequence[int], in_axis: Axes, out_axis: Axes, batch_axis: Axes) -> tuple[float, float]:
    """To how many inputs, and to how many outputs, one element is connected.

    Raises:
        ValueError: for fewer dimensions than there are axes.
    """
    if isinstance(in_axis, int) and in_axis == -2 and len(shape) <= 1:
        raise ValueError(
            f"an initializer that scales by the number of inputs was given the shape {tuple(shape)}; it takes at least "
            "2 dimensions, or another in_axis"
        )
    inputs, outputs = _count(shape, in_axis), _count(shape, out_axis)
    field = math.prod(shape) / inputs / outputs / _count(shape, batch_axis)
    return inputs * field, outputs * field


def _denominator(mode: str, fan_in: float, fan_out: float) -> float:
    """What the variance is divided by.

    Raises:
        ValueError: for an unknown mode.
    """
    if mode == "fan_in":
        return fan_in
    if mode == "fan_out":
        return fan_out
    if mode == "fan_avg":
        return (fan_in + fan_out) / 2
    if mode == "fan_geo_avg":
        return math.sqrt(fan_in * fan_out)
    raise ValueError(f"mode is 'fan_in', 'fan_out', 'fan_avg' or 'fan_geo_avg', got {mode!r}")


_STDDEV_WITHIN_2 = 0.87962566103423978
"""The standard deviation of a normal distribution that is cut off at -2 and 2."""


def variance_scaling(
    scale: Any,
    mode: Literal["fan_in", "fan_out", "fan_avg", "fan_geo_avg"],
    distribution: Literal["truncated_normal", "normal", "uniform"],
    in_axis: Axes = -2,
    out_axis: Axes = -1,
    batch_axis: Axes = (),
    dtype: Any = None,
) -> Initializer:
    """`jax.nn.initializers.variance_scaling`: samples whose variance goes by the numbers of inputs and outputs."""
    default = dtype

    def init(key: Any, shape: Sequence[int], dtype: Any = default, out_sharding: Any = None) -> Any:
        asked = _dtype(dtype)
        shape = tuple(shape)
        denominator = _denominator(mode, *_fans(shape, in_axis, out_axis, batch_axis))
        variance = anp.array(scale / denominator, dtype=asked)
        if distribution == "normal":
            return random.normal(key, shape, asked) * anp.sqrt(variance)
        if distribution not in ("truncated_normal", "uniform"):
            raise ValueError(f"distribution is 'truncated_normal', 'normal' or 'uniform', got {distribution!r}")
        if to_real(asked) != asked:
            raise NotImplementedError(f"complex weights are drawn from 'normal' only, not from {distribution!r}")
        if distribution == "uniform":
            return random.uniform(key, shape, asked, -1) * anp.sqrt(3 * variance)
        stddev = anp.sqrt(variance) / anp.array(_STDDEV_WITHIN_2, asked)
        return random.truncated_normal(key, -2, 2, shape, asked) * stddev

    return init


def _family(name: str, scale: float, mode: Any, distribution: Any) -> Callable[..., Initializer]:
    def make(in_axis: Axes = -2, out_axis: Axes = -1, batch_axis: Axes = (), dtype: Any = None) -> Initializer:
        return variance_scaling(scale, mode, distribution, in_axis, out_axis, batch_axis, dtype)

    make.__name__ = make.__qualname__ = name
    make.__doc__ = (
        f"`jax.nn.initializers.{name}`: {distribution.replace('_', ' ')} samples, of variance {scale:g} / {mode}."
    )
    return make


glorot_uniform: Final = _family("glorot_uniform", 1.0, "fan_avg", "uniform")
xavier_uniform: Final = glorot_uniform
glorot_normal: Final = _family("glorot_normal", 1.0, "fan_avg", "truncated_normal")
xavier_normal: Final = glorot_normal
lecun_uniform: Final = _family("lecun_uniform", 1.0, "fan_in", "uniform")
lecun_normal: Final = _family("lecun_normal", 1.0, "fan_in", "truncated_normal")
he_uniform: Final = _family("he_uniform", 2.0, "fan_in", "uniform")
kaiming_uniform: Final = he_uniform
he_normal: Final = _family("he_normal", 2.0, "fan_in", "truncated_normal")
kaiming_normal: Final = he_normal
