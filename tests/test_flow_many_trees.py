"""Lists of trees of which it is not known how many there are: stacked, averaged, gathered from devices, as JAX does."""

from __future__ import annotations

import re

import pytest
from flow_values import interpreted, run, wrong_claims

from arraytyping.checker.flow.state.showing import show

HEAD = """
import sys
import jax, jax.numpy as jnp, numpy as np
trees, arrays, rows = [], [], []
for i in range(len(sys.argv[0])):
    trees.append({"a": jnp.ones((3, 2)), "b": (jnp.arange(4), np.float32(i))})
    arrays.append(jnp.ones(2, jnp.bfloat16))
    rows.append(np.ones((2, 5), np.int32))
"""
EXPRESSIONS = {
    "jax.tree.map(lambda *xs: jnp.stack(xs), *trees)['a']": "float32[n, 3, 2]",
    "jax.tree.map(lambda *xs: jnp.stack(xs), *trees)['b'][0]": "int32[n, 4]",
    "jax.tree.map(lambda *xs: np.stack(xs), *trees)['a']": "float32[n, 3, 2]",
    "jax.tree_util.tree_map(lambda *xs: jnp.concatenate(xs, axis=0), *arrays)": "bfloat16[2*n]",
    "jax.tree.map(lambda *xs: jnp.mean(jnp.array(xs), axis=0), *trees)['b'][0]": "float32[4]",
    "jax.tree.map(lambda *xs: sum(xs) / len(xs), *trees)['a']": "float32[3, 2]",
    "jax.tree.map(lambda x, *more: x + jnp.stack(more).sum(0), trees[0], *trees)['a']": "float32[3, 2]",
    "jax.tree.map(lambda *xs: jnp.stack(xs), *arrays)": "bfloat16[n, 2]",
    "jnp.stack(rows)": "int32[n, 2, 5]",
    "jnp.concatenate(rows)": "int32[2*n, 5]",
    "jnp.vstack(rows)": "int32[2*n, 5]",
    "jnp.stack([np.float32(len(row)) for row in rows])": "float32[n]",
}


@pytest.fixture(scope="module")
def many() -> dict[str, str]:
    source = HEAD + "".join(f"v{at} = {text}\n" for at, text in enumerate(EXPRESSIONS))
    variables, result = interpreted(source)
    assert not result.crashes
    assert not result.diagnostics
    assert wrong_claims(source, variables, run(source)) == []
    return {text: show(variables[f"v{at}"]) for at, text in enumerate(EXPRESSIONS)}


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_many(many: dict[str, str], text: str) -> None:
    shown = re.sub(r"\bn\d+", "n", many[text].removeprefix("the NumPy array "))
    assert shown == EXPRESSIONS[text]


def test_trees_of_different_structures_are_not_claimed() -> None:
    source = HEAD + (
        "for i in range(len(sys.argv[0])):\n"
        "    trees.append({'a': jnp.ones(3), 'b': jnp.ones(3)})\n"
        "try:\n"
        "    x = jax.tree.map(lambda *xs: jnp.stack(xs), *trees)\n"
        "except ValueError:\n"
        "    x = None\n"
    )
    variables, result = interpreted(source)
    assert not [m for m in result.diagnostics if m.is_certain]
    assert wrong_claims(source, variables, run(source)) == []


FLAX = """
import sys
import jax, jax.numpy as jnp, numpy as np
from flax import jax_utils
from flax.training import common_utils
metrics = []
for i in range(len(sys.argv[0])):
    metrics.append(jax_utils.replicate({"loss": jnp.float32(i), "hits": jnp.arange(3)}))
gathered = common_utils.get_metrics(metrics)
mean = jax.tree.map(lambda x: x.mean(), gathered)
of_two = common_utils.get_metrics([metrics[0], metrics[1]])
sharded = common_utils.shard({"x": np.zeros((8, 3), np.float32), "y": jnp.zeros(8, jnp.int32)})
keys = common_utils.shard_prng_key(jax.random.PRNGKey(0))
hot = common_utils.onehot(jnp.arange(4), 6)
soft = common_utils.onehot(jnp.zeros((2, 3), jnp.int32), 5, 0.9, 0.1)

def batches():
    for i in range(3):
        yield {"image": np.zeros((8, 4, 4, 3), np.uint8), "label": np.zeros(8, np.int64)}

for batch in jax_utils.prefetch_to_device(map(common_utils.shard, batches()), 2):
    image, label = batch["image"], batch["label"]
forward = jax_utils.pad_shard_unpad(jax.pmap(lambda p, x: p * x, in_axes=(None, 0)))
padded = forward(jnp.float32(2), np.ones((5, 3), np.float32))
total = jax_utils.pad_shard_unpad(jax.pmap(lambda x: x.sum()), static_argnums=(), static_return=True)(np.ones((5, 3)))
"""


def test_functions_of_flax_on_many_devices() -> None:
    pytest.importorskip("flax")
    variables, result = interpreted(FLAX)
    assert not result.crashes
    assert not result.diagnostics
    real = run(FLAX)
    assert wrong_claims(FLAX, variables, real) == []
    shown = {name: show(variables[name]) for name in ("keys", "image", "label", "padded", "total", "hot")}
    assert "float32[local_device_count, 8//local_device_count, 3]" in show(variables["sharded"].items["x"])
    assert shown["keys"] == "uint32[local_device_count, 2]"
    assert shown["image"] == "uint8[local_device_count, 8//local_device_count, 4, 4, 3]"
    assert shown["label"] == "int32[local_device_count, 8//local_device_count]"
    assert shown["padded"] == "the NumPy array float32[5, 3]"
    assert shown["total"] == "float32[local_device_count]"
    assert shown["hot"] == "float32[4, 6]"
    assert "float32[" in show(variables["gathered"].items["loss"])
    assert show(variables["mean"].items["hits"]) == "float32[]"
    assert show(variables["of_two"].items["hits"]) == "int32[2, 3]"


UP_TO = """\
import jax, jax.numpy as jnp
leaves, structure = jax.tree.flatten({"a": jnp.ones(3), "b": [jnp.zeros(2), None]})
parts = structure.flatten_up_to({"a": (jnp.ones(4), 1), "b": [{"c": jnp.ones(5, jnp.int8)}, None]})
first, second = parts[0][0], parts[1]["c"]
"""


def test_the_parts_of_a_tree_up_to_the_leaves_of_another() -> None:
    variables, result = interpreted(UP_TO)
    assert not result.diagnostics
    assert wrong_claims(UP_TO, variables, run(UP_TO)) == []
    assert [show(variables[name]) for name in ("first", "second")] == ["float32[4]", "int8[5]"]
    _, result = interpreted(UP_TO + "structure.flatten_up_to({'a': 1, 'b': [2]})\n")
    (mistake,) = result.diagnostics
    assert (mistake.line, mistake.code, mistake.is_certain) == (5, "array-tree", True)
    with pytest.raises(ValueError, match="List arity mismatch"):
        run(UP_TO + "structure.flatten_up_to({'a': 1, 'b': [2]})\n")
