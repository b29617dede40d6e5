"""Solve the 2-D heat equation by explicit and Crank-Nicolson finite differences, and fit its diffusivity."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def laplacian(u, dx):
    """Five-point stencil on the interior; the boundary stays zero (Dirichlet)."""
    inner = (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]) / dx**2
    return jnp.pad(inner, 1)


def stable_dt(alpha, dx, safety=0.9):
    return safety * dx**2 / (4 * alpha)


@partial(jax.jit, static_argnames=["num_steps", "save_every"])
def solve_explicit(u0, alpha, dx, dt, num_steps, save_every=None):
    save_every = save_every or num_steps
    if num_steps % save_every:
        raise ValueError(f"{num_steps=} is no multiple of {save_every=}")

    def inner(_, u):
        return u + dt * alpha * laplacian(u, dx)

    def outer(u, _):
        u = lax.fori_loop(0, save_every, inner, u)
        return u, u

    return lax.scan(outer, u0, None, length=num_steps // save_every)


@partial(jax.jit, static_argnames="num_steps")
def solve_crank_nicolson(u0, alpha, dx, dt, num_steps):
    r = 0.5 * dt * alpha

    def operator(u):
        return u - r * laplacian(u, dx)

    def step(u, _):
        rhs = u + r * laplacian(u, dx)
        u, _ = jax.scipy.sparse.linalg.cg(operator, rhs, x0=u, maxiter=20)
        return u, jnp.sum(u) * dx**2

    return lax.scan(step, u0, length=num_steps)


def gaussian_bump(n, centre, width):
    x = np.linspace(0, 1, n)
    X, Y = np.meshgrid(x, x, indexing="ij")
    cx, cy = centre
    u = np.exp(-((X - cx) ** 2 + (Y - cy) ** 2) / (2 * width**2))
    u[0, :] = u[-1, :] = u[:, 0] = u[:, -1] = 0.0
    return u.astype(np.float32), float(x[1] - x[0])


def fit_diffusivity(u0, observed, dx, dt, num_steps, guess, iters=8):
    """Newton's method in log(alpha), which keeps alpha positive."""

    def loss(log_alpha):
        u, _ = solve_crank_nicolson(u0, jnp.exp(log_alpha), dx, dt, num_steps)
        return jnp.mean((u - observed) ** 2)

    slope_and_curvature = jax.jit(lambda z: (jax.grad(loss)(z), jax.jvp(jax.grad(loss), (z,), (1.0,))[1]))
    z = jnp.log(guess)
    history = []
    for _ in range(iters):
        g, h = slope_and_curvature(z)
        step = jnp.clip(g / jnp.abs(h), -0.5, 0.5)
        z -= step
        history.append(float(jnp.exp(z)))
        if abs(step) < 1e-4:
            break
    return history


def main():
    u0, dx = gaussian_bump(17, centre=(0.4, 0.55), width=0.12)
    alpha = 0.05
    dt = stable_dt(alpha, dx)
    u_exp, frames = solve_explicit(u0, alpha, dx, dt, num_steps=24, save_every=6)
    u_cn, heat = solve_crank_nicolson(u0, alpha, dx, 4 * dt, num_steps=6)

    print("frames:", frames.shape, "peak per frame:", np.round(frames.max(axis=(1, 2)), 3))
    print("heat content falls:", bool((jnp.diff(heat) < 0).all()))
    print(f"explicit and implicit differ by {jnp.abs(u_exp - u_cn).max():.4f}")
    u_low, _ = solve_explicit(jnp.asarray(u0, jnp.bfloat16), alpha, dx, dt, num_steps=24)
    print(f"in {u_low.dtype} the error is {jnp.abs(u_low - u_exp).max():.3f}")
    assert u_exp.shape == u0.shape and u_exp.dtype == u0.dtype

    try:
        solve_explicit(u0, alpha, dx, dt, num_steps=10, save_every=4)
    except ValueError as e:
        print("refused:", e)

    history = fit_diffusivity(u0, u_cn, dx, 4 * dt, 6, guess=0.03)
    print(f"recovered alpha {history[-1]:.4f} after {len(history)} iterations (true {alpha})")


if __name__ == "__main__":
    main()
