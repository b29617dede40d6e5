"""Calls whose arguments give two sizes to one name that stands in lists, tuples, dicts, unions and trees."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Optional

import beartype
import jax.numpy as jnp
from jax import Array
from jax.numpy import ones, zeros
from jaxtyping import Float, Int, PyTree, jaxtyped
from jaxtyping._typeguard import typechecked

checked = jaxtyped(typechecker=typechecked)  # looks at every item
barely_checked = jaxtyped(typechecker=beartype.beartype)  # looks at iterables and mappings, but at one of their items
T = None  # mypy looks for the name of a tree's structure


# fmt: off
def sums(xs: list[Float[Array, "n"]], y: Float[Array, "n"]) -> Float[Array, "n"]: return sum(xs, y)
def pair(xy: tuple[Float[Array, "n"], Int[Array, "n"]]) -> None: return None
def series(xs: tuple[Float[Array, "n"], ...], y: Float[Array, "n"]) -> None: return None
def layers(ws: dict[str, list[Float[Array, "n n"]]], y: Float[Array, "n"]) -> None: return None
def several(xs: Sequence[Float[Array, "n"]], y: Float[Array, "n"]) -> None: return None
def lookup(xs: Mapping[str, Float[Array, "n"]], y: Float[Array, "n"]) -> None: return None
def stream(xs: Iterable[Float[Array, "n"]], y: Float[Array, "n"]) -> None: return None
def maybe(xs: Optional[list[Float[Array, "n"]]], y: Float[Array, "n"]) -> None: return None
def either(x: Float[Array, "n"] | Float[Array, "n m"] | list[Float[Array, "n"]], y: Float[Array, "n"]) -> None: return None
def spread(*xs: Float[Array, "n"]) -> None: return None
def by_name(**xs: Float[Array, "n"]) -> None: return None
def batches(xs: list[tuple[Float[Array, "n d"], Int[Array, "n"]]]) -> None: return None
def scaled(tree: PyTree[Float[Array, "*b d"]], y: Float[Array, "*b"]) -> None: return None
def updated(params: PyTree[Float[Array, "?n 3"], "T"], grads: PyTree[Float[Array, "?n 3"], "T"]) -> None: return None
class Point(NamedTuple): x: Float[Array, "n"]; y: Float[Array, "n"]
# fmt: on
checked_sums = checked(sums)
checked_pair = checked(pair)
checked_series = checked(series)
checked_layers = checked(layers)
checked_several = checked(several)
checked_lookup = barely_checked(lookup)
checked_stream = barely_checked(stream)
checked_maybe = checked(maybe)
checked_either = checked(either)
checked_spread = checked(spread)
checked_by_name = checked(by_name)
checked_batches = checked(batches)
checked_scaled = checked(scaled)
checked_updated = checked(updated)
labels = jnp.arange(4)
threes = [ones(3), zeros(3)]
mixed = [ones(3), zeros(4)]
named = {"a": ones(3), "b": ones(4)}
twice = ones(3), labels
checked_sums(threes, ones(3))
checked_sums(threes, ones(4))  # E: array-annotation
checked_sums([ones(3), ones(3)], ones(4))  # E: array-annotation
checked_sums([ones(4), ones(3)], ones(4))  # E: array-annotation
checked_sums(mixed, ones(4))  # E: array-annotation
checked_sums([], ones(4))
checked_sums([*threes, ones(3)], ones(3))
checked_sums([*threes, ones(4)], ones(3))  # E: array-annotation
checked_sums(threes + [ones(4)], ones(3))  # E: array-annotation
checked_sums([ones(3)] * 2, ones(4))  # E: array-annotation
checked_sums([ones(3) for _ in range(2)], ones(4))  # E: array-annotation
checked_sums([ones(3) for _ in range(0)], ones(4))
checked_sums([x for x in threes if x.sum() > 9], ones(4))
checked_sums([2 * x for x in threes], ones(4))  # E: array-annotation
checked_sums(list((ones(3), ones(3))), ones(4))  # E: array-annotation
checked_pair((ones(4), labels))
checked_pair((ones(3), labels))  # E: array-annotation
checked_pair(twice)  # E: array-annotation
checked_series((ones(3), ones(3)), ones(3))
checked_series((ones(3), ones(4)), ones(3))  # E: array-annotation
checked_series((), ones(3))
checked_layers({"a": [ones((3, 3))], "b": []}, ones(3))
checked_layers({"a": [], "b": [ones((3, 3))]}, ones(4))  # E: array-annotation
checked_layers(dict(a=[ones((3, 3))]), ones(4))  # E: array-annotation
checked_layers({"a": [ones((3, 4))]}, ones(3))  # E: array-annotation
checked_several(threes, ones(4))  # E: array-annotation
checked_several(tuple(threes), ones(4))  # E: array-annotation
checked_lookup({"a": ones(3)}, ones(3))
checked_lookup({"a": ones(3)}, ones(4))  # E: array-annotation
checked_stream([ones(3)], ones(4))  # E: array-annotation
checked_maybe(None, ones(4))
checked_maybe(threes, ones(3))
checked_maybe(threes, ones(4))  # E: array-annotation
checked_either(ones((3, 2)), ones(3))
checked_either(ones((3, 2)), ones(2))  # E: array-annotation
checked_either(ones(3), ones(2))  # E: array-annotation
checked_either(threes, ones(3))
checked_either(threes, ones(2))  # E: array-annotation
checked_spread(ones(3), ones(3))
checked_spread(ones(3), ones(4))  # E: array-annotation
checked_spread(*threes, ones(3))
checked_spread(*threes, ones(4))  # E: array-annotation
checked_by_name(a=ones(3), b=ones(3))
checked_by_name(a=ones(3), b=ones(4))  # E: array-annotation
checked_batches([(ones((3, 2)), jnp.arange(3)), (ones((3, 2)), jnp.arange(3))])
checked_batches([(ones((3, 2)), jnp.arange(3)), (ones((4, 2)), jnp.arange(4))])  # E: array-annotation
checked_batches([(ones((3, 2)), labels)])  # E: array-annotation
checked_scaled({"w": ones((2, 3)), "b": (ones((2, 3)), None)}, ones(2))
checked_scaled({"w": ones((2, 3)), "b": (ones((2, 4)), None)}, ones(2))  # E: array-annotation
checked_scaled({"w": ones((2, 3)), "b": (ones((2, 3)), None)}, ones(3))  # E: array-annotation
checked_scaled(ones((2, 3)), ones(3))  # E: array-annotation
checked_scaled(Point(ones(3), ones(3)), ones(()))
checked_scaled(Point(ones(3), ones(3)), ones(1))  # E: array-annotation
checked_updated({"b": ones((1, 3)), "a": ones((2, 3))}, {"a": ones((2, 3)), "b": ones((1, 3))})
checked_updated({"b": ones((1, 3)), "a": ones((2, 3))}, {"a": ones((1, 3)), "b": ones((2, 3))})  # E: array-annotation
checked_updated([ones((1, 3))], [ones((1, 4))])  # E: array-annotation
checked_updated(ones((1, 3, 3)), ones((1, 3, 3)))  # E: array-annotation
