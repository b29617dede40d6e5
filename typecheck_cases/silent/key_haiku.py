"""Haiku: keys within transformed functions, and the one that `init` and `apply` are given."""

import haiku as hk
import jax
import jax.numpy as jnp


class Encoder(hk.Module):
    def __init__(self, size, name=None):
        super().__init__(name=name)
        self.size = size

    def __call__(self, x):
        h = jax.nn.relu(hk.Linear(16)(x))
        mean, log_std = jnp.split(hk.Linear(2 * self.size)(h), 2, axis=-1)
        return mean, log_std


def noisy(x, is_training):
    mean, log_std = Encoder(4)(x)
    first, second = hk.next_rng_key(), hk.next_rng_key()
    z = mean + jnp.exp(log_std) * jax.random.normal(first, mean.shape)
    mask = jax.random.bernoulli(second, 0.9, z.shape)  # mistake: mask = jax.random.bernoulli(first, 0.9, z.shape) [array-key]
    if is_training:
        key = hk.next_rng_key()
        x = hk.dropout(key, 0.1, x)
        z = hk.dropout(hk.next_rng_key(), 0.1, z)  # mistake: z = hk.dropout(key, 0.1, z) [array-key]
    return jnp.where(mask, z, 0.0), x


net = hk.transform(noisy)
batch = jnp.ones((3, 5))
init_key, key = jax.random.split(jax.random.PRNGKey(0))
params = net.init(init_key, batch, True)
key, eval_key = jax.random.split(key)
z, _ = net.apply(params, eval_key, batch, False)  # mistake: z, _ = net.apply(params, init_key, batch, False) [array-key]
print(z.shape)


@jax.jit
def step(params, key, x):
    def loss(params):
        z, _ = net.apply(params, key, x, True)
        return jnp.sum(z**2)

    return jax.tree.map(lambda p, g: p - 0.1 * g, params, jax.grad(loss)(params))


for i in range(3):
    params = step(params, jax.random.fold_in(key, i), batch)  # mistake: params = step(params, key, batch) [array-key]

keys = hk.PRNGSequence(jax.random.PRNGKey(7))
kept = next(keys)
print(jax.random.uniform(kept), jax.random.uniform(next(keys)))  # mistake: print(jax.random.uniform(kept), jax.random.uniform(kept)) [array-key]
for noise_key, sample_key in zip(keys.take(2), [next(keys), next(keys)]):
    print(jax.random.normal(noise_key), jax.random.normal(sample_key))


def classify(x):
    x = hk.BatchNorm(True, True, 0.9)(x, is_training=True)
    return hk.nets.MLP([8, 3])(x)


model = hk.transform_with_state(classify)
model_key = jax.random.PRNGKey(3)
weights, state = model.init(model_key, batch)
for _ in range(3):
    logits, state = model.apply(weights, state, model_key, batch)  # which draws nothing
print(logits.shape)

plain = hk.without_apply_rng(hk.transform(lambda x: hk.Linear(2)(x)))
other_key = jax.random.PRNGKey(4)
weights = plain.init(other_key, batch)  # mistake: weights = plain.init(model_key, batch) [array-key]
print(plain.apply(weights, batch).shape)


def walk(x):
    def body(x, _):
        key = hk.maybe_next_rng_key()
        return x + jax.random.normal(key, x.shape), x.sum()

    return hk.scan(body, x, None, length=4)


walker = hk.transform(walk)
weights = walker.init(jax.random.PRNGKey(5), batch[0])
walk_keys = jax.random.split(jax.random.PRNGKey(6), 3)
paths = jax.vmap(walker.apply, in_axes=(None, 0, 0))(weights, walk_keys, batch)
print(paths[0].shape, paths[1].shape)


def jitter(x):
    first, second = hk.next_rng_keys(2)
    return x + jax.random.normal(first, x.shape) + jax.random.uniform(second, x.shape)  # mistake: return x + jax.random.normal(first, x.shape) + jax.random.uniform(first, x.shape) [array-key]


shaken = hk.transform(jitter).apply({}, jax.random.PRNGKey(8), batch)
print(shaken.shape)
