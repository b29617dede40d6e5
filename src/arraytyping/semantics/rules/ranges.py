"""Rules of the family: ranges of numbers, evenly, logarithmically or geometrically spaced.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/lax_numpy.py and array_creation.py beside it.
"""

from __future__ import annotations

from typing import Any

from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import Alternatives, Dim, Shape, ShapedArray
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import TINY_INTEGER, to_inexact
from arraytyping.semantics.rules.errors import DimError, DtypeError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_array, as_operand, requested_dtype
from arraytyping.semantics.rules.scalar_conversion import check_filled
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes
from arraytyping.semantics.rules.shapes.ranges import arange_size, spaced
from arraytyping.semantics.rules.static_arguments import as_flag, as_index, as_size
from arraytyping.semantics.rules.table import rule

__all__: list[str] = []


def _result_type(cx: Context, operation: str, operands: list[ShapedArray]) -> str | None:
    """The dtype of `jax.numpy.result_type`: the join, of weak types the default."""
    dtype, weak = cx.join(operation, operands)
    return cx.default(KINDS[dtype]) if dtype is not None and weak else dtype


@rule("numpy.arange")
def arange(
    cx: Context,
    start: Any,
    stop: Any = None,
    step: Any = None,
    dtype: Any = None,
    *,
    device: Any = None,
    out_sharding: Any = None,
) -> ShapedArray:
    """`jax.numpy.arange`: its size is known where the numbers are."""
    chosen = None if dtype is None else requested_dtype(cx, dtype, "arange")
    given = [v for v in (start, stop, step) if v is not None]
    operands = [as_array(cx, v, "arange", i) for i, v in enumerate(given)]
    for operand in operands:
        if operand.ndim:
            raise DimError(f"arange: start, stop and step must be scalars, got {operand}; take an element of it")
    if dtype is None and start is not None:
        chosen = _result_type(cx, "arange", operands)
    if any(o.dtype is not None and KINDS.get(o.dtype) == "c" for o in operands):
        raise DtypeError(
            "Passing complex start/stop/step to jnp.arange is no longer supported; give real ones, and a complex dtype",
            ValueError,
        )
    if start is None:
        raise DtypeError("arange: start (the stop, if given alone) must be a number, got None")
    size = arange_size(start, stop, step)
    if chosen is not None:
        for value in (start if stop is not None else None, step):
            # JAX adds neither a start that is zero, nor a step that is left out.
            if value is not None and not (value is start and step is None and value == 0):
                check_filled("arange", value, chosen)
    if chosen == "bool":
        raise DtypeError("arange does not take bool; give an integer dtype")
    return ShapedArray((size,), chosen, False)


def _spaced_dtypes(
    cx: Context, operation: str, start: ShapedArray, stop: ShapedArray, dtype: Any
) -> tuple[str | None, str | None]:
    """The dtype of the result, and the inexact one in which it is computed."""
    if dtype is None:
        joined = _result_type(cx, operation, [start, stop])
        chosen = None if joined is None else to_inexact(joined)
    else:
        chosen = requested_dtype(cx, dtype, operation)
    return chosen, None if chosen is None else to_inexact(chosen)


def _number(operation: str, num: Any) -> Dim:
    size = as_size(operation, "num", num)
    if isinstance(size, int) and size < 0:
        raise ShapeError(f"{operation}: num must not be negative, got {size}", ValueError)
    return size


def _insert(operation: str, shape: Shape | None, axis: int | None, size: Dim) -> Shape | None:
    """The shape with a new axis at this place."""
    if shape is None:
        return None
    rank = len(shape)
    if rank == 0 and axis in (None, 0, -1):
        return (size,)
    if axis is None:
        return (None,) * (rank + 1)
    place = axis + rank + 1 if axis < 0 else axis
    if 0 <= place <= rank:
        return spaced(operation, shape, place, size)
    if isinstance(size, int) and size > 1 and (place > rank or place < -rank - 1):
        raise DimError(
            f"{operation}: axis {axis} is out of bounds for a result of {rank + 1} dimensions; "
            f"it has axes {-rank - 1} to {rank}",
            IndexError,
        )
    # JAX's list.insert takes any place for up to one number.
    return (*shape, size) if place > rank else None


def _linspace(
    operation: str,
    start: ShapedArray,
    stop: ShapedArray,
    num: Dim,
    endpoint: Any,
    axis: int | None,
    computed: str | None,
) -> tuple[Shape | None, Shape | None]:
    """The shapes of the numbers, and of the bounds."""
    bounds = broadcast_shapes(operation, start.shape, stop.shape)
    enough = isinstance(num, int) and (num > 1 or (num == 1 and as_flag(endpoint) is True))
    if computed in TINY_INTEGER and (enough or operation == "geomspace"):
        raise DtypeError(f"{operation} does not take {computed}; widen it first, with x.astype(jnp.int8)", ValueError)
    return _insert(operation, bounds, axis, num), bounds


@rule("numpy.linspace")
def linspace(
    cx: Context,
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: Any = True,
    retstep: Any = False,
    dtype: Any = None,
    axis: Any = 0,
    *,
    device: Any = None,
) -> Any:
    """`jax.numpy.linspace`: with `retstep`, the numbers and the step."""
    check_hashable("linspace", endpoint=endpoint, retstep=retstep, dtype=dtype)
    size, place = _number("linspace", num), as_index("linspace", "axis", axis)
    a, b = as_operand(cx, start, "linspace", 0), as_operand(cx, stop, "linspace", 1)
    chosen, computed = _spaced_dtypes(cx, "linspace", a, b, dtype)
    shape, bounds = _linspace("linspace", a, b, size, endpoint, place, computed)
    numbers = ShapedArray(shape, chosen, False)
    flag = as_flag(retstep)
    if flag is False:
        return numbers
    if size == 0 or (size == 1 and as_flag(endpoint) is True):
        bounds = ()
    elif bounds != () and not (isinstance(size, int) and (size > 1 or as_flag(endpoint) is False)):
        bounds = None  # the step of one number or none is a scalar NaN
    with_step = (numbers, ShapedArray(bounds, computed, False))
    return with_step if flag else Alternatives.of((numbers, with_step))


@rule("numpy.logspace")
def logspace(
    cx: Context,
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: Any = True,
    base: Any = 10.0,
    dtype: Any = None,
    axis: Any = 0,
) -> ShapedArray:
    """`jax.numpy.logspace`."""
    check_hashable("logspace", endpoint=endpoint, dtype=dtype)
    size, place = _number("logspace", num), as_index("logspace", "axis", axis)
    a, b = as_operand(cx, start, "logspace", 0), as_operand(cx, stop, "logspace", 1)
    root = as_operand(cx, base, "logspace", "base")
    chosen, computed = _spaced_dtypes(cx, "logspace", a, b, dtype)
    shape, _ = _linspace("logspace", a, b, size, endpoint, place, computed)
    cx.join("logspace", (root, ShapedArray(shape, computed, False)))
    return ShapedArray(broadcast_shapes("logspace", root.shape, shape), chosen, False)


@rule("numpy.geomspace")
def geomspace(
    cx: Context, start: Any, stop: Any, num: Any = 50, endpoint: Any = True, dtype: Any = None, axis: Any = 0
) -> ShapedArray:
    """`jax.numpy.geomspace`."""
    check_hashable("geomspace", endpoint=endpoint, dtype=dtype)
    size, place = _number("geomspace", num), as_index("geomspace", "axis", axis)
    a, b = as_operand(cx, start, "geomspace", 0), as_operand(cx, stop, "geomspace", 1)
    chosen, computed = _spaced_dtypes(cx, "geomspace", a, b, dtype)
    shape, bounds = _linspace("geomspace", a, b, size, endpoint, 0, computed)
    if shape is not None:
        place = canonicalize_axis("geomspace", axis, len(shape))
    return ShapedArray(_insert("geomspace", bounds, place, size), chosen, False)
