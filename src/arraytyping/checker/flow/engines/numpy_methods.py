"""Methods of NumPy arrays and scalars."""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.engines.numpy_attributes import from_dim
from arraytyping.checker.flow.engines.numpy_calls import call_function
from arraytyping.checker.flow.engines.numpy_making import dtype_argument
from arraytyping.checker.flow.engines.numpy_ufuncs import apply_elementwise, error_code
from arraytyping.checker.flow.engines.numpy_values import (
    NotConcrete,
    NotPossible,
    concrete,
    contains_traced,
    describe,
    real_dtype,
)
from arraytyping.checker.flow.engines.numpy_views import forget, link, write
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    MISSING,
    ClassValue,
    IteratorValue,
    ListValue,
    NumPyValue,
    ScalarValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.sizes.dims import multiply_dims

__all__ = ["method", "scalar_of"]

_AS_FUNCTIONS_NAMES: Final = """
    all any argmax argmin argpartition argsort choose clip cumprod cumsum diagonal dot max mean min nonzero prod
    ravel repeat round searchsorted squeeze std sum swapaxes take trace var
"""
_AS_FUNCTIONS: Final = frozenset(_AS_FUNCTIONS_NAMES.split())
_KINDS: Final[dict[str, type]] = {"b": bool, "i": int, "u": int, "f": float, "c": complex, "U": str, "S": bytes}


def scalar_of(value: NumPyValue) -> Value:
    """What `.item()` of an array of one element gives."""
    if value.data is not None and value.data.size == 1:
        item = value.data.item()
        return item if type(item) in _KINDS.values() else Unknown("an item of an array")
    if value.dtype is None:
        return Unknown("an item of an array of unknown dtype")
    try:
        dtype = real_dtype(value.dtype)
    except NotPossible:
        return Unknown("an item of an array of unknown dtype")
    kind = _KINDS.get(dtype.kind)
    if kind is None and dtype.kind == "V" and dtype.type.__name__ != "void":
        kind = int if "int" in dtype.name else float
    return Unknown("an item of an array") if kind is None else ScalarValue(kind, is_data=True)


def method(it: Interpreter, value: NumPyValue, name: str, call: Call) -> Value:
    """Call a method of an array."""
    import numpy as np

    tracer = contains_traced(call.values)
    if tracer is not None and not name.startswith("__"):
        message = f"the method {name} of a NumPy array needs a value, but {tracer.aval} is a tracer; use jax.numpy"
        return it.fail(call.node, "array-traced", message)
    is_text = (value.dtype or "<U")[1:2] in ("U", "S")
    is_of_text = name in ("__int__", "__float__", "byteswap") or (value.is_scalar and hasattr(str, name))
    if (is_text and is_of_text) or not _takes(name, call.args, call.kwargs):
        forget(it, value)
        return it.unknown(f"the method {name} of an array, called so")
    special = _SPECIAL.get(name)
    if special is not None:
        return special(it, value, call)
    if name in _AS_FUNCTIONS:
        return call_function(it, getattr(np, name), name, call.preceded_by(value))
    if value.data is not None and not name.startswith("__"):
        try:
            real = [concrete(v) for v in call.args]
            options = {k: concrete(v) for k, v in call.kwargs.items()}
        except NotConcrete:
            pass
        else:
            if name in ("is_integer", "as_integer_ratio", "hex", "bit_length", "bit_count", "byteswap", "tobytes"):
                try:
                    return describe(it, getattr(concrete(value), name)(*real, **options), True)
                except Exception as error:
                    swallow(error)
                    return it.fail(call.node, "array-call", f"{type(error).__name__}: {error}")
    if name in ("is_integer",):
        return ScalarValue(bool, is_data=True)
    if name == "tobytes":
        return ScalarValue(bytes)
    forget(it, value)
    return it.unknown(f"the method {name} of an array")


def _takes(name: str, args: list[Value], kwargs: dict[str, Value]) -> bool:
    """Whether the installed NumPy's method takes so many arguments, of these names, as far as it says."""
    if name in ("reshape", "__deepcopy__") and not args:
        return False
    most = _MOST_OF_SPECIAL.get(name)
    if most is not None:
        return len(args) <= most and not kwargs
    signature = _signature(name)
    if signature is None:
        return True
    try:
        signature.bind(None, *args, **kwargs)
    except TypeError:
        return False
    return True


@functools.cache
def _signature(name: str) -> inspect.Signature | None:
    import numpy as np

    try:
        return inspect.signature(getattr(np.ndarray, name))
    except (AttributeError, TypeError, ValueError):  # those of NumPy 2.3 and older say nothing
        return None


def _item(it: Interpreter, value: NumPyValue, call: Call) -> Value:
    if call.args:
        index = tuple(call.args) if len(call.args) > 1 else call.args[0]
        if len(call.args) == 1 and not isinstance(index, tuple) and value.shape is not None and len(value.shape) > 1:
            return scalar_of(NumPyValue((), value.dtype))
        if value.shape == () and type(index) is int:  # of a flat array, which has this one
            if index in (-1, 0):
                return scalar_of(value)
            return it.fail(call.node, "array-shape", f"IndexError: index {index} is out of bounds for size 1")
        found = it.get_item(value, index, call.node)
        return scalar_of(found) if isinstance(found, NumPyValue) else found
    if value.shape is not None and isinstance(size := multiply_dims(value.shape), int) and size != 1:
        text = "ValueError: can only convert an array of size 1 to a Python scalar"
        return it.fail(call.node, "array-shape", f"{text}, not one of shape {value.shape}")
    return scalar_of(value)


def _tolist(it: Interpreter, value: NumPyValue, call: Call) -> Value:
    if value.data is not None:
        return describe(it, value.data.tolist(), True)
    if value.shape is None:
        return it.unknown("the list of an array of unknown rank")
    return _nested(value, value.shape)


def _nested(value: NumPyValue, shape: tuple[Any, ...]) -> Value:
    if not shape:
        return scalar_of(NumPyValue((), value.dtype))
    if isinstance(shape[0], int) and shape[0] <= 512:
        return ListValue([_nested(value, shape[1:]) for _ in range(shape[0])])
    return ListValue(None, _nested(value, shape[1:]))


def _reshape(it: Interpreter, value: NumPyValue, call: Call) -> Value:
    import numpy as np

    shape = call.args[0] if len(call.args) == 1 else tuple(call.args)
    return call_function(it, np.reshape, "reshape", call.with_args([value, shape]))


def _transpose(it: Interpreter, value: NumPyValue, call: Call) -> Value:
    import numpy as np

    axes = (
        call.args[0]
        if len(call.args) == 1 and not isinstance(call.args[0], int)
        else tuple(call.args)
        if call.args
        else None
    )
    return call_function(it, np.transpose, "transpose", call.with_args([value, axes]))


def _astype(it: Interpreter, value: NumPyValue, call: Call) -> Value:
    target = call.argument(0, "dtype")
    if value.data is not None:
        try:
            real, options = concrete(target), {k: concrete(v) for k, v in call.kwargs.items() if k != "dtype"}
            with _silent():
                result = concrete(value).astype(real, *map(concrete, call.args[1:]), **options)
        except NotConcrete:
            pass
        except (TypeError, ValueError) as error:
            return it.fail(call.node, error_code(error), f"{type(error).__name__}: {error}")
        else:
            made = describe(it, result, True)
            if call.kwargs.get("copy", True) is not True:
                link(it, [value], made)
            return made
    dtype = dtype_argument(target, None)
    if dtype is not None and dtype[1:2] in ("U", "S"):
        dtype = None
    made = NumPyValue(value.shape, dtype, value.is_scalar)
    made.rows = None if value.rows is None else (value.rows[0], dtype)
    return made


def _silent() -> Any:
    import numpy as np

    stack = contextlib.ExitStack()
    stack.enter_context(warnings.catch_warnings())
    warnings.simplefilter("ignore")
    stack.enter_context(np.errstate(all="ignore"))
    return stack


def _copy(it: Interpreter, value: NumPyValue, call: Call) -> Value:
    return NumPyValue(value.shape, value.dtype, value.is_scalar, value.data)


def _flatten(it: Interpreter, value: NumPyValue, call: Call) -> Value:
    import numpy as np

    return call_function(it, np.ravel, "ravel", call.preceded_by(_copy(it, value, Call([], {}, call.node))))


def _is_array_class(value: Value) -> bool:
    import numpy as np

    return isinstance(value, type) and issubclass(value, np.ndarray)


def _view(it: Interpreter, value: NumPyValue, call: Call) -> Value:
    forget(it, value)
    target = call.argument(0, "dtype", MISSING)
    if isinstance(target, ClassValue) or call.argument(1, "type") is not None or _is_array_class(target):
        return it.unknown("an array of a class of its own")
    dtype = value.dtype if target is MISSING else None if target is None else dtype_argument(target, None)
    try:
        same = (
            dtype is not None
            and value.dtype is not None
            and real_dtype(dtype).itemsize == real_dtype(value.dtype).itemsize
        )
    except NotPossible:
        same = False
    if same:
        return NumPyValue(value.shape, dtype, value.is_scalar)
    shape = None if value.shape is None or not value.shape else (*value.shape[:-1], None)
    return NumPyValue(shape, dtype)


def _conjugate(it: Interpreter, value: NumPyValue, call: Call) -> Value:
    import numpy as np

    made = apply_elementwise(it, np.conjugate, "conjugate", [value], call.node)
    return NumPyValue(made.shape, None) if value.dtype in (None, "bool") and isinstance(made, NumPyValue) else made


def _fill(it: Interpreter, value: NumPyValue, call: Call) -> Value:
    if not value.is_scalar:  # that of a scalar fills an array of its own
        it.put_item(value, Ellipsis, call.argument(0, "value"), call.node)
    return None


def _sort(it: Interpreter, value: NumPyValue, call: Call) -> Value:
    import numpy as np

    made = call_function(it, np.sort, "sort", call.preceded_by(value))
    if isinstance(made, Unknown):
        forget(it, value)
        return made
    write(it, value, made.data if isinstance(made, NumPyValue) else None)
    return None


def _in_place(it: Interpreter, value: NumPyValue, call: Call) -> Value:
    forget(it, value)
    return None


def _resize(it: Interpreter, value: NumPyValue, call: Call) -> Value:
    forget(it, value)
    value.rows = None
    value.shape = None  # NumPy refuses where something else refers to the array, and then it stays as it was
    return None


def _compress(it: Interpreter, value: NumPyValue, call: Call) -> Value:
    import numpy as np

    return call_function(
        it, np.compress, "compress", call.with_args([call.args[0], value, *call.args[1:]] if call.args else [])
    )


def _len(it: Interpreter, value: NumPyValue, call: Call) -> Value:
    if value.shape is None:
        return ScalarValue(int)
    if not value.shape:
        return it.fail(call.node, "array-dim", "TypeError: len() of an unsized object: an array of rank 0")
    return from_dim(value.shape[0])


def _converted(kind: type) -> Callable[..., Any]:
    def convert(it: Interpreter, value: NumPyValue, call: Call) -> Value:
        found = _item(it, value, Call([], {}, call.node))
        if type(found) in (bool, int, float, complex) and not (isinstance(found, complex) and kind is not complex):
            try:
                return kind(found)
            except (ValueError, OverflowError):
                return ScalarValue(kind, is_data=True)
        return found if isinstance(found, Unknown) else ScalarValue(kind, is_data=True)

    return convert


_MOST_OF_SPECIAL: Final = {
    "tolist": 0, "conj": 0, "conjugate": 0, "__copy__": 0, "__deepcopy__": 1, "__len__": 0, "__iter__": 0,
    "__int__": 0, "__float__": 0, "__complex__": 0, "__bool__": 0, "__getitem__": 1,
}  # fmt: skip
"""How many arguments these take; the conjugate's array for the result is not followed."""

_SPECIAL: Final[dict[str, Callable[..., Any]]] = {
    "item": _item,
    "tolist": _tolist,
    "reshape": _reshape,
    "transpose": _transpose,
    "astype": _astype,
    "copy": _copy,
    "__copy__": _copy,
    "__deepcopy__": _copy,
    "flatten": _flatten,
    "view": _view,
    "conj": _conjugate,
    "conjugate": _conjugate,
    "fill": _fill,
    "sort": _sort,
    "partition": _in_place,
    "put": _in_place,
    "setflags": lambda it, value, call: None,
    "setfield": _in_place,
    "resize": _resize,
    "compress": _compress,
    "__len__": _len,
    "__int__": _converted(int),
    "__float__": _converted(float),
    "__complex__": _converted(complex),
    "__bool__": _converted(bool),
    "__getitem__": lambda it, value, call: it.get_item(value, call.args[0], call.node),
    "__iter__": lambda it, value, call: _iterator(it, value, call.node),
}


def _iterator(it: Interpreter, value: NumPyValue, node: ast.AST | None) -> Value:
    items, element = it.iterate(value, node)
    return IteratorValue(items, element)
