"""Solvers whose fields are donated; sometimes nothing is given away, since no result can take the buffer."""

import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, donate_argnums=(0,), static_argnames="steps")
def diffuse(field, steps):
    def body(_, u):
        return u + 0.1 * (jnp.roll(u, 1) - 2 * u + jnp.roll(u, -1))

    return jax.lax.fori_loop(0, steps, body, field)


field = jnp.sin(jnp.linspace(0.0, 6.0, 32))
energy = jnp.sum(field**2)
field = diffuse(field, steps=4)  # mistake a: smooth = diffuse(field, steps=4) [array-donated]
print(jnp.sum(field**2) < energy)  # shows a

initial = jnp.ones(8)
final = diffuse(jnp.array(initial), steps=2)  # mistake b: final = diffuse(initial, steps=2) [array-donated]
print(jnp.abs(final - initial).max())  # shows b


@functools.partial(jax.jit, donate_argnums=0)
def norm(x):
    return jnp.sqrt(jnp.sum(x**2))


vector = jnp.ones(5)
print(norm(vector), vector + 1)  # no result is as large, so that the buffer stays


@functools.partial(jax.jit, donate_argnums=(0, 1))
def leapfrog(position, momentum, dt):
    momentum = momentum - dt * position
    return position + dt * momentum, momentum


q, p = jnp.ones(4), jnp.zeros(4)
trajectory = []
for _ in range(3):
    trajectory.append(jnp.copy(q))  # mistake c: trajectory.append(q) [array-donated]
    q, p = leapfrog(q, p, 0.1)
print(jnp.stack(trajectory).shape, trajectory[0] + 1)  # shows c

q, p = jnp.ones(4), jnp.zeros(4)
initial_energy = 0.5 * jnp.sum(q * q + p * p)
q, p = leapfrog(q, p, 0.1)  # mistake d: new_q, p = leapfrog(q, p, 0.1) [array-donated]
print(0.5 * jnp.sum(q * q + p * p) - initial_energy)  # shows d

q0 = jnp.zeros(4)
q, p = leapfrog(q0, jnp.zeros(4), 0.1)  # mistake: q, p = leapfrog(q0, q0, 0.1) [array-donated]
print(q.shape, q0.shape, q0.dtype)

scale = jax.jit(lambda x, factor: x * factor, donate_argnums=0)
data = jnp.arange(4.0)
scaled = scale(data, 2.0)
print(scaled, data.shape)  # mistake: print(scaled, data.mean()) [array-donated]
print(jnp.zeros_like(data) + scaled)  # mistake: print(data + scaled) [array-donated]
print(scaled)  # mistake: print(data) [array-donated]


def ping_pong(a, b):
    for _ in range(2):
        a, b = scale(b, 0.5), a  # mistake: a, b = scale(b, 0.5), b [array-donated]
    return a + b


print(ping_pong(jnp.ones(2), jnp.ones(2)))
