"""A Kalman filter for a point that moves in the plane."""

import jax
import jax.numpy as jnp

DT = 0.1
F = jnp.eye(4).at[0, 2].set(DT).at[1, 3].set(DT)
H = jnp.eye(2, 4)
Q = 0.01 * jnp.eye(4)
R = 0.1 * jnp.eye(2)


def predict(mean, cov):
    return F @ mean, F @ cov @ F.T + Q


def correct(mean, cov, z):
    innovation = z - H @ mean
    s = H @ cov @ H.T + R  # mistake: s = H @ cov @ H + R [array-shape]
    gain = jnp.linalg.solve(s, H @ cov).T  # mistake: gain = jnp.linalg.solve(H @ cov, s).T [array-shape]
    mean = mean + gain @ innovation
    cov = (jnp.eye(4) - gain @ H) @ cov  # mistake: cov = (jnp.eye(4) - H @ gain) @ cov [array-shape]
    return mean, cov


def step(state, z):
    mean, cov = predict(*state)
    mean, cov = correct(mean, cov, z)
    return (mean, cov), mean


@jax.jit
def smooth(zs):
    start = (jnp.zeros(4), jnp.eye(4))  # mistake a: start = (jnp.zeros((4, 1)), jnp.eye(4)) [array-shape]
    _, means = jax.lax.scan(step, start, zs)  # shows a
    return means


print(smooth(jnp.ones((20, 2)))[-1])
