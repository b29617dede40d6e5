"""Methods that are handed on as functions, and methods of bases."""

from functools import partial

import jax
import jax.numpy as jnp


class Environment:
    """Something with a state."""

    def __init__(self, size, scale=2.0):
        self.size = size
        self.weights = jnp.ones((size, 2))
        self.scale = scale

    def reset(self, key):
        return jax.random.normal(key, (self.size,))

    def step(self, carry, x):
        moved = carry + x
        return moved, moved @ self.weights

    def run(self, xs):
        return jax.lax.scan(self.step, jnp.zeros(self.size), xs)

    def loss(self, p, x):
        return ((p * x) ** 2).sum()

    def gradient(self, x):
        return jax.grad(self.loss)(x, x)

    def __call__(self, x):
        return self.adjusted(x @ self.weights) * self.scale

    def adjusted(self, y):
        return y


class Small(Environment):
    def __init__(self, bias, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.bias = jnp.zeros(bias, jnp.bfloat16)

    def reset(self, key):
        return jnp.zeros(7, jnp.int32)

    def adjusted(self, y):
        return super().adjusted(y)[:1]


class Smaller(Small):
    def reset(self, key):
        return super().reset(key)[:2]

    def adjusted(self, y):
        return super().adjusted(y).astype(jnp.int8)


key = jax.random.key(0)
env = Environment(3)
reveal_type(jax.vmap(env.reset)(jax.random.split(key, 5)))  # R: Array[float32, tuple[Literal[5], Literal[3]]]
reveal_type(jax.jit(env.reset)(key))  # R: Array[float32, tuple[Literal[3]]]
reveal_type(jax.jit(jax.vmap(env.reset))(jax.random.split(key, 5)))  # R: Array[float32, tuple[Literal[5], Literal[3]]]
carry, outputs = env.run(jnp.ones((4, 3)))
reveal_type(carry)  # R: Array[float32, tuple[Literal[3]]]
reveal_type(outputs)  # R: Array[float32, tuple[Literal[4], Literal[2]]]
reveal_type(env.gradient(jnp.ones(3)))  # R: Array[float32, tuple[Literal[3]]]
reveal_type(env(jnp.ones((5, 3))))  # R: Array[float32, tuple[Literal[5], Literal[2]]]

small = Small(6, 3, scale=1.0)
reveal_type(small.bias)  # R: Array[bfloat16, tuple[Literal[6]]]
reveal_type(small.weights)  # R: Array[float32, tuple[Literal[3], Literal[2]]]
reveal_type(jax.jit(small.reset)(key))  # R: Array[int32, tuple[Literal[7]]]
reveal_type(small(jnp.ones((5, 3))))  # R: Array[float32, tuple[Literal[1], Literal[2]]]
reveal_type(Smaller(6, 3)(jnp.ones((5, 3))))  # R: Array[float, tuple[Literal[1], Literal[2]]]
reveal_type(Smaller(6, 3).reset(key))  # R: Array[int32, tuple[Literal[2]]]


def reset_of(one):
    return jax.jit(one.reset)(jax.random.key(1))


reveal_type(reset_of(env))  # R: Array[float32, tuple[Literal[3]]]
reveal_type(reset_of(small))  # R: Array[int32, tuple[Literal[7]]]
reveal_type(partial(env.step, jnp.ones(3))(jnp.ones(3))[1])  # R: Array[float32, tuple[Literal[2]]]


def through(one, xs):
    step = one.step
    return jax.lax.scan(step, jnp.zeros(3), xs)


reveal_type(through(env, jnp.ones((4, 3)))[0])  # R: Array[float32, tuple[Literal[3]]]


class Counting:
    """Its number changes, and so nobody knows it."""

    def __init__(self, n):
        self.n = n

    def grow(self):
        self.n += 1

    def zeros(self):
        return jnp.zeros(self.n)


counting = Counting(3)
counting.grow()
reveal_type(counting.zeros())  # R: Array[float32, Any]


def gathered(**options):
    if "bias" in options:
        return options["x"] + options["bias"]
    return options["x"] * options.get("scale", 2.0)


reveal_type(gathered(x=jnp.ones(3)))  # R: Any
reveal_type(gathered(x=jnp.ones(3), bias=jnp.ones((2, 3))))  # R: Array[float32, tuple[Literal[2], Literal[3]]]


def build(size):
    def kernel(x, y):
        return x @ y + jnp.zeros(size)

    return kernel


def annotated(size: int, factor=2.0):
    def kernel(x):
        return x * factor + jnp.zeros(size)

    return kernel


run = annotated(3)
reveal_type(run(jnp.ones(3)))  # R: Array[float32, tuple[Literal[3]]]


def use(kernel, x):
    def body(carry, _):
        new = kernel(carry)
        return new, new

    return jax.lax.scan(body, x, None, length=4)


reveal_type(use(run, jnp.ones(3))[1])  # R: Array[float32, tuple[Literal[4], Literal[3]]]
