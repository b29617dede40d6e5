"""Steps of Optax's optimizers, and its losses: parameters keep their types."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import optax  # type: ignore[import-untyped]
from optax import sgd


class Layer(NamedTuple):
    w: jax.Array
    b: jax.Array


params = {"w": jnp.zeros((6, 4)), "b": jnp.zeros(4)}
optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(1e-2))
state = optimizer.init(params)
updates, state = optimizer.update(params, state)
reveal_type(updates["w"])  # R: Array[float32, tuple[Literal[6], Literal[4]]]
reveal_type(optax.apply_updates(params, updates)["b"])  # R: Array[float32, tuple[Literal[4]]]
reveal_type(optax.global_norm(updates))  # R: Array[float32, tuple[()]]
reveal_type(optax.apply_updates(jnp.asarray(1.0), jnp.ones(3)))  # R: Array[float32, tuple[Literal[3]]]
reveal_type(optax.apply_updates(jnp.ones(3, jnp.int8), 0.5))  # R: Array[int8, Any]

labels = jnp.arange(5) % 4
logits = jnp.ones((5, 4), jnp.bfloat16)
reveal_type(optax.softmax_cross_entropy_with_integer_labels(logits, labels))  # R: Array[bfloat16, tuple[Literal[5]]]
reveal_type(optax.softmax_cross_entropy(logits, jax.nn.one_hot(labels, 4)))  # R: Array[float32, tuple[Literal[5]]]
reveal_type(optax.losses.l2_loss(jnp.ones(3)))  # R: Array[float32, tuple[Literal[3]]]
reveal_type(optax.softmax_cross_entropy(logits, logits, where=logits > 0))  # R: Any


def train(params, x, schedule):
    optimizer = optax.adamw(schedule, weight_decay=1e-4)
    state = optimizer.init(params)

    def loss(params):
        return optax.l2_loss(x @ params.w + params.b).mean()

    @jax.jit
    def step(params, state):
        value, grads = jax.value_and_grad(loss)(params)
        updates, state = optimizer.update(grads, state, params)
        return optax.apply_updates(params, updates), state, value

    for _ in range(3):
        params, state, value = step(params, state)
    return params, value


layer = Layer(jnp.zeros((6, 4)), jnp.zeros(4))
trained, value = train(layer, jnp.ones((2, 6)), optax.cosine_decay_schedule(0.1, 10))
reveal_type(trained.w)  # R: Array[float32, tuple[Literal[6], Literal[4]]]
reveal_type(value)  # R: Array[float32, tuple[()]]


def stepped(optimizer, params, grads):
    updates, _ = optimizer.update(grads, optimizer.init(params), params)
    return updates


half = jnp.ones(3, jnp.bfloat16)
reveal_type(stepped(sgd(0.1), half, half))  # R: Array[bfloat16, tuple[Literal[3]]]
reveal_type(stepped(sgd(0.1, momentum=0.9), half, jnp.ones(3)))  # R: Any
reveal_type(stepped(sgd(jnp.ones(3)), half[0], half[0]))  # R: Any
reveal_type(stepped(optax.scale_by_distance_over_gradients(), half, half))  # R: Any
