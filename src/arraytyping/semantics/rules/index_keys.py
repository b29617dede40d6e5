"""What stands between the brackets of `x[...]`, entry by entry.

Source: https://numpy.org/doc/stable/user/basics.indexing.html, and for what JAX leaves out
https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html; `jax/_src/numpy/indexing.py`.
"""

from __future__ import annotations

from typing import Any

from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import (
    Dim,
    NumPyArray,
    Scalar,
    ShapedArray,
    SymbolicDim,
    dtype_name,
)
from arraytyping.semantics.rules.errors import DimError, DtypeError, RuleError
from arraytyping.semantics.rules.shapes.indexing import Entry, EntryKind
from arraytyping.semantics.rules.static_arguments import is_unknown

__all__ = ["parse_key"]


def parse_key(operation: str, key: Any) -> list[Entry] | None:
    """The entries of a key; None if nothing is known of one of them, so that even its rank is not.

    Raises:
        RuleError: for what is no index (`TypeError` or `IndexError`).
    """
    if is_unknown(key):
        return None
    if isinstance(key, list):
        raise RuleError(
            f"{operation}: a list is no index; make an array of it with jnp.array, or a tuple for several dimensions"
        )
    entries = [_parse(operation, k) for k in (key if isinstance(key, tuple) else (key,))]
    known = [e for e in entries if e is not None]
    if sum(e.kind is EntryKind.ELLIPSIS for e in known) > 1:
        raise DimError(f"{operation}: an index has at most one ellipsis (...)", IndexError)
    return known if len(known) == len(entries) else None


def _parse(operation: str, key: Any) -> Entry | None:
    if is_unknown(key):
        return None
    if key is None:
        return Entry(EntryKind.NEW_AXIS)
    if key is Ellipsis:
        return Entry(EntryKind.ELLIPSIS)
    if isinstance(key, slice):
        return Entry(EntryKind.SLICE, key=key)
    if isinstance(key, bool):
        return Entry(EntryKind.MASK, value=int(key))
    if isinstance(key, int | SymbolicDim):
        return Entry(EntryKind.INTEGER)
    if isinstance(key, Scalar) and key.kind in ("bool", "int"):
        return Entry(EntryKind.INTEGER) if key.kind == "int" else Entry(EntryKind.MASK)
    if isinstance(key, ShapedArray | NumPyArray):
        return _parse_array(operation, key)
    if isinstance(key, tuple | list):
        return _parse_sequence(operation, key)
    if isinstance(key, Scalar | float | complex | str):
        what = key if isinstance(key, Scalar) else type(key).__name__
        raise DtypeError(f"{operation}: an index is an integer, a bool, a slice, None, ... or an array, got {what}")
    raise RuleError(
        f"{operation}: an index is an integer, a bool, a slice, None, ... or an array, got {type(key).__name__}",
        IndexError,
    )


def _parse_array(operation: str, key: ShapedArray | NumPyArray) -> Entry | None:
    shape, dtype = key.shape, key.dtype
    if dtype is not None and KINDS.get(dtype, "f") not in "buiV":
        shown = dtype_name(dtype, key.weak_type) if isinstance(key, ShapedArray) else dtype
        raise DtypeError(f"{operation}: an index array has integers or bools, got {shown}; convert it with astype(int)")
    if shape is None:
        return None
    if dtype is None:
        # An integer array or a mask: the same but for the size, if it has one dimension.
        return Entry(EntryKind.ARRAY, (None,)) if len(shape) == 1 else None
    if dtype == "bool":
        value = key.value if isinstance(key, ShapedArray) else None
        return Entry(EntryKind.MASK, shape, value=None if value is None else int(bool(value)))
    if isinstance(key, NumPyArray) and not shape:
        return Entry(EntryKind.INTEGER)
    return Entry(EntryKind.ARRAY, shape)


def _parse_sequence(operation: str, key: Any) -> Entry | None:
    """A tuple or a list inside a tuple, of which JAX makes an array."""
    shape: list[Dim] = []
    items = [key]
    while items and all(isinstance(i, tuple | list) for i in items):
        lengths = {len(i) for i in items}
        if len(lengths) > 1:
            raise RuleError(
                f"{operation}: the lists in an index differ in length, in {key!r}; an index array needs equal rows"
            )
        shape.append(lengths.pop())
        items = [j for i in items for j in i]
    if not items:
        return Entry(EntryKind.ARRAY, tuple(shape))
    if any(
        isinstance(i, float | complex | str) or (isinstance(i, Scalar) and i.kind in ("float", "complex"))
        for i in items
    ):
        raise DtypeError(f"{operation}: an index array has integers or bools; it is made of {key!r}")
    if all(isinstance(i, bool) or (isinstance(i, Scalar) and i.kind == "bool") for i in items):
        return Entry(EntryKind.MASK, tuple(shape))
    if all(isinstance(i, int | SymbolicDim | Scalar) for i in items):
        return Entry(EntryKind.ARRAY, tuple(shape))
    return None
