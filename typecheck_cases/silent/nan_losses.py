"""Losses that are chosen case by case: entropies, Huber's, hinges, softplus, and means over masks."""

import jax
import jax.numpy as jnp


def entropy(p):
    positive = p > 0
    safe = jnp.where(positive, p, 1.0)  # mistake a: safe = p [array-nan]
    return -jnp.sum(jnp.where(positive, p * jnp.log(safe), 0.0))  # shows a


def softplus(x):
    small = jnp.minimum(x, 20.0)  # mistake b: small = x [array-nan]
    return jnp.where(x > 20.0, x, jnp.log1p(jnp.exp(small)))  # shows b


def poisson_deviance(rate, counts):
    ratio = counts / rate
    inside = jnp.where(ratio > 0, ratio, 1.0)  # mistake c: inside = ratio [array-nan]
    return jnp.sum(rate - counts + jnp.where(ratio > 0, counts * jnp.log(inside), 0.0))  # shows c


def masked_mean(losses, mask):
    count = mask.sum()
    return jnp.where(count > 0, (losses * mask).sum() / jnp.maximum(count, 1.0), 0.0)  # mistake: return jnp.where(count > 0, (losses * mask).sum() / count, 0.0) [array-nan]


def pseudo_huber(residual, delta=1.0):
    return jnp.sum(jnp.sqrt(residual**2 + delta**2) - delta)  # mistake: return jnp.sum(jnp.where(residual == 0.0, 0.0, jnp.sqrt(residual**2))) [array-nan]


def relative_error(prediction, target):
    scale = jnp.where(target == 0.0, 1.0, target)  # mistake d: scale = target [array-nan]
    return jnp.sum(jnp.where(target == 0.0, jnp.abs(prediction), jnp.abs(prediction / scale - 1.0)))  # shows d


print(jax.grad(entropy)(jnp.array([0.0, 0.25, 0.75])))
print(jax.vmap(jax.grad(softplus))(jnp.array([-3.0, 0.0, 1000.0])))
print(jax.grad(poisson_deviance)(jnp.array([0.5, 2.0]), jnp.array([0.0, 3.0])))
print(jax.grad(masked_mean)(jnp.ones(4), jnp.zeros(4)))
print(jax.value_and_grad(pseudo_huber)(jnp.array([0.0, 3.0])))
print(jax.grad(relative_error)(jnp.array([1.0, 2.0]), jnp.array([0.0, 1.0])))
