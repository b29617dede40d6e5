"""Rules of the family: functions of dtypes; a dtype comes and goes as one of the classes of `scalars`.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/dtypes.py; `can_cast` and `dtype` are NumPy's.
"""

from __future__ import annotations

import re
from typing import Any, Final

from arraytyping.scalars import COMPLEXES, DTYPES, FLOATS, KINDS, SCALARS, SIGNED, UNSIGNED, generic
from arraytyping.semantics.avals import UNKNOWN, NumPyArray, Scalar, ShapedArray, SymbolicDim
from arraytyping.semantics.promotion.jax import PromotionError
from arraytyping.semantics.rules import casting as casts
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DtypeError
from arraytyping.semantics.rules.operands import as_array, as_dtype, requested_dtype
from arraytyping.semantics.rules.table import rule

__all__: list[str] = []

_NUMPY_WIDTH: Final = {"int": "int64", "float": "float64", "complex": "complex128"}
"""The dtypes that NumPy gives to the Python types."""

_FOREIGN_NAMES: Final = (
    "str", "str_", "bytes", "bytes_", "unicode", "object", "object_", "void", "datetime64", "timedelta64",
    "longdouble", "clongdouble", "float96", "float128", "complex192", "complex256", "bcomplex32", "complex32",
)  # fmt: skip
"""NumPy's and ml_dtypes' dtypes that are none of JAX."""


def _scalar(dtype: str | None) -> Any:
    return UNKNOWN if dtype is None else SCALARS[dtype]


def _named(value: Any, operation: str) -> str | None:
    """The dtype that `numpy.dtype` makes of an argument, a Python type left as it is; None if unknown.

    Raises:
        DtypeError: for what certainly names no dtype of NumPy.
    """
    if value is None:
        return "float64"
    try:
        return as_dtype(value, operation)
    except DtypeError:
        if isinstance(value, str) and (not re.fullmatch(r"[a-z_]{2,}[0-9]*", value) or value in _FOREIGN_NAMES):
            return None  # one of NumPy's other dtypes, perhaps
        if isinstance(value, type) and not issubclass(value, generic):
            return None
        if isinstance(value, tuple | dict) or (isinstance(value, list) and all(_is_field(v) for v in value)):
            return None  # NumPy's structured dtypes
        raise


def _is_field(value: Any) -> bool:
    return value is UNKNOWN or isinstance(value, tuple)


def _numpy_dtype(value: Any, operation: str) -> str | None:
    """The dtype that `numpy.dtype` makes of an argument."""
    dtype = _named(value, operation)
    return None if dtype is None else _NUMPY_WIDTH.get(dtype, dtype)


@rule("numpy.dtype")
def dtype(cx: Context, dtype: Any, align: Any = False, copy: Any = False, **kwargs: Any) -> Any:
    """`numpy.dtype`, which `jax.numpy.dtype` is: a Python type gives 64 bits, also where x64 is off."""
    return _scalar(_numpy_dtype(dtype, "dtype"))


@rule("numpy.promote_types")
def promote_types(cx: Context, a: Any, b: Any) -> Any:
    """`jax.numpy.promote_types`."""
    first, second = _named(a, "promote_types"), _named(b, "promote_types")
    if first is None or second is None:
        return UNKNOWN
    try:
        return SCALARS[cx.promotion.promote_types(first, second)]
    except PromotionError as error:
        raise DtypeError(f"promote_types: {error}", ValueError) from None


@rule("numpy.result_type")
def result_type(cx: Context, *args: Any) -> Any:
    """`jax.numpy.result_type`, of arrays, scalars and dtypes; None stands for the default float."""
    if not args:
        raise DtypeError("result_type takes at least one array or dtype", ValueError)
    operands = [_typed(cx, arg, i) for i, arg in enumerate(args)]
    joined, weak = cx.join("result_type", operands)
    return _scalar(cx.default(KINDS[joined]) if joined is not None and weak else joined)


def _typed(cx: Context, value: Any, position: int) -> ShapedArray:
    """An array of the dtype and weak type that an argument of `result_type` stands for."""
    if value is None:
        return ShapedArray((), cx.default("float"), False)
    if isinstance(value, str):
        return ShapedArray((), requested_dtype(cx, value, "result_type"), False)
    if isinstance(value, type):
        name = as_dtype(value, "result_type")
        if name in _NUMPY_WIDTH:
            return ShapedArray((), cx.default(name), True)
        return ShapedArray((), None if name is None else cx.promotion.canonicalize(name), False)
    return as_array(cx, value, "result_type", position)


@rule("numpy.can_cast")
def can_cast(cx: Context, from_: Any, to: Any, casting: Any = "safe") -> Any:
    """`numpy.can_cast`, which `jax.numpy.can_cast` is."""
    if to is None:
        raise DtypeError("can_cast: None is no dtype; give one such as jnp.float32 or 'float32'")
    target = _numpy_dtype(to, "can_cast")
    if casting is UNKNOWN or casting == "same_value":
        known: Any = None
    elif not isinstance(casting, str):
        raise DtypeError(f"can_cast: casting must be a string, got {casting}; give one of {', '.join(casts.CASTINGS)}")
    elif casting not in casts.CASTINGS:
        raise DtypeError(f"can_cast: casting must be one of {', '.join(casts.CASTINGS)}, got {casting!r}", ValueError)
    else:
        known = casting
    if from_ is None or isinstance(from_, Scalar | SymbolicDim | bool | int | float | complex):
        raise DtypeError(f"can_cast takes no Python scalar, got {from_}; give its dtype")
    source = from_.dtype if isinstance(from_, NumPyArray) else _numpy_dtype(from_, "can_cast")
    if source is None or target is None or known is None or source not in KINDS:
        return UNKNOWN
    answer = casts.can_cast(source, target, known)
    return UNKNOWN if answer is None else answer


@rule("numpy.issubdtype")
def issubdtype(cx: Context, arg1: Any, arg2: Any) -> Any:
    """`jax.numpy.issubdtype`: the scalar types' hierarchy."""
    lower, upper = _class(arg1), _class(arg2)
    return UNKNOWN if lower is None or upper is None else issubclass(lower, upper)


def _class(value: Any) -> type[generic] | None:
    """The scalar type, abstract or not, that an argument of `issubdtype` stands for."""
    if isinstance(value, type) and issubclass(value, generic):
        return value
    name = _numpy_dtype(value, "issubdtype")
    return None if name is None else SCALARS[name]


_CATEGORIES: Final[dict[str, tuple[str, ...]]] = {
    "bool": ("bool",),
    "signed integer": SIGNED,
    "unsigned integer": UNSIGNED,
    "integral": (*SIGNED, *UNSIGNED),
    "real floating": FLOATS,
    "complex floating": COMPLEXES,
    "numeric": tuple(d for d in DTYPES if d != "bool"),
}


@rule("numpy.isdtype")
def isdtype(cx: Context, dtype: Any, kind: Any) -> Any:
    """`jax.numpy.isdtype`: of a kind by name, of a dtype, or of one of several."""
    name = _numpy_dtype(dtype, "isdtype")
    answers = [_is_kind(name, k) for k in (kind if isinstance(kind, tuple) else (kind,))]
    if any(answers):
        return True
    return UNKNOWN if None in answers else False


def _is_kind(dtype: str | None, kind: Any) -> bool | None:
    if isinstance(kind, str) and kind in _CATEGORIES:
        return None if dtype is None else dtype in _CATEGORIES[kind]
    try:
        wanted = _numpy_dtype(kind, "isdtype")
    except DtypeError as error:
        expected = f"{error.message}; or one of the kinds {', '.join(map(repr, _CATEGORIES))}"
        raise DtypeError(expected, ValueError if isinstance(kind, str) else TypeError) from None
    return None if dtype is None or wanted is None else dtype == wanted
