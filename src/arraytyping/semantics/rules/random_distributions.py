"""Rules of the family: samples of distributions with parameters, and random matrices, of `jax.random`.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/random/core.py.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, NumPyArray, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import (
    ANY_FLOAT,
    ANY_INEXACT,
    to_inexact,
    to_real,
)
from arraytyping.semantics.rules.errors import DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.random_arguments import (
    asked_dtype,
    asked_shape,
    check_parameters,
    float_dtype,
    one_key,
    parameter,
    whole_bytes,
)
from arraytyping.semantics.rules.random_functions import sample_shape
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes
from arraytyping.semantics.rules.static_arguments import as_size, non_negative
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import differ

__all__: list[str] = []


def _castable(cx: Context, operation: str, dtype: str | None, parameters: list[ShapedArray]) -> None:
    """Check that the parameters keep their values in the dtype that is asked for.

    Raises:
        DtypeError: (ValueError) if they do not.
    """
    for given in parameters:
        if dtype is None or given.dtype is None:
            continue
        joined, _ = cx.join(operation, (given, ShapedArray((), dtype, False)))
        if joined is not None and joined != dtype:
            raise DtypeError(
                f"{operation}: a parameter of {given.dtype} is not safely made {dtype}, the dtype that is asked for; "
                f"convert it first, with x.astype('{dtype}')",
                ValueError,
            )


def _samples(
    cx: Context, operation: str, key: Any, shape: Any, dtype: Any, *, casts: bool = True, **parameters: Any
) -> ShapedArray:
    """Samples of a float dtype, in the shape that is asked for or that of the parameters."""
    one_key(operation, key)
    chosen = float_dtype(cx, operation, dtype)
    arrays = [parameter(cx, operation, v, n, ValueError) for n, v in parameters.items()]
    target = None if shape is None else asked_shape(operation, shape)
    result = sample_shape(operation, shape, target, *arrays)
    if casts:
        _castable(cx, operation, chosen, arrays)
    return ShapedArray(result, chosen, False)


@rule("random.gamma")
def gamma(
    cx: Context, key: Any, a: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None
) -> ShapedArray:
    """`jax.random.gamma`."""
    return _samples(cx, "gamma", key, shape, dtype, casts=False, a=a)


@rule("random.loggamma")
def loggamma(
    cx: Context, key: Any, a: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None
) -> ShapedArray:
    """`jax.random.loggamma`."""
    return _samples(cx, "loggamma", key, shape, dtype, casts=False, a=a)


@rule("random.beta")
def beta(
    cx: Context, key: Any, a: Any, b: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None
) -> ShapedArray:
    """`jax.random.beta`."""
    return _samples(cx, "beta", key, shape, dtype, a=a, b=b)


@rule("random.pareto")
def pareto(
    cx: Context, key: Any, b: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None
) -> ShapedArray:
    """`jax.random.pareto`."""
    return _samples(cx, "pareto", key, shape, dtype, b=b)


@rule("random.t")
def t(cx: Context, key: Any, df: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> ShapedArray:
    """`jax.random.t`."""
    return _samples(cx, "t", key, shape, dtype, df=df)


@rule("random.chisquare")
def chisquare(
    cx: Context, key: Any, df: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None
) -> ShapedArray:
    """`jax.random.chisquare`."""
    return _samples(cx, "chisquare", key, shape, dtype, df=df)


@rule("random.f")
def f(
    cx: Context, key: Any, dfnum: Any, dfden: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None
) -> ShapedArray:
    """`jax.random.f`."""
    result = _samples(cx, "f", key, shape, dtype, dfnum=dfnum, dfden=dfden)
    for name, value in (("dfnum", dfnum), ("dfden", dfden)):
        rank = parameter(cx, "f", value, name).ndim
        if result.ndim is not None and rank and rank != result.ndim:
            raise ShapeError(
                f"f: {name} must be a number or have as many dimensions as the samples, {result.ndim}, got {rank}; "
                "broadcast it first, with jnp.broadcast_to"
            )
    return result


@rule("random.rayleigh")
def rayleigh(
    cx: Context, key: Any, scale: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None
) -> ShapedArray:
    """`jax.random.rayleigh`."""
    return _samples(cx, "rayleigh", key, shape, dtype, scale=scale)


@rule("random.wald")
def wald(
    cx: Context, key: Any, mean: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None
) -> ShapedArray:
    """`jax.random.wald`."""
    return _samples(cx, "wald", key, shape, dtype, mean=mean)


@rule("random.triangular")
def triangular(
    cx: Context, key: Any, left: Any, mode: Any, right: Any, shape: Any = None, dtype: Any = None, *,
    out_sharding: Any = None,
) -> ShapedArray:  # fmt: skip
    """`jax.random.triangular`."""
    return _samples(cx, "triangular", key, shape, dtype, left=left, mode=mode, right=right)


class _Float32(float):
    """A number that is a NumPy scalar in JAX's signature, and so has a dtype."""


_ONE: Final = _Float32(1)


@rule("random.lognormal")
def lognormal(
    cx: Context, key: Any, sigma: Any = _ONE, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None
) -> ShapedArray:
    """`jax.random.lognormal`; complex samples too."""
    one_key("lognormal", key)
    chosen = asked_dtype(cx, "lognormal", dtype, float, ANY_INEXACT, "a float or complex")
    if chosen is not None:
        whole_bytes("lognormal", to_real(chosen))
    deviation = parameter(cx, "lognormal", NumPyArray((), "float32") if sigma is _ONE else sigma, "sigma", ValueError)
    target = None if shape is None else asked_shape("lognormal", shape)
    result = sample_shape("lognormal", shape, target, deviation)
    _castable(cx, "lognormal", chosen, [deviation])
    return ShapedArray(result, chosen, False)


@rule("random.dirichlet")
def dirichlet(
    cx: Context, key: Any, alpha: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None
) -> ShapedArray:
    """`jax.random.dirichlet`: a vector for each element of the shape."""
    one_key("dirichlet", key)
    chosen = float_dtype(cx, "dirichlet", dtype)
    target = None if shape is None else asked_shape("dirichlet", shape)
    weights = parameter(cx, "dirichlet", alpha, "alpha", ValueError)
    if weights.shape is None:
        return ShapedArray(None, chosen, False)
    if not weights.shape:
        raise ShapeError("dirichlet: alpha must have at least 1 dimension, got a number; give a vector", ValueError)
    batch = weights.shape[:-1]
    if shape is not None:
        check_parameters("dirichlet", target, batch)
        batch = target  # type: ignore[assignment]
    return ShapedArray(None if batch is None else (*batch, weights.shape[-1]), chosen, False)


@rule("random.maxwell")
def maxwell(cx: Context, key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> ShapedArray:
    """`jax.random.maxwell`."""
    one_key("maxwell", key)
    chosen = float_dtype(cx, "maxwell", dtype)
    return ShapedArray(asked_shape("maxwell", shape), chosen, False)


def _promoted(cx: Context, operation: str, dtype: str | None, *parameters: ShapedArray) -> str | None:
    """The dtype of samples that were multiplied with parameters, which are not made theirs."""
    if dtype is None:
        return None
    joined, _ = cx.join(operation, (ShapedArray((), dtype, False), *parameters))
    return joined


def _inexact(array: ShapedArray) -> ShapedArray:
    return array if array.dtype is None else ShapedArray(array.shape, to_inexact(array.dtype), array.weak_type)


@rule("random.double_sided_maxwell")
def double_sided_maxwell(
    cx: Context, key: Any, loc: Any, scale: Any, shape: Any = (), dtype: Any = None
) -> ShapedArray:
    """`jax.random.double_sided_maxwell`: the shape of the parameters comes after the one that is asked for."""
    operation = "double_sided_maxwell"
    one_key(operation, key)
    chosen = float_dtype(cx, operation, dtype)
    target = asked_shape(operation, shape)
    arrays = [parameter(cx, operation, v, n) for n, v in (("loc", loc), ("scale", scale))]
    own = sample_shape(operation, None, None, *arrays)
    result: Shape | None = None
    if target is not None and own is not None:
        result = (*(target or own), *own)
    return ShapedArray(result, _promoted(cx, operation, chosen, *arrays), False)


@rule("random.weibull_min")
def weibull_min(
    cx: Context, key: Any, scale: Any, concentration: Any, shape: Any = (), dtype: Any = None
) -> ShapedArray:
    """`jax.random.weibull_min`: the samples are multiplied with the scale, whose shape and dtype they may get."""
    operation = "weibull_min"
    one_key(operation, key)
    chosen = float_dtype(cx, operation, dtype)
    target = asked_shape(operation, shape)
    by, power = (parameter(cx, operation, v, n) for n, v in (("scale", scale), ("concentration", concentration)))
    result = broadcast_shapes(operation, target, by.shape, power.shape, exception=ValueError)
    if target is None or by.shape is None or power.shape is None:
        result = None
    return ShapedArray(result, _promoted(cx, operation, chosen, by, _inexact(power)), False)


@rule("random.generalized_normal")
def generalized_normal(
    cx: Context, key: Any, p: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None
) -> ShapedArray:
    """`jax.random.generalized_normal`."""
    operation = "generalized_normal"
    target = asked_shape(operation, shape)
    one_key(operation, key)
    chosen = float_dtype(cx, operation, dtype)
    power = parameter(cx, operation, p, "p")
    check_parameters(operation, target, power.shape)
    return ShapedArray(target, _promoted(cx, operation, chosen, _inexact(power)), False)


@rule("random.ball")
def ball(
    cx: Context, key: Any, d: Any, p: Any = 2, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None
) -> ShapedArray:
    """`jax.random.ball`: points of `d` coordinates."""
    target = asked_shape("ball", shape)
    one_key("ball", key)
    chosen = float_dtype(cx, "ball", dtype)
    size = as_size("ball", "d", d)
    non_negative("ball", (size,))
    power = parameter(cx, "ball", p, "p")
    if power.shape != ():
        return ShapedArray(None, None, False)  # it is broadcast against the coordinates, and against their sums
    result = None if target is None else (*target, size)
    return ShapedArray(result, _promoted(cx, "ball", chosen, _inexact(power)), False)


@rule("random.orthogonal")
def orthogonal(
    cx: Context, key: Any, n: Any, shape: Any = (), dtype: Any = None, m: Any = None, *, out_sharding: Any = None
) -> ShapedArray:
    """`jax.random.orthogonal`: matrices of `n` rows and `m` columns."""
    target = asked_shape("orthogonal", shape)
    one_key("orthogonal", key)
    chosen = asked_dtype(cx, "orthogonal", dtype, float, ANY_INEXACT, "a float or complex")
    rows = as_size("orthogonal", "n", n)
    columns = rows if m is None else as_size("orthogonal", "m", m)
    non_negative("orthogonal", (rows, columns), ValueError)
    return ShapedArray(None if target is None else (*target, rows, columns), chosen, False)


_METHODS: Final = ("svd", "eigh", "cholesky")


@rule("random.multivariate_normal")
def multivariate_normal(
    cx: Context, key: Any, mean: Any, cov: Any, shape: Any = None, dtype: Any = None, method: Any = "cholesky", *,
    out_sharding: Any = None,
) -> ShapedArray:  # fmt: skip
    """`jax.random.multivariate_normal`: a vector for each element of the shape."""
    operation = "multivariate_normal"
    one_key(operation, key)
    centre, spread = (as_operand(cx, v, operation, n) for n, v in (("mean", mean), ("cov", cov)))
    joined, _ = cx.join(operation, (centre, spread))
    own = None if joined is None else to_inexact(joined)
    if isinstance(method, str | int | float | None) and method not in _METHODS:
        raise RuleError(f"{operation}: method is one of {', '.join(map(repr, _METHODS))}, got {method!r}", ValueError)
    if dtype is None:
        chosen = own
        if chosen is not None and chosen not in ANY_FLOAT:
            raise DtypeError(f"dtype argument to `{operation}` must be a float dtype, got {chosen}", ValueError)
    else:
        chosen = asked_dtype(cx, operation, dtype, float, ANY_FLOAT, "a float")
    target = None if shape is None else asked_shape(operation, shape)
    batch = _batch_of_normals(operation, shape, target, centre.shape, spread.shape)
    size = None if centre.shape is None else centre.shape[-1]
    result = None if own is None or chosen is None else cx.join(
        operation, (ShapedArray((), own, False), ShapedArray((), chosen, False))
    )[0]  # fmt: skip
    return ShapedArray(None if batch is None else (*batch, size), result, False)


def _batch_of_normals(
    operation: str, shape: Any, target: Shape | None, centre: Shape | None, spread: Shape | None
) -> Shape | None:
    """The shape of the vectors, each of which has its mean and its matrix."""
    if centre is not None and not centre:
        raise ShapeError(f"{operation}: mean must have at least 1 dimension, got a number; give a vector", ValueError)
    if spread is not None:
        given = "..." if centre is None else shape_tuple_str(centre)
        n = None if centre is None else centre[-1]
        wrong = len(spread) < 2 or differ(spread[-1], spread[-2])
        if wrong or (n is not None and (differ(spread[-1], n) or differ(spread[-2], n))):
            raise ShapeError(
                f"{operation}: cov must have a square matrix for each mean, of the size of its vector, got "
                f"{shape_tuple_str(spread)} with a mean of shape {given}",
                ValueError,
            )
    batches = None if centre is None else centre[:-1], None if spread is None else spread[:-2]
    if shape is None:
        if None in batches:
            return None
        try:
            return broadcast_shapes(operation, *batches)
        except ShapeError as error:
            raise ShapeError(error.message, ValueError) from None
    check_parameters(operation, target, *batches)
    return None if shape is UNKNOWN else target
