"""Values of an array between its elements, under the names of `jax.scipy.ndimage`.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.scipy.ndimage.map_coordinates.html.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Sequence
from typing import Any, Final

from arraytyping import lax, numpy as anp
from arraytyping.runtime import whole as whole
from arraytyping.runtime.transformations.jit import jit
from arraytyping.scalars import KINDS

__all__ = ["map_coordinates"]


def _mirrored(index: Any, size: int) -> Any:
    last = size - 1
    return anp.abs((index + last) % (2 * last) - last)


_INSIDE: Final[dict[str, Callable[[Any, int], Any]]] = {
    "constant": lambda index, size: index,
    "nearest": lambda index, size: anp.clip(index, 0, size - 1),
    "wrap": lambda index, size: index % size,
    "mirror": _mirrored,
    "reflect": lambda index, size: anp.floor_divide(_mirrored(2 * index + 1, 2 * size + 1) - 1, 2),
}
"""The element that stands for one outside of a dimension, by mode."""


def _whole(x: Any) -> Any:
    """The numbers rounded, halves away from 0."""
    return x if KINDS[str(x.dtype)] in "iu" else lax.round(x)


def _neighbours(coordinate: Any, order: int) -> list[tuple[Any, Any]]:
    """The elements that are looked at along one dimension, and how much each counts."""
    if order == 0:
        return [(_whole(coordinate).astype("int32"), coordinate.dtype.type(1))]
    lower = anp.floor(coordinate)
    upper_weight = coordinate - lower
    index = lower.astype("int32")
    return [(index, 1 - upper_weight), (index + 1, upper_weight)]


def _mapped(input: Any, coordinates: Sequence[Any], order: int, mode: str, cval: Any) -> Any:
    x, places = anp.asarray(input), [anp.asarray(c) for c in coordinates]
    filled = anp.asarray(cval, x.dtype)
    if len(places) != len(x.shape):
        raise ValueError(f"coordinates must be a sequence of length input.ndim, but {len(places)} != {len(x.shape)}")
    if mode not in _INSIDE:
        raise NotImplementedError(f"map_coordinates does not support mode {mode!r}; there are {', '.join(_INSIDE)}")
    if order not in (0, 1):
        raise NotImplementedError(f"map_coordinates requires order 0 or 1, got {order}")
    along = []
    for coordinate, size in zip(places, x.shape):
        nodes = []
        for index, weight in _neighbours(coordinate, order):
            is_valid = (index >= 0) & (index < size) if mode == "constant" else None
            nodes.append((_INSIDE[mode](index, size), is_valid, weight))
        along.append(nodes)
    parts = []
    for items in itertools.product(*along):
        part = x[tuple(index for index, _, _ in items)]
        if mode == "constant":
            part = anp.where(functools.reduce(operator.and_, [valid for _, valid, _ in items]), part, filled)
        parts.append(functools.reduce(operator.mul, [weight for _, _, weight in items]) * part)
    result = functools.reduce(operator.add, parts)
    if KINDS[str(x.dtype)] in "iu":
        result = _whole(result)
    return result.astype(x.dtype)


_compiled: Final = jit(_mapped, static_argnums=(2, 3, 4))


def map_coordinates(input: Any, coordinates: Sequence[Any], order: int, mode: str = "constant", cval: Any = 0.0) -> Any:
    """`jax.scipy.ndimage.map_coordinates`: the values at places between the elements, of the nearest or linearly.

    Raises:
        ValueError: for another number of coordinates than of dimensions.
        NotImplementedError: for an order other than 0 and 1, and for an unknown mode.
    """
    return _compiled(input, list(coordinates), order, mode, cval)
