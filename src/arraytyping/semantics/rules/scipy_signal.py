"""Rules of `jax.scipy.signal`: convolutions and correlations of arrays of any rank.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/scipy/signal.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, Dim, NumPyArray, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.compositions import on_abstract_values
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import RuleError, ShapeError
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.sizes import with_shape
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import add_dims, at_least, differ, subtract_dims

__all__: list[str] = []

_MODES: Final = ("full", "same", "valid")
_METHODS: Final = ("auto", "direct", "fft")


def _check_mode(name: str, mode: Any) -> None:
    if mode is not UNKNOWN and mode not in _MODES:
        raise RuleError(f"{name}: mode is 'full', 'same' or 'valid', got {mode!r}", ValueError)


def _check_ranks(name: str, arrays: Sequence[ShapedArray]) -> None:
    a, b = arrays
    if a.shape is not None and b.shape is not None and len(a.shape) != len(b.shape):
        shapes = f"{shape_tuple_str(a.shape)} and {shape_tuple_str(b.shape)}"
        raise ShapeError(f"{name}: two arrays of one rank are taken, got shapes {shapes}", ValueError)


def _is_larger(n: Dim, m: Dim) -> bool | None:
    """Whether one size is at least another; None if unknown."""
    difference = subtract_dims(n, m)
    if at_least(difference, 0):
        return True
    return False if at_least(subtract_dims(m, n), 1) else None


def _all(facts: Sequence[bool | None]) -> bool | None:
    return False if False in facts else None if None in facts else True


def _check_nested(name: str, n: Shape, m: Shape) -> None:
    first, second = (_all([_is_larger(i, j) for i, j in zip(*pair)]) for pair in ((n, m), (m, n)))
    if first is False and second is False:
        shapes = f"{shape_tuple_str(n)} and {shape_tuple_str(m)}"
        raise ShapeError(
            f"{name}: one array is at least as large as the other along each axis, got {shapes}", ValueError
        )


def _size(mode: Any, n: Dim, m: Dim, is_swapped: bool | None) -> Dim:
    """The size of a convolution, of the sizes of both operands; whether the second is the larger one may be unknown."""
    if mode == "same":
        return n
    if mode == "full":
        return subtract_dims(add_dims((n, m)), 1)
    if mode is UNKNOWN or is_swapped is None:
        return None
    return add_dims((subtract_dims(m, n) if is_swapped else subtract_dims(n, m), 1))


def _shape(mode: Any, n: Shape, m: Shape) -> Shape:
    is_swapped = _all([_is_larger(j, i) for i, j in zip(n, m)])
    return tuple(_size(mode, i, j, is_swapped) for i, j in zip(n, m))


def _direct(cx: Context, name: str, arrays: Sequence[ShapedArray], mode: Any, precision: Any) -> Any:
    _check_mode(name, mode)
    _check_ranks(name, arrays)
    a, b = arrays
    for shape in (a.shape, b.shape):
        if shape is not None and 0 in shape:
            raise ShapeError(f"{name}: there are no items in an array of shape {shape_tuple_str(shape)}", ValueError)
    ops = on_abstract_values(cx)
    a, b = ops.inexact(name, a, b)
    shape = None
    if a.shape is not None and b.shape is not None:
        _check_nested(name, a.shape, b.shape)
        shape = _shape(mode, a.shape, b.shape)
    rank = a.ndim if a.ndim is not None else b.ndim
    ones = (1,) * (2 + (1 if rank is None else rank))
    left, right = (with_shape(x, ones) for x in (a, b))
    made = ops("lax.conv_general_dilated", left, right, ones[2:], "VALID", precision=precision)
    return with_shape(made, shape)


def _axes(name: str, axes: Any, rank: int) -> set[int] | None:
    if axes is None:
        return {*range(rank)}
    axes = [axes] if type(axes) is int else axes
    if not isinstance(axes, tuple | list) or not all(type(axis) is int for axis in axes):
        return None
    found = [canonicalize_axis(name, axis, rank) for axis in axes]
    return {axis for axis in found if axis is not None}


def _by_transforms(cx: Context, name: str, arrays: Sequence[ShapedArray], mode: Any, axes: Any) -> Any:
    ops = on_abstract_values(cx)
    a, b = ops.inexact(name, *arrays)
    _check_ranks(name, arrays)
    _check_mode(name, mode)
    if a.shape is None or b.shape is None:
        return UNKNOWN
    chosen = _axes(name, axes, len(a.shape))
    if chosen is None:
        return UNKNOWN
    for i in range(len(a.shape)):
        if i not in chosen and differ(a.shape[i], b.shape[i]):
            raise ShapeError(
                f"{name}: along axes that are not transformed both sizes are the same, got {shape_tuple_str(a.shape)} "
                f"and {shape_tuple_str(b.shape)}",
                ValueError,
            )
    order = sorted(chosen)
    n, m = (tuple(x.shape[i] for i in order) for x in (a, b))
    if mode is UNKNOWN or None in (*n, *m):
        return UNKNOWN
    if mode == "valid":
        _check_nested(name, n, m)
        if 0 in (*n, *m):
            raise ShapeError(f"{name}: of no items no part is valid, got shapes {n} and {m}")
    sizes = _shape(mode, n, m)
    dims = list(a.shape)
    for i, size in zip(order, sizes):
        dims[i] = size
    if all(1 in pair for pair in zip(n, m)):
        return with_shape(ops("numpy.multiply", with_shape(a, ()), with_shape(b, ())), tuple(dims))
    if not all(1 in pair or all(i == 0 or at_least(i, 2) for i in pair) for pair in zip(n, m)):
        return UNKNOWN
    is_complex = ops.is_complex(a)
    if is_complex is None:
        return ShapedArray(tuple(dims), None, None)
    lengths = [subtract_dims(add_dims(pair), 1) for pair in zip(n, m)]
    there, back = ("numpy.fft.fftn", "numpy.fft.ifftn") if is_complex else ("numpy.fft.rfftn", "numpy.fft.irfftn")
    made = ops(back, ops(there, with_shape(a, n), lengths), lengths)
    return with_shape(made, tuple(dims)) if isinstance(made, ShapedArray) else UNKNOWN


def _operands(cx: Context, name: str, in1: Any, in2: Any) -> list[ShapedArray]:
    """The arrays, which have to be some: JAX asks for what only arrays have.

    Raises:
        RuleError: (AttributeError) for a Python scalar, a list and None.
    """
    for x in (in1, in2):
        if x is not UNKNOWN and not isinstance(x, ShapedArray | NumPyArray):
            raise RuleError(f"{name}: two arrays are taken, got {type(x).__name__}", AttributeError)
    return [as_operand(cx, x, name, i) for i, x in enumerate((in1, in2))]


def _by_method(cx: Context, name: str, in1: Any, in2: Any, mode: Any, method: Any, precision: Any) -> Any:
    if method is UNKNOWN:
        return UNKNOWN
    if method not in _METHODS:
        raise RuleError(f"{name}: method is 'auto', 'direct' or 'fft', got {method!r}", ValueError)
    if method == "fft":
        return _by_transforms(cx, name, [as_operand(cx, x, name, i) for i, x in enumerate((in1, in2))], mode, None)
    _check_mode(name, mode)
    return _direct(cx, name, _operands(cx, name, in1, in2), mode, precision)


@rule("scipy.signal.fftconvolve")
def fftconvolve(cx: Context, in1: Any, in2: Any, mode: Any = "full", axes: Any = None) -> Any:
    """`jax.scipy.signal.fftconvolve`."""
    arrays = [as_operand(cx, x, "fftconvolve", i) for i, x in enumerate((in1, in2))]
    return _by_transforms(cx, "fftconvolve", arrays, mode, axes)


@rule("scipy.signal.convolve")
def convolve(cx: Context, in1: Any, in2: Any, mode: Any = "full", method: Any = "auto", precision: Any = None) -> Any:
    """`jax.scipy.signal.convolve`."""
    return _by_method(cx, "convolve", in1, in2, mode, method, precision)


@rule("scipy.signal.correlate")
def correlate(cx: Context, in1: Any, in2: Any, mode: Any = "full", method: Any = "auto", precision: Any = None) -> Any:
    """`jax.scipy.signal.correlate`."""
    if in2 is not UNKNOWN and not isinstance(in2, ShapedArray | NumPyArray):
        raise RuleError(f"correlate: an array is taken second, got {type(in2).__name__}", AttributeError)
    return _by_method(cx, "correlate", in1, as_operand(cx, in2, "correlate", 1), mode, method, precision)


def _of_planes(cx: Context, name: str, in1: Any, in2: Any, mode: Any, edges: tuple[Any, Any], precision: Any) -> Any:
    boundary, fill = edges
    if boundary is UNKNOWN or type(fill) not in (bool, int, float, complex):  # a size in symbols may be 0
        return UNKNOWN
    if boundary != "fill" or fill != 0:
        raise RuleError(
            f"{name}: boundary is 'fill' and fillvalue 0, got {boundary!r} and {fill!r}", NotImplementedError
        )
    arrays = [as_operand(cx, x, name, i) for i, x in enumerate((in1, in2))]
    for array in arrays:
        if array.shape is not None and len(array.shape) != 2:
            shape = shape_tuple_str(array.shape)
            raise ShapeError(f"{name}: arrays of two dimensions are taken, got shape {shape}", ValueError)
    return _direct(cx, name, _operands(cx, name, in1, in2), mode, precision)


@rule("scipy.signal.convolve2d")
def convolve2d(
    cx: Context, in1: Any, in2: Any, mode: Any = "full", boundary: Any = "fill", fillvalue: Any = 0,
    precision: Any = None,
) -> Any:  # fmt: skip
    """`jax.scipy.signal.convolve2d`."""
    return _of_planes(cx, "convolve2d", in1, in2, mode, (boundary, fillvalue), precision)


@rule("scipy.signal.correlate2d")
def correlate2d(
    cx: Context, in1: Any, in2: Any, mode: Any = "full", boundary: Any = "fill", fillvalue: Any = 0,
    precision: Any = None,
) -> Any:  # fmt: skip
    """`jax.scipy.signal.correlate2d`."""
    return _of_planes(cx, "correlate2d", in1, in2, mode, (boundary, fillvalue), precision)
