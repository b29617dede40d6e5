"""Whether arrays are equal as a whole.

Source: `allclose`, `array_equal` and `array_equiv` of
https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/lax_numpy.py.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, ShapedArray
from arraytyping.semantics.rules.compositions import on_abstract_values
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import RuleError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import differ

__all__: list[str] = []

_FLAG: Final = ShapedArray((), "bool", False)


@rule("numpy.allclose")
def allclose(cx: Context, a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> ShapedArray:
    """`jax.numpy.allclose`."""
    check_hashable("allclose", equal_nan=equal_nan)
    on_abstract_values(cx)("numpy.isclose", a, b, rtol, atol, equal_nan)
    return _FLAG


@rule("numpy.array_equal")
def array_equal(cx: Context, a1: Any, a2: Any, equal_nan: Any = False) -> ShapedArray:
    """`jax.numpy.array_equal`: arrays of two shapes are not compared."""
    ops = on_abstract_values(cx)
    first, second = (ops("numpy.asarray", a) for a in (a1, a2))
    known = isinstance(first, ShapedArray) and isinstance(second, ShapedArray)
    if known and first.shape is not None and second.shape is not None:
        same = len(first.shape) == len(second.shape) and not any(map(differ, first.shape, second.shape))
        if same and first.shape == second.shape and None not in first.shape:
            ops("numpy.equal", first, second)
    return _FLAG


@rule("numpy.array_equiv")
def array_equiv(cx: Context, a1: Any, a2: Any) -> ShapedArray:
    """`jax.numpy.array_equiv`: arrays that do not broadcast, or have no dtype in common, are not equal."""
    ops = on_abstract_values(cx)
    first, second = (ops("numpy.asarray", a) for a in (a1, a2))
    if UNKNOWN in (first, second):
        return _FLAG
    try:
        ops("numpy.equal", first, second)
    except RuleError as error:
        known = all(isinstance(a, ShapedArray) and a.dtype is not None for a in (first, second))
        if known and not issubclass(error.exception, ValueError):
            raise
    return _FLAG
