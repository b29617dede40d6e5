"""The bits of elements read as other dtypes, and their bytes in the other order.

Source: `_view` and `_byteswap` of `jax/_src/numpy/array_methods.py`.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.calling import answered, dtype_of
from arraytyping.runtime.lax.arithmetic import constant_like
from arraytyping.runtime.lax.bitcasting import bitcast_convert_type_p
from arraytyping.runtime.lax.comparisons import ne_p
from arraytyping.runtime.lax.complex_numbers import complex_p, imag_p, real_p
from arraytyping.runtime.lax.slicing import concatenate_p, rev_p, slice_p
from arraytyping.runtime.lax.structure import expand_to, reshape
from arraytyping.scalars import KINDS, bits
from arraytyping.semantics.avals import ShapedArray

__all__ = ["byteswap", "view"]

_REAL: Final = {"complex64": "float32", "complex128": "float64"}


@answered("Array.view", "self")
def view(answer: ShapedArray, self: Any, dtype: Any = None, type: None = None) -> Any:
    """The bits of the elements as another dtype; the last dimension changes with the width."""
    return self if dtype is None else _viewed(self, dtype_of(answer))


def _viewed(x: Any, dtype: str) -> Any:
    own, shape = x.aval.dtype, x.aval.shape
    if own == dtype:
        return x
    if not shape:
        return reshape(_viewed(expand_to(x, (1,)), dtype), ())
    if own == "bool":
        return _viewed(convert_to(x, "uint8"), dtype)
    if KINDS[own] == "c":
        parts = [expand_to(p.bind(x), (*shape, 1)) for p in (real_p, imag_p)]
        both = concatenate_p.bind(*parts, dimension=len(shape))
        return _viewed(reshape(both, (*shape[:-1], 2 * shape[-1])), dtype)
    if dtype == "bool":
        found = _viewed(x, "uint8")
        return ne_p.bind(found, constant_like(found, 0))
    if KINDS[dtype] == "c":
        found = _viewed(x, _REAL[dtype])
        return complex_p.bind(_every_second(found, 0), _every_second(found, 1))
    before, after = bits(own), bits(dtype)
    if before < after:
        factor = after // before
        x = reshape(x, (*shape[:-1], shape[-1] // factor, factor))
    found = bitcast_convert_type_p.bind(x, new_dtype=dtype)
    if before > after:
        found = reshape(found, (*shape[:-1], shape[-1] * (before // after)))
    return found


def _every_second(x: Any, start: int) -> Any:
    """Every second element of the last dimension."""
    shape = x.aval.shape
    starts = (*(0,) * (len(shape) - 1), min(start, shape[-1]))
    return slice_p.bind(x, start_indices=starts, limit_indices=shape, strides=(*(1,) * (len(shape) - 1), 2))


def byteswap(x: Any) -> Any:
    """The elements with their bytes in reverse order."""
    dtype, shape = x.aval.dtype, x.aval.shape
    if KINDS[dtype] == "c":
        return complex_p.bind(byteswap(real_p.bind(x)), byteswap(imag_p.bind(x)))
    if bits(dtype) <= 8:
        from arraytyping.numpy.conversion import copy

        return copy(x)
    swapped = rev_p.bind(bitcast_convert_type_p.bind(x, new_dtype="uint8"), dimensions=(len(shape),))
    return bitcast_convert_type_p.bind(swapped, new_dtype=dtype)
