"""Polynomials, as arrays of their coefficients, of which that of the highest power is first.

Source: https://docs.jax.dev/en/latest/jax.numpy.html#polynomials; `jax/_src/numpy/polynomial.py`.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import UNKNOWN, Dim, NumPyArray, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.compositions import Operations, on_abstract_values
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_FLOAT, to_inexact
from arraytyping.semantics.rules.errors import DimError, DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes
from arraytyping.semantics.rules.sizes import with_shape
from arraytyping.semantics.rules.static_arguments import as_flag, as_index, as_size
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import add_dims, at_least, differ, known_dim, max_dim, subtract_dims

__all__: list[str] = []


def _promoted(cx: Context, operation: str, *xs: Any) -> list[ShapedArray]:
    """The arrays in the dtype that they are promoted to."""
    arrays = [as_operand(cx, x, operation, i) for i, x in enumerate(xs)]
    joined = cx.join(operation, arrays)
    return [ShapedArray(a.shape, *joined) for a in arrays]


def _count(operation: str, array: ShapedArray) -> Dim:
    """The number of coefficients.

    Raises:
        DimError: (TypeError) for a number, which has none.
    """
    if array.shape == ():
        raise DimError(f"{operation}: coefficients are an array, got a number; give a list of one", TypeError)
    return None if array.shape is None else array.shape[0]


@rule("numpy.polyval")
def polyval(cx: Context, p: Any, x: Any, *, unroll: Any = 16) -> ShapedArray:
    """`jax.numpy.polyval`: by Horner's scheme, which begins with a strong 0."""
    check_hashable("polyval", unroll=unroll)
    coefficients, at = _promoted(cx, "polyval", p, x)
    rest = None if coefficients.shape is None else coefficients.shape[1:]
    shape = broadcast_shapes("polyval", rest, at.shape, exception=ValueError)
    if coefficients.shape == ():
        raise DimError("polyval: coefficients are an array, got a number; give a list of one", IndexError)
    steps = as_size("polyval", "unroll", unroll)
    if isinstance(steps, int) and steps < 0:
        raise RuleError(f"polyval: unroll is a bool or an integer from 0 on, got {steps}", ValueError)
    return ShapedArray(shape, at.dtype, False)


def _sum(cx: Context, operation: str, first: ShapedArray, second: ShapedArray) -> ShapedArray:
    """The sum: the shorter one is added to the end of the longer one."""
    if first.shape == () or second.shape == ():
        raise DimError(f"{operation}: coefficients are an array, got a number; give a list of one", IndexError)
    counts = [None if a.shape is None else a.shape[0] for a in (first, second)]
    longer = max_dim(*counts)
    for whole, part in ((first, second), (second, first)):
        of_whole, of_part = (None if a.shape is None else a.shape[0] for a in (whole, part))
        if isinstance(of_whole, int) and isinstance(of_part, int) and of_part <= of_whole:
            made = on_abstract_values(cx)("Array.at.add", whole, slice(-of_part, None), part)
            assert isinstance(made, ShapedArray)
            return made
    dtype = on_abstract_values(cx)("Array.at.add", with_shape(first, (1,)), 0, with_shape(second, ())).dtype
    flat = first.shape is not None and second.shape is not None and len(first.shape) == len(second.shape) == 1
    return ShapedArray((longer,) if flat else None, dtype, first.weak_type)


@rule("numpy.polyadd")
def polyadd(cx: Context, a1: Any, a2: Any) -> ShapedArray:
    """`jax.numpy.polyadd`."""
    return _sum(cx, "polyadd", *_promoted(cx, "polyadd", a1, a2))


@rule("numpy.polysub")
def polysub(cx: Context, a1: Any, a2: Any) -> ShapedArray:
    """`jax.numpy.polysub`."""
    first, second = _promoted(cx, "polysub", a1, a2)
    return _sum(cx, "polysub", first, on_abstract_values(cx)("numpy.negative", second))


@rule("numpy.polymul")
def polymul(cx: Context, a1: Any, a2: Any, *, trim_leading_zeros: Any = False) -> Any:
    """`jax.numpy.polymul`: a convolution; how many zeros are trimmed hangs on values."""
    ops = on_abstract_values(cx)
    arrays = ops.inexact("polymul", a1, a2)
    counts = [_count("polymul", a) for a in arrays]
    trims = as_flag(trim_leading_zeros)
    counts = [1 if n == 0 else n if trims is False and at_least(n, 1) else None for n in counts]
    one_each = all(a.shape is None or len(a.shape) == 1 for a in arrays)
    vectors = [with_shape(a, (n,) if a.shape is not None and one_each else a.shape) for a, n in zip(arrays, counts)]
    return ops("numpy.convolve", *vectors, mode="full")


@rule("numpy.polydiv")
def polydiv(cx: Context, u: Any, v: Any, *, trim_leading_zeros: Any = False) -> Any:
    """`jax.numpy.polydiv`: the quotient, and the rest, which is as long as what is divided."""
    ops = on_abstract_values(cx)
    divided, divisor = ops.inexact("polydiv", u, v)
    m, n = _count("polydiv", divided), _count("polydiv", divisor)
    scale = ops("numpy.true_divide", 1.0, ops("Array.__getitem__", divisor, 0))
    if divided.shape is None or divisor.shape is None or len(divided.shape) > 1 or len(divisor.shape) > 1:
        return UNKNOWN
    steps = add_dims((subtract_dims(m, n), 1)) if m is not None and n is not None else None
    if isinstance(steps, int) and steps > 0:
        ops("numpy.negative", ops("numpy.multiply", scale, scale))
        ops("Array.at.add", divided, 0, scale)
    trims = as_flag(trim_leading_zeros)
    rest: Shape = divided.shape if trims is False else (None,)
    weak = divided.weak_type if trims is False or divided.weak_type is False else None
    return ShapedArray((max_dim(steps, 1),), divided.dtype, False), ShapedArray(rest, divided.dtype, weak)


def _order(operation: str, m: Any) -> int | None:
    """The order of a derivative or an integral; None if unknown.

    Raises:
        RuleError: for what is no integer, and for a negative one.
    """
    order = as_index(operation, "the order m", m)
    if order is not None and order < 0:
        raise RuleError(f"{operation}: the order m must not be negative, got {order}", ValueError)
    return order


def _factors(ops: Operations, array: ShapedArray, order: int, count: Dim) -> Any:
    """The products of powers by which coefficients are multiplied or divided."""
    return ops("numpy.prod", ShapedArray((order, count), array.dtype, False), 0)


@rule("numpy.polyder")
def polyder(cx: Context, p: Any, m: Any = 1) -> Any:
    """`jax.numpy.polyder`: the derivative of order m."""
    check_hashable("polyder", m=m)
    array = as_operand(cx, p, "polyder")
    order = _order("polyder", m)
    ops = on_abstract_values(cx)
    (array,) = ops.inexact("polyder", array)
    if order == 0:
        return array
    if order is None:  # of order 0, it is the polynomial itself, whatever that is
        return ShapedArray((None,) if array.shape is not None and len(array.shape) == 1 else None, None)
    count = _count("polyder", array)
    left = max_dim(subtract_dims(count, order), 0)
    coefficients = with_shape(array, None if array.shape is None else (left, *array.shape[1:]))
    made = ops("numpy.multiply", coefficients, _factors(ops, array, order, left))
    assert isinstance(made, ShapedArray)
    return made


@rule("numpy.polyint")
def polyint(cx: Context, p: Any, m: Any = 1, k: Any = None) -> Any:
    """`jax.numpy.polyint`: the integral of order m, with the constants k."""
    check_hashable("polyint", m=m)
    array = as_operand(cx, p, "polyint")
    constants = as_operand(cx, 0 if k is None else k, "polyint", "k")
    order = _order("polyint", m)
    ops = on_abstract_values(cx)
    array, constants = ops.inexact("polyint", array, constants)
    if order is None:
        return ShapedArray(None, None)
    given = constants.shape or (1,)
    if constants.shape is not None and (len(given) > 1 or (differ(given[0], 1) and differ(given[0], order))):
        if given[0] != 1 or len(given) == 1 or order == 0:
            raise ShapeError(
                f"polyint: k is a number, or one for each of {order} integrals, got shape "
                f"{shape_tuple_str(constants.shape)}",
                ValueError,
            )
        return ShapedArray(None, None)
    if order == 0:
        return array
    count = _count("polyint", array)
    joined = ops("numpy.concatenate", (array, with_shape(constants, (order,))))
    made = ops("numpy.true_divide", joined, _factors(ops, array, order, add_dims((count, order))))
    assert isinstance(made, ShapedArray)
    return made


@rule("numpy.poly")
def poly(cx: Context, seq_of_zeros: Any) -> Any:
    """`jax.numpy.poly`: the polynomial with these zeros, or with the eigenvalues of a matrix as zeros."""
    ops = on_abstract_values(cx)
    (roots,) = ops.inexact("poly", seq_of_zeros)
    if roots.shape is None:
        return UNKNOWN
    shape = roots.shape or (1,)
    if len(shape) == 2 and not differ(shape[0], shape[-1]) and 0 not in shape:
        if None in shape or shape[0] != shape[-1]:
            return UNKNOWN
        roots = ops("numpy.linalg.eigvals", roots)
        shape = shape[:1]
    if len(shape) != 1:
        raise ShapeError(f"poly: an array of 1 dimension, or a square matrix, is required, got {roots}", ValueError)
    if shape[0] == 0:
        return ShapedArray((), roots.dtype, False)
    if not at_least(shape[0], 1):
        return UNKNOWN
    ops("numpy.negative", roots)
    two = ShapedArray((2,), roots.dtype, False)
    return with_shape(ops("numpy.convolve", two, two), (add_dims((shape[0], 1)),))


def _points(cx: Context, x: Any, y: Any, w: Any) -> tuple[ShapedArray, ShapedArray, ShapedArray | None]:
    return (
        as_operand(cx, x, "polyfit", "x"),
        as_operand(cx, y, "polyfit", "y"),
        None if w is None else as_operand(cx, w, "polyfit", "w"),
    )


def _check_points(x: ShapedArray, y: ShapedArray) -> None:
    if x.shape is not None and (len(x.shape) != 1 or x.shape[0] == 0):
        raise ShapeError(f"polyfit: x is a vector with items, got shape {shape_tuple_str(x.shape)}")
    if y.shape is not None and len(y.shape) not in (1, 2):
        raise ShapeError(f"polyfit: y has 1 or 2 dimensions, got shape {shape_tuple_str(y.shape)}")
    if x.shape is not None and y.shape is not None and differ(x.shape[0], y.shape[0]):
        raise ShapeError(f"polyfit: x and y must have the same length, got {x.shape[0]} and {y.shape[0]}")


def _weighted(cx: Context, w: ShapedArray, left: ShapedArray, right: ShapedArray) -> tuple[ShapedArray, ShapedArray]:
    """Both sides of the equations, multiplied by the weights."""
    ops = on_abstract_values(cx)
    (w,) = ops.inexact("polyfit", w)
    if w.shape is not None and (len(w.shape) != 1 or (right.shape is not None and differ(w.shape[0], right.shape[0]))):
        raise ShapeError(f"polyfit: the weights are a vector of the length of y, got shape {shape_tuple_str(w.shape)}")
    one = with_shape(w, ())
    return ops("numpy.multiply", left, one), ops("numpy.multiply", right, one)


@rule("numpy.polyfit")
def polyfit(
    cx: Context, x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None, cov: Any = False
) -> Any:
    """`jax.numpy.polyfit`: by least squares; with `full` or `cov`, what is known of the fit too."""
    check_hashable("polyfit", deg=deg, rcond=rcond, full=full, cov=cov)
    points, values, weights = _points(cx, x, y, w)
    if isinstance(deg, str):
        raise RuleError(f"polyfit: the degree is an integer, got {deg!r}; give an int", ValueError)
    degree = as_index("polyfit", "the degree", int(deg) if isinstance(deg, float) else deg)
    if degree is not None and degree < 0:
        raise RuleError(f"polyfit: the degree must not be negative, got {degree}", ValueError)
    _check_points(points, values)
    if w is UNKNOWN:
        return UNKNOWN
    if (
        rcond is None
        and points.dtype is not None
        and points.dtype not in ANY_FLOAT
        and to_inexact(points.dtype) != points.dtype
    ):
        raise DtypeError(
            f"polyfit: the precision of {points.dtype} is asked for; convert x to floats, or give rcond", ValueError
        )
    ops = on_abstract_values(cx)
    order = None if degree is None else degree + 1
    count = known_dim(None if a.shape is None else a.shape[0] for a in (points, values))
    left = with_shape(ops("numpy.vander", with_shape(points, (count,)), 2), (count, order))
    right = values
    if weights is not None:
        left, right = _weighted(cx, weights, left, right)
    scale = ops("numpy.sqrt", ops("numpy.sum", ops("numpy.multiply", left, left), axis=0))
    left = ops("numpy.true_divide", left, with_shape(scale, (1, order)))
    solved = ops("numpy.linalg.lstsq", left, right, UNKNOWN)
    if not isinstance(solved, tuple):
        return UNKNOWN
    c, residuals, rank, s = solved
    columns = c.shape[1:] if isinstance(c, ShapedArray) and c.shape is not None else None
    c = ops("numpy.true_divide", c, with_shape(scale, () if columns is None else (order, *(1 for _ in columns))))
    has_all, has_variances = as_flag(full), None if cov is UNKNOWN else as_flag(cov)
    if has_all is None:
        return UNKNOWN
    if has_all:
        tolerance = ShapedArray((), cx.default("float"), True) if rcond is None else ops("numpy.asarray", rcond)
        return c, residuals, rank, s, tolerance
    if has_variances is False:
        return c
    if has_variances is None:
        return UNKNOWN
    return _with_variances(cx, c, residuals, left, scale, cov, (count, order), values)


def _with_variances(
    cx: Context, c: Any, residuals: Any, left: Any, scale: Any, cov: Any, sizes: tuple[Dim, int | None], y: ShapedArray
) -> Any:
    ops = on_abstract_values(cx)
    count, order = sizes
    variances = ops("numpy.linalg.inv", ops("numpy.dot", with_shape(left, (order, count)), left))
    variances = ops("numpy.true_divide", variances, ops("numpy.outer", scale, scale))
    if isinstance(cov, NumPyArray):
        return UNKNOWN
    if cov != "unscaled":
        if isinstance(count, int) and order is not None and count <= order:
            raise RuleError(
                f"polyfit: {count} points are too few to scale the covariances of {order} coefficients", ValueError
            )
        factor = ops("numpy.true_divide", residuals, 1)
    else:
        factor = ShapedArray((), cx.default("float"), True)
    if y.shape is None:
        return UNKNOWN
    if len(y.shape) == 1:
        return c, with_shape(ops("numpy.multiply", variances, with_shape(factor, ())), (order, order))
    last = (factor.shape or (1,))[0] if isinstance(factor, ShapedArray) and factor.shape is not None else None
    return c, with_shape(ops("numpy.multiply", variances, with_shape(factor, ())), (order, order, last))
