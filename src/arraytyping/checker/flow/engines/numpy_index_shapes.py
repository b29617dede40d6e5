"""The shape of an indexed array of NumPy, where sizes and indices may be unknown.

NumPy takes lists for arrays, and refuses an integer beyond a known size; the rest is `semantics/rules/shapes/`.

Source: https://numpy.org/doc/stable/user/basics.indexing.html.
"""

from __future__ import annotations

from typing import Any

from arraytyping.checker.flow.engines.numpy_array_likes import dtype_of, shape_of
from arraytyping.checker.flow.values import ArrayValue, ListValue, NumPyValue, ScalarValue, Value, is_concrete
from arraytyping.semantics.avals import UNKNOWN, Shape
from arraytyping.semantics.rules.errors import DimError, DtypeError
from arraytyping.semantics.rules.shapes.indexing import (
    INDICES,
    Entry,
    EntryKind,
    are_together,
    completed,
    entries_for,
    gathered,
)
from arraytyping.semantics.sizes.dims import as_dim

__all__ = ["indexed_shape"]

_OPERATION = "indexing"


def indexed_shape(shape: Shape, index: Value) -> Shape | None:
    """The shape of an array of this shape, indexed; None if the rank is not known.

    Raises:
        DimError: if there are more indices than dimensions, a mask does not fit, or an index is beyond a known size.
        DtypeError: if something is no index.
        ShapeError: if arrays of indices do not broadcast.
    """
    parsed = [_entry(part) for part in (index if isinstance(index, tuple) else (index,))]
    known = [e for e in parsed if e is not None]
    if len(known) < len(parsed) or sum(e.kind is EntryKind.ELLIPSIS for e in known) > 1:
        return None
    entries = entries_for(_OPERATION, known, shape)
    full, dims = completed(_OPERATION, entries, shape, counts_new_axes=False)
    for entry in full:
        if entry.kind is EntryKind.INTEGER and entry.value is not None:
            _check_bounds(entry.value, dims[entry.axis])
    return gathered(_OPERATION, full, dims, together=are_together(entries, (*INDICES, EntryKind.MASK)))


def _check_bounds(index: int, size: Any) -> None:
    """Refuse an index beyond a known size.

    Raises:
        DimError: if it is.
    """
    if isinstance(size, int) and not -size <= index < size:
        raise DimError(f"index {index} is out of bounds for a dimension of size {size}", IndexError)


def _entry(part: Any) -> Entry | None:
    """What stands for one or more dimensions of an index; None if it is not known for how many.

    Raises:
        DtypeError: for what is no index.
    """
    if part is None:
        return Entry(EntryKind.NEW_AXIS)
    if part is Ellipsis:
        return Entry(EntryKind.ELLIPSIS)
    if isinstance(part, slice):
        step = _bound(part.step)
        return Entry(EntryKind.SLICE, key=slice(_bound(part.start), _bound(part.stop), UNKNOWN if step == 0 else step))
    if isinstance(part, bool):
        return Entry(EntryKind.MASK, value=int(part))
    if isinstance(part, ScalarValue):
        if not set(part.kinds) & {int, bool}:
            raise _no_index()
        return Entry(EntryKind.INTEGER) if set(part.of_python.kinds) <= {int} else None
    if isinstance(part, NumPyValue | ArrayValue | ListValue | tuple):
        return _array_entry(part)
    if isinstance(part, float | complex):
        raise _no_index()
    if not is_concrete(part) or not hasattr(part, "__index__"):
        return None
    return Entry(EntryKind.INTEGER, value=part if type(part) is int else None)


def _array_entry(part: Any) -> Entry | None:
    shape, dtype = shape_of(part), dtype_of(part)
    if shape is None or dtype is None:
        return None
    if dtype == "bool":
        return Entry(EntryKind.MASK, shape)
    if dtype.startswith(("int", "uint")):
        return Entry(EntryKind.ARRAY, shape) if shape else Entry(EntryKind.INTEGER)
    if isinstance(part, ListValue | tuple) and 0 in shape:
        return Entry(EntryKind.ARRAY, shape)
    raise _no_index()


def _no_index() -> DtypeError:
    return DtypeError("arrays are indexed by integers, slices, ... , None and arrays", IndexError)


def _bound(value: Value) -> Value:
    """A bound of a slice as the rules take it; what is symbolic may be negative."""
    if value is None or type(value) is int:
        return value
    dim = as_dim(value.size) if isinstance(value, ScalarValue) else None
    return UNKNOWN if dim is None else dim
