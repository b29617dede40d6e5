"""Functions that are chosen out of what is changed, or bound again: nothing is said of which one it is."""

import functools

import jax.numpy as jnp

x = jnp.ones((2, 3))
CHANGED = {"a": jnp.sin, "b": jnp.cos}


def by_name(name, x):
    return CHANGED[name](x)


reveal_type(by_name("a", x))  # R: Array[Any, Any]
CHANGED["a"] = jnp.isfinite
reveal_type(by_name("a", x))  # R: Array[Any, Any]


def fill(table):
    table["exp"] = jnp.isfinite


def of_filled(x):
    table = {"exp": jnp.exp}
    fill(table)
    return table["exp"](x)


reveal_type(of_filled(x))  # R: Any


def bound_again(f, x, c):
    if c:
        f = jnp.isfinite
    return f(x)


reveal_type(bound_again(jnp.sin, x, len(CHANGED) > 1))  # R: Array[Any, Any]


def partial_again(f, x, c):
    if c:
        f = functools.partial(jnp.sum, axis=1)
    return f(x)


reveal_type(partial_again(functools.partial(jnp.sum, axis=0), x, len(CHANGED) > 1))  # R: Array[Any, Any]


def in_loop(x):
    f = jnp.sin
    for _ in range(2):
        y = f(x)
        f = jnp.isfinite
    return y


reveal_type(in_loop(x))  # R: Array[Any, Any]


def bound_later(x):
    f = jnp.sin if x.ndim else jnp.cos

    def run(x):
        return f(x)

    f = jnp.isfinite
    return run(x)


reveal_type(bound_later(x))  # R: Array[Any, Any]
