"""Classes that are pytrees, whose decorators and fields say which fields are leaves."""

import dataclasses
from collections.abc import Callable
from functools import partial

import equinox as eqx
import flax.struct
import jax
import jax.numpy as jnp


@partial(jax.tree_util.register_dataclass, data_fields=["x", "n"], meta_fields=["mode", "size"])
@dataclasses.dataclass
class State:
    x: jax.Array
    n: int
    mode: str
    size: int = 4

    def make(self):
        if self.mode == "a":
            return jnp.zeros(self.size)
        return jnp.zeros((self.size, 2))


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Layer:
    w: jax.Array
    n: int = dataclasses.field(metadata={"static": True}, default=3)


@flax.struct.dataclass
class Train:
    w: jax.Array
    n: int = flax.struct.field(pytree_node=False, default=4)
    apply: Callable[[jax.Array], jax.Array] = flax.struct.field(pytree_node=False, default=jnp.isnan)


class Module(eqx.Module):
    w: jax.Array
    widths: tuple[int, ...] = eqx.field(static=True)
    act: Callable[[jax.Array], jax.Array] = eqx.field(static=True)
    k: int = eqx.field(static=True, default=3)

    def __call__(self, x):
        return self.act(x @ self.w), jnp.zeros(self.widths), jnp.zeros(self.k)


class Older(eqx.Module):
    w: jax.Array
    k: int = eqx.static_field(default=3)

    @jax.jit
    def __call__(self, x):
        return x + jnp.zeros(self.k)


@jax.tree_util.register_pytree_node_class
class Other:
    def __init__(self, w, n):
        self.w = w
        self.n = n

    def tree_flatten(self):
        return (self.w,), self.n

    @classmethod
    def tree_unflatten(cls, n, children):
        return cls(children[0], n)


@partial(jax.tree_util.register_dataclass, data_fields=["w"], meta_fields=["mask"])
@dataclasses.dataclass
class Masked:
    w: jax.Array
    mask: jax.Array


masked = jax.tree.map(lambda leaf: leaf.astype(jnp.bfloat16), Masked(jnp.zeros(3), jnp.ones(4)))
reveal_type(masked.w)  # R: Array[bfloat16, tuple[Literal[3]]]
reveal_type(masked.mask)  # R: Array[float32, tuple[Literal[4]]]
state = State(jnp.ones(3), 2, "a")
doubled = jax.tree.map(lambda leaf: leaf * 2, state)
reveal_type(doubled.x)  # R: Array[float32, tuple[Literal[3]]]
reveal_type(doubled.make())  # R: Array[float32, tuple[Literal[4]]]
traced = jax.jit(lambda s: s.make())(State(jnp.ones(3), 2, "b", size=6))
reveal_type(traced)  # R: Array[float32, tuple[Literal[6], Literal[2]]]
same = jax.jit(lambda s: s)(state)
reveal_type(jnp.zeros(same.size))  # R: Array[float32, tuple[Literal[4]]]
counted = same.n + jnp.int8(1)
layer = Layer(jnp.zeros((3, 4)))
half = jax.tree.map(lambda leaf: leaf.astype(jnp.bfloat16), layer)
reveal_type(half.w)  # R: Array[bfloat16, tuple[Literal[3], Literal[4]]]
reveal_type(jnp.zeros(half.n))  # R: Array[float32, tuple[Literal[3]]]
gradients = jax.grad(lambda layer: jnp.sum(layer.w) * layer.n)(layer)
reveal_type(gradients.w)  # R: Array[float32, tuple[Literal[3], Literal[4]]]
train = Train(jnp.zeros((3, 4)))
summed = jax.tree.map(lambda leaf: leaf.sum(0), train)
reveal_type(summed.w)  # R: Array[float32, tuple[Literal[4]]]
reveal_type(jnp.zeros(summed.n))  # R: Array[float32, tuple[Literal[4]]]
reveal_type(summed.apply(summed.w))  # R: Array[bool_, tuple[Literal[4]]]
other_size = summed.replace(n=7, w=jnp.zeros(2, jnp.int8))
reveal_type(jnp.zeros(other_size.n))  # R: Array[float32, tuple[Literal[7]]]
both = jax.tree.map(lambda *leaves: jnp.stack(leaves), train, train)
reveal_type(both.w)  # R: Array[float32, tuple[Literal[2], Literal[3], Literal[4]]]
module = Module(jnp.ones((3, 4)), (2, 5), jnp.isnan)
test, wide, three = module(jnp.ones(3))
reveal_type(test)  # R: Array[bool_, tuple[Literal[4]]]
reveal_type(wide)  # R: Array[float32, tuple[Literal[2], Literal[5]]]
reveal_type(three)  # R: Array[float32, tuple[Literal[3]]]
test, wide, three = jax.jit(lambda m, x: m(x))(module, jnp.ones(3))
reveal_type(three)  # R: Array[float32, tuple[Literal[3]]]
other = jax.tree.map(lambda leaf: leaf * 2, Other(jnp.zeros(2), 5))
sized = jnp.zeros(other.n)
old = Older(jnp.ones(3))
kept = jax.tree.map(lambda leaf: leaf.astype(jnp.bfloat16), old)
reveal_type(jnp.zeros(kept.k))  # R: Array[float32, tuple[Literal[3]]]
