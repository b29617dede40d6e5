"""Functions of NumPy that make arrays: of a given shape, of a range, and of what Python holds."""

from __future__ import annotations

import ast
import warnings
from typing import Any, Final

from arraytyping.checker.flow.engines.numpy_arguments import Arguments, known_shape, rule
from arraytyping.checker.flow.engines.numpy_array_likes import dtype_of, list_size, scalar_kind, shape_of
from arraytyping.checker.flow.engines.numpy_bounds import is_bearable
from arraytyping.checker.flow.engines.numpy_statics import size_of, static_of
from arraytyping.checker.flow.engines.numpy_ufuncs import error_code
from arraytyping.checker.flow.engines.numpy_values import (
    NotConcrete,
    NotPossible,
    concrete,
    describe,
    dtype_name,
    is_key,
    real_dtype,
    walk_array_like,
)
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    InstanceValue,
    ListValue,
    NumPyValue,
    Unknown,
    Value,
    is_concrete,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.avals import UNKNOWN, Dim, Shape, shape_tuple_str, size_of as size_of_shape
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes
from arraytyping.semantics.rules.shapes.creation import coordinates, matrix, sizes_of
from arraytyping.semantics.rules.shapes.ranges import arange_size, spaced
from arraytyping.semantics.rules.shapes.samples import triangle_places
from arraytyping.semantics.rules.static_arguments import non_negative
from arraytyping.semantics.sizes.dims import at_least, known_dim, max_dim

__all__ = ["convert", "dtype_argument"]

_MOST_AXES: Final = 64
"""The most dimensions that NumPy's arrays have."""


def dtype_argument(value: Any, default: str | None) -> str | None:
    """The name of the dtype that an argument asks for; None if it is not known."""
    import numpy as np

    if value is None:
        return default
    if not is_concrete(value):
        return None
    try:
        return dtype_name(np.dtype(value))
    except TypeError:
        return None


@rule("zeros", "ones", "empty", "full", dtype=lambda a: _fill_dtype(a), grows=True)
def _filled(a: Arguments) -> Value:
    return sizes_of(a.name, a.sizes("shape"))


def _fill_dtype(a: Arguments) -> str | None:
    default = dtype_of(a.get("fill_value")) if a.name == "full" else "float64"
    return dtype_argument(a.get("dtype"), default)


@rule("eye", "identity", dtype=lambda a: dtype_argument(a.get("dtype"), "float64"), grows=True)
def _eye(a: Arguments) -> Value:
    rows = a.size("N", "n")
    return _matrix(a.name, rows, a.size("M", default=rows))


def _matrix(name: str, rows: Dim, columns: Dim) -> Value:
    n, m = (UNKNOWN if size is None else size for size in (rows, columns))
    return matrix(name, n, m)


@rule("tri", dtype=lambda a: dtype_argument(a.get("dtype"), "float64"), grows=True)
def _tri(a: Arguments) -> Value:
    """NumPy takes a negative size for 0."""
    rows = a.size("N")
    return _matrix("tri", _not_negative(rows), _not_negative(a.size("M", default=rows)))


def _number(value: Value) -> Value:
    """A number as the rules take it."""
    try:
        found = concrete(value)
    except NotConcrete:
        return static_of(value)
    number = found.item() if hasattr(found, "item") and getattr(found, "ndim", 1) == 0 else found
    return number if number is None or type(number) in (int, float) else UNKNOWN


@rule("arange", dtype=lambda a: _arange_dtype(a), grows=True)
def _arange(a: Arguments) -> Value:
    start, stop, step = (_number(a.get(*names)) for names in (("start_or_stop", "start"), ("stop",), ("step",)))
    return (arange_size(start, stop, step),)


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
def _linspace(a: Arguments) -> Value:
    ends, axis = broadcast_shapes(a.name, a.operand("start"), a.operand("stop")), a.axis(default=0)
    if axis is None or ("base" in a and a.operand("base") != ()):
        return None
    count = a.size("num", default=None if "num" in a.given else 50)
    non_negative(a.name, (count,), ValueError)
    shape, with_step = spaced(a.name, ends, axis, count), a.flag("retstep")
    if with_step is None:
        return None
    return [shape, ends if at_least(count, 2) or ends == () else None] if with_step else shape


@rule("indices", dtype=lambda a: dtype_argument(a.get("dtype"), "int64"), grows=True)
def _indices(a: Arguments) -> Value:
    if a.flag("sparse") is not False:
        return None
    sizes = sizes_of("indices", a.sizes("dimensions"))
    return None if sizes is None else coordinates(sizes)


def _not_negative(size: Dim) -> Dim:
    """A size, which NumPy takes for 0 if it is negative."""
    return None if size is None else max_dim(size, 0)


@rule("hanning", "hamming", "blackman", "bartlett", dtype=lambda a: "float64", grows=True)
def _window(a: Arguments) -> Value:
    return (_not_negative(a.size("M")),)


@rule("tril_indices", "triu_indices", "tril_indices_from", "triu_indices_from", dtype=lambda a: "int64", sequence=tuple)
def _triangle(a: Arguments) -> Value:
    if "k" in a or "m" in a:
        return [(None,)] * 2
    if a.name.endswith("from"):
        shape = a.operand()
        rows, columns = shape if shape is not None and len(shape) == 2 else (None, None)
    else:
        rows = columns = _not_negative(size_of(a.first))
    return [(triangle_places(rows, columns, 0, upper=a.name.startswith("triu")),)] * 2


@rule("diag_indices", "diag_indices_from", dtype=lambda a: "int64", sequence=tuple)
def _diag_indices(a: Arguments) -> Value:
    if a.name == "diag_indices":
        count = a.static("ndim", 2)
        size = _not_negative(size_of(a.first))
        return [(size,)] * count if isinstance(count, int) and count < _MOST_AXES else None
    shape = a.operand()
    return [(known_dim(shape),)] * len(shape) if shape else None


# ------------------------------------------------------------------ np.array and its kin


def convert(it: Interpreter, function: Any, a: Arguments, node: ast.AST | None) -> Value:
    """`np.array`, `np.asarray` and their kin."""
    import numpy as np

    value = a.get("object", "a")
    kwargs = {k: v for k, v in a.given.items() if k not in ("object", "a")}
    try:
        if not is_bearable(a.name, a):
            raise NotConcrete
        real, options = concrete(value), {k: concrete(v) for k, v in kwargs.items()}
    except NotConcrete:
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
    result = NumPyValue(shape, dtype)
    if shape is None and ndmin == 0:
        result.rows = _rows(value, asked)
    return result


def _rows(value: Value, asked: Value) -> tuple[Shape, str | None] | None:
    """The shape and the dtype of what is made of a list of arrays, unless it has no items."""
    if isinstance(value, NumPyValue) and value.rows is not None:
        return value.rows[0], dtype_argument(asked, value.rows[1])
    if not isinstance(value, ListValue) or value.items is not None or value.element is MISSING:
        return None
    if not isinstance(value.element, NumPyValue | ArrayValue) or not (inner := shape_of(value.element)):
        return None
    dtype = dtype_argument(asked, dtype_of(value.element))
    return None if dtype == "object" else ((list_size(value), *inner), dtype)


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
        if differs and size_of_shape(s) != 0 and size_of_shape(first) != 0:
            return [first, s]
    return None


def convert_to(it: Interpreter, cls: Any, call: Call) -> Value:
    """`np.float32(x)` and the like: a scalar, or an array of what is one."""
    import numpy as np

    try:
        real = [concrete(v) for v in call.args]
    except NotConcrete:
        real = None
    if real is not None and not call.kwargs:
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                return describe(it, cls(*real), True)
        except (TypeError, ValueError, OverflowError) as error:
            return it.fail(call.node, "array-dtype", f"{type(error).__name__}: {error}")
        except Exception as error:
            swallow(error)
            return it.unknown(f"numpy.{cls.__name__} failed: {type(error).__name__}")
    shape = shape_of(call.args[0]) if len(call.args) == 1 else None
    try:
        dtype = dtype_name(np.dtype(cls))
    except TypeError:
        dtype = None
    if dtype is not None and (
        dtype[1:2] in ("U", "S") or "datetime" in dtype or "timedelta" in dtype or dtype == "object"
    ):
        dtype = None
    return NumPyValue(shape, dtype, shape == ())
