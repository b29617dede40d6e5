"""A small convolutional net on drawn shapes: lax.conv_general_dilated, pooling, log_softmax, momentum."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random


def images(n, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, n)
    x = rng.normal(0, 0.1, (n, 12, 12, 1)).astype(np.float32)
    for image, label in zip(x, labels):
        i, j = rng.integers(2, 8, 2)
        if label == 0:
            image[i : i + 3, j : j + 3] += 1
        elif label == 1:
            image[i, :] += 1
        else:
            image[:, j] += 1
    return jnp.asarray(x), jnp.asarray(labels)


def init(key):
    keys = random.split(key, 3)
    return {
        "conv1": 0.3 * random.normal(keys[0], (3, 3, 1, 8)),
        "conv2": 0.1 * random.normal(keys[1], (3, 3, 8, 8)),
        "dense": {"b": jnp.zeros(3), "w": 0.1 * random.normal(keys[2], (72, 3))},
    }


def conv(x, w, stride=1):
    return lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def logits(params, x):
    x = pool(jax.nn.relu(conv(x, params["conv1"])))
    x = jax.nn.relu(conv(x, params["conv2"], stride=2))
    x = x.reshape(x.shape[0], -1)
    return x @ params["dense"]["w"] + params["dense"]["b"]


def loss(params, x, y):
    return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits(params, x)) * jax.nn.one_hot(y, 3), axis=-1))


@jax.jit
def step(params, velocity, x, y):
    value, grads = jax.value_and_grad(loss)(params, x, y)
    velocity = jax.tree.map(lambda v, g: 0.9 * v - 0.1 * g, velocity, grads)
    return jax.tree.map(jnp.add, params, velocity), velocity, value


x, y = images(48, 0)
params = init(random.key(0))
velocity = jax.tree.map(jnp.zeros_like, params)
losses = []
for _ in range(12):
    params, velocity, value = step(params, velocity, x, y)
    losses.append(float(value))
print(np.round(losses, 3), jax.tree.map(jnp.shape, params))
accuracy = jnp.mean(jnp.argmax(logits(params, x), -1) == y)
same = lax.conv(jnp.ones((1, 1, 5, 5)), jnp.ones((1, 1, 3, 3)), (2, 2), "SAME")
print(accuracy > 0.5, same, jnp.convolve(jnp.arange(4.0), jnp.array([1.0, 0.5]), mode="valid"))
