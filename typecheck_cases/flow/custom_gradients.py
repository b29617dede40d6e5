"""A tour of custom differentiation rules, each checked against finite differences or plain autodiff."""

import contextlib
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import custom_jvp, custom_vjp

CHECKS = []


@contextlib.contextmanager
def section(title):
    before = len(CHECKS)
    yield
    passed = sum(ok for _, ok in CHECKS[before:])
    print(f"{title}: {passed}/{len(CHECKS) - before}")


def check(name, got, want, tol=1e-3):
    leaves = zip(jax.tree.leaves(got), jax.tree.leaves(want), strict=True)
    CHECKS.append((name, all(np.allclose(a, b, rtol=tol, atol=tol) for a, b in leaves)))


# 1. numerically stable log(1 + exp(x))


@custom_jvp
def log1pexp(x):
    return jnp.log1p(jnp.exp(x))


@log1pexp.defjvp
def _log1pexp_jvp(primals, tangents):
    (x,), (dx,) = primals, tangents
    return log1pexp(x), dx * jax.nn.sigmoid(x)


# 2. identity whose gradient is clipped


@functools.partial(custom_vjp, nondiff_argnums=(1,))
def clip_gradient(tree, bound):
    return tree


def _clip_fwd(tree, bound):
    return tree, None


def _clip_bwd(bound, _, g):
    return (jax.tree.map(lambda x: jnp.clip(x, -bound, bound), g),)


clip_gradient.defvjp(_clip_fwd, _clip_bwd)


# 3. straight-through rounding


def round_ste(x):
    return x + jax.lax.stop_gradient(jnp.round(x) - x)


@custom_vjp
def sign_ste(x):
    return jnp.where(x >= 0, 1.0, -1.0)


sign_ste.defvjp(lambda x: (sign_ste(x), x), lambda x, g: (jnp.where(jnp.abs(x) <= 1, g, 0.0),))


# 4. implicit differentiation of a fixed point


@functools.partial(custom_vjp, nondiff_argnums=(0,))
def fixed_point(f, a, x_guess):
    def cond_fun(carry):
        x_prev, x, i = carry
        return (jnp.max(jnp.abs(x_prev - x)) > 1e-6) & (i < 200)

    def body_fun(carry):
        _, x, i = carry
        return x, f(a, x), i + 1

    _, x_star, _ = jax.lax.while_loop(cond_fun, body_fun, (x_guess, f(a, x_guess), 0))
    return x_star


def fixed_point_fwd(f, a, x_init):
    x_star = fixed_point(f, a, x_init)
    return x_star, (a, x_star)


def fixed_point_rev(f, res, x_star_bar):
    a, x_star = res
    _, vjp_a = jax.vjp(lambda a: f(a, x_star), a)
    _, vjp_x = jax.vjp(lambda x: f(a, x), x_star)
    # solve w = x_bar + w @ df/dx by the same iteration
    w = fixed_point(lambda packed, u: packed + vjp_x(u)[0], x_star_bar, x_star_bar)
    (a_bar,) = vjp_a(w)
    return a_bar, jnp.zeros_like(x_star)


fixed_point.defvjp(fixed_point_fwd, fixed_point_rev)


def newton_sqrt(a):
    return fixed_point(lambda a, x: 0.5 * (x + a / x), a, a)


def equilibrium(params, x):
    """A small deep-equilibrium layer: z = tanh(W z + U x + b)."""
    f = lambda args, z: jnp.tanh(args[0]["W"] @ z + args[0]["U"] @ args[1] + args[0]["b"])
    return fixed_point(f, (params, x), jnp.zeros_like(params["b"]))


# 5. a linear solve through NumPy-style code, with memory saved by checkpointing


@functools.partial(jax.checkpoint, static_argnums=(1,))
def chain(x, depth):
    for i in range(depth):
        x = jnp.sin(x) + 0.1 * i
    return x


def finite_difference(f, x, eps=1e-2):
    x = np.asarray(x, dtype=np.float32)
    basis = np.eye(x.size, dtype=np.float32).reshape(-1, *x.shape)
    return np.array([(f(x + eps * e) - f(x - eps * e)) / (2 * eps) for e in basis]).reshape(x.shape)


def main():
    xs = jnp.array([-1.5, 0.3, 2.0])
    with section("log1pexp"):
        check("value", log1pexp(xs), jax.nn.softplus(xs))
        check("large x", jax.grad(log1pexp)(100.0), 1.0)
        check("second order", jax.jit(jax.vmap(jax.grad(jax.grad(log1pexp))))(xs), jax.nn.sigmoid(xs) * jax.nn.sigmoid(-xs))

    with section("clipping"):
        tree = {"a": jnp.array([1.0, -3.0]), "b": jnp.array(0.1)}
        loss = lambda t: sum(jnp.sum(x**2) for x in jax.tree.leaves(clip_gradient(t, 0.5)))
        check("tree", jax.grad(loss)(tree), {"a": np.array([0.5, -0.5]), "b": 0.2})

    with section("straight-through"):
        value, slope = jax.value_and_grad(lambda x: jnp.sum(3 * round_ste(x)))(xs)
        check("round", (value, slope), (3 * float(np.round(xs).sum()), np.full(3, 3.0)))
        check("sign", jax.grad(lambda x: sign_ste(x).sum())(xs), np.array([0.0, 1.0, 0.0]))

    with section("implicit"):
        check("sqrt", jax.jit(jax.grad(newton_sqrt))(2.0), 0.5 / np.sqrt(2.0))
        check("jit of vmap", jax.jit(jax.vmap(jax.grad(newton_sqrt)))(jnp.array([1.0, 4.0])), np.array([0.5, 0.25]))
        k1, k2 = jax.random.split(jax.random.key(0))
        params = {"W": 0.2 * jax.random.normal(k1, (4, 4)), "U": jax.random.normal(k2, (4, 3)), "b": jnp.zeros(4)}
        objective = jax.jit(lambda x: jnp.sum(equilibrium(params, x) ** 2))
        check("equilibrium", jax.jit(jax.grad(objective))(xs), finite_difference(objective, xs), tol=1e-2)

    with section("checkpoint"):
        out, pullback = jax.vjp(lambda x: chain(x, 3), xs)
        want = jax.jvp(lambda x: chain(x, 3), (xs,), (jnp.ones_like(xs),))
        check("vjp = jvp of an elementwise chain", (out, *pullback(jnp.ones_like(out))), want)

    failed = [name for name, ok in CHECKS if not ok]
    if failed:
        raise SystemExit(f"failed: {failed}")


if __name__ == "__main__":
    main()
