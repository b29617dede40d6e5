"""The rule of `jax.lax.fft`.

Source: `fft` and `fft_abstract_eval` of https://github.com/jax-ml/jax/blob/main/jax/_src/lax/fft.py;
https://openxla.org/stablehlo/spec#fft.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import UNKNOWN, Dim, NumPyArray, Scalar, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import to_complex, to_inexact, to_real
from arraytyping.semantics.rules.errors import DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.lax_dimensions import as_ints
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import add_dims, differ, divide_dim, known_dim

_TYPES: Final = ("FFT", "IFFT", "RFFT", "IRFFT")


def _transform(fft_type: Any) -> str | None:
    """The name of the transform; None if unknown.

    Raises:
        RuleError: for what is none.
    """
    if fft_type is UNKNOWN:
        return None
    if isinstance(fft_type, str):
        if fft_type.upper() in _TYPES and fft_type in (fft_type.upper(), fft_type.lower()):
            return fft_type.upper()
        raise RuleError(f"lax.fft: fft_type is one of {', '.join(_TYPES)}, got {fft_type!r}", ValueError)
    name = getattr(fft_type, "name", None)  # that of an enumeration's member
    if name in _TYPES and not isinstance(fft_type, Scalar):
        return str(name)
    raise RuleError(f"lax.fft: fft_type is one of {', '.join(_TYPES)}, got {fft_type!r}")


@rule("lax.fft")
def fft(cx: Context, x: Any, fft_type: Any, fft_lengths: Any) -> ShapedArray:
    """`jax.lax.fft`, along as many of the last dimensions as there are lengths."""
    operation = "lax.fft"
    check_hashable(operation, fft_type=fft_type)
    if isinstance(fft_lengths, list | ShapedArray) or (isinstance(fft_lengths, NumPyArray) and fft_lengths.shape):
        raise RuleError(f"{operation}: fft_lengths must be hashable; give a tuple", ValueError)
    if x is None:
        raise RuleError(f"{operation} requires an array, got None", ValueError)
    array = as_operand(cx, x, operation)
    transform = _transform(fft_type)
    dtype = array.dtype
    real = transform == "RFFT"
    if real and dtype is not None and KINDS[dtype] == "c":
        raise DtypeError(f"{operation}: the real transform does not take {dtype}; take jnp.real of it", ValueError)
    computed = None if dtype is None or transform is None else to_inexact(dtype) if real else to_complex(dtype)
    lengths = as_ints(operation, "a length", fft_lengths)
    if lengths == ():
        return ShapedArray(array.shape, computed, None if computed is None else False)
    if lengths is not None and array.shape is not None and len(lengths) > len(array.shape):
        raise ShapeError(
            f"{operation}: {len(lengths)} lengths for an array of {len(array.shape)} dimensions; give at most as many",
            ValueError,
        )
    if lengths is not None and real and computed not in (None, "float32", "float64"):
        raise DtypeError(f"{operation}: the real transform takes float32 and float64, got {dtype}", ValueError)
    shape = None
    if array.shape is not None:
        unknown = lengths is None or transform is None
        shape = (None,) * len(array.shape) if unknown else _shape(transform, array.shape, lengths or ())
    if computed is None:
        return ShapedArray(shape, None)
    if lengths is None and transform in ("RFFT", "IRFFT"):  # without lengths there is no transform
        return ShapedArray(shape, None)
    if transform == "RFFT":
        computed = to_complex(computed)
    return ShapedArray(shape, to_real(computed) if transform == "IRFFT" else computed, False)


def _shape(transform: str | None, shape: Shape, lengths: Shape) -> Shape:
    """The shape of the result, which has half of the frequencies where the rest follow from them.

    Raises:
        ShapeError: (ValueError) if the lengths are not the sizes of the last dimensions.
    """
    lead = len(shape) - len(lengths)
    inverse = transform == "IRFFT"
    last = shape[-1]
    compared = [*zip(shape[lead:-1], lengths[:-1])]
    length = lengths[-1]
    if inverse:
        if isinstance(length, int) and (length < 0 or differ(last, _half(length))):
            raise ShapeError(
                f"lax.fft: the last dimension holds the {_half(length)} frequencies of a result of length {length}, "
                f"got {shape_tuple_str(shape)}",
                ValueError,
            )
    else:
        compared.append((last, length))
    if any(differ(a, b) for a, b in compared):
        raise ShapeError(
            f"lax.fft: the lengths {shape_tuple_str(lengths)} are not the sizes of the last dimensions of "
            f"{shape_tuple_str(shape)}",
            ValueError,
        )
    same = [known_dim(pair) for pair in compared]
    dims: list[Dim] = [*shape[:lead], *same]
    if inverse:
        dims.append(length)
    elif transform == "RFFT":
        dims[-1] = _half(dims[-1])
    return tuple(dims)


def _half(length: Dim) -> Dim:
    """The number of frequencies of real numbers."""
    return add_dims((divide_dim(length, 2), 1))
