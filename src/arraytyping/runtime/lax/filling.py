"""Public functions that make arrays, or convert them: `full`, `iota`, `convert_element_type` and their kin.

Source: https://docs.jax.dev/en/latest/jax.lax.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arraytyping.runtime.array_likes import convert_to, materialized, python_scalar
from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import TypedScalar
from arraytyping.runtime.lax.creation import full_of, iota_of
from arraytyping.runtime.lax.dtype_arguments import canonical_dtype
from arraytyping.semantics.avals import ShapedArray

__all__ = ["broadcasted_iota", "convert_element_type", "empty", "full", "full_like", "iota"]


@operation("lax.full", "fill_value", how="inline")
def full(shape: Sequence[int], fill_value: Any, dtype: Any = None, *, sharding: Any = None) -> Any:
    """`jax.lax.full`: a value everywhere; weakly typed if the value is and no dtype is named."""
    if dtype is not None:
        fill_value = convert_to(fill_value, canonical_dtype(dtype, "lax.full"))
    aval = fill_value.aval
    return full_of(fill_value, ShapedArray(tuple(map(int, shape)), aval.dtype, aval.weak_type))


@operation("lax.full_like", "x", "fill_value", how="inline")
def full_like(
    x: Any, fill_value: Any, dtype: Any = None, shape: Sequence[int] | None = None, sharding: Any = None
) -> Any:
    """`jax.lax.full_like`: a value everywhere, in the shape and dtype of an array unless others are given."""
    sizes = x.aval.shape if shape is None else tuple(map(int, shape))
    chosen, weak = (
        (x.aval.dtype, x.aval.weak_type) if dtype is None else (canonical_dtype(_of(dtype), "lax.full_like"), False)
    )
    return full_of(convert_to(fill_value, chosen, bool(weak)), ShapedArray(sizes, chosen, weak))


def _of(dtype: Any) -> Any:
    """A dtype, or that of an array that is given in its place."""
    return getattr(getattr(dtype, "aval", None), "dtype", dtype)


@operation("lax.iota", how="inline")
def iota(dtype: Any, size: int) -> Any:
    """`jax.lax.iota`: the numbers from 0."""
    return iota_of(canonical_dtype(dtype, "lax.iota"), (int(size),), 0)


@operation("lax.broadcasted_iota", how="inline")
def broadcasted_iota(dtype: Any, shape: Sequence[int], dimension: int, *, out_sharding: Any = None) -> Any:
    """`jax.lax.broadcasted_iota`: the numbers from 0 along one dimension, everywhere."""
    return iota_of(canonical_dtype(dtype, "lax.broadcasted_iota"), tuple(map(int, shape)), int(dimension))


@operation("lax.convert_element_type", "operand", how="inline")
def _converted(operand: Any, new_dtype: Any) -> Any:
    return convert_to(operand, canonical_dtype(new_dtype, "lax.convert_element_type"))


@operation("lax.convert_element_type", how="inline")
def _converted_int(operand: int, new_dtype: Any) -> Any:
    dtype = canonical_dtype(new_dtype, "lax.convert_element_type")
    return materialized(TypedScalar(python_scalar(operand, dtype), ShapedArray((), dtype, False)))


def convert_element_type(operand: Any, new_dtype: Any) -> Any:
    """`jax.lax.convert_element_type`: the array in another dtype, strongly typed.

    Raises:
        TypeError: for what is no array-like.
        OverflowError: for a Python int that the dtype does not hold.
    """
    return _converted_int(operand, new_dtype) if type(operand) is int else _converted(operand, new_dtype)


@operation("lax.empty", how="inline")
def empty(shape: Sequence[int], dtype: Any, *, out_sharding: Any = None) -> Any:
    """`jax.lax.empty`: an array of which the values are not to be relied upon; here they are zeros."""
    aval = ShapedArray(tuple(map(int, shape)), canonical_dtype(dtype, "lax.empty"), False)
    return full_of(0, aval)
