"""Flax's `TrainState`: its parameters keep their types through steps, jitted or not."""

from typing import Any

import flax
import jax
import jax.numpy as jnp
import optax  # type: ignore[import-untyped]
from flax.training import train_state
from flax.training.train_state import TrainState

params = {"w": jnp.ones((3, 4)), "b": jnp.zeros(4, jnp.bfloat16)}
x = jnp.ones((2, 3))
y = jnp.ones((2, 4))


def apply(params, x):
    return x @ params["w"] + params["b"]


class WithStatistics(train_state.TrainState):
    statistics: Any
    key: jax.Array


@jax.jit
def step(state, x, y):
    def loss(params):
        return jnp.mean((state.apply_fn(params, x) - y) ** 2)

    value, grads = jax.value_and_grad(loss)(state.params)
    return state.apply_gradients(grads=grads), value


state = TrainState.create(apply_fn=apply, params=params, tx=optax.chain(optax.clip(1.0), optax.adam(1e-3)))
reveal_type(state.params["w"])  # R: Array[float32, tuple[Literal[3], Literal[4]]]
reveal_type(state.apply_fn(state.params, x))  # R: Array[float32, tuple[Literal[2], Literal[4]]]
after, value = step(state, x, y)
reveal_type(value)  # R: Array[Any, tuple[()]]
reveal_type(after.params["b"])  # R: Array[bfloat16, tuple[Literal[4]]]
for _ in range(3):
    state, _ = step(state, x, y)
reveal_type(state.params["w"])  # R: Array[float32, tuple[Literal[3], Literal[4]]]
reveal_type(state.replace(params={"w": x}).params["w"])  # R: Array[float32, tuple[Literal[2], Literal[3]]]

more = WithStatistics.create(
    apply_fn=apply, params=params, tx=optax.sgd(0.1), statistics={"m": jnp.ones(3)}, key=jax.random.key(0)
)
more, _ = step(more, x, y)
reveal_type(more.statistics["m"])  # R: Array[float32, tuple[Literal[3]]]
more = more.apply_gradients(grads=params, statistics={"m": jnp.zeros((1, 1))})
reveal_type(more.statistics["m"])  # R: Array[float32, tuple[Literal[1], Literal[1]]]
reveal_type(more.params["b"])  # R: Array[bfloat16, tuple[Literal[4]]]

injected = optax.inject_hyperparams(optax.adam)(1e-3)
changed = TrainState.create(apply_fn=apply, params=params, tx=injected)  # the widest dtype is that of `w`
reveal_type(changed.apply_gradients(grads=params).params["b"])  # R: Array[bfloat16, Any]


class Own(flax.struct.PyTreeNode):
    a: jax.Array
    n: int = flax.struct.field(pytree_node=False)


own = Own(jnp.ones(3), 2).replace(a=jnp.ones(5))
reveal_type(jax.tree.map(lambda x: x[None], own).a)  # R: Array[float32, tuple[Literal[1], Literal[5]]]
