"""Products that pair elements without summing over a shared dimension: outer, Kronecker and cross products.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from arraytyping.semantics.avals import UNKNOWN, Alternatives, NumPyArray, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.contractions import indexed_axis
from arraytyping.semantics.rules.errors import DimError, DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.operands import as_array
from arraytyping.semantics.rules.shapes.products import cross_part, crossed, kronecker_product, outer_product
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import differ


@rule("numpy.outer")
def outer(cx: Context, a: Any, b: Any, out: Any = None) -> ShapedArray:
    """`jax.numpy.outer`."""
    if out is not None and out is not UNKNOWN:
        raise RuleError(
            "outer: JAX has no `out`, since its arrays do not change; use the result",
            TypeError if isinstance(out, str) else NotImplementedError,
        )
    x, y = as_array(cx, a, "outer", 0), as_array(cx, b, "outer", 1)
    dtype, weak = cx.join("outer", (x, y))
    return ShapedArray(outer_product(x.shape, y.shape), dtype, weak)


@rule("numpy.linalg.outer")
def linalg_outer(cx: Context, x1: Any, x2: Any, /) -> ShapedArray:
    """`jax.numpy.linalg.outer`."""
    x, y = as_array(cx, x1, "outer", 0), as_array(cx, x2, "outer", 1)
    for position, operand in enumerate((x, y)):
        if operand.ndim not in (None, 1):
            raise DimError(
                f"outer: operand {position} has shape {shape_tuple_str(operand.shape or ())}, and one dimension is "
                "needed; jnp.outer flattens"
            )
    dtype, weak = cx.join("outer", (x, y))
    return ShapedArray(outer_product(x.shape, y.shape), dtype, weak)


@rule("numpy.kron")
def kron(cx: Context, a: Any, b: Any) -> ShapedArray:
    """`jax.numpy.kron`."""
    x, y = as_array(cx, a, "kron", 0), as_array(cx, b, "kron", 1)
    dtype, weak = cx.join("kron", (x, y))
    if dtype == "bool":
        raise DtypeError("kron does not take two bools; convert one of them first, with .astype('int32')")
    return ShapedArray(kronecker_product(x.shape, y.shape), dtype, weak)


@rule("numpy.cross")
def cross(
    cx: Context, a: Any, b: Any, axisa: Any = -1, axisb: Any = -1, axisc: Any = -1, axis: Any = None
) -> ShapedArray | Alternatives:
    """`jax.numpy.cross`."""
    x, y = as_array(cx, a, "cross", 0), as_array(cx, b, "cross", 1)
    if axis is UNKNOWN:  # it may be None, or stand in place of the other three
        axisa = axisb = axisc = UNKNOWN
    elif axis is not None:
        axisa = axisb = axisc = axis
    return _cross(cx, x, _axis(axisa, x.ndim), y, _axis(axisb, y.ndim), axisc)


@rule("numpy.linalg.cross")
def linalg_cross(cx: Context, x1: Any, x2: Any, /, *, axis: Any = -1) -> ShapedArray | Alternatives:
    """`jax.numpy.linalg.cross`."""
    x, y = as_array(cx, x1, "cross", 0), as_array(cx, x2, "cross", 1)
    for position, operand in enumerate((x, y)):
        if operand.ndim == 0:
            raise DimError(f"cross: operand {position} has no dimensions, and at least one is needed", IndexError)
    numbers = [indexed_axis("cross", axis, operand.ndim) for operand in (x, y)]
    arrays: list[ShapedArray] = []
    for operand, number in zip((x, y), numbers):
        if operand.shape is None or number is None:
            arrays.append(operand)
            continue
        size = operand.shape[number]
        if differ(size, 3):
            raise ShapeError(
                f"cross: dimension {number} of {shape_tuple_str(operand.shape)} is {size}; it must be 3", ValueError
            )
        arrays.append(replace(operand, shape=(*operand.shape[:number], 3, *operand.shape[number + 1 :])))
    x, y = arrays
    return _cross(cx, x, _axis(axis, x.ndim), y, _axis(axis, y.ndim), axis, vectors_of_3=True)


def _axis(axis: Any, ndim: int | None) -> int | None:
    """A number, or None; a tuple, which JAX takes if it holds one axis, is not looked into."""
    if ndim == 0:
        raise DimError("cross: an operand has no dimensions, and at least one is needed")
    return canonicalize_axis("cross", _one(axis), ndim)


def _cross(
    cx: Context,
    a: ShapedArray,
    a_axis: int | None,
    b: ShapedArray,
    b_axis: int | None,
    axisc: Any,
    *,
    vectors_of_3: bool = False,
) -> ShapedArray | Alternatives:
    parts = cross_part("cross", a.shape, a_axis), cross_part("cross", b.shape, b_axis)
    dtype, weak = cx.join("cross", (a, b))
    late: DimError | None = None
    try:
        rest, shape, is_vector = crossed("cross", *parts, _one(axisc), vectors_of_3)
    except DimError as error:  # JAX makes the components first
        late = error
    if dtype == "bool":
        raise DtypeError("cross does not take two bools; convert one of them first, with .astype('int32')")
    if late is not None:
        raise late
    # The vectors are built from a list of components, which loses the weak type.
    scalars, vectors = ShapedArray(rest, dtype, weak), ShapedArray(shape, dtype, None if dtype is None else False)
    return Alternatives.of((scalars, vectors)) if is_vector is None else vectors if is_vector else scalars


def _one(axis: Any) -> Any:
    """An axis; a tuple, which JAX takes if it holds one, is not looked into."""
    return UNKNOWN if isinstance(axis, tuple | list | NumPyArray) else axis
