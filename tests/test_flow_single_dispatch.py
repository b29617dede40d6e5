"""`functools.singledispatch`: the function that is called is the one that a run calls."""

from __future__ import annotations

from pathlib import Path

import pytest
from flow_values import interpreted

from arraytyping.checker.audit import compare, run_program
from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.settings import Settings

PROGRAM = """
import functools
import numbers
import numpy as np
import jax, jax.numpy as jnp

class A: ...
class B(A): ...
class C(B): ...

@functools.singledispatch
def f(x, n=2):
    return jnp.ones(1)

@f.register(A)
def _(x, n=2):
    return jnp.ones((2, n))

@f.register
def _b(x: B, n=2):
    return jnp.ones(3)

f.register(int, lambda x, n=2: jnp.ones(4))

@f.register(str)
@f.register(bytes)
def _texts(x, n=2):
    return jnp.ones(5)

@f.register(np.ndarray)
@f.register(jax.Array)
def _(x, n=2):
    return jnp.asarray(x)

f(A(), n=5); f(B()); f(C()); f(3); f(True); f("s"); f(b"s"); f(2.5); f(None)
f(jnp.ones(7)); f(np.ones((8, 1), np.float32)); f.dispatch(C)(C()); f.__wrapped__(3)

@f.register
def _(x: C | float, n=2):
    return jnp.ones(6)

f(C()); f(2.5); f(B())
"""


def test_the_function_is_the_one_of_the_nearest_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    found = analyze([Path("program.py")], Settings())
    assert not found.crashes
    assert not [m for m in found.diagnostics if m.code != "array-unused"]
    run = run_program(Path("program.py"), ())
    assert run.exception is None, run.traceback
    statistics = compare(found.claims, run.observations).statistics
    assert (statistics.wrong, statistics.fully_known) == (0, statistics.arrays)


def test_what_is_registered_on_some_paths_only_is_not_known() -> None:
    names, result = interpreted(
        """
import functools
import random
import jax.numpy as jnp

@functools.singledispatch
def f(x):
    return jnp.ones(1)

if random.random() < 0.5:
    f.register(int, lambda x: jnp.ones(2))
a = f(3)
f()
"""
    )
    assert "2" not in str(names["a"]) or "|" in str(names["a"]) or "?" in str(names["a"])
    assert [m.line for m in result.diagnostics if m.is_certain] == [13]
