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
from arraytyping.runtime.out_shardings import takes_out_sharding
from arraytyping.semantics.rules.dtype_kinds import to_real

__all__ = [
    "constant", "delta_orthogonal", "glorot_normal", "glorot_uniform", "he_normal", "he_uniform", "kaiming_normal",
    "kaiming_uniform", "lecun_normal", "lecun_uniform", "normal", "ones", "orthogonal", "truncated_normal", "uniform",
    "variance_scaling", "xavier_normal", "xavier_uniform", "zeros",
]  # fmt: skip

Initializer = Callable[..., Any]
Axes = int | Sequence[int]


def _dtype(dtype: Any) -> str:
    return canonical_dtype(float if dtype is None else dtype, "an initializer")


@takes_out_sharding
def zeros(key: Any, shape: Sequence[int], dtype: Any = None, out_sharding: Any = None) -> Any:
    """`jax.nn.initializers.zeros`: zeros, whatever the key."""
    return anp.zeros(shape, _dtype(dtype))


@takes_out_sharding
def ones(key: Any, shape: Sequence[int], dtype: Any = None, out_sharding: Any = None) -> Any:
    """`jax.nn.initializers.ones`: ones, whatever the key."""
    return anp.ones(shape, _dtype(dtype))


def constant(value: Any, dtype: Any = None) -> Initializer:
    """`jax.nn.initializers.constant`: the same value everywhere."""
    default = dtype

    @takes_out_sharding
    def init(key: Any, shape: Sequence[int], dtype: Any = default, out_sharding: Any = None) -> Any:
        return anp.full(shape, value, _dtype(dtype))

    return init


def _scaled(sample: Callable[..., Any], scale: Any, default: Any) -> Initializer:
    """Samples times a number."""

    @takes_out_sharding
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


_STDDEV_WITHIN_2: Final = 0.87962566103423978
"""The standard deviation of a normal distribution that is cut off at -2 and 2."""
_COMPLEX_STDDEV_WITHIN_2: Final = 0.95311164380491208
"""That of complex numbers whose absolute value is at most 2."""


def _on_circles(key: Any, shape: Sequence[int], dtype: str, radius: Callable[[Any], Any]) -> Any:
    """Complex numbers in all directions, whose absolute values a function makes of uniform ones."""
    radius_key, angle_key = random.split(key)
    real = to_real(dtype)
    r = radius(random.uniform(radius_key, shape, real))
    angle = 2 * math.pi * random.uniform(angle_key, shape, real).astype(dtype)
    return r.astype(dtype) * anp.exp(1j * angle)


def _complex_samples(key: Any, shape: Sequence[int], dtype: str, distribution: str, stddev: Any) -> Any:
    """Complex numbers of this standard deviation, in a disk or normally distributed within one."""
    if distribution == "uniform":
        return _on_circles(key, shape, dtype, lambda u: anp.sqrt(2 * u)) * stddev

    def truncated(u: Any) -> Any:
        part = (1 - anp.exp(anp.array(-4, dtype))) * u.astype(dtype)
        return anp.sqrt(-anp.log(1 - part))

    return _on_circles(key, shape, dtype, truncated) * (stddev / anp.array(_COMPLEX_STDDEV_WITHIN_2, dtype))


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

    @takes_out_sharding
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
            return _complex_samples(key, shape, asked, distribution, anp.sqrt(variance))
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


def orthogonal(scale: Any = 1.0, column_axis: int = -1, dtype: Any = None) -> Initializer:
    """`jax.nn.initializers.orthogonal`: an orthogonal matrix, whose columns are along an axis.

    Raises (when called):
        ValueError: for fewer than 2 dimensions.
    """
    default = dtype

    @takes_out_sharding
    def init(key: Any, shape: Sequence[int], dtype: Any = default, out_sharding: Any = None) -> Any:
        asked, sizes = _dtype(dtype), list(shape)
        if len(sizes) < 2:
            raise ValueError(f"orthogonal initializer requires at least a 2D shape, got {tuple(shape)}")
        if not math.prod(sizes):
            return anp.zeros(shape, asked)
        columns = sizes.pop(column_axis)
        matrix = random.orthogonal(key, math.prod(sizes), (), asked, columns).reshape(*sizes, columns)
        return anp.array(scale, asked) * anp.moveaxis(matrix, -1, column_axis)

    return init


def delta_orthogonal(scale: Any = 1.0, column_axis: int = -1, dtype: Any = None) -> Initializer:
    """`jax.nn.initializers.delta_orthogonal`: a kernel that is an orthogonal matrix in its middle, and zero elsewhere.

    Raises (when called):
        ValueError: for other than 3 to 5 dimensions, or fewer outputs than inputs.
    """
    default = dtype

    @takes_out_sharding
    def init(key: Any, shape: Sequence[int], dtype: Any = default, out_sharding: Any = None) -> Any:
        asked = _dtype(dtype)
        if len(shape) not in (3, 4, 5):
            raise ValueError(f"Delta orthogonal initializer requires a 3D, 4D or 5D shape, got {tuple(shape)}")
        if shape[-1] < shape[-2]:
            raise ValueError(f"`fan_in` must be less or equal than `fan_out`, got the shape {tuple(shape)}")
        matrix = orthogonal(scale, column_axis, asked)(key, shape[-2:])
        middle = tuple([(k - 1) // 2 for k in shape[:-2]])
        return anp.zeros(shape, asked).at[middle].set(matrix)

    return init
