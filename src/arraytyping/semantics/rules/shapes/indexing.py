"""The shape of `x[...]`: the entries of an index, placed on the axes of an array, and what they select.

Index arrays are broadcast together, and their dimensions stand where the first of them stood, or first of all if
something other than an index stands between them.

Source: https://numpy.org/doc/stable/user/basics.indexing.html.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from arraytyping.semantics.avals import Dim, Shape, shape_tuple_str
from arraytyping.semantics.rules.errors import DimError
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes
from arraytyping.semantics.rules.shapes.slices import slice_size
from arraytyping.semantics.sizes.dims import differ

__all__ = ["INDICES", "Entry", "EntryKind", "are_together", "axis_size", "completed", "entries_for", "gathered"]


class EntryKind(enum.Enum):
    """What an entry of a key is."""

    NEW_AXIS = "None"
    ELLIPSIS = "..."
    SLICE = "slice"
    INTEGER = "integer"
    MASK = "mask"
    ARRAY = "array"


INDICES: Final = frozenset((EntryKind.INTEGER, EntryKind.ARRAY))
"""What selects by place."""


@dataclass(frozen=True)
class Entry:
    """One entry: `axis` is the first that it indexes, `shape` that of an array or a mask.

    `key` is the slice, None for all of an axis; `value` is that of an integer, or of a mask of 0 dimensions as an int,
    and None if it is unknown.
    """

    kind: EntryKind
    shape: Shape = ()
    key: slice | None = None
    value: int | None = None
    axis: int = 0

    @property
    def consumed(self) -> int:
        """How many axes it indexes (an ellipsis: none of its own)."""
        if self.kind is EntryKind.MASK:
            return len(self.shape)
        return 0 if self.kind in (EntryKind.NEW_AXIS, EntryKind.ELLIPSIS) else 1


def entries_for(operation: str, entries: list[Entry], shape: Shape) -> list[Entry]:
    """The entries with the axes of an array that they index, masks as index arrays, one for each of their axes.

    A mask of 0 dimensions stays.

    Raises:
        DimError: if there are more indices than axes, or a mask does not fit (`IndexError`).
    """
    total = sum(e.consumed for e in entries)
    if total > len(shape):
        raise DimError(
            f"{operation}: too many indices for an array of shape {shape_tuple_str(shape)}: it has {len(shape)} "
            f"dimensions, and {total} are indexed",
            IndexError,
        )
    placed: list[Entry] = []
    axis = 0
    for entry in entries:
        if entry.kind is EntryKind.MASK and entry.shape:
            axes = shape[axis : axis + len(entry.shape)]
            if any(differ(m, 0) and differ(m, d) for m, d in zip(entry.shape, axes)):
                raise DimError(
                    f"{operation}: a mask of shape {shape_tuple_str(entry.shape)} does not fit the shape "
                    f"{shape_tuple_str(axes)} that it masks",
                    IndexError,
                )
            count = 0 if 0 in entry.shape else None
            placed.extend(Entry(EntryKind.ARRAY, (count,), axis=axis + i) for i in range(len(axes)))
        else:
            placed.append(replace(entry, axis=axis))
        axis += len(shape) - total if entry.kind is EntryKind.ELLIPSIS else entry.consumed
    return placed


def are_together(entries: Sequence[Entry], kinds: Collection[EntryKind]) -> bool:
    """Whether nothing else stands between the entries of these kinds."""
    places = [i for i, e in enumerate(entries) if e.kind in kinds]
    return all(b - a == 1 for a, b in pairwise(places))


def completed(
    operation: str, entries: list[Entry], shape: Shape, *, counts_new_axes: bool
) -> tuple[list[Entry], Shape]:
    """The entries with slices for the axes left out, and masks of 0 dimensions as an index of an axis of size 1.

    That axis is put where the mask stands; `counts_new_axes` says that new axes before it count as if they were there,
    as JAX has it.

    Raises:
        DimError: if there is no such place.
    """
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
        if entry.kind is not EntryKind.MASK:
            continue
        place = i if counts_new_axes else sum(e.consumed for e in full[:i])
        if place >= rank:
            raise DimError(f"{operation}: JAX cannot place a bool behind None here; put the bool first")
        dims.insert(place, 1)
        full[i] = Entry(EntryKind.ARRAY, (entry.value,))
    axis = 0
    for i, entry in enumerate(full):
        full[i] = replace(entry, axis=axis)
        axis += entry.consumed
    return full, tuple(dims)


def gathered(operation: str, entries: list[Entry], shape: Shape, *, together: bool) -> Shape:
    """The shape of what is selected, once there is an entry for each axis.

    Arrays of indices are broadcast; their dimensions stand where the first does if they are `together`, else in front.

    Raises:
        ShapeError: (ValueError) if they do not broadcast.
        DimError: (IndexError) if an axis without elements is indexed by an integer.
    """
    places: list[int] = []
    if any(e.kind is EntryKind.ARRAY and e.shape for e in entries):
        places = [i for i, e in enumerate(entries) if e.kind in INDICES]
    at = (places[0] if together else 0) if places else None
    dims: list[Dim] = []
    for i, entry in enumerate(entries):
        if i == at:
            arrays = broadcast_shapes(operation, *(entries[p].shape for p in places), exception=ValueError)
            dims.extend(arrays or ())
        if i in places:
            continue
        if entry.kind is EntryKind.NEW_AXIS:
            dims.append(1)
        elif entry.kind is EntryKind.SLICE:
            size = axis_size(operation, shape, entry.axis)
            dims.append(size if entry.key is None else slice_size(operation, entry.key, size))
        elif axis_size(operation, shape, entry.axis) == 0:
            raise DimError(f"{operation}: axis {entry.axis} has size 0, so no index is in bounds", IndexError)
    return tuple(dims)


def axis_size(operation: str, shape: Shape, axis: int) -> Dim:
    """The size of an axis that is indexed.

    Raises:
        DimError: (IndexError) if there is no such axis.
    """
    if axis >= len(shape):
        raise DimError(f"{operation}: an array of shape {shape_tuple_str(shape)} has no axis {axis}", IndexError)
    return shape[axis]
