"""Rules of the family: coordinates and powers laid out on a grid.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/lax_numpy.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.scalars import bits
from arraytyping.semantics.avals import UNKNOWN, Alternatives, Dim, Shape, ShapedArray, join_shapes
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_INTEGER
from arraytyping.semantics.rules.errors import DimError, DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_operand, requested_dtype
from arraytyping.semantics.rules.scalar_conversion import check_stored
from arraytyping.semantics.rules.shapes.creation import coordinates, grid
from arraytyping.semantics.rules.static_arguments import as_flag, as_shape, as_size, non_negative
from arraytyping.semantics.rules.table import rule

__all__: list[str] = []


@rule("numpy.meshgrid")
def meshgrid(cx: Context, *xi: Any, copy: Any = True, sparse: Any = False, indexing: Any = "xy") -> list[ShapedArray]:
    """`jax.numpy.meshgrid`."""
    arrays = [as_operand(cx, x, "meshgrid", i) for i, x in enumerate(xi)]
    if as_flag(copy) is False:
        raise RuleError("meshgrid: copy=False is not supported, leave it out", ValueError)
    if indexing is not UNKNOWN and indexing not in ("xy", "ij"):
        raise RuleError(f"meshgrid: indexing must be 'xy' or 'ij', got {indexing!r}", ValueError)
    for i, a in enumerate(arrays):
        if a.ndim not in (None, 1):
            raise DimError(f"meshgrid: each argument must have 1 dimension, got {a} at position {i}; flatten it first")
    sizes = [None if a.shape is None else a.shape[0] for a in arrays]
    flags = (True, False) if as_flag(sparse) is None else (as_flag(sparse),)
    orders = ("xy", "ij") if indexing is UNKNOWN else (indexing,)
    results = []
    for i, a in enumerate(arrays):
        shapes = [grid(sizes, i, flag is True, order) for flag in flags for order in orders]
        shape: Shape | None = shapes[0]
        for other in shapes[1:]:
            shape = join_shapes(shape, other)
        results.append(ShapedArray(shape, a.dtype, a.weak_type))
    return results


@rule("numpy.indices")
def indices(cx: Context, dimensions: Any, dtype: Any = None, sparse: Any = False) -> Any:
    """`jax.numpy.indices`."""
    chosen = cx.default("int") if dtype is None else requested_dtype(cx, dtype, "indices")
    if isinstance(dimensions, int | float | complex | type(None)):
        raise ShapeError(f"indices: dimensions must be a sequence of ints, got {dimensions!r}; give a tuple")
    shape = non_negative("indices", as_shape("indices", dimensions))
    if chosen == "bool" and shape:
        raise DtypeError("indices does not take bool; give an integer dtype")
    flag = as_flag(sparse)
    if shape is None:
        return ShapedArray(None, chosen, False) if flag is False else UNKNOWN
    dense = ShapedArray(coordinates(shape), chosen, False)
    open_grid = tuple(ShapedArray(grid(shape, i, True, "ij"), chosen, False) for i in range(len(shape)))
    return Alternatives.of((dense, open_grid)) if flag is None else open_grid if flag else dense


@rule("numpy.vander")
def vander(cx: Context, x: Any, N: Any = None, increasing: Any = False) -> ShapedArray:
    """`jax.numpy.vander`."""
    check_hashable("vander", N=N)
    a = as_operand(cx, x, "vander")
    if a.ndim not in (None, 1):
        raise DimError(f"vander: the argument must have 1 dimension, got {a}; flatten it first")
    if a.dtype == "bool":
        raise DtypeError("vander does not take bool; make it an integer first, with x.astype(jnp.int32)")
    if a.dtype in ANY_INTEGER and bits(a.dtype) < 8:
        raise DtypeError(f"vander does not take {a.dtype}; widen it first, with x.astype(jnp.int8)", ValueError)
    rows: Dim = None if a.shape is None else a.shape[0]
    columns = rows if N is None else as_size("vander", "N", N)
    non_negative("vander", (columns,), ValueError)
    if isinstance(columns, int) and a.dtype is not None and as_flag(increasing) is False:
        check_stored("vander", columns - 1, a.dtype)  # the first exponent, in the dtype of the numbers
    return ShapedArray((rows, columns), a.dtype, False)
