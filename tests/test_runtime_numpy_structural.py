"""The functions of `arraytyping.numpy` that rearrange, join, split, select, search, sort and pad, against JAX."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import test_creation
import test_structural
from answers import asked, compiled
from oracle import Call, array, elements, to_dtype
from runtime_calls import recorded_conversions, unequal, unequal_results, unlike_jax, wrong_answers
from shares import is_thorough, some

import arraytyping.numpy as anp
from arraytyping.errors import ConcretizationTypeError
from arraytyping.numpy import (
    diagonals,
    distinct,
    histograms,
    index_arrays,
    joining,
    numbering,
    padding,
    permuting,
    placing,
    reshaping,
    searching,
    selecting,
    set_operations,
    sorting,
    splitting,
    stretching,
    vectorizing,
)
from arraytyping.runtime.array_likes import array_from
from arraytyping.runtime.transformations.differentiation import grad, vjp
from arraytyping.runtime.transformations.jit import jit
from arraytyping.runtime.transformations.mapping import vmap
from arraytyping.scalars import bits
from arraytyping.semantics.avals import NumPyArray, ShapedArray

MODULES = (
    diagonals, distinct, histograms, index_arrays, joining, numbering, padding, permuting, placing, reshaping,
    searching, selecting, set_operations, sorting, splitting, stretching, vectorizing,
)  # fmt: skip
NAMES = sorted(name for module in MODULES for name in module.__all__)


@pytest.mark.parametrize("name", NAMES)
def test_signature(name: str) -> None:
    ours, real = (inspect.signature(getattr(space, name)).parameters.values() for space in (anp, jnp))
    assert [(p.name, p.kind, p.default) for p in ours] == [(p.name, p.kind, p.default) for p in real]
    assert len(NAMES) > 95


def is_here(call: Call) -> bool:
    """Whether a call is of a function tested here; `reshape` leaves a NumPy array to NumPy."""
    of_numpy = call.name == "numpy.reshape" and isinstance(call.args[0], NumPyArray)
    return call.name.removeprefix("numpy.") in NAMES and not of_numpy


def dtype_calls(x64: bool) -> Iterator[Call]:
    yield from test_structural.by_dtype(x64)
    yield from test_creation.matrix_calls()
    some = elements(x64)[::3]
    for (name, pair), a, b in product(test_structural.PAIRED.items(), elements(x64), some):
        yield Call(name, pair(ShapedArray((2,), *a), ShapedArray((2,), *b)))


def argument_calls(x64: bool) -> Iterator[Call]:
    for group in test_structural.GROUPS:
        yield from group()


@pytest.mark.parametrize(
    ("calls", "x64", "at_least"),
    [(dtype_calls, False, 3500), (dtype_calls, True, 4000), (argument_calls, False, 12000)],
)
def test_types(calls: Callable[[bool], Iterator[Call]], x64: bool, at_least: int) -> None:
    """Each call gives what its rule says, or raises what it says, for all dtypes and arguments."""
    made = list(filter(is_here, calls(x64)))
    with recorded_conversions() as converted:
        count, lines = wrong_answers(some(made, 5), x64=x64)
    print(f"{count} calls, {len(lines)} wrong")
    assert lines == []
    assert converted == []  # what a body computes has the rule's dtype by itself
    assert count >= (at_least if is_thorough() else at_least // 5)


# Functions that have no rule: arguments after an array of every dtype, or keyword ones.
RULELESS: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "sort_complex": ((), {}),
    "partition": ((1,), {}),
    "argpartition": ((1,), {}),
    "unravel_index": (((4, 5),), {}),
    "put": ((array("int32", 2), 1), {"inplace": False}),
    "fill_diagonal": ((1,), {"inplace": False}),
    "put_along_axis": ((array("int32", 3, 2), 1, 1), {"inplace": False}),
    "extract": ((array("float32", 3, 3),), {"size": 4}),
    "unique_values": ((), {"size": 3}),
    "unique_all": ((), {"size": 3}),
    "unique_counts": ((), {"size": 3, "fill_value": 1}),
    "unique_inverse": ((), {"size": 3}),
    "histogram": ((4,), {}),
    "histogram_bin_edges": ((3,), {"range": (0, 1)}),
    "ix_": ((), {}),
    "lexsort": ((), {}),
}


def ruleless_calls(x64: bool) -> Iterator[Call]:
    every = [(d, w) for d, w in elements(x64) if bits(d) > 6 and d != "float4_e2m1fn"][::2]
    for dtype, weak in every:
        matrix, vector = ShapedArray((3, 3), dtype, weak), ShapedArray((3,), dtype, weak)
        for name, (args, kwargs) in RULELESS.items():
            if name == "lexsort":
                yield Call("numpy.lexsort", ((vector, vector),))
            elif name == "ix_":
                yield Call("numpy.ix_", (vector, vector))
            elif name == "extract":
                yield Call("numpy.extract", (matrix, *args), kwargs)
            else:
                yield Call(f"numpy.{name}", (matrix, *args), kwargs)
        for name in ("union1d", "intersect1d", "setdiff1d", "setxor1d"):
            for other in (array("int8", 2), vector, array("bfloat16", 2)):
                yield Call(f"numpy.{name}", (vector, other), {"size": 4})
                yield Call(f"numpy.{name}", (vector, other), {"size": 4, "fill_value": 1})
        yield Call("numpy.intersect1d", (vector, vector), {"size": 2, "return_indices": True, "assume_unique": True})
        yield Call("numpy.bincount", (vector,), {"length": 4})
        yield Call("numpy.bincount", (array("int8", 3), vector), {"length": 4})
        yield Call("numpy.compress", (vector, matrix, 0), {"size": 2})
        yield Call("numpy.choose", (array("int32", 3), [vector, array("int8", 3)]), {"mode": "clip"})
        yield Call("numpy.choose", (vector, [vector, vector]), {"mode": "wrap"})
        yield Call("numpy.place", (matrix, array("bool", 3, 3), vector), {"inplace": False})
        yield Call("numpy.ravel_multi_index", ((vector, array("int32", 3)), (3, 4)), {"mode": "wrap"})
        yield Call("numpy.histogram", (array("float32", 3), 4, (0, 1), vector))


@pytest.mark.parametrize("x64", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_types_of_functions_without_rules(x64: bool) -> None:
    calls = list(ruleless_calls(x64))
    assert unlike_jax(calls, x64=x64) == []
    assert len(calls) > 400


def test_types_against_jax() -> None:
    """A sample of the calls that have rules, asked of JAX itself."""
    calls = [c for c in (*dtype_calls(False), *argument_calls(False)) if is_here(c)][::41]
    assert unlike_jax(calls) == []
    assert len(calls) > 350


PLACES = np.array([[0, -1], [5, 2], [1, 1], [-9, 0]])
MODES = ("edge", "wrap", "reflect", "symmetric", "maximum", "minimum", "mean", "linear_ramp")


def rearranging(numpy: Any) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Functions of a matrix of 4 x 5 that are linear in it: each moves elements, or leaves some out."""
    yield "transpose", numpy.transpose
    yield "permute_dims", lambda x: numpy.permute_dims(x, (1, 0))
    yield "swapaxes", lambda x: numpy.swapaxes(x, 0, -1)
    yield "moveaxis", lambda x: numpy.moveaxis(numpy.reshape(x, (2, 2, 5)), (0, 2), (1, 0))
    yield "rollaxis", lambda x: numpy.rollaxis(numpy.reshape(x, (2, 2, 5)), 2)
    yield "flip", lambda x: (numpy.flip(x), numpy.flip(x, 1), numpy.fliplr(x), numpy.flipud(x))
    for k in range(1, 4):
        yield f"rot90 {k}", lambda x, k=k: numpy.rot90(x, k, (1, 0))  # type: ignore[misc]
    yield "roll", lambda x: (numpy.roll(x, 3), numpy.roll(x, (1, -2), (0, 1)), numpy.roll(x, 2, (0, 1)))
    yield "reshape", lambda x: (numpy.reshape(x, (-1, 2)), numpy.reshape(x, (2, 10), "F"), numpy.ravel(x, "F"))
    yield "resize", lambda x: (numpy.resize(x, (7, 6)), numpy.resize(x, 3))
    yield "expand_dims", lambda x: numpy.squeeze(numpy.expand_dims(x, (0, 2)), 0)
    yield "atleast_3d", lambda x: numpy.atleast_3d(x)
    yield (
        "concatenate",
        lambda x: (numpy.concatenate([x, x[:2]]), numpy.concatenate([x, x], None), numpy.append(x, x, 1)),
    )
    yield (
        "stack",
        lambda x: (numpy.stack([x, x], 1), numpy.vstack([x[0], x[1]]), numpy.hstack([x, x]), numpy.dstack([x, x])),
    )
    yield "column_stack", lambda x: numpy.column_stack([x[:, 0], x])
    yield "block", lambda x: numpy.block([[x, x[:, :1]], [x[:1], x[:1, :1]]])
    yield (
        "split",
        lambda x: [*numpy.split(x, 2), *numpy.array_split(x, 3, 1), *numpy.split(x, [1, 3], 1), *numpy.unstack(x)],
    )
    yield "broadcast", lambda x: (*numpy.broadcast_arrays(x[0], x[:, :1]), numpy.broadcast_to(x, (2, 4, 5)))
    yield "tile", lambda x: (numpy.tile(x, (2, 1, 2)), numpy.tile(x, 2))
    yield "repeat", lambda x: (numpy.repeat(x, 2, 1), numpy.repeat(x, 3), numpy.repeat(x, np.array([2, 0, 1, 3]), 0))
    yield "repeat to a length", lambda x: numpy.repeat(x, np.array([2, 1, 1, 3]), 0, total_repeat_length=9)
    yield "triangles", lambda x: (numpy.tril(x, 1), numpy.triu(x, -1), numpy.tril(numpy.reshape(x, (2, 2, 5))))
    yield (
        "diagonal",
        lambda x: (numpy.diagonal(x, -2), numpy.diag(x, 3), numpy.diagonal(numpy.reshape(x, (2, 5, 2)), 1, 1, 2)),
    )
    yield "diag", lambda x: (numpy.diag(x[0], -1), numpy.diagflat(x, 2))
    for mode in ("fill", "wrap", "clip"):
        yield f"take {mode}", lambda x, mode=mode: (  # type: ignore[misc]
            numpy.take(x, PLACES, 1, mode=mode, fill_value=3), numpy.take(x, PLACES, mode=mode, fill_value=True)
        )  # fmt: skip
    yield "take_along_axis", lambda x: (
        numpy.take_along_axis(x, PLACES % 5, 1), numpy.take_along_axis(x, PLACES[:1, :1] % 4, 0, mode="clip"),
        numpy.take_along_axis(x[:, :1], PLACES % 4, 0), numpy.take_along_axis(x, np.array([3, 19]), None),
    )  # fmt: skip
    yield (
        "delete",
        lambda x: (numpy.delete(x, 1, 0), numpy.delete(x, slice(0, 4, 2), 1), numpy.delete(x, PLACES[1:3] % 5, 1)),
    )
    yield "delete unique", lambda x: numpy.delete(x, np.array([3, -5]), 1, assume_unique_indices=True)
    yield "insert", lambda x: (
        numpy.insert(x, 1, x[0], 0),
        numpy.insert(x, np.array([1, 4, 1]), x[:, :3], 1), numpy.insert(x, slice(0, 3), x[0, 0])
    )  # fmt: skip
    yield "compress", lambda x: numpy.compress(np.array([0, 1, 1, 0, 1]), x, 1, size=2)
    yield "put", lambda x: numpy.put(x, PLACES, x[0], inplace=False)
    yield "put_along_axis", lambda x: numpy.put_along_axis(x, np.array([[1], [4], [0], [2]]), x[0, 0], 1, inplace=False)
    yield "place", lambda x: numpy.place(x, np.arange(20).reshape(4, 5) % 3 == 0, x[0, :2], inplace=False)
    yield "fill_diagonal", lambda x: numpy.fill_diagonal(x, x[1], inplace=False)
    yield "choose", lambda x: numpy.choose(np.array([0, 1, 3, -1, 0]), [x[0], x[1]], mode="wrap")
    yield "apply_along_axis", lambda x: numpy.apply_along_axis(lambda row: row[::2], 1, x)
    yield (
        "vectorize",
        lambda x: numpy.vectorize(lambda a, b: a[0] * 1 if b is None else a[b], signature="(n),()->()")(
            x, np.array([0, 4, 2, 1])
        ),
    )
    yield "pad", lambda x: numpy.pad(x, ((1, 2), (0, 3)), constant_values=((1, 0), (2, 3)))


def ordering(numpy: Any, kind: str, *, brief: bool = False) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Functions of a matrix that look at the order of its elements, or compute with them."""
    for mode in MODES if not brief else ("symmetric", "mean"):
        if kind == "b" or (kind == "c" and mode in ("maximum", "minimum")):
            continue
        yield f"pad {mode}", lambda x, mode=mode: numpy.pad(x, ((1, 2), (11, 3)), mode)  # type: ignore[misc]
    if kind != "b" and not brief:
        yield "pad odd", lambda x: (
            numpy.pad(x, 6, "reflect", reflect_type="odd"), numpy.pad(x, 6, "symmetric", reflect_type="odd")
        )  # fmt: skip
        yield "pad by statistics", lambda x: numpy.pad(x, 2, "mean", stat_length=((1, 2), (3, 9)))
        yield "pad by ramps", lambda x: numpy.pad(x, (2, 3), "linear_ramp", end_values=((1, 2), (3, 4)))
    yield "sort", lambda x: (numpy.sort(x, 0), numpy.sort(x, None, descending=True))
    if kind not in "cb" and not brief:
        yield "pad median", lambda x: numpy.pad(x, 1, "median")
        yield "partition", lambda x: numpy.partition(x, 2)[:, 2]
        yield "vander", lambda x: numpy.vander(x[0], 3, increasing=True)


def searches(numpy: Any, kind: str, *, brief: bool = False) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Functions of a matrix that give indices, counts or bools, or distinct elements; the most important ones first."""
    yield "argsort", lambda x: (numpy.argsort(x, 0), numpy.argsort(x, descending=True))
    yield "nonzero", lambda x: (*numpy.nonzero(x, size=23), *numpy.nonzero(x[0], size=7, fill_value=-1))
    yield "searchsorted", lambda x: numpy.searchsorted(numpy.sort(x[0]), x, "right")
    yield "digitize", lambda x: numpy.digitize(x, numpy.sort(x[1])[::-1], right=True)
    yield "isin", lambda x: (numpy.isin(x, x[0, :3]), numpy.isin(x, x[1], invert=True, method="sort"))
    yield "unique", lambda x: numpy.unique(x, True, True, True, size=22)
    if brief:
        return
    yield "argwhere", lambda x: (numpy.flatnonzero(x, size=5), numpy.argwhere(x, size=25, fill_value=9))
    yield "lexsort", lambda x: numpy.lexsort((x[0], x[1]))
    for method in ("scan_unrolled", "sort", "compare_all"):
        yield f"searchsorted {method}", lambda x, m=method: (  # type: ignore[misc]
            numpy.searchsorted(numpy.sort(x[0]), x, method=m),
            numpy.searchsorted(x[0], x[1], "right", numpy.argsort(x[0]), method=m)
        )  # fmt: skip
    yield "unique rows", lambda x: numpy.unique(x, True, True, True, 1, size=4)
    yield "unique and a fill", lambda x: numpy.unique(x[1], equal_nan=False, return_counts=True, size=7, fill_value=1)
    if kind in "fiu":
        yield "bincount", lambda x: numpy.bincount(numpy.argsort(x[0]), x[2] * 1.5, length=6)
        yield "histogram", lambda x: numpy.histogram(x, 4, (-1, 3))
        yield (
            "histogram by weights",
            lambda x: numpy.histogram(x[0], numpy.sort(x[1]), weights=x[2], density=kind == "f"),
        )
    yield "union1d", lambda x: numpy.union1d(x[0], x[1], size=12)
    yield "setdiff1d", lambda x: numpy.setdiff1d(x[0], x[1], size=3, fill_value=7)
    yield "setxor1d", lambda x: numpy.setxor1d(x[0], x[1], size=9)
    yield "setxor1d of distinct ones", lambda x: numpy.setxor1d(x[0, :2], x[1, :1], True, size=3, fill_value=7)
    yield "intersect1d", lambda x: numpy.intersect1d(x[0], x[1], return_indices=True, size=6)


def matrix(dtype: str) -> np.ndarray[Any, Any]:
    """Few distinct values, so that there are ties; NaN in some floats."""
    rng = np.random.default_rng(0)
    made = to_dtype(dtype)
    if dtype == "bool":
        return rng.random((4, 5)) < 0.6
    if "int" in dtype:
        return rng.integers(0, 5, (4, 5)).astype(made)
    x = rng.integers(-3, 4, (4, 5)) / 2
    if made.kind == "c":
        x = x + 1j * rng.integers(-1, 2, (4, 5))
    return x.astype(made)


def with_nan(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    x = x.copy()
    x[1, 2] = x[1, 0] = x[2, 4] = np.nan
    x[0, 1] = -0.0
    return x


def test_values() -> None:
    """All functions in one program on each side; those that compare elements of some with NaN among them."""

    def program(numpy: Any) -> Callable[..., Any]:
        def all_of_them(x: Any, nan: Any) -> Any:
            found = {name: f(x) for name, f in rearranging(numpy)}
            without = ("partition", "histogram", "vander", "setxor1d", "intersect1d", "setdiff1d", "bincount")
            for name, f in (*ordering(numpy, "f"), *searches(numpy, "f")):
                found[name] = f(x if name.startswith(without) else nan)
            return found

        return all_of_them

    x = matrix("float32")
    real, given = compiled(program(jnp), x, with_nan(x)), jit(program(anp))(x, with_nan(x))
    assert unequal_results(real, given) == []
    assert len(real) > 70


@pytest.mark.parametrize("dtype", ["bfloat16", "int32", "bool", "complex64"])
def test_values_by_dtype(dtype: str) -> None:
    x = matrix(dtype)
    kind = "f" if dtype == "bfloat16" else x.dtype.kind

    def program(numpy: Any) -> Callable[..., Any]:
        groups = (ordering, searches)
        return lambda x: {name: f(x) for group in groups for name, f in group(numpy, kind, brief=True)}

    assert unequal_results(compiled(program(jnp), x), jit(program(anp))(x)) == []


def pulled_back(pull: Callable[..., Any], results: Any) -> Any:
    """The cotangent of the operand of all results."""
    cotangents = [
        (np.arange(1, 1 + math.prod(r.shape)).reshape(r.shape) / 7).astype(to_dtype(str(r.dtype))) for r in results
    ]
    return pull([jnp.asarray(c) for c in cotangents] if results and isinstance(results[0], jax.Array) else cotangents)[
        0
    ]


def test_derivatives() -> None:
    x = matrix("float32") + np.arange(20).reshape(4, 5).astype(np.float32) / 32  # without ties

    def program(numpy: Any) -> Callable[..., Any]:
        def listed(f: Callable[..., Any]) -> Callable[..., Any]:
            def of(x: Any) -> list[Any]:
                result = f(x)
                return list(result) if isinstance(result, tuple | list) else [result]

            return of

        def all_of_them(x: Any) -> Any:
            found = {}
            for name, f in (*rearranging(numpy), *ordering(numpy, "f")):
                results, pull = (jax.vjp if numpy is jnp else vjp)(listed(f), x)
                found[name] = pulled_back(pull, results)
            return found

        return all_of_them

    real, given = compiled(program(jnp), x), jit(program(anp))(x)
    assert unequal_results(real, given, rtol=1e-4) == []
    assert len(real) > 45


def test_mapped_functions_equal_a_loop() -> None:
    x = np.stack([matrix("float32"), matrix("float32")[::-1]])

    def all_of_them(x: Any) -> Any:
        some = [pair for pair in rearranging(anp) if pair[0] not in ("pad", "split", "block", "put", "resize")]
        groups = (some, ordering(anp, "f", brief=True), searches(anp, "f", brief=True))
        return {name: f(x) for group in groups for name, f in group}

    mapped, each = jit(vmap(all_of_them))(x), [jit(all_of_them)(row) for row in x]
    for name, value in mapped.items():
        for n, part in enumerate(value if isinstance(value, tuple | list) else (value,)):
            rows = [(e[name][n] if isinstance(value, tuple | list) else e[name])._value for e in each]
            assert unequal(np.stack(rows), part, 1e-5) is None, name


X, V = np.array([[3, 0, 1], [0, 3, 0]], np.int32), np.array([2, 0, 1, 2, 0], np.float32)
BY_VALUES: tuple[tuple[str, tuple[Any, ...], dict[str, Any]], ...] = (
    ("nonzero", (X,), {}),
    ("nonzero", (np.zeros((0, 2)),), {}),
    ("flatnonzero", (V,), {}),
    ("argwhere", (X,), {}),
    ("argwhere", (np.float32(0),), {}),
    ("argwhere", (np.float32(2),), {}),
    ("where", (X,), {}),
    ("unique", (V,), {}),
    ("unique", (V, True, True, True), {}),
    ("unique", (X, True, True, True, 0), {}),
    ("unique", (X, False, True), {}),
    ("unique", (np.zeros((3, 0)), True, True, True), {}),
    ("unique", (V[:0],), {}),
    ("unique", (np.array([1, np.nan, np.nan]),), {"equal_nan": False}),
    ("unique", (2.5,), {}),
    ("unique_all", (X,), {}),
    ("unique_counts", (V,), {}),
    ("unique_inverse", (V,), {}),
    ("unique_values", (V,), {}),
    ("union1d", (V, X), {}),
    ("intersect1d", (V, X, False, True), {}),
    ("intersect1d", (V[:3], X[0], True, True), {}),
    ("setdiff1d", (V, X), {}),
    ("setxor1d", (V, np.array([2, 7.0])), {}),
    ("bincount", (X[0],), {}),
    ("bincount", (X[0], V[:3], 6), {}),
    ("compress", (np.array([0, 1, 1]), X, 1), {}),
    ("extract", (X > 0, X), {}),
    ("trim_zeros", (V,), {}),
    ("trim_zeros", (V[::-1], "f"), {}),
    ("choose", (np.array([1, 0]), [X[0, :2], X[1, :2]]), {}),
    ("ravel_multi_index", ((np.array([0, 2]), np.array([1, 3])), (3, 4)), {}),
    ("tril_indices", (3, 1, 4), {}),
    ("triu_indices", (4, -1), {}),
    ("triu_indices_from", (X, 1), {}),
    ("diag_indices_from", (X[:2, :2],), {}),
    ("split", (V, np.array([1, 3])), {}),
    ("split", (V, jnp.array([1, 3])), {}),
    ("hsplit", (X, 3), {}),
    ("delete", (V, np.array([0, -1])), {}),
    ("delete", (V, V > 1), {}),
    ("delete", (X, 1, 1), {}),
    ("insert", (V, 2, 7), {}),
    ("insert", (X, np.array([0, 2]), np.array([[5, 6]]), 1), {}),
    ("repeat", (V, np.array([0, 1, 2, 0, 1])), {}),
    ("repeat", (X, 2), {}),
    ("repeat", (3, 2), {}),
    ("histogram", (V,), {}),
    ("histogram", (V, np.array([0, 0.5, 2])), {}),
    ("histogram2d", (V, V[::-1], 3), {}),
    ("histogramdd", (X.astype(np.float32), 2), {"density": True}),
    ("roll", (V, np.int8(2)), {}),
    ("pad", (V, (1, 2)), {}),
    ("pad", (V, np.array([1, 2]), "edge"), {}),
    ("pad", (3.5, 2), {}),
    ("concatenate", ([X, 1.5 * X],), {}),
    ("concatenate", (X,), {}),
    ("stack", ([1, 2.5],), {}),
    ("tile", (2, 3), {}),
    ("reshape", (X, (3, 2)), {}),
    ("broadcast_shapes", ((2, 1), (3,)), {}),
    ("atleast_2d", (1, V), {}),
    ("block", ([[1, 2], [3, 4]],), {}),
    ("unravel_index", (np.array([5, 99, -1, -40]), (2, 3)), {}),
    ("apply_over_axes", (np.sum, X, (0, 1)), {}),
    ("piecewise", (V, [V < 1, V > 1], [-1, lambda v: v * 10, 5]), {}),
)


@pytest.mark.parametrize("name", dict.fromkeys(name for name, _, _ in BY_VALUES))
def test_eager(name: str) -> None:
    """Values, dtypes and weak types of single calls; sizes that depend on the values among them."""
    for args, kwargs in [(a, k) for n, a, k in BY_VALUES if n == name]:
        if name == "apply_over_axes":
            args = (lambda x, axis: x.sum(axis), *args[1:])
        real = asked(partial(called_on_jax, name, args, kwargs))
        ours = [array_from(np.asarray(a)) if isinstance(a, jax.Array) else a for a in args]
        given = getattr(anp, name)(*ours, **kwargs)
        container = str(real["container"].values)
        assert container in ("", type(given).__mro__[-2].__name__)
        leaves = jax.tree.leaves(given) if name != "broadcast_shapes" else [given]
        for a, kind, b in zip(real["leaves"], real["types"], leaves, strict=True):
            if str(kind.values) == "Array":
                assert unequal(a, b) is None, (name, args, kwargs)
                assert (a.dtype.name, a.weak_type) == (b.aval.dtype, bool(b.aval.weak_type)), (name, args, kwargs)
            else:
                assert np.array_equal(a, b)
                assert str(kind.values) == type(b).__name__


def called_on_jax(name: str, args: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
    """The leaves of what a function of jax.numpy gives, their types, and of what builtin type a sequence of them is."""
    real = getattr(jnp, name)(*args, **kwargs)
    leaves = jax.tree.leaves(real) if name != "broadcast_shapes" else [real]
    types = [np.array("Array" if isinstance(a, jax.Array) else type(a).__name__) for a in leaves]
    container = type(real).__mro__[-2].__name__ if isinstance(real, tuple | list) else ""
    return {
        "leaves": [a if isinstance(a, jax.Array) else np.asarray(a) for a in leaves],
        "types": types,
        "container": np.array(container),
    }


def test_sizes_that_depend_on_traced_values() -> None:
    """They are refused as JAX does, with a sentence that names the argument to give."""
    calls: list[tuple[str, tuple[Any, ...], str]] = [
        ("nonzero", (), "size"), ("argwhere", (), "size"), ("flatnonzero", (), "size"), ("unique", (), "size"),
        ("union1d", (V,), "size"), ("intersect1d", (V,), "size"), ("setdiff1d", (V,), "size"),
        ("setxor1d", (V,), "size"),
        ("trim_zeros", (), "depends on data"), ("unique_all", (), "size"),
    ]  # fmt: skip
    for name, args, word in calls:
        with pytest.raises(ConcretizationTypeError, match=word):
            jit(lambda x, name=name, args=args: getattr(anp, name)(x, *args))(V)
        with pytest.raises(jax.errors.ConcretizationTypeError):
            jax.jit(lambda x, name=name, args=args: getattr(jnp, name)(x, *args))(V)
    traced: list[Callable[[Any, Any], Any]] = [
        lambda numpy, x: numpy.repeat(V, x), lambda numpy, x: numpy.delete(V, x), lambda numpy, x: numpy.bincount(x),
        lambda numpy, x: numpy.choose(x, [x, x]), lambda numpy, x: numpy.pad(V, x[0]),
        lambda numpy, x: numpy.ravel_multi_index((x,), (9,)),
    ]  # fmt: skip
    for f in traced:
        for transform, numpy in ((jit, anp), (jax.jit, jnp)):
            with pytest.raises(TypeError):
                transform(partial(f, numpy))(np.array([1, 0, 2]))


def test_values_that_are_known_while_differentiated() -> None:
    """In a function that is differentiated eagerly, the values decide on sizes; the derivative goes through."""
    assert (
        unequal(jax.grad(lambda x: (jnp.unique(x) ** 2).sum())(V), grad(lambda x: anp.sum(anp.unique(x) ** 2))(V))
        is None
    )
    places = grad(lambda x: anp.sum(x[anp.nonzero(x)] ** 3))(V)
    assert unequal(jax.grad(lambda x: (x[jnp.nonzero(x)] ** 3).sum())(V), places) is None


def test_roll_by_a_traced_shift() -> None:
    x, shifts = matrix("float32"), np.array([2, -1, 7])
    for axis in (None, 0, (0, 1)):
        for shift in shifts if axis != (0, 1) else (shifts[:2],):
            real = jax.jit(lambda x, s, axis=axis: jnp.roll(x, s, axis))(x, shift)
            assert unequal(real, jit(lambda x, s, axis=axis: anp.roll(x, s, axis))(x, shift)) is None


def test_padding_by_a_function() -> None:
    def program(numpy: Any) -> Any:
        def ends(vector: Any, widths: Any, axis: Any, kwargs: Any) -> Any:
            return vector.at[: widths[0]].set(kwargs["value"]).at[vector.shape[0] - widths[1] :].set(axis)

        return numpy.pad(V, (1, 2), ends, value=7)

    assert unequal(program(jnp), program(anp)) is None


MISTAKES: tuple[Callable[[Any], Any], ...] = (
    lambda numpy: numpy.compress(V > 0, X, 5),
    lambda numpy: numpy.compress(np.ones(4), X, 0),
    lambda numpy: numpy.compress(X, X),
    lambda numpy: numpy.compress(np.ones(2), X, 0, size=9),
    lambda numpy: numpy.compress([1], X, out=X),
    lambda numpy: numpy.put(V, 0, 1),
    lambda numpy: numpy.put(V, 0, 1, "raise", inplace=False),
    lambda numpy: numpy.put(V, 0, 1, "x", inplace=False),
    lambda numpy: numpy.place(V, V, V),
    lambda numpy: numpy.place(V, X, V, inplace=False),
    lambda numpy: numpy.place(V, V, V[:0], inplace=False),
    lambda numpy: numpy.fill_diagonal(X, 1),
    lambda numpy: numpy.fill_diagonal(V, 1, inplace=False),
    lambda numpy: numpy.fill_diagonal(X, 1, True, inplace=False),
    lambda numpy: numpy.put_along_axis(X, X, 1, 0),
    lambda numpy: numpy.put_along_axis(X, V, 1, 0, inplace=False),
    lambda numpy: numpy.choose(V, [V, V]),
    lambda numpy: numpy.choose(X, [X]),
    lambda numpy: numpy.choose(X, [X], mode="x"),
    lambda numpy: numpy.bincount(V),
    lambda numpy: numpy.bincount(X),
    lambda numpy: numpy.bincount(X[0], V),
    lambda numpy: numpy.histogram(V, weights=X),
    lambda numpy: numpy.histogram(V, "auto"),
    lambda numpy: numpy.histogram(V, 3, (1, 2, 3)),
    lambda numpy: numpy.histogramdd(X, [1, 2]),
    lambda numpy: numpy.lexsort([]),
    lambda numpy: numpy.lexsort((V,), 3),
    lambda numpy: numpy.partition(V, 9),
    lambda numpy: numpy.partition(V * 1j, 1),
    lambda numpy: numpy.argpartition(V, 0, 2),
    lambda numpy: numpy.ix_(X),
    lambda numpy: numpy.ix_(V > 0),
    lambda numpy: numpy.diag_indices(-1),
    lambda numpy: numpy.tril_indices_from(V),
    lambda numpy: numpy.diag_indices_from(X),
    lambda numpy: numpy.ravel_multi_index((X,), (1,)),
    lambda numpy: numpy.ravel_multi_index((V,), (9,)),
    lambda numpy: numpy.ravel_multi_index((X, X), (9,)),
    lambda numpy: numpy.ravel_multi_index((X,), (9,), "x"),
    lambda numpy: numpy.apply_along_axis(lambda v: v, 3, X),
    lambda numpy: numpy.apply_over_axes(lambda v, axis: v[0, 0], X, (0,)),
    lambda numpy: numpy.vectorize(lambda v: v, signature="n->n")(V),
    lambda numpy: numpy.vectorize(lambda a, b: a, signature="(n),(n)->()")(V, X),
    lambda numpy: numpy.vectorize(lambda v: v, excluded=[-1]),
    lambda numpy: numpy.vectorize(lambda v: v, signature="(n)->()")(V),
    lambda numpy: numpy.vectorize(lambda v: v, excluded=[1.5]),
    lambda numpy: numpy.piecewise(V, [V > 0], [1, 2, 3]),
    lambda numpy: numpy.trim_zeros(V, axis=2),
    lambda numpy: numpy.pad(V, 1, "linear_ramp", end_values=((1, 2), (3, 4))),
    lambda numpy: numpy.pad(V, 1, "mean", stat_length=0),
    lambda numpy: numpy.pad(V, {0: 1}),
    lambda numpy: numpy.split(V, 2),
    lambda numpy: numpy.broadcast_shapes((2,), (3,)),
)


def test_mistakes() -> None:
    """Of functions and arguments that the rules leave to the functions: exceptions of JAX's classes."""
    for number, diagnostic in enumerate(MISTAKES):
        raised = []
        for numpy in (jnp, anp):
            try:
                diagnostic(numpy)
            except Exception as error:
                raised.append(error)
        assert len(raised) == 2, number
        real, given = raised
        builtin = next(e for e in type(real).__mro__ if e.__module__ == "builtins")
        assert isinstance(given, builtin), (number, real, given)
        assert len(str(given)) > 20, number
