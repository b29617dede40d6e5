"""Values placed into an array, and chosen from several: the array that is given out has the dtype of the one given.

Source: `place`, `put` and `put_along_axis` of https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/indexing.py;
`choose` and `fill_diagonal` of https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/lax_numpy.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import UNKNOWN, NumPyArray, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.compositions import on_abstract_values
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_INTEGER
from arraytyping.semantics.rules.errors import AxisError, DimError, DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes, stretched
from arraytyping.semantics.rules.sizes import is_empty, size_dim, with_shape
from arraytyping.semantics.rules.static_arguments import as_flag
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import any_differ, differ

__all__: list[str] = []


def _refuse_in_place(operation: str, inplace: Any, exception: type[Exception] = ValueError) -> None:
    if as_flag(inplace):
        raise RuleError(
            f"{operation}: arrays are not changed in place; give inplace=False, and take the result", exception
        )


def _set(cx: Context, array: ShapedArray, values: ShapedArray, index: Any = 0) -> ShapedArray:
    """The array with values of the right number at some of its places."""
    on_abstract_values(cx)("Array.at.set", with_shape(array, (1,)), index, with_shape(values, ()))
    return with_shape(array, array.shape)


@rule("numpy.put_along_axis")
def put_along_axis(
    cx: Context, arr: Any, indices: Any, values: Any, axis: Any, inplace: Any = True, *, mode: Any = None
) -> Any:
    """`jax.numpy.put_along_axis`."""
    check_hashable("put_along_axis", axis=axis, inplace=inplace, mode=mode)
    _refuse_in_place("put_along_axis", inplace)
    array, places, new = (
        as_operand(cx, v, "put_along_axis", i) for i, v in enumerate((arr, indices, values))
    )  # fmt: skip
    if places.dtype == "bool":
        raise DtypeError("put_along_axis: indices are integers, got bool; take jnp.nonzero of them first", IndexError)
    if axis is UNKNOWN or array.shape is None or places.shape is None:
        return with_shape(array, array.shape)
    whole = array.shape
    flat = with_shape(array, (size_dim(whole),)) if axis is None else array
    assert flat.shape is not None
    if len(flat.shape) != len(places.shape):
        raise ShapeError(
            f"put_along_axis: array and indices are of one rank, got {len(flat.shape)} and {len(places.shape)}",
            ValueError,
        )
    if new.shape is not None:
        new = with_shape(new, stretched("put_along_axis", new.shape, places.shape))
    try:
        number = canonicalize_axis("put_along_axis", 0 if axis is None else axis, len(flat.shape))
    except AxisError as error:
        raise DimError(error.message, AssertionError) from None
    if number is None:
        return with_shape(array, whole)
    key: list[Any] = []
    for i, size in enumerate(flat.shape):
        one: Shape = tuple(size if d == i else 1 for d in range(len(flat.shape)))
        key.append(places if i == number else ShapedArray(one, "int32", False))
    made = on_abstract_values(cx)("Array.at.set", flat, tuple(key), new, mode=mode)
    return with_shape(made, whole)


@rule("numpy.place")
def place(cx: Context, arr: Any, mask: Any, vals: Any, *, inplace: Any = True) -> Any:
    """`jax.numpy.place`."""
    array, which, new = (as_operand(cx, v, "place", i) for i, v in enumerate((arr, mask, vals)))
    _refuse_in_place("place", inplace)
    size, other, count = (size_dim(a.shape) for a in (array, which, new))
    if differ(size, other):
        raise ShapeError(f"place: array and mask are of one size, got {size} and {other}", ValueError)
    if count == 0:
        raise ShapeError("place: there are no values to be placed", ValueError)
    return with_shape(array, array.shape) if is_empty(array.shape) is not False else _set(cx, array, new)


@rule("numpy.put")
def put(cx: Context, a: Any, ind: Any, v: Any, mode: Any = None, *, inplace: Any = True) -> Any:
    """`jax.numpy.put`: at places counted in one dimension."""
    _refuse_in_place("put", inplace)
    array, places, new = (as_operand(cx, x, "put", i) for i, x in enumerate((a, ind, v)))
    if any(is_empty(x.shape) is not False for x in (array, places, new)):
        return with_shape(array, array.shape)
    ops = on_abstract_values(cx)
    if mode == "raise":
        raise RuleError('put: mode "raise" is not supported; use "clip" or "wrap"', NotImplementedError)
    if mode not in (None, "clip", "wrap", UNKNOWN):
        raise RuleError(f'put: mode is "clip" or "wrap", got {mode!r}', ValueError)
    index = with_shape(places, (1,))
    if mode == "clip":
        index = ops("numpy.clip", index, 0, 1)
    elif mode == "wrap":
        index = ops("numpy.remainder", index, 1)
    elif mode is UNKNOWN:
        return with_shape(array, array.shape)
    if array.shape == ():
        raise ShapeError("put: a number has no places to be counted", ValueError)
    if array.shape is not None:
        unraveled = ops("numpy.unravel_index", index, (2,))
        if isinstance(unraveled, tuple):
            return _set(cx, array, new, unraveled[0])
    return with_shape(array, array.shape)


@rule("numpy.fill_diagonal")
def fill_diagonal(cx: Context, a: Any, val: Any, wrap: Any = False, *, inplace: Any = True) -> Any:
    """`jax.numpy.fill_diagonal`."""
    _refuse_in_place("fill_diagonal", inplace, NotImplementedError)
    if as_flag(wrap):
        raise RuleError("fill_diagonal: wrap=True is not implemented; leave it out", NotImplementedError)
    array, new = as_operand(cx, a, "fill_diagonal", 0), as_operand(cx, val, "fill_diagonal", 1)
    shape = array.shape
    if shape is None:
        return with_shape(array, None)
    if len(shape) < 2 or (len(shape) > 2 and any_differ(shape)):
        raise ShapeError(
            f"fill_diagonal: a matrix, or dimensions of one size, are required, got shape {shape_tuple_str(shape)}",
            ValueError,
        )
    if is_empty(shape) is not False or is_empty(new.shape) is None:
        return with_shape(array, shape)
    if is_empty(new.shape):
        raise ShapeError("fill_diagonal: there are no values", ZeroDivisionError)
    return _set(cx, array, new)


@rule("numpy.choose")
def choose(cx: Context, a: Any, choices: Any, out: Any = None, mode: Any = "raise") -> Any:
    """`jax.numpy.choose`: of the dtype that the choices are promoted to."""
    if out is not None and out is not UNKNOWN:
        raise RuleError("choose: the argument out is not supported", NotImplementedError)
    which = as_operand(cx, a, "choose", 0)
    if isinstance(choices, tuple | list):
        arrays: list[ShapedArray] | None = [as_operand(cx, c, "choose", i + 1) for i, c in enumerate(choices)]
    elif isinstance(choices, ShapedArray | NumPyArray) and choices.shape and isinstance(choices.shape[0], int):
        rows = as_operand(cx, choices, "choose", 1)
        arrays = [with_shape(rows, choices.shape[1:])] * choices.shape[0]
    else:
        arrays = None
    if which.dtype is not None and which.dtype not in ANY_INTEGER:
        raise DtypeError(f"choose: the numbers of choices are integers, got {which.dtype}", ValueError)
    if mode is not UNKNOWN and mode not in ("raise", "wrap", "clip"):
        raise RuleError(f"choose: mode is 'raise', 'wrap' or 'clip', got {mode!r}", ValueError)
    if not arrays:
        return UNKNOWN
    shape = broadcast_shapes("choose", which.shape, *(c.shape for c in arrays), exception=ValueError)
    return ShapedArray(shape, cx.join("choose", arrays)[0], False)
