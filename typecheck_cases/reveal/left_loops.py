"""Loops that are left by `break`, rounds that are by `continue`, and keys of dicts that loops compute."""

import jax
import jax.numpy as jnp

x = jnp.ones((7, 3))


def make():
    return [(jnp.ones((3, 4)), jnp.ones(4)), (jnp.ones((4, 5)), jnp.ones(5)), (jnp.ones((5, 2)), jnp.ones(2))]


def mlp(layers, x):
    for i, (w, b) in enumerate(layers):
        x = x @ w + b
        if i == len(layers) - 1:
            break
        x = jnp.tanh(x)
    return x


def skipped(layers, x, size):
    for w, b in layers:
        if w.shape[0] == size:
            continue
        x = x[:, : w.shape[0]] @ w + b
    return x


def until(layers, x, size):
    for w, b in layers:
        if w.shape[0] == size:
            break
        x = x @ w + b
    else:
        x = x[None]
    return x


def nested(layers, x, n):
    for i, (w, b) in enumerate(layers):
        if i == 0:
            if n > 2:
                x = x * 2
                continue
            else:
                x = x[:, :2]
                break
        for j in range(3):
            if j == n:
                break
            x = x + j
        x = x[:, :1] + b
    return x


def chosen(layers, x):
    for w, b in layers:
        x = x @ w
        if w.shape[1] == 4:
            continue
        elif w.shape[1] == 5:
            x = x[0]
            break
        else:
            x = x[None]
        x = x + 1
    return x


def found(layers, size):
    made = None
    for w, b in layers:
        if b.shape == (size,):
            made = w
            break
    return made


def by_data(layers, x):
    for w, b in layers:
        if x.sum() > 3:
            break
        x = x @ w
    return x


def parameters(sizes):
    p = {}
    for i in range(len(sizes) - 1):
        p[f"w{i}"] = jnp.ones((sizes[i], sizes[i + 1]))
        p["b" + str(i)] = jnp.zeros(sizes[i + 1])
    return p


def applied(p, x):
    for i in range(2):
        x = x @ p[f"w{i}"] + p["b{}".format(i)]
    return x


def named(sizes):
    return {f"w{i + 1}": jnp.ones((a, b)) for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:]))}


def by_count(params, x):
    n = len(params) // 2
    for i in range(n):
        x = x @ params[f"w{i}"] + params[f"b{i}"]
    return x


def under(params, k):
    return params[k], params["w1"]


def later(n):
    return [lambda q: q[f"w{i}"] for i in range(n)]


def stacked(rows):
    return [jnp.stack(column) for column in zip(*rows)]


def results():
    layers, p = make(), parameters((3, 4, 2))
    gradient = jax.grad(lambda p: applied(p, x).sum())(p)
    return (
        mlp(layers, x),
        skipped(layers, x, 5),
        until(layers, x, 5),
        until(layers, x, 6),
        nested(layers, x, 3),
        nested(layers, x, 1),
        chosen(layers, x),
        found(layers, 5),
        p["w1"],
        applied(p, x),
        gradient["w1"],
        named((3, 4, 2))["w2"],
        later(2)[0](p),
        by_count(p, x) * 1.0,
        under(p, "b1")[0],
        stacked([(jnp.ones(3), jnp.ones(4, int)), (jnp.ones(3), jnp.ones(4, int))])[1],
    )


v = results()
reveal_type(v[0])  # R: Array[float32, tuple[Literal[7], Literal[2]]]
reveal_type(v[1])  # R: Array[float32, tuple[Literal[7], Literal[5]]]
reveal_type(v[2])  # R: Array[float32, tuple[Literal[7], Literal[5]]]
reveal_type(v[3])  # R: Array[float32, tuple[Literal[1], Literal[7], Literal[2]]]
reveal_type(v[4])  # R: Array[float32, tuple[Literal[7], Literal[2]]]
reveal_type(v[5])  # R: Array[float32, tuple[Literal[7], Literal[2]]]
reveal_type(v[6])  # R: Array[float32, tuple[Literal[5]]]
reveal_type(v[7])  # R: Array[float32, tuple[Literal[4], Literal[5]]]
reveal_type(v[8])  # R: Array[float32, tuple[Literal[4], Literal[2]]]
reveal_type(v[9])  # R: Array[float32, tuple[Literal[7], Literal[2]]]
reveal_type(v[10])  # R: Array[float32, tuple[Literal[4], Literal[2]]]
reveal_type(v[11])  # R: Array[float32, tuple[Literal[4], Literal[2]]]
reveal_type(v[12])  # R: Any
reveal_type(v[14])  # R: Array[float32, tuple[Literal[2]]]
reveal_type(v[15])  # R: Array[int32, tuple[Literal[2], Literal[4]]]
