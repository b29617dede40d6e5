"""The shape of an indexed array of NumPy, where sizes and indices may be unknown.

Source: https://numpy.org/doc/stable/user/basics.indexing.html.
"""

from __future__ import annotations

from typing import Any

from arraytyping.avals import Dim, Shape, shape_tuple_str
from arraytyping.flow.engines.numpy_array_likes import dtype_of, shape_of
from arraytyping.flow.sizes import Size, as_dim, of_dim
from arraytyping.flow.values import ArrayValue, ListValue, NumPyValue, ScalarValue, Unknown, is_exact
from arraytyping.rules.broadcasting import broadcast_shapes
from arraytyping.rules.errors import ShapeError

__all__ = ["OutOfBounds", "TooMany", "WrongIndex", "indexed_shape", "slice_dim"]


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
                    if isinstance(side, int) and isinstance(dim, int) and side != dim:
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
    start, stop, step = part.start, part.stop, part.step
    plain = all(v is None or type(v) is int for v in (start, stop, step))
    if isinstance(dim, int) and plain and step != 0:
        return len(range(*part.indices(dim)))
    size = of_dim(dim)
    if size is None or step not in (None, 1, -1):
        return None
    if start is None and stop is None:
        return dim
    if step == -1:
        return None
    low, high = _bound(start, size, Size({})), _bound(stop, size, size)
    if low is None or high is None:
        return None
    length = high - low
    least, _ = length.bounds()
    return as_dim(length) if least is not None and least >= 0 else None


def _bound(value: Any, size: Size, default: Size) -> Size | None:
    """A bound of a slice, counted from the front, where it surely is between 0 and the size."""
    if value is None:
        return default
    found = Size({(): value}) if type(value) is int else value.size if isinstance(value, ScalarValue) else None
    if found is None:
        return None
    low, high = found.bounds()
    if high is not None and high < 0:
        found = size + found
    elif low is None or low < 0:
        return None
    least, _ = found.bounds()
    room, _ = (size - found).bounds()
    return found if least is not None and least >= 0 and room is not None and room >= 0 else None
