"""Train a classifier of digits."""

import jax
import jax.numpy as jnp

RATE = 0.1


def init(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        {"w": jax.random.normal(k, (m, n)) / jnp.sqrt(n), "b": jnp.zeros(m)}
        for k, n, m in zip(keys, sizes[:-1], sizes[1:])
    ]


def predict(layers, x):
    for layer in layers[:-1]:
        w, b = layer["w"], layer["b"]
        x = jax.nn.relu(x @ w.T + b)
    w, b = layers[-1]["w"], layers[-1]["b"]
    logits = x @ w + b
    return logits


def loss(layers, images, labels):
    logits = predict(layers, images)
    scores = jax.nn.log_softmax(logits)
    return -jnp.mean(scores[jnp.arange(len(labels)), labels])


@jax.jit
def step(layers, images, labels):
    value, grads = jax.value_and_grad(loss)(layers, images, labels)
    layers = jax.tree.map(lambda p, g: p - RATE * g, layers, grads)
    return layers, value


def main():
    key, k1, k2 = jax.random.split(jax.random.key(0), 3)
    images = jax.random.uniform(k1, (32, 784))
    labels = jax.random.randint(k2, (32,), 0, 10)
    layers = init(key, [784, 128, 10])
    for _ in range(10):
        layers, value = step(layers, images, labels)
    print(value)


if __name__ == "__main__":
    main()
