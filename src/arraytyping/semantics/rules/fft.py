"""Rules of `jax.numpy.fft`: transforms along chosen axes, their frequencies, and shifts.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/fft.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import (
    UNKNOWN,
    Dim,
    NumPyArray,
    Scalar,
    Shape,
    ShapedArray,
    SymbolicDim,
    shape_tuple_str,
)
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.compositions import on_abstract_values
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import to_complex, to_inexact, to_real
from arraytyping.semantics.rules.errors import DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.static_arguments import as_size
from arraytyping.semantics.rules.table import register, rule
from arraytyping.semantics.sizes.dims import add_dims, at_least, divide_dim, max_dim, multiply_dims, subtract_dims

__all__: list[str] = []

_NORMS: Final = (None, "backward", "ortho", "forward")


def _dtype(operation: str, kind: str, dtype: str | None) -> str | None:
    """The dtype of a transform.

    Raises:
        DtypeError: (ValueError) for what the transform of real numbers does not take.
    """
    if dtype is None:
        return None
    if kind == "RFFT":
        if KINDS[dtype] == "c":
            raise DtypeError(f"{operation}: the real transform does not take {dtype}; take jnp.real of it", ValueError)
        if to_inexact(dtype) not in ("float32", "float64"):
            raise DtypeError(f"{operation}: the real transform takes float32 and float64, got {dtype}", ValueError)
    return to_real(to_complex(dtype)) if kind == "IRFFT" else to_complex(dtype)


def _frequencies(length: Dim) -> Dim:
    """The number of frequencies of real numbers, of which the rest follow."""
    return add_dims((divide_dim(length, 2), 1))


def _originals(frequencies: Dim) -> Dim:
    """The default length of what has so many frequencies."""
    length = multiply_dims((2, subtract_dims(frequencies, 1)))
    return length if at_least(frequencies, 1) else max_dim(0, length)


def _check_norm(operation: str, norm: Any) -> None:
    if norm is not UNKNOWN and norm not in _NORMS:
        raise RuleError(f"{operation}: norm is 'backward', 'ortho' or 'forward', got {norm!r}", ValueError)


def _axes(operation: str, axes: Any, rank: int) -> list[int] | None:
    """Axes from 0 on; None if unknown.

    Raises:
        RuleError: for an axis that is none, and for one that is named twice.
    """
    if not isinstance(axes, tuple | list) or not all(type(axis) is int for axis in axes):
        return None
    if len(set(axes)) != len(axes):
        raise RuleError(f"{operation}: an axis is named twice in {tuple(axes)}", ValueError)
    found = [canonicalize_axis(operation, axis, rank) for axis in axes]
    if None in found:
        return None
    if len(set(found)) != len(found):
        raise RuleError(f"{operation}: an axis is named twice in {tuple(axes)}")
    return [axis for axis in found if axis is not None]


def _lengths(operation: str, s: Any) -> tuple[Dim, ...] | None:
    """The lengths that are asked for; None if unknown.

    Raises:
        ShapeError: (ValueError) for one that is not positive.
    """
    if not isinstance(s, tuple | list):
        return None
    lengths = tuple(as_size(operation, "a length", n) for n in s)
    if any(isinstance(n, int) and n <= 0 for n in lengths):
        raise ShapeError(f"{operation}: lengths are positive, got {shape_tuple_str(lengths)}", ValueError)
    return lengths


def _transformed(cx: Context, operation: str, kind: str, a: Any, s: Any, axes: Any, norm: Any) -> Any:
    array = as_operand(cx, a, operation)
    lengths = None if s is None else _lengths(operation, s)
    rank = array.ndim
    is_known = axes is None or isinstance(axes, tuple | list)
    if rank is None or not is_known or (s is not None and lengths is None):
        return _of_unknown_shape(operation, kind, array, axes, s)
    if axes is None:
        count = rank if lengths is None else len(lengths)
        if count > rank:
            raise ShapeError(f"{operation}: there are {count} lengths for {rank} dimensions", ValueError)
        chosen: list[int] | None = list(range(rank - count, rank))
    else:
        if lengths is not None and len(lengths) != len(axes):
            raise ShapeError(f"{operation}: there are {len(lengths)} lengths for {len(axes)} axes", ValueError)
        chosen = _axes(operation, axes, rank)
    if chosen is None:
        return _of_unknown_shape(operation, kind, array, axes, s)
    if not chosen:
        return UNKNOWN
    assert array.shape is not None
    dtype = _dtype(operation, kind, array.dtype)
    _check_norm(operation, norm)
    shape = _shape(kind, array.shape, chosen, lengths)
    return ShapedArray(shape, dtype, None if dtype is None else False)


def _of_unknown_shape(operation: str, kind: str, array: ShapedArray, axes: Any, s: Any) -> Any:
    """The dtype alone, which over no axes at all is that of no real transform."""
    is_over_some = len(axes) > 0 if isinstance(axes, tuple | list) else axes is None and s is None and bool(array.ndim)
    dtype = None if kind in ("RFFT", "IRFFT") and not is_over_some else _dtype(operation, kind, array.dtype)
    return ShapedArray(None, dtype, None if dtype is None else False)


def _shape(kind: str, shape: Shape, axes: list[int], lengths: tuple[Dim, ...] | None) -> Shape:
    dims = list(shape)
    for i, axis in enumerate(axes):
        is_last = i == len(axes) - 1
        length = dims[axis] if lengths is None else lengths[i]
        if is_last and kind == "RFFT":
            length = _frequencies(length)
        elif is_last and kind == "IRFFT" and lengths is None:
            length = _originals(length)
        dims[axis] = length
    return tuple(dims)


def _register(name: str, kind: str) -> None:
    def along_one(cx: Context, a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
        if isinstance(axis, tuple | list):
            raise RuleError(f"fft.{name} takes one axis, got {axis!r}; fft.{name}n takes several", ValueError)
        axes = None if axis is None else [axis]
        return _transformed(cx, f"fft.{name}", kind, a, None if n is None else [n], axes, norm)

    def along_two(cx: Context, a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None) -> Any:
        if isinstance(axes, tuple | list) and len(axes) != 2:
            raise RuleError(f"fft.{name}2 takes two axes, got {axes!r}", ValueError)
        return _transformed(cx, f"fft.{name}2", kind, a, s, axes, norm)

    def along_any(cx: Context, a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
        return _transformed(cx, f"fft.{name}n", kind, a, s, axes, norm)

    register(f"numpy.fft.{name}", along_one)
    register(f"numpy.fft.{name}2", along_two)
    register(f"numpy.fft.{name}n", along_any)


for _name, _kind in (("fft", "FFT"), ("ifft", "IFFT"), ("rfft", "RFFT"), ("irfft", "IRFFT")):
    _register(_name, _kind)


@rule("numpy.fft.hfft")
def hfft(cx: Context, a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
    """`jax.numpy.fft.hfft`: the inverse real transform of the conjugate, times the length."""
    ops = on_abstract_values(cx)
    conjugate = ops("numpy.conj", a)
    _check_length("hfft", conjugate, n, axis)
    made = ops("numpy.fft.irfft", conjugate, n, axis, norm)
    return _scaled(cx, conjugate, made, n, axis)


@rule("numpy.fft.ihfft")
def ihfft(cx: Context, a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
    """`jax.numpy.fft.ihfft`: the conjugate of the real transform, divided by the length."""
    ops = on_abstract_values(cx)
    array = ops("numpy.asarray", a)
    _check_length("ihfft", array, n, axis)
    made = ops("numpy.conj", ops("numpy.fft.rfft", array, n, axis, norm))
    return _scaled(cx, array, made, n, axis)


def _check_length(name: str, array: Any, n: Any, axis: Any) -> None:
    """Check that there is a length, which JAX looks at before it looks at the axis.

    Raises:
        RuleError: (IndexError) if the array has no such axis.
    """
    rank = array.ndim if isinstance(array, ShapedArray) else None
    if n is None and rank is not None and type(axis) is int and not -rank <= axis < rank:
        raise RuleError(f"fft.{name}: axis {axis} is out of bounds for an array of {rank} dimensions", IndexError)


def _scaled(cx: Context, array: Any, made: Any, n: Any, axis: Any) -> Any:
    """The transform times a Python number, or unknown where that number may be none."""
    if isinstance(axis, tuple | list | None) or not isinstance(made, ShapedArray) or not isinstance(array, ShapedArray):
        return UNKNOWN
    if n is not None and not isinstance(n, int | SymbolicDim):
        return UNKNOWN
    return on_abstract_values(cx)("numpy.multiply", made, 1.0)


def _frequency(name: str, size: Callable[[Dim], Dim]) -> None:
    def function(cx: Context, n: Any, d: Any = 1.0, *, dtype: Any = None, device: Any = None) -> Any:
        for given, what in ((n, "n"), (d, "d")):
            if isinstance(given, tuple | list):
                raise RuleError(f"fft.{name}: {what} is one number, got {given!r}", ValueError)
        if isinstance(n, ShapedArray | NumPyArray | Scalar) or n is UNKNOWN or type(n) is not int or n <= 0:
            return UNKNOWN
        if not isinstance(d, int | float) or dtype is not None:
            return UNKNOWN
        return ShapedArray((size(n),), cx.default("float"), False)

    register(f"numpy.fft.{name}", function)


_frequency("fftfreq", lambda n: n)
_frequency("rfftfreq", _frequencies)


@rule("numpy.fft.fftshift", "numpy.fft.ifftshift")
def fftshift(cx: Context, x: Any, axes: Any = None) -> Any:
    """`jax.numpy.fft.fftshift`: the items rolled by half a length."""
    array = as_operand(cx, x, "fft.fftshift")
    if axes is None:
        return ShapedArray(array.shape, array.dtype, array.weak_type)
    if array.ndim is None or not isinstance(axes, int | tuple | list):
        return ShapedArray(array.shape, array.dtype, array.weak_type)
    for axis in axes if isinstance(axes, tuple | list) else (axes,):
        if type(axis) is not int:
            continue
        if not -array.ndim <= axis < array.ndim:
            raise RuleError(
                f"fft.fftshift: axis {axis} is out of bounds for an array of {array.ndim} dimensions", IndexError
            )
    return ShapedArray(array.shape, array.dtype, array.weak_type)
