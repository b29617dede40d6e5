"""Modules that are applied to what is not known: what was seen of them in `init` is not claimed for all calls."""

from __future__ import annotations

from pathlib import Path

from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.settings import Settings

PROGRAM = """
import flax.linen as nn
import haiku as hk
import jax
import jax.numpy as jnp
from absent import data

class Inner(nn.Module):
    @nn.compact
    def __call__(self, x):
        a = jnp.tanh(nn.Dense(3)(x))
        return a

class Held(nn.Module):
    @nn.compact
    def __call__(self, x):
        b = jnp.tanh(nn.Dense(3)(x))
        return b

class Net(nn.Module):
    held: nn.Module
    def setup(self):
        self.inner = Inner()
    def __call__(self, x):
        c = jnp.exp(x)
        return self.inner(c), self.held(c)

class Known(nn.Module):
    @nn.compact
    def __call__(self, x):
        k = jnp.sin(nn.Dense(3)(x))
        return k

class Torso(hk.Module):
    def __call__(self, x):
        d = jnp.sinh(hk.Linear(3)(x))
        return d

def forward(x):
    e = jnp.cosh(x)
    return Torso()(e)

def known_forward(x):
    l = jnp.cosh(x)
    return l

x = jnp.ones((1, 4))
key = jax.random.PRNGKey(0)
net = Net(Held())
params = net.init(key, x)
Known().init(key, x)
transformed = hk.without_apply_rng(hk.transform(forward))
transformed.init(key, x)
hk.transform(known_forward).init(key, x)
"""
APPLIED = "\nnet.apply(data.params, data.x)\ntransformed.apply(data.params, data.x)\n"


def claimed(directory: Path, text: str) -> dict[str, str]:
    """What is claimed of the values that variables of one letter are bound to in functions."""
    program = directory / "program.py"
    program.write_text(text)
    found = analyze([program], Settings())
    assert not found.crashes, found.crashes
    (claims,) = found.claims.files.values()
    lines = text.splitlines()
    values = {}
    for e in claims.expressions:
        name, _, value = lines[e.line - 1].strip().partition(" = ")
        if len(name) == 1 and name != "x" and e.end_column - e.column == len(value):
            values[name] = str(e)
    return values


def test_what_init_alone_does_is_known(tmp_path: Path) -> None:
    assert claimed(tmp_path, PROGRAM) == {
        "a": "float32[1, 3]", "b": "float32[1, 3]", "c": "float32[1, 4]", "k": "float32[1, 3]",
        "d": "float32[1, 3]", "e": "float32[1, 4]", "l": "float32[1, 4]",
    }  # fmt: skip


def test_a_module_that_is_given_away_may_be_applied_to_anything(tmp_path: Path) -> None:
    for gives in ("data.fit(net)", "data.fit(net.apply)", "data.fit([net])"):
        found = claimed(tmp_path, PROGRAM + f"\n{gives}\n")
        assert {name for name, claim in found.items() if "?[...]" in claim} == {"a", "b", "c"}, gives


def test_what_is_applied_to_anything_is_not(tmp_path: Path) -> None:
    found = claimed(tmp_path, PROGRAM + APPLIED)
    assert {name for name, claim in found.items() if "?[...]" not in claim} == {"k", "l"}


INSTANCE = """
import jax.numpy as jnp
from absent import fit

class Agent:
    def act(self, x):
        a = jnp.exp(x)
        return self._inner(a)

    def _inner(self, x):
        b = jnp.sin(x)
        return b

agent = Agent()
agent.act(jnp.ones(4))
"""


def test_an_instance_that_is_given_away_may_be_called_with_anything(tmp_path: Path) -> None:
    assert claimed(tmp_path, INSTANCE) == {"a": "float32[4]", "b": "float32[4]"}
    for gives in ("fit(agent)", "fit([agent])", "fit(key=agent.act)"):
        assert all("?[...]" in claim for claim in claimed(tmp_path, f"{INSTANCE}\n{gives}\n").values()), gives
