"""Tracebacks show the program's frames, and no more of ours than JAX's show of its own; threads that trace at once."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest

import arraytyping
import arraytyping.numpy as anp
from arraytyping import config

BOTH = ((arraytyping, anp), (jax, jnp))


def failing(x: Any) -> Any:
    raise ValueError("boom")


CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "jit": lambda f, n: f.jit(failing)(1.0),
    "grad": lambda f, n: f.grad(failing)(1.0),
    "grad of jit": lambda f, n: f.grad(f.jit(failing))(1.0),
    "vmap": lambda f, n: f.vmap(failing)(n.ones(3)),
    "vjp": lambda f, n: f.vjp(failing, 1.0),
    "jvp": lambda f, n: f.jvp(failing, (1.0,), (1.0,)),
    "linearize": lambda f, n: f.linearize(failing, 1.0),
    "jacobian": lambda f, n: f.jacrev(failing)(1.0),
    "checkpoint": lambda f, n: f.checkpoint(failing)(1.0),
    "make_jaxpr": lambda f, n: f.make_jaxpr(failing)(1.0),
    "scan": lambda f, n: f.lax.scan(lambda c, x: failing(c), 0.0, n.ones(3)),
    "cond": lambda f, n: f.lax.cond(n.ones(()) > 0, failing, failing, 1.0),
    "while": lambda f, n: f.lax.while_loop(failing, failing, 1.0),
    "all at once": lambda f, n: f.jit(f.vmap(f.grad(f.checkpoint(failing))))(n.ones(3)),
    "a function": lambda f, n: n.add(n.ones(2), n.ones(3)),
    "an operator": lambda f, n: n.ones(2) + n.ones(3),
    "an operator in jit": lambda f, n: f.jit(lambda x: x + n.ones(3))(n.ones(2)),
}


def frames(error: BaseException) -> list[tuple[str, str]]:
    return [(frame.filename, frame.name) for frame in traceback.extract_tb(error.__traceback__)]


@pytest.mark.parametrize("name", CALLS)
def test_frames(name: str) -> None:
    found = []
    for framework, numpy in BOTH:
        with pytest.raises((TypeError, ValueError)) as told:
            CALLS[name](framework, numpy)
        found.append(frames(told.value))
    ours, theirs = found
    of_program = [[f for f in fs if f[0] == __file__] for fs in found]
    assert of_program[0] == of_program[1]
    assert len(ours) - len(of_program[0]) <= max(2, len(theirs) - len(of_program[1]))


def test_frames_as_they_are() -> None:
    with config._set_here("traceback_filtering", "off"), pytest.raises(ValueError, match="boom") as told:
        arraytyping.grad(arraytyping.jit(failing))(1.0)
    assert len(frames(told.value)) > 10
    with pytest.raises(ValueError, match="expected one of auto"):
        config.update("jax_traceback_filtering", "some")


def test_threads_that_trace_at_once() -> None:
    counts = []
    for framework, _ in BOTH:
        traced: list[int] = []

        def slow(x: Any, traced: list[int] = traced) -> Any:
            traced.append(1)
            time.sleep(0.05)
            return x + 1

        jitted = framework.jit(slow)
        results: list[float] = []
        threads = [
            threading.Thread(target=lambda j=jitted, r=results: r.append(float(j(1.0)))) for _ in range(4)
        ]  # fmt: skip
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        counts.append(len(traced))
        assert results == [2.0] * 4
    assert counts == [1, 1]


def test_threads_whose_functions_call_each_other() -> None:
    """None waits for one that waits for it."""
    both_trace = threading.Barrier(2, timeout=30)

    def of(other: str) -> Any:
        def function(x: Any) -> Any:
            if not both_trace.broken and other:
                both_trace.wait()
            return functions[other](x) + 1 if other else x

        return arraytyping.jit(function)

    first_inner, second_inner = arraytyping.jit(lambda x: x * 2), arraytyping.jit(lambda x: x * 3)
    functions = {"first": first_inner, "second": second_inner}
    results: list[float] = []
    threads = [
        threading.Thread(target=lambda n=name: results.append(float(of(n)(1.0))), daemon=True) for name in functions
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(results) == [3.0, 4.0]


def test_a_function_that_fails_is_traced_again() -> None:
    count = [0]

    def fails_once(x: Any) -> Any:
        count[0] += 1
        if count[0] == 1:
            raise ValueError("boom")
        return x

    twice = arraytyping.jit(fails_once)
    with pytest.raises(ValueError, match="boom"):
        twice(1.0)
    assert float(twice(1.0)) == 1
    assert count == [2]
