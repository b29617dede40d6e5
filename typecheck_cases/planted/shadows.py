"""Names that are used twice, and dictionaries that are updated on the way."""

import jax
import jax.numpy as jnp

SETTINGS = {"width": 6, "depth": 2}


def init(key):
    params = {}
    for i in range(SETTINGS["depth"]):
        key, sub = jax.random.split(key)
        params[f"w{i}"] = jax.random.normal(sub, (SETTINGS["width"], SETTINGS["width"]))
    params["out"] = jnp.ones(SETTINGS["width"])
    return params


def apply(params, x):
    for i in range(SETTINGS["depth"]):
        x = jnp.tanh(x @ params[f"w{i}"])  # shows d  # mistake: x = jnp.tanh(x @ params["w" + str(i + 1)]) [call]
    return x @ params["out"]  # shows a


def center(x, axis=0):
    mean = x.mean(axis=axis)
    x = x - mean
    scale = x.std(axis=axis)  # mistake b: scale = x.std(axis=1 - axis) [array-shape]
    return x / scale, mean  # shows b


def prune(params, keep):
    for name in list(params):
        if params[name].ndim == 1:
            params[name] = params[name].at[keep:].set(0.0)  # mistake a: params[name] = params[name][:keep] [array-shape]
    return params


x = jax.random.normal(jax.random.key(0), (4, 6))
params = init(jax.random.key(1))
x, mean = center(x)
print(apply(params, x))
params.update(prune(params, 3))
print(apply(params, x))
sum = jnp.sum(x)  # mistake c: sum = x.shape [error]
print(sum + 1, len(mean))  # shows c
SETTINGS["depth"] = 1  # mistake d: SETTINGS["depth"] = 3 [call]
print(apply(params, x).shape)
