"""Optax, flax and agents: what is jitted where."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax


class Net(nn.Module):
    """Two dense layers."""

    @nn.compact
    def __call__(self, x):
        return nn.Dense(1)(nn.tanh(nn.Dense(4)(x)))


net = Net()
optimizer = optax.adam(1e-2)
params = net.init(jax.random.key(0), jnp.ones((2, 3)))
state = optimizer.init(params)


def loss(params, x):
    return (net.apply(params, x) ** 2).mean()


@jax.jit
def update(params, state, x):
    value, gradients = jax.value_and_grad(loss)(params, x)
    updates, state = optimizer.update(gradients, state)
    return optax.apply_updates(params, updates), state, value


rng = np.random.default_rng(0)
for _ in range(3):
    batch = rng.normal(size=(4, 3)).astype(np.float32)
    params, state, value = update(params, state, batch)  # mistake: params, state, value = jax.jit(lambda p, s, b: update(p, s, b))(params, state, batch) [array-recompile]
print(value)

forward = jax.jit(net.apply)
for _ in range(3):
    out = forward(params, batch)  # mistake: out = jax.jit(net.apply)(params, batch) [array-recompile]
print(out.shape)


class Agent:
    """Acts by a table of values."""

    def __init__(self):
        self.q = jnp.zeros((4, 2))
        self._act = jax.jit(lambda q, s: q[s].argmax())

    def act(self, s):
        return self._act(self.q, s)  # mistake: return jax.jit(lambda q, s: q[s].argmax())(self.q, s) [array-recompile]


agent = Agent()
for s in range(4):
    print(agent.act(s))


def rollout(key):
    def step(carry, _):
        return carry + 1, carry

    return lax.scan(step, jnp.zeros(()), None, length=4)  # shows b


def rollouts(keys):
    return [rollout_jitted(key) for key in keys]  # mistake b: return [rollout(key) for key in keys] [array-recompile]


rollout_jitted = jax.jit(rollout)
print(rollouts([1.0, 2.0, 3.0, 4.0])[0][0])


def solve(x):
    """A root, whose loop is compiled once: the functions are those of the module."""
    return lax.while_loop(above, halve, x)  # mistake: return lax.while_loop(lambda v: v > 1, lambda v: v / 2, x) [array-recompile]


def above(v):
    return v > 1


def halve(v):
    return v / 2


for _ in range(3):
    print(solve(jnp.float32(9.0)))
