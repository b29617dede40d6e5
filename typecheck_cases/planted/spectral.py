"""Burgers' equation with Fourier derivatives."""

import jax
import jax.numpy as jnp

N = 32
K = jnp.fft.rfftfreq(N, 1 / N)  # mistake a: K = jnp.fft.fftfreq(N, 1 / N) [array-shape]


def derivative(u_hat):
    return 1j * K * u_hat  # shows a  # shows b


def dealias(u_hat):
    return jnp.where(K < N // 3, u_hat, 0)


def rhs(u_hat):
    u = jnp.fft.irfft(u_hat, N)
    ux = jnp.fft.irfft(derivative(u_hat), N)  # mistake c: ux = jnp.fft.irfft(derivative(u_hat)[1:]) [array-shape]
    return -dealias(jnp.fft.rfft(u * ux)) - 0.01 * K**2 * u_hat  # shows c


@jax.jit
def solve(u):
    def step(u_hat, _):
        new = u_hat + 1e-3 * rhs(u_hat)
        return new, jnp.sum(jnp.abs(new) ** 2)

    start = jnp.fft.rfft(u)  # mistake b: start = u [array-shape]
    u_hat, energy = jax.lax.scan(step, start, length=10)
    return jnp.fft.irfft(u_hat, N), energy


x = jnp.arange(N) / N * 2 * jnp.pi
u, energy = solve(jnp.sin(x))
print(u.dtype, energy[-1])
