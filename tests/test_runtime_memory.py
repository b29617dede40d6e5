"""What long loops leave: memory, programs, time."""

from __future__ import annotations

import gc
import sys
import weakref
from pathlib import Path
from typing import Any
from unittest.mock import patch

import jax  # noqa: F401  # whose caches are cleared after each file of tests
import numpy as np
import pytest

import arraytyping as at
import arraytyping.numpy as anp
from arraytyping.runtime.tracing import partial_eval
from arraytyping.runtime.tracing.staging import stage
from arraytyping.runtime.transformations import program_cache, retracing
from arraytyping.runtime.xla import execution


def resident() -> int:
    """The memory of this process, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="it reads the memory's size from /proc")
def test_a_loop_of_eager_gradients_leaves_nothing() -> None:
    gradient = at.grad(lambda w, x: ((x @ w - 1.0) ** 2).sum())
    x = anp.ones((8, 4))

    def work(times: int) -> None:
        w = anp.zeros(4)
        for _ in range(times):
            w = w - 0.01 * gradient(w, x)

    work(300)
    before = resident()
    work(3000)
    assert resident() - before < 5e6, "XLA's garbage is collected with Python's"


def test_wrappers_of_one_function_share_what_it_was_traced_to() -> None:
    traced: list[Any] = []

    def function(x: Any) -> Any:
        traced.append(x)
        return x * 2

    for _ in range(5):
        assert float(at.jit(function)(anp.float32(3))) == 6
    assert len(traced) == 1
    at.jit(function, static_argnums=0)(3)
    at.jit(function, donate_argnums=0)(anp.float32(3))
    assert len(traced) == 3, "other options are other programs"
    at.jit(function).clear_cache()
    at.jit(function)(anp.float32(3))
    assert len(traced) == 4


def test_what_a_function_was_traced_to_goes_with_it() -> None:
    def made() -> Any:
        constant = anp.arange(10.0)

        def function(x: Any) -> Any:
            return x + constant

        at.jit(function)(anp.ones(10))
        return weakref.ref(function)

    before = len(program_cache._caches)
    functions = [made() for _ in range(20)]
    gc.collect()
    assert [f() for f in functions] == [None] * 20
    assert len(program_cache._caches) <= before


def test_callables_that_are_equal_are_not_one() -> None:
    class Scale:
        def __init__(self, by: float) -> None:
            self.by = by

        def __call__(self, x: Any) -> Any:
            return x * self.by

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Scale)

        def __hash__(self) -> int:
            return 0

    assert [float(at.jit(Scale(by))(anp.float32(3))) for by in (1, 2, 3)] == [3, 6, 9]


def test_a_function_that_closes_over_a_tracer_is_traced_once_in_a_trace() -> None:
    traced: list[Any] = []

    def outer_of(w: Any, x: Any) -> Any:
        def layer(x: Any) -> Any:
            traced.append(x)
            return anp.tanh(x * w)

        run: Any = at.jit(layer)

        for _ in range(50):
            x = run(x)
        return x

    outer: Any = at.jit(outer_of)
    value = outer(anp.float32(0.5), anp.ones(3))
    assert len(traced) == 1
    assert [e.primitive.name for e in outer.jaxpr(anp.float32(0.5), anp.ones(3)).eqns] == ["jit"] * 50
    gradient = at.grad(lambda w: outer(w, anp.ones(3)).sum())(0.5)
    assert value.shape == (3,)
    assert abs(float(gradient)) < 1e-6
    assert at.vmap(outer, in_axes=(0, None))(anp.array([0.5, 0.25]), anp.ones(3)).shape == (2, 3)


def test_tracers_of_an_earlier_trace_are_not_used_again() -> None:
    cell: list[Any] = [None]

    inner: Any = at.jit(lambda x: x + cell[0])

    def outer(w: Any) -> Any:
        cell[0] = w
        return inner(w * 2)

    for value in (1.0, 2.0):
        assert float(at.grad(outer)(value)) == 3
        assert float(at.jit(outer)(value)) == 3 * value
    assert [float(v) for v in at.vmap(outer)(anp.arange(3.0))] == [0, 3, 6]


def test_the_number_of_programs_is_bounded() -> None:
    cache: program_cache.ProgramCache[int] = program_cache.ProgramCache()
    with patch.object(program_cache, "MOST_TRACES", 10):
        for i in range(25):
            cache.keep(i, i)
    assert list(cache.entries) == list(range(15, 25))
    with patch.object(execution, "MOST_PROGRAMS", len(execution._compiled) + 2):
        for n in range(40, 48):
            anp.ones(n) * 2
        assert len(execution._compiled) <= execution.MOST_PROGRAMS


def test_the_reason_of_a_trace_is_found_among_the_last() -> None:
    function = at.jit(lambda x: x + 1)
    with patch.object(retracing, "_differences", wraps=retracing._differences) as compared:
        for n in range(60):
            function(anp.ones(n + 1))
    assert compared.call_count < 60 * 17
    assert str(function.traces[-1]) == "x is f32[60], and was f32[59]"


def test_transposing_nested_jits_splits_each_once() -> None:
    def nested(depth: int) -> Any:
        f: Any = anp.sin
        for _ in range(depth):
            f = at.jit(lambda x, f=f: f(x) * 1.5)
        return f

    counts = []
    for depth in (8, 16):
        with patch.object(partial_eval, "stage", wraps=stage) as staged:
            second = at.grad(at.grad(nested(depth)))(1.0)
        assert abs(float(second) + 0.8414709848 * 1.5**depth) < 1e-4 * 1.5**depth
        counts.append(staged.call_count)
    assert counts[1] < 2.5 * counts[0], "in proportion to the depth"


def test_memory_for_large_arguments_has_an_end_and_is_let_go() -> None:
    kept = sys.modules["arraytyping.runtime.xla.jaxlib_api.argument_memory"]._large_kept
    gc.collect()
    before, large = kept[0], np.ones((1000, 1000), "float32")
    functions = [at.jit(lambda x, i=i: x[0] + i) for i in range(24)]
    for i, function in enumerate(functions):
        for k in range(5):
            large[0, 0] = k
            assert float(function(large)[0]) == k + i
    assert before < kept[0] <= 1 << 26
    del function
    functions.clear()
    gc.collect()
    assert kept[0] == before


def test_names_of_the_package_are_looked_up_once() -> None:
    assert at.jit is vars(at)["jit"]
    assert at.remat is vars(at)["remat"]
