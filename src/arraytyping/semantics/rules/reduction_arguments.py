"""The arguments that reductions share: a mask, an initial value, a dtype for the sum, and `keepdims`.

Source: `_reduction` of https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/reductions.py.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.scalars import KINDS, bits
from arraytyping.semantics.avals import UNKNOWN, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_INTEGER
from arraytyping.semantics.rules.errors import DtypeError, ShapeError
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes
from arraytyping.semantics.rules.shapes.reductions import Axes
from arraytyping.semantics.sizes.dims import differ

__all__ = [
    "NARROW_INTEGER",
    "as_initial",
    "as_mask",
    "broadcast_equal_ranks",
    "broadcast_mask",
    "check_mask_fits",
    "masked_shape",
    "reduce_masked",
    "summed",
]

NARROW_INTEGER: Final = frozenset(d for d in ANY_INTEGER if bits(d) < 8)
"""The integers that NumPy's `iinfo`, by which JAX widens a sum, does not know."""


def as_mask(cx: Context, operation: str, where: Any) -> ShapedArray | None:
    """The mask of a `where` argument; None if there is certainly none.

    Raises:
        DtypeError: if it is no array-like; (ValueError) if it is one of another dtype than bool.
    """
    if where is None:
        return None
    mask = as_operand(cx, where, operation, "where")
    if mask.dtype not in (None, "bool"):
        raise DtypeError(f"{operation}: where must be None or a boolean array, got {mask}; compare first, as x > 0",
                         ValueError)  # fmt: skip
    return mask


def as_initial(cx: Context, operation: str, initial: Any) -> None:
    """Check an `initial` argument: JAX converts it to the dtype of the sum, whatever its own.

    Raises:
        ShapeError: (ValueError) if it is no scalar.
        DtypeError: if it is no array-like.
    """
    if initial is None or initial is UNKNOWN:
        return
    shape = as_operand(cx, initial, operation, "initial").shape
    if shape:
        raise ShapeError(
            f"{operation}: initial must be a scalar, got shape {shape_tuple_str(shape)}; give one number", ValueError
        )


def broadcast_mask(operation: str, shape: Shape | None, mask: Shape | None) -> Shape | None:
    """The shape that an array and its mask broadcast to.

    Raises:
        ShapeError: (ValueError) if they do not.
    """
    try:
        return broadcast_shapes(f"{operation} with a where mask", shape, mask)
    except ShapeError as error:
        raise ShapeError(error.message, ValueError) from None


def masked_shape(operation: str, shape: Shape | None, mask: ShapedArray | None, where: Any) -> Shape | None:
    """The shape over which a reduction runs, where the mask may have more dimensions than the array.

    Raises:
        ShapeError: (ValueError) if they do not broadcast.
    """
    if where is UNKNOWN or mask is None:
        return None if where is UNKNOWN else shape
    return shape if mask.shape == () else broadcast_mask(operation, shape, mask.shape)


def reduce_masked(
    operation: str, a: ShapedArray, mask: ShapedArray | None, where: Any, axes: Axes, keepdims: bool | None
) -> Shape | None:
    """The shape that a reduction leaves, of an array under a mask that it broadcasts against.

    Raises:
        ShapeError: (ValueError) if they do not broadcast.
    """
    shape = masked_shape(operation, a.shape, mask, where)
    if shape is None and (where is UNKNOWN or (mask is not None and mask.shape != ())):
        return None  # the mask may add dimensions that are not reduced
    return axes.reduce(shape, keepdims)


def check_mask_fits(operation: str, shape: Shape | None, mask: ShapedArray | None) -> None:
    """Check that a mask broadcasts to the shape of the array, as functions that count its elements ask.

    Raises:
        ShapeError: (ValueError) if it certainly does not.
    """
    if mask is None or mask.shape is None or shape is None:
        return
    extra = len(mask.shape) - len(shape)
    fits = extra <= 0 and all(
        not (differ(m, 1) and differ(m, d)) for m, d in zip(reversed(mask.shape), reversed(shape))
    )
    if not fits:
        raise ShapeError(
            f"{operation}: where has shape {shape_tuple_str(mask.shape)}, which does not broadcast to that of the "
            f"array, {shape_tuple_str(shape)}; give a mask of the array's shape",
            ValueError,
        )


def broadcast_equal_ranks(operation: str, a: Shape | None, b: Shape | None) -> Shape | None:
    """The shape that two shapes broadcast to in `jax.lax`, where ranks must agree unless one is 0.

    Raises:
        ShapeError: if they do not.
    """
    if a is None or b is None:
        return None
    if a and b and len(a) != len(b):
        raise ShapeError(
            f"{operation}: {shape_tuple_str(a)} and {shape_tuple_str(b)} do not have the same number of dimensions; "
            "reshape one of them"
        )
    return broadcast_shapes(operation, a, b)


def summed(cx: Context, operation: str, dtype: str | None, *, promote: bool | None = True) -> str | None:
    """The dtype in which JAX sums or multiplies elements of a dtype: integers widen to the default one of their kind.

    Raises:
        DtypeError: (ValueError) for the integers under 8 bits.
    """
    if dtype is None:
        return None
    if promote is None:
        kept = summed(cx, operation, dtype, promote=False)
        if dtype in NARROW_INTEGER:
            return kept  # the other way raises
        return kept if kept == summed(cx, operation, dtype) else None
    if not promote:
        return "int32" if dtype == "bool" else dtype
    if dtype in NARROW_INTEGER:
        raise DtypeError(
            f"{operation} does not take {dtype}, of which JAX knows no wider integer; "
            "name the dtype of the result, or convert first, with x.astype(jnp.int8)",
            ValueError,
        )
    if KINDS[dtype] not in "bui":
        return dtype
    default = cx.default("u" if KINDS[dtype] == "u" else "int")
    return default if dtype == "bool" or bits(dtype) < bits(default) else dtype
