"""Functions that are chosen: out of a dict or list, by a condition, by their name in a module; partials of JAX's."""

import functools

import jax
import jax.numpy as jnp

x = jnp.ones((2, 3))
h = x.astype(jnp.bfloat16)
ACTIVATIONS = {"relu": jax.nn.relu, "tanh": jnp.tanh, "finite": jnp.isfinite, "sum": lambda x: x.sum(0)}
STEPS = [lambda x: x @ jnp.ones((3, 5)), jnp.tanh]


def by_name(name, x):
    return ACTIVATIONS[name](x)


reveal_type(by_name("tanh", h))  # R: Array[bfloat16, tuple[Literal[2], Literal[3]]]
reveal_type(by_name("finite", h))  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(by_name("sum", x))  # R: Array[float32, tuple[Literal[3]]]


def any_of_them(name: str, x):
    return ACTIVATIONS[name](x)


reveal_type(any_of_them(max(ACTIVATIONS), x))  # R: Any


def in_turn(i, x):
    return STEPS[i](x)


reveal_type(in_turn(0, x))  # R: Array[float32, tuple[Literal[2], Literal[5]]]
reveal_type(in_turn(1, h))  # R: Array[bfloat16, tuple[Literal[2], Literal[3]]]


def of_module(name, x):
    return getattr(jax.nn, name)(x)


reveal_type(of_module("silu", h))  # R: Array[bfloat16, tuple[Literal[2], Literal[3]]]


class Layer:
    def __init__(self, activation="gelu"):
        self.activation = getattr(jax.nn, activation)
        self.pool = functools.partial(jnp.max, axis=0)

    def __call__(self, x):
        return self.pool(self.activation(x))


reveal_type(Layer()(x))  # R: Array[float32, tuple[Literal[3]]]


def either(c, x):
    f = jnp.sin if c else jnp.cos
    g = jnp.sin if c else jnp.isfinite
    return f(x), g(x)


first, second = either(len(ACTIVATIONS) > 3, h)
reveal_type(first)  # R: Array[bfloat16, tuple[Literal[2], Literal[3]]]
reveal_type(second)  # R: Array[Any, Any]


def one_of(c, x):
    if c:
        f = jnp.sin
    else:
        f = jnp.cos
    return f(x)


reveal_type(one_of(len(ACTIVATIONS) > 3, x))  # R: Array[float32, tuple[Literal[2], Literal[3]]]


def given(f, x):
    return f(x)


reveal_type(given(functools.partial(jnp.sum, axis=0), x))  # R: Array[float32, tuple[Literal[3]]]
reveal_type(given(functools.partial(jnp.sum, axis=1), x))  # R: Array[float32, tuple[Literal[2]]]
reveal_type(given(functools.partial(jax.nn.softmax, axis=-1), h))  # R: Array[bfloat16, tuple[Literal[2], Literal[3]]]
