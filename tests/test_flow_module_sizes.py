"""Modules of flax and equinox made with sizes that are not known: a vocabulary of some text, of some data."""

from __future__ import annotations

import re
import sys
import types
from typing import Any

import pytest
from flow_values import difference, interpreted, run

from arraytyping.checker.flow.state.showing import show

PREAMBLE = """
import jax, jax.numpy as jnp
import flax.linen as nn
from flax import nnx
import equinox as eqx
import elsewhere
text = open(elsewhere.__file__).read()
x = jnp.zeros((4, 7), jnp.int32)
class Linen(nn.Module):
    vocab: int
    @nn.compact
    def __call__(self, x):
        h = nn.Dense(64)(nn.Embed(self.vocab, 32)(x))
        return h, nn.Dense(self.vocab)(h)
class Nnx(nnx.Module):
    def __init__(self, vocab: int, rngs):
        self.emb = nnx.Embed(vocab, 16, rngs=rngs)
        self.lin = nnx.Linear(16, 8, rngs=rngs)
        self.out = nnx.Linear(8, vocab, rngs=rngs)
    def __call__(self, x):
        h = self.lin(self.emb(x))
        return h, self.out(h)
class Eqx(eqx.Module):
    emb: eqx.nn.Embedding
    lin: eqx.nn.Linear
    def __init__(self, vocab, key):
        k1, k2 = jax.random.split(key)
        self.emb = eqx.nn.Embedding(vocab, 16, key=k1)
        self.lin = eqx.nn.Linear(16, vocab, key=k2)
    def __call__(self, x):
        h = jax.vmap(self.emb)(x)
        return h, jax.vmap(self.lin)(h)
"""


def held(monkeypatch: pytest.MonkeyPatch, source: str) -> dict[str, str]:
    """What flow knows of the variables with short names, each of which describes what the run has."""
    module = types.ModuleType("elsewhere")
    module.__dict__.update(vocab_size=11, __file__=__file__)
    monkeypatch.setitem(sys.modules, "elsewhere", module)
    found, result = interpreted(PREAMBLE + source)
    assert not result.crashes
    assert not [m for m in result.diagnostics if m.is_certain], result.diagnostics
    real: dict[str, Any] = run(PREAMBLE + source)
    names = [name for name in found if len(name) == 1]
    assert not [text for name in names if (text := difference(found[name], real[name]))]
    return {name: show(found[name]) for name in names}


def test_the_number_of_the_characters_of_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    found = held(
        monkeypatch,
        """
vocab = len(sorted(set(text)))
linen = Linen(vocab)
params = linen.init(jax.random.key(0), x)
a, b = linen.apply(params, x)
c = jnp.sum(jax.nn.log_softmax(b) * jax.nn.one_hot(x, vocab), -1)
d, e = Nnx(vocab, nnx.Rngs(0))(x)
f, g = Eqx(vocab, jax.random.key(1))(x[0])
h = params["params"]["Embed_0"]["embedding"]
""",
    )
    assert {name: found[name] for name in "abcdefgh"} == {
        "a": "float32[4, 7, 64]", "b": "float32[4, 7, n1]", "c": "float32[4, 7]", "d": "float32[4, 7, 8]",
        "e": "float32[4, 7, n1]", "f": "float32[7, 16]", "g": "float32[7, n1]", "h": "float32[n1, 32]",
    }  # fmt: skip


def test_a_size_of_which_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    found = held(
        monkeypatch,
        """
vocab = elsewhere.vocab_size
linen = Linen(vocab)
params = linen.init(jax.random.key(0), x)
a, b = linen.apply(params, x)
c, d = Nnx(vocab, nnx.Rngs(0))(x)
embed = nn.Embed(vocab, 16)
f = embed.apply(embed.init(jax.random.key(0), x), x)
g = nnx.Embed(vocab, 16, rngs=nnx.Rngs(0))(x)
""",
    )
    assert {name: re.sub(r"u\d+", "u", found[name]) for name in "abcdfg"} == {
        "a": "float32[4, 7, 64]", "b": "float32[4, 7, u]", "c": "float32[4, 7, 8]", "d": "float32[4, 7, u]",
        "f": "float32[4, 7, 16]", "g": "float32[4, 7, 16]",
    }  # fmt: skip


def test_an_element_of_an_array_is_a_size_also_to_what_jax_makes_by_decomposition(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Actors of published reinforcement learning: the annotation is wrong, and the weights are orthogonal."""
    found = held(
        monkeypatch,
        """
class Actor(nn.Module):
    n: tuple[int, ...]
    @nn.compact
    def __call__(self, x):
        x = nn.Dense(64, kernel_init=nn.initializers.orthogonal(2.0))(x)
        return nn.Dense(self.n, kernel_init=jax.nn.initializers.orthogonal(0.01))(x)
actor = Actor(jnp.argmax(jnp.arange(11)).item() + 1)
y = jnp.ones((4, 7))
params = actor.init(jax.random.key(0), y)
a = actor.apply(params, y)
b = jax.nn.initializers.orthogonal(dtype=jnp.complex64)(jax.random.key(1), (len(text), 4))
c = jax.nn.initializers.orthogonal(column_axis=0)(jax.random.key(1), (len(text), 3, 4), jnp.float32)
d = jax.nn.initializers.orthogonal()(jax.random.key(1), (3, 4))
""",
    )
    assert {name: re.sub(r"[a-z]+\d+\b(?!\[)", "u", found[name]) for name in "abcd"} == {
        "a": "float32[4, u]", "b": "complex64[u, 4]", "c": "float32[u, 3, 4]", "d": "float32[3, 4]",
    }  # fmt: skip
