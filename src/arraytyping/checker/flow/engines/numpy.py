"""NumPy as the engine of itself: what it says of real arrays, and of dummies of the same shapes and dtypes.

This is what the rest of flow asks; it is told what the values are, and NumPy is imported when it is first asked.
"""

from __future__ import annotations

import ast
import functools
import math
import operator
from typing import Any, Final

from arraytyping.checker.flow.engines import numpy_indexing as indexing
from arraytyping.checker.flow.engines.differentiated import differentiated
from arraytyping.checker.flow.engines.numpy_array_likes import dtype_of, shape_of
from arraytyping.checker.flow.engines.numpy_attributes import attribute, from_dim
from arraytyping.checker.flow.engines.numpy_calls import call_function
from arraytyping.checker.flow.engines.numpy_making import convert_to
from arraytyping.checker.flow.engines.numpy_methods import method, scalar_of
from arraytyping.checker.flow.engines.numpy_random import call_global
from arraytyping.checker.flow.engines.numpy_signatures import REFUSED, function_names
from arraytyping.checker.flow.engines.numpy_ufuncs import apply_elementwise, call_ufunc, inplace as apply_inplace
from arraytyping.checker.flow.engines.numpy_values import (
    NotConcrete,
    concrete,
    contains_traced,
    describe,
    from_array,
    host_dtype,
)
from arraytyping.checker.flow.engines.numpy_views import forget
from arraytyping.checker.flow.engines.scipy_calls import call_scipy
from arraytyping.checker.flow.state.certainty import data_bool, with_data_of
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.state.unknown_shapes import some_shape
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    FunctionValue,
    IteratorValue,
    NumPyValue,
    PartialValue,
    ScalarValue,
    UnionValue,
    Unknown,
    Value,
    is_concrete,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.sizes.dims import multiply_dims

__all__ = [
    "attribute",
    "binary",
    "call",
    "forget",
    "from_array",
    "from_aval",
    "getitem",
    "inplace",
    "iterate",
    "may_call",
    "method",
    "owns",
    "scalar_of",
    "setitem",
    "unary",
]

getitem: Final = indexing.getitem
setitem: Final = indexing.setitem
iterate: Final = indexing.iterate
inplace = apply_inplace

_UNARY: Final = {"neg": operator.neg, "pos": operator.pos, "invert": operator.invert, "abs": operator.abs}
_GIVES_INFORMATION: Final = frozenset({"dtype", "finfo", "iinfo"})
_CALLABLES: Final = (FunctionValue, PartialValue)


def binary(it: Interpreter, op: str, a: Value, b: Value, node: ast.AST | None) -> Value:
    """The result of an operator, by its name in the module `operator`."""
    import numpy as np

    for value, other in ((a, b), (b, a)):
        if isinstance(value, UnionValue):
            pairs = [(v, other) if value is a else (other, v) for v in value.values]
            with it.quietly():
                return join_all(binary(it, op, x, y, node) for x, y in pairs)
    if op == "matmul":
        return call_function(it, np.matmul, "matmul", Call([a, b], {}, node))
    if op in ("eq", "ne") and (a is None or b is None):
        array = b if a is None else a
        if isinstance(array, NumPyValue) and array.data is None and array.shape:
            return NumPyValue(array.shape, "bool")  # each element is compared
    made = apply_elementwise(it, getattr(operator, op), op, [a, b], node)
    return _of_scalars(op, a, b, made)


def _of_scalars(op: str, a: Value, b: Value, made: Value) -> Value:
    """The result where two scalars give another one than arrays of their dtypes.

    A float64 is a float of Python's, so that a complex on its left gives one of Python's; and a bool to the power of
    an integer has the dtype of the integer.
    """
    if not isinstance(made, NumPyValue) or not made.is_scalar or made.data is not None:
        return made
    is_float = isinstance(b, NumPyValue) and b.is_scalar and b.dtype == "float64"
    if is_float and (type(a) is complex or (isinstance(a, ScalarValue) and a.kinds == (complex,))):
        return ScalarValue(bool if op in ("eq", "ne") else complex, is_data=True)
    if op == "pow" and isinstance(a, NumPyValue) and a.is_scalar and a.dtype == "bool" and made.dtype == "int8":
        is_python = type(b) in (bool, int) or isinstance(b, ScalarValue)
        if not is_python or type(b) is bool or (isinstance(b, ScalarValue) and b.kinds != (int,)):
            return NumPyValue((), None, True)
        return NumPyValue((), "int64", True)
    return made


def unary(it: Interpreter, op: str, a: Value, node: ast.AST | None) -> Value:
    """The result of a unary operator."""
    if op == "not_":
        found = it.truth(a, node)
        return data_bool(a) if found is None else not found
    return apply_elementwise(it, _UNARY.get(op) or getattr(operator, op), op, [a], node)


def call(it: Interpreter, function: Any, call: Call) -> Value:
    """Call a function, class or universal function of NumPy."""
    if (random := _random_names().get(id(function))) is not None:
        return call_global(it, random, call)
    return with_data_of(_call(it, function, call), call.values)


def _call(it: Interpreter, function: Any, call: Call) -> Value:
    import numpy as np

    if isinstance(function, np.ufunc):
        if function is np.matmul or function.signature is not None:
            name = function.__name__
            return call_function(it, function, name, call)
        return _ufunc(it, function, call)
    owner = getattr(function, "__self__", None)
    if isinstance(owner, np.ufunc):
        return _ufunc_method(it, owner, function.__name__, call)
    if isinstance(function, type):
        return _class(it, function, call)
    found = function_names().get(id(function))
    if found is None:
        if (known := call_scipy(it, function, call)) is not MISSING:
            return known
        it.engines.havoc(it, call.values)
        return it.unknown(f"a function of NumPy: {getattr(function, '__name__', '?')}")
    name = found
    if name in _HIGHER:
        return _higher(it, name, call)
    if name == "shape" and call.args:
        return _shape(it, call.args[0], call.node)
    if name in ("ndim", "size") and call.has_only(1):
        shape = shape_of(call.args[0])
        if shape is None:
            return ScalarValue(int)
        return len(shape) if name == "ndim" else from_dim(multiply_dims(shape))
    if name == "copy" and call.args and isinstance(call.args[0], NumPyValue) and call.args[0].data is not None:
        value = call.args[0]
        return NumPyValue(value.shape, value.dtype, False, value.data)
    return call_function(it, function, name, call)


@functools.cache
def _random_names() -> dict[int, str]:
    import numpy as np

    names = [name for name in dir(np.random) if not name.startswith("_")]
    return {id(getattr(np.random, name)): name for name in names if callable(getattr(np.random, name))}


def owns(function: Value) -> bool:
    """Whether a function or class is NumPy's, so that it is called here."""
    import numpy as np

    if isinstance(function, np.ufunc) or isinstance(getattr(function, "__self__", None), np.ufunc):
        return True
    if id(function) in function_names() or id(function) in _random_names():
        return True
    return (getattr(function, "__module__", None) or "").partition(".")[0] == "numpy"


def may_call(function: Value) -> bool:
    """Whether a function of NumPy only computes, and calls nothing that it is given."""
    import numpy as np

    if isinstance(function, np.ufunc) or function in (np.dtype, np.finfo, np.iinfo):
        return True
    found = function_names().get(id(function))
    return found is not None and found not in REFUSED and found not in _HIGHER


def _shape(it: Interpreter, value: Value, node: ast.AST | None) -> Value:
    shape = shape_of(value)
    return some_shape() if shape is None else tuple(map(from_dim, shape))


def _traced(it: Interpreter, name: str, values: list[Value], node: ast.AST | None) -> Unknown | None:
    tracer = contains_traced(values) or differentiated(it, values)
    if tracer is None:
        return None
    message = f"numpy.{name} needs a value, but {tracer.aval} is a tracer, which has none yet; use jax.numpy"
    return it.fail(node, "array-traced", message)


def _ufunc(it: Interpreter, function: Any, call: Call) -> Value:
    failed = _traced(it, function.__name__, call.values, call.node)
    if failed is not None:
        return failed
    for i, value in enumerate(call.args):
        if isinstance(value, UnionValue):
            with it.quietly():
                return join_all(
                    _ufunc(it, function, call.with_args([*call.args[:i], v, *call.args[i + 1 :]])) for v in value.values
                )
    return call_ufunc(it, function, call)


@functools.cache
def _reduction(ufunc: Any) -> tuple[Value, str]:
    import numpy as np

    named = {
        np.add: "sum",
        np.multiply: "prod",
        np.maximum: "max",
        np.minimum: "min",
        np.logical_and: "all",
        np.logical_or: "any",
    }
    name = named.get(ufunc, "sum")
    return getattr(np, name), name


def _ufunc_method(it: Interpreter, ufunc: Any, name: str, call: Call) -> Value:
    """`np.add.reduce`, `np.subtract.outer` and the like."""
    import numpy as np

    failed = _traced(it, f"{ufunc.__name__}.{name}", call.values, call.node)
    if failed is not None:
        return failed
    if name == "at":
        forget(it, call.positional(0))
        return None
    try:
        real, options = [concrete(v) for v in call.args], {k: concrete(v) for k, v in call.kwargs.items()}
    except NotConcrete:
        pass
    else:
        if name in ("reduce", "accumulate", "reduceat") and "out" not in call.kwargs:
            try:
                with np.errstate(all="ignore"):
                    return describe(it, getattr(ufunc, name)(*real, **options), True)
            except Exception as error:
                swallow(error)
                return it.unknown(f"{ufunc.__name__}.{name} failed: {type(error).__name__}")
    if name == "outer" and call.has_only(2):
        first, second = (shape_of(v) for v in call.args)
        if first is None or second is None:
            return it.unknown("the outer product of arrays of unknown rank")
        elements = apply_elementwise(
            it, ufunc, ufunc.__name__, [NumPyValue((1,), dtype_of(v)) for v in call.args], call.node
        )
        return NumPyValue((*first, *second), elements.dtype) if isinstance(elements, NumPyValue) else elements
    if name == "reduce" and call.args and "out" not in call.kwargs and len(call.args) <= 2:
        function, found = _reduction(ufunc)
        options = {"axis": 0, **({"axis": call.args[1]} if len(call.args) > 1 else {}), **call.kwargs}
        # All reductions give the shape of a sum; its dtype is that of addition alone.
        made = call_function(it, function, found, Call([call.args[0]], options, call.node))
        if isinstance(made, NumPyValue) and found == "sum" and ufunc is not np.add:
            made.dtype = None
        return made
    if name == "accumulate" and call.args and "out" not in call.kwargs:
        options = {"axis": 0, **({"axis": call.args[1]} if len(call.args) > 1 else {}), **call.kwargs}
        made = call_function(it, np.cumsum, "cumsum", Call([call.args[0]], options, call.node))
        if isinstance(made, NumPyValue) and ufunc is not np.add:
            made.dtype = None
        return made
    return it.unknown(f"numpy.{ufunc.__name__}.{name}")


def _class(it: Interpreter, cls: Any, call: Call) -> Value:
    import numpy as np

    if cls in (np.dtype, np.finfo, np.iinfo) or cls.__name__ in _GIVES_INFORMATION:
        if all(map(is_concrete, call.values)):
            try:
                return cls(*call.args, **call.kwargs)
            except Exception as error:
                swallow(error)
                return it.fail(call.node, "array-dtype", f"{type(error).__name__}: {error}")
        return it.unknown(f"numpy.{cls.__name__} of what is not known")
    failed = _traced(it, cls.__name__, call.args, call.node)
    if failed is not None:
        return failed
    if issubclass(cls, np.generic):
        return convert_to(it, cls, call)
    if cls is np.ndarray:
        made = call_function(
            it,
            np.empty,
            "empty",
            Call(call.args[:1] or [call.kwargs.get("shape")], {"dtype": call.kwargs.get("dtype")}, call.node),
        )
        return made
    if cls is np.ndindex:
        shape = call.args[0] if len(call.args) == 1 else tuple(call.args)
        try:
            real = concrete(shape)
        except NotConcrete:
            return it.unknown("np.ndindex of unknown sizes")
        sizes = real if isinstance(real, tuple) else (real,)
        if math.prod(sizes) <= 512:
            return IteratorValue(list(np.ndindex(*sizes)))
        return IteratorValue(None, (ScalarValue(int, is_data=True),) * len(sizes))
    if cls is np.ndenumerate and call.args and isinstance(call.args[0], NumPyValue) and call.args[0].shape is not None:
        value = call.args[0]
        index = (ScalarValue(int, is_data=True),) * len(value.shape or ())
        return IteratorValue(None, (index, NumPyValue((), value.dtype, True)))
    it.engines.havoc(it, call.values)
    return it.unknown(f"numpy.{cls.__name__}")


_HIGHER: Final = frozenset(
    {"vectorize", "apply_along_axis", "apply_over_axes", "fromfunction", "frompyfunc", "piecewise", "fromiter"}
)


def _higher(it: Interpreter, name: str, call: Call) -> Value:
    """Functions of NumPy that call those of the program."""
    if name == "fromfunction" and len(call.args) >= 2 and not call.kwargs:
        import numpy as np

        grids = call_function(it, np.indices, "indices", Call([call.args[1]], {"dtype": float}, call.node))
        items, _ = it.iterate(grids, call.node) if isinstance(grids, NumPyValue) else (None, None)
        if items is not None:
            made = it.call(call.args[0], [_hidden(v) for v in items], {}, call.node)
            return made
    for value in call.values:
        if isinstance(value, NumPyValue):
            forget(it, value)
    it.engines.havoc(it, call.values)
    if name == "fromiter":
        return NumPyValue((None,), None)
    return it.unknown(f"numpy.{name} of a function")


def _hidden(value: Value) -> Value:
    return NumPyValue(value.shape, value.dtype, value.is_scalar) if isinstance(value, NumPyValue) else value


def from_aval(value: ArrayValue) -> Value:
    """`numpy.asarray` of a JAX array that is no tracer."""
    if value.is_key:
        return Unknown("an array of typed keys as a NumPy array")
    return NumPyValue(value.aval.shape, host_dtype(value))
