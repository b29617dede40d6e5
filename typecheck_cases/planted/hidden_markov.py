"""The forward algorithm in log space."""

import jax
import jax.numpy as jnp
from jax.scipy.special import logsumexp


def forward(log_init, log_trans, log_emit, observations, mask):
    def step(alpha, inputs):
        obs, keep = inputs
        moved = logsumexp(alpha[:, None] + log_trans, axis=0)  # mistake: moved = logsumexp(alpha + log_trans, axis=(0, 2)) [array-dim]
        new = moved + log_emit[:, obs]
        alpha = jnp.where(keep, new, alpha)
        return alpha, alpha

    alpha = log_init + log_emit[:, observations[0]]
    rest = (observations[1:], mask[1:])  # mistake a: rest = (observations[1:], mask) [array-shape]
    alpha, alphas = jax.lax.scan(step, alpha, rest)  # shows a
    return logsumexp(alpha), alphas


def posterior(log_init, log_trans, log_emit, observations):
    run = lambda obs: forward(log_init, log_trans, log_emit, obs, jnp.ones_like(obs, bool))
    total, alphas = jax.vmap(run)(observations)
    return total.sum(), jax.nn.softmax(alphas, axis=-1)  # mistake: return total.sum(), jax.nn.softmax(alphas, axis=3) [array-dim]


log_init = jnp.log(jnp.full(3, 1 / 3))
log_trans = jnp.log(jnp.full((3, 3), 1 / 3))
log_emit = jnp.log(jnp.full((3, 5), 0.2))
observations = jnp.array([[0, 1, 4, 2], [3, 3, 1, 0]])
total, states = jax.jit(posterior)(log_init, log_trans, log_emit, observations)
print(total, states.shape)
