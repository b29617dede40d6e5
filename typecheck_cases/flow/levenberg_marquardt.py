"""Levenberg-Marquardt least squares with jacfwd, on a sum of peaks and on camera calibration."""

import logging
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree

log = logging.getLogger("lm")


class LMState(NamedTuple):
    x: jax.Array
    cost: jax.Array
    damping: jax.Array
    iteration: jax.Array
    converged: jax.Array


def half_sq(r):
    return 0.5 * jnp.vdot(r, r)


def levenberg_marquardt(residual_fn, params, *args, max_iter=30, tol=1e-6, damping=1e-2, verbose=False):
    """Minimise 0.5 |residual_fn(params, *args)|^2 over a pytree of parameters."""
    x0, unravel = ravel_pytree(params)

    def res(x):
        return residual_fn(unravel(x), *args)

    jac = jax.jacfwd(res)

    def cond(s):
        return jnp.logical_and(s.iteration < max_iter, jnp.logical_not(s.converged))

    def body(s):
        r, J = res(s.x), jac(s.x)
        JTJ = J.T @ J
        g = J.T @ r
        scale = jnp.maximum(jnp.diagonal(JTJ), 1e-8)
        step = jnp.linalg.solve(JTJ + s.damping * jnp.diag(scale), -g)
        x_new = s.x + step
        cost_new = half_sq(res(x_new))
        better = cost_new < s.cost
        if verbose:
            jax.debug.print("  {i}: cost {c:.4f}, damping {d:.0e}", i=s.iteration, c=s.cost, d=s.damping, ordered=True)
        return LMState(
            x=jax.lax.select(better, x_new, s.x),
            cost=jnp.minimum(cost_new, s.cost),
            damping=jnp.clip(s.damping * jnp.where(better, 0.3, 4.0), 1e-9, 1e9),
            iteration=s.iteration + 1,
            converged=better & (s.cost - cost_new < tol * s.cost),
        )

    init = LMState(x0, half_sq(res(x0)), jnp.asarray(damping), jnp.array(0), jnp.array(False))
    final = jax.lax.while_loop(cond, body, init)
    J = jac(final.x)
    m, n = J.shape
    dof = m - n
    if dof > 0:
        cov = jnp.linalg.inv(J.T @ J) * 2 * final.cost / dof
    else:
        cov = jnp.full((n, n), jnp.nan)
    return unravel(final.x), unravel(jnp.sqrt(jnp.diag(cov))), final


def peaks_model(p, t):
    shape = p["height"] * jnp.exp(-(((t[:, None] - p["centre"]) / p["width"]) ** 2))
    slope, offset = p["baseline"]
    return shape.sum(axis=-1) + slope * t + offset


def peaks_residual(p, t, y, sigma):
    return (peaks_model(p, t) - y) / sigma


def rodrigues(w):
    theta = jnp.sqrt(w @ w + 1e-12)
    k = w / theta
    K = jnp.array([[0, -k[2], k[1]], [k[2], 0, -k[0]], [-k[1], k[0], 0]])
    return jnp.eye(3) + jnp.sin(theta) * K + (1 - jnp.cos(theta)) * (K @ K)


@jax.jit
def project(cam, X):
    Xc = X @ rodrigues(cam["rot"]).T + cam["trans"]
    uv = Xc[:, :2] / Xc[:, 2:]
    r2 = (uv**2).sum(axis=1, keepdims=True)
    return cam["focal"] * uv * (1 + cam["k1"] * r2)


def fit_peaks(rng):
    t = np.linspace(0, 10, 60, dtype=np.float32)
    truth = {
        "height": np.array([3.0, 1.5]),
        "centre": np.array([3.0, 6.5]),
        "width": np.array([0.8, 1.4]),
        "baseline": (0.1, 0.5),
    }
    noise = 0.05
    y = np.asarray(peaks_model(truth, t)) + noise * rng.standard_normal(t.size)
    guess = dict(height=jnp.ones(2), centre=jnp.array([2.5, 7.0]), width=jnp.ones(2), baseline=(0.0, 0.0))
    fit, err, info = jax.jit(lambda g, t, y: levenberg_marquardt(peaks_residual, g, t, y, noise))(guess, t, y)
    print(f"peaks: {info.iteration} iterations, chi2/dof = {2 * info.cost / (len(t) - 8):.2f}")
    for name in ("height", "centre", "width"):
        pairs = [f"{v:.2f}±{e:.2f}" for v, e in zip(fit[name], err[name])]
        print(f"  {name:<7}", *pairs)


def calibrate(rng):
    board = np.stack(np.meshgrid(np.arange(4.0), np.arange(5.0), [0.0]), axis=-1).reshape(-1, 3)
    board = (board - board.mean(0)).astype(np.float32)
    board[:, 2] += 0.3 * rng.standard_normal(len(board))
    truth = {"rot": jnp.array([0.3, -0.2, 0.1]), "trans": jnp.array([0.1, -0.2, 8.0]), "focal": 2.0, "k1": -0.1}
    pixels = project(truth, board)
    cam = {"rot": jnp.zeros(3), "trans": jnp.array([0.0, 0.0, 6.0]), "focal": 1.5, "k1": 0.0}
    residual = lambda c: (project(c, board) - pixels).ravel()
    fit, _, info = jax.jit(lambda c: levenberg_marquardt(residual, c, max_iter=8, verbose=True))(cam)
    jax.effects_barrier()
    log.info("final state %s", info)
    if not info.converged:
        log.warning("calibration did not converge")
    print(f"camera: focal {fit['focal']:.3f}, k1 {fit['k1']:.3f}, reprojection cost below 1e-5: {info.cost < 1e-5}")


if __name__ == "__main__":
    logging.basicConfig(level=logging.ERROR)
    rng = np.random.default_rng(5)
    fit_peaks(rng)
    calibrate(rng)
