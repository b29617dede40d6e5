"""Layers of equinox and nnx that are given arrays of other sizes, ranks or dtypes than they take, against runs."""

from __future__ import annotations

import textwrap

import pytest
from mypy_runs import Run
from raising_programs import one_run, program, raising_line, told

HEAD = """
import equinox as eqx
from flax import nnx
key = jax.random.key(0)
"""

WRONG = {
    "linear": "eqx.nn.Linear(4, 2, key=key)(x)",
    "linear_of_a_scalar": 'eqx.nn.Linear("scalar", 2, key=key)(x)',
    "perceptron": "eqx.nn.MLP(4, 2, 8, 1, key=key)(x)",
    "activation_along_an_axis": "eqx.nn.MLP(3, 2, 8, 1, final_activation=jax.nn.softmax, key=key)(x)",
    "second_of_a_sequence": """
        eqx.nn.Sequential([eqx.nn.Linear(3, 4, key=key), eqx.nn.Linear(5, 2, key=key)])(x)
        """,
    "layer_norm": "eqx.nn.LayerNorm(4)(x)",
    "rms_norm": "eqx.nn.RMSNorm((3, 1))(x)",
    "embedding_of_several": "eqx.nn.Embedding(10, 4, key=key)(jnp.ones(2, jnp.int32))",
    "cell": "eqx.nn.GRUCell(4, 5, key=key)(x, jnp.ones(5))",
    "state_of_a_cell": "eqx.nn.LSTMCell(3, 5, key=key)(x, (jnp.ones(4), jnp.ones(5)))",
    "channels": "eqx.nn.Conv2d(4, 5, 3, key=key)(image)",
    "batch": "eqx.nn.Conv2d(3, 5, 3, key=key)(image[None])",
    "dtype_of_an_image": "eqx.nn.Conv2d(3, 5, 3, key=key)(image.astype(jnp.bfloat16))",
    "channels_upwards": "eqx.nn.ConvTranspose2d(2, 5, 3, key=key)(image)",
    "lengths": "eqx.nn.MultiheadAttention(2, 4, key=key)(rows, rows, jnp.ones((6, 4)))",
    "size_of_positions": "eqx.nn.RotaryPositionalEmbedding(6)(rows)",
    "positions_of_a_batch": "eqx.nn.RotaryPositionalEmbedding(4)(rows[None])",
    "scaled_weights": "eqx.nn.WeightNorm(eqx.nn.Linear(4, 2, key=key))(x)",
    "layer_of_nnx": "nnx.Linear(4, 2, rngs=nnx.Rngs(0))(x)",
    "features_of_queries": "eqx.nn.MultiheadAttention(2, 4, key=key)(jnp.ones((5, 3)), rows, rows)",
}
"""Expressions that raise."""

WRONG_PROGRAMS = {
    "in_a_list": """
        class Net(eqx.Module):
            layers: list
            def __init__(self):
                self.layers = [eqx.nn.Linear(3, 4, key=key), jax.nn.relu, eqx.nn.Linear(5, 2, key=key)]
            def __call__(self, x):
                for layer in self.layers:
                    x = layer(x)
                return x
        Net()(jnp.ones(3))
        """,
}

RIGHT = {
    "sizes": """
        def f(x, image, rows):
            eqx.nn.Linear(3, 2, key=key)(x)
            eqx.nn.MLP(3, "scalar", 8, 1, final_activation=jnp.tanh, key=key)(x)
            eqx.nn.MLP(3, "scalar", 8, 1, final_activation=lambda x: x.reshape(1, 1), key=key)(x)
            eqx.nn.ConvTranspose2d(3, 5, 3, stride=2, output_padding=1, key=key)(image)
            eqx.nn.MultiheadAttention(2, 4, key=key)(rows, jnp.ones((6, 4)), jnp.ones((6, 4)))
            eqx.nn.RotaryPositionalEmbedding(4)(rows)
            eqx.nn.WeightNorm(eqx.nn.Linear(3, 2, key=key), axis=None)(x)
            nnx.Linear(3, 2, rngs=nnx.Rngs(0))(x)
        f(jnp.ones(3), jnp.ones((3, 8, 8)), jnp.ones((5, 4)))
        """,
    "handled": """
        def f(x):
            try:
                return eqx.nn.LayerNorm(4)(x)
            except ValueError:
                return x
        f(jnp.ones(3))
        """,
    "another_tree": """
        def f(x):
            net = eqx.nn.Sequential([eqx.nn.Linear(3, 4, key=key), eqx.nn.Lambda(jax.nn.relu)])
            net = eqx.tree_at(lambda n: n.layers[0], net, eqx.nn.Linear(5, 4, key=key))
            return net(x)
        f(jnp.ones(5))
        """,
    "changed_parameters": """
        def f(x):
            layer = nnx.Linear(4, 2, rngs=nnx.Rngs(0))
            layer.kernel.set_value(jnp.ones((3, 2)))
            other = [nnx.Linear(4, 2, rngs=nnx.Rngs(0))]
            other[0].kernel.set_value(jnp.ones((3, 2)))
            return layer(x), other[0](x)
        f(jnp.ones(3))
        """,
    "several_at_once": """
        def f(x):
            many = jax.vmap(lambda k: eqx.nn.Linear(3, 4, key=k))(jax.random.split(key, 5))
            return jax.vmap(lambda net, x: net(x))(many, jnp.ones((5, 3))), many.weight[0] @ x
        f(jnp.ones(3))
        """,
    "list_that_grows": """
        class Net(eqx.Module):
            layers: list
            def __init__(self):
                self.layers = [jnp.ones(2), jnp.sin, jnp.ones(3)]
            def last(self):
                return self.layers[-1] * 2
        def f():
            net = Net()
            net.layers.append(jnp.ones(4))
            net.layers[0] = jnp.ones(5)
            return net.last() + jnp.ones(4), net.layers[0] + jnp.ones(5)
        f()
        """,
}


def _in_function(expression: str) -> str:
    """A program that comes to an expression in a function."""
    body = textwrap.indent(textwrap.dedent(expression).strip(), "    ").replace("    ", "    return ", 1)
    return f"{HEAD}\ndef f(x, image, rows):\n{body}\nf(jnp.ones(3), jnp.ones((3, 8, 8)), jnp.ones((5, 4)))\n"


_WRONG = {
    **{name: _in_function(text) for name, text in WRONG.items()},
    **{name: HEAD + textwrap.dedent(text) for name, text in WRONG_PROGRAMS.items()},
}
_RIGHT = {name: HEAD + textwrap.dedent(text) for name, text in RIGHT.items()}
run = one_run(_WRONG, _RIGHT)


@pytest.mark.parametrize("name", _WRONG)
def test_a_mistake_is_told_at_the_call_of_the_layer(name: str, run: Run) -> None:
    source = program(_WRONG[name])
    # What a layer refuses is raised in the library: the innermost line of the program is that of the call.
    line = raising_line(source)
    assert line is not None
    assert told(run, name) == [line]


@pytest.mark.parametrize("name", _RIGHT)
def test_nothing_is_told_of_what_runs(name: str, run: Run) -> None:
    assert raising_line(program(_RIGHT[name])) is None
    assert told(run, f"r_{name}") == []
