"""Rules of the family: sorting of `jax.lax`, of one array or of several by the first ones, and the greatest elements.

Source: `sort`, `_sort_abstract_eval` and `_top_k_abstract_eval` of
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/lax.py.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, Dim, ShapedArray
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, DtypeError, RuleError
from arraytyping.semantics.rules.lax_operands import equal_shapes, shaped
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.refusals import COMPLEX, refuse
from arraytyping.semantics.rules.sizes import with_shape
from arraytyping.semantics.rules.static_arguments import as_size
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import exceeds

_REAL: Final = COMPLEX.raising(ValueError)


@rule("lax.sort")
def sort(cx: Context, operand: Any, dimension: Any = -1, is_stable: Any = True, num_keys: Any = 1) -> Any:
    """`jax.lax.sort`: one array, or a tuple of as many as are given."""
    if operand is UNKNOWN:
        return UNKNOWN
    if isinstance(operand, tuple | list | str):
        return _sorted_together(cx, operand, dimension, num_keys)
    if num_keys is None or (isinstance(num_keys, int | float | complex | str) and num_keys != 1):
        raise RuleError(f"lax.sort: num_keys must be 1 for a single operand, got {num_keys!r}", ValueError)
    array = shaped(cx, operand, "lax.sort")
    canonicalize_axis("lax.sort", dimension, array.ndim)
    return with_shape(array, array.shape)


def _sorted_together(cx: Context, operands: Any, dimension: Any, num_keys: Any) -> tuple[ShapedArray, ...]:
    count = len(operands)
    if not count:
        raise DtypeError("lax.sort requires at least one operand, got none")
    if isinstance(num_keys, int | float) and not 1 <= num_keys <= count:
        raise RuleError(f"lax.sort: num_keys must be 1 to {count}, the number of operands, got {num_keys}", ValueError)
    if num_keys is None or isinstance(num_keys, complex | str):
        raise DtypeError(f"lax.sort: num_keys is an integer, got {num_keys!r}; give an int")
    first = shaped(cx, operands[0], "lax.sort")
    canonicalize_axis("lax.sort", dimension, first.ndim)
    arrays = [first, *(as_operand(cx, v, "lax.sort", i) for i, v in enumerate(operands[1:], 1))]
    shape = equal_shapes("lax.sort", *[a.shape for a in arrays])
    return tuple(with_shape(a, shape) for a in arrays)


@rule("lax.sort_key_val")
def sort_key_val(cx: Context, keys: Any, values: Any, dimension: Any = -1, is_stable: Any = True) -> Any:
    """`jax.lax.sort_key_val`."""
    key = shaped(cx, keys, "lax.sort_key_val")
    canonicalize_axis("lax.sort_key_val", dimension, key.ndim)
    value = as_operand(cx, values, "lax.sort_key_val", 1)
    shape = equal_shapes("lax.sort_key_val", key.shape, value.shape)
    return with_shape(key, shape), with_shape(value, shape)


@rule("lax.top_k")
def top_k(cx: Context, operand: Any, k: Any, *, axis: Any = -1) -> tuple[ShapedArray, ShapedArray]:
    """`jax.lax.top_k`: the elements and their indices, which are int32 and weak if the elements are."""
    size: Dim = as_size("lax.top_k", "k", k)
    if isinstance(size, int) and size < 0:
        raise RuleError(f"lax.top_k: k must not be negative, got {size}", ValueError)
    if operand is None:
        raise DimError("lax.top_k requires an array of at least one dimension, got None", ValueError)
    array = as_operand(cx, operand, "lax.top_k")
    along = canonicalize_axis("lax.top_k", axis, array.ndim)
    refuse("lax.top_k", array.dtype, (_REAL,))
    shape = array.shape
    if shape is not None and along is None:
        shape = (None,) * len(shape) if len(shape) > 1 else (size,)
    elif shape is not None and along is not None:
        there = shape[along]
        if exceeds(size, there):
            raise RuleError(
                f"lax.top_k: k is {size}, and axis {along} of {array} has only {there} elements", ValueError
            )
        shape = (*shape[:along], size, *shape[along + 1 :])
    return with_shape(array, shape), ShapedArray(shape, "int32", array.weak_type)
