"""What a container held when it was made, and what it holds when it is given: nothing is told that jaxtyping accepts."""

from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Optional, TypedDict

import jax
import jax.numpy as jnp
from jax import Array
from jax.numpy import ones
from jaxtyping import Float, Int, PyTree, jaxtyped
from jaxtyping._typeguard import typechecked

checked = jaxtyped(typechecker=typechecked)


@checked
def total(xs: list[Float[Array, "n"]], y: Float[Array, "n"]) -> Float[Array, "n"]:
    return sum(xs, y)


@checked
def weights(ws: dict[str, Float[Array, "n n"]], y: Float[Array, "n"]) -> None:
    return None


@checked
def leaves(tree: PyTree[Float[Array, "n ..."]], y: Float[Array, "n"]) -> None:
    return None


@checked
def number_or(x: float | Float[Array, "n"] | tuple[Float[Array, "n"], ...], y: Float[Array, "n"]) -> None:
    return None


@checked
def many(*xs: Float[Array, "#n"], y: Float[Array, "m"] = ones(7)) -> Float[Array, "m"]:
    return y


@checked
def mutated(xs: list[Float[Array, "n"]]) -> Float[Array, "k"]:
    first = xs[0]
    return jnp.concatenate([first, first])


def made() -> list[Array]:
    return [ones(3), ones(3)]


# What is taken out or put in.
grown = [ones(3)]
grown.append(ones(3))
total(grown, ones(3))
emptied = [ones(3)]
emptied.pop()
total(emptied, ones(4))
cleared = [ones(3), ones(4)]
del cleared[1]
total(cleared, ones(3))
exchanged = [ones(3)]
exchanged[0] = ones(4)
total(exchanged, ones(4))
by_key = {"a": ones((3, 3))}
by_key["a"] = ones((4, 4))
weights(by_key, ones(4))
merged = {"a": ones((3, 3)), **{"a": ones((4, 4))}}
weights(merged, ones(4))
weights({"a": ones((3, 3)), "a": ones((4, 4))}, ones(4))
weights(dict(by_key), ones(4))
weights(defaultdict(lambda: ones((3, 3))), ones(4))
sorted_out = sorted([ones(4), ones(4)], key=lambda x: x.sum())
total(sorted_out, ones(4))

# What comes from elsewhere, or may be empty.
total(made(), ones(3))
total([x for x in made() if x.sum() > 9], ones(4))
total([ones(3) for _ in range(len(made()) - 2)], ones(4))
total([*[]], ones(4))
total([ones(3)][:0], ones(4))
total([ones(3)] * 0, ones(4))
if ones(3).sum() > 9:
    either = [ones(3)]
else:
    either = [ones(4)]
total(either, ones(4))
for size in (3, 4):
    total([ones(size)], ones(size))
    total([ones(size) for _ in range(2)], ones(size))
x = ones(3)
later = [x]
x = ones(4)
total(later, ones(3))
total([x], ones(4))
swapped = [ones(3), ones(4)]
swapped = [ones(5)]
total(swapped, ones(5))
y = [ones(3), ones(4)] if x.sum() < 0 else [ones(4)]
total(y, ones(4))

# Trees, unions and tuples.
leaves(None, ones(4))
leaves([], ones(4))
leaves({"a": None, "b": (ones((3, 2)), [])}, ones(3))
number_or(2.0, ones(4))
number_or((), ones(4))
number_or((ones(4), ones(4)), ones(4))
many(ones(1), ones(3), ones(1))
many(*made())
mutated([ones(3)])
