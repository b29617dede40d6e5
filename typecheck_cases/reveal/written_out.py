"""Loops whose items have different types, lists that keep their items, and variables that are bound again."""

from functools import reduce
import operator

import jax
import jax.numpy as jnp
import numpy as np

x = jnp.ones((5, 4))


def layers_of(key, sizes):
    layers = []
    for n_in, n_out in zip(sizes[:-1], sizes[1:]):
        key, sub = jax.random.split(key)
        layers.append((jax.random.normal(sub, (n_in, n_out)), jnp.zeros(n_out)))
    return layers


def listed_layers(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [{"w": jax.random.normal(k, (m, n)), "b": jnp.zeros(n)} for k, m, n in zip(keys, sizes, sizes[1:])]


def mlp(layers, a):
    for w, b in layers[:-1]:
        a = jnp.tanh(a @ w + b)
    w, b = layers[-1]
    return a @ w + b


def other_mlp(layers, a):
    *hidden, last = layers
    for layer in hidden:
        a = jax.nn.relu(a @ layer["w"] + layer["b"])
    return a @ last["w"] + last["b"]


def trained(sizes):
    layers = layers_of(jax.random.key(0), sizes)
    return mlp(layers, x), mlp(jax.tree.map(lambda leaf: 2 * leaf, layers), x)


def of_lists(sizes):
    layers = listed_layers(jax.random.key(0), sizes)
    grads = jax.grad(lambda p: other_mlp(p, x).sum())(layers)
    return other_mlp(layers, x), grads[1]["w"], sum(jnp.sum(p["b"]) for p in layers)


v0_0, v0_1 = trained((4, 8, 2))
reveal_type(v0_0)  # R: Array[float32, tuple[Literal[5], Literal[2]]]
reveal_type(v0_1)  # R: Array[float32, tuple[Literal[5], Literal[2]]]
v1_0, v1_1 = trained((4, 3))
reveal_type(v1_0)  # R: Array[float32, tuple[Literal[5], Literal[3]]]
reveal_type(v1_1)  # R: Array[float32, tuple[Literal[5], Literal[3]]]
v2_0, v2_1, v2_2 = of_lists((4, 8, 2))
reveal_type(v2_0)  # R: Array[float32, tuple[Literal[5], Literal[2]]]
reveal_type(v2_1)  # R: Array[float32, tuple[Literal[8], Literal[2]]]
reveal_type(v2_2)  # R: Array[float32, tuple[()]]


# What a function in a loop sees is what the loop has taken last, when it is called.
def late(arrays):
    functions = []
    for a in arrays:
        functions.append(lambda: a)
    return functions[0]()


def early(arrays):
    functions = []
    for a in arrays:
        functions.append(lambda given=a: given)
    return functions[0]()


def after(arrays):
    for a in arrays:
        b = a + 1
    return a, b


def one_before(arrays):
    before = jnp.zeros(1)
    for i, a in enumerate(arrays):
        if i > 0:
            a = a + before.sum()
        before = a
    return before


two = (jnp.ones(2), jnp.ones(3, jnp.int32))
reveal_type(late(two))  # R: Any
reveal_type(early(two))  # R: Any
reveal_type(after(two))  # R: tuple[Array[int32, tuple[Literal[3]]], Array[int32, tuple[Literal[3]]]]
reveal_type(one_before(two))  # R: Array[float32, tuple[Literal[3]]]


def found(arrays, rank):
    for a in arrays:
        if a.ndim == rank:
            return a
    return None


reveal_type(found((x, jnp.ones(3, jnp.int8)), 1))  # R: Array[int8, tuple[Literal[3]]]


def stopped(arrays, n):
    for a in arrays:
        if a.sum() > n:
            break
    return a


reveal_type(stopped(two, 3))  # R: Array[float32, tuple[Literal[2]]] | Array[int32, tuple[Literal[3]]]


def composed(*functions):
    def call(a):
        for f in functions:
            a = f(a)
        return a

    return call


def columns(*functions):
    firsts, seconds = zip(*[f(x) for f in functions])
    return jnp.stack(firsts), jnp.concatenate(seconds)


reveal_type(composed(lambda a: a[0], lambda a: a.astype(jnp.int8), lambda a: a.sum())(x))  # R: Array[int32, tuple[()]]
v3_0, v3_1 = columns(lambda a: (a.sum(), a[0]), lambda a: (a.max(), a.mean(1)))
reveal_type(v3_0)  # R: Array[float32, tuple[Literal[2]]]
reveal_type(v3_1)  # R: Array[float32, tuple[Literal[9]]]


# In a row.
def scaled(center):
    center = jnp.array(center)
    return lambda a: a - center


def twice_bound(a):
    def first():
        return a

    a = a.astype(jnp.int8)
    return first()


def counted():
    made = []
    made.append(jnp.ones(2))
    one = len(made)
    made.append(jnp.ones(3, jnp.int32))
    made += [jnp.ones(4, jnp.int8)]
    return made[one], made[-1], jnp.ones(one)


def held(a):
    made = [a]
    holder = {"made": made}
    made.append(a.astype(jnp.int8))
    return jnp.stack([m.sum() for m in holder["made"]]), holder["made"]


reveal_type(held(x)[1][1])  # R: Any
reveal_type(scaled((1.0, 2.0, 3.0, 4.0))(x))  # R: Array[float32, tuple[Literal[5], Literal[4]]]
v4 = twice_bound(x)
reveal_type(v4)  # R: Array[float32, tuple[Literal[5], Literal[4]]] | Array[int8, tuple[Literal[5], Literal[4]]]
reveal_type(counted()[2])  # R: Array[float32, tuple[int]]


# Operators of classes, and folds.
class Term:
    def __init__(self, *parts):
        self.parts = parts

    def __add__(self, other):
        return Sum(operator.add, self, other)

    def __mul__(self, number):
        return Scaled(self, number)

    def __call__(self, a):
        return jnp.zeros((), jnp.int8)


class Square(Term):
    def __call__(self, a):
        return a**2


class Scaled(Term):
    def __call__(self, a):
        term, number = self.parts
        return term(a) * number


class Sum(Term):
    def __call__(self, a):
        op, *terms = self.parts
        return reduce(op, [term(a) for term in terms])


def of_terms(a):
    both = Square() + Square() * 2.0
    return both(a), Term()(a), reduce(jnp.maximum, (a[0], a[1])), sum([a[0], a[1]])


v5_0, v5_1, v5_2, v5_3 = of_terms(x)
reveal_type(v5_0)  # R: Array[float32, tuple[Literal[5], Literal[4]]]
reveal_type(v5_1)  # R: Array[int8, tuple[()]]
reveal_type(v5_2)  # R: Array[float32, tuple[Literal[4]]]
reveal_type(v5_3)  # R: Array[float32, tuple[Literal[4]]]


# An instance is of the class that made it, though a name may stand for several.
def either(flag):
    term = Term()
    if flag:
        term = Square()
    return term(x)


reveal_type(either(True))  # R: Array[float32, tuple[Literal[5], Literal[4]]]
reveal_type(either(x.sum() > 3))  # R: Any
reveal_type([t(x) for t in (Term(), Square())][0])  # R: Any


def items_of_grown(sizes):
    grown = []
    for n in sizes:
        grown.append(jnp.ones((n, 2)))
    return grown[1], grown[-1]


v9_0, v9_1 = items_of_grown((4, 24, 3))
reveal_type(v9_0)  # R: Array[float32, tuple[Literal[24], Literal[2]]]
reveal_type(v9_1)  # R: Array[float32, tuple[Literal[3], Literal[2]]]


def turned(x, sizes):
    for size in sizes:
        x = jnp.zeros((*x.shape[1:], size))
        x = x.T
    return x


reveal_type(turned(jnp.ones((4, 8)), (16, 16)))  # R: Array[float32, tuple[Literal[16], Literal[8]]]
