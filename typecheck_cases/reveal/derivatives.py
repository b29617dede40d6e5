"""Derivatives, branches and maps: what they give, by the arguments and by what the functions return."""

import jax
import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, BFloat16, Float32, Int32


def unannotated(x, y):
    return (x * y).sum()


def scalar(x: Float32[Array, "4"]) -> Float32[Array, ""]:
    return (x**2).sum()


def vector(x: Float32[Array, "4"], y: Float32[Array, "2"]) -> Float32[Array, "3"]:
    return x[:3] * y.sum()


def row(x: Float32[Array, "4"]) -> tuple[Float32[Array, "2"], Int32[Array, ""]]:
    return x[:2], jnp.int32(1)


def halved(x: Float32[Array, "4"]) -> Float32[Array, "4"]:
    return x / 2


def doubled(x: Float32[Array, "4"]) -> Float32[Array, "4"]:
    return x * 2


def narrowed(x: Float32[Array, "4"]) -> BFloat16[Array, "4"]:
    return x.astype(jnp.bfloat16)


x = jnp.ones(4, jnp.float32)
y = jnp.ones(2, jnp.float32)
reveal_type(jax.jacfwd(vector)(x, y))  # R: Array[float32 | float, tuple[Literal[3], Literal[4]]]
reveal_type(jax.jacrev(vector, argnums=1)(x, y))  # R: Array[float32 | float, tuple[Literal[3], Literal[2]]]
jacobians = jax.jacobian(vector, argnums=(0, 1))(x, y)
reveal_type(jacobians[0])  # R: Array[float32 | float, tuple[Literal[3], Literal[4]]]
reveal_type(jacobians[1])  # R: Array[float32 | float, tuple[Literal[3], Literal[2]]]
reveal_type(jax.hessian(scalar)(x))  # R: Array[float32 | float, tuple[Literal[4], Literal[4]]]
reveal_type(jax.jit(jax.hessian(scalar))(x))  # R: Array[float32 | float, tuple[Literal[4], Literal[4]]]
reveal_type(jax.jacfwd(jax.grad(scalar))(x))  # R: Array[float32 | float, tuple[Literal[4], Literal[4]]]
along = jax.jvp(halved, (x,), (x,))
reveal_type(along)  # R: tuple[Array[float32 | float, tuple[Literal[4]]], Array[float32 | float, tuple[Literal[4]]]]
reveal_type(jax.vjp(vector, x, y)[0])  # R: Array[float32 | float, tuple[Literal[3]]]
pulled = jax.vjp(vector, x, y)[1](jnp.ones(3))
reveal_type(pulled)  # R: tuple[Array[float32 | float, tuple[Literal[4]]], Array[float32 | float, tuple[Literal[2]]]]
# Of integers there is no cotangent but one of a dtype of its own.
reveal_type(jax.vjp(lambda a, n: a * n, x, jnp.arange(4))[1](x)[0])  # R: Array[float32 | float, tuple[Literal[4]]]
# Forwards come tangents of the result, backwards cotangents of the argument.
reveal_type(jax.jacfwd(narrowed)(x))  # R: Array[Any, tuple[Literal[4], Literal[4]]]
reveal_type(jax.jacrev(narrowed)(x))  # R: Array[float32 | float, tuple[Literal[4], Literal[4]]]
value, pull = jax.vjp(unannotated, x, 2.0 * x)
both = pull(value)
reveal_type(both)  # R: tuple[Array[float32 | float, tuple[Literal[4]]], Array[float32 | float, tuple[Literal[4]]]]
reveal_type(jax.linearize(halved, x)[1](x))  # R: Array[float32 | float, tuple[Literal[4]]]
reveal_type(lax.cond(True, halved, doubled, x))  # R: Array[float32 | float, tuple[Literal[4]]]
reveal_type(lax.switch(1, (halved, doubled, halved), x))  # R: Array[float32 | float, tuple[Literal[4]]]
mapped = lax.map(row, jnp.ones((5, 4)))
reveal_type(mapped[0])  # R: Array[float32 | float, tuple[Literal[5], Literal[2]]]
reveal_type(mapped[1])  # R: Array[int32 | int, tuple[Literal[5]]]
reveal_type(lax.map(scalar, jnp.ones((5, 4))))  # R: Array[float32 | float, tuple[Literal[5]]]
reveal_type(lax.associative_scan(jnp.add, jnp.arange(5)))  # R: Array[int32 | int, tuple[Literal[5]]]
scanned = lax.associative_scan(lambda a, b: (a[0] * b[0], a[1] + b[1]), (jnp.ones(5), jnp.ones((5, 2))))
reveal_type(scanned[0])  # R: Array[float32 | float, tuple[Literal[5]]]
reveal_type(scanned[1])  # R: Array[float32 | float, tuple[Literal[5], Literal[2]]]
