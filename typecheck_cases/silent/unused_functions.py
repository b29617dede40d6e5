"""Functions that sort, split, cast and apply: each gives something new."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import optax


def median(values):
    x = jnp.array(values)
    x = jnp.sort(x)  # mistake: jnp.sort(x) [array-unused]
    return x[len(values) // 2]


def ranks(x):
    order = jnp.array(x)
    order = order.argsort()  # mistake: order.argsort() [array-unused]
    return order


def train(steps):
    params = {"w": jnp.array([1.0, -2.0]), "b": jnp.array(0.5)}
    optimizer = optax.sgd(0.1)
    state = optimizer.init(params)

    def loss(params):
        return jnp.sum(params["w"] ** 2) + params["b"] ** 2

    for _ in range(steps):
        gradients = jax.grad(loss)(params)
        updates, state = optimizer.update(gradients, state)
        params = optax.apply_updates(params, updates)  # mistake: optax.apply_updates(params, updates) [array-unused]
    return params


def momentum(steps):
    w = jnp.array([1.0, -2.0])
    optimizer = optax.trace(0.9)
    state = optimizer.init(w)
    updates = w
    for _ in range(steps):
        updates, state = optimizer.update(w, state)  # mistake: optimizer.update(w, state) [array-unused]
    return updates


class State(NamedTuple):
    """What an agent knows."""

    position: jax.Array
    steps: int = 0


def walk(state, moves):
    for move in moves:
        state = state._replace(position=state.position + move)  # mistake: state._replace(position=state.position + move) [array-unused]
    return state.position


def shuffled(key, items):
    items = jnp.array(items)
    items = jax.random.permutation(key, items)  # mistake: jax.random.permutation(key, items) [array-unused]
    return items


def normalise(image):
    image = jnp.asarray(image)
    image = image.astype(jnp.float32)  # mistake: image.astype(jnp.float32) [array-unused]
    image = image.clip(0, 200)  # mistake: image.clip(0, 200) [array-unused]
    return image / 255, image.dtype


print(median([3.0, 1.0, 2.0]), ranks(jnp.array([3.0, 1.0, 2.0])))
print(train(3)["w"], momentum(3))
print(walk(State(jnp.zeros(2)), [jnp.array([1.0, 0.0]), jnp.array([0.0, 2.0])]))
print(shuffled(jax.random.key(3), [1, 2, 3, 4, 5]), normalise(jnp.array([1, 255], jnp.uint8))[1], normalise([0, 255]))
