"""From an argument to what the rules compute with: any array-like to a `ShapedArray`, any dtype-like to a name."""

from __future__ import annotations

from typing import Any, Final

from arraytyping.scalars import DTYPES, KINDS, NAMES
from arraytyping.semantics.avals import UNKNOWN, NumPyArray, Scalar, ShapedArray, SymbolicDim
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import integer_limits
from arraytyping.semantics.rules.errors import DtypeError, NotArrayLikeError
from arraytyping.semantics.rules.rule_warnings import RuleWarning

__all__ = ["ANY_ARRAY", "as_array", "as_dtype", "as_operand", "is_array", "is_python_scalar", "requested_dtype"]

ANY_ARRAY: Final = ShapedArray(None, None)
"""An array of which nothing is known."""

_PYTHON_DTYPES: Final[dict[type, str]] = {bool: "bool", int: "int", float: "float", complex: "complex"}
_NUMPY_NAMES: Final = {
    # NumPy's names of the dtypes, beside the dtypes' own, as np.dtype reads them on the platforms that JAX runs on.
    "bool_": "bool", "int": "int64", "int_": "int64", "uint": "uint64", "intp": "int64", "uintp": "uint64",
    "byte": "int8", "ubyte": "uint8", "short": "int16", "ushort": "uint16", "intc": "int32", "uintc": "uint32",
    "longlong": "int64", "ulonglong": "uint64", "half": "float16", "single": "float32", "double": "float64",
    "float": "float64", "csingle": "complex64", "cdouble": "complex128", "complex": "complex128",
}  # fmt: skip
_NUMPY_CODES: Final = {
    # NumPy's codes, which may follow a byte order.
    "?": "bool", "b": "int8", "B": "uint8", "h": "int16", "H": "uint16", "i": "int32", "I": "uint32",
    "n": "int64", "N": "uint64", "p": "int64", "P": "uint64", "q": "int64", "Q": "uint64",
    "e": "float16", "f": "float32", "d": "float64", "F": "complex64", "D": "complex128",
    "b1": "bool", "i1": "int8", "i2": "int16", "i4": "int32", "i8": "int64",
    "u1": "uint8", "u2": "uint16", "u4": "uint32", "u8": "uint64",
    "f2": "float16", "f4": "float32", "f8": "float64", "c8": "complex64", "c16": "complex128",
}  # fmt: skip
_C_LONG: Final = ("long", "ulong", "l", "L")
"""What these name depends on the platform."""


def is_python_scalar(value: Any) -> bool:
    """Whether this is a Python scalar, known or not: its dtype is weak (that of a bool is not)."""
    return isinstance(value, Scalar | SymbolicDim | bool | int | float | complex)


def is_array(value: Any) -> bool:
    """Whether this is an array or a NumPy scalar, as far as one can know."""
    return isinstance(value, ShapedArray | NumPyArray)


_SCALARS: Final = (bool, int, float, complex)


def as_array(cx: Context, value: Any, operation: str, position: int | str = 0) -> ShapedArray:
    """The array that JAX makes of an array-like argument: an array, a NumPy array or scalar, a Python scalar.

    Raises:
        DtypeError: for what is no array-like, such as a list, None or a string (as `jax.numpy` does), and for a
            NumPy array of what is no dtype of JAX, such as objects.
    """
    if isinstance(value, ShapedArray):
        return value
    if isinstance(value, NumPyArray):
        dtype = value.dtype
        if dtype is not None and dtype not in KINDS:
            raise DtypeError(f"{operation}: {dtype} is no dtype of JAX; only numbers and bool are")
        return ShapedArray(value.shape, None if dtype is None else cx.promotion.canonicalize(dtype), False)
    if isinstance(value, Scalar):
        return ShapedArray((), cx.default(value.kind), value.kind != "bool")
    if isinstance(value, SymbolicDim):  # an int, known by name
        return ShapedArray((), cx.default("int"), True)
    if isinstance(value, bool | int | float | complex):  # also of a class of its own, such as a member of an `IntEnum`
        kind = next(cls.__name__ for cls in _SCALARS if isinstance(value, cls))
        return ShapedArray((), cx.default(kind), kind != "bool", value)
    if value is UNKNOWN:
        return ANY_ARRAY
    what = "None" if value is None else type(value).__name__
    raise NotArrayLikeError(
        f"{operation} requires ndarray or scalar arguments, got {what} at position {position}; "
        "make an array of it first, with jnp.asarray"
    )


def as_operand(cx: Context, value: Any, operation: str, position: int | str = 0) -> ShapedArray:
    """The array that a function of arrays makes of an argument: `as_array`, of a value that the dtype can hold.

    Raises:
        DtypeError: for what is no array-like; for a Python int beyond the default integer.
    """
    array = as_array(cx, value, operation, position)
    if type(value) is int:
        dtype = cx.default("int")
        low, high = integer_limits(dtype)
        if not low <= value <= high:
            raise DtypeError(
                f"{operation}: the Python int {value} at position {position} is out of range of {dtype}, the default "
                "integer; write it as a float, or as a NumPy scalar of a dtype that holds it",
                OverflowError,
            )
    return array


def as_dtype(value: Any, operation: str) -> str | None:
    """The dtype that a dtype-like argument names, not canonicalized; a Python type stays weak: `int`, `float`.

    None for an unknown one.

    Raises:
        DtypeError: for what names no dtype of JAX.
    """
    if value is UNKNOWN:
        return None
    if isinstance(value, type):
        name = _PYTHON_DTYPES.get(value) or NAMES.get(value)
        if name is not None:
            return name
    if isinstance(value, str):
        order, code = (value[0], value[1:]) if value[:1] in ("<", ">", "=", "|") else ("=", value)
        if order == ">" and code not in ("?", "b", "B", "b1", "i1", "u1"):  # the other byte order than JAX's
            code = value
        name = value if value in DTYPES else _NUMPY_NAMES.get(value) or _NUMPY_CODES.get(code)
        if name is not None or code in _C_LONG:
            return name
    if isinstance(value, ShapedArray) or (isinstance(value, NumPyArray) and not value.shape):
        # It has a .dtype, as a NumPy scalar has; a NumPy array is refused.
        return value.dtype if value.dtype in KINDS else None
    shown = repr(value) if isinstance(value, str | int | float) else getattr(value, "__name__", str(value))
    raise DtypeError(f"{operation}: {shown} is no dtype of JAX; give one such as jnp.float32 or 'float32'")


def requested_dtype(cx: Context, value: Any, operation: str) -> str | None:
    """The dtype of a result for which the caller asked by a `dtype` argument (not None), canonicalized.

    Warns where JAX does: a 64-bit type asked for by name while x64 is off.  None for an unknown one.

    Raises:
        DtypeError: for what names no dtype of JAX, and for an array.
    """
    if isinstance(value, ShapedArray):
        raise DtypeError(f"{operation}: dtype is an array; give its dtype instead, as in dtype=x.dtype", ValueError)
    dtype = as_dtype(value, operation)
    if dtype is None:
        return None
    if isinstance(value, type) and value in _PYTHON_DTYPES:
        return cx.default(dtype)
    canonical = cx.promotion.canonicalize(dtype)
    if canonical != dtype:
        cx.warnings.append(
            RuleWarning(
                "array-x64",
                f"{operation}: {dtype} is asked for, but x64 is off, so the result is {canonical}; "
                f'ask for {canonical}, or call jax.config.update("jax_enable_x64", True) at start-up',
            )
        )
    return canonical
