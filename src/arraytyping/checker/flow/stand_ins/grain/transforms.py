"""`grain.transforms`: what a program inherits from to change the elements of a data set, and what becomes of them.

Source: https://google-grain.readthedocs.io/en/latest/transformations.html.
"""

import dataclasses
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from arraytyping import facts


class Map:
    pass


class RandomMap:
    pass


class MapWithIndex:
    pass


class Filter:
    pass


class FlatMap:
    pass


@dataclasses.dataclass(frozen=True)
class Batch:
    batch_size: int
    drop_remainder: bool = False
    batch_fn: Callable | None = None


@dataclasses.dataclass
class MapOperation:
    map_function: Callable


@dataclasses.dataclass
class RandomMapOperation:
    random_map_function: Callable


@dataclasses.dataclass
class FilterOperation:
    condition_function: Callable


@dataclasses.dataclass
class BatchOperation(Batch):
    pass


@dataclasses.dataclass
class RecordMetadata:
    index: int
    record_key: Any = None
    rng: Any = None

    def remove_record_key(self):
        return RecordMetadata(self.index, None, self.rng)


@dataclasses.dataclass
class Record:
    metadata: RecordMetadata
    data: Any


def generator():
    """The generator of random numbers that a transformation is given."""
    return np.random.default_rng(facts.integer())


def mapped(transform, element):
    return transform.map(element) if isinstance(transform, Map) else transform(element)


def mapped_at_random(transform, element):
    return (
        transform.random_map(element, generator())
        if isinstance(transform, RandomMap)
        else transform(element, generator())
    )


def mapped_with_index(transform, element):
    index = facts.integer()
    return (
        transform.map_with_index(index, element) if isinstance(transform, MapWithIndex) else transform(index, element)
    )


def filtered(transform, element):
    """The element that passes."""
    transform.filter(element) if isinstance(transform, Filter) else transform(element)
    return element


def batched(element, batch_size, drop_remainder=False, batch_fn=None):
    """A batch of elements; it is followed once, whatever their number is."""
    if batch_fn is not None:
        return batch_fn([element] * batch_size if drop_remainder else facts.many(element))
    size = batch_size if drop_remainder else facts.size("batch", 1)
    return jax.tree.map(lambda leaf: _stacked(leaf, size), element)


def _stacked(leaf, size):
    if isinstance(leaf, (np.ndarray, np.generic, jax.Array, bool, int, float, complex)):
        one = np.asarray(leaf)
        return facts.numpy_array(one.dtype, (size, *one.shape))
    return facts.reads_only("a batch of what are no arrays")


def applied(transform, element):
    """What an operation or transformation makes of an element."""
    if isinstance(transform, Batch):
        return batched(element, transform.batch_size, transform.drop_remainder, transform.batch_fn)
    if isinstance(transform, Map):
        return mapped(transform, element)
    if isinstance(transform, RandomMap):
        return mapped_at_random(transform, element)
    if isinstance(transform, MapWithIndex):
        return mapped_with_index(transform, element)
    if isinstance(transform, Filter):
        return filtered(transform, element)
    if isinstance(transform, FlatMap):
        return facts.one_item(transform.flat_map(element))
    if isinstance(transform, MapOperation):
        return transform.map_function(element)
    if isinstance(transform, RandomMapOperation):
        return transform.random_map_function(element, generator())
    if isinstance(transform, FilterOperation):
        return filtered(transform.condition_function, element)
    # An operation of the program is given an iterator of records, and gives one.
    record = Record(RecordMetadata(facts.integer(), None, generator()), element)
    return next(iter(transform(iter(facts.many(record))))).data


def __getattr__(name):
    return facts.reads_only("grain.transforms." + name)
