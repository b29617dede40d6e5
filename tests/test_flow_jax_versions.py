"""Names that jax has no more: the mistake names what to write, and programs for several releases are left alone."""

from __future__ import annotations

import sys

import pytest
from flow_values import interpreted

from arraytyping.checker.flow.real_calls.removed_names import what_became_of
from arraytyping.checker.removals import REMOVED

_EAGER = pytest.mark.skipif(sys.version_info >= (3, 14), reason="annotations are evaluated when they are asked for")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("import jax\njax.tree_map(abs, [1])", "write jax.tree.map"),
        ("from jax import tree_map", "write jax.tree.map"),
        ("from jax.experimental import maps", "write jax.shard_map"),
        ("import jax.experimental.maps", "write jax.shard_map"),
        ("from jax.experimental.maps import xmap", "write jax.shard_map"),
        ("import jax.numpy as jnp\njnp.in1d(jnp.ones(1), jnp.ones(2))", "write jax.numpy.isin"),
        ("import jax\njax.lax.tie_in(1, 2)", "nothing stands for it"),
        ("from jax.experimental import enable_x64", "write jax.enable_x64 in"),
        ("from jax.experimental import disable_x64", "write jax.enable_x64(False) in"),
        ("import jax.numpy as jnp\njnp.NINF", "write -jax.numpy.inf in"),
        ("import jax\njax.sharding.use_mesh", "write jax.set_mesh in"),
        pytest.param("import jax\ndef f(key: jax.random.KeyArray): return key", "write jax.Array", marks=_EAGER),
        pytest.param(
            "import jax.numpy as j\nclass C:\n  def f(self, *a: 'j.ndarray') -> list[j.DeviceArray]: ...",
            "write",
            marks=_EAGER,
        ),
        pytest.param("import jax.numpy as jnp\nclass C:\n  x: jnp.DeviceArray", "write", marks=_EAGER),
        (
            "import jax, jax.numpy as jnp\njax.jit(lambda x: jnp.clip(x, a_max=1))(jnp.ones(2))",
            "write max in its place",
        ),
    ],
)
def test_a_name_that_is_gone(line: str, words: str) -> None:
    _, found = interpreted(line)
    (mistake,) = found.diagnostics
    assert mistake.code == "array-jax-version"
    assert mistake.is_certain
    assert words in mistake.message


@pytest.mark.parametrize(
    "line",
    [
        "from __future__ import annotations\nimport jax\ndef f(key: jax.random.KeyArray): return key\nf(1)",
        "import jax\ndef f(key: 'jax.random.KeyArray'):\n    y: jax.random.KeyArray = key\n    return y\nf(1)",
        "import jax\nif hasattr(jax.random, 'KeyArray'):\n    def f(key: jax.random.KeyArray): return key",
    ],
)
def test_annotations_that_are_not_evaluated(line: str) -> None:
    exec(compile(line, "program.py", "exec", dont_inherit=True), {})
    _, found = interpreted(line)
    assert not found.diagnostics


@pytest.mark.parametrize(
    "line",
    [
        "import jax\nx = jax.tree_map(jnp.sin, {'a': jnp.ones(3)})['a']",
        "from jax import tree_map\nx = tree_map(jnp.sin, {'a': jnp.ones(3)})['a']",
        "import jax.experimental.stax\nx = jax.experimental.stax.randn()(jax.random.key(0), (3,))",
        "from jax.experimental import stax\nx = stax.randn()(jax.random.key(0), (3,))",
        "from jax.experimental.stax import randn\nx = randn()(jax.random.key(0), (3,))",
        "x: jnp.DeviceArray = jnp.product(jnp.ones((2, 3)), 0)",
        "import jax.nn as nn\nx = nn.normalize(jnp.ones((3,)))",
        "x = jnp.clip(jnp.ones(3), a_min=0, a_max=1)",
        "x = jnp.quantile(jnp.ones((3, 2)), 0.5, axis=1, interpolation='lower')",
        "x = jax.device_put_replicated({'a': jnp.ones(())}, [1, 2, 3])['a']",
        "x = jnp.ones(3).block_host_until_ready()",
        "x = jnp.ones(3).device_buffer",
        "from jax.lib import xla_bridge\nx = jnp.ones(len(xla_bridge.get_backend.__name__[:3]))",
        "from jax.experimental.pjit import PartitionSpec\nx = jnp.ones(len(PartitionSpec('a', None, 'b')))",
        "from jax.core import Var\nx = jnp.ones(len(Var.__name__))",
        "s = jax.sharding.PositionalSharding(jax.devices())\nx = jax.device_put(jnp.ones(3), s.replicate())",
        "x = jnp.asarray(jnp.ones(3).to_py())",
        "x = jnp.ones(3) * jnp.NINF + jnp.PZERO",
        "from jax.experimental import enable_x64\nwith enable_x64(False):\n    x = jnp.ones(3)",
        "with jax.enable_x64(True), jax.experimental.disable_x64():\n    x = jnp.ones(3)",
        "x = jax.device_put_sharded([jnp.ones(()), jnp.ones(()), jnp.ones(())], [1, 2, 3])",
    ],
)
def test_what_follows_a_name_that_is_gone_is_known(line: str) -> None:
    """As it will be when what the message names is written in its place."""
    variables, found = interpreted(f"import jax\nimport jax.numpy as jnp\n{line}")
    assert {m.code for m in found.diagnostics} == {"array-jax-version"}
    assert str(variables["x"].aval) == "float32[3]"


def test_programs_for_several_releases_and_names_that_never_were() -> None:
    _, found = interpreted(
        """
import jax
try:
    from jax import tree_map
except ImportError:
    tree_map = jax.tree.map
if hasattr(jax, "tree_leaves"):
    leaves = jax.tree_leaves
else:
    leaves = jax.tree.leaves
x = leaves([1, 2])
"""
    )
    assert not found.diagnostics
    _, found = interpreted("import jax.numpy as jnp\njnp.onse(3)")
    assert [m.code for m in found.diagnostics] == ["array-call"]


def test_what_stands_for_a_name_is_there() -> None:
    """In the installed jax: a replacement that it does not have is not named."""
    gone = [full for full in REMOVED if "nothing stands" in (what_became_of(full) or "")]
    assert sorted(gone) == sorted(full for full, instead in REMOVED.items() if not instead)


@pytest.mark.parametrize(
    "imported", ["import flax\noptim = flax.optim", "from flax import optim", "import flax.optim as optim"]
)
def test_a_program_on_the_optimizers_that_flax_had_is_followed_on(imported: str) -> None:
    pytest.importorskip("flax")
    pytest.importorskip("optax")
    names, found = interpreted(
        f"""
import jax, jax.numpy as jnp
{imported}

params = {{"w": jnp.ones((3, 4)), "b": jnp.zeros(4, jnp.bfloat16)}}
scale = optim.DynamicScale().scale
optimizer = optim.Adam(learning_rate=1e-3, beta1=0.8).create(params)

@jax.jit
def step(optimizer, x):
    grads = jax.grad(lambda p: jnp.sum(x @ p["w"] + p["b"]))(optimizer.target)
    return optimizer.apply_gradient(grads), optimizer.apply_gradient(grads, learning_rate=jnp.float32(0.1))

first, second = step(optimizer, jnp.ones((2, 3)))
w, b, strong = first.target["w"], first.target["b"], second.target["b"]
count, moment = first.state.step, optimizer.state.param_states["b"][0]
later, other = first.state.param_states["b"][1], step(second, jnp.ones((2, 3)))[0].state.param_states["b"][0]
y = jnp.ones((5, 7)) @ w
"""
    )
    assert [(m.line, m.code) for m in found.diagnostics] == [
        (4 if "\n" in imported else 3, "array-jax-version"),
        (18 + imported.count("\n"), "array-shape"),
    ]
    assert "the installed flax has no flax.optim any more; write optax in its place" in found.diagnostics[0].message
    shown = [str(names[name].aval) for name in ("w", "b", "strong", "count", "moment", "later", "other")]
    assert shown[:5] == ["float32[3, 4]", "bfloat16[4]", "float32[4]", "int32[]", "bfloat16[4]"]
    assert shown[5:] == ["bfloat16[4]", "float32[4]"]  # since the rate has made the parameters float32
    from flax.training.dynamic_scale import DynamicScale

    assert names["scale"] == DynamicScale().scale


def test_keys_of_an_implementation_that_a_library_brings() -> None:
    variables, found = interpreted(
        """
import jax, jax.numpy as jnp
from jax.experimental.pallas import tpu as pltpu
key = pltpu.to_pallas_key(jax.random.key(0))
keys = jnp.stack([key, jax.lax.cond(True, lambda k: k, lambda k: k, key)])
"""
    )
    assert found.diagnostics == []
    assert str(variables["keys"].aval) == "key<pl>[2]"


def test_several_of_the_optimizers_that_flax_had() -> None:
    pytest.importorskip("flax")
    names, found = interpreted(
        """
import jax.numpy as jnp
from flax import optim
params = {"w": jnp.ones((3, 4)), "b": jnp.zeros(4)}
weights = optim.ModelParamTraversal(lambda path, _: "w" in path)
optimizer = optim.MultiOptimizer((weights, optim.Adam()), (weights, optim.Momentum())).create(params)
x = optimizer.apply_gradient(params, learning_rate=0.1).target["w"]
"""
    )
    assert {m.code for m in found.diagnostics} == {"array-jax-version"}
    assert str(names["x"].aval) == "float32[3, 4]"
