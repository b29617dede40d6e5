"""Generators and helpers that give keys one by one."""

import functools
import itertools

import jax
import jax.numpy as jnp


class KeySequence:
    def __init__(self, seed):
        self._key = jax.random.key(seed)

    def __next__(self):
        self._key, subkey = jax.random.split(self._key)
        return subkey

    def __iter__(self):
        return self


def stream(key):
    while True:
        key, subkey = jax.random.split(key)
        yield subkey


def counted(key):
    for i in itertools.count():
        yield jax.random.fold_in(key, i)


sequence = KeySequence(0)
a = jax.random.normal(next(sequence), (2,))
held = next(sequence)
b = jax.random.normal(held, (2,))
c = jax.random.normal(next(sequence), (2,))  # mistake: c = jax.random.normal(held, (2,)) [array-key]

keys = stream(jax.random.key(1))
d = [jax.random.uniform(next(keys)) for _ in range(3)]
e = [jax.random.uniform(k) for k, _ in zip(keys, range(3))]
numbers = counted(jax.random.key(2))
f = jax.random.normal(next(numbers)) + jax.random.normal(next(numbers))


def layer(key, n_in, n_out):
    w_key, b_key = jax.random.split(key)
    return jax.random.normal(w_key, (n_in, n_out)), jax.random.normal(b_key, (n_out,))


sizes = [3, 5, 2]
net_keys = jax.random.split(jax.random.key(3), len(sizes) - 1)
net = [layer(k, m, n) for k, m, n in zip(net_keys, sizes[:-1], sizes[1:])]  # mistake: net = [layer(net_keys[0], m, n) for k, m, n in zip(net_keys, sizes[:-1], sizes[1:])] [array-key]

draw = functools.partial(jax.random.normal, shape=(2,))
left, right = jax.random.split(jax.random.key(4))
g = draw(left) + draw(right)  # mistake: g = draw(left) + draw(left) [array-key]

vectorised = jax.vmap(lambda k, scale: scale * jax.random.normal(k, (3,)))
many = jax.random.split(jax.random.key(5), 4)
h = vectorised(many, jnp.arange(4.0))
i = vectorised(jax.random.split(jax.random.key(6), 4), jnp.ones(4))  # mistake: i = vectorised(many, jnp.ones(4)) [array-key]
print(a, b, c, d, e, f, len(net), g, h.shape, i.shape)
