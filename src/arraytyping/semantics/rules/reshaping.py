"""Functions that give an array another shape and keep its elements in order, or repeat them along sizes of 1.

Source: https://docs.jax.dev/en/latest/jax.numpy.html and
https://data-apis.org/array-api/latest/API_specification/manipulation_functions.html.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, NumPyArray, ShapedArray
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import RuleError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.shapes.reshaping import at_least, expanded, new_shape, resized, squeezed
from arraytyping.semantics.rules.sizes import size_dim, with_shape
from arraytyping.semantics.rules.static_arguments import is_unknown
from arraytyping.semantics.rules.table import rule

__all__ = ["raveled"]

_ORDERS: Final = ("C", "F")


def _check_order(operation: str, order: Any) -> None:
    """Raise for an order that the operation does not know."""
    if is_unknown(order) or order in _ORDERS:
        return
    if order == "A" or (order == "K" and operation == "ravel"):
        raise RuleError(f'{operation}: order="{order}" is not implemented; give "C" or "F"', NotImplementedError)
    raise RuleError(f'{operation}: order is "C" or "F", got {order!r}', ValueError)


@rule("numpy.reshape")
def reshape(cx: Context, a: Any, shape: Any, order: Any = "C", *, copy: Any = None, out_sharding: Any = None) -> Any:
    """`jax.numpy.reshape`: a NumPy array has its own method called, and stays one."""
    if isinstance(a, NumPyArray) and out_sharding is None:
        if not is_unknown(order) and order not in ("C", "F", "A", None):
            raise RuleError(f'reshape: order is "C", "F" or "A" for a NumPy array, got {order!r}', ValueError)
        return NumPyArray(new_shape("reshape", a.shape, shape, ValueError), a.dtype)
    array = as_operand(cx, a, "reshape")
    result = with_shape(array, new_shape("reshape", array.shape, shape))
    if is_unknown(a):  # a NumPy array perhaps
        return UNKNOWN
    _check_order("reshape", order)
    return result


@rule("Array.reshape")
def array_reshape(cx: Context, self: Any, *args: Any, order: Any = "C", out_sharding: Any = None) -> ShapedArray:
    """`jax.Array.reshape`, with the sizes one by one or in a sequence."""
    array = as_operand(cx, self, "reshape")
    result = with_shape(array, new_shape("reshape", array.shape, args[0] if len(args) == 1 else args))
    _check_order("reshape", order)
    return result


def raveled(array: ShapedArray) -> ShapedArray:
    """The array with one dimension."""
    return with_shape(array, (size_dim(array.shape),))


@rule("numpy.ravel", "Array.ravel", "Array.flatten")
def ravel(cx: Context, a: Any, order: Any = "C", *, out_sharding: Any = None) -> ShapedArray:
    """`jax.numpy.ravel`."""
    array = as_operand(cx, a, "ravel")
    _check_order("ravel", order)
    return raveled(array)


@rule("numpy.squeeze", "Array.squeeze")
def squeeze(cx: Context, a: Any, axis: Any = None) -> ShapedArray:
    """`jax.numpy.squeeze`."""
    array = as_operand(cx, a, "squeeze")
    return with_shape(array, squeezed("squeeze", array.shape, axis))


@rule("numpy.expand_dims")
def expand_dims(cx: Context, a: Any, axis: Any) -> ShapedArray:
    """`jax.numpy.expand_dims`."""
    array = as_operand(cx, a, "expand_dims")
    return with_shape(array, expanded("expand_dims", array.shape, axis))


def _at_least(cx: Context, operation: str, arrays: tuple[Any, ...], rank: int) -> Any:
    made = [as_operand(cx, a, operation, i) for i, a in enumerate(arrays)]
    results = tuple(with_shape(a, at_least(a.shape, rank)) for a in made)
    return results[0] if len(results) == 1 else results


@rule("numpy.atleast_1d")
def atleast_1d(cx: Context, *arys: Any) -> Any:
    """`jax.numpy.atleast_1d`."""
    return _at_least(cx, "atleast_1d", arys, 1)


@rule("numpy.atleast_2d")
def atleast_2d(cx: Context, *arys: Any) -> Any:
    """`jax.numpy.atleast_2d`."""
    return _at_least(cx, "atleast_2d", arys, 2)


@rule("numpy.atleast_3d")
def atleast_3d(cx: Context, *arys: Any) -> Any:
    """`jax.numpy.atleast_3d`."""
    return _at_least(cx, "atleast_3d", arys, 3)


@rule("numpy.resize")
def resize(cx: Context, a: Any, new_shape: Any) -> ShapedArray:
    """`jax.numpy.resize`, which repeats or cuts off elements."""
    check_hashable("resize", new_shape=new_shape)
    array = as_operand(cx, a, "resize")
    return with_shape(array, resized("resize", new_shape))
