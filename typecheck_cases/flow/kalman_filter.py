"""Track a constant-velocity target with a Kalman filter and an RTS smoother, both written as scans."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


class LGSSM(NamedTuple):
    """A linear Gaussian state space model."""

    F: jax.Array
    Q: jax.Array
    H: jax.Array
    R: jax.Array
    m0: jax.Array
    P0: jax.Array


class Posterior(NamedTuple):
    mean: jax.Array
    cov: jax.Array


def constant_velocity(dt, q=0.1, r=0.5, ndim=2):
    """Block model [position, velocity] in `ndim` dimensions."""
    eye = jnp.eye(ndim)
    F = jnp.kron(jnp.array([[1.0, dt], [0.0, 1.0]]), eye)
    Q = q * jnp.kron(jnp.array([[dt**3 / 3, dt**2 / 2], [dt**2 / 2, dt]]), eye)
    H = jnp.concatenate([eye, jnp.zeros((ndim, ndim))], axis=1)
    R = r**2 * eye
    return LGSSM(F, Q, H, R, m0=jnp.zeros(2 * ndim), P0=10.0 * jnp.eye(2 * ndim))


def predict(model, m, P):
    return model.F @ m, model.F @ P @ model.F.T + model.Q


def update(model, m, P, y):
    v = y - model.H @ m
    S = model.H @ P @ model.H.T + model.R
    L = jnp.linalg.cholesky(S)
    K = jax.scipy.linalg.cho_solve((L, True), model.H @ P).T
    z = jax.scipy.linalg.solve_triangular(L, v, lower=True)
    loglik = -0.5 * (z @ z + v.shape[0] * jnp.log(2 * jnp.pi)) - jnp.log(jnp.diag(L)).sum()
    return m + K @ v, P - K @ S @ K.T, loglik


@jax.jit
def kalman_filter(model, ys, observed):
    def step(carry, inp):
        m, P, ll = carry
        y, seen = inp
        m, P = predict(model, m, P)
        mu, Pu, dll = update(model, m, P, y)
        # a missed detection leaves the prediction as it is
        m = jnp.where(seen, mu, m)
        P = jnp.where(seen, Pu, P)
        ll = ll + jnp.where(seen, dll, 0.0)
        return (m, P, ll), Posterior(m, P)

    (_, _, ll), filtered = lax.scan(step, (model.m0, model.P0, 0.0), (ys, observed))
    return ll, filtered


@jax.jit
def rts_smoother(model, filtered):
    last = jax.tree.map(lambda x: x[-1], filtered)
    rest = jax.tree.map(lambda x: x[:-1], filtered)

    def step(nxt, cur):
        mp, Pp = predict(model, cur.mean, cur.cov)
        G = jnp.linalg.solve(Pp, model.F @ cur.cov).T
        sm = Posterior(
            cur.mean + G @ (nxt.mean - mp),
            cur.cov + G @ (nxt.cov - Pp) @ G.T,
        )
        return sm, sm

    _, smoothed = lax.scan(step, last, rest, reverse=True)
    return jax.tree.map(lambda a, b: jnp.concatenate([a, b[None]]), smoothed, last)


def observability_rank(model):
    rows = [model.H]
    for _ in range(len(model.m0) - 1):
        rows.append(rows[-1] @ model.F)
    s = jnp.linalg.svd(jnp.concatenate(rows), compute_uv=False)
    return jnp.sum(s > 1e-5 * s[0])


def simulate(model, T, seed):
    rng = np.random.default_rng(seed)
    F, Q = np.asarray(model.F), np.asarray(model.Q)
    n, k = F.shape[0], model.H.shape[0]
    x = np.zeros(n)
    xs = np.empty((T, n), dtype=np.float32)
    for t in range(T):
        x = F @ x + rng.multivariate_normal(np.zeros(n), Q)
        xs[t] = x
    ys = xs[:, :k] + 0.5 * rng.standard_normal((T, k)).astype(np.float32)
    observed = rng.random(T) > 0.2
    return xs, ys, observed


def rmse(a, b):
    return float(jnp.sqrt(jnp.mean(jnp.sum((a - b) ** 2, axis=-1))))


def main():
    model = constant_velocity(dt=0.2)
    print("observability rank", observability_rank(model), "of", model.F.shape[0])
    xs, ys, observed = simulate(model, T=40, seed=3)
    ll, filtered = kalman_filter(model, ys, observed)
    smoothed = rts_smoother(model, filtered)
    sd = jnp.sqrt(jnp.diagonal(smoothed.cov, axis1=1, axis2=2))
    print(f"log-likelihood {ll:.2f} from {observed.sum()} of {len(ys)} detections")
    for name, post in {"filter": filtered, "smoother": smoothed}.items():
        print(f"{name:>9}: position RMSE {rmse(post.mean[:, :2], xs[:, :2]):.3f}")
    print("mean posterior sd", np.round(sd.mean(axis=0), 3))


if __name__ == "__main__":
    main()
