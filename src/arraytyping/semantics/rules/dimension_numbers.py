"""Which dimension of an operand means what, in a gather, a scatter and a convolution.

The classes have JAX's names and fields, so that a program may make them here or there; the rules read any object
with these fields.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.GatherDimensionNumbers.html, its kin for scatter and
convolutions, and https://openxla.org/stablehlo/spec#gather.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["ConvDimensionNumbers", "GatherDimensionNumbers", "ScatterDimensionNumbers"]


class GatherDimensionNumbers(NamedTuple):
    """The dimensions of a gather; the last one of the indices always holds the index vectors.

    `offset_dims` are those of the result that offset into a slice, in ascending order; `collapsed_slice_dims` those
    of the operand, of slice size 1, that the result does not have; `start_index_map` the dimension of the operand
    that each component of an index vector indexes; `operand_batching_dims` and `start_indices_batching_dims` those
    that operand and indices go through together, which become dimensions of the result.
    """

    offset_dims: tuple[int, ...]
    collapsed_slice_dims: tuple[int, ...]
    start_index_map: tuple[int, ...]
    operand_batching_dims: tuple[int, ...] = ()
    start_indices_batching_dims: tuple[int, ...] = ()


class ScatterDimensionNumbers(NamedTuple):
    """The dimensions of a scatter; the last one of the indices always holds the index vectors.

    `update_window_dims` are those of the updates that lie within a window, in ascending order;
    `inserted_window_dims` those of the operand, of window size 1, that the updates do not have;
    `scatter_dims_to_operand_dims` the dimension of the operand that each component of an index vector indexes;
    `operand_batching_dims` and `scatter_indices_batching_dims` those that operand and indices go through together,
    which are dimensions of the updates.
    """

    update_window_dims: Sequence[int]
    inserted_window_dims: Sequence[int]
    scatter_dims_to_operand_dims: Sequence[int]
    operand_batching_dims: Sequence[int] = ()
    scatter_indices_batching_dims: Sequence[int] = ()


class ConvDimensionNumbers(NamedTuple):
    """The dimensions of a convolution.

    `lhs_spec` and `out_spec` hold the batch dimension, the feature dimension and the spatial dimensions of the
    operand and of the result; `rhs_spec` the output feature dimension, the input feature dimension and the spatial
    dimensions of the kernel.
    """

    lhs_spec: Sequence[int]
    rhs_spec: Sequence[int]
    out_spec: Sequence[int]
