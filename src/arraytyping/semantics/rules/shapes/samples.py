"""The shapes of what is computed of samples: convolutions, covariances, counts in bins, places of triangles.

Source: https://numpy.org/doc/stable/reference/routines.statistics.html,
https://numpy.org/doc/stable/reference/generated/numpy.convolve.html.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import Dim, Shape
from arraytyping.semantics.sizes.dims import (
    add_dims,
    differ,
    divide_dim,
    max_dim,
    min_dim,
    multiply_dims,
    subtract_dims,
)

__all__ = ["bins_between", "convolved_size", "covariances", "triangle_places"]


def convolved_size(mode: Any, n: Dim, m: Dim) -> Dim:
    """The size of the convolution of two vectors; None for an unknown mode."""
    if mode == "full":
        return add_dims((n, m, -1))
    if mode == "same":
        return max_dim(n, m)
    return add_dims((subtract_dims(max_dim(n, m), min_dim(n, m)), 1)) if mode == "valid" else None


def covariances(variables: Dim) -> Shape | None:
    """The shape of the covariances of variables: of a single one a number; None if it may be a single one."""
    return () if variables == 1 else (variables, variables) if differ(variables, 1) else None


def bins_between(edges: Dim) -> Dim:
    """How many bins there are between edges."""
    return max_dim(add_dims((edges, -1)), 0)


def triangle_places(rows: Dim, columns: Dim, offset: int | None, *, upper: bool) -> Dim:
    """How many places of a matrix are on a diagonal or above it, or on it or below it."""
    if offset == 0 and rows == columns:
        return divide_dim(multiply_dims((rows, add_dims((rows, 1)))), 2)
    if not isinstance(rows, int) or not isinstance(columns, int) or offset is None:
        return None
    if not upper:
        rows, columns, offset = columns, rows, -offset
    whole = min(rows, max(0, -offset))  # rows that lie above it from end to end
    first = max(columns - max(offset, 0), 0) if whole < rows else 0
    partial = min(rows - whole, first)
    return whole * columns + partial * first - partial * (partial - 1) // 2
