"""Arrays of NumPy's on their way to JAX: what functions, methods and operators give, and what is bound again."""

import argparse
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(0)
table = rng.normal(size=(6, 4)).astype(np.float32)
reveal_type(jnp.asarray(table - table.mean(0)))  # R: Array[float32, tuple[Literal[6], Literal[4]]]
reveal_type(jnp.asarray(table[:, 1:].sum(axis=1)))  # R: Array[float32, tuple[Literal[6]]]
drawn = rng.integers(0, 9, size=(2, 3), dtype=np.uint8)
reveal_type(jnp.asarray(drawn))  # R: Array[uint8, tuple[Literal[2], Literal[3]]]
reveal_type(jnp.asarray(rng.integers(5)))  # R: Array[int32, tuple[()]]
reveal_type(jnp.asarray(0.5 * np.log(2)))  # R: Array[float32, tuple[()]]
reveal_type(jnp.asarray(2 == table))  # R: Array[bool_, tuple[Literal[6], Literal[4]]]


def standardize(x):
    return (x - x.mean(0, keepdims=True)) / (x.std(0) + 1e-6)


reveal_type(jnp.dot(standardize(table).T, jnp.ones(6)))  # R: Array[float32, tuple[Literal[4]]]

grown = np.zeros(3)
for _ in range(3):
    grown = np.concatenate([grown, grown])
reveal_type(jnp.asarray(grown))  # R: Array[Any, Any]

several = [np.zeros(3)]
several.append(np.zeros(4, np.float32))
reveal_type(jnp.asarray(several[1]))  # R: Array[float32, tuple[Literal[3]]] | Array[float32, tuple[Literal[4]]]

numbers = [rng.integers(3)]
numbers.append(3)
reveal_type(jnp.asarray(numbers[1]))  # R: Array[int32 | int, tuple[()]]


class Holder:
    """Arrays of which one is bound again."""

    def __init__(self) -> None:
        self.changed = np.zeros(3)
        self.kept = np.zeros(3)

    def change(self) -> None:
        """Bind another one."""
        self.changed = np.zeros(4, np.int8)


holder = Holder()
holder.change()
reveal_type(jnp.asarray(holder.changed))  # R: Array[Any, Any]
reveal_type(jnp.asarray(holder.kept))  # R: Array[float32, tuple[Literal[3]]]

rebound = np.zeros(4)


def rebind() -> None:
    """Bind a name of the module."""
    global rebound
    rebound = np.zeros(5, np.int8)


rebind()
reveal_type(jnp.asarray(rebound))  # R: Array[Any, Any]


def either(x):
    if x.sum() > 100:
        made = np.zeros(3)
    else:
        made = np.zeros((2, 2), np.float32)
    return jnp.asarray(made)


reveal_type(either(table).dtype == jnp.float32)  # R: bool


@dataclass(frozen=True)
class Sizes:
    """Numbers that a static argument carries."""

    hidden: int = 5
    out: int = 3


def init(key, sizes):
    return jax.random.normal(key, (sizes.hidden, sizes.out))


weights = jax.jit(init, static_argnums=1)(jax.random.key(0), Sizes(out=2))
reveal_type(weights)  # R: Array[float32, tuple[Literal[5], Literal[2]]]


def layers(n, key):
    many = [jnp.ones((2, 3)) for _ in range(n)]
    return jnp.concatenate(many), jnp.stack(many, axis=1)


joined, stacked = layers(len(several), None)
reveal_type(joined)  # R: Array[float32, tuple[int, Literal[3]]]
reveal_type(stacked)  # R: Array[float32, tuple[Literal[2], int, Literal[3]]]


def command_line():
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=4)
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--hidden", type=int, nargs="+", default=[8, 8])
    args = parser.parse_args([])
    widths = [table.shape[1], *args.hidden]
    return jnp.zeros(args.size), jnp.ones(2) * args.lr, [jnp.ones((n, 2)) for n in widths][0]


sizes, rates, first = command_line()
reveal_type(sizes)  # R: Array[float32, tuple[int]]
reveal_type(rates)  # R: Array[float32, tuple[Literal[2]]]
reveal_type(first)  # R: Array[float32, tuple[int, Literal[2]]]
