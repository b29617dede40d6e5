"""Lists and dicts into which something is put, one thing or several."""

import collections

import jax.numpy as jnp


def init(n):
    params = {"layers": [], "head": jnp.ones(n)}
    for _ in range(3):
        params["layers"].append({"w": jnp.ones((n, n)), "b": jnp.zeros(n)})  # type: ignore[attr-defined]
    return params


def first_of(params):
    return params["layers"][0]["w"], params["head"]


def one(params):
    return params["head"]


reveal_type(one(init(4)))  # R: Array[float32, tuple[Literal[4]]]
reveal_type(first_of(init(4))[0])  # R: Array[float32, tuple[Literal[4], Literal[4]]]


def by_key(n):
    params = {}
    params["w"] = jnp.ones((n, n))
    params["b"] = jnp.zeros(n, jnp.bfloat16)
    return params


def read(params):
    return params["b"]


reveal_type(read(by_key(4)))  # R: Array[bfloat16, tuple[Literal[4]]]


def mixed(n):
    params = {name: jnp.ones((n, n)) for name in ("a", "b")}
    params["norm"] = jnp.ones((n, n), jnp.bfloat16)
    return params


def norm(params):
    return params["norm"]


reveal_type(norm(mixed(4)))  # R: Array[float32 | bfloat16, tuple[Literal[4], Literal[4]]]


def head(xs):
    return xs[0]


def last(xs):
    return xs[-1]


# What is joined keeps all that was in either.
reveal_type(head([jnp.ones(3)] + [jnp.ones(3)]))  # R: Array[float32, tuple[Literal[3]]]
other = jnp.ones(7, jnp.int32)
reveal_type(last([jnp.ones(3)] + [other]))  # R: Array[float32, tuple[Literal[3]]] | Array[int32, tuple[Literal[7]]]
pair = [jnp.ones(3)] + [jnp.ones(7, jnp.int32)]
reveal_type(pair[1])  # R: Array[Any, Any]
table = {"w": jnp.ones(3)} | {"c": jnp.ones(7, jnp.int32)}
reveal_type(table["c"])  # R: Array[Any, Any]


def merged(n):
    layer = dict(w=jnp.ones((n, n)), a=jnp.ones((1, n)))
    return layer | {"c": jnp.ones(7, jnp.int32)}


def c(layer):
    return layer["c"]


def w(layer):
    return layer["w"]


reveal_type(c(merged(4)))  # R: Array[int32, tuple[Literal[7]]]
reveal_type(w(merged(4)))  # R: Array[float32, tuple[Literal[4], Literal[4]]]


def added():
    xs = []
    xs += [jnp.ones(3)]
    xs += [jnp.ones(7, jnp.int32)]
    return xs


reveal_type(last(added()))  # R: Array[float32, tuple[Literal[3]]] | Array[int32, tuple[Literal[7]]]


def extended():
    xs = [jnp.ones(3)]
    xs += added()
    return xs


reveal_type(last(extended()))  # R: Any


def grouped():
    groups = collections.defaultdict(list)
    for i in range(4):
        groups[i % 2].append(float(i))
    weights = {"w": jnp.ones(3)}
    return weights, groups


def weight(both):
    return both[0]["w"]


reveal_type(weight(grouped()))  # R: Array[float32, tuple[Literal[3]]]


def layers_of(sizes):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers.append((jnp.zeros((a, b)), jnp.zeros(b)))
    return layers[0][0], layers[-1][1]


def metrics():
    found = {}
    found["loss"] = jnp.ones(3)
    found["hits"] = jnp.ones(4, jnp.int8).sum()
    return found["loss"] + found["hits"], found["hits"]


def put_again():
    found = {}
    found["x"] = jnp.ones(3)
    found["x"] = jnp.ones(4, jnp.int8)
    return found["x"]


reveal_type(layers_of((3, 4, 5))[0])  # R: Array[float32, tuple[Literal[3], Literal[4]]]
reveal_type(layers_of((3, 4, 5))[1])  # R: Array[float32, tuple[Literal[5]]]
reveal_type(metrics()[0])  # R: Array[float32, tuple[Literal[3]]]
reveal_type(metrics()[1])  # R: Array[int32, tuple[()]]
reveal_type(put_again())  # R: Array[float32, tuple[Literal[3]]] | Array[int8, tuple[Literal[4]]]


def nested():
    found = {}
    found["a"] = {"x": jnp.ones(3)}
    found["a"]["x"] = jnp.ones(4, jnp.int8)
    return found


def of_nested(found):
    return found["a"]["x"]


reveal_type(of_nested(nested()))  # R: Any
reveal_type(nested()["a"]["x"])  # R: Any
