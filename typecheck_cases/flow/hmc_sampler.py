"""Hamiltonian Monte Carlo over a pytree of parameters, for Bayesian logistic regression."""

import argparse
from typing import Any, Callable, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree


class HMCState(NamedTuple):
    position: Any
    logp: jax.Array
    grad: Any
    log_step: jax.Array


class HMCInfo(NamedTuple):
    accept_prob: jax.Array
    energy: jax.Array
    divergent: jax.Array


def init_state(position, logp_fn, step_size) -> HMCState:
    logp, grad = jax.value_and_grad(logp_fn)(position)
    return HMCState(position, logp, grad, jnp.log(step_size))


def tree_random_normal(key, tree):
    leaves, treedef = jax.tree.flatten(tree)
    keys = jax.random.split(key, len(leaves))
    return treedef.unflatten([jax.random.normal(k, x.shape, x.dtype) for k, x in zip(keys, leaves)])


def kinetic(momentum):
    return 0.5 * sum(jnp.vdot(m, m) for m in jax.tree.leaves(momentum))


def axpy(a, x, y):
    return jax.tree.map(lambda xi, yi: a * xi + yi, x, y)


def build_kernel(logp_fn: Callable, num_leapfrog: int, target_accept=0.8):
    value_and_grad = jax.value_and_grad(logp_fn)

    def leapfrog(_, val):
        q, p, g, _, eps = val
        p = axpy(0.5 * eps, g, p)
        q = axpy(eps, p, q)
        logp, g = value_and_grad(q)
        p = axpy(0.5 * eps, g, p)
        return q, p, g, logp, eps

    def kernel(key, state, adapt):
        key_mom, key_acc = jax.random.split(key)
        p0 = tree_random_normal(key_mom, state.position)
        eps = jnp.exp(state.log_step)
        q, p, g, logp, _ = jax.lax.fori_loop(
            0, num_leapfrog, leapfrog, (state.position, p0, state.grad, state.logp, eps)
        )
        h0 = kinetic(p0) - state.logp
        h1 = kinetic(p) - logp
        delta = jnp.nan_to_num(h0 - h1, nan=-jnp.inf)
        accept_prob = jnp.exp(jnp.minimum(delta, 0.0))
        accept = jax.random.uniform(key_acc) < accept_prob
        new_q, new_g, new_logp = jax.tree.map(
            lambda new, old: jnp.where(accept, new, old), (q, g, logp), (state.position, state.grad, state.logp)
        )
        log_step = state.log_step + jnp.where(adapt, 0.1 * (accept_prob - target_accept), 0.0)
        return HMCState(new_q, new_logp, new_g, log_step), HMCInfo(accept_prob, h1, delta < -1000)

    return kernel


def sample(key, kernel, state, num_warmup, num_samples):
    total = num_warmup + num_samples

    def body(state, xs):
        i, k = xs
        state, info = kernel(k, state, i < num_warmup)
        return state, (state.position, info)

    _, (trace, info) = jax.lax.scan(body, state, (jnp.arange(total), jax.random.split(key, total)))
    return jax.tree.map(lambda x: x[num_warmup:], (trace, info))


def make_data(n, d, rng):
    X = rng.normal(size=(n, d))
    w = rng.normal(size=d)
    y = rng.uniform(size=n) < 1 / (1 + np.exp(-(X @ w + 0.5)))
    return X.astype("float32"), y.astype("int32"), w


def main(args):
    X, y, w_true = make_data(args.num_data, args.dim, np.random.default_rng(args.seed))

    def log_posterior(params):
        scale = jnp.exp(params["log_scale"])
        logits = X @ params["w"] + params["b"]
        prior = -0.5 * jnp.sum((params["w"] / scale) ** 2) - args.dim * params["log_scale"]
        prior += -0.5 * params["log_scale"] ** 2 - 0.5 * params["b"] ** 2
        return prior + jnp.sum(jnp.where(y == 1, jax.nn.log_sigmoid(logits), jax.nn.log_sigmoid(-logits)))

    params = {"w": jnp.zeros(args.dim), "b": jnp.array(0.0), "log_scale": jnp.array(0.0)}
    kernel = build_kernel(log_posterior, args.leapfrog)

    @jax.jit
    def run(key, params):
        state = init_state(params, log_posterior, step_size=0.05)
        trace, info = sample(key, kernel, state, args.warmup, args.samples)
        return trace, info, jax.vmap(lambda t: ravel_pytree(t)[0])(trace)

    trace, info, flat = run(jax.random.key(args.seed), params)
    corr = np.corrcoef(flat, rowvar=False)
    print("draws", flat.shape, "largest correlation", np.abs(corr - np.eye(len(corr))).max().round(2))
    print( "accept", np.round(info.accept_prob.mean(), 2), "divergent", int(info.divergent.sum()))
    w = np.asarray(trace["w"])
    for i, (mean, sd) in enumerate(zip(w.mean(0), w.std(0))):
        print(f"  w[{i}] = {mean:+.2f} ± {sd:.2f}   (true {w_true[i]:+.2f})")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--num-data", type=int, default=80)
    parser.add_argument("--dim", type=int, default=3)
    parser.add_argument("--leapfrog", type=int, default=8)
    parser.add_argument("--warmup", type=int, default=50)
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    main(parser.parse_args())
