"""The reductions of `arraytyping.numpy` and its norms against JAX: types, values, derivatives, signatures, errors."""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import test_cumulative
import test_reductions
from answers import compiled
from oracle import Call, array, elements, to_dtype
from runtime_calls import recorded_conversions, unequal, unequal_results, unlike_jax, wrong_answers
from shares import is_thorough, some

import arraytyping.numpy as anp
from arraytyping import config
from arraytyping.numpy import linalg
from arraytyping.runtime.array_likes import array_from
from arraytyping.runtime.transformations.differentiation import vjp
from arraytyping.runtime.transformations.jit import jit
from arraytyping.runtime.transformations.mapping import vmap
from arraytyping.scalars import DTYPES, SCALARS
from arraytyping.semantics.rules import (
    arg_reductions,
    averages,
    cumulative,
    differences,
    means,
    norms,
    quantiles,
    reductions,
    traces,
    variances,
)
from arraytyping.semantics.rules.registry import RULES

FAMILIES = (reductions, means, averages, variances, cumulative, arg_reductions, quantiles, differences, norms, traces)
NAMES = sorted(
    name.removeprefix("numpy.")
    for name, rule in RULES.items()
    if rule.function.__module__ in {family.__name__ for family in FAMILIES} and name.startswith("numpy.")
)


def function(name: str, numpy: Any, algebra: Any) -> Any:
    """The function of a name such as `linalg.norm` in one of the two packages."""
    return getattr(algebra, name.removeprefix("linalg.")) if name.startswith("linalg.") else getattr(numpy, name)


def test_every_function_is_here() -> None:
    assert len(NAMES) > 42
    assert all(callable(function(name, anp, linalg)) for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_signature(name: str) -> None:
    ours, real = (
        inspect.signature(function(name, *spaces)).parameters.values() for spaces in ((anp, linalg), (jnp, jnp.linalg))
    )
    assert [(p.name, p.kind, p.default) for p in ours] == [(p.name, p.kind, p.default) for p in real]


def dtype_calls(x64: bool) -> Iterator[Call]:
    """Every function of every dtype, sums and the like as every dtype."""
    for name, (dtype, weak) in product(test_reductions.NAMES, elements(x64)):
        yield Call(name, (array(dtype, 2, 3, weak=weak),), {"axis": 0})
    for name, (dtype, weak) in product(test_cumulative.NAMES, elements(x64)):
        yield Call(name, (array(dtype, 2, 3, weak=weak),), test_cumulative.along(name))
    for name, (dtype, weak), method in product(test_reductions.QUANTILES, elements(x64), ("linear", "inverted_cdf")):
        yield Call(f"numpy.{name}", (array(dtype, 3, weak=weak), 0.5), {"method": method})
        yield Call(f"numpy.{name}", (array("float32", 3), array(dtype, weak=weak)), {"method": method})
    asked = (*(SCALARS[d] for d in DTYPES), bool, int, float, complex)
    named = ("sum", "prod", "mean", "var", "nanvar", "std", "nanmean", "nansum", "cumsum", "nancumprod")
    for name, (dtype, weak), wanted in product(named, elements(x64)[x64::3], asked):
        yield Call(f"numpy.{name}", (array(dtype, 2, weak=weak),), {"dtype": wanted})


def axis_calls(x64: bool) -> Iterator[Call]:
    """Axes of every form, and masks."""
    axes = [axis for axis in test_reductions.AXES if axis != "0"]
    flags = dict.fromkeys(test_cumulative.STANDARD, "include_initial")
    flags |= dict.fromkeys((*test_cumulative.ARG, *test_reductions.NAMES), "keepdims")
    for name in (*test_reductions.NAMES, *test_cumulative.CUMULATIVE, *flags, "numpy.diff"):
        for shape, axis in product(test_reductions.SHAPES, axes):
            for flag in (False, True) if name in flags else (None,):
                yield Call(
                    name, (array("float32", *shape),), {"axis": axis} | ({flags[name]: flag} if name in flags else {})
                )
    for name in test_cumulative.NORMS[:2]:
        for shape, axis, order in product(test_cumulative.SHAPES[2:], test_cumulative.AXES, (None, 1, -math.inf, 2)):
            yield Call(name, (array("float32", *shape),), {"axis": axis, "ord": order})
    for name in ("sum", "prod", "nansum", "max", "nanmin", "mean", "nanmean", "var", "std", "nanvar", "nanstd", "all"):
        for shape, mask in product(((2, 3), (1, 3), (3,), ()), test_reductions.MASKS):
            where = {"where": array("bool", *mask)} | ({"initial": 0} if name in ("max", "nanmin") else {})
            for axis, keepdims in ((None, False), (0, True), (-1, False)):
                yield Call(f"numpy.{name}", (array("float32", *shape),), {"axis": axis, "keepdims": keepdims, **where})


def argument_calls(x64: bool) -> Iterator[Call]:
    """The other arguments, right ones and wrong ones."""
    for calls in (
        test_reductions.arguments, test_reductions.spreads, test_reductions.averages, test_reductions.quantiles,
        test_reductions.calls, test_cumulative.arguments, test_cumulative.norms, test_cumulative.traces,
        test_cumulative.differences_of, test_cumulative.calls,
    ):  # fmt: skip
        yield from calls()


def ours_only(calls: Iterator[Call]) -> list[Call]:
    return [c for c in calls if c.name.startswith("numpy.") and "sort" not in c.name]


@pytest.mark.parametrize("x64", [False, pytest.param(True, marks=pytest.mark.thorough)])
@pytest.mark.parametrize(("calls", "at_least"), [(dtype_calls, 5500), (axis_calls, 8000), (argument_calls, 5000)])
def test_types(calls: Callable[[bool], Iterator[Call]], at_least: int, x64: bool) -> None:
    made = ours_only(calls(x64))
    with recorded_conversions() as converted:
        count, lines = wrong_answers(some(made, 5), x64=x64)
    print(f"{count} calls, {len(lines)} wrong")
    assert lines == []
    assert converted == []  # what a body computes has the rule's dtype by itself
    assert count >= (at_least if is_thorough() else at_least // 5)


def test_types_against_jax() -> None:
    """A sample of the same calls, asked of JAX itself."""
    calls = ours_only(iter([*dtype_calls(False), *axis_calls(False), *argument_calls(False)]))[::19]
    assert unlike_jax(calls) == []
    assert len(calls) > 900


PLAIN = [
    "sum",
    "prod",
    "max",
    "min",
    "amax",
    "amin",
    "all",
    "any",
    "ptp",
    "count_nonzero",
    "nansum",
    "nanprod",
    "nanmax",
    "nanmin",
    "mean",
    "nanmean",
    "average",
    "var",
    "std",
    "nanvar",
    "nanstd",
    "median",
    "nanmedian",
    "cumsum",
    "cumprod",
    "nancumsum",
    "nancumprod",
    "cumulative_sum",
    "cumulative_prod",
    "diff",
    "argmax",
    "argmin",
    "nanargmax",
    "nanargmin",
]
MASKED = [
    "sum",
    "prod",
    "max",
    "min",
    "all",
    "any",
    "nansum",
    "nanprod",
    "nanmax",
    "nanmin",
    "mean",
    "nanmean",
    "var",
    "std",
    "nanvar",
    "nanstd",
]
WITH_INITIAL = frozenset(["sum", "prod", "max", "min", "nansum", "nanprod", "nanmax", "nanmin"])
METHODS = ("linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf")


def programs(
    numpy: Any, algebra: Any, mask: Any, q: Any, weights: Any, kind: str, *, brief: bool = False
) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Functions of one matrix, by name: each reduction in several forms, or in fewer."""
    refused = {"c": ("arg", "median"), "b": ("ptp",)}.get(kind, ())
    names = [n for n in PLAIN if not any(part in n for part in refused)]
    for name in names:
        f = getattr(numpy, name)
        yield name, lambda x, f=f: f(x, axis=1)
        if "cumulative" not in name and not brief:
            yield f"{name} of all", (lambda x, f=f: f(x, 2, 0, 0)) if name == "diff" else f
    for name in MASKED:
        given = {"where": mask, "keepdims": True} | ({"initial": 1} if name in WITH_INITIAL else {})
        f = getattr(numpy, name)
        yield f"{name} masked", lambda x, f=f, given=given: f(x, axis=0, **given)
    for name, method in product(("quantile", "nanquantile"), () if kind == "c" else METHODS):
        f = getattr(numpy, name)
        fractions = q if method != "inverted_cdf" or kind in "biu" else q.astype
        yield (
            f"{name} {method}",
            lambda x, f=f, method=method, q=fractions: f(x, q(x.dtype) if callable(q) else q, axis=0, method=method),
        )
        if brief:
            continue
        yield (
            f"{name} {method} of two axes",
            lambda x, f=f, method=method, q=fractions: f(
                x, q(x.dtype) if callable(q) else q, axis=(0, 1), method=method, keepdims=True
            ),
        )
    if kind != "c":
        yield "weighted quantile", lambda x: numpy.nanquantile(x, q, axis=1, method="inverted_cdf", weights=weights)
        yield "percentile", lambda x: numpy.percentile(x, q * 100)
    yield "weighted average", lambda x: numpy.average(x, axis=1, weights=weights, returned=True)
    yield "variance of a sample", lambda x: numpy.var(x, ddof=1.5, axis=0)
    yield "deviation from a mean", lambda x: numpy.std(x, mean=1, axis=0, correction=1)
    yield "trace", lambda x: numpy.trace(x, offset=1)
    for order in (None, 1, 2, 3, 2.5, math.inf, -math.inf, *(() if kind in "biu" else (0, -1))):
        yield f"norm {order}", lambda x, order=order: algebra.norm(x, order, axis=1)
        yield f"vector norm {order}", lambda x, order=order: algebra.vector_norm(x, ord=order)
    for order in ("fro", 1, -1, math.inf, -math.inf):
        yield f"matrix norm {order}", lambda x, order=order: algebra.matrix_norm(x, ord=order)


def matrix(dtype: str, *, nan: bool) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(0)
    made = to_dtype(dtype)
    if dtype == "bool":
        return rng.random((4, 5)) < 0.6
    if "int" in dtype:
        return rng.integers(0, 5, (4, 5)).astype(made)
    x = rng.standard_normal((4, 5)).round(1)
    if made.kind == "c":
        x = x + 1j * rng.standard_normal((4, 5)).round(1)
    x = x.astype(made)
    if nan:
        x[1, 2] = np.nan
        x[3] = np.nan
    return x


MASK = np.random.default_rng(1).random((4, 5)) < 0.6
WEIGHTS = np.array([0.5, 1, 2, 0, 1], np.float32)
FRACTIONS = np.array([0, 0.1, 0.5, 0.77, 1], np.float32)


@pytest.mark.parametrize(
    ("dtype", "nan"),
    [("float32", True), ("bfloat16", False), ("int32", False), ("uint8", False), ("bool", False), ("complex64", True),
     ("float64", True)],
)  # fmt: skip
def test_values(dtype: str, nan: bool) -> None:
    x64 = dtype == "float64"
    x = matrix(dtype, nan=nan)
    q, weights = (v.astype(np.float64) if x64 else v for v in (FRACTIONS, WEIGHTS))
    kind = {"V": "f"}.get(x.dtype.kind, x.dtype.kind)
    brief = dtype not in ("float32", "int32")

    def program(numpy: Any, algebra: Any) -> Callable[..., Any]:
        return lambda x, mask, q, w: {n: f(x) for n, f in programs(numpy, algebra, mask, q, w, kind, brief=brief)}

    with config.enable_x64(x64), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        real = compiled(program(jnp, jnp.linalg), x, MASK, q, weights, x64=x64)
        given = jit(program(anp, linalg))(x, MASK, q, weights)
    assert unequal_results(real, given) == []
    assert len(real) > (50 if brief else 80)


def test_values_by_dtypes_asked_for() -> None:
    x = matrix("float32", nan=False)

    def program(space: Any) -> Callable[..., Any]:
        return lambda x: {
            "sum of truth": space.sum(x, dtype="bool"), "prod of truth": space.prod(x, dtype="bool"),
            "mean of ints": space.mean(x, 0, "int32"), "cumsum of truth": space.cumsum(x, dtype="bool"),
            "narrow": space.sum(x > 0 if space is jnp else space.greater(x, 0), promote_integers=False),
            "float16": space.var(x, dtype="float16"), "int8": space.cumprod(x, 0, "int8"),
            "initial": space.cumulative_sum(x, axis=1, include_initial=True, dtype="int16"),
        }  # fmt: skip

    assert unequal_results(compiled(program(jnp), x), jit(program(anp))(x)) == []


def pulled_back(numpy: Any, f: Callable[..., Any], x: Any) -> Any:
    """The cotangent of the matrix, of a cotangent of the result whose elements differ."""
    result, pull = jax.vjp(f, x) if numpy is jnp else vjp(f, x)
    aval = result if numpy is jnp else result.aval
    cotangent = (np.arange(1, 1 + math.prod(aval.shape)).reshape(aval.shape) / 7).astype(to_dtype(str(aval.dtype)))
    return pull(cotangent if numpy is jnp else array_from(cotangent))[0]


@pytest.mark.parametrize(("dtype", "nan"), [("float32", False), ("float32", True), ("complex64", False)])
def test_derivatives(dtype: str, nan: bool) -> None:
    """At ties, at zeros and with NaN too."""
    x = matrix(dtype, nan=nan)
    x[0, 0], x[1, 1] = 0, x[1, 0]
    if not nan:
        x[2] = 0
    skipped = ("all", "any", "arg", "nanarg", "count", "weighted average")

    def program(numpy: Any, algebra: Any) -> Callable[..., Any]:
        def all_of_them(x: Any) -> Any:
            found = {}
            for name, f in programs(numpy, algebra, MASK, FRACTIONS, WEIGHTS, kind, brief=True):
                if nan and "nan" not in name:
                    continue
                if name.startswith(skipped) or (
                    dtype == "complex64" and ("max" in name or "min" in name or "ptp" in name)
                ):
                    continue
                found[name] = pulled_back(numpy, f, x)
            return found

        return all_of_them

    kind = x.dtype.kind
    real, given = compiled(program(jnp, jnp.linalg), x), jit(program(anp, linalg))(x)
    assert unequal_results(real, given, rtol=2e-4) == []
    assert len(real) > (20 if nan else 35)


def norm(order: Any, x: Any) -> Any:
    return jax.value_and_grad(lambda x: jnp.linalg.norm(x, order))(x)


def test_derivatives_by_singular_values() -> None:
    x = matrix("float32", nan=False)
    for order in (2, -2, "nuc"):
        real = compiled(partial(norm, order), x)
        value, pull = vjp(lambda x, order=order: linalg.norm(x, order), array_from(x))
        assert unequal(real[0], value, 1e-4) is None
        assert unequal(real[1], pull(array_from(np.float32(1)))[0], 1e-3) is None


def test_mapped_functions_equal_a_loop() -> None:
    x = np.stack([matrix("float32", nan=True), matrix("float32", nan=False)])

    def all_of_them(x: Any) -> Any:
        return {n: f(x) for n, f in programs(anp, linalg, MASK, FRACTIONS, WEIGHTS, "f", brief=True)}

    mapped = jit(vmap(all_of_them))(x)
    each = [jit(all_of_them)(row) for row in x]
    for name, value in mapped.items():
        for n, part in enumerate(value if isinstance(value, tuple) else (value,)):
            rows = [np.asarray((e[name][n] if isinstance(value, tuple) else e[name])._value) for e in each]
            assert unequal(np.stack(rows), part, 1e-5) is None, name


def test_eager_as_traced() -> None:
    x = matrix("float32", nan=False)
    for name, args, kwargs in (
        ("sum", (x,), {"axis": (0, 1)}), ("sum", (2,), {}), ("max", (x, 0), {"initial": 1, "where": MASK}),
        ("mean", (x > 0, 1), {}), ("var", (x,), {"ddof": 1}), ("average", (x, 0), {"returned": True}),
        ("argmax", (x, 1), {"keepdims": True}), ("quantile", (x, 0.3), {}), ("cumsum", (3, 0), {}),
        ("median", (x, -1), {}),
        ("all", (x,), {}), ("diff", (x,), {"n": 2}), ("trace", (x, 1), {}), ("std", (np.array([1, 2], np.int8),), {}),
    ):  # fmt: skip
        real, given = getattr(jnp, name)(*args, **kwargs), getattr(anp, name)(*args, **kwargs)
        for a, b in zip(*((v if isinstance(v, tuple) else (v,)) for v in (real, given)), strict=True):
            assert unequal(a, b) is None, name
            assert (a.dtype.name, a.aval.weak_type) == (b.aval.dtype, bool(b.aval.weak_type)), name


def test_mapped_axes_by_name() -> None:
    """An axis of an array and one that `vmap` maps."""
    x = matrix("float32", nan=False)
    for name in ("sum", "max", "min", "mean"):
        ours, theirs = getattr(anp, name), getattr(jnp, name)
        real = jax.vmap(lambda row, f=theirs: f(row, axis=(0, "i")), axis_name="i")(x)
        given = vmap(lambda row, f=ours: f(row, axis=(0, "i")), axis_name="i")(x)
        assert unequal(real, given) is None, name
    with pytest.raises(NotImplementedError):
        vmap(lambda row: anp.prod(row, axis="i"), axis_name="i")(x)
    with pytest.raises(NameError):
        anp.sum(x, axis="nowhere")


def test_differences_along_whole_arrays() -> None:
    """`gradient`, `ediff1d` and `unwrap`, which have no rules: dtypes and values."""
    x, whole = matrix("float32", nan=False), np.array([0, 5, 9, 1, 14, 2], np.int32)
    places = np.array([0, 1, 3, 7, 8], np.float32)
    for name, args, kwargs in (
        ("gradient", (x,), {}), ("gradient", (x, 2.0), {"axis": -1}), ("gradient", (x, 2, 0.5), {}),
        ("gradient", (x, places), {"axis": 1}), ("gradient", (whole,), {}), ("gradient", (x[:2],), {"axis": (0,)}),
        ("ediff1d", (x,), {}), ("ediff1d", (whole, 5, places), {}), ("unwrap", (x * 5,), {"axis": 0}),
        ("unwrap", (x * 5, 1.0), {}), ("unwrap", (whole,), {"period": 5}), ("unwrap", (x * 8,), {"period": 3.5}),
    ):  # fmt: skip
        real, given = getattr(jnp, name)(*args, **kwargs), getattr(anp, name)(*args, **kwargs)
        for a, b in zip(*((v if isinstance(v, list) else [v]) for v in (real, given)), strict=True):
            assert unequal(a, b) is None, name
    for name in ("gradient", "ediff1d", "unwrap"):
        ours, theirs = (inspect.signature(getattr(space, name)).parameters.values() for space in (anp, jnp))
        assert [(p.name, p.kind, p.default) for p in ours] == [(p.name, p.kind, p.default) for p in theirs]
    for space, exception in product((anp, jnp), (ValueError, TypeError)):
        with pytest.raises(exception):
            space.gradient(*((x[:1],) if exception is ValueError else (x, 1, 2, 3)))
