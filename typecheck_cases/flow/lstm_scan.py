"""A two-layer LSTM run by scan, forecasting noisy sine waves of different lengths."""

import functools
import typing as tp

import jax
import jax.numpy as jnp
import numpy as np

HIDDEN = 16
N_LAYERS = 2


class LSTMParams(tp.NamedTuple):
    w_x: jax.Array
    w_h: jax.Array
    bias: jax.Array


class LSTMState(tp.NamedTuple):
    h: jax.Array
    c: jax.Array


class Model(tp.NamedTuple):
    cells: tuple
    readout: jax.Array
    initial: LSTMState  # learnt


def init_cell(key, n_in, n_hidden):
    glorot = jax.nn.initializers.glorot_uniform(in_axis=-2, out_axis=-1)
    k1, k2 = jax.random.split(key)
    w_x = glorot(k1, (n_in, 4 * n_hidden))
    w_h = jnp.concatenate([glorot(k, (n_hidden,) * 2) for k in jax.random.split(k2, 4)], axis=1)
    # A forget gate that starts open lets gradients through early in training.
    bias = jnp.zeros(4 * n_hidden).at[n_hidden : 2 * n_hidden].set(1.0)
    return LSTMParams(w_x, w_h, bias)


@functools.partial(jax.jit, static_argnames="n_features")
def init_model(key, n_features):
    keys = jax.random.split(key, N_LAYERS + 1)
    n_in = [n_features] + [HIDDEN] * (N_LAYERS - 1)
    cells = tuple(init_cell(keys[i], n_in[i], HIDDEN) for i in range(N_LAYERS))
    zeros = jnp.zeros((N_LAYERS, HIDDEN))
    return Model(cells, 0.1 * jax.random.normal(keys[-1], (HIDDEN, n_features)), LSTMState(zeros, zeros))


def lstm_cell(params, state, x):
    gates = x @ params.w_x + state.h @ params.w_h + params.bias
    i, f, g, o = jnp.split(gates, 4, axis=-1)
    c = jax.nn.sigmoid(f) * state.c + jax.nn.sigmoid(i) * jnp.tanh(g)
    h = jax.nn.sigmoid(o) * jnp.tanh(c)
    return LSTMState(h, c), h


def run_layer(params, state, xs, lengths):
    """xs is time-major; states stop changing after a sequence's end."""

    def step(state, inputs):
        t, x = inputs
        new_state, h = lstm_cell(params, state, x)
        alive = (t < lengths)[:, None]
        state = jax.tree.map(lambda new, old: jnp.where(alive, new, old), new_state, state)
        return state, jnp.where(alive, h, 0.0)

    return jax.lax.scan(step, state, (jnp.arange(xs.shape[0]), xs))


def predict(model, batch, lengths):
    b, t, f = batch.shape
    xs = jnp.swapaxes(batch, 0, 1)
    finals = []
    for layer, cell in enumerate(model.cells):
        state = jax.tree.map(lambda s: jnp.broadcast_to(s[layer], (b, HIDDEN)), model.initial)
        final, xs = jax.checkpoint(run_layer)(cell, state, xs, lengths)
        finals.append(final)
    return jnp.swapaxes(xs @ model.readout, 0, 1), finals


def masked_mse(model, batch, lengths):
    predictions, _ = predict(model, batch[:, :-1], lengths - 1)
    errors = (predictions - batch[:, 1:]) ** 2
    mask = jnp.arange(errors.shape[1])[None, :] < (lengths - 1)[:, None]
    return (errors.mean(-1) * mask).sum() / mask.sum()


@jax.jit
def rmsprop(model, second_moments, batch, lengths):
    loss, grads = jax.value_and_grad(masked_mse)(model, batch, lengths)
    second_moments = jax.tree.map(lambda s, g: 0.9 * s + 0.1 * g**2, second_moments, grads)
    model = jax.tree.map(lambda p, g, s: p - 0.01 * g / (jnp.sqrt(s) + 1e-4), model, grads, second_moments)
    return model, second_moments, loss


def batches(n_batches, batch_size, max_len, rng):
    """Ragged sequences, padded with zeros to `max_len`."""
    for _ in range(n_batches):
        lengths = rng.integers(max_len // 2, max_len + 1, size=batch_size)
        sequences = []
        for n in lengths:
            phase, frequency = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 0.6)
            wave = np.sin(phase + frequency * np.arange(n))
            features = np.column_stack([wave, np.gradient(wave)])
            sequences.append(np.pad(features, [(0, max_len - n), (0, 0)]))
        yield np.stack(sequences).astype(np.float32), lengths


def extrapolate(model, prefix, n_steps):
    """Feeds predictions back, starting after `prefix` (time, features)."""
    lengths = jnp.full(1, prefix.shape[0])
    outputs, states = predict(model, prefix[None], lengths)

    def body(carry, _):
        states, x = carry
        new_states = []
        h = x
        for cell, state in zip(model.cells, states):
            state, h = lstm_cell(cell, state, h)
            new_states.append(state)
        y = h @ model.readout
        return (new_states, y), y[0]

    _, ys = jax.lax.scan(body, (states, outputs[:, -1]), length=n_steps)
    return ys


rng = np.random.default_rng(0)
model = init_model(jax.random.key(0), n_features=2)
moments = jax.tree.map(jnp.zeros_like, model)
losses = []
for batch, lengths in batches(10, 8, 20, rng):
    model, moments, loss = rmsprop(model, moments, batch, lengths)
    losses.append(loss.item())
print(f"loss {losses[0]:.3f} -> {min(losses[-3:]):.3f}")

future = jax.jit(extrapolate, static_argnums=2)(model, batch[0, :10], 5)
print("extrapolation", future.shape, bool(jnp.isfinite(future).all()))
