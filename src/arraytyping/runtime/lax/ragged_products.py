"""Products of matrices whose rows are of groups, one behind the other: `ragged_dot`.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.ragged_dot.html.
"""

from __future__ import annotations

from typing import Any

from arraytyping.runtime.array_likes import materialized
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.arithmetic import sub_p
from arraytyping.runtime.lax.choices import select_n_p
from arraytyping.runtime.lax.comparisons import le_p, lt_p
from arraytyping.runtime.lax.contractions import contracted
from arraytyping.runtime.lax.creation import iota_of, zeros_of
from arraytyping.runtime.lax.cumulative import cumsum_p
from arraytyping.runtime.lax.integers import bitwise_and_p
from arraytyping.runtime.lax.structure import broadcast_in_dim_p
from arraytyping.semantics.avals import ShapedArray

__all__ = ["ragged_dot"]


def _along(value: Any, shape: tuple[int, ...], dims: tuple[int, ...]) -> Any:
    return broadcast_in_dim_p.bind(value, shape=shape, broadcast_dimensions=dims)


@operation("lax.ragged_dot", "lhs", "rhs", "group_sizes")
def ragged_dot(
    lhs: Any, rhs: Any, group_sizes: Any, precision: Any = None, preferred_element_type: Any = None,
    group_offset: Any = None, out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.lax.ragged_dot`: each group of the rows of a matrix times the matrix of that group.

    The rows of each group stand among zeros, and the groups are contracted with the rest.  It is mapped over any of the
    operands; jax maps over all three alone.

    Raises:
        NotImplementedError: if a group is named to begin with, as in jax.
    """
    if group_offset is not None:
        raise NotImplementedError("Unimplemented group_offset support.")
    x, y, sizes = map(materialized, (lhs, rhs, group_sizes))
    cells = (sizes.aval.shape[0], x.aval.shape[0])
    shape = (cells[0], *x.aval.shape)
    row = iota_of(sizes.aval.dtype, cells, 1)
    ends = _along(cumsum_p.bind(sizes, axis=0, reverse=False), cells, (0,))
    starts = sub_p.bind(ends, _along(sizes, cells, (0,)))
    inside = bitwise_and_p.bind(le_p.bind(starts, row), lt_p.bind(row, ends))
    zeros = zeros_of(ShapedArray(shape, x.aval.dtype, bool(x.aval.weak_type)))
    apart = select_n_p.bind(_along(inside, shape, (0, 1)), zeros, _along(x, shape, tuple(range(1, len(shape)))))
    last = len(shape) - 1
    return contracted(apart, y, (((last, 0), (1, 0)), ((), ())), precision, preferred_element_type)
