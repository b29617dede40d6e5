"""Powers: the one elementwise function whose dtype depends on a value, and so on whether the code is traced.

With an exponent that is an integer known at run time (a Python int, a NumPy integer, a 0-d integer array outside of
a transformation) JAX multiplies the base by itself: the result has the base's dtype, the exponent's is ignored.  With
any other exponent the two are promoted.  So `jnp.int8(2) ** jnp.int32(3)` is int8, but int32 under `jit`: where only
the running program knows which it is, the result is both.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.power.html; `jax/_src/numpy/ufuncs.py`, `power`.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Any

from arraytyping.semantics.avals import UNKNOWN, Alternatives, NumPyArray, Scalar, ShapedArray, SymbolicDim
from arraytyping.semantics.rules.binary import promoted_shape
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_INEXACT, ANY_INTEGER, NARROW_INTEGER, to_numeric
from arraytyping.semantics.rules.errors import DtypeError, RuleError
from arraytyping.semantics.rules.operands import as_array, as_operand
from arraytyping.semantics.rules.refusals import NARROW, refuse
from arraytyping.semantics.rules.table import rule

__all__ = ["power"]


class Exponent(Enum):
    """Whether JAX can read the exponent as an integer."""

    INTEGER = auto()
    OPERAND = auto()
    EITHER = auto()


def exponent_class(x2: Any) -> Exponent:
    """What an exponent is to JAX, as far as one can know."""
    if isinstance(x2, int):
        return Exponent.INTEGER
    if isinstance(x2, float | complex):
        return Exponent.OPERAND
    if isinstance(x2, SymbolicDim):
        return Exponent.EITHER
    if isinstance(x2, Scalar):  # a Python int may have been passed to a jitted function, and is an array then
        return Exponent.EITHER if x2.kind in ("int", "bool") else Exponent.OPERAND
    if isinstance(x2, ShapedArray | NumPyArray):
        if x2.shape is not None and len(x2.shape) > 0:
            return Exponent.OPERAND
        if isinstance(x2, ShapedArray) and x2.dtype in NARROW_INTEGER:  # Python cannot read an array of these
            return Exponent.OPERAND
        return Exponent.EITHER if x2.dtype is None or x2.dtype in ANY_INTEGER else Exponent.OPERAND
    return Exponent.EITHER if x2 is UNKNOWN else Exponent.OPERAND


@rule("numpy.power", "numpy.pow")
def power(cx: Context, x1: Any, x2: Any, /) -> Any:
    """`jax.numpy.power`, and the operator `**`."""
    exponent = exponent_class(x2)
    if exponent is Exponent.INTEGER:
        return integer_power(cx, x1, x2)
    if exponent is Exponent.OPERAND:
        return promoted_power(cx, x1, x2)
    results = []
    errors = []
    for apply in (integer_power, promoted_power):
        try:
            results.append(apply(cx, x1, x2))
        except RuleError as error:
            errors.append(error)
    if not results:
        raise errors[-1]
    return Alternatives.of(results)


def integer_power(cx: Context, x1: Any, x2: Any) -> ShapedArray:
    """The result where JAX reads the exponent as an integer: that of multiplying the base by itself."""
    if type(x1) is int:  # not an argument of a jitted function, so it wraps around where others would not fit
        if not -(1 << 63) <= x1 < 1 << 64:
            raise DtypeError(f"power: the Python int {x1} fits no integer dtype; write it as a float", OverflowError)
        base = as_array(cx, x1, "power", 0)
    else:
        base = as_operand(cx, x1, "power", 0)
    dtype, weak = cx.join("power", (base,))
    if dtype is None:
        return ShapedArray(base.shape, None)
    if isinstance(x2, int) and x2 < 0 and dtype not in ANY_INEXACT:
        raise DtypeError(
            f"power: integers cannot be raised to negative powers, got {base} ** {x2}; "
            "make the base a float first, with x.astype(jnp.float32)"
        )
    return ShapedArray(base.shape, to_numeric(dtype), weak)


def promoted_power(cx: Context, x1: Any, x2: Any) -> ShapedArray:
    """The result where the exponent is an operand like the base."""
    base, exponent = as_operand(cx, x1, "power", 0), as_operand(cx, x2, "power", 1)
    joined, weak = cx.join("power", (base, exponent))
    shape = promoted_shape("power", base.shape, exponent.shape)
    if joined is None or base.dtype is None:
        return ShapedArray(shape, None)
    dtype = to_numeric(joined)
    if dtype not in ANY_INEXACT:
        refuse("power", dtype, (NARROW,))
        return ShapedArray(shape, dtype)
    if base.dtype in ANY_INEXACT and exponent.dtype in ANY_INTEGER:
        return ShapedArray(shape, base.dtype, base.weak_type and exponent.weak_type)
    return ShapedArray(shape, dtype, weak)
