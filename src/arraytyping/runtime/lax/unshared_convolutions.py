"""Convolutions with a kernel of its own at each place.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.conv_general_dilated_local.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arraytyping.runtime.array_likes import array_from
from arraytyping.runtime.lax.contractions import dot_general
from arraytyping.runtime.lax.convolution_functions import conv_dimension_numbers, conv_general_dilated_patches
from arraytyping.runtime.lax.precisions import canonical_precision
from arraytyping.runtime.lax.structure import transpose

__all__ = ["conv_general_dilated_local"]


def conv_general_dilated_local(
    lhs: Any, rhs: Any, window_strides: Sequence[int], padding: Any, filter_shape: Sequence[int],
    lhs_dilation: Sequence[int] | None = None, rhs_dilation: Sequence[int] | None = None, dimension_numbers: Any = None,
    precision: Any = None,
) -> Any:  # fmt: skip
    """`jax.lax.conv_general_dilated_local`: what each patch gives with the kernel for its place.

    Raises:
        TypeError, ValueError: for what the patches or the product refuse.
    """
    lhs, rhs = array_from(lhs), array_from(rhs)
    both = canonical_precision(precision)
    first = both[0] if isinstance(both, tuple) else both
    patches = conv_general_dilated_patches(
        lhs, filter_shape, window_strides, padding, lhs_dilation, rhs_dilation, dimension_numbers, first
    )
    numbers = conv_dimension_numbers(lhs.aval.shape, rhs.aval.shape, dimension_numbers)
    out = numbers.out_spec
    places = sorted(zip(out[2:], numbers.rhs_spec[2:]))  # of the output, with those of the kernels
    batch = tuple(a for a, _ in places), tuple(b for _, b in places)
    result = dot_general(patches, rhs, (((out[1],), (numbers.rhs_spec[1],)), batch), precision=precision)
    stands = [*batch[0], out[0], out[1]]  # where each dimension of the product belongs
    return transpose(result, sorted(range(len(stands)), key=stands.__getitem__))
