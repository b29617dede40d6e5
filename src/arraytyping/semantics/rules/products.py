"""Products that pair elements without summing over a shared dimension: outer, Kronecker and cross products.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from arraytyping.semantics.avals import UNKNOWN, Alternatives, Dim, NumPyArray, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.broadcasting import broadcast_shapes
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.contractions import indexed_axis
from arraytyping.semantics.rules.errors import DimError, DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.operands import as_array
from arraytyping.semantics.rules.sizes import size_dim
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import differ, multiply_dims


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
    return ShapedArray((_flat(x), _flat(y)), dtype, weak)


def _flat(x: ShapedArray) -> Dim:
    """The size of the array when flattened."""
    return size_dim(x.shape)


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
    n, m = (None if z.shape is None else z.shape[0] for z in (x, y))
    return ShapedArray((n, m), dtype, weak)


@rule("numpy.kron")
def kron(cx: Context, a: Any, b: Any) -> ShapedArray:
    """`jax.numpy.kron`."""
    x, y = as_array(cx, a, "kron", 0), as_array(cx, b, "kron", 1)
    dtype, weak = cx.join("kron", (x, y))
    if dtype == "bool":
        raise DtypeError("kron does not take two bools; convert one of them first, with .astype('int32')")
    shape: Shape | None = None
    if x.shape is not None and y.shape is not None:
        rank = max(len(x.shape), len(y.shape))
        shape = tuple(map(multiply_dims, zip(_padded(x.shape, rank), _padded(y.shape, rank))))
    return ShapedArray(shape, dtype, weak)


def _padded(shape: Shape, rank: int) -> Shape:
    return (1,) * (rank - len(shape)) + shape


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
    return None if isinstance(axis, tuple | list | NumPyArray) else canonicalize_axis("cross", axis, ndim)


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
    a_size, a_rest = _split(a, a_axis)
    b_size, b_rest = _split(b, b_axis)
    for operand, number, size in ((a, a_axis, a_size), (b, b_axis, b_size)):
        if differ(size, 2) and differ(size, 3):
            raise ShapeError(
                f"cross: dimension {number} of {shape_tuple_str(operand.shape or ())} is {size}; it must be 2 or 3",
                ValueError,
            )
    dtype, weak = cx.join("cross", (a, b))
    rest: Shape | None = None
    if a_rest is not None and b_rest is not None:
        try:
            rest = broadcast_shapes("cross", a_rest, b_rest)
        except ShapeError as error:
            same_rank = len(a_rest) == len(b_rest)  # only then does JAX leave the check to its primitive
            raise ShapeError(error.message, TypeError if same_rank else ValueError) from None
    if dtype == "bool":
        raise DtypeError("cross does not take two bools; convert one of them first, with .astype('int32')")
    scalars = ShapedArray(rest, dtype, weak)
    if a_size == b_size == 2:
        return scalars
    certain = vectors_of_3 or 3 in (a_size, b_size)
    try:
        # The vectors are built from a list of components, which loses the weak type.
        vectors = ShapedArray(_with_axis(rest, axisc), dtype, None if dtype is None else False)
    except DimError:
        if certain:
            raise
        return scalars
    return vectors if certain else Alternatives.of((scalars, vectors))


def _split(x: ShapedArray, axis: int | None) -> tuple[Dim, Shape | None]:
    """The size along the axis, and the shape without it; if the axis is unknown, so are all sizes."""
    if x.shape is None:
        return None, None
    if axis is None:
        return None, (None,) * (len(x.shape) - 1)
    return x.shape[axis], x.shape[:axis] + x.shape[axis + 1 :]


def _with_axis(rest: Shape | None, axis: Any) -> Shape | None:
    """The shape with a dimension of 3 put in."""
    if rest is None:
        return None
    number = _axis(axis, len(rest) + 1)
    if number is None:
        return (None,) * (len(rest) + 1)
    return (*rest[:number], 3, *rest[number:])
