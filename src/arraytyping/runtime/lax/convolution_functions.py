"""The public functions of convolutions.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.conv_general_dilated.html.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from arraytyping.runtime.array_likes import array_from
from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import raised
from arraytyping.runtime.lax.comparisons import eq_p
from arraytyping.runtime.lax.converting import convert_element_type_p
from arraytyping.runtime.lax.convolutions import conv_general_dilated_p
from arraytyping.runtime.lax.creation import iota_of
from arraytyping.runtime.lax.dtype_arguments import canonical_dtype
from arraytyping.runtime.lax.precisions import canonical_precision
from arraytyping.runtime.lax.slicing import rev_p
from arraytyping.runtime.lax.structure import broadcast_in_dim_p, reshape, transpose as transposed
from arraytyping.runtime.lax.window_padding import pads_of
from arraytyping.semantics.rules.dimension_numbers import ConvDimensionNumbers
from arraytyping.semantics.rules.errors import RuleError
from arraytyping.semantics.rules.shapes.convolutions import dilated, layout_of, transposed_pads

__all__ = [
    "conv", "conv_dimension_numbers", "conv_general_dilated", "conv_general_dilated_patches", "conv_transpose",
    "conv_with_general_padding",
]  # fmt: skip


def conv_dimension_numbers(lhs_shape: Sequence[int], rhs_shape: Sequence[int], dimension_numbers: Any) -> Any:
    """`jax.lax.conv_dimension_numbers`: the dimensions of a convolution as numbers.

    Raises:
        TypeError: for letters that are none, or ranks that differ.
    """
    if isinstance(dimension_numbers, ConvDimensionNumbers):
        return dimension_numbers
    if len(lhs_shape) != len(rhs_shape):
        raise TypeError(
            f"convolution requires lhs and rhs ndim to be equal, got {len(lhs_shape)} and {len(rhs_shape)}."
        )
    try:
        layout = layout_of("lax.conv_general_dilated", dimension_numbers, len(lhs_shape))
    except RuleError as error:
        raise raised(error) from None
    if layout is None:
        raise TypeError(f"convolution dimension_numbers must be tuple/list or None, got {type(dimension_numbers)}.")
    return ConvDimensionNumbers(tuple(layout.lhs), tuple(layout.rhs), tuple(layout.out))


def _convolution(
    x: Any, y: Any, window_strides: Any, padding: Any, lhs_dilation: Any, rhs_dilation: Any, dimension_numbers: Any,
    feature_group_count: int, batch_group_count: int, precision: Any, preferred_element_type: Any,
) -> Any:  # fmt: skip
    numbers = conv_dimension_numbers(x.aval.shape, y.aval.shape, dimension_numbers)
    numbers = ConvDimensionNumbers(*(tuple(map(int, spec)) for spec in numbers))
    strides = tuple(map(int, window_strides))
    ones = (1,) * (len(x.aval.shape) - 2)
    spread, holes = (ones if d is None else tuple(map(int, d)) for d in (lhs_dilation, rhs_dilation))
    reach = [dilated(y.aval.shape[d], hole) for d, hole in zip(numbers.rhs_spec[2:], holes)]
    preferred = None
    if preferred_element_type is not None:
        preferred = canonical_dtype(preferred_element_type, "lax.conv_general_dilated")
    return conv_general_dilated_p.bind(
        x, y, window_strides=strides,
        padding=pads_of(padding, [x.aval.shape[d] for d in numbers.lhs_spec[2:]], reach, strides),
        lhs_dilation=spread, rhs_dilation=holes, dimension_numbers=numbers,
        feature_group_count=int(feature_group_count), batch_group_count=int(batch_group_count),
        precision=canonical_precision(precision), preferred_element_type=preferred,
    )  # fmt: skip


@operation("lax.conv_general_dilated", "lhs", "rhs", how="inline")
def conv_general_dilated(
    lhs: Any, rhs: Any, window_strides: Sequence[int], padding: Any, lhs_dilation: Sequence[int] | None = None,
    rhs_dilation: Sequence[int] | None = None, dimension_numbers: Any = None, feature_group_count: int = 1,
    batch_group_count: int = 1, precision: Any = None, preferred_element_type: Any = None, out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.lax.conv_general_dilated`: a convolution with strides, padding, dilations and groups."""
    return _convolution(
        lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, dimension_numbers, feature_group_count,
        batch_group_count, precision, preferred_element_type,
    )  # fmt: skip


@operation("lax.conv_with_general_padding", "lhs", "rhs", how="inline")
def conv_with_general_padding(
    lhs: Any, rhs: Any, window_strides: Sequence[int], padding: Any, lhs_dilation: Sequence[int] | None,
    rhs_dilation: Sequence[int] | None, precision: Any = None, preferred_element_type: Any = None,
) -> Any:  # fmt: skip
    """`jax.lax.conv_with_general_padding`."""
    return _convolution(
        lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, None, 1, 1, precision, preferred_element_type
    )


@operation("lax.conv", "lhs", "rhs", how="inline")
def conv(
    lhs: Any, rhs: Any, window_strides: Sequence[int], padding: str, precision: Any = None,
    preferred_element_type: Any = None,
) -> Any:  # fmt: skip
    """`jax.lax.conv`."""
    return _convolution(lhs, rhs, window_strides, padding, None, None, None, 1, 1, precision, preferred_element_type)


_DEFAULTS = {2: ("NC", "IO", "NC"), 3: ("NHC", "HIO", "NHC"), 4: ("NHWC", "HWIO", "NHWC"),
             5: ("NHWDC", "HWDIO", "NHWDC")}  # fmt: skip


def conv_transpose(
    lhs: Any, rhs: Any, strides: Sequence[int], padding: Any, rhs_dilation: Sequence[int] | None = None,
    dimension_numbers: Any = None, transpose_kernel: bool = False, precision: Any = None,
    preferred_element_type: Any = None, use_consistent_padding: bool = False,
) -> Any:  # fmt: skip
    """`jax.lax.conv_transpose`: a convolution with gaps between the elements, as the gradient of one has them.

    Raises:
        ValueError: for more than three dimensions of space without dimension numbers.
    """
    lhs, rhs = array_from(lhs), array_from(rhs)
    rank = len(lhs.aval.shape)
    if dimension_numbers is None:
        if rank not in _DEFAULTS:
            raise ValueError("No 4+ dimensional dimension_number defaults.")
        dimension_numbers = _DEFAULTS[rank]
    numbers = conv_dimension_numbers(lhs.aval.shape, rhs.aval.shape, dimension_numbers)
    holes = (1,) * (rank - 2) if rhs_dilation is None else tuple(rhs_dilation)
    pads = padding
    if use_consistent_padding or padding in ("SAME", "VALID"):
        each = [padding] * (rank - 2) if isinstance(padding, str) else padding
        reach = [dilated(rhs.aval.shape[d], hole) for d, hole in zip(numbers.rhs_spec[2:], holes)]
        pads = tuple(transposed_pads(k, s, p) for k, s, p in zip(reach, strides, each))
    if transpose_kernel:
        output, taken, *space = numbers.rhs_spec
        order = list(range(rank))
        order[output], order[taken] = taken, output
        rhs = transposed(rev_p.bind(rhs, dimensions=tuple(space)), order)
    return conv_general_dilated(
        lhs, rhs, (1,) * (rank - 2), pads, tuple(strides), holes, numbers, precision=precision,
        preferred_element_type=preferred_element_type,
    )  # fmt: skip


def conv_general_dilated_patches(
    lhs: Any, filter_shape: Sequence[int], window_strides: Sequence[int], padding: Any,
    lhs_dilation: Sequence[int] | None = None, rhs_dilation: Sequence[int] | None = None, dimension_numbers: Any = None,
    precision: Any = None, preferred_element_type: Any = None,
) -> Any:  # fmt: skip
    """`jax.lax.conv_general_dilated_patches`: the patches that a kernel would see, in the feature dimension."""
    lhs = array_from(lhs)
    sizes = tuple(map(int, filter_shape))
    numbers = conv_dimension_numbers(lhs.aval.shape, (1, 1, *sizes), dimension_numbers)
    count, channels = math.prod(sizes), lhs.aval.shape[numbers.lhs_spec[1]]
    square = (count, count)
    one = eq_p.bind(iota_of("int32", square, 0), iota_of("int32", square, 1))
    one = convert_element_type_p.bind(one, new_dtype=lhs.aval.dtype, weak_type=False)
    kernel = broadcast_in_dim_p.bind(one, shape=(channels, *square), broadcast_dimensions=(1, 2))
    kernel = reshape(kernel, (channels * count, 1, *sizes))
    output, taken = numbers.rhs_spec[:2]
    order = list(range(2, len(sizes) + 2))
    for place, source in sorted(((output, 0), (taken, 1))):
        order.insert(place, source)
    return conv_general_dilated(
        lhs, transposed(kernel, order), window_strides, padding, lhs_dilation, rhs_dilation, numbers,
        feature_group_count=channels, precision=None if precision is None else (precision, "default"),
        preferred_element_type=preferred_element_type,
    )  # fmt: skip
