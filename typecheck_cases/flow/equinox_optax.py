"""An Equinox neural ODE classifier, with a custom RK4 solver, trained with Optax."""

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import optax
from jaxtyping import Array, Float, Int, PRNGKeyArray


class VectorField(eqx.Module):
    mlp: eqx.nn.MLP
    scale: Float[Array, " dim"]

    def __init__(self, dim, width, *, key):
        self.mlp = eqx.nn.MLP(dim + 1, dim, width, depth=1, activation=jnp.tanh, key=key)
        self.scale = jnp.ones(dim)

    def __call__(self, t, y):
        return self.scale * self.mlp(jnp.append(y, t))


class NeuralODE(eqx.Module):
    field: VectorField
    n_steps: int = eqx.field(static=True)

    def __call__(self, y0):
        dt = 1.0 / self.n_steps

        def rk4(y, t):
            k1 = self.field(t, y)
            k2 = self.field(t + dt / 2, y + dt / 2 * k1)
            k3 = self.field(t + dt / 2, y + dt / 2 * k2)
            k4 = self.field(t + dt, y + dt * k3)
            y = y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            return y, y

        return jax.lax.scan(rk4, y0, jnp.arange(self.n_steps) * dt)


class Classifier(eqx.Module):
    lift: eqx.nn.Linear
    ode: NeuralODE
    dropout: eqx.nn.Dropout
    readout: eqx.nn.Linear

    def __init__(self, in_dim: int, dim: int, n_classes: int, *, key: PRNGKeyArray):
        k1, k2, k3 = jr.split(key, 3)
        self.lift = eqx.nn.Linear(in_dim, dim, key=k1)
        self.ode = NeuralODE(VectorField(dim, 16, key=k2), n_steps=4)
        self.dropout = eqx.nn.Dropout(0.1)
        self.readout = eqx.nn.Linear(dim, n_classes, use_bias=False, key=k3)

    def __call__(self, x: Float[Array, " in"], key=None) -> Float[Array, " classes"]:
        y, _ = self.ode(self.lift(x))
        y = self.dropout(y, key=key, inference=key is None)
        return self.readout(y)


def rings(rng, n):
    labels = rng.integers(0, 2, size=n)
    radius = np.where(labels == 0, 0.5, 1.2) + 0.1 * rng.standard_normal(n)
    angle = rng.uniform(-np.pi, np.pi, n)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1).astype(np.float32), labels


def dataloader(arrays, batch_size, rng):
    size = arrays[0].shape[0]
    assert all(array.shape[0] == size for array in arrays)
    while True:
        order = rng.permutation(size)
        for start in range(0, size - batch_size + 1, batch_size):
            batch = order[start : start + batch_size]
            yield tuple(array[batch] for array in arrays)


def cross_entropy(model, x: Float[Array, "batch in"], y: Int[Array, " batch"], key):
    keys = jr.split(key, x.shape[0])
    logits = jax.vmap(model)(x, keys)
    log_probs = jax.nn.log_softmax(logits, axis=-1)
    return -jnp.mean(jnp.take_along_axis(log_probs, jnp.expand_dims(y, 1), axis=1))


@eqx.filter_jit
def make_step(model, opt_state, optim, x, y, key):
    loss, grads = eqx.filter_value_and_grad(cross_entropy)(model, x, y, key)
    updates, opt_state = optim.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    model = eqx.apply_updates(model, updates)
    return model, opt_state, loss


@eqx.filter_jit
def accuracy(model, x, y):
    logits = jax.vmap(model)(x)
    return jnp.mean(jnp.argmax(logits, axis=-1) == y)


def freeze_nothing_but(model, where):
    """A mask with True only at the chosen leaves."""
    everything_off = jax.tree.map(lambda _: False, model)
    return eqx.tree_at(where, everything_off, replace=True)


def main(steps=120, batch_size=32, seed=0):
    rng = np.random.default_rng(seed)
    model_key, train_key = jr.split(jr.key(seed))
    model = Classifier(2, 6, 2, key=model_key)
    optim = optax.adam(optax.exponential_decay(2e-2, 50, 0.8))
    opt_state = optim.init(eqx.filter(model, eqx.is_inexact_array))
    loader = dataloader(rings(rng, 256), batch_size, rng)

    for step, (x, y) in zip(range(steps), loader):
        model, opt_state, loss = make_step(model, opt_state, optim, x, y, jr.fold_in(train_key, step))
        if step % 60 == 59:
            print(f"step {step + 1}: loss {loss.item():.3f}")

    x_test, y_test = rings(rng, 64)
    print(f"accuracy {accuracy(model, x_test, y_test):.2f}")
    _, trajectory = eqx.filter_jit(lambda m, x: m.ode(m.lift(x)))(model, jnp.asarray(x_test[0]))
    print("trajectory", trajectory.shape)

    mask = freeze_nothing_but(model, lambda m: m.readout.weight)
    trainable, frozen = eqx.partition(model, mask)
    count = lambda tree: sum(leaf.size for leaf in jax.tree.leaves(eqx.filter(tree, eqx.is_array)))
    print(f"{count(trainable)} trainable of {count(trainable) + count(frozen)} parameters")


if __name__ == "__main__":
    main()
