"""Functions of NumPy that make arrays: of a given shape, of a range, and of what Python holds."""

from __future__ import annotations

import ast
import math
import warnings
from typing import Any

from arraytyping.checker.flow.engines.numpy_arguments import Arguments, Refused, Unknowable, known_shape, rule
from arraytyping.checker.flow.engines.numpy_array_likes import dim_of, dtype_of, scalar_kind, shape_of
from arraytyping.checker.flow.engines.numpy_bounds import is_bearable
from arraytyping.checker.flow.engines.numpy_ufuncs import error_code
from arraytyping.checker.flow.engines.numpy_values import (
    NotExact,
    NotPossible,
    describe,
    dtype_name,
    exact,
    is_key,
    real_dtype,
    walk_array_like,
)
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    ArrayValue,
    InstanceValue,
    ListValue,
    NumPyValue,
    ScalarValue,
    Unknown,
    is_exact,
)
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.avals import Dim, shape_tuple_str, size_of
from arraytyping.semantics.rules.broadcasting import broadcast_shapes

__all__ = ["convert", "dtype_argument"]


def dtype_argument(value: Any, default: str | None) -> str | None:
    """The name of the dtype that an argument asks for; None if it is not known."""
    import numpy as np

    if value is None:
        return default
    if not is_exact(value):
        return None
    try:
        return dtype_name(np.dtype(value))
    except TypeError:
        return None


@rule("zeros", "ones", "empty", "full", dtype=lambda a: _fill_dtype(a), grows=True)
def _filled(a: Arguments) -> Any:
    dims = a.dims("shape")
    if any(isinstance(d, int) and d < 0 for d in dims):
        raise Refused("array-shape", "ValueError: negative dimensions are not allowed")
    return dims


def _fill_dtype(a: Arguments) -> str | None:
    default = dtype_of(a.get("fill_value")) if a.name == "full" else "float64"
    return dtype_argument(a.get("dtype"), default)


@rule("eye", "identity", "tri", dtype=lambda a: dtype_argument(a.get("dtype"), "float64"), grows=True)
def _eye(a: Arguments) -> Any:
    rows = dim_of(a.get("N", "n"))
    return (rows, dim_of(a.get("M")) if "M" in a else rows)


def _number(value: Any) -> Any:
    """An exact number, or None."""
    try:
        found = exact(value)
    except NotExact:
        return None
    return found if found is None or isinstance(found, int | float) or hasattr(found, "__float__") else None


@rule("arange", dtype=lambda a: _arange_dtype(a), grows=True)
def _arange(a: Arguments) -> Any:
    start, stop, step = a.get("start_or_stop", "start"), a.get("stop"), a.given.get("step", 1)
    if stop is None:
        start, stop = 0, start
    numbers = [_number(v) for v in (start, stop, step)]
    if all(n is not None for n in numbers) and numbers[2]:
        low, high, by = numbers
        return (max(math.ceil((high - low) / by), 0),)
    if start == 0 and type(start) is int and step == 1 and type(step) is int:
        size = dim_of(stop) if isinstance(stop, ScalarValue) and stop.kinds == (int,) else None
        if isinstance(stop, ScalarValue) and stop.size is not None and (stop.size.bounds()[0] or -1) < 0:
            size = size if stop.size.bounds()[0] == 0 else None
        return (size,)
    return (None,)


def _arange_dtype(a: Arguments) -> str | None:
    import numpy as np

    if a.get("dtype") is not None:
        return dtype_argument(a.get("dtype"), None)
    names = [dtype_of(v) for v in (a.given.get(n) for n in ("start_or_stop", "start", "stop", "step")) if v is not None]
    if None in names:
        return None
    try:
        return (
            dtype_name(np.result_type(np.int64, *(real_dtype(n) for n in names if n is not None)))
            if all(scalar_kind(v) is not None for n, v in a.given.items() if n != "dtype" and v is not None)
            else dtype_name(np.result_type(*(real_dtype(n) for n in names if n is not None)))
        )
    except (NotPossible, TypeError):
        return None


@rule("linspace", "logspace", "geomspace", grows=True)
def _linspace(a: Arguments) -> Any:
    inner = broadcast_shapes(a.name, a.shape("start"), a.shape("stop")) or ()
    count = dim_of(a.given.get("num", 50))
    axis = a.exact("axis", 0)
    at = axis if axis >= 0 else len(inner) + 1 + axis
    shape = (*inner[:at], count, *inner[at:])
    return [shape, inner] if a.exact("retstep", False) else shape


@rule("indices", dtype=lambda a: dtype_argument(a.get("dtype"), "int64"), grows=True)
def _indices(a: Arguments) -> Any:
    dims = a.dims("dimensions")
    if a.exact("sparse", False):
        raise Unknowable
    return (len(dims), *dims)


@rule("hanning", "hamming", "blackman", "bartlett", dtype=lambda a: "float64", grows=True)
def _window(a: Arguments) -> Any:
    return (dim_of(a.get("M")),)


@rule("tril_indices", "triu_indices", "tril_indices_from", "triu_indices_from", dtype=lambda a: "int64", sequence=tuple)
def _triangle(a: Arguments) -> Any:
    if "k" in a or "m" in a:
        return [(None,)] * 2
    side = a.shape()[0] if a.name.endswith("from") else dim_of(a.first)
    count: Dim = side * (side + 1) // 2 if isinstance(side, int) else None
    return [(count,)] * 2


@rule("diag_indices", "diag_indices_from", dtype=lambda a: "int64", sequence=tuple)
def _diag_indices(a: Arguments) -> Any:
    if a.name == "diag_indices":
        return [(dim_of(a.get("n")),)] * a.exact("ndim", 2)
    shape = a.shape()
    return [(shape[0],)] * len(shape)


# ------------------------------------------------------------------ np.array and its kin


def convert(it: Interpreter, function: Any, a: Arguments, node: ast.AST | None) -> Any:
    """`np.array`, `np.asarray` and their kin."""
    import numpy as np

    value = a.get("object", "a")
    kwargs = {k: v for k, v in a.given.items() if k not in ("object", "a")}
    try:
        if not is_bearable(a.name, a):
            raise NotExact
        real, options = exact(value), {k: exact(v) for k, v in kwargs.items()}
    except NotExact:
        pass
    else:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                result = function(real, **options)
        except (TypeError, ValueError, OverflowError) as error:
            return it.fail(node, error_code(error), f"{type(error).__name__}: {error}")
        except Exception as error:
            swallow(error)
            return it.unknown(f"numpy.{a.name} failed: {type(error).__name__}")
        if result is real and isinstance(value, NumPyValue):
            return value
        return describe(it, result, True)
    if is_key(value):
        return it.fail(node, "array-dtype", f"TypeError: numpy.{a.name} does not take an array of typed keys")
    asked = kwargs.get("dtype")
    dtype = dtype_argument(asked, dtype_of(value))
    if any(isinstance(v, InstanceValue) for v in walk_array_like(value)):
        return it.unknown(f"numpy.{a.name} of an instance")
    if isinstance(value, Unknown) and dtype is None:
        return it.unknown(value.why)
    if (
        asked is None
        and isinstance(value, ListValue | tuple)
        and any(isinstance(v, Unknown) for v in walk_array_like(value))
    ):
        dtype = None
    if dtype is not None and dtype[1:2] in ("U", "S"):
        dtype = None
    shape = shape_of(value)
    if isinstance(value, ListValue | tuple) and (shapes := _ragged(value)) and dtype != "object":
        text = " and ".join(shape_tuple_str(s) for s in shapes[:4])
        message = f"ValueError: the arrays of a list do not have the same shape: {text}"
        return it.fail(node, "array-shape", message)
    ndmin = kwargs.get("ndmin", 0)
    if shape is not None and type(ndmin) is int:
        shape = (1,) * (ndmin - len(shape)) + shape
    elif type(ndmin) is not int:
        shape = None
    if shape == () and a.name in ("ascontiguousarray", "asfortranarray"):
        shape = (1,) if a.name == "ascontiguousarray" else ()
    same = asked is None or (isinstance(value, NumPyValue) and dtype == value.dtype and dtype is not None)
    if (
        (
            isinstance(value, NumPyValue)
            and not value.is_scalar
            and same
            and set(kwargs) <= {"dtype"}
            and a.name != "array"
        )
        and value.shape is not None
        and value.shape != ()
    ):
        return value  # the array itself
    if isinstance(value, NumPyValue | ArrayValue) and shape is not None and dtype is not None and asked is not None:
        source = dtype_of(value)
        try:
            if source is not None and not np.can_cast(real_dtype(source), real_dtype(dtype), "unsafe"):
                dtype = None
        except (NotPossible, TypeError):
            pass
    return NumPyValue(shape, dtype)


def _ragged(value: Any) -> list[Any] | None:
    """The shapes of items that certainly differ."""
    items = list(value) if isinstance(value, tuple) else value.items
    if not items:
        return None
    shapes = [shape_of(v) for v in items]
    if any(s is None for s in shapes):
        return next((found for v in items if isinstance(v, ListValue | tuple) and (found := _ragged(v))), None)
    if any(isinstance(v, str) for v in items):
        return None
    first = known_shape(items[0])
    for s in shapes:
        assert s is not None
        differs = len(s) != len(first) or any(
            isinstance(x, int) and isinstance(y, int) and x != y for x, y in zip(s, first)
        )
        if differs and size_of(s) != 0 and size_of(first) != 0:
            return [first, s]
    return None


def convert_to(it: Interpreter, cls: Any, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Any:
    """`np.float32(x)` and the like: a scalar, or an array of what is one."""
    import numpy as np

    try:
        real = [exact(v) for v in args]
    except NotExact:
        real = None
    if real is not None and not kwargs:
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                return describe(it, cls(*real), True)
        except (TypeError, ValueError, OverflowError) as error:
            return it.fail(node, "array-dtype", f"{type(error).__name__}: {error}")
        except Exception as error:
            swallow(error)
            return it.unknown(f"numpy.{cls.__name__} failed: {type(error).__name__}")
    shape = shape_of(args[0]) if len(args) == 1 else None
    try:
        dtype = dtype_name(np.dtype(cls))
    except TypeError:
        dtype = None
    if dtype is not None and (
        dtype[1:2] in ("U", "S") or "datetime" in dtype or "timedelta" in dtype or dtype == "object"
    ):
        dtype = None
    return NumPyValue(shape, dtype, shape == ())
