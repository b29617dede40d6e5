"""Sizes that NumPy has computed: a size is what the scalar holds, and a dtype comes from the scalar's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from arraytyping.checker.audit import compare, run_program
from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.settings import Settings

CREATIONS = """
import numpy as np, jax, jax.numpy as jnp
n = np.prod((2, 3))
small = np.int16(3)
print(jnp.zeros(n), jnp.full((n, 2), 1.0), jnp.arange(n), jnp.arange(small), jnp.arange(small, n), jnp.eye(n))
print(jnp.linspace(0, 1, n), jnp.tile(jnp.ones(2), n), jnp.repeat(jnp.ones(2), small), jnp.empty((n,), jnp.int32))
print(jnp.broadcast_to(jnp.ones(()), (n,)), jnp.zeros(shape=(n, small)), jnp.ones((7,))[:n], jnp.ones(7)[small])
print(jnp.split(jnp.ones(12), small), jax.lax.iota(jnp.int32, small), jnp.ones(6).reshape((n, -1)), jnp.full(n, small))
print(jnp.zeros(max(np.prod(s) for s in [(2, 3), (4,)])), jnp.zeros((np.prod((2, 3)) // 2, 2)))
"""
OPERANDS = """
import numpy as np, jax, jax.numpy as jnp
n = np.int64(3)
small = np.int16(3)

def f(x):
    print(x * small, jnp.power(x, n), jnp.where(x > 0, x, small), jnp.clip(x, small, n), jnp.isclose(x, n, small))
    print(jnp.concatenate([x, np.array([small, small])]), jnp.pad(x, (n, small), constant_values=small))
    print(jnp.stack([jnp.sum(x), jnp.asarray(n)]), jnp.roll(x, n), jnp.take(x, n), jnp.expand_dims(x, np.int64(0)))
    print(jnp.sum(x, axis=np.int64(0)), jnp.cumsum(x, axis=n - n), jnp.array([small, small]), x[small:], x[n])

for dtype in ("int8", "uint8", "int32", "float16", "bfloat16", "float32"):
    f(jnp.ones((6,), dtype))
"""


@pytest.mark.parametrize("program", [CREATIONS, OPERANDS], ids=["creations", "operands"])
def test_sizes_are_known_and_dtypes_are_those_of_jax(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    (tmp_path / "program.py").write_text(program)
    monkeypatch.chdir(tmp_path)
    found = analyze([Path("program.py")], Settings())
    assert not found.diagnostics
    assert not found.crashes
    run = run_program(Path("program.py"), ())
    assert run.exception is None, run.traceback
    statistics = compare(found.claims, run.observations).statistics
    assert statistics.wrong == 0
    if program is CREATIONS:
        assert statistics.fully_known == statistics.arrays
