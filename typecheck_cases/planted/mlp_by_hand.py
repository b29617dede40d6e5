"""A small network trained by hand-written gradient descent."""

import jax
import jax.numpy as jnp


def init_layer(key, n_in, n_out):
    scale = jnp.sqrt(2.0 / n_in)
    return {"w": scale * jax.random.normal(key, (n_in, n_out)), "b": jnp.zeros(n_out)}


def init(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [init_layer(k, n, m) for k, n, m in zip(keys, sizes[:-1], sizes[1:])]


def predict(params, x):
    for layer in params[:-1]:
        x = jax.nn.relu(x @ layer["w"] + layer["b"])  # mistake: x = jax.nn.relu(layer["w"] @ x) [array-shape]
    last = params[-1]
    return x @ last["w"] + last["b"]


def loss_fn(params, x, y):
    logp = jax.nn.log_softmax(predict(params, x), axis=1)
    nll = -jnp.sum(logp * y, axis=1)  # mistake: nll = -jnp.sum(logp * y, axis=2) [array-dim]
    return nll.mean()  # mistake a: return nll [array-shape]


@jax.jit
def update(params, x, y, lr):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)  # shows a
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss


def main():
    init_key, data_key = jax.random.split(jax.random.key(0))
    params = init(init_key, [8, 16, 3])
    x = jax.random.normal(data_key, (32, 8))
    y = jax.nn.one_hot(jnp.arange(32) % 3, 3)
    for _ in range(2):
        params, loss = update(params, x, y, 0.1)
    print(loss)


if __name__ == "__main__":
    main()
