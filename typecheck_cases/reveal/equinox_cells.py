"""Cells, normalizations, embeddings and dropout of equinox, in parameters and arguments of several dtypes."""

import equinox as eqx
import jax
import jax.numpy as jnp

key = jax.random.key(0)


class Net(eqx.Module):
    cell: eqx.nn.GRUCell
    lstm: eqx.nn.LSTMCell
    norm: eqx.nn.LayerNorm
    rms: eqx.nn.RMSNorm
    rows: eqx.nn.Embedding
    drop: eqx.nn.Dropout

    def __init__(self, n, key, dtype=None):
        k1, k2, k3 = jax.random.split(key, 3)
        self.cell = eqx.nn.GRUCell(3, n, key=k1, dtype=dtype)
        self.lstm = eqx.nn.LSTMCell(3, n, use_bias=False, key=k2, dtype=dtype)
        self.norm = eqx.nn.LayerNorm(n)
        self.rms = eqx.nn.RMSNorm((n,), use_bias=False, dtype=dtype)
        self.rows = eqx.nn.Embedding(10, n, key=k3, dtype=dtype)
        self.drop = eqx.nn.Dropout(0.1)

    def __call__(self, x, h, i, key):
        c = self.lstm(x, (h, h))[1]
        return self.cell(x, h), c, self.norm(h), self.rms(h), self.rows(i), self.drop(h, key=key)


def run(dtype, of_x, of_h):
    return Net(4, key, dtype)(jnp.ones(3, of_x), jnp.ones(4, of_h), jnp.int32(2), key)


a, c, n, r, e, d = run(None, jnp.float32, jnp.float32)
reveal_type(a)  # R: Array[float32, tuple[Literal[4]]]
reveal_type(c)  # R: Array[float32, tuple[Literal[4]]]
a, c, n, r, e, d = run(jnp.bfloat16, jnp.bfloat16, jnp.bfloat16)
reveal_type(a)  # R: Array[bfloat16, tuple[Literal[4]]]
reveal_type(n)  # R: Array[bfloat16, tuple[Literal[4]]]
reveal_type(e)  # R: Array[bfloat16, tuple[Literal[4]]]
reveal_type(d)  # R: Array[bfloat16, tuple[Literal[4]]]
a, c, n, r, e, d = run(jnp.float16, jnp.bfloat16, jnp.float16)
reveal_type(a)  # R: Array[float32, tuple[Literal[4]]]
reveal_type(c)  # R: Array[float32, tuple[Literal[4]]]
reveal_type(r)  # R: Array[float16, tuple[Literal[4]]]


def over_time(xs, n):
    cell = eqx.nn.GRUCell(3, n, key=key)

    def step(h, x):
        h = cell(x, h)
        return h, h

    return jax.lax.scan(step, jnp.zeros(n), xs)


last, every = over_time(jnp.ones((7, 3)), 6)
reveal_type(last)  # R: Array[float32, tuple[Literal[6]]]
reveal_type(every)  # R: Array[float32, tuple[Literal[7], Literal[6]]]
