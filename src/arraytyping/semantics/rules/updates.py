"""Functional updates, `x.at[key].set(values)` and its kin: the array keeps its shape, dtype and weak type.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html; `_scatter_update` of
https://github.com/jax-ml/jax/blob/main/jax/_src/ops/scatter.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arraytyping.scalars import KINDS, bits
from arraytyping.semantics.avals import Scalar, Shape, ShapedArray
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import integer_limits
from arraytyping.semantics.rules.errors import RuleError
from arraytyping.semantics.rules.index_keys import parse_key
from arraytyping.semantics.rules.indexing import check_mode, indexed_shape
from arraytyping.semantics.rules.operands import ANY_ARRAY, as_operand
from arraytyping.semantics.rules.refusals import BOOL, refuse
from arraytyping.semantics.rules.shapes.broadcasting import stretched
from arraytyping.semantics.rules.shapes.indexing import INDICES
from arraytyping.semantics.rules.sizes import is_empty, with_shape
from arraytyping.semantics.rules.table import RULES, register, rule

__all__ = ["updated"]


def updated(cx: Context, method: str, array: ShapedArray, key: Any, values: Any, mode: Any) -> ShapedArray:
    """The array after an update.

    Raises:
        RuleError: if the key does not index the array, or the values have no dtype in common with the array or do not
            broadcast to what the key selects; their shape does not matter if it selects nothing.
    """
    operation = f"at[].{method}"
    new = _values(cx, operation, values, array.dtype)
    target: Shape | None = indexed_shape(operation, array.shape, key, update=True)
    python_int = isinstance(values, int) or (isinstance(values, Scalar) and values.kind in ("int", "bool"))
    if python_int and array.dtype is not None and KINDS[array.dtype] in "ui" and bits(array.dtype) >= 8:
        # Such a value becomes an integer of the array's own dtype, if that is one of NumPy's.
        new = with_shape(array, ())
    if array.dtype != new.dtype:  # JAX asks whether the values can be cast to the dtype, weak or not
        cx.join(operation, (ShapedArray((), array.dtype, None if array.dtype is None else False), new))
    if is_empty(target) is not False:
        return with_shape(array, array.shape)
    assert target is not None
    joined, _ = cx.join(operation, (array, new))
    if new.shape is not None:
        stretched(operation, new.shape, target)
    check_mode(operation, mode, target)
    if method not in ("set", "min", "max"):
        refuse(operation, joined, (BOOL,))
    return with_shape(array, array.shape)


def _values(cx: Context, operation: str, values: Any, dtype: str | None) -> ShapedArray:
    """The array of the values; of a nested list one is made, too, of which nothing is known here.

    An int that the array's integers can hold becomes one of them at once; others must fit the default integer.
    """
    if type(values) is int and (dtype is None or (KINDS[dtype] in "ui" and bits(dtype) >= 8)):
        low, high = (-(2**63), 2**64 - 1) if dtype is None else integer_limits(dtype)
        if low <= values <= high:
            return ShapedArray((), cx.default("int"), True)
    if values is None:
        raise RuleError(f"{operation}: None is given for the values", ValueError)
    return ANY_ARRAY if isinstance(values, tuple | list) else as_operand(cx, values, operation)


@rule("Array.at.get")
def get(
    cx: Context,
    x: Any,
    key: Any,
    /,
    *,
    indices_are_sorted: Any = False,
    unique_indices: Any = False,
    mode: Any = None,
    fill_value: Any = None,
    out_sharding: Any = None,
    wrap_negative_indices: Any = True,
) -> ShapedArray:
    """`x.at[key].get()`: `x[key]`."""
    array = as_operand(cx, x, "at[].get")
    if any(e.kind in INDICES for e in parse_key("at[].get", key) or ()):  # a slice alone takes no heed of it
        check_mode("at[].get", mode, indexed_shape("at[].get", array.shape, key, update=True))
    return with_shape(array, indexed_shape("at[].get", array.shape, key))


@rule("Array.at.apply")
def apply(
    cx: Context,
    x: Any,
    key: Any,
    /,
    func: Any,
    *,
    indices_are_sorted: Any = False,
    unique_indices: Any = False,
    mode: Any = None,
    wrap_negative_indices: Any = True,
) -> ShapedArray:
    """`x.at[key].apply(func)`; what the function returns is converted back."""
    array = as_operand(cx, x, "at[].apply")
    check_mode("at[].apply", mode, indexed_shape("at[].apply", array.shape, key, update=True))
    return with_shape(array, array.shape)


def _update_rule(method: str, finish: str | None = None) -> Callable[..., Any]:
    """The rule of an update method; the operation `finish` makes the result of the array and what was scattered."""

    def update(
        cx: Context,
        x: Any,
        key: Any,
        /,
        values: Any,
        *,
        indices_are_sorted: Any = False,
        unique_indices: Any = False,
        mode: Any = None,
        out_sharding: Any = None,
        wrap_negative_indices: Any = True,
    ) -> Any:
        array = as_operand(cx, x, f"at[].{method}")
        new = updated(cx, method, array, key, values, mode)
        return new if finish is None else RULES[finish].function(cx, with_shape(array, array.shape), new)

    update.__doc__ = f"`x.at[key].{method}(values)`."
    return update


for _name in ("set", "add", "subtract", "multiply", "mul", "min", "max"):
    register(f"Array.at.{_name}", _update_rule(_name))
# These two scatter into ones, and then divide by the result or raise to it.
register("Array.at.divide", _update_rule("divide", "numpy.true_divide"))
register("Array.at.power", _update_rule("power", "numpy.power"))
