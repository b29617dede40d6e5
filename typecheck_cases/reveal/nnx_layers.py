"""Layers of nnx that nothing holds but what calls them, and of others, whose parameters may be replaced, nothing."""

import jax
import jax.numpy as jnp
from flax import nnx

rngs = nnx.Rngs(0)
x = jnp.ones((2, 3))
reveal_type(nnx.Linear(3, 4, rngs=rngs)(x))  # R: Array[float32, tuple[Literal[2], Literal[4]]]
pooled = nnx.avg_pool(jnp.ones((1, 8, 8, 3)), (2, 2), strides=(2, 2))
reveal_type(pooled)  # R: Array[float32, tuple[Literal[1], Literal[4], Literal[4], Literal[3]]]


def declared(x: jax.Array) -> None:
    x = jnp.ones((5, 7))
    layer = nnx.Conv(7, 4, 3, rngs=rngs, dtype=jnp.bfloat16)
    for _ in range(2):
        reveal_type(layer(x))  # R: Array[bfloat16, tuple[Literal[5], Literal[4]]]


declared(x)


def used(x, n, dtype):
    layer = nnx.Linear(3, n, rngs=rngs, param_dtype=dtype, kernel_init=nnx.initializers.xavier_uniform())
    norm = nnx.LayerNorm(n, rngs=rngs)
    embed = nnx.Embed(10, 6, rngs=rngs, param_dtype=dtype)
    inner = lambda y: norm(layer(y)) * 2
    return inner(x), embed(jnp.array([1, 2])), embed.attend(jnp.ones((4, 6)))


a, b, c = used(x, 5, jnp.bfloat16)
reveal_type(a)  # R: Array[float32, tuple[Literal[2], Literal[5]]]
reveal_type(b)  # R: Array[bfloat16, tuple[Literal[2], Literal[6]]]
reveal_type(c)  # R: Array[bfloat16, tuple[Literal[4], Literal[10]]]


def in_sequence(x, n):
    net = nnx.Sequential(nnx.Linear(3, n, rngs=rngs), nnx.relu, nnx.LayerNorm(n, rngs=rngs, dtype=jnp.float16))
    shared = nnx.Linear(3, 4, rngs=rngs)
    other = nnx.Sequential(shared, jnp.tanh)
    shared.kernel.set_value(jnp.ones((3, 7)))
    shared.bias.set_value(jnp.ones(7))
    return net(x), other(x)


g, h = in_sequence(x, 6)
reveal_type(g)  # R: Array[float16, tuple[Literal[2], Literal[6]]]
reveal_type(h)  # R: Any


def handed_on(x):
    read = nnx.Linear(3, 4, rngs=rngs)
    read.kernel.set_value(jnp.ones((3, 7)))
    read.bias.set_value(jnp.ones(7))
    given = nnx.Linear(3, 4, rngs=rngs)
    nnx.update(given, jax.tree.map(lambda p: p.astype(jnp.float16), nnx.state(given)))
    drawn = nnx.Linear(3, 4, rngs=rngs, kernel_init=lambda key, shape, dtype: jnp.ones((3, 4), jnp.float16))
    return read(x), given(x.astype(jnp.float16)), drawn(x)


d, e, f = handed_on(x)
reveal_type(d)  # R: Array[Any, Any]
reveal_type(e)  # R: Array[Any, Any]
reveal_type(f)  # R: Array[Any, Any]
