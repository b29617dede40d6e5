"""Adaptive Dormand-Prince integration of pytree ODEs with a while_loop, and forward sensitivities by jacfwd."""

import functools
from collections import namedtuple

import jax
import jax.numpy as jnp
import numpy as np

# Butcher tableau of RK45 (Dormand & Prince 1980)
C = np.array([0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1])
A = [
    [],
    [1 / 5],
    [3 / 40, 9 / 40],
    [44 / 45, -56 / 15, 32 / 9],
    [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
    [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
    [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
]
B5 = np.array(A[6] + [0.0])
B4 = np.array([5179 / 57600, 0, 7571 / 16695, 393 / 640, -92097 / 339200, 187 / 2100, 1 / 40])

SolverState = namedtuple("SolverState", "t y h accepted rejected")


def tree_dot(coeffs, ks):
    terms = [(c, k) for c, k in zip(coeffs, ks) if c != 0]
    return jax.tree.map(lambda *xs: sum(c * x for (c, _), x in zip(terms, xs)), *[k for _, k in terms])


def tree_axpy(a, x, y):
    return jax.tree.map(lambda xi, yi: yi + a * xi, x, y)


def rk_step(f, t, y, h):
    ks = []
    for c, row in zip(C, A):
        yi = y if not row else tree_axpy(h, tree_dot(row, ks), y)
        ks.append(f(t + c * h, yi))
    y_new = tree_axpy(h, tree_dot(B5, ks), y)
    err = jax.tree.map(lambda e: h * e, tree_dot(B5 - B4, ks))
    return y_new, err


def error_norm(err, y0, y1, rtol, atol):
    def scaled(e, a, b):
        return jnp.square(e / (atol + rtol * jnp.maximum(jnp.abs(a), jnp.abs(b))))

    sq = jax.tree.leaves(jax.tree.map(scaled, err, y0, y1))
    total = sum(s.sum() for s in sq)
    return jnp.sqrt(total / sum(s.size for s in sq))


def integrate(f, y0, t0, t1, *, rtol=1e-4, atol=1e-6, h0=1e-2, max_steps=500):
    def cond(s):
        return (s.t < t1) & (s.accepted + s.rejected < max_steps)

    def body(s):
        h = jnp.minimum(s.h, t1 - s.t)
        y_new, err = rk_step(f, s.t, s.y, h)
        norm = error_norm(err, s.y, y_new, rtol, atol)
        ok = norm <= 1.0
        factor = jnp.clip(0.9 * jnp.power(norm + 1e-10, -0.2), 0.2, 5.0)
        y = jax.tree.map(functools.partial(jnp.where, ok), y_new, s.y)
        return SolverState(
            t=jnp.where(ok, s.t + h, s.t),
            y=y,
            h=h * factor,
            accepted=s.accepted + ok,
            rejected=s.rejected + ~ok,
        )

    init = SolverState(jnp.asarray(t0, jnp.float32), y0, jnp.float32(h0), jnp.int32(0), jnp.int32(0))
    return jax.lax.while_loop(cond, body, init)


def odeint(f, y0, ts, **options):
    """States at each of `ts`, integrating from one to the next."""

    def leg(carry, t_next):
        t, y = carry
        s = integrate(f, y, t, t_next, **options)
        return (t_next, s.y), (s.y, s.accepted)

    _, (ys, n) = jax.lax.scan(leg, (ts[0], y0), ts[1:])
    ys = jax.tree.map(lambda a, rest: jnp.concatenate([a[None], rest]), y0, ys)
    return ys, n.sum()


def lotka_volterra(theta):
    a, b, c, d = theta

    def f(t, y):
        prey, pred = y["prey"], y["pred"]
        return {"prey": prey * (a - b * pred), "pred": pred * (d * prey - c)}

    return f


def van_der_pol(t, y, mu):
    x, v = y
    return jnp.stack([v, mu * (1 - x**2) * v - x])


def main():
    ts = jnp.linspace(0.0, 6.0, 7)
    y0 = {"prey": jnp.array(10.0), "pred": jnp.array(5.0)}
    theta = jnp.array([1.1, 0.4, 0.4, 0.1])

    solve = jax.jit(lambda th: odeint(lotka_volterra(th), y0, ts))
    ys, n = solve(theta)
    print(f"Lotka-Volterra in {n} steps")
    for name, series in sorted(ys.items()):
        print(f"  {name}:", np.array2string(np.asarray(series), precision=2))

    sens = jax.jit(jax.jacfwd(lambda th: odeint(lotka_volterra(th), y0, ts)[0]))(theta)
    print("  d prey(t_end) / d theta:", jnp.round(sens["prey"][-1], 1))

    mus = jnp.array([0.5, 1.0, 5.0])
    sol = jax.vmap(lambda mu: integrate(lambda t, y: van_der_pol(t, y, mu), jnp.array([2.0, 0.0]), 0.0, 10.0))(mus)
    for mu, n, bad in zip(mus.tolist(), sol.accepted, sol.rejected):
        print(f"van der Pol mu={mu}: {n} accepted, {bad} rejected")


if __name__ == "__main__":
    main()
