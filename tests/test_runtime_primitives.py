"""The matrix: every primitive in every transformation, against jax.

The cells of a row are: eagerly, jitted, forward and reverse differentiation, mapped over each operand alone (from the
first and from the last dimension) and over all, the jaxpr type-checked and read back from its text.  All that is
computed by one framework is one program, so that there is one compilation for each row.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any
from unittest.mock import patch

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from answers import asked
from runtime_primitive_cases import CASES, Case
from shares import spread

import arraytyping
import arraytyping.lax
import arraytyping.runtime.whole
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.jaxpr.parser import parse_jaxpr
from arraytyping.runtime.jaxpr.printer import jaxpr_text
from arraytyping.runtime.jaxpr.typecheck import typecheck_jaxpr

OURS: Any = arraytyping
TOLERANCE = 5e-5

ELSEWHERE = {
    "threefry2x32": "the random numbers are compared bit by bit in test_runtime_random.py",
    **dict.fromkeys(
        ("rng_bit_generator", "threefry4x32", "philox2x32", "philox4x32"),
        "compared bit by bit in test_runtime_key_implementations.py",
    ),
    "cholesky_update": "it is not mapped: test_runtime_lax_linalg.py",
    "composite": "it has a jaxpr: test_runtime_composites.py",
    "dce_sink": "it gives nothing: test_runtime_composites.py",
    **dict.fromkeys(("custom_linear_solve", "reduce"), "they take functions: test_runtime_solutions.py"),
    **dict.fromkeys(
        ("all_to_all", "pvary", "reduce_scatter", "reshard", "sharding_constraint"),
        "they are of several devices: test_runtime_meshes.py",
    ),
    **dict.fromkeys(
        ("custom_jvp_call", "custom_vjp_call", "custom_vmap_call"), "they have rules: test_runtime_custom_rules.py"
    ),
    "remat_opt": "it is what optimize_remat makes: test_runtime_custom_rules.py",
}
"""Primitives that are in no row, and where they are tested."""


def arrays(values: tuple[Any, ...], framework: Any) -> list[Any]:
    return [framework.numpy.asarray(v) for v in values]


def listed(result: Any) -> list[Any]:
    """The arrays of a result, one after the other."""
    return [leaf for part in result for leaf in listed(part)] if isinstance(result, tuple | list) else [result]


def is_inexact(dtype: Any) -> bool:
    return bool(jnp.issubdtype(dtype, jnp.inexact))


def results_of(case: Case, *operands: Any) -> list[tuple[Any, Any, Any]]:
    """Of each result of a case in jax: an array of its dtype without elements, the shape, and whether it is weak."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        shapes = jax.eval_shape(lambda *xs: listed(case.program(jax)(*xs)), *operands)
    return [(np.zeros(0, s.dtype), np.array(s.shape, np.int64), np.array(s.weak_type)) for s in shapes]


class Cells:
    """What is computed of a case: the operands, the tangents, and the cells, each a function of a framework."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.operands = tuple(map(np.asarray, case.operands))
        self.second = tuple(map(np.asarray, case.second))
        self.moving = [i for i, x in enumerate(self.operands) if is_inexact(x.dtype)]
        random = np.random.default_rng(3)

        def like(shape: Any, dtype: Any) -> Any:
            values = random.uniform(-1, 1, shape)
            return (values + 1j * random.uniform(-1, 1, shape) if "complex" in str(dtype) else values).astype(dtype)

        results = asked(partial(results_of, case, *self.operands))
        self.results = [(tuple(map(int, shape.values)), none.dtype, bool(weak.values)) for none, shape, weak in results]
        self.inexact = [i for i, (_, dtype, _) in enumerate(self.results) if is_inexact(dtype)]
        self.tangents = tuple(like(self.operands[i].shape, self.operands[i].dtype) for i in self.moving)
        self.cotangents = tuple(like(*self.results[i][:2]) for i in self.inexact)

    def function(self, framework: Any) -> Callable[..., list[Any]]:
        return lambda *xs: listed(self.case.program(framework)(*xs))

    def differentiable(self, framework: Any, xs: list[Any]) -> Callable[..., list[Any]]:
        """The function of the inexact operands that gives the inexact results."""

        def function(*moving: Any) -> list[Any]:
            given = list(xs)
            for i, x in zip(self.moving, moving):
                given[i] = x
            results = self.function(framework)(*given)
            return [results[i] for i in self.inexact]

        return function

    def jvp(self, framework: Any, xs: list[Any], dots: list[Any], cts: list[Any]) -> list[Any]:
        del cts
        primals = [xs[i] for i in self.moving]
        return listed(framework.jvp(self.differentiable(framework, xs), primals, dots))

    def vjp(self, framework: Any, xs: list[Any], dots: list[Any], cts: list[Any]) -> list[Any]:
        del dots
        _, pull = framework.vjp(self.differentiable(framework, xs), *(xs[i] for i in self.moving))
        return list(pull(cts))

    def mapped(self) -> Iterator[tuple[int | None, ...]]:
        """Over which dimension of each operand to map: of several over all, over each alone, and once over the last."""
        n = len(self.operands)
        if n > 1:
            yield (0,) * n
        yield (-1, *(None,) * (n - 1))
        for i in range(1, n):
            yield tuple(0 if i == j else None for j in range(n))

    def vmap(self, framework: Any, axes: tuple[int | None, ...], batch: list[Any]) -> list[Any]:
        return listed(framework.vmap(self.function(framework), in_axes=axes)(*batch))

    def batched(self, axes: tuple[int | None, ...]) -> tuple[Any, ...]:
        pairs = zip(self.operands, self.second, axes)
        return tuple(x if axis is None else np.stack([x, y], axis) for x, y, axis in pairs)

    def names(self) -> list[str]:
        """The cells that are compared with jax."""
        left_out = {*self.case.without, *self.case.differs}
        found = ["jit"]
        if self.moving and self.inexact:
            found += [how for how in ("jvp", "vjp") if how not in left_out]
        return found + [f"vmap {axes}" for axes in self.mapped()]

    def program(self, framework: Any) -> Callable[..., dict[str, list[Any]]]:
        """All cells, computed of the operands, the tangents, the cotangents and the batches."""
        names = self.names()
        every = list(self.mapped())

        def compute(xs: list[Any], dots: list[Any], cts: list[Any], batches: list[list[Any]]) -> dict[str, list[Any]]:
            cells = {"jit": self.function(framework)(*xs)}
            for how in ("jvp", "vjp"):
                if how in names:
                    cells[how] = getattr(self, how)(framework, xs, dots, cts)
            for axes, batch in zip(every, batches):
                cells[f"vmap {axes}"] = self.vmap(framework, axes, batch)
            return cells

        return compute

    def arguments(self, framework: Any) -> tuple[Any, ...]:
        batches = [arrays(self.batched(axes), framework) for axes in self.mapped()]
        given = (self.operands, self.tangents, self.cotangents)
        return (*(arrays(values, framework) for values in given), batches)


@cache
def cells_of(name: str) -> Cells:
    return Cells(CASES[name])


def epsilon(dtype: Any) -> Any:
    """The distance from 1 to the next number."""
    return jnp.finfo(dtype).eps  # type: ignore[no-untyped-call]


def difference(ours: Any, theirs: Any, tolerance: float = TOLERANCE) -> str | None:
    """How two arrays differ; None if they are equal to rounding."""
    a, b = np.asarray(ours), np.asarray(theirs)
    if a.shape != b.shape or a.dtype != b.dtype:
        return f"{a.dtype}{a.shape} here, {b.dtype}{b.shape} in jax"
    if not is_inexact(b.dtype):
        return None if np.array_equal(a, b) else f"{a} here, {b} in jax"
    wide = np.complex128 if "complex" in str(b.dtype) else np.float64
    tolerance = max(tolerance, 4 * float(epsilon(b.dtype)))
    a, b = a.astype(wide), b.astype(wide)
    scale = np.max(np.abs(b), where=np.isfinite(b), initial=1.0)
    return None if np.allclose(a, b, tolerance, tolerance * scale, equal_nan=True) else f"{a} here, {b} in jax"


def compared(what: str, ours: list[Any], theirs: list[Any]) -> list[str]:
    if len(ours) != len(theirs):
        return [f"{what}: {len(ours)} arrays here, {len(theirs)} in jax"]
    found = [(i, difference(a, b)) for i, (a, b) in enumerate(zip(ours, theirs))]
    return [f"{what}, result {i}: {text}" for i, text in found if text]


def row(cells: Cells, framework: Any) -> dict[str, list[Any]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found: dict[str, list[Any]] = framework.jit(cells.program(framework))(*cells.arguments(framework))
    return found


@pytest.mark.parametrize("name", spread(CASES, 4))
def test_row(name: str) -> None:
    cells = cells_of(name)
    wrong = []
    expected, given = asked(partial(row, cells, jax)), row(cells, OURS)
    for cell in cells.names():
        wrong += compared(cell, given[cell], expected[cell])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        eager = cells.function(OURS)(*arrays(cells.operands, OURS))
    wrong += compared("eager", eager, expected["jit"])
    for result, (_, _, weak) in zip(eager, cells.results):
        if result.weak_type != weak:
            wrong.append(f"weak_type {result.weak_type} here, {weak} in jax")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", spread(CASES, 3))
def test_jaxpr(name: str) -> None:
    """The jaxpr of all cells follows the rules of the primitives, and its text means the same."""
    closed = traced(name)
    assert typecheck_jaxpr(closed).out_types == tuple(closed.out_avals)
    text = jaxpr_text(closed.jaxpr)
    if "<" not in text:  # what is held by identity, such as a function, is not read back
        assert jaxpr_text(parse_jaxpr(text)) == text


BOUND: set[str] = set()
"""The names of the primitives that the programs traced so far apply, under any transformation."""


@cache
def traced(name: str) -> Any:
    cells = cells_of(name)
    bind = Primitive.bind

    def recording(self: Primitive, *args: Any, **params: Any) -> Any:
        BOUND.add(self.name)
        return bind(self, *args, **params)

    with warnings.catch_warnings(), patch.object(Primitive, "bind", recording):
        warnings.simplefilter("ignore")
        return OURS.make_jaxpr(cells.program(OURS))(*cells.arguments(OURS))


REFUSED = [(case.name, how) for case in CASES.values() for how in case.without]


@pytest.mark.parametrize(("name", "how"), REFUSED)
def test_refused(name: str, how: str) -> None:
    """What JAX refuses is refused here too, by an exception of the same class."""
    cells = cells_of(name)

    def run(framework: Any) -> None:
        xs, dots, cts, _ = cells.arguments(framework)
        getattr(cells, how)(framework, xs, dots, cts)

    with pytest.raises(Exception) as theirs:  # noqa: PT011
        run(jax)
    with pytest.raises((NotImplementedError, ValueError)) as ours:
        run(OURS)
    assert isinstance(ours.value, theirs.type) or isinstance(theirs.value, NotImplementedError | ValueError)


DIFFERENT = [(case.name, how) for case in CASES.values() for how in case.differs]


@pytest.mark.parametrize(("name", "how"), DIFFERENT)
def test_differs(name: str, how: str) -> None:
    """Where JAX is wrong or refuses, finite differences agree with the tangent here, and not with JAX's."""
    cells = cells_of(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        xs, dots, cts, _ = cells.arguments(OURS)
        results = OURS.jit(lambda *args: getattr(cells, how)(OURS, *args))(xs, dots, cts)
        try:
            theirs = jax.jit(lambda *args: getattr(cells, how)(jax, *args))(*cells.arguments(jax)[:3])
        except NotImplementedError:
            theirs = None
    n, step = len(cells.inexact), 1e-3

    def moved(sign: float) -> list[Any]:
        given = list(cells.operands)
        for i, t in zip(cells.moving, cells.tangents):
            given[i] = given[i] + np.asarray(sign * step * t, given[i].dtype)
        found = jax.jit(cells.function(jax))(*given)
        return [np.asarray(found[i], np.float64) for i in cells.inexact]

    slopes = [(a - b) / (2 * step) for a, b in zip(moved(1), moved(-1))]

    def paired(found: list[Any]) -> list[Any]:
        """The tangents; or the cotangents times the tangents, which are the slopes times the results' cotangents."""
        if how == "jvp":
            return [np.asarray(r) for r in found[n:]]
        return [sum(np.vdot(np.asarray(r, np.float64), t) for r, t in zip(found, cells.tangents))]

    measured = slopes if how == "jvp" else [sum(np.vdot(c, s) for c, s in zip(cells.cotangents, slopes))]
    assert all(np.allclose(a, b, 2e-2, 2e-2) for a, b in zip(paired(results), measured)), (results, measured)
    if theirs is not None:
        assert not all(np.allclose(a, b, 2e-2, 2e-2) for a, b in zip(paired(theirs), measured)), "JAX is right now"


def of_dtypes(fw: Any) -> dict[str, Callable[[Any, Any], Any]]:
    """Operations of arrays of any dtype, of a matrix and of indices."""
    lax = fw.lax
    of_rows = lax.GatherDimensionNumbers((1,), (0,), (0,))
    to_rows = lax.ScatterDimensionNumbers((1,), (0,), (0,))
    return {
        "reduce_sum": lambda x, i: lax.reduce_sum(x, (0,)),
        "reduce_prod": lambda x, i: lax.reduce_prod(x, (1,)),
        "reduce_max": lambda x, i: lax.reduce_max(x, (0,)),
        "reduce_min": lambda x, i: lax.reduce_min(x, (1,)),
        "reduce_and": lambda x, i: lax.reduce_and(x, (0,)),
        "reduce_xor": lambda x, i: lax.reduce_xor(x, (0,)),
        "argmax": lambda x, i: lax.argmax(x, 1, "int32"),
        "argmin": lambda x, i: lax.argmin(x, 0, "int32"),
        "cumsum": lambda x, i: lax.cumsum(x, 1),
        "cummax": lambda x, i: lax.cummax(x, 1, True),
        "sort": lambda x, i: lax.sort(x),
        "top_k": lambda x, i: lax.top_k(x, 2)[0],
        "gather": lambda x, i: lax.gather(x, i, of_rows, (1, 3)),
        "scatter_add": lambda x, i: lax.scatter_add(x, i, lax.gather(x, i, of_rows, (1, 3), mode="clip"), to_rows),
        "scatter_max": lambda x, i: lax.scatter_max(x, i, lax.gather(x, i, of_rows, (1, 3), mode="clip"), to_rows),
        "dot": lambda x, i: lax.dot_general(x, x, (((1,), (1,)), ((), ()))),
        "windows": lambda x, i: lax.reduce_window(x, lax.full((), 0, x.dtype), lax.add, (2, 2)),
        "pad": lambda x, i: lax.pad(x, lax.full((), 1, x.dtype), ((0, 1, 1), (1, 0, 0))),
        "clamp": lambda x, i: lax.clamp(lax.full((), 0, x.dtype), x, lax.full((), 1, x.dtype)),
        "bitcast": lambda x, i: lax.bitcast_convert_type(x, "uint8"),
    }


DTYPES = ("bool", "int4", "uint32", "bfloat16", "float8_e5m2", "complex64", "float64")


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(dtype: str) -> None:
    """Values in dtypes of every kind; what JAX refuses for one is refused here, too."""
    low = 0 if dtype.startswith(("bool", "uint")) else -4
    values = np.random.default_rng(5).integers(low, 4, (4, 3))
    indices = np.array([[1], [1], [7], [-1], [0]], np.int32)
    with warnings.catch_warnings(), jax.enable_x64(dtype == "float64"), OURS.enable_x64(dtype == "float64"):
        warnings.simplefilter("ignore")

        def operands(fw: Any) -> tuple[Any, Any]:
            return fw.numpy.asarray(values, dtype), fw.numpy.asarray(indices)

        def refuses(fw: Any, function: Callable[..., Any]) -> bool:
            try:
                fw.jit(function).lower(*operands(fw)) if fw is jax else fw.jit(function)(*operands(fw))
            except (TypeError, ValueError, NotImplementedError):
                return True
            return False

        refused = [name for name, function in of_dtypes(jax).items() if refuses(jax, function)]
        # XLA compiles it for no such dtype with the flags of the tests: see below.
        apart = {*refused, *(["clamp"] if dtype in ("bool", "complex64") else [])}

        def every(fw: Any) -> Callable[..., Any]:
            return lambda x, i: {n: f(x, i) for n, f in of_dtypes(fw).items() if n not in apart}

        expected = jax.jit(every(jax))(*operands(jax))
        given = OURS.jit(every(OURS))(*operands(OURS))
        assert [n for n in refused if not refuses(OURS, of_dtypes(OURS)[n])] == []
    wrong = [text for name in expected for text in compared(name, [given[name]], [expected[name]])]
    assert not wrong, "\n".join(wrong)


def primitives() -> set[str]:
    """The names of all primitives of all modules of `lax`."""
    found = set()
    for module in pkgutil.walk_packages(arraytyping.runtime.lax.__path__, "arraytyping.runtime.lax."):
        found |= {v.name for v in vars(importlib.import_module(module.name)).values() if isinstance(v, Primitive)}
    return found


def test_every_primitive_is_in_the_matrix() -> None:
    for name in CASES:
        traced(name)
    every = primitives()
    assert sorted(every - BOUND - set(ELSEWHERE)) == []
    assert sorted(set(ELSEWHERE) - every) == [], "of the exceptions, these are no primitives of lax"
    assert sorted(set(ELSEWHERE) & BOUND) == [], "these are in the matrix now"


def test_names_of_lax() -> None:
    """What the module exports, it exports under JAX's names; what it does not have is known."""
    exported = {n for n in vars(arraytyping.lax) if not n.startswith("_")}
    theirs = {n for n in dir(jax.lax) if not n.startswith("_") and n != "linalg"}
    assert sorted(exported - theirs - {"linalg"}) == []
    missing = {n for n in theirs - exported if callable(getattr(jax.lax, n)) and not n.endswith("_p")}
    assert sorted(missing - MISSING.keys()) == []
    assert sorted(MISSING.keys() - missing) == [], "these are there now"


MISSING = {
    name: reason
    for names, reason in (
        ("precv psend ragged_all_to_all",
         "of several devices, which wait for each other"),
        ("AccuracyMode Tolerance DotAlgorithm",
         "choices of what is not implemented"),
        ("after_all create_token",
         "what is only said to the compiler"),
        ("scaled_dot", "kernels of accelerators"),
        ("rng_uniform", "random numbers that depend on the platform"),
    )
    for name in names.split()
}  # fmt: skip
"""The public functions and classes of `jax.lax` that are left out, by what they are."""


CLAMPED = """\
import numpy as np, jax, jax.numpy as jnp, arraytyping as at, arraytyping.numpy as anp
for dtype in ("bool", "complex64"):
    x = np.random.default_rng(5).integers(0, 4, (4, 3))
    given = [
        np.asarray(fw.jit(lambda x: fw.lax.clamp(fw.lax.full((), 0, x.dtype), x, fw.lax.full((), 1, x.dtype)))(
            np_.asarray(x, dtype)))
        for fw, np_ in ((at, anp), (jax, jnp))
    ]
    np.testing.assert_array_equal(*given, strict=True)
"""


def test_clamp_as_xla_compiles_it_by_default() -> None:
    """The flags that make tests faster leave XLA without it for these dtypes."""
    subprocess.run([sys.executable, "-c", CLAMPED], check=True, env={**os.environ, "XLA_FLAGS": ""})
