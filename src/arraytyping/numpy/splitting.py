"""Arrays taken apart along an axis.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from arraytyping.basearray import Array
from arraytyping.numpy.axes import at_axis, axis_of, ints_of, known_values, several
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.aggregates import slice_along

__all__ = ["array_split", "dsplit", "hsplit", "split", "unstack", "vsplit"]


def _parts(x: Any, where: Any, axis: int) -> list[Any]:
    """The sections of an array along an axis: so many, the first ones greater by 1, or those between indices."""
    size = x.aval.shape[axis]
    if several(where):
        bounds = [0, *ints_of(where, "an index"), size]
    else:
        count = int(where)
        least, more = divmod(size, count)
        bounds = [0, *accumulate([least + 1] * more + [least] * (count - more))]
    return [slice_along(x, a, b, axis=axis) for a, b in pairwise(bounds)]


@operation("numpy.split", "ary")
def _split(ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    return _parts(ary, indices_or_sections, axis_of(axis, len(ary.aval.shape)))


@operation("numpy.array_split", "ary")
def _array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    return _parts(ary, indices_or_sections, axis_of(axis, len(ary.aval.shape)))


@operation("numpy.hsplit", "ary")
def _hsplit(ary: Any, indices_or_sections: Any) -> Any:
    return _parts(ary, indices_or_sections, 0 if len(ary.aval.shape) == 1 else 1)


@operation("numpy.vsplit", "ary")
def _vsplit(ary: Any, indices_or_sections: Any) -> Any:
    return _parts(ary, indices_or_sections, 0)


@operation("numpy.dsplit", "ary")
def _dsplit(ary: Any, indices_or_sections: Any) -> Any:
    return _parts(ary, indices_or_sections, 2)


def _known(where: Any) -> Any:
    """The indices, or the number of sections, as Python ints where they are an array."""
    if hasattr(where, "__jax_array__"):
        where = where.__jax_array__()
    if isinstance(where, Array) and (found := known_values(where)) is not None:
        return found.tolist()
    return where.tolist() if isinstance(where, np.ndarray | np.generic) else where


def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """So many equal sections along an axis, or those between indices: `jax.numpy.split`."""
    return _split(ary, _known(indices_or_sections), axis)


def array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """So many sections along an axis, the first ones greater by 1 if need be: `jax.numpy.array_split`."""
    return _array_split(ary, _known(indices_or_sections), axis)


def hsplit(ary: Any, indices_or_sections: Any) -> Any:
    """`split` along axis 1, of a vector along axis 0: `jax.numpy.hsplit`."""
    return _hsplit(ary, _known(indices_or_sections))


def vsplit(ary: Any, indices_or_sections: Any) -> Any:
    """`split` along axis 0: `jax.numpy.vsplit`."""
    return _vsplit(ary, _known(indices_or_sections))


def dsplit(ary: Any, indices_or_sections: Any) -> Any:
    """`split` along axis 2: `jax.numpy.dsplit`."""
    return _dsplit(ary, _known(indices_or_sections))


@operation("numpy.unstack", "x")
def unstack(x: Any, /, *, axis: int = 0) -> Any:
    """What stands along an axis, one by one: `jax.numpy.unstack`."""
    along = axis_of(axis, len(x.aval.shape))
    return tuple(at_axis(x, i, along) for i in range(x.aval.shape[along]))
