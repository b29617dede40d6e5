"""Dicts and lists that are written out, in variables that are bound again in a loop or a branch."""

import jax
import jax.numpy as jnp

rounds = int("3")


def changed(params, x):
    return {"w": params["w"] + x, "b": params["b"] * 2}, x


def grown(params, x):
    return {"w": jnp.concatenate([params["w"], x[None]]), "b": params["b"]}, x


def train(n):
    params = {"w": jnp.zeros((6, 4)), "b": jnp.zeros(4)}
    x = jnp.ones(4)
    for _ in range(n):
        params, x = changed(params, x)
    return params["w"]


def train_jitted(n):
    params = {"w": jnp.zeros((6, 4)), "b": jnp.zeros(4)}
    x = jnp.ones(4)

    @jax.jit
    def step(params, x):
        grads = jax.grad(lambda p: jnp.sum(p["w"] @ x) + p["b"].sum())(params)
        params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
        return params, x

    for _ in range(n):
        params, x = step(params, x)
    return params["w"]


def update(layers):
    return [(2 * w, b + 1) for w, b in layers]


def train_layers(n):
    layers = [(jnp.zeros((6, 4)), jnp.zeros(4)), (jnp.zeros((4, 2)), jnp.zeros(2))]
    for _ in range(n):
        layers = update(layers)
    return layers[1][0]


def grow(n):
    params = {"w": jnp.zeros((6, 4)), "b": jnp.zeros(4)}
    x = jnp.ones(4)
    for _ in range(n):
        params, x = grown(params, x)
    return params["w"]


def replaced(n):
    params = {"w": jnp.zeros((6, 4)), "b": jnp.zeros(4)}
    x = jnp.ones(4)
    for _ in range(n):
        params = {"w": x}
    return params["w"]


def extended(n):
    params = {"w": jnp.zeros((6, 4)), "b": jnp.zeros(4)}
    for _ in range(n):
        params = {**params, "c": jnp.ones(2)}
    return params["b"], params["c"]


def chosen(n):
    params, count = {"w": jnp.zeros((6, 4)), "b": jnp.zeros(4)}, 0
    if n > 2:
        params, count = {"w": jnp.zeros(4), "b": jnp.zeros(4), "c": jnp.ones(2)}, 1
    return params["w"], params["c"], count


def returned(n):
    if n < 3:
        return {"w": jnp.zeros((6, 4)), "b": jnp.zeros(4)}
    return {"w": jnp.zeros(4), "b": jnp.zeros(4), "c": jnp.ones(2)}


def read(n):
    params = returned(n)
    return params["c"]


def read_by_keys():
    batch = {"image": jnp.ones((2, 8, 8, 1)), "label": jnp.zeros(2, jnp.int32)}
    layers = [jnp.ones((64, 4)), jnp.ones(4, jnp.bfloat16)]
    return batch["image"].reshape(2, -1) @ layers[0], batch["label"], layers[-1]


image, label, last = read_by_keys()
reveal_type(image)  # R: Array[float32, tuple[Literal[2], Literal[4]]]
reveal_type(label)  # R: Array[int32, tuple[Literal[2]]]
reveal_type(last)  # R: Array[bfloat16, tuple[Literal[4]]]
reveal_type(train(rounds))  # R: Array[float32, tuple[Literal[6], Literal[4]]]
reveal_type(train_jitted(rounds))  # R: Array[float32, tuple[Literal[6], Literal[4]]]
reveal_type(train_layers(rounds))  # R: Array[float32, tuple[Literal[4], Literal[2]]]
reveal_type(grow(rounds))  # R: Array[float32, tuple[int, Literal[4]]]
reveal_type(replaced(rounds))  # R: Array[float32, tuple[Literal[6], Literal[4]]] | Any
reveal_type(extended(rounds)[0])  # R: Array[float32, tuple[Literal[4]]] | Any
print(extended(rounds)[1])
reveal_type(chosen(rounds)[0])  # R: Array[float32, tuple[Literal[6], Literal[4]]] | Any
print(chosen(rounds)[1], read(rounds))
