"""Values and targets of one shape: regressions, critics and metrics, in flax, equinox and by hand."""

import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax


class Critic(nn.Module):
    @nn.compact
    def __call__(self, x):
        value = nn.Dense(1)(nn.tanh(nn.Dense(8)(x)))
        return jnp.squeeze(value, -1)  # mistake a: return value [array-promotion-broadcast]


def critic_loss(params, observations, returns):
    values = Critic().apply(params, observations)
    advantages = returns - values  # shows a
    return 0.5 * jnp.mean(advantages**2)


def regression_loss(weights, x, y):
    prediction = x @ weights
    return jnp.mean(jnp.square(prediction - y))  # shows b


def accuracy(logits, labels):
    return jnp.mean(logits.argmax(-1) == labels)  # shows c


def td_error(q, rewards, q_next):
    target = rewards + 0.99 * q_next  # shows d
    return jnp.abs(target - q).max()


def classifier_loss(model, x, y):
    logits = jax.vmap(model)(x)
    losses = optax.sigmoid_binary_cross_entropy(logits, y[:, None])  # mistake: losses = optax.sigmoid_binary_cross_entropy(logits, y) [array-promotion-broadcast]
    return losses.mean()


def pairwise_energy(x):
    return jnp.sum((x - x[:, None]) ** 2)


key = jax.random.key(0)
observations, returns = jax.random.normal(key, (16, 3)), jnp.linspace(0.0, 1.0, 16)
params = Critic().init(jax.random.key(2), observations)
print(jax.value_and_grad(critic_loss)(params, observations, returns)[0])
weights = jnp.ones((3,))  # mistake b: weights = jnp.ones((3, 1)) [array-promotion-broadcast]
print(regression_loss(weights, observations, returns))
labels = jnp.arange(16) % 3  # mistake c: labels = (jnp.arange(16) % 3).reshape(-1, 1) [array-promotion-broadcast]
print(accuracy(observations, labels))
q_next = jnp.cos(returns)  # mistake d: q_next = jnp.cos(returns).reshape(16, 1) [array-promotion-broadcast]
print(td_error(returns, returns, q_next))
model = eqx.nn.MLP(3, 1, 4, 1, key=jax.random.key(1))
print(classifier_loss(model, observations, jnp.round(returns)))
print(pairwise_energy(returns))
