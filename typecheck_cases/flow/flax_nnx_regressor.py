"""A Flax NNX residual regressor with dropout and a custom running-statistics variable."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx


class RunningStat(nnx.Variable):
    """Statistics of the inputs, updated while training but not by gradients."""


class Normaliser(nnx.Module):
    def __init__(self, n_features, momentum=0.9):
        self.mean = RunningStat(jnp.zeros(n_features))
        self.var = RunningStat(jnp.ones(n_features))
        self.momentum = momentum
        self.use_running_average = False

    def __call__(self, x):
        if not self.use_running_average:
            self.mean[...] = self.momentum * self.mean[...] + (1 - self.momentum) * x.mean(axis=0)
            self.var[...] = self.momentum * self.var[...] + (1 - self.momentum) * x.var(axis=0)
        return (x - self.mean[...]) / jnp.sqrt(self.var[...] + 1e-5)


class Block(nnx.Module):
    def __init__(self, width, rate, *, rngs: nnx.Rngs):
        self.norm = nnx.LayerNorm(width, rngs=rngs)
        self.up = nnx.Linear(width, 2 * width, rngs=rngs)
        self.down = nnx.Linear(2 * width, width, rngs=rngs)
        self.dropout = nnx.Dropout(rate, rngs=rngs)
        self.gate = nnx.Param(jnp.full((width,), 0.5))

    def __call__(self, x):
        h = nnx.silu(self.up(self.norm(x)))
        return x + self.gate[...] * self.down(self.dropout(h))


class Regressor(nnx.Module):
    def __init__(self, n_features, n_outputs, width=24, depth=2, rate=0.1, *, rngs: nnx.Rngs):
        self.normaliser = Normaliser(n_features)
        self.stem = nnx.Linear(n_features, width, rngs=rngs)
        self.blocks = nnx.List([Block(width, rate, rngs=rngs) for _ in range(depth)])
        self.head = nnx.Linear(width, 2 * n_outputs, kernel_init=nnx.initializers.zeros_init(), rngs=rngs)

    def __call__(self, x):
        h = self.stem(self.normaliser(x))
        for block in self.blocks:
            h = block(h)
        mean, log_std = jnp.split(self.head(h), 2, axis=-1)
        return mean, jnp.clip(log_std, -3, 3)


def gaussian_nll(model, x, y):
    mean, log_std = model(x)
    z = (y - mean) * jnp.exp(-log_std)
    return jnp.mean(0.5 * z**2 + log_std), jnp.mean((y - mean) ** 2)


@nnx.jit
def train_step(model, optimizer, x, y):
    (loss, mse), grads = nnx.value_and_grad(gaussian_nll, has_aux=True)(model, x, y)
    optimizer.update(model, grads)
    return loss, mse


@nnx.jit
def predict(model, x):
    mean, log_std = model(x)
    return mean, jnp.exp(log_std)


def friedman(rng, n):
    x = rng.random((n, 5))
    y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    y = (y - 14.4) / 4.9
    return x.astype(np.float32), y[:, None].astype(np.float32)


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    x_train, y_train = friedman(rng, 256)
    x_test, y_test = friedman(rng, 64)
    model = Regressor(5, 1, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(1e-2), wrt=nnx.Param)

    params = nnx.state(model, nnx.Param)
    print("parameters", sum(leaf.size for leaf in jax.tree.leaves(params)))

    model.train()
    for epoch in range(4):
        losses = []
        for idx in np.array_split(rng.permutation(len(x_train)), 8):
            loss, mse = train_step(model, optimizer, x_train[idx], y_train[idx])
            losses.append((float(loss), float(mse)))
        nll, mse = np.mean(losses, axis=0)
        print(f"epoch {epoch}: nll {nll:.3f}, mse {mse:.3f}")

    model.eval()
    mean, std = predict(model, x_test)
    coverage = jnp.mean(jnp.abs(mean - y_test) < 2 * std)
    print(f"test mse {jnp.mean((mean - y_test) ** 2):.3f}, coverage of 2 sd {coverage:.2f}")
    print("input means", np.round(np.asarray(model.normaliser.mean[...]), 1))
