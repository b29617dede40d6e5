"""Functions that JAX calls back from compiled programs: what is said in them and of what they change, against runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from arraytyping.checker.audit import Statistics, compare, run_program
from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.settings import Settings

pytest.importorskip("jax")

PROGRAM = """\
import functools
import jax, numpy as np, jax.numpy as jnp
from jax.experimental import io_callback
hist = []
pure = []
shown = {}
def put(x, scale=1.0):
    y = x["a"] * scale
    hist.append(y + 1)
    shown["last"] = y
def give(x):
    pure.append(x)
    return np.asarray(x, np.float32) * 2
@jax.jit
def step(x, k):
    io_callback(put, None, {"a": x, "b": 1}, scale=2.0)
    jax.debug.callback(put, {"a": x.sum()}, 3)
    jax.debug.callback(functools.partial(put, scale=3), {"a": k})
    return io_callback(give, jax.ShapeDtypeStruct((3,), jnp.float32), x)
r = step(jnp.ones(3), 2)
jax.effects_barrier()
y = jnp.zeros(len(hist))
w = jnp.zeros(len(pure))
s = shown["last"]
def each(x):
    io_callback(put, None, {"a": x})
    jax.debug.callback(put, {"a": x[:2]})
    return x * 2
v = jax.vmap(each)(jnp.ones((4, 5)))
def loss(x):
    jax.debug.callback(put, {"a": x})
    return (x ** 2).sum()
g = jax.grad(loss)(jnp.ones(6, jnp.float16))
def body(c, x):
    jax.debug.callback(put, {"a": c + x})
    return c, x
_ = jax.lax.scan(body, 0, jnp.arange(3))
io_callback(put, None, {"a": np.ones(3)})
io_callback(put, None, {"a": True})
io_callback(put, None, {"a": 1.5})
jax.debug.callback(lambda name, x: shown.update({name: x + 1}), "loss", jnp.ones(2))
z = jax.pure_callback(give, jax.ShapeDtypeStruct((3,), jnp.float32), jnp.ones(3))
jax.effects_barrier()
q = jnp.zeros(len(pure))
"""

MAPPED = """\
import jax, numpy as np, jax.numpy as jnp

def whole(x):
    y = jnp.asarray(x) * 2
    return np.asarray(y, np.float32)

def each(x):
    return jax.pure_callback(whole, jax.ShapeDtypeStruct((3,), jnp.float32), x, vmap_method="expand_dims")

r = jax.vmap(each)(jnp.ones((4, 3)))

class Log:
    def __init__(self):
        self.count = 0
    def add(self, x):
        self.count += 1
        self.last = jnp.ones(self.count)

log = Log()
for i in range(3):
    jax.debug.callback(log.add, r)
jax.effects_barrier()
s = jnp.zeros(log.count)
t = log.last
jax.debug.callback(log.add, r, partitioned=True)
"""


def audited(text: str, directory: Path) -> tuple[list[str], Statistics]:
    """Which claims are wrong, and how much is known."""
    program = directory / "program.py"
    program.write_text(text, encoding="utf-8")
    run = run_program(program)
    assert run.exception is None
    found = compare(analyze([program], Settings()).claims, run.observations)
    return [str(wrong) for wrong in found.wrong], found.statistics


def test_what_is_called_back_is_given_arrays_of_known_dtypes_and_shapes(tmp_path: Path) -> None:
    wrong, counts = audited(PROGRAM, tmp_path)
    assert wrong == []
    assert counts.arrays > 40
    assert counts.dtype_known >= counts.arrays - 1


def test_what_is_called_back_changes_what_it_changes_any_number_of_times(tmp_path: Path) -> None:
    wrong, counts = audited(MAPPED, tmp_path)
    assert wrong == []
    assert counts.arrays > 10
