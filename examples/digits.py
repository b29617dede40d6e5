"""Train a classifier of handwritten digits, once in float32 and once in bfloat16, and plot the losses.

    python examples/digits.py --epochs 20 --plot digits.png

With `import jax` and `import jax.numpy as jnp` in the place of the first two imports, the same program runs on JAX and
gives the same losses.
"""

import argparse
from typing import NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from tqdm import trange

import arraytyping as jax
import arraytyping.numpy as jnp

SIZES = (64, 128, 64, 10)
BATCH, LEARNING_RATE, MOMENTUM = 64, 0.05, 0.9


class Layer(NamedTuple):
    weights: jax.Array
    biases: jax.Array


Params = list[Layer]


def init(key: jax.Array, dtype: str) -> Params:
    glorot = jax.nn.initializers.glorot_uniform()
    keys = jax.random.split(key, len(SIZES) - 1)
    return [Layer(glorot(k, (n, m), dtype), jnp.zeros(m, dtype)) for k, n, m in zip(keys, SIZES, SIZES[1:])]


def logits(params: Params, images: jax.Array) -> jax.Array:
    *hidden, last = params
    for weights, biases in hidden:
        images = jax.nn.relu(images @ weights + biases)
    return images @ last.weights + last.biases


def cross_entropy(params: Params, images: jax.Array, labels: jax.Array) -> jax.Array:
    log_probabilities = jax.nn.log_softmax(logits(params, images).astype(jnp.float32))
    return -(jax.nn.one_hot(labels, 10) * log_probabilities).sum(axis=1).mean()


@jax.jit
def step(params: Params, velocity: Params, images: jax.Array, labels: jax.Array) -> tuple[Params, Params, jax.Array]:
    loss, gradients = jax.value_and_grad(cross_entropy)(params, images, labels)
    velocity = jax.tree.map(lambda v, g: MOMENTUM * v - LEARNING_RATE * g, velocity, gradients)
    return jax.tree.map(jnp.add, params, velocity), velocity, loss


@jax.jit
def accuracy(params: Params, images: jax.Array, labels: jax.Array) -> jax.Array:
    return (logits(params, images).argmax(axis=1) == labels).mean()


def train(images: jax.Array, labels: jax.Array, dtype: str, epochs: int) -> tuple[Params, list[float]]:
    """The trained parameters, and the loss of every step."""
    key = jax.random.key(0)
    params = init(key, dtype)
    velocity = jax.tree.map(jnp.zeros_like, params)
    images = images.astype(dtype)
    losses: list[float] = []
    bar = trange(epochs, desc=f"{dtype:>8}", unit="epoch")
    for epoch in bar:
        order = jax.random.permutation(jax.random.fold_in(key, epoch), len(images))
        for i in range(0, len(images) - BATCH + 1, BATCH):
            chosen = order[i : i + BATCH]
            params, velocity, loss = step(params, velocity, images[chosen], labels[chosen])
            losses.append(float(loss))
        bar.set_postfix(loss=f"{losses[-1]:.4f}")
    return params, losses


def main(epochs: int = 20, plot: str | None = "digits.png") -> dict[str, list[float]]:
    """Train with each dtype, print the accuracies, plot the losses; and give them back."""
    digits = load_digits()
    images, labels = jnp.asarray(digits.data / 16, jnp.float32), jnp.asarray(digits.target, jnp.int32)
    n = 1400  # the others are to test with
    losses = {}
    for dtype in ("float32", "bfloat16"):
        params, losses[dtype] = train(images[:n], labels[:n], dtype, epochs)
        correct = accuracy(params, images[n:].astype(dtype), labels[n:])
        print(f"{dtype:>8}: {100 * float(correct):.1f} % of {len(images) - n} digits that it has not seen")
    if plot is not None:
        for dtype, values in losses.items():
            (line,) = plt.semilogy(values, linewidth=0.6, alpha=0.4)
            means = np.reshape(values, (epochs, -1)).mean(axis=1)
            middles = (np.arange(epochs) + 0.5) * len(values) / epochs
            plt.semilogy(middles, means, "o-", markersize=3, color=line.get_color(), label=dtype)
        plt.xlabel("step")
        plt.ylabel("cross entropy")
        plt.legend()
        plt.savefig(plot, dpi=150, bbox_inches="tight")
        plt.close()
    return losses


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--plot", default="digits.png", help="where to write the plot of the losses")
    main(**vars(parser.parse_args()))
