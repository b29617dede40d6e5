"""Values between those on a grid, under the name of `jax.scipy.interpolate`.

Source: https://docs.jax.dev/en/latest/jax.scipy.html#module-jax.scipy.interpolate.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from arraytyping.numpy import broadcast_arrays, can_cast, searchsorted, stack, where
from arraytyping.numpy.conversion import asarray
from arraytyping.numpy.promoting import promoted_inexact
from arraytyping.runtime import whole as whole
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.tree.containers import register_pytree_node

__all__ = ["RegularGridInterpolator"]


def _check_method(method: str) -> None:
    if method not in ("linear", "nearest"):
        raise ValueError(f"method {method!r} is not defined")


def _places(given: Any, rank: int) -> Any:
    """An array of places, of which the coordinates are last."""
    if isinstance(given, tuple) and len(given) == 1:
        (given,) = given
    if isinstance(given, tuple):
        return stack([asarray(x, dtype=float) for x in broadcast_arrays(*given)], -1)
    places = asarray(array_from(given))
    return places.reshape(-1, rank) if places.ndim == 1 else places


class RegularGridInterpolator:
    """`jax.scipy.interpolate.RegularGridInterpolator`: a function whose values at the points of a grid are known.

    Raises:
        ValueError: for an unknown method, values that do not fit the grid, and a fill value of another kind.
        NotImplementedError: if places outside of the grid are to be errors.
    """

    def __init__(
        self, points: Sequence[Any], values: Any, method: str = "linear", bounds_error: bool = False,
        fill_value: Any = np.nan,
    ) -> None:  # fmt: skip
        _check_method(method)
        self.method = method
        self.bounds_error = bounds_error
        if bounds_error:
            raise NotImplementedError("`bounds_error` takes no effect under JIT")
        (known,) = promoted_inexact(array_from(values))
        known = materialized(known)
        if len(points) > known.ndim:
            raise ValueError(f"there are {len(points)} point arrays, but values has {known.ndim} dimensions")
        if fill_value is not None:
            fill_value = asarray(array_from(fill_value))
            if not can_cast(fill_value.dtype, known.dtype, casting="same_kind"):
                raise ValueError("fill_value must be either 'None' or of a type compatible with values")
        self.fill_value = fill_value
        self.grid: tuple[Any, ...] = tuple(asarray(array_from(p)) for p in points)
        self.values = known

    def __call__(self, xi: Any, method: str | None = None) -> Any:
        """The values at these places, of which the coordinates are last, or are the items of a tuple."""
        chosen = self.method if method is None else method
        _check_method(chosen)
        rank = len(self.grid)
        places = _places(xi, rank)
        if places.shape[-1] != rank:
            raise ValueError(
                f"the requested sample points xi have dimension {places.shape[-1]}, but this RegularGridInterpolator "
                f"has dimension {rank}"
            )
        lead = places.shape[:-1]
        columns = places.reshape(math.prod(lead), rank).T
        cells, shares, is_outside = self._cells(columns)
        result = self._nearest(cells, shares) if chosen == "nearest" else self._linear(cells, shares)
        if self.fill_value is not None:
            result = where(is_outside.reshape(-1, *(1,) * (result.ndim - 1)), self.fill_value, result)
        return result.reshape(*lead, *self.values.shape[rank:])

    def _cells(self, columns: Any) -> tuple[list[Any], list[Any], Any]:
        """For each coordinate the number of the point below, and the share of the way to the next; what is outside."""
        cells, shares = [], []
        is_outside: Any = np.zeros(columns.shape[1], bool)
        for x, grid in zip(columns, self.grid):
            below = searchsorted(grid, x) - 1
            below = where(below < 0, 0, where(below > grid.size - 2, grid.size - 2, below))
            cells.append(below)
            shares.append((x - grid[below]) / (grid[below + 1] - grid[below]))
            is_outside = is_outside | (x < grid[0]) | (x > grid[-1])
        return cells, shares, is_outside

    def _linear(self, cells: Sequence[Any], shares: Sequence[Any]) -> Any:
        total = asarray(0.0)
        rest = (1,) * (self.values.ndim - len(cells))
        for corner in itertools.product((0, 1), repeat=len(cells)):
            weight = asarray(1.0)
            for is_upper, share in zip(corner, shares):
                weight = weight * (share if is_upper else 1 - share)
            at = tuple(cell + is_upper for cell, is_upper in zip(cells, corner))
            total = total + self.values[at] * weight.reshape(-1, *rest)
        return total

    def _nearest(self, cells: Sequence[Any], shares: Sequence[Any]) -> Any:
        return self.values[tuple(where(share <= 0.5, cell, cell + 1) for cell, share in zip(cells, shares))]


def _flattened(x: RegularGridInterpolator) -> tuple[Any, Any]:
    return (x.grid, x.values, x.fill_value), (x.method, x.bounds_error)


def _rebuilt(options: Any, parts: Any) -> RegularGridInterpolator:
    grid, values, fill_value = parts
    method, bounds_error = options
    return RegularGridInterpolator(grid, values, method, bounds_error, fill_value)


register_pytree_node(RegularGridInterpolator, _flattened, _rebuilt)
