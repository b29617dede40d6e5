"""Numbers in a row: evenly, logarithmically or geometrically spaced, and the coordinates of grids.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; `jax/_src/numpy/array_creation.py`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from arraytyping import config
from arraytyping.basearray import Array
from arraytyping.errors import ConcretizationTypeError
from arraytyping.numpy.creation import checked, shape_of
from arraytyping.numpy.promoting import inexact_dtype, one_rank, promoted
from arraytyping.runtime.array import array_of
from arraytyping.runtime.array_likes import array_from, concrete_int, convert_to
from arraytyping.runtime.call_arguments import abstract, described
from arraytyping.runtime.calling import answered, dtype_of, operation
from arraytyping.runtime.core import is_eager, raised
from arraytyping.runtime.interface.host import concrete
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, div_p, mul_p, sub_p
from arraytyping.runtime.lax.creation import full_of, iota_of
from arraytyping.runtime.lax.elementary import log_p
from arraytyping.runtime.lax.integers import floor_p, sign_p
from arraytyping.runtime.lax.powers import pow_p
from arraytyping.runtime.lax.slicing import concatenate_p
from arraytyping.runtime.lax.structure import broadcast_in_dim_p, broadcast_to, expand_to, moveaxis, reshape
from arraytyping.runtime.np_dtypes import np_dtype
from arraytyping.runtime.out_shardings import takes_out_sharding
from arraytyping.runtime.placement import device_put
from arraytyping.scalars import KINDS, bits
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import RuleError
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes
from arraytyping.user_warnings import warn_user

__all__ = ["arange", "geomspace", "indices", "linspace", "logspace", "meshgrid"]


def _number(value: Any, name: str) -> Any:
    """A bound of a range as a number of Python's or NumPy's.

    Raises:
        ConcretizationTypeError: for a tracer.
    """
    found = concrete(value) if isinstance(value, Array) else value
    if found is None:
        raise ConcretizationTypeError(
            f"{name} of arange must be known when the program is traced, since the size follows from it, got a tracer "
            f"of {value.aval}; use static_argnums for the argument that it comes from"
        )
    return np.asarray(found)[()] if isinstance(found, Array | np.ndarray) else found


@takes_out_sharding
def arange(
    start: Any, stop: Any = None, step: Any = None, dtype: Any = None, *, device: Any = None, out_sharding: Any = None
) -> Any:
    """`jax.numpy.arange`: the numbers from a start to before a stop, in steps.

    Raises:
        TypeError, ValueError: as the rule says: for bounds that are no real numbers without dimensions.
        ZeroDivisionError: for a step of 0.
        ConcretizationTypeError: for a bound that is traced.
    """
    from arraytyping.semantics.rules.registry import RULES

    given = [v.__jax_array__() if hasattr(v, "__jax_array__") else v for v in (start, stop, step)]
    names = ("start" if stop is not None or step is not None else "stop", "stop", "step")
    numbers: list[Any] = [None if v is None else _number(v, f"the argument {name}") for v, name in zip(given, names)]
    cx = Context(config.promotion())
    try:
        expected = RULES["numpy.arange"].function(cx, *(abstract(v, True) for v in given), described(dtype))
    except RuleError as error:
        raise raised(error) from None
    warn_user(w.message for w in cx.warnings)
    first, last, by = numbers if numbers[1] is not None else (0, numbers[0], numbers[2])
    with np.errstate(all="ignore"):
        distance = last if by is None and first == 0 else last - first
        size = max(0, math.ceil(distance if by is None else distance / by))
    result = _spaced(first, by, size, str(expected.dtype))
    return result if device is None else device_put(result, device)


def _spaced(first: Any, by: Any, size: int, dtype: str) -> Any:
    """So many numbers from the first, in steps, computed in float32 at least."""
    checked((size,), dtype)
    working = "float32" if by is not None and KINDS[dtype] == "f" and bits(dtype) < 32 else dtype
    if is_eager():
        kind = np_dtype(working)
        with np.errstate(all="ignore"):
            numbers = np.arange(size).astype(kind)
            if by is not None:
                numbers = np.asarray(by).astype(kind) * numbers
            if by is not None or first != 0:
                numbers = np.asarray(first).astype(kind) + numbers
            return array_of(numbers.astype(np_dtype(dtype)))
    result = iota_of(working, (size,), 0)
    if by is not None:
        result = mul_p.bind(constant_like(result, _python(by)), result)
    if by is not None or first != 0:
        result = add_p.bind(constant_like(result, _python(first)), result)
    return convert_to(result, dtype)


def _python(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _evenly(start: Any, stop: Any, num: int, endpoint: bool, axis: int, dtype: str) -> tuple[Any, Any]:
    """The numbers, in the dtype in which they are computed, and the step."""
    start, stop = convert_to(start, dtype), convert_to(stop, dtype)
    bounds: Any = broadcast_shapes("linspace", start.aval.shape, stop.aval.shape)
    start, stop = one_rank(start, stop)
    wide = [broadcast_to(x, tuple(bounds)) for x in (start, stop)]
    axis = axis + len(bounds) + 1 if axis < 0 else axis
    expanded = list(bounds)
    expanded.insert(axis, 1)
    nan = full_of(float("nan"), ShapedArray((), dtype, False))
    if num == 0:
        empty = list(bounds)
        empty.insert(axis, 0)
        return full_of(0, ShapedArray(tuple(empty), dtype, False)), nan
    first, last = (reshape(x, tuple(expanded)) for x in wide)
    if num == 1:
        return first, nan if endpoint else sub_p.bind(stop, start)
    parts = num - 1 if endpoint else num
    real = {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)
    sizes = [1] * len(expanded)
    sizes[axis] = parts
    counted = iota_of(real, (parts,), 0)
    fraction = div_p.bind(counted, constant_like(counted, parts))
    fraction = convert_to(reshape(fraction, tuple(sizes)), dtype)
    rest = sub_p.bind(constant_like(fraction, 1), fraction)
    numbers = add_p.bind(mul_p.bind(first, rest), mul_p.bind(last, fraction))
    if endpoint:
        numbers = concatenate_p.bind(numbers, last, dimension=axis % len(expanded))
    return numbers, div_p.bind(sub_p.bind(stop, start), constant_like(stop, parts))


@answered("numpy.linspace", "start", "stop")
def linspace(
    answer: ShapedArray | tuple[ShapedArray, ...], start: Any, stop: Any, num: Any = 50, endpoint: Any = True,
    retstep: Any = False, dtype: Any = None, axis: Any = 0, *, device: Any = None,
) -> Any:  # fmt: skip
    """`jax.numpy.linspace`: so many numbers, evenly spaced, and with `retstep` the step."""
    chosen = dtype_of(answer[0] if isinstance(answer, tuple) else answer)
    computed = inexact_dtype(chosen)
    count, place = concrete_int(num, "num of linspace"), concrete_int(axis, "axis of linspace")
    numbers, step = _evenly(start, stop, count, bool(endpoint), place, computed)
    numbers = _stored(numbers, chosen)
    return (numbers, step) if retstep else numbers


def _stored(numbers: Any, dtype: str) -> Any:
    """Numbers in another dtype; as integers they are rounded down."""
    if KINDS[dtype] in "iu" and KINDS[numbers.aval.dtype] == "f":
        numbers = floor_p.bind(numbers)
    return convert_to(numbers, dtype)


def _logarithmically(start: Any, stop: Any, num: int, endpoint: bool, base: Any, axis: int, computed: str) -> Any:
    exponents, _ = _evenly(start, stop, num, endpoint, axis, computed)
    root, exponents = one_rank(*promoted(array_from(base), exponents))
    return pow_p.bind(root, exponents)


@answered("numpy.logspace", "start", "stop", "base")
def logspace(
    answer: ShapedArray, start: Any, stop: Any, num: Any = 50, endpoint: Any = True, base: Any = 10.0,
    dtype: Any = None, axis: Any = 0,
) -> Any:  # fmt: skip
    """`jax.numpy.logspace`: powers of a base, their exponents evenly spaced."""
    chosen, computed = dtype_of(answer), inexact_dtype(dtype_of(answer))
    count, place = concrete_int(num, "num of logspace"), concrete_int(axis, "axis of logspace")
    return convert_to(_logarithmically(start, stop, count, bool(endpoint), base, place, computed), chosen)


def _log10(x: Any) -> Any:
    return div_p.bind(log_p.bind(x), constant_like(x, math.log(10)))


@answered("numpy.geomspace", "start", "stop")
def geomspace(
    answer: ShapedArray, start: Any, stop: Any, num: Any = 50, endpoint: Any = True, dtype: Any = None, axis: Any = 0
) -> Any:
    """`jax.numpy.geomspace`: numbers of which each is the one before by a factor."""
    chosen, computed = dtype_of(answer), inexact_dtype(dtype_of(answer))
    count = concrete_int(num, "num of geomspace")
    first, last = one_rank(convert_to(start, computed), convert_to(stop, computed))
    sign = sign_p.bind(first)
    ten = array_from(10.0)
    exponents = _log10(div_p.bind(first, sign)), _log10(div_p.bind(*one_rank(last, sign)))
    powers = _logarithmically(*exponents, count, bool(endpoint), ten, 0, computed)
    result = mul_p.bind(*one_rank(sign, convert_to(powers, computed)))
    place = canonicalize_axis("geomspace", concrete_int(axis, "axis of geomspace"), len(result.aval.shape))
    return convert_to(moveaxis(result, 0, place or 0) if result.aval.shape else result, chosen)


@operation("numpy.meshgrid", "xi")
def meshgrid(*xi: Any, copy: Any = True, sparse: Any = False, indexing: Any = "xy") -> Any:
    """`jax.numpy.meshgrid`: for each coordinate its value everywhere on the grid."""
    n = len(xi)
    order = list(range(n))
    if indexing == "xy" and n >= 2:
        order[:2] = [1, 0]
    shape = tuple(xi[i].aval.shape[0] for i in order)
    grids = []
    for i, x in enumerate(xi):
        place = order.index(i)
        if sparse:
            grids.append(expand_to(x, tuple(d if p == place else 1 for p, d in enumerate(shape))))
        else:
            grids.append(broadcast_in_dim_p.bind(x, shape=shape, broadcast_dimensions=(place,)))
    return grids


@answered("numpy.indices")
def indices(
    answer: ShapedArray | tuple[ShapedArray, ...], dimensions: Any, dtype: Any = None, sparse: Any = False
) -> Any:
    """`jax.numpy.indices`: for each dimension the index along it, everywhere."""
    shape = shape_of(dimensions, "indices")
    if isinstance(answer, tuple) and not answer:
        return ()
    name = dtype_of(answer[0] if isinstance(answer, tuple) else answer)
    if sparse:
        return tuple(
            expand_to(iota_of(name, (d,), 0), tuple(d if i == j else 1 for j in range(len(shape))))
            for i, d in enumerate(shape)
        )
    if not shape:
        return full_of(0, ShapedArray((0,), name, False))
    grids = [expand_to(iota_of(name, shape, i), (1, *shape)) for i in range(len(shape))]
    return concatenate_p.bind(*grids, dimension=0) if len(grids) > 1 else grids[0]
