"""Modules of Flax whose structure hangs on what is not known: they give what they give when the program is run."""

from __future__ import annotations

import pytest
from test_flow_open_trees import shown, values

pytest.importorskip("flax")

BEGINNING = """
import os
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState

depth = int(os.environ.get("DEPTH", "2"))
width = int(os.environ.get("WIDTH", "8"))
flag = bool(os.environ.get("FLAG", "1"))
key = jax.random.PRNGKey(0)
x = jnp.ones((2, 4))
"""
MODEL = """
class Block(nn.Module):
    width: int
    @nn.compact
    def __call__(self, x):
        y = nn.Dense(4 * self.width)(nn.LayerNorm()(x))
        return x + nn.Dense(x.shape[-1])(nn.gelu(y))

class Model(nn.Module):
    width: int
    depth: int
    @nn.compact
    def __call__(self, x):
        x = nn.Dense(self.width)(x)
        x = x + self.param("scale", nn.initializers.ones, (self.width,))
        for _ in range(self.depth):
            x = Block(self.width)(x)
        return nn.Dense(3)(x)

model = Model(width, depth)
variables = model.init(key, x)
params = variables["params"]
"""


def known(text: str, *names: str) -> dict[str, str]:
    """What is known of some variables, after a comparison of all with a run."""
    found = values(text, BEGINNING)
    return {name: shown(found[name]) for name in names}


def test_a_model_of_unknown_depth() -> None:
    text = f"""{MODEL}
y = model.apply(variables, x)
z = model.apply({{"params": params}}, x)
loss, grads = jax.value_and_grad(lambda p: model.apply({{"params": p}}, x).sum())(params)
doubled = 2 * params["scale"]
turned, total = params["scale"].T, params["scale"].sum()
"""
    assert known(text, "params", "y", "z", "loss", "grads", "doubled", "turned", "total") == {
        "params": "each float32[...]", "y": "float32[2, 3]", "z": "float32[2, 3]", "loss": "float32[]",
        "grads": "each float32[...]", "doubled": "float32[...]", "turned": "float32[...]", "total": "float32[]",
    }  # fmt: skip


def test_it_is_trained() -> None:
    text = f"""{MODEL}
state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.chain(optax.clip(1.0), optax.adamw(1e-3)))

@jax.jit
def step(state, x):
    def loss(params):
        y = state.apply_fn({{"params": params}}, x)
        return jnp.mean(y ** 2), y
    (value, y), grads = jax.value_and_grad(loss, has_aux=True)(state.params)
    return state.apply_gradients(grads=grads), value, y

ema = state.params
for _ in range(3):
    state, value, y = step(state, x)
    ema = jax.tree.map(lambda e, p: 0.9 * e + 0.1 * p, ema, state.params)
trained, norm = state.params, optax.global_norm(state.params)
"""
    assert known(text, "trained", "ema", "value", "y", "norm") == {
        "trained": "each float32[...]", "ema": "each float32[...]", "value": "float32[]", "y": "float32[2, 3]",
        "norm": "float32[]",
    }  # fmt: skip


@pytest.mark.parametrize(("cast", "expected"), [
    ("lambda p: p", "float32[2, 3]"),
    ("lambda p: p.astype(jnp.bfloat16)", "unknown"),  # which parts have a dtype of their own is not asked again
    ("lambda p: p.astype(jnp.float32)", "float32[2, 3]"),
])  # fmt: skip
def test_it_is_applied_to_what_was_made_of_its_parameters(cast: str, expected: str) -> None:
    text = f"{MODEL}\ny = model.apply({{'params': jax.tree.map({cast}, params)}}, x)\n"
    assert known(text, "y")["y"] == expected


def test_parameters_of_several_dtypes() -> None:
    text = """
class Model(nn.Module):
    @nn.compact
    def __call__(self, x):
        for _ in range(depth):
            x = nn.Dense(4, param_dtype=jnp.bfloat16)(x)
        return nn.Dense(3)(x)

model = Model()
params = model.init(key, x)
y = model.apply(params, x)
"""
    assert known(text, "params") == {"params": "unknown"}


def test_modules_in_half_precision() -> None:
    text = """
class Model(nn.Module):
    dtype: object = jnp.bfloat16
    @nn.compact
    def __call__(self, x):
        x = x.astype(self.dtype)
        if flag:
            x = nn.Dense(4, dtype=self.dtype)(x)
        for _ in range(depth):
            x = nn.relu(nn.Dense(4, dtype=self.dtype)(x))
        return x

model = Model()
params = model.init(key, x)
y = model.apply(params, x)
"""
    assert known(text, "params", "y") == {"params": "each float32[...]", "y": "bfloat16[2, 4]"}


def test_setup_methods_and_other_collections() -> None:
    text = """
class Inner(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.Dense(5)(x)
        x = nn.BatchNorm(use_running_average=not train)(x)
        return nn.Dropout(0.5, deterministic=not train)(x)

class Model(nn.Module):
    def setup(self):
        self.layers = [Inner() for _ in range(depth)]
        self.head = nn.Dense(3)
    def __call__(self, x, train):
        for layer in self.layers:
            x = layer(x, train)
        return self.decode(x)
    def decode(self, x):
        return self.head(x)

model = Model()
variables = model.init({"params": key, "dropout": key}, x, True)
y = model.apply(variables, x, False)
z, state = model.apply(variables, x, True, mutable=["batch_stats"], rngs={"dropout": key})
"""
    found = known(text, "variables", "y", "z", "state")
    assert found["y"] in ("float32[2, 3]", "float32[?, 3]", "float32[...]")
    assert found["z"] == found["y"]
    assert found["variables"] == "each float32[...]"
    assert found["state"] in ("each float32[...]", "unknown")


@pytest.mark.parametrize("method", ["model.scaled", "Model.scaled", "'scaled'"])
def test_a_method_by_its_name_or_bound_to_a_module_of_known_fields(method: str) -> None:
    text = f"""
class Model(nn.Module):
    def setup(self):
        self.dense = nn.Dense(3)
    def scaled(self, x, by):
        return self.dense(x) * by
    def __call__(self, x):
        return self.dense(x)

model = Model()
rows = jnp.ones((2,) * depth)
variables = model.init(key, rows)
y = model.apply(variables, rows, 2.0, method={method})
"""
    assert known(text, "y") == {"y": "float32[...]"}


@pytest.mark.parametrize("body", [
    "c = self.variable('cache', 'i', lambda: jnp.zeros((), jnp.int32))\n        c.value = c.value + 1",
    "x = x + self.param('i', lambda key: jnp.ones(4, jnp.int32))",
    "x = x + self.param('i', lambda key, n: jnp.ones(n, jnp.float16), 4)",
    "self.sow('intermediates', 'x', x)",
    "self.sow('losses', 'x', jnp.ones(2, jnp.int32))",
    "x = self.perturb('p', x)",
    "x = (nn.Dense if depth else nn.Embed)(4)(x)",
    "x = jax.random.normal(self.make_rng('params'), x.shape) + x if depth > 99 else x",
    "x = nn.Embed(5, 4)(jnp.ones(2, jnp.int32)) + x",
    "x = nn.Dense(4)(x) if self.is_initializing() else x.astype(jnp.float16)",
    "x = nn.Dense(4)(x) if self.has_variable('params', 'Dense_9') else x * 2",
])  # fmt: skip
def test_nothing_wrong_is_said_of(body: str) -> None:
    text = f"""
class Model(nn.Module):
    @nn.compact
    def __call__(self, x):
        for _ in range(depth):
            x = nn.Dense(4)(x)
        {body}
        return x

model = Model()
variables = model.init(key, x)
y = model.apply(variables, x, mutable=["cache"])[0]
"""
    known(text, "y", "variables")


@pytest.mark.parametrize("key", ["jax.random.key(0)", "jax.random.PRNGKey(0)", "{'params': jax.random.key(0)}"])
def test_the_keys_of_a_module_are_as_those_that_it_is_given(key: str) -> None:
    text = f"""
seen = []

def init(key, shape):
    seen.append(key)
    return jax.random.normal(key, shape)

class Model(nn.Module):
    @nn.compact
    def __call__(self, x):
        for _ in range(depth):
            x = nn.Dense(4)(x)
        seen.append(self.make_rng("params"))
        return x + self.param("w", init, (4,))

model = Model()
variables = model.init({key}, x)
"""
    found = values(text, BEGINNING)
    assert shown(found["variables"]) == "each float32[...]"


def test_a_class_of_whose_fields_too_little_is_known() -> None:
    text = """
import json
settings = json.loads(os.environ.get("SETTINGS", '{"width": 8, "use": true}'))

class Model(nn.Module):
    width: int
    use: bool
    extra: object = None
    @nn.compact
    def __call__(self, x):
        if self.use:
            x = nn.Dense(self.width)(x)
        x = nn.Dense(3)(x)
        return x

model = Model(settings["width"], settings["use"], extra=settings)
params = model.init(key, x)
y = model.apply(params, x)
"""
    assert known(text, "params", "y") == {"params": "each float32[...]", "y": "float32[2, 3]"}
