"""A convolutional network on images, with `lax` alone."""

import jax
import jax.numpy as jnp
from jax import lax


def init(key):
    k1, k2, k3 = jax.random.split(key, 3)
    return {
        "conv1": jax.random.normal(k1, (3, 3, 1, 8)) * 0.1,
        "conv2": jax.random.normal(k2, (3, 3, 8, 16)) * 0.1,  # mistake a: "conv2": jax.random.normal(k2, (3, 3, 16, 8)) * 0.1, [array-shape]
        "dense": jax.random.normal(k3, (4 * 4 * 16, 10)) * 0.1,
    }


def conv(x, kernel):
    dims = ("NHWC", "HWIO", "NHWC")
    return lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=dims)  # shows a  # shows b


def pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")  # mistake: return lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (2, 2), "VALID") [array-dim]


def forward(params, images):
    x = images[..., None]  # mistake b: x = images[:, None] [array-shape]
    x = pool(jax.nn.relu(conv(x, params["conv1"])))
    x = pool(jax.nn.relu(conv(x, params["conv2"])))
    x = x.reshape(x.shape[0], -1)  # mistake c: x = x.reshape(-1) [array-shape]
    return x @ params["dense"]  # shows c


logits = forward(init(jax.random.key(0)), jnp.ones((2, 16, 16)))
print(logits.argmax(axis=-1))
