"""Rules of the family: reductions of `jax.lax`, plain, logical and cumulative, whose axes are counted from 0.

Source: `_reduce_op_shape_rule`, `_reduce_logical_shape_rule`, `_argminmax_shape_rule` of
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/lax.py, and `_cumred_shape_rule` of control_flow/loops.py.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.semantics.avals import Scalar, Shape, ShapedArray, SymbolicDim
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import NARROW_INTEGER
from arraytyping.semantics.rules.errors import DimError, ShapeError
from arraytyping.semantics.rules.lax_operands import NOT_INTEGER, named_dtype
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.refusals import BOOL, INEXACT, Refusal, refuse
from arraytyping.semantics.rules.shapes.reductions import Axes
from arraytyping.semantics.rules.sizes import without_axis
from arraytyping.semantics.rules.static_arguments import as_index
from arraytyping.semantics.rules.table import register

_NARROW: Final = Refusal(NARROW_INTEGER, "widen it first, with x.astype(jnp.int8)")
_INDEX: Final = Refusal(NOT_INTEGER.dtypes, "an index is an integer: give a dtype such as jnp.int32")


def _axis(operation: str, axis: int, ndim: int | None) -> int:
    """The axis.

    Raises:
        DimError: if it is negative, or an array of this rank does not have it.
    """
    if axis < 0 or (ndim is not None and axis >= ndim):
        has = "any rank" if ndim is None else f"dimension {ndim}"
        advice = "count axes from the front" if axis < 0 else "it has no axes" if not ndim else f"give 0 to {ndim - 1}"
        raise DimError(
            f"{operation}: Invalid axis {axis} for operand: axis {axis} is out of bounds for array of {has}; {advice}"
        )
    return axis


def _given(operation: str, axes: Any) -> tuple[Any, ...] | None:
    """The entries of a sequence of axes; None if it may be any.

    Raises:
        DimError: (TypeError) for what is no sequence.
    """
    if axes is None or isinstance(axes, int | float | complex | Scalar | SymbolicDim | slice):
        raise DimError(f"{operation}: axes is a sequence of integers, got {axes}; give a tuple, as in (0,)", TypeError)
    return tuple(axes) if isinstance(axes, tuple | list) else None


def _reduced(operation: str, axes: Any, ndim: int | None) -> Axes:
    """The axes that a reduction removes.

    Raises:
        DimError: if one is given twice, or is none of an array of this rank; (TypeError) if one is no number.
    """
    given = _given(operation, axes)
    if given is None or any(isinstance(a, float) for a in given):
        return Axes(ndim)
    if any(a is None or isinstance(a, str | complex | slice | tuple | list) for a in given):
        raise DimError(f"{operation}: an axis is an integer, got {axes}; give a tuple of ints", TypeError)
    known = [_axis(operation, int(a), ndim) for a in given if isinstance(a, int)]
    if len(set(known)) < len(known):
        raise DimError(f"{operation}: duplicate value in axes: {axes}; name each axis once")
    if len(known) == len(given):
        return Axes(ndim, tuple(known), len(known))
    return Axes(ndim, None, len(given) if ndim is None or len(given) <= ndim else None)


def _are_plain(axes: Any, ndim: int) -> bool:
    """Whether these are axes of an array of this rank, all known and none twice."""
    return (
        type(axes) is tuple
        and all(type(axis) is int and 0 <= axis < ndim for axis in axes)
        and len(set(axes)) == len(axes)
    )


def _enter_reduction(name: str, refuses: tuple[Refusal, ...]) -> None:
    operation = f"lax.{name}"

    def function(cx: Context, operand: Any, axes: Any) -> ShapedArray:
        _given(operation, axes)
        array = as_operand(cx, operand, operation)
        shape = array.shape
        if shape is not None and _are_plain(axes, len(shape)):
            shape = tuple([d for i, d in enumerate(shape) if i not in axes])
        else:
            shape = _reduced(operation, axes, array.ndim).reduce(shape, False)
        refuse(operation, array.dtype, refuses)
        return ShapedArray(shape, array.dtype, array.weak_type)

    def sharded(cx: Context, operand: Any, axes: Any, *, out_sharding: Any = None) -> ShapedArray:
        return function(cx, operand, axes)

    register(operation, sharded if name == "reduce_sum" else function)


for _name in ("reduce_sum", "reduce_prod"):
    _enter_reduction(_name, (BOOL,))
for _name in ("reduce_max", "reduce_min"):
    _enter_reduction(_name, ())


def _left(operation: str, axes: Any, shape: Shape | None) -> Shape | None:
    """The shape without axes that NumPy's `delete` takes: from the end too, and more than once.

    Raises:
        DimError: (IndexError) if one is out of bounds.
    """
    given = _given(operation, axes)
    if given is None or shape is None or not all(isinstance(a, int) for a in given):
        return None
    for axis in given:
        if not -len(shape) <= axis < len(shape):
            raise DimError(f"{operation}: axis {axis} is out of bounds for array of dimension {len(shape)}", IndexError)
    removed = {int(axis) % len(shape) for axis in given}
    return tuple(d for i, d in enumerate(shape) if i not in removed)


def _enter_logical(name: str) -> None:
    operation = f"lax.{name}"

    def function(cx: Context, operand: Any, axes: Any) -> ShapedArray:
        _given(operation, axes)
        array = as_operand(cx, operand, operation)
        refuse(operation, array.dtype, (INEXACT, _NARROW))
        return ShapedArray(_left(operation, axes, array.shape), array.dtype, False)

    register(operation, function)


for _name in ("reduce_and", "reduce_or", "reduce_xor"):
    _enter_logical(_name)


def _enter_arg_extreme(name: str) -> None:
    operation = f"lax.{name}"

    def function(cx: Context, operand: Any, axis: Any, index_dtype: Any) -> ShapedArray:
        dtype = named_dtype(cx, index_dtype, operation)
        array = as_operand(cx, operand, operation)
        number = None if isinstance(axis, float) else as_index(operation, "an axis", axis)
        shape: Shape | None
        if number is None:
            shape = Axes(array.ndim, None, 1).reduce(array.shape, False)
        else:
            number = _axis(operation, number, array.ndim)
            shape = None if array.shape is None else without_axis(array.shape, number)
            if array.shape is not None and array.shape[number] == 0:
                raise ShapeError(
                    f"{operation}: {operation[4:]} require non-empty reduced dimension, got the operand {array}",
                    ValueError,
                )
        refuse(operation, dtype, (_INDEX,))
        return ShapedArray(shape, dtype, False)

    register(operation, function)


_enter_arg_extreme("argmax")
_enter_arg_extreme("argmin")


def _enter_cumulative(name: str) -> None:
    operation = f"lax.{name}"

    def function(cx: Context, operand: Any, axis: Any = 0, reverse: Any = False) -> ShapedArray:
        number = None
        if isinstance(axis, int):
            number = int(axis)
        elif axis is None or isinstance(axis, complex | tuple | list | slice):
            raise DimError(f"{operation}: an axis is an integer, got {axis}; give an int", TypeError)
        array = as_operand(cx, operand, operation)
        if number is not None:
            _axis(operation, number, array.ndim)
        refuse(operation, array.dtype, (BOOL,))
        return ShapedArray(array.shape, array.dtype, array.weak_type)

    register(operation, function)


for _name in ("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"):
    _enter_cumulative(_name)
