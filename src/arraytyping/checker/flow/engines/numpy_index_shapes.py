"""The shape of an indexed array of NumPy, where sizes and indices may be unknown.

Source: https://numpy.org/doc/stable/user/basics.indexing.html.
"""

from __future__ import annotations

from typing import Any

from arraytyping.checker.flow.engines.numpy_array_likes import dtype_of, shape_of
from arraytyping.checker.flow.values import ArrayValue, ListValue, NumPyValue, ScalarValue, Unknown, is_exact
from arraytyping.semantics.avals import UNKNOWN, Dim, Shape, shape_tuple_str
from arraytyping.semantics.rules.broadcasting import broadcast_shapes
from arraytyping.semantics.rules.errors import RuleError, ShapeError
from arraytyping.semantics.rules.slices import slice_size
from arraytyping.semantics.sizes.dims import as_dim, differ

__all__ = ["OutOfBounds", "TooMany", "WrongIndex", "bound_of", "indexed_shape", "slice_dim"]


class TooMany(Exception):
    """More indices than dimensions."""


class OutOfBounds(Exception):
    """An index beyond a known size."""


class WrongIndex(Exception):
    """What is no index at all."""


def indexed_shape(shape: Shape, index: Any) -> Shape | None:
    """The shape of an array of this shape, indexed; None if the rank is not known.

    Raises:
        TooMany: if there are more indices than dimensions.
        OutOfBounds: if an index is beyond a known size.
        WrongIndex: if something is no index.
        ShapeError: if arrays of indices do not broadcast.
    """
    parts = list(index) if isinstance(index, tuple) else [index]
    used = 0
    for part in parts:
        count = _consumed(part)
        if count is None:
            return None
        used += count
    if used > len(shape):
        raise TooMany
    if not any(p is Ellipsis for p in parts):
        parts.append(Ellipsis)
    at = next(i for i, p in enumerate(parts) if p is Ellipsis)
    # The ellipsis stays: it separates arrays of indices even where it stands for no dimension.
    parts[at + 1 : at + 1] = [slice(None)] * (len(shape) - used)
    result: list[Dim] = []
    advanced: list[Shape] = []
    has_arrays = any(_is_array(p) for p in parts)
    first = -1
    is_split = False
    was_advanced = False
    dims = iter(shape)
    for part in parts:
        if part is Ellipsis:
            was_advanced = False
            continue
        is_advanced = _is_array(part) or (has_arrays and part is not None and not isinstance(part, slice))
        if is_advanced:
            if first < 0:
                first = len(result)
            elif not was_advanced:
                is_split = True
        was_advanced = is_advanced
        if part is None:
            result.append(1)
        elif isinstance(part, slice):
            result.append(slice_dim(next(dims), part))
        elif _is_array(part):
            found = shape_of(part)
            assert found is not None
            if dtype_of(part) == "bool":
                for side in found:
                    dim = next(dims)
                    if differ(side, dim):
                        text = (
                            f"a mask of shape {shape_tuple_str(found)} for an array of shape {shape_tuple_str(shape)}"
                        )
                        raise ShapeError(text)
                advanced.append((None,))
            else:
                next(dims)
                advanced.append(found)
        else:
            dim = next(dims)
            if type(part) is int and isinstance(dim, int) and not -dim <= part < dim:
                raise OutOfBounds(f"index {part} is out of bounds for a dimension of size {dim}")
            if has_arrays:
                advanced.append(())
    if has_arrays:
        joined = broadcast_shapes("indexing", *advanced)
        assert joined is not None
        place = 0 if is_split else first
        result[place:place] = joined
    return tuple(result)


def _is_array(part: Any) -> bool:
    if isinstance(part, ListValue):
        return True
    if isinstance(part, bool):
        return True
    if isinstance(part, NumPyValue | ArrayValue):
        return shape_of(part) != () or dtype_of(part) == "bool"
    return isinstance(part, tuple)


def _consumed(part: Any) -> int | None:
    """How many dimensions an index is for; None if it is not known."""
    if part is None or part is Ellipsis:
        return 0
    if isinstance(part, slice):
        return 1
    if isinstance(part, bool):
        return 0
    if isinstance(part, ScalarValue):
        if set(part.kinds) <= {int}:
            return 1
        if not set(part.kinds) & {int, bool}:
            raise WrongIndex
        return None
    if isinstance(part, Unknown):
        return None
    if isinstance(part, NumPyValue | ArrayValue | ListValue | tuple):
        shape, dtype = shape_of(part), dtype_of(part)
        if shape is None or dtype is None:
            return None
        if dtype == "bool":
            return len(shape)
        if dtype.startswith(("int", "uint")):
            return 1
        if isinstance(part, ListValue | tuple) and 0 in shape:
            return 1
        raise WrongIndex
    if isinstance(part, float | complex):
        raise WrongIndex
    return 1 if is_exact(part) and hasattr(part, "__index__") else None


def slice_dim(dim: Dim, part: slice) -> Dim:
    """The size of a slice of a dimension; None if it is not known."""
    try:
        return slice_size("a slice", slice(*map(bound_of, (part.start, part.stop, part.step))), dim)
    except RuleError:
        return None


def bound_of(value: Any) -> Any:
    """A bound of a slice as the rules take it; what is symbolic may be negative."""
    if value is None or type(value) is int:
        return value
    dim = as_dim(value.size) if isinstance(value, ScalarValue) else None
    return UNKNOWN if dim is None else dim
