"""Train a small MLP on two spirals with hand-written SGD and momentum."""

import argparse
import time
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


def make_spirals(n_per_class, noise=0.1, seed=0):
    """Two interleaved spirals, as float32 points and int32 labels."""
    rng = np.random.default_rng(seed)
    theta = np.sqrt(rng.uniform(size=n_per_class)) * 3 * np.pi
    arms = []
    for sign in (1, -1):
        radius = theta / (3 * np.pi)
        xy = np.stack([sign * radius * np.cos(theta), sign * radius * np.sin(theta)], axis=-1)
        arms.append(xy + noise * rng.normal(size=xy.shape))
    points = np.concatenate(arms).astype(np.float32)
    labels = np.repeat(np.arange(2, dtype=np.int32), n_per_class)
    order = rng.permutation(len(points))
    return points[order], labels[order]


def init_layer(key, n_in, n_out):
    w = jax.random.normal(key, (n_in, n_out)) * jnp.sqrt(2.0 / n_in)
    return {"w": w, "b": jnp.zeros((n_out,))}


def init_params(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [init_layer(k, m, n) for k, m, n in zip(keys, sizes[:-1], sizes[1:])]


def forward(params, x):
    *hidden, last = params
    for layer in hidden:
        x = jax.nn.relu(x @ layer["w"] + layer["b"])
    return x @ last["w"] + last["b"]


def loss_fn(params, x, y, weight_decay):
    logits = forward(params, x)
    log_probs = jax.nn.log_softmax(logits)
    nll = -jnp.take_along_axis(log_probs, y[:, None], axis=1).mean()
    l2 = sum(jnp.sum(layer["w"] ** 2) for layer in params)
    accuracy = jnp.mean(jnp.argmax(logits, axis=-1) == y)
    return nll + weight_decay * l2, {"nll": nll, "accuracy": accuracy}


@partial(jax.jit, static_argnames=("momentum", "nesterov"))
def train_step(params, velocity, x, y, lr, weight_decay=1e-4, momentum=0.9, nesterov=False):
    grads, metrics = jax.grad(loss_fn, has_aux=True)(params, x, y, weight_decay)
    velocity = jax.tree.map(lambda v, g: momentum * v + g, velocity, grads)
    if nesterov:
        update = jax.tree.map(lambda v, g: momentum * v + g, velocity, grads)
    else:
        update = velocity
    params = jax.tree.map(lambda p, u: p - lr * u, params, update)
    return params, velocity, metrics


def iterate_batches(x, y, batch_size, rng):
    order = rng.permutation(x.shape[0])
    for start in range(0, len(order) - batch_size + 1, batch_size):
        idx = order[start : start + batch_size]
        yield x[idx], y[idx]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--hidden", type=int, nargs="+", default=[32, 32])
    parser.add_argument("--nesterov", action="store_true")
    args = parser.parse_args()

    x, y = make_spirals(128)
    n_train = int(0.8 * len(x))
    x_train, y_train, x_test, y_test = x[:n_train], y[:n_train], x[n_train:], y[n_train:]
    mean, std = x_train.mean(axis=0), x_train.std(axis=0)
    x_train, x_test = (x_train - mean) / std, (x_test - mean) / std

    params = init_params(jax.random.PRNGKey(0), [x.shape[1], *args.hidden, 2])
    velocity = jax.tree.map(jnp.zeros_like, params)
    n_params = sum(p.size for p in jax.tree.leaves(params))
    print(f"{n_params} parameters, {len(x_train)} training points")

    rng = np.random.default_rng(1)
    started = time.perf_counter()
    for epoch in range(args.epochs):
        lr = args.lr * 0.5 * (1 + np.cos(np.pi * epoch / args.epochs))
        history = []
        for xb, yb in iterate_batches(x_train, y_train, args.batch_size, rng):
            params, velocity, metrics = train_step(params, velocity, xb, yb, lr, nesterov=args.nesterov)
            history.append(metrics)
        mean_metrics = {k: float(np.mean([m[k] for m in history])) for k in history[0]}
        if epoch % 2 == 1:
            print(f"epoch {epoch + 1}: nll {mean_metrics['nll']:.3f} accuracy {mean_metrics['accuracy']:.3f}")
    assert time.perf_counter() > started

    predictions = jnp.argmax(jax.jit(forward)(params, x_test), axis=-1)
    confusion = jnp.zeros((2, 2), jnp.int32).at[y_test, predictions].add(1)
    print("confusion", confusion.tolist())


if __name__ == "__main__":
    main()
