"""What a program says itself of arrays from elsewhere: annotations, assertions, shapes that it takes apart."""

from __future__ import annotations

import sys
import types
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from flow_values import difference, interpreted, run

from arraytyping.checker.flow.state.showing import show

PREAMBLE = """
import dataclasses
import chex, jax, jax.numpy as jnp, numpy as np
import elsewhere
from elsewhere import ones
from jaxtyping import Array, Float32, Int32
"""


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """A module that the run has and flow has not."""
    module = types.ModuleType("elsewhere")
    module.__dict__.update(
        ones=lambda *shape, dtype="float32": jnp.ones(shape, dtype), np_ones=np.ones, count=lambda: 2
    )
    monkeypatch.setitem(sys.modules, "elsewhere", module)


def held(source: str) -> dict[str, Any]:
    """What flow knows of the variables of a program, each of which describes what the run has."""
    found, result = interpreted(PREAMBLE + source)
    assert not [m for m in result.diagnostics if m.is_certain], result.diagnostics
    real = run(PREAMBLE + source)
    names = [name for name in found if len(name) == 1 and name.isalpha() and name in real and not callable(real[name])]
    wrong = {name: difference(found[name], real[name]) for name in names}
    assert not {name: text for name, text in wrong.items() if text}
    return {name: show(found[name]) for name in names}


@pytest.mark.usefixtures("elsewhere")
def test_annotations_of_what_is_not_known_otherwise() -> None:
    found = held("""
def f(x: Float32[Array, "n 3"], y: Float32[Array, "n"], z: Float32[np.ndarray, "n k"]):
    return x @ x.T, y, x.T @ y, z
a, b, c, d = f(ones(4, 3), ones(4), elsewhere.np_ones((4, 2), np.float32))
e, g, h, i = f(jnp.ones((5, 3)), ones(5), elsewhere.np_ones((5, 2), np.float32))
@dataclasses.dataclass
class Layer:
    w: Float32[Array, "n d"]
    def __post_init__(self):
        self.v: Int32[Array, "n"] = ones(7, dtype="int32")
j = Layer(ones(2, 3, 4)).w
k: Int32[Array, "b t"] = ones(2, 3, dtype="int32")
l = jax.nn.one_hot(k, 10)
def other() -> tuple[Float32[Array, "3"], int]:
    return elsewhere.ones(3), elsewhere.count()
m, _ = other()
o = Layer(ones(2, 3)).v
""")
    assert found == {
        "a": "float32[n1, n1]", "b": "float32[n1]", "c": "float32[3]", "d": "the NumPy array float32[n1, k2]",
        "e": "float32[5, 5]", "g": "float32[5]", "h": "float32[3]", "i": "the NumPy array float32[5, k3]",
        "j": "float32[...]", "k": "int32[b5, t6]", "l": "float32[b5, t6, 10]", "m": "float32[3]", "o": "int32[n7]",
    }  # fmt: skip


@pytest.mark.usefixtures("elsewhere")
def test_assertions_and_shapes_that_are_taken_apart() -> None:
    found = held("""
def make(*shape): return jnp.asarray(ones(*shape), jnp.float32)
a = make(2, 3)
assert a.ndim == 2
b, c = a.shape
d = a.reshape(b * c)
e = jnp.concatenate([a, a])
f = make(4, 5)
if f.shape != (4, 5):
    raise ValueError("another shape")
g = make(7, 3)
assert g.shape[-1] == 3 and len(g.shape) == 2
h = make(2, 3, 4)
i, j, k = h.shape
l = jnp.einsum("btd,de->bte", h, jnp.ones((k, 16)))
m = np.asarray(elsewhere.np_ones((2, 6)), np.float32)
n, o = m.shape
p = m.reshape(n, -1, 2)
q = make(3, 4)
r = q.shape[0] if not (q.ndim == 2 and q.shape == (3, 4)) else 1
s = make(2, 3)
try:
    t, u, v = s.shape
except ValueError:
    w = s
x = make(2, 3)
for _ in range(elsewhere.count()):
    y, z = x.shape
    x = jnp.concatenate([x, x])
""")
    assert {name: found[name] for name in "adefghlmpqswx"} == {
        "a": "float32[b1, c2]", "d": "float32[b1*c2]", "e": "float32[2*b1, c2]", "f": "float32[4, 5]",
        "g": "float32[?, 3]", "h": "float32[i4, j5, k6]", "l": "float32[i4, j5, 16]",
        "m": "the NumPy array float32[n7, o8]", "p": "the NumPy array float32[n7, o8//2, 2]",
        "q": "float32[...]", "s": "float32[...]", "w": "float32[...]", "x": "float32[...]",
    }  # fmt: skip


@pytest.mark.usefixtures("elsewhere")
def test_assertions_of_chex() -> None:
    found = held("""
def make(*shape): return jnp.asarray(ones(*shape), jnp.float32)
a, b, c = make(4, 10), make(4, 10), make(3)
chex.assert_shape(a, (None, 10))
chex.assert_shape([b, c], [(4, 10), (None,)])
d, e, f, g = make(1), make(2, 3), make(2), make(2, 3)
chex.assert_rank([d, e], [1, 2])
chex.assert_rank(f, {1, 2})
chex.assert_shape(g, (..., 3))
class Model:
    def __init__(self): self.w = make(3, 4)
model = Model()
chex.assert_shape([model.w], (3, 4))
h = model.w
""")
    assert found == {
        "a": "float32[?, 10]", "b": "float32[4, 10]", "c": "float32[?]", "d": "float32[?]", "e": "float32[?, ?]",
        "f": "float32[...]", "g": "float32[...]", "h": "float32[3, 4]",
    }  # fmt: skip


@pytest.mark.usefixtures("elsewhere")
def test_annotations_of_arrays_of_which_a_part_is_known() -> None:
    found = held("""
def f(x: Float32[Array, "n 3"], y: Float32[Array, "n k"]):
    return x, y @ y.T, x.T @ y
a, b, c = f(jnp.asarray(ones(4, 3), jnp.float32), jnp.asarray(ones(4, 2), jnp.float32))
@jax.vmap
def g(x: Float32[Array, "3"]):
    return x * 2
d = g(jnp.asarray(ones(4, 3), jnp.float32))
""")
    assert [found[name] for name in "abcd"] == ["float32[n1, 3]", "float32[n1, n1]", "float32[3, k2]", "float32[...]"]
