"""What stands between brackets, entry by entry, in the form that `indexing` and `updates` compute with.

A mask becomes index arrays, so that its values are needed; Python ints stay apart from arrays, so that a program may
be made once for all of them.

Source: https://numpy.org/doc/stable/user/basics.indexing.html; `NDIndexer` of `jax/_src/numpy/indexing.py`.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from arraytyping.basearray import Array
from arraytyping.errors import NonConcreteBooleanIndexError
from arraytyping.runtime.array_likes import array_from
from arraytyping.runtime.call_arguments import abstract
from arraytyping.runtime.core import Tracer, raised
from arraytyping.runtime.interface.host import concrete
from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.errors import RuleError

__all__ = ["ArrayEntry", "FlagEntry", "Index", "IntEntry", "NewAxis", "SliceEntry", "parse_index"]


class NewAxis(NamedTuple):
    """None: a new dimension of size 1."""


class SliceEntry(NamedTuple):
    """A slice: so many elements from a start, in steps."""

    start: int
    size: int
    step: int


class IntEntry(NamedTuple):
    """A Python int, counted from the front."""

    value: int


class ArrayEntry(NamedTuple):
    """An array of integers, by its place among the index arrays; `counts_back` if it may be negative."""

    place: int
    ndim: int
    counts_back: bool


class FlagEntry(NamedTuple):
    """A Python bool: a new dimension, of size 1 or 0."""

    value: bool


Entry = NewAxis | SliceEntry | IntEntry | ArrayEntry | FlagEntry


class Index(NamedTuple):
    """A key: its entries, slices for the dimensions that are left out among them, and the index arrays.

    `together` says that the entries that select by place stand next to each other.
    """

    entries: tuple[Entry, ...]
    arrays: tuple[Any, ...]
    together: bool

    @property
    def is_static(self) -> bool:
        """Whether it consists of ints, slices and new dimensions only."""
        return all(isinstance(e, NewAxis | SliceEntry | IntEntry) for e in self.entries)


def parse_index(name: str, x: Any, key: Any, *, counts_back: bool = True, update: bool = False) -> tuple[Index, Any]:
    """The entries of a key for an array, and the key as rules take it.

    `counts_back` says that negative indices count from the end, `update` that what is not there may be indexed, since
    updates of it are dropped.

    Raises:
        IndexError, TypeError: as the rule says, for what does not index the array.
        NonConcreteBooleanIndexError: for a mask that is traced.
    """
    shape: tuple[int, ...] = x.aval.shape
    if not isinstance(key, tuple | list) or isinstance(key, str):
        key = (key,)
    read = type(key)(map(_read, key))
    seen = _abstract(read)
    if isinstance(key, list) or 0 in shape or not _is_plain(read, len(shape)):
        _check(name, x, seen, update)
    return _entries(read, shape, counts_back), seen


def _is_plain(key: Sequence[Any], rank: int) -> bool:
    """Whether a key of ints, slices by ints, new axes and an ellipsis certainly indexes an array of this rank."""
    taken = ellipses = 0
    for entry in key:
        kind = type(entry)
        if kind is int:
            taken += 1
        elif kind is slice:
            taken += 1
            if not all(type(b) is int or b is None for b in (entry.start, entry.stop, entry.step)) or entry.step == 0:
                return False
        elif entry is Ellipsis:
            ellipses += 1
        elif entry is not None:
            return False
    return taken <= rank and ellipses <= 1


def _check(name: str, x: Any, key: Any, update: bool) -> None:
    """Raise what the rule of indexing raises."""
    from arraytyping.semantics.rules.indexing import indexed_shape

    try:
        indexed_shape(name, x.aval.shape, key, update=update)
    except RuleError as error:
        raise raised(error) from None


def _read(entry: Any) -> Any:
    """An entry with arrays as ours, or NumPy's where it is a mask; NumPy's integers as Python's."""
    if entry is None or entry is Ellipsis or type(entry) in (int, bool):
        return entry
    if isinstance(entry, slice):
        return slice(*(_bound(b) for b in (entry.start, entry.stop, entry.step)))
    if hasattr(entry, "__jax_array__"):
        entry = entry.__jax_array__()
    if isinstance(entry, np.bool_):
        return bool(entry)
    if isinstance(entry, np.integer):
        return int(entry)
    if isinstance(entry, Array):
        aval: ShapedArray = entry.aval
        if aval.dtype != "bool":
            return entry
        # A mask counts by its values: it is what they say, and as long as there are True ones.
        mask = concrete(entry)
        if mask is None:
            raise NonConcreteBooleanIndexError(
                f"an array is indexed with a mask of {aval} that is traced, so the shape of the result would "
                "depend on data; use where, or x.at[...] with indices of a size that is known"
            )
        values = np.asarray(mask)
        return values if values.ndim else bool(values)
    if isinstance(entry, np.ndarray):
        if entry.dtype == np.bool_:
            return entry if entry.ndim else bool(entry)
        return array_from(entry) if entry.dtype.kind in "iu" or entry.dtype.kind == "V" else entry
    if isinstance(entry, tuple | list):
        return _read_sequence(entry)
    return entry


def _read_sequence(entry: Any) -> Any:
    """A list inside a tuple: an index array, or a mask; what is neither as it is, for the rule to refuse."""
    from arraytyping.numpy.conversion import asarray

    try:
        made = asarray(entry)
    except (TypeError, ValueError):
        return entry
    if not made.size and made.aval.dtype == "float32":  # empty lists are of floats by default
        return array_from(np.zeros(made.shape, np.int32))
    return _read(made) if KINDS[made.aval.dtype] in "biu" else entry


def _bound(value: Any) -> Any:
    """A bound of a slice as a Python int, where it is concrete.

    Raises:
        IndexError: for a tracer.
    """
    if value is None or type(value) is int:
        return value
    if isinstance(value, Tracer) and concrete(value) is None:
        raise IndexError(
            f"the bounds of a slice must be known when the program is traced, got a tracer of {value.aval}; use "
            "lax.dynamic_slice, or static_argnums for the argument that it comes from"
        )
    try:
        return operator.index(value)
    except TypeError:
        return value


def _abstract(key: Any) -> Any:
    """A key as rules take it."""
    made = []
    for entry in key:
        made.append(abstract(entry, False) if isinstance(entry, Array | np.ndarray) else entry)
    return type(key)(made)


def _entries(key: Sequence[Any], shape: tuple[int, ...], counts_back: bool) -> Index:
    """The entries of a key that is known to index an array of this shape."""
    taken = sum(
        e.ndim if isinstance(e, np.ndarray) else 0 if e is None or e is Ellipsis or type(e) is bool else 1 for e in key
    )
    entries: list[Entry] = []
    arrays: list[Any] = []
    selecting: list[int] = []
    axis = 0

    def add_array(value: Any) -> None:
        back = counts_back and KINDS[value.aval.dtype] != "u"
        entries.append(ArrayEntry(len(arrays), len(value.aval.shape), back))
        arrays.append(value)

    position = 0  # among the entries as they are written, masks expanded
    for entry in (*key, *(() if any(e is Ellipsis for e in key) else (Ellipsis,))):
        if entry is Ellipsis:
            for _ in range(len(shape) - taken):
                entries.append(SliceEntry(0, shape[axis], 1))
                axis += 1
        elif entry is None:
            entries.append(NewAxis())
        elif type(entry) is bool:
            entries.append(FlagEntry(entry))
        elif type(entry) is int:
            selecting.append(position)
            entries.append(IntEntry(entry + shape[axis] if entry < 0 and counts_back else entry))
            axis += 1
        elif isinstance(entry, slice):
            start, stop, step = entry.indices(shape[axis])
            entries.append(SliceEntry(start, len(range(start, stop, step)), step))
            axis += 1
        elif isinstance(entry, np.ndarray):  # a mask
            for places in np.nonzero(entry) if entry.ndim else ():
                selecting.append(position)
                add_array(array_from(places))
                position += 1
                axis += 1
            continue
        else:
            selecting.append(position)
            add_array(entry)
            axis += 1
        position += 1
    together = all(b - a == 1 for a, b in pairwise(selecting))
    return Index(tuple(entries), tuple(arrays), together)


def key_of(index: Index) -> Any:
    """What tells kinds of indices apart, the ints left out: those are given to the program when it runs."""
    kinds = tuple([(IntEntry,) if type(e) is IntEntry else (type(e), *e) for e in index.entries])
    return kinds, tuple([a.aval for a in index.arrays]), index.together
