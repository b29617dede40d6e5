"""What programs do with JAX: right at run time, and without an error in any checker that reads the stubs."""

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.typing import ArrayLike

x = jnp.zeros((3, 4))
rank: int = x.ndim
rows, columns = x.shape
first: int = x.shape[0]
length: int = len(x)
number: float = float(x.sum())
x.block_until_ready().weak_type
y = x.at[0, 1].set(1.0).at[1].add(2).at[:, 0].multiply(3)
y = y.at[0].get() + y[0, ...]
total = sum(float(v) for v in y)
named = {"a": x, "b": y}
flipped = x.T @ x
x += 1
x = -x / 2
assert (x == x).all()
assert not (x == None)  # noqa: E711
if x.dtype == jnp.float32 and jnp.issubdtype(x.dtype, jnp.floating):
    x = x.astype(jnp.bfloat16).astype(float)
z = jnp.zeros_like(x, dtype=x.dtype) + np.ones((3, 4), np.float32) + np.float32(1) + x * np.pi
z = jnp.where(z > 0, z, 0.0) + jnp.clip(z, 0, 1) + jnp.maximum(z, 0) + jnp.add(z, np.ones(4))
z = jnp.concatenate([z, z], axis=0)
z = jnp.stack((z, z)).reshape(-1, 4).reshape((2, -1)).transpose(1, 0)
z = jnp.array([[1, 2], [3, 4]], dtype="float32") + jnp.asarray(2) + jnp.arange(2)
k: np.dtype[Any] = x.dtype
bits: int = jnp.finfo(x.dtype).bits + jnp.iinfo(jnp.int32).bits
largest = jnp.finfo(jnp.float32).max
total_sum = jnp.add.reduce(x)
pair = divmod(jnp.asarray(5), 2)
both = jnp.linalg.norm(z) + jnp.einsum("ij,ij->", z, z) + jnp.dot(z, z).sum() + jnp.pi


class State(NamedTuple):
    w: jax.Array
    n: int


def step(state: State, v: jax.Array) -> tuple[State, jax.Array]:
    return State(state.w + v, state.n + 1), v * 2


state, outputs = lax.scan(step, State(jnp.zeros(4), 0), jnp.ones((3, 4)))
print(state.w.sum(), outputs.shape)
looped = lax.fori_loop(0, 3, lambda i, c: c + i, jnp.zeros(()))
chosen = lax.cond(looped > 1, lambda c: c, lambda c: -c, looped)


def loss(w: jax.Array, v: ArrayLike, scale: float = 1.0) -> jax.Array:
    return ((w - v) ** 2).mean() * scale


gradient = jax.grad(loss)(jnp.ones(4), np.ones(4), scale=2.0)
value, gradient = jax.value_and_grad(loss)(jnp.ones(4), 1.0)
gradient = jax.jit(jax.grad(loss))(gradient, 1.0)
g0, g1 = jax.grad(loss, argnums=(0, 1))(jnp.ones(4), jnp.ones(4))
grads = jax.grad(lambda p: (p["w"] * p["b"]).sum())({"w": x, "b": x})
print(grads["w"].shape, gradient.shape, g0 + g1, value.shape)
mapped = jax.vmap(loss, in_axes=(0, None))(jnp.ones((5, 4)), 1.0)
mapped = jax.vmap(lambda a, b: a @ b)(jnp.ones((5, 4)), jnp.ones((5, 4)))
pairs = jax.vmap(lambda a: (a, a.sum()))(jnp.ones((5, 4)))
print(mapped.shape, pairs[0].shape)


@partial(jax.jit, static_argnames=("n",))
def repeated(v: jax.Array, n: int) -> jax.Array:
    return jnp.tile(v, n)


@jax.jit
def doubled(v: jax.Array) -> jax.Array:
    return v * 2


@jax.jit(static_argnums=1)
def tripled(v: jax.Array, n: int) -> jax.Array:
    return v * n


@jax.checkpoint
def kept(v: jax.Array) -> jax.Array:
    return jnp.sin(v)


class Model:
    @jax.jit
    def first(self, v: jax.Array) -> jax.Array:
        return v + 1

    @partial(jax.jit, static_argnums=0)
    def second(self, v: jax.Array, w: jax.Array) -> jax.Array:
        return v + w

    @staticmethod
    @jax.jit
    def third(v: jax.Array) -> jax.Array:
        return v


jax.tree_util.register_pytree_node(Model, lambda m: ((), None), lambda _, __: Model())
model = Model()
print(repeated(x, n=2).shape, doubled(x).shape, tripled(x, 3).shape, kept(x).shape, doubled.lower(x).as_text()[:1])
print(model.first(x).shape, model.second(x, x).shape, Model.third(x).shape)


@jax.custom_vjp
def clipped(v: jax.Array) -> jax.Array:
    return v


def clipped_fwd(v: jax.Array) -> tuple[jax.Array, None]:
    return v, None


def clipped_bwd(_: None, g: jax.Array) -> tuple[jax.Array]:
    return (jnp.clip(g, -1, 1),)


clipped.defvjp(clipped_fwd, clipped_bwd)
print(clipped(x).shape)

key = jax.random.key(0)
key, sub = jax.random.split(key)
noise = jax.random.normal(sub, x.shape) + jax.random.uniform(key, (3, 4), minval=-1.0)
activated = jax.nn.relu(noise) + jax.nn.softmax(noise, axis=-1) + jax.scipy.special.logsumexp(noise)
print(jax.tree.map(lambda a: a * 2, {"a": activated})["a"].shape, jax.devices()[0].platform, jax.__version__)
mesh = jax.sharding.Mesh(np.array(jax.devices()[:1]), ("d",))


def place(m: jax.sharding.Mesh, v: jax.Array) -> jax.Array:
    return jax.device_put(v, jax.sharding.NamedSharding(m, jax.sharding.PartitionSpec("d")))


print(place(mesh, jnp.ones(1)).sharding, isinstance(x, jax.Array), isinstance(x, jnp.ndarray))
try:
    jax.jit(float)(1.0)
except (TypeError, jax.errors.ConcretizationTypeError):
    pass
sines = (
    jax.jit(jnp.sin)(noise) + jax.vmap(jnp.sin)(noise) + jax.jit(jnp.add)(noise, 1) + jax.vmap(jnp.dot)(noise, noise)[0]
)
slope = jax.grad(jnp.tanh)(2.0) + jax.jit(jax.vmap(jax.grad(jnp.sin)))(jnp.ones(3))
print(sines.shape, slope.shape, doubled(np.ones(3)).shape, doubled(2.0).shape)
