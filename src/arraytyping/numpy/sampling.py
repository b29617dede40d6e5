"""Functions given by samples: interpolated, integrated by trapezoids, convolved.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; `jax/_src/numpy/lax_numpy.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arraytyping.numpy.arithmetic import add, divide, multiply, subtract
from arraytyping.numpy.choosing import where
from arraytyping.numpy.differences import diff
from arraytyping.numpy.division import remainder
from arraytyping.numpy.gathers import taken
from arraytyping.numpy.parts import abs as absolute, conjugated
from arraytyping.numpy.promoting import promoted, promoted_inexact
from arraytyping.numpy.reductions import sum as total
from arraytyping.numpy.searching import searched
from arraytyping.numpy.sorting import sorted_along
from arraytyping.runtime.array_likes import array_from, convert_to
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.arithmetic import constant_like
from arraytyping.runtime.lax.comparisons import gt_p, le_p, lt_p
from arraytyping.runtime.lax.convolution_functions import conv_general_dilated
from arraytyping.runtime.lax.integers import abs_p
from arraytyping.runtime.lax.slicing import concatenate_p, rev_p
from arraytyping.runtime.lax.structure import moveaxis, reshape
from arraytyping.runtime.np_dtypes import limits_of

__all__ = ["convolve", "correlate", "interp", "trapezoid"]


def _first(x: Any) -> Any:
    return reshape(slice_along(x, 0, 1), ())


def _last(x: Any) -> Any:
    n = x.aval.shape[0]
    return reshape(slice_along(x, n - 1, n), ())


def _around(xp: Any, fp: Any, period: Any) -> tuple[Any, Any]:
    """The samples of one period in order, with the last one before them and the first one behind."""
    xp, fp = sorted_along([remainder(xp, period), fp], 0)
    n = xp.aval.shape[0]
    before = subtract(slice_along(xp, n - 1, n), period), slice_along(fp, n - 1, n)
    behind = add(slice_along(xp, 0, 1), period), slice_along(fp, 0, 1)
    return tuple(concatenate_p.bind(*promoted(a, b, c), dimension=0) for a, b, c in zip(before, (xp, fp), behind))


def _interpolated(x: Any, xp: Any, fp: Any, left: Any, right: Any, period: Any) -> Any:
    x, xp = promoted_inexact(x, xp)
    (fp,) = promoted_inexact(fp)
    if period is not None:
        period = absolute(period)
        x = remainder(x, period)
        xp, fp = _around(xp, fp, period)
    n = xp.aval.shape[0]
    x, xp = promoted(x, xp)
    place = searched(xp, x, "right", "scan")
    place = where(place < 1, 1, where(place > n - 1, n - 1, place))
    place = convert_to(place, "int32")
    before = subtract(place, 1)
    x0, x1, f0, f1 = (taken(v, i, 0) for v in (xp, fp) for i in (before, place))
    dx, df = subtract(x1, x0), subtract(f1, f0)
    tiny = float(np.spacing(limits_of(xp.aval.dtype).eps))
    same = le_p.bind(abs_p.bind(dx), constant_like(dx, tiny))
    slope = multiply(divide(subtract(x, x0), where(same, 1, dx)), df)
    result = where(same, f0, add(f0, slope))
    if period is None and not isinstance(left, str):
        result = where(lt_p.bind(x, _first(xp)), _first(fp) if left is None else left, result)
    if period is None and not isinstance(right, str):
        result = where(gt_p.bind(x, _last(xp)), _last(fp) if right is None else right, result)
    return result


@operation("numpy.interp", "x", "xp", "fp", "left", "right", "period")
def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    """The function of these samples at x, linear between them; outside the outermost ones: `jax.numpy.interp`.

    `left` and `right` are the values outside, or "extrapolate".
    """
    return _interpolated(x, xp, fp, left, right, period)


@operation("numpy.trapezoid", "y", "x", "dx")
def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    """The integral of samples along an axis, by trapezoids of these widths: `jax.numpy.trapezoid`."""
    if x is None:
        (y,) = promoted_inexact(y)
        dx = array_from(dx)
        if dx.aval.shape:
            dx = reshape(dx, (1,) * (len(y.aval.shape) - len(dx.aval.shape)) + dx.aval.shape)
            dx = moveaxis(dx, axis, -1)
    else:
        y, x = promoted_inexact(y, x)
        dx = diff(x) if len(x.aval.shape) == 1 else moveaxis(diff(x, axis=axis), axis, -1)
    y = moveaxis(y, axis, -1)
    rank, n = len(y.aval.shape), y.aval.shape[-1]
    if not dx.aval.shape or dx.aval.shape[-1] == 1:
        width = dx if not dx.aval.shape else reshape(dx, dx.aval.shape[:-1])
        ends = [reshape(slice_along(y, i, i + 1, axis=rank - 1), y.aval.shape[:-1]) for i in (0, max(n - 1, 0))]
        return multiply(width, subtract(total(y, axis=-1), multiply(0.5, add(*ends))))
    pairs = add(slice_along(y, 1, n, axis=rank - 1), slice_along(y, 0, n - 1, axis=rank - 1))
    return multiply(0.5, total(multiply(dx, pairs), axis=-1))


def _convolved(name: str, a: Any, v: Any, mode: str, precision: Any, preferred: Any) -> Any:
    """The sums of products, the shorter vector moved along the longer one."""
    a, v = promoted_inexact(a, v) if preferred is None else promoted(a, v)
    n, m = a.aval.shape[0], v.aval.shape[0]
    if name == "correlate":
        v = conjugated(v)
    if n < m:
        a, v = v, a
    if name == "convolve":
        v = rev_p.bind(v, dimensions=(0,))
    size = v.aval.shape[0]
    paddings = {"valid": (0, 0), "same": (size // 2, size - size // 2 - 1), "full": (size - 1, size - 1)}
    result = conv_general_dilated(
        reshape(a, (1, 1, *a.aval.shape)), reshape(v, (1, 1, size)), (1,), [paddings[mode]], precision=precision,
        preferred_element_type=preferred,
    )  # fmt: skip
    result = reshape(result, result.aval.shape[2:])
    # with the operands exchanged, a correlation comes out in reverse
    return rev_p.bind(result, dimensions=(0,)) if name == "correlate" and n < m else result


@operation("numpy.convolve", "a", "v")
def convolve(a: Any, v: Any, mode: str = "full", *, precision: Any = None, preferred_element_type: Any = None) -> Any:
    """The convolution of two vectors, where they overlap at all, or wholly, or of their size: `jax.numpy.convolve`."""
    return _convolved("convolve", a, v, mode, precision, preferred_element_type)


@operation("numpy.correlate", "a", "v")
def correlate(a: Any, v: Any, mode: str = "valid", *, precision: Any = None, preferred_element_type: Any = None) -> Any:
    """The correlation of two vectors, the second conjugated: `jax.numpy.correlate`."""
    return _convolved("correlate", a, v, mode, precision, preferred_element_type)
