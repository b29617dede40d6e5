"""Products of arrays of which one dimension is divided into groups: `ragged_dot_general`.

The ragged dimension is kept, contracted, or one of the batch: groups then have a matrix each, give a result each, or
mean nothing.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.ragged_dot_general.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.lax.arithmetic import sub_p
from arraytyping.runtime.lax.choices import select_n_p
from arraytyping.runtime.lax.comparisons import le_p, lt_p
from arraytyping.runtime.lax.contractions import dot_general
from arraytyping.runtime.lax.creation import iota_of, zeros_of
from arraytyping.runtime.lax.cumulative import cumsum_p
from arraytyping.runtime.lax.integers import bitwise_and_p
from arraytyping.runtime.lax.structure import broadcast_in_dim_p, moveaxis, transpose
from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import ShapedArray

__all__ = ["RaggedDotDimensionNumbers", "ragged_dot_general"]

Dims = tuple[int, ...]


@dataclass(frozen=True)
class RaggedDotDimensionNumbers:
    """`jax.lax.RaggedDotDimensionNumbers`: those of `dot_general`, the ragged dimension, and that of the groups."""

    dot_dimension_numbers: tuple[tuple[Dims, Dims], tuple[Dims, Dims]]
    lhs_ragged_dimensions: Dims
    rhs_group_dimensions: Dims

    def __init__(
        self, dot_dimension_numbers: Any, lhs_ragged_dimensions: Sequence[int], rhs_group_dimensions: Sequence[int]
    ) -> None:
        numbers = tuple(tuple(map(tuple, pair)) for pair in dot_dimension_numbers)
        object.__setattr__(self, "dot_dimension_numbers", numbers)
        object.__setattr__(self, "lhs_ragged_dimensions", tuple(lhs_ragged_dimensions))
        object.__setattr__(self, "rhs_group_dimensions", tuple(rhs_group_dimensions))


class _Ragged(NamedTuple):
    """What the ragged dimension of an operand is, and which dimensions of it stand before the groups."""

    kind: str
    dim: int
    before: list[int]


def _ragged(rank: int, dim: int, batch: Sequence[int], contracted: Sequence[int]) -> _Ragged:
    if dim in batch:
        return _Ragged("batch", dim, [*batch[: batch.index(dim)]])
    if dim in contracted:
        return _Ragged("contracted", dim, [*batch, *contracted[: contracted.index(dim)]])
    kept = [d for d in range(rank) if d not in batch and d not in contracted]
    return _Ragged("kept", dim, [*batch, *kept[: kept.index(dim)]])


def ragged_dot_general(
    lhs: Any, rhs: Any, group_sizes: Any, ragged_dot_dimension_numbers: RaggedDotDimensionNumbers,
    precision: Any = None, preferred_element_type: Any = None, group_offset: Any = None, out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.lax.ragged_dot_general`: the product of `dot_general`, where a dimension of `lhs` is divided into groups.

    `group_sizes` are of shape `(g,)`, or have the dimensions before the ragged one in front.  It is mapped over any of
    the operands; jax maps over all three alone.

    Raises:
        TypeError: if the numbers or the sizes of the groups do not fit the operands.
        NotImplementedError: if a group is named to begin with, as in jax.
    """
    del out_sharding
    x, y, sizes = (materialized(array_from(v)) for v in (lhs, rhs, group_sizes))
    numbers = ragged_dot_dimension_numbers
    (xc, yc), (xb, yb) = numbers.dot_dimension_numbers
    ragged = _checked(x.aval, y.aval, sizes.aval, numbers)
    if KINDS[str(sizes.aval.dtype)] not in "iu":
        raise TypeError(
            f"ragged_dot_general requires that group_sizes.dtype is subtype of np.integer. It is {sizes.aval.dtype}"
        )
    if group_offset is not None:
        raise NotImplementedError("Unimplemented group_offset support.")

    def product(a: Any, b: Any, contracted: Any, batch: Any) -> Any:
        return dot_general(
            a, b, (contracted, batch), precision=precision, preferred_element_type=preferred_element_type
        )

    if ragged.kind == "batch":
        return product(x, y, (xc, yc), (xb, yb))
    apart = _apart(x, ragged, sizes)
    moved_c, moved_b = [d + 1 for d in xc], [d + 1 for d in xb]
    if ragged.kind == "kept":
        (group_dim,) = numbers.rhs_group_dimensions
        return product(apart, y, ([*moved_c, 0], [*yc, group_dim]), (moved_b, yb))
    of_right = _ragged(len(y.aval.shape), yc[xc.index(ragged.dim)], yb, yc)
    return product(
        apart, _apart(y, of_right, sizes), (moved_c, [d + 1 for d in yc]), ([0, *moved_b], [0, *[d + 1 for d in yb]])
    )


def _checked(x: ShapedArray, y: ShapedArray, sizes: ShapedArray, numbers: RaggedDotDimensionNumbers) -> _Ragged:
    """What the ragged dimension is, if all fits."""
    (xc, yc), (xb, yb) = numbers.dot_dimension_numbers
    x_shape, y_shape, s_shape = x.shape or (), y.shape or (), sizes.shape or ()
    if len(numbers.lhs_ragged_dimensions) != 1:
        raise TypeError("ragged_dot_general expects exactly one lhs ragged dimension.")
    (dim,) = numbers.lhs_ragged_dimensions
    _check_in_range(dim, len(x_shape), "lhs ragged dimension", "lhs")
    ragged = _ragged(len(x_shape), dim, xb, xc)
    if not s_shape:
        raise TypeError("expected rank of group_sizes to be >=1.")
    expected = (*[x_shape[d] for d in ragged.before], s_shape[-1])
    if len(s_shape) > 1 and s_shape != expected:
        raise TypeError(f"expected group_sizes to have shape {expected}, got {s_shape}.")
    groups = numbers.rhs_group_dimensions
    if ragged.kind != "kept":
        if groups:
            raise TypeError(
                "ragged_dot_general requires zero group dimensions in the rhs when lhs ragged dimension is contracting "
                "or batch."
            )
        return ragged
    if len(groups) != 1:
        raise TypeError(
            "ragged_dot_general requires exactly one rhs group dimension when lhs ragged dimension is noncontracting."
        )
    _check_in_range(groups[0], len(y_shape), "rhs group dimension", "rhs")
    if groups[0] in yb or groups[0] in yc:
        raise TypeError(
            "ragged_dot_general requires rhs group dimension numbers to be distinct from contracting and batch "
            "dimensions."
        )
    if y_shape[groups[0]] != s_shape[-1]:
        raise TypeError(f"expected rhs group dimension size to be {s_shape[-1]}, got {y_shape[groups[0]]}.")
    return ragged


def _check_in_range(dim: int, rank: int, what: str, operand: str) -> None:
    if not 0 <= dim < rank:
        raise TypeError(
            f"ragged_dot_general requires {what} numbers to be nonnegative and less than the number of axes of the "
            f"{operand} value, got {dim} for {operand} of rank {rank}."
        )


def _apart(x: Any, ragged: _Ragged, sizes: Any) -> Any:
    """The operand once for each group, with zeros in the place of the others; the groups are the first dimension."""
    if len(sizes.aval.shape) == 1:
        around = tuple(x.aval.shape[d] for d in ragged.before)
        sizes = broadcast_in_dim_p.bind(sizes, shape=(*around, *sizes.aval.shape), broadcast_dimensions=(len(around),))
    last = len(sizes.aval.shape) - 1
    ends = cumsum_p.bind(sizes, axis=last, reverse=False)
    starts = sub_p.bind(ends, sizes)
    shape = (sizes.aval.shape[last], *x.aval.shape)
    dims = (0, *[d + 1 for d in ragged.before])

    def along(of_groups: Any) -> Any:
        first = moveaxis(of_groups, last, 0)
        order = sorted(range(len(dims)), key=dims.__getitem__)  # dimensions have to ascend
        return broadcast_in_dim_p.bind(transpose(first, order), shape=shape, broadcast_dimensions=tuple(sorted(dims)))

    place = iota_of(str(sizes.aval.dtype), shape, ragged.dim + 1)
    inside = bitwise_and_p.bind(le_p.bind(along(starts), place), lt_p.bind(place, along(ends)))
    zeros = zeros_of(ShapedArray(shape, x.aval.dtype, bool(x.aval.weak_type)))
    whole = broadcast_in_dim_p.bind(x, shape=shape, broadcast_dimensions=tuple(range(1, len(shape))))
    return select_n_p.bind(inside, zeros, whole)
