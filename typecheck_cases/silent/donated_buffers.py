"""Replay buffers, caches and running statistics that are updated in place."""

import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, donate_argnames=("buffer",))
def insert(buffer, item, position):
    return jax.lax.dynamic_update_slice(buffer, item[None], (position, 0))


buffer = jnp.zeros((6, 3))
for i in range(4):
    buffer = insert(buffer, jnp.full((3,), float(i)), i)  # mistake: insert(buffer, jnp.full((3,), float(i)), i) [array-donated]
print(buffer.sum())

store = jnp.zeros((6, 3))
view = store[:2]  # mistake a: view = store [array-donated]
store = insert(store, jnp.ones(3), 0)
print(view + 1)  # shows a


@functools.partial(jax.jit, donate_argnums=(0, 1))
def append(keys, values, k, v, position):
    keys = jax.lax.dynamic_update_slice(keys, k, (position, 0))
    return keys, jax.lax.dynamic_update_slice(values, v, (position, 0))


cache = {"keys": jnp.zeros((5, 4)), "values": jnp.zeros((5, 4))}
for i in range(3):
    token = jnp.full((1, 4), i + 1.0)
    keys, values = append(cache["keys"], cache["values"], token, token, i)  # shows c
    cache = {"keys": keys, "values": values}  # mistake c: kept = {"keys": keys, "values": values} [array-donated]
print(cache["keys"].sum())

empty = jnp.zeros((5, 4))
keys, values = append(empty, jnp.zeros((5, 4)), token, token, 0)  # mistake: keys, values = append(empty, empty, token, token, 0) [array-donated]
print(keys.sum(), values.sum())


@functools.partial(jax.jit, donate_argnums=0)
def accumulate(total, x):
    return total + x


class Mean:
    def __init__(self, shape):
        self.total = jnp.zeros(shape)
        self.count = 0

    def add(self, x):
        self.total = accumulate(self.total, x)  # mistake b: accumulate(self.total, x) [array-donated]
        self.count += 1

    def value(self):
        return self.total / self.count  # shows b


mean = Mean((3,))
mean.add(jnp.ones(3))
print(mean.value())

start = jnp.zeros(3)
total = accumulate(start, jnp.ones(3))  # mistake: total = accumulate(start, start) [array-donated]
print(total)
gradients = [jnp.ones(3), jnp.ones(3)]
summed = accumulate(gradients[0], gradients[1])
print(summed, gradients[1])  # mistake: print(summed, gradients[0] + gradients[1]) [array-donated]
