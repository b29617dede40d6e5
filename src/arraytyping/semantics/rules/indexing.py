"""Indexing: the shape of `x[...]`, from what is known of the key.

JAX computes an index as a gather: the index arrays are broadcast together, and their dimensions stand where the
first of them stood, or first of all if something other than an index stands between them.

Source: https://numpy.org/doc/stable/user/basics.indexing.html; `_index_to_gather` of
https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/indexing.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, RuleError
from arraytyping.semantics.rules.index_keys import parse_key
from arraytyping.semantics.rules.operands import as_array
from arraytyping.semantics.rules.selecting import GATHER_MODES
from arraytyping.semantics.rules.shapes.indexing import (
    INDICES,
    are_together,
    axis_size,
    completed,
    entries_for,
    gathered,
)
from arraytyping.semantics.rules.sizes import is_empty, with_shape
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
    full, dims = completed(operation, entries, shape, counts_new_axes=True)
    result = gathered(operation, full, dims, together=are_together(entries, INDICES))
    if (
        not update
        and is_empty(result) is False
        and any(e.kind in INDICES and axis_size(operation, dims, e.axis) == 0 for e in full)
    ):
        raise DimError(
            f"{operation}: an axis of size 0 of an array of shape {shape_tuple_str(shape)} is indexed, so no index is "
            "in bounds",
            TypeError,
        )
    return result


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
