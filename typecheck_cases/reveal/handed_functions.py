"""Functions of JAX that parameters and attributes hold."""

import jax
import jax.numpy as jnp


def mlp(x, act=jax.nn.relu, out=jnp.isnan):
    return out(act(x))


def use(f, *args):
    return f(*args)


def call(f, x):
    return f(x)


class Layer:
    def __init__(self, act=jax.nn.relu, test=jnp.isnan):
        self.act = act
        self.test = test

    def __call__(self, x):
        return self.test(self.act(x))


def rebound(x, act):
    act = jnp.isnan
    return act(x)


def rebound_later(x, act):
    for _ in range(2):
        x = act(x)
        act = jnp.isnan
    return x


def narrow(x):
    return x.astype(jnp.bfloat16)


def first(x):
    return x[:1]


class Changing:
    def __init__(self, flag):
        self.f = narrow
        if flag:
            self.g = narrow
        else:
            self.g = first

    def change(self):
        self.f = first


x = jnp.zeros(3)
reveal_type(mlp(x))  # R: Array[bool_, tuple[Literal[3]]]
reveal_type(mlp(x, jnp.sum, jnp.exp))  # R: Array[float32, tuple[()]]
reveal_type(call(jnp.isnan, x))  # R: Array[bool_, tuple[Literal[3]]]
reveal_type(call(jax.vmap(jnp.sum), jnp.zeros((3, 2))))  # R: Array[float32 | float, tuple[Literal[3]]]
reveal_type(call(jax.grad(jnp.sum), jnp.zeros((3, 2))))  # R: Array[float32, tuple[Literal[3], Literal[2]]]
reveal_type(call(jax.vmap(jnp.sum, in_axes=1), jnp.zeros((3, 2))))  # R: Array[float32 | float, tuple[Literal[2]]]
reveal_type(use(jnp.isnan, x))  # R: Array[bool_, tuple[Literal[3]]]
reveal_type(Layer()(x))  # R: Array[bool_, tuple[Literal[3]]]
reveal_type(Layer(jnp.sum, jnp.exp)(x))  # R: Array[float32, tuple[()]]
reveal_type(rebound(x, jnp.exp))  # R: Array[bool_, tuple[Literal[3]]]
late = rebound_later(x, jnp.exp)
changing = Changing(False)
changing.change()
reveal_type(changing.f(x))  # R: Any
reveal_type(changing.g(x))  # R: Any
