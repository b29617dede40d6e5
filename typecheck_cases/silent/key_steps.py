"""Steps of training and sampling, each with noise of its own; the twins make their key of a constant."""

import functools

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax

SEED = 11


def is_repeated(a, b):
    return bool(jnp.all(a == b))


# Langevin dynamics, without jit: what is added in one step and in the next one
def langevin(x, key):
    noise_key = key  # mistake a: noise_key = jax.random.key(SEED) [array-key] silent
    return x - 0.1 * x + 0.2 * jax.random.normal(noise_key, x.shape)  # shows a


x = jnp.ones(4)
added = []
for step in range(3):
    before = x
    x = langevin(x, jax.random.fold_in(jax.random.key(0), step))
    added.append(x - 0.9 * before)
print(is_repeated(jnp.round(added[0], 4), jnp.round(added[1], 4)))


# a model with dropout, trained
class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.relu(nn.Dense(8)(x))
        return nn.Dropout(0.5, deterministic=not train)(x)


model = Net()
optimizer = optax.sgd(0.0)


@jax.jit
def train_step(params, state, batch, key):
    dropout_key = key  # mistake b: dropout_key = jax.random.PRNGKey(1) [array-key] silent

    def loss(params):
        out = model.apply(params, batch, train=True, rngs={"dropout": dropout_key})  # shows b
        return jnp.mean(out**2), out > 0

    (_, mask), gradients = jax.value_and_grad(loss, has_aux=True)(params)
    updates, state = optimizer.update(gradients, state)
    return optax.apply_updates(params, updates), state, mask


batch = jnp.ones((4, 3))
params = model.init(jax.random.PRNGKey(0), batch, train=False)
state = optimizer.init(params)
masks = []
for step, key in enumerate(jax.random.split(jax.random.PRNGKey(5), 3)):
    params, state, mask = train_step(params, state, batch, key)
    masks.append(mask)
print(is_repeated(masks[0], masks[1]))


# a random walk in a scan
def walk_step(position, key):
    move_key = key  # mistake c: move_key = jax.random.key(3) [array-key] silent
    move = jax.random.rademacher(move_key, (16,))  # shows c
    return position + move, move


_, moves = jax.lax.scan(walk_step, jnp.zeros(16, jnp.int32), jax.random.split(jax.random.key(4), 5))
print(is_repeated(moves[0], moves[1]))


# a particle filter that resamples inside of a method
class Filter:
    def __init__(self, size):
        self.particles = jnp.arange(size)

    @functools.partial(jax.jit, static_argnums=0)
    def resample(self, particles, key):
        choice_key = key  # mistake d: choice_key = jax.random.key(0) [array-key] silent
        return jax.random.permutation(choice_key, particles)  # shows d


tracker = Filter(32)
particles, orders = tracker.particles, []
for key in jax.random.split(jax.random.key(8), 3):
    inverse = jnp.argsort(particles)
    particles = tracker.resample(particles, key)
    orders.append(inverse[particles])
print(is_repeated(orders[0], orders[1]))


# the same numbers in each evaluation are meant, and so is one initialisation for several models
def evaluate(params):
    inputs = jax.random.normal(jax.random.key(99), (8, 3))
    return jnp.mean(model.apply(params, inputs, train=False))


def fresh():
    return model.init(jax.random.PRNGKey(SEED), batch, train=False)


for _ in range(2):
    score = evaluate(params)
    other = fresh()
print(score.shape, jax.tree.map(jnp.shape, other)["params"]["Dense_0"]["bias"])
