"""Modules of Flax under lifted transformations, whose set-up must happen within them, and frozen dicts as arguments."""

from __future__ import annotations

import sys
import types

import pytest
from flow_values import interpreted

STACK = """
import jax
import jax.numpy as jnp
from flax import linen as nn
from flax.core import freeze

class Layer(nn.Module):
    n: int
    decode: bool = False
    def setup(self):
        self.d = self.param("d", nn.initializers.ones, (1,))
        self.a = self.param("a", lambda key, shape: jnp.ones(shape), (self.n,))
        if self.decode:
            self.cache = self.variable("cache", "cache", jnp.zeros, (self.n,), jnp.complex64)
    def __call__(self, u):
        return u * self.d

Layers = nn.vmap(
    Layer, in_axes=1, out_axes=1, variable_axes={"params": 1, "cache": 1}, split_rngs={"params": True}
)

class Block(nn.Module):
    layer_cls: nn.Module
    layer: dict
    def setup(self):
        self.seq = self.layer_cls(**self.layer, decode=False)
        self.norm = nn.LayerNorm()
    def __call__(self, x):
        return self.seq(self.norm(x))

class Stack(nn.Module):
    layer: dict
    def setup(self):
        self.encoder = nn.Dense(16)
        self.layers = [Block(layer_cls=Layers, layer=self.layer) for _ in range(2)]
    def __call__(self, x):
        x = self.encoder(x)
        for layer in self.layers:
            x = layer(x)
        return x.mean(axis=0)

model = nn.vmap(Stack, variable_axes={"params": None}, split_rngs={"params": False})(layer={"n": 4})
variables = model.init(jax.random.key(0), jnp.ones((8, 32, 1)))
a = variables["params"]["layers_0"]["seq"]["a"]
y = model.apply(variables, jnp.ones((8, 32, 1)))

def make(n, **rest):
    return jnp.ones((n, len(rest)))

frozen = freeze({"n": 3, "other": {"m": 4}})
x = make(**frozen)
z = make(**{**frozen, "more": 1})
"""


def test_layers_that_are_made_in_setup(monkeypatch: pytest.MonkeyPatch) -> None:
    variables, found = interpreted(STACK)
    assert not found.diagnostics
    assert not found.unknowns
    shown = [str(variables[name].aval) for name in ("a", "y", "x", "z")]
    assert shown == ["float32[4, 16]", "float32[8, 16]", "float32[3, 1]", "float32[3, 2]"]
    module = types.ModuleType("stacked")
    monkeypatch.setitem(sys.modules, "stacked", module)  # where dataclasses look for it
    exec(compile(STACK, "<program>", "exec"), vars(module))
    real = [vars(module)[name] for name in ("a", "y", "x", "z")]
    assert [f"{array.dtype}{list(array.shape)}" for array in real] == shown


def test_programs_of_the_time_of_frozen_dicts_are_followed_on() -> None:
    """Since Flax 0.7 variables are plain dicts, and `unfreeze` is a mistake."""
    variables, found = interpreted(
        """
import jax, jax.numpy as jnp
from flax import linen as nn
params = nn.Dense(3).init(jax.random.key(0), jnp.ones((2, 4)))["params"].unfreeze()
x = params["kernel"]
"""
    )
    assert [(m.line, m.code) for m in found.diagnostics] == [(4, "array-call")]
    assert found.diagnostics[0].message.endswith(
        "the variables of Flax are plain dicts since its release 0.7: leave it out"
    )
    assert str(variables["x"].aval) == "float32[4, 3]"


def test_what_pop_gave_of_frozen_dicts_is_followed_on() -> None:
    variables, found = interpreted(
        """
import jax, jax.numpy as jnp
from flax import linen as nn
variables = nn.Sequential([nn.Dense(3), nn.Dense(5), nn.Dense(6)]).init(jax.random.key(0), jnp.ones((2, 4)))
state, params = variables.pop("params")
x = params["layers_0"]["kernel"]
n = len(state)
try:
    state, params = variables.pop("params")
except ValueError:
    y = 1
"""
    )
    assert [(m.line, m.code) for m in found.diagnostics] == [(5, "array-call")]
    assert "flax.core.pop(variables, key)" in found.diagnostics[0].message
    assert str(variables["x"].aval) == "float32[4, 3]"
    assert (variables["n"], variables["y"]) == (0, 1)


def test_what_pop_gave_of_the_variables_that_init_makes_is_followed_on() -> None:
    variables, found = interpreted(
        """
import jax, jax.numpy as jnp
from flax import linen as nn
class Other:
    def init(self): return {"a": (1, 2), "params": {"x": 1, "y": 2}}
net, key = nn.Sequential([nn.Dense(3), nn.Dense(5), nn.Dense(6)]), jax.random.key(0)
_, params = net.init(key, jnp.ones((2, 4))).pop("params")
x = params["layers_0"]["kernel"]
a, b = Other().init().pop("params")
c, d = Other().init().pop("a")
e, f = {"a": 1, "b": 2, "c": x}
"""
    )
    assert [(m.line, m.code) for m in found.diagnostics] == [(7, "array-call"), (11, "array-call")]
    assert "flax.core.pop(variables, key)" in found.diagnostics[0].message
    assert found.diagnostics[1].message == "cannot unpack 3 values of a dict into 2"
    assert str(variables["x"].aval) == "float32[4, 3]"
    assert [variables[name] for name in "abcd"] == ["x", "y", 1, 2]


def test_classes_with_some_of_their_fields_are_lifted_as_classes() -> None:
    """As Flax takes `partial(Net, width=8)`: ensembles of agents are made so."""
    variables, found = interpreted(
        """
import functools
import jax, jax.numpy as jnp
from flax import linen as nn

class Critic(nn.Module):
    base: type
    @nn.compact
    def __call__(self, x, a):
        return jnp.squeeze(nn.Dense(1)(self.base()(jnp.concatenate([x, a], -1))), -1)

class Ensemble(nn.Module):
    net: type
    number: int = 2
    @nn.compact
    def __call__(self, *args):
        many = nn.vmap(
            self.net, variable_axes={"params": 0}, split_rngs={"params": True}, in_axes=None, axis_size=self.number
        )
        return many()(*args)

base = functools.partial(nn.Dense, features=16)
made = functools.partial(functools.partial(Ensemble, functools.partial(Critic, base=base)), number=3)
critic = made()
x, a = jnp.ones((8, 4)), jnp.ones((8, 2))
params = critic.init(jax.random.key(0), x, a)
y = critic.apply(params, x, a)
kernel = params["params"]["VmapCritic_0"]["Dense_0"]["kernel"]
rows = nn.remat(functools.partial(nn.Dense, 5))().init_with_output(jax.random.key(1), x)[0]
"""
    )
    assert not found.diagnostics
    assert not found.unknowns
    shown = [str(variables[name].aval) for name in ("y", "kernel", "rows")]
    assert shown == ["float32[3, 8]", "float32[3, 16, 1]", "float32[8, 5]"]
