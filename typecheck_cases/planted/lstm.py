"""An LSTM over a sequence by `lax.scan`."""

import jax
import jax.numpy as jnp

HIDDEN = 16


def init(key, n_in):
    k1, k2 = jax.random.split(key)
    return {
        "wx": jax.random.normal(k1, (n_in, 4 * HIDDEN)) * 0.1,
        "wh": jax.random.normal(k2, (HIDDEN, 4 * HIDDEN)) * 0.1,
        "b": jnp.zeros(4 * HIDDEN),
    }


def cell(params, carry, x):
    h, c = carry
    gates = x @ params["wx"] + h @ params["wh"] + params["b"]  # shows b
    i, f, g, o = jnp.split(gates, 4, axis=-1)  # mistake: i, f, g, o = jnp.split(gates, 5, axis=-1) [array-shape]
    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    h = jax.nn.sigmoid(o) * jnp.tanh(c)
    return (h, c), h  # mistake a: return h, c [error]


def run(params, xs):
    batch = xs.shape[0]
    zeros = jnp.zeros((batch, HIDDEN))  # mistake c: zeros = jnp.zeros((batch, HIDDEN), jnp.bfloat16) [array-dtype]
    xs = jnp.swapaxes(xs, 0, 1)  # mistake b: xs = xs [array-shape]
    (h, _), hs = jax.lax.scan(lambda c, x: cell(params, c, x), (zeros, zeros), xs)  # shows a  # shows c
    return h, jnp.swapaxes(hs, 0, 1)


@jax.jit
def forward(params, xs):
    h, hs = run(params, xs)
    return h.sum() + hs.mean()


params = init(jax.random.key(0), 5)
print(forward(params, jnp.ones((3, 7, 5))))
