"""Partials and instances that are jitted or mapped: what is bound in them is no argument, and no tracer."""

import functools

import jax
import jax.numpy as jnp


def scaled(x, scale=2.0):
    return x * scale


def scaled_by_name(x, *, scale=2.0):
    return x * scale


def product(x, y):
    return x * y


def power(x, n):
    return x**n if isinstance(n, int) else x


class Model:
    def __init__(self):
        self.scale = 2.0

    def __call__(self, x):
        return x * self.scale


x = jnp.ones((3, 2))
named = functools.partial(scaled_by_name, scale=3.0)
of_two = functools.partial(product, y=2.0)
reveal_type(jax.vmap(functools.partial(scaled, scale=3.0))(x))  # R: Array[float32, tuple[Literal[3], Literal[2]]]
reveal_type(jax.vmap(named)(x))  # R: Array[float32, tuple[Literal[3], Literal[2]]]
reveal_type(jax.vmap(Model())(x))  # R: Array[float32, tuple[Literal[3], Literal[2]]]
reveal_type(jax.jit(Model())(x))  # R: Array[float32, tuple[Literal[3], Literal[2]]]
reveal_type(jax.jit(functools.partial(scaled, scale=3.0))(x))  # R: Array[float32, tuple[Literal[3], Literal[2]]]
reveal_type(jax.jit(functools.partial(scaled, scale=jnp.ones(2)))(x[0]))  # R: Array[float32, tuple[Literal[2]]]
reveal_type(jax.jit(functools.partial(product, 3))(2))  # R: Array[int, tuple[()]]
reveal_type(jax.jit(jax.vmap(of_two))(x))  # R: Array[float32, tuple[Literal[3], Literal[2]]]
squared = jax.jit(functools.partial(power, n=2))
reveal_type(squared(jnp.ones(3, jnp.int8)))  # R: Array[int8, tuple[Literal[3]]]
reveal_type(jax.jit(functools.partial(power), static_argnames="n")(x, n=2))  # R: Any
