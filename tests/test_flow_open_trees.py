"""Trees of unknown structure: what is known of their leaves is what the program has, and ends where it is changed."""

from __future__ import annotations

import pytest
from flow_values import interpreted, run, wrong_claims

from arraytyping.checker.flow.values import ArrayValue, DictValue, ListValue, OpenTree

pytest.importorskip("flax")

BEGINNING = """
import os
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState

count = int(os.environ.get("LAYERS", "2"))
names = [f"layer{i}" for i in range(count)]
leaves, treedef = jax.tree.flatten({name: {"w": jnp.ones((3, 3)), "b": jnp.ones(3)} for name in names})
params = jax.tree.unflatten(treedef, leaves)
"""


def values(text: str, beginning: str = BEGINNING) -> dict[str, object]:
    """What is known of the variables, none of which is as the program has it not."""
    source = beginning + text
    variables, result = interpreted(source)
    assert not result.interpreter.crashes, result.interpreter.crashes
    assert not result.diagnostics, result.diagnostics
    told = {n: v for n, v in variables.items() if isinstance(v, ArrayValue | OpenTree | DictValue | ListValue)}
    real = run(source)
    assert wrong_claims(source, told, {name: real[name] for name in told}) == []
    return variables


def shown(value: object) -> str:
    """An array, or the leaves of a tree."""
    if isinstance(value, OpenTree):
        return "unknown" if value.leaf is None else f"each {value.leaf.aval}"
    return str(value.aval) if isinstance(value, ArrayValue) else type(value).__name__.lower()


@pytest.mark.parametrize(("text", "expected"), [
    ("x = params", "each float32[...]"),
    ("x = jax.tree.map(lambda p: p * 2, params)", "each float32[...]"),
    ("x = jax.tree.map(lambda p: p.astype(jnp.bfloat16), params)", "each bfloat16[...]"),
    ("x = jax.tree.map(lambda p, q: p + q, params, params)", "each float32[...]"),
    ("x = jax.tree.map(lambda p, q: p + q, params, jax.tree.map(lambda p: p.astype(jnp.float16), params))",
     "each float32[...]"),
    ("x = jax.tree.map(lambda p: (p, p), params)", "unknown"),
    ("x = params['layer0']", "each float32[...]"),
    ("x = params['layer0']['w'] @ params['layer0']['w']", "float32[...]"),
    ("x = -params['layer0']['w']", "float32[...]"),
    ("x = 2 - params['layer0']['b']", "float32[...]"),
    ("x = 2 * params['layer0']['b']", "unknown"),  # of a list it is another one
    ("x = params['layer0']['w'].T", "unknown"),  # of a record it may be a field
    ("x = jnp.dot(params['layer0']['w'], params['layer0']['w'])", "float32[...]"),
    ("x = jax.tree.leaves(params)[0]", "float32[...]"),
    ("x = optax.global_norm(params)", "float32[]"),
    ("x = optax.apply_updates(params, params)", "each float32[...]"),
    ("x = jax.grad(lambda p: jnp.sum(p['layer0']['w']))(params)", "each float32[...]"),
    ("x = jax.jit(lambda p: jax.tree.map(jnp.sum, p))(params)", "each float32[...]"),
    ("x = params.copy()", "each float32[...]"),
    ("x = [v for v in params.values()][0]", "each float32[...]"),
    ("x = [v for k, v in params.items()][0]", "each float32[...]"),
    ("x = optax.adam(1e-3).init(params)[0].mu", "each float32[...]"),
    ("x = optax.adam(1e-3).init(params)[0].count", "int32[]"),
    ("x = (lambda t: t.update(params, t.init(params), params)[0])(optax.adamw(1e-3))", "each float32[...]"),
    ("x = jax.device_put(params)", "each float32[...]"),
    ("x = jax.lax.stop_gradient(params)", "each float32[...]"),
    ("x = params == params", "unknown"),
    ("x = params | params", "unknown"),
    ("x = params['layer0'] == params['layer0']", "unknown"),
])  # fmt: skip
def test_leaves_are_known(text: str, expected: str) -> None:
    assert shown(values(text)["x"]) == expected


@pytest.mark.parametrize("text", [
    "params['layer0'] = {'w': jnp.ones(3, jnp.int32)}",
    "params['layer0']['w'] = params['layer0']['w'].astype(jnp.bfloat16)",
    "inner = params['layer0']\ninner['w'] = jnp.ones(3, jnp.int32)",
    "params.update({'z': jnp.ones(3, jnp.int32)})",
    "params.setdefault('z', jnp.ones(3, jnp.int32))",
    "def change(p):\n    p['z'] = jnp.ones(3, jnp.int32)\nchange(params)",
    "if count:\n    params['layer0']['w'] = jnp.ones(3, jnp.int32)",
    "for name in names:\n    params[name]['w'] = jnp.ones(3, jnp.int32)",
    "for inner in params.values():\n    inner['w'] = jnp.ones(3, jnp.int32)",
    "holder = {'p': params}\nholder['p']['z'] = jnp.ones(3, jnp.int32)",
    "class A:\n    pass\na = A()\na.p = params\na.p['z'] = jnp.ones(3, jnp.int32)",
    "other = {'w': jnp.ones(3)}\nboth = params if count else other\nboth['z'] = jnp.ones(3, jnp.int32)",
    "params |= {'z': jnp.ones(3, jnp.int32)}",
    "params['layer0'], y = {'w': jnp.ones(3, jnp.int32)}, 3",
])  # fmt: skip
def test_what_is_written_is_seen(text: str) -> None:
    found = values(f"alias = params\n{text}\nx = jax.tree.leaves(alias)")
    assert shown(found["alias"]) == "unknown"


def test_what_is_written_into_a_container_is_seen_in_what_was_joined_from_it() -> None:
    text = """
own = {"w": jnp.ones(3), "inner": {"v": jnp.ones(2)}}
both = params if count > 100 else own
before = both
own["inner"]["v"] = jnp.ones(3, jnp.int32)
x = both
"""
    assert shown(values(text.replace('own["inner"]', "# "))["x"]) == "each float32[...]"
    assert shown(values(text)["x"]) == "unknown"


def test_what_is_written_as_the_leaves_are_changes_nothing() -> None:
    assert shown(values("params['layer0']['w'] = params['layer0']['w'] / 2\nx = params")["x"]) == "each float32[...]"


def test_fields_of_records_are_no_methods_of_arrays() -> None:
    text = """
from typing import Any, NamedTuple

class Moments(NamedTuple):
    mean: Any
    sum: Any

moments = Moments(jnp.ones(3), jnp.ones(3))
either = moments
if count > 100:
    either = jax.tree.unflatten(treedef, leaves)
x = either.mean * 2
"""
    assert shown(values(text)["x"]) == "unknown"


@pytest.mark.parametrize("other", ["{'w': jnp.ones(3, jnp.int32)}", "jnp.ones(3, jnp.int32)", "None", "3", "[]"])
def test_what_may_be_something_else_is_not_known(other: str) -> None:
    found = values(f"x = {other}\nif count:\n    x = params\n")["x"]
    assert not isinstance(found, OpenTree) or found.leaf is None or other == "[]"
