"""Indexing: the shape of `x[...]`, from what is known of the key.

JAX computes an index as a gather: the index arrays are broadcast together, and their dimensions stand where the
first of them stood, or first of all if something other than an index stands between them.

Source: https://numpy.org/doc/stable/user/basics.indexing.html; `_index_to_gather` of
https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/indexing.py.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

from arraytyping.semantics.avals import Dim, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.binary import promoted_shape
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, RuleError
from arraytyping.semantics.rules.index_keys import INDICES, Entry, EntryKind, entries_for, parse_key
from arraytyping.semantics.rules.operands import as_array
from arraytyping.semantics.rules.selecting import GATHER_MODES
from arraytyping.semantics.rules.sizes import is_empty, with_shape
from arraytyping.semantics.rules.slices import slice_size
from arraytyping.semantics.rules.static_arguments import is_unknown
from arraytyping.semantics.rules.table import rule

__all__ = ["check_mode", "indexed_shape"]


def indexed_shape(operation: str, shape: Shape | None, key: Any, *, update: bool = False) -> Shape | None:
    """The shape of an array of a shape under a key; None if its rank is unknown.

    Raises:
        RuleError: if the key certainly does not index it; an update at index arrays that are out of bounds, be it of
            an axis of size 0, is no error, but dropped.
    """
    parsed = parse_key(operation, key)
    if parsed is None or shape is None:
        return None
    entries = entries_for(operation, parsed, shape)
    indices = [i for i, e in enumerate(entries) if e.kind in INDICES]
    together = all(b - a == 1 for a, b in pairwise(indices))
    full, dims = _complete(operation, entries, shape)
    result = _gathered(operation, full, dims, together=together)
    if (
        not update
        and is_empty(result) is False
        and any(e.kind in INDICES and _size(operation, dims, e.axis) == 0 for e in full)
    ):
        raise DimError(
            f"{operation}: an axis of size 0 of an array of shape {shape_tuple_str(shape)} is indexed, so no index is "
            "in bounds",
            TypeError,
        )
    return result


def _complete(operation: str, entries: list[Entry], shape: Shape) -> tuple[list[Entry], Shape]:
    """The entries with slices for the axes left out, and masks of 0 dimensions as an index of an axis of size 1."""
    full: list[Entry] = []
    covered = 0
    for entry, following in zip(entries, [*(e.axis for e in entries[1:]), None]):
        if entry.kind is EntryKind.ELLIPSIS:
            end = len(shape) if following is None else following
            full.extend(Entry(EntryKind.SLICE, axis=a) for a in range(entry.axis, end))
            covered = end
        else:
            full.append(entry)
            covered = entry.axis + entry.consumed
    full.extend(Entry(EntryKind.SLICE, axis=a) for a in range(covered, len(shape)))
    dims = list(shape)
    rank = len(shape) + sum(e.kind is EntryKind.MASK for e in full)
    for i, entry in enumerate(full):
        if entry.kind is EntryKind.MASK and i >= rank:
            # JAX counts new axes here too, which are not there yet.
            raise DimError(f"{operation}: JAX cannot place a bool behind None here; put the bool first")
        if entry.kind is EntryKind.MASK:
            dims.insert(i, 1)
            full[i] = Entry(EntryKind.ARRAY, (entry.value,))
    axis = 0
    for i, entry in enumerate(full):
        full[i] = replace(entry, axis=axis)
        axis += entry.consumed
    return full, tuple(dims)


def _gathered(operation: str, entries: list[Entry], shape: Shape, *, together: bool) -> Shape:
    """The shape that the gather has, once there is an entry for each axis."""
    places: list[int] = []
    if any(e.kind is EntryKind.ARRAY and e.shape for e in entries):
        places = [i for i, e in enumerate(entries) if e.kind in INDICES]
    at = (places[0] if together else 0) if places else None
    dims: list[Dim] = []
    for i, entry in enumerate(entries):
        if i == at:
            arrays = promoted_shape(operation, *(entries[p].shape for p in places), exception=ValueError)
            dims.extend(arrays or ())
        if i in places:
            continue
        if entry.kind is EntryKind.NEW_AXIS:
            dims.append(1)
        elif entry.kind is EntryKind.SLICE:
            size = _size(operation, shape, entry.axis)
            dims.append(size if entry.key is None else slice_size(operation, entry.key, size))
        elif _size(operation, shape, entry.axis) == 0:
            raise DimError(f"{operation}: axis {entry.axis} has size 0, so no index is in bounds", IndexError)
    return tuple(dims)


def _size(operation: str, shape: Shape, axis: int) -> Dim:
    if axis >= len(shape):
        raise DimError(f"{operation}: an array of shape {shape_tuple_str(shape)} has no axis {axis}", IndexError)
    return shape[axis]


def check_mode(operation: str, mode: Any, result: Shape | None) -> None:
    """Raise for a mode that does not exist, if the index selects something: else JAX does not look at it."""
    if mode is None or is_unknown(mode) or not isinstance(mode, str) or mode in GATHER_MODES:
        return
    if is_empty(result) is False:
        raise RuleError(f"{operation}: mode is one of {', '.join(GATHER_MODES)}, got {mode!r}", ValueError)


@rule("Array.__getitem__")
def getitem(cx: Context, self: Any, key: Any, /) -> ShapedArray:
    """`jax.Array.__getitem__`, of which the key is a tuple for several indices."""
    array = as_array(cx, self, "x[...]")
    return with_shape(array, indexed_shape("x[...]", array.shape, key))
