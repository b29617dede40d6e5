"""What is drawn with a key, in a shape or of a dtype that is not known."""

from __future__ import annotations

import sys
import types
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from flow_values import difference, interpreted, run

from arraytyping.checker.flow.state.showing import show

PROGRAM = """
import jax, jax.numpy as jnp
from jax import random
from jax.nn import initializers
from elsewhere import key, n, shape, dtype, low
a = random.uniform(key(), (3, 4))
b = random.normal(key(), (n(), 4))
c = random.bernoulli(key(), 0.5, (3,))
d = random.randint(key(), (n(),), 0, n())
e = random.PRNGKey(n())
f = random.key(n())
g, h = random.split(key())
i = random.uniform(g, (2,), minval=low())
j = random.permutation(key(), 5)
k = random.categorical(key(), jnp.ones((3, 4)))
l = random.gumbel(key(), shape=(3,), dtype=jnp.bfloat16)
m = random.normal(e, shape())
o = random.normal(e, (2, n()), dtype())
p = initializers.lecun_normal()(key(), (n(), 4))
q = initializers.zeros(e, (n(), 4), jnp.int32)
r = random.truncated_normal(key(), low(), 2.0)
s = random.split(e, 2)
t = random.choice(key(), 5, (2,))
"""
EXPECTED = {
    "a": "float32[3, 4]", "b": "float32[u1, 4]", "c": "bool[3]", "d": "int32[u2]", "e": "uint32[2]", "f": "key<fry>[]",
    "g": "?[...]", "h": "?[...]", "i": "float32[2]", "j": "int32[5]", "k": "int32[3]",
    "l": "bfloat16[3]", "m": "float32[...]", "o": "?[2, u4]", "p": "float32[u5, 4]", "q": "int32[u6, 4]",
    "r": "float32[...]", "s": "uint32[2, 2]", "t": "int32[2]",
}  # fmt: skip


@pytest.mark.parametrize("make_key", [jax.random.key, jax.random.PRNGKey])
def test_what_is_drawn_is_the_same_with_any_key(monkeypatch: pytest.MonkeyPatch, make_key: Any) -> None:
    module = types.ModuleType("elsewhere")
    parts = {"n": lambda: 3, "shape": lambda: (2, 2), "dtype": lambda: jnp.float16, "low": lambda: jnp.zeros(2)}
    module.__dict__.update(key=lambda: make_key(0), **parts)
    monkeypatch.setitem(sys.modules, "elsewhere", module)
    found, result = interpreted(PROGRAM)
    assert not [m for m in result.diagnostics if m.code != "array-key"]
    real = run(PROGRAM)
    assert {name: show(found[name]) for name in EXPECTED} == EXPECTED
    assert not [text for name in EXPECTED if (text := difference(found[name], real[name]))]


def test_a_gradient_of_what_is_not_known_draws_once() -> None:
    """Jax is asked first, and calls the function; then it is followed."""
    pytest.importorskip("flax")
    _, found = interpreted(
        """
import flax.linen as nn
import jax, jax.numpy as jnp, numpy as np
net = nn.Dense(3)
params, key, target = net.init(jax.random.key(0), jnp.ones((1, 4))), jax.random.key(1), np.load("target.npy")

@jax.jit
def step(params, key, target):
    key, used = jax.random.split(key)
    def loss(params):
        return ((net.apply(params, jnp.ones((2, 4)), rngs={"dropout": used}) - target) ** 2).mean()
    return jax.grad(loss)(params), key

for _ in range(1000):
    params, key = step(params, key, target)
for _ in range(1000):
    params, _ = step(params, key, target)
"""
    )
    assert [(m.line, m.code) for m in found.diagnostics] == [(17, "array-key")]
