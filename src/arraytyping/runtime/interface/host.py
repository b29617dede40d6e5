"""From an array to Python's and NumPy's values, which asks for the values now.

A tracer has none.  One that is only differentiated through has a concrete primal: it is given where a decision is
asked for (`bool`, `int`, an index, `item`), and not as a number or an array, which would lose the derivative.

Source: https://docs.jax.dev/en/latest/errors.html.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arraytyping.errors import (
    ConcretizationTypeError,
    TracerArrayConversionError,
    TracerBoolConversionError,
    TracerIntegerConversionError,
)
from arraytyping.runtime.array import ArrayImpl, array_of
from arraytyping.runtime.core import Tracer, TypedScalar, escaped
from arraytyping.runtime.interface.installing import method
from arraytyping.runtime.np_dtypes import np_dtype
from arraytyping.runtime.tracing.forward import JVPTracer

__all__ = ["concrete", "value_of"]


def concrete(x: Any) -> ArrayImpl | TypedScalar | None:
    """The array whose values a value has now; None for what is traced.

    Raises:
        UnexpectedTracerError: for a tracer of a function whose transformation is over.
    """
    while isinstance(x, Tracer):
        if x._trace.is_finished:
            raise escaped(x)
        if not isinstance(x, JVPTracer):
            return None
        x = x.primal
    return x  # type: ignore[no-any-return]


def value_of(x: Any, error: type[Exception], what: str, advice: str, *, decides: bool = False) -> np.ndarray[Any, Any]:
    """The values of an array; with `decides` also of one that is only differentiated through.

    Raises:
        ConcretizationTypeError: or `error`, if it is traced, saying what was asked for and what to do instead.
    """
    found = concrete(x)
    if found is None or (found is not x and not decides):
        why = "whose values are known when the program runs" if found is None else "whose derivative would be lost"
        raise error(f"{what} of a tracer of {x.aval} was asked for, {why}; {advice}")
    if isinstance(found, TypedScalar):
        return np.asarray(found.value).astype(np_dtype(str(found.aval.dtype)))
    return found._value


_STATIC = "compute with jnp-style functions, or make the argument that it comes from static, with static_argnums"


def _scalar(x: Any, what: str, *, decides: bool = False) -> Any:
    if x.shape != ():
        raise TypeError(
            f"only arrays without dimensions can be converted to {what}; this is {x.aval}: index it, or use item()"
        )
    return value_of(x, ConcretizationTypeError, what, _STATIC, decides=decides)[()]


def _real(value: Any, what: str) -> Any:
    if value.dtype.kind == "c":
        raise TypeError(f"a complex number cannot be converted to {what}; take its .real or .imag first")
    return value


@method("__bool__")
def truth(x: Any) -> bool:
    """The truth value of an array of one element.

    Raises:
        TracerBoolConversionError: if it is traced.
        ValueError: if it has more elements, or none.
    """
    if x.size != 1:
        if not x.size:
            raise ValueError("the truth value of an empty array is ambiguous; use x.size > 0")
        raise ValueError("the truth value of an array with more than one element is ambiguous; use x.any() or x.all()")
    return bool(
        value_of(
            x,
            TracerBoolConversionError,
            "the truth value",
            "use where, cond, or while_loop in place of if, and, or, while",
            decides=True,
        )
    )


@method("__float__")
def as_float(x: Any) -> float:
    """The number as a Python float."""
    return float(_real(_scalar(x, "a Python float"), "float"))


@method("__int__")
def as_int(x: Any) -> int:
    """The number as a Python int."""
    return int(_real(_scalar(x, "a Python int", decides=True), "int"))


@method("__complex__")
def as_complex(x: Any) -> complex:
    """The number as a Python complex."""
    return complex(_scalar(x, "a Python complex"))


@method("__index__")
def as_index(x: Any) -> int:
    """The number as an index of a Python sequence.

    Raises:
        TypeError: if it is no integer without dimensions.
        TracerIntegerConversionError: if it is traced.
    """
    if x.shape != () or x.dtype.kind not in "iu":
        raise TypeError(f"only integer arrays without dimensions can be an index; this is {x.aval}")
    return int(value_of(x, TracerIntegerConversionError, "a Python integer", _STATIC, decides=True))


@method("item")
def item(x: Any, *args: int) -> bool | int | float | complex:
    """One element as a Python scalar: the only one, or the one at this index."""
    values = value_of(x, ConcretizationTypeError, "a Python scalar", _STATIC, decides=True)
    if not args and values.size != 1:
        raise ValueError(f"item() takes an array of one element, or the place of one; this is {x.aval}")
    return values.item(*args)  # type: ignore[no-any-return]


@method("tolist")
def tolist(x: Any) -> Any:
    """All elements as nested lists of Python scalars."""
    return value_of(x, ConcretizationTypeError, "a list", _STATIC).tolist()


@method("tobytes")
def tobytes(x: Any, order: Any = "C") -> bytes:
    """The elements' bytes."""
    return value_of(x, ConcretizationTypeError, "bytes", _STATIC).tobytes(order)


@method("__array__")
def as_numpy(x: Any, dtype: Any = None, context: None = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
    """The values as a NumPy array that cannot be written to, or a copy.

    Raises:
        TracerArrayConversionError: if the array is traced.
    """
    values = value_of(
        x, TracerArrayConversionError, "a NumPy array", "use this package's functions in place of NumPy's"
    )
    if dtype is not None and np.dtype(dtype) != values.dtype:
        if copy is False:
            raise ValueError(f"a NumPy array of dtype {np.dtype(dtype)} of {x.aval} cannot be made without a copy")
        return values.astype(dtype)
    return values.copy() if copy else values


@method("__reduce__")
def pickled(x: Any) -> Any:
    """How an array is pickled: by its values.

    Raises:
        ConcretizationTypeError: if it is traced.
    """
    values = value_of(x, ConcretizationTypeError, "a pickled copy", "return it from the transformed function first")
    return _unpickled, (values.tobytes(), values.dtype.name, values.shape, x.weak_type)


def _unpickled(data: bytes, dtype: str, shape: tuple[int, ...], weak_type: bool) -> ArrayImpl:
    return array_of(np.frombuffer(data, np_dtype(dtype)).reshape(shape), weak_type=weak_type)


@method("__copy__")
def shallow_copy(x: Any) -> Any:
    """A copy in memory of its own; a tracer itself."""
    found = concrete(x)
    return x if not isinstance(found, ArrayImpl) else array_of(found._value, weak_type=bool(x.aval.weak_type))


@method("__deepcopy__")
def deep_copy(x: Any, memo: Any) -> Any:
    """A copy in memory of its own; a tracer itself."""
    return shallow_copy(x)


@method("__hex__")
def as_hex(x: Any) -> str:
    """The integer in hexadecimal digits, as `hex(x)`."""
    return hex(as_index(x))


@method("__oct__")
def as_oct(x: Any) -> str:
    """The integer in octal digits, as `oct(x)`."""
    return oct(as_index(x))
