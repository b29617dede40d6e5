"""Methods that are jitted: `self` static, or a pytree; modules of equinox; what `jax.checkpoint` makes arrays of."""

from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from flax import struct


class Agent:
    def __init__(self, n, width=2):
        self.w = jnp.ones((n, width))
        self.width = width

    @partial(jax.jit, static_argnums=0)
    def act(self, obs):
        return obs @ self.w

    @partial(jax.jit, static_argnames=("self", "k"))
    def several(self, obs, k):
        return jnp.tile(self.act(obs), (k, 1))

    @partial(jax.jit, static_argnums=(0,))
    def update(self, w, obs):
        def loss(w):
            return (obs @ w).sum() + self.act(obs).mean()

        value, grads = jax.value_and_grad(loss)(w)
        return w - 0.1 * grads, value

    def run(self, obs):
        w, value = self.update(self.w, obs)
        return w, value, self.several(obs, 3)

    @partial(jax.jit, static_argnums=0)
    def noise(self, key):
        return jax.random.normal(key, (self.width,), jnp.float16)


class Tall(Agent):
    @partial(jax.jit, static_argnums=0)
    def act(self, obs):
        return (obs @ self.w)[..., :1]


agent = Agent(3)
obs = jnp.ones((4, 3))
reveal_type(agent.act(obs))  # R: Array[float32, tuple[Literal[4], Literal[2]]]
reveal_type(agent.act(np.ones((4, 3))))  # R: Array[float32, tuple[Literal[4], Literal[2]]]
reveal_type(agent.several(obs, 2))  # R: Array[float32, tuple[Literal[8], Literal[2]]]
reveal_type(agent.several(obs, k=2))  # R: Array[float32, tuple[Literal[8], Literal[2]]]
reveal_type(agent.update(agent.w, obs)[0])  # R: Array[float32, tuple[Literal[3], Literal[2]]]
reveal_type(agent.run(obs)[2])  # R: Array[float32, tuple[Literal[12], Literal[2]]]
reveal_type(Tall(3).act(obs))  # R: Array[float32, tuple[Literal[4], Literal[1]]]
reveal_type(Tall(3).run(obs)[2])  # R: Array[float32, tuple[Literal[12], Literal[1]]]
reveal_type(Agent(3, 5).noise(jax.random.key(0)))  # R: Array[float16, tuple[Literal[5]]]


class Layer(eqx.Module):
    w: jax.Array
    b: jax.Array
    scale: float = eqx.field(static=True, default=2.0)

    @jax.jit
    def act(self, x):
        return x @ self.w + self.b

    def __call__(self, x):
        return self.act(x) * self.scale


class Net(eqx.Module):
    layers: tuple

    def __init__(self, n):
        self.layers = (Layer(jnp.ones((n, 4)), jnp.zeros(4)), Layer(jnp.ones((4, 2)), jnp.zeros(2)))

    def __call__(self, x):
        return self.layers[1](jax.nn.relu(self.layers[0](x)))


class Converted(eqx.Module):
    w: jax.Array = eqx.field(converter=jnp.float16)
    b: jax.Array


layer = Layer(jnp.ones((3, 2)), jnp.ones(2))
reveal_type(layer.act(obs))  # R: Array[float32, tuple[Literal[4], Literal[2]]]
reveal_type(layer(obs))  # R: Array[float32, tuple[Literal[4], Literal[2]]]
reveal_type(layer.w)  # R: Array[float32, tuple[Literal[3], Literal[2]]]
reveal_type(Net(3)(obs))  # R: Array[float32, tuple[Literal[4], Literal[2]]]
reveal_type(jax.vmap(Net(3))(obs))  # R: Array[float32, tuple[Literal[4], Literal[2]]]
reveal_type(Converted(jnp.ones(2), jnp.ones(3)).w)  # R: Array[Any, Any]
reveal_type(Converted(jnp.ones(2), jnp.ones(3)).b)  # R: Array[float32, tuple[Literal[3]]]


@struct.dataclass
class Params:
    w: jax.Array
    b: jax.Array | None = None

    @jax.jit
    def predict(self, x):
        return x @ self.w

    def with_bias(self, b):
        return self.replace(b=b)


reveal_type(Params(jnp.ones((3, 7), jnp.bfloat16)).predict(obs))  # R: Array[float32, tuple[Literal[4], Literal[7]]]


biased = Params(jnp.ones((3, 7))).with_bias(jnp.zeros(7, jnp.int8))
reveal_type(biased.w)  # R: Array[float32, tuple[Literal[3], Literal[7]]]
reveal_type(biased.replace(w=jnp.ones((2, 2))).w)  # R: Array[float32, tuple[Literal[2], Literal[2]]]


@jax.checkpoint
def halved(x):
    return x * 0.5


reveal_type(halved(np.ones(3)))  # R: Array[float32, tuple[Literal[3]]]
reveal_type(jax.checkpoint(lambda x: x * 2)(np.arange(3)))  # R: Array[int32, tuple[Literal[3]]]
