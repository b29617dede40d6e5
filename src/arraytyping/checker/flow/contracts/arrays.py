"""One value against one array: the class of arrays, the dtype, and what else a union may admit.

What an annotation of `jax.Array` alone refuses is minor: programs pass None, tuples and NumPy's arrays freely.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from arraytyping.checker.flow.contracts.dimensions import FITS, MAY_FIT, Mismatch, Verdict
from arraytyping.checker.flow.contracts.expectations import NONE, ArrayOf, Expectation, PythonClass
from arraytyping.checker.flow.contracts.jaxtyping_classes import dtype_names
from arraytyping.checker.flow.state.showing import show
from arraytyping.checker.flow.values import (
    ArrayValue,
    DictValue,
    FunctionValue,
    JitValue,
    ListValue,
    NumPyValue,
    ScalarValue,
    SetValue,
    Value,
)

__all__ = ["NO_ARRAYS", "NUMBERS", "dtype_fits", "no_array", "other_array", "plain_array", "settle"]

NUMBERS: Final = (bool, int, float, complex)
NO_ARRAYS: Final = (
    ListValue,
    DictValue,
    SetValue,
    FunctionValue,
    JitValue,
    *NUMBERS,
    str,
    bytes,
    ScalarValue,
    type(None),
)
_PLAINLY_WRONG: Final = (ListValue, DictValue, SetValue, FunctionValue, JitValue, str, bytes, type(None))


def settle(member: Expectation, value: Value) -> Verdict:
    """Whether a value is None, or of a Python type: which member of a union it is."""
    no = Mismatch("", "")
    if member is NONE:
        if value is None:
            return FITS
        return no if isinstance(value, (ArrayValue, NumPyValue, *NO_ARRAYS, tuple)) else MAY_FIT
    assert isinstance(member, PythonClass)
    if isinstance(value, ArrayValue):
        return no
    if isinstance(value, NumPyValue):
        return MAY_FIT if value.is_scalar or value.shape in (None, ()) else no
    if value is None or isinstance(value, ListValue | DictValue | SetValue | tuple | FunctionValue):
        return no
    if type(value) in (str, bytes):
        return FITS if type(value) is member.cls else no
    if type(value) in NUMBERS:
        return MAY_FIT if member.cls in NUMBERS else no
    return MAY_FIT


def plain_array(value: Value) -> Verdict:
    """`jax.Array`: numbers are let through, since jax takes them wherever it takes an array; the rest is minor."""
    if isinstance(value, ArrayValue):
        return FITS
    wrong: Mismatch | None = None
    if isinstance(value, NumPyValue) and value.is_array:
        wrong = other_array(value)
    elif isinstance(value, _PLAINLY_WRONG) or (isinstance(value, tuple) and not hasattr(value, "dtype")):
        wrong = no_array(value)
    return MAY_FIT if wrong is None else replace(wrong, tolerable=True, minor=True)


def no_array(value: Value) -> Mismatch:
    """What is wrong with a value that is no array."""
    if value is None:
        return Mismatch("None is no array", "write `| None` in the annotation if None is meant")
    if isinstance(value, (ScalarValue, *NUMBERS)) and str not in getattr(value, "kinds", ()):
        advice = "make it one with jnp.asarray, or let the annotation take numbers"
        return Mismatch("a Python number is no array", advice, tolerable=True)
    kind = "tuple" if isinstance(value, tuple) else "function" if isinstance(value, FunctionValue | JitValue) else ""
    return Mismatch(f"a {kind} is no array" if kind else f"{show(value)} is no array", "")


def other_array(value: Value) -> Mismatch:
    """What is wrong with an array of the other library."""
    if isinstance(value, NumPyValue):
        kind = "scalar" if value.is_scalar else "array"
        return Mismatch(f"a NumPy {kind} is no jax.Array", "convert it with jnp.asarray", tolerable=True)
    return Mismatch("a JAX array is no np.ndarray", "convert it with np.asarray", tolerable=True)


def dtype_fits(expected: ArrayOf, value: ArrayValue | NumPyValue) -> Verdict:
    """Hold an array's dtype against those of an annotation."""
    if expected.dtypes is None:
        return FITS
    dtype = value.aval.dtype if isinstance(value, ArrayValue) else value.dtype
    names = dtype_names(dtype)
    if names is None:
        return MAY_FIT
    for wanted in expected.dtypes:
        if any(wanted == n if isinstance(wanted, str) else wanted.match(n) for n in names):
            return FITS
    if any(isinstance(wanted, re.Pattern) for wanted in expected.dtypes):
        return Mismatch(f"its dtype is {dtype}, which {expected.dtype_shown!r} does not match", "")
    single = expected.single_dtype
    advice = f"convert it with .astype({single!r})" if single is not None and single != "prng_key" else ""
    return Mismatch(f"its dtype is {dtype}, not {expected.dtype_shown}", advice)
