"""Rules of `jax.scipy.special`: functions of each item, which make floats of integers first.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/scipy/special.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_COMPLEX, to_inexact
from arraytyping.semantics.rules.errors import DtypeError, ShapeError
from arraytyping.semantics.rules.lax_operands import NOT_INEXACT
from arraytyping.semantics.rules.named import named
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.refusals import refuse
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes
from arraytyping.semantics.rules.table import register, rule

__all__: list[str] = []


def _inexact(cx: Context, operation: str, *xs: Any) -> list[ShapedArray]:
    """The arrays in the floating or complex dtype that they are promoted to, in the shape that they broadcast to."""
    arrays = [as_operand(cx, x, operation, i) for i, x in enumerate(xs)]
    dtype, weak = cx.join(operation, arrays)
    inexact = None if dtype is None else to_inexact(dtype)
    try:
        shape = broadcast_shapes(operation, *(a.shape for a in arrays))
    except ShapeError as error:
        ranks = {a.ndim for a in arrays}
        raise ShapeError(error.message, TypeError if len(ranks) == 1 else ValueError) from None
    return [ShapedArray(shape, inexact, weak and dtype != "bool") for _ in arrays]


def _elementwise(name: str, lax_name: str) -> None:
    of_lax = named(f"lax.{lax_name}")

    def function(cx: Context, x: Any) -> Any:
        return of_lax(cx, *_inexact(cx, name, x))

    register(f"scipy.special.{name}", function)


for _name, _lax_name in (
    ("erf", "erf"), ("erfc", "erfc"), ("erfinv", "erf_inv"), ("gammaln", "lgamma"), ("digamma", "digamma"),
    ("expit", "logistic"), ("i0e", "bessel_i0e"), ("i1e", "bessel_i1e"),
):  # fmt: skip
    _elementwise(_name, _lax_name)


@rule("scipy.special.xlogy")
def xlogy(cx: Context, x: Any, y: Any) -> ShapedArray:
    """`jax.scipy.special.xlogy`."""
    first, _ = _inexact(cx, "xlogy", x, y)
    refuse("xlogy", first.dtype, (NOT_INEXACT,))
    return first


@rule("scipy.special.xlog1py")
def xlog1py(cx: Context, x: Any, y: Any) -> ShapedArray:
    """`jax.scipy.special.xlog1py`."""
    first, _ = _inexact(cx, "xlog1py", x, y)
    refuse("xlog1py", first.dtype, (NOT_INEXACT,))
    return first


@rule("scipy.special.entr")
def entr(cx: Context, x: Any) -> ShapedArray:
    """`jax.scipy.special.entr`."""
    (array,) = _inexact(cx, "entr", x)
    if array.dtype in ANY_COMPLEX:
        raise DtypeError(f"entr does not take {array.dtype}; take jnp.real or jnp.abs of it first", ValueError)
    refuse("entr", array.dtype, (NOT_INEXACT.raising(ValueError),))
    return array
