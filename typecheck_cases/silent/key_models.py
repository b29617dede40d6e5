"""Models of Flax and Equinox: layers have keys of their own, and dropout has another one in each step."""

import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp


class Block(eqx.Module):
    up: eqx.nn.Linear
    down: eqx.nn.Linear

    def __init__(self, size, key):
        up_key, down_key = jax.random.split(key)
        self.up = eqx.nn.Linear(size, 2 * size, key=up_key)
        self.down = eqx.nn.Linear(2 * size, size, key=down_key)  # mistake: self.down = eqx.nn.Linear(2 * size, size, key=up_key) [array-key]

    def __call__(self, x, key):
        h = jax.nn.relu(self.up(x))
        keep = jax.random.bernoulli(key, 0.9, h.shape)
        return self.down(jnp.where(keep, h / 0.9, 0.0))


block_key, noise_key, loop_key, init_key, mask_key = jax.random.split(jax.random.key(0), 5)
block = Block(4, block_key)
batch = jnp.ones((3, 4))
out = jax.vmap(block)(batch, jax.random.split(noise_key, 3))
blocks = [Block(4, k) for k in jax.random.split(loop_key, 2)]  # mistake: blocks = [Block(4, loop_key) for _ in range(2)] [array-key]
print(out.shape, len(blocks))


@eqx.filter_jit
def apply(model, x, keys):
    return jax.vmap(model)(x, keys)


for i in range(3):
    keys = jax.random.split(jax.random.fold_in(mask_key, i), 3)  # mistake: keys = jax.random.split(mask_key, 3) [array-key]
    out = apply(block, batch, keys)
print(out.shape)


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train=True):
        x = nn.Dense(8)(x)
        x = nn.Dropout(0.5, deterministic=not train)(x)
        return nn.Dense(1)(x)


net = Net()
variables = net.init({"params": init_key, "dropout": init_key}, batch)
dropout_key, eval_key, rows_key, carry_key = jax.random.split(jax.random.key(1), 4)


def loss(params, x, key):
    return net.apply(params, x, rngs={"dropout": key}).mean()


@jax.jit
def step(params, x, key):
    gradients = jax.grad(loss)(params, x, key)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, gradients)


for i in range(3):
    variables = step(variables, batch, jax.random.fold_in(dropout_key, i))  # mistake: variables = step(variables, batch, dropout_key) [array-key] silent
    print(net.apply(variables, batch, train=False, rngs={"dropout": eval_key}).shape)

rows = jax.random.split(rows_key, 6)
a = jax.vmap(jax.random.normal)(rows[:3])
b = jax.vmap(jax.random.uniform)(rows[3:])
print(a.shape, b.shape)


def drift(carry, _):
    x, key = carry
    key, subkey = jax.random.split(key)  # shows b
    x = x + jax.random.normal(subkey)
    return (x, key), x  # mistake b: return (x, carry[1]), x [array-key]


(x, key), path = jax.lax.scan(drift, (jnp.zeros(()), carry_key), None, length=4)
print(path.shape, jax.random.normal(key))  # mistake: print(path.shape, jax.random.normal(carry_key)) [array-key]
