"""Attributes and methods of arrays, and of `x.at[i]`: by our own rules where they know enough, else as jax has them."""

from __future__ import annotations

import ast
from typing import Any, Final

from arraytyping.checker.flow.engines import numpy as numpy_engine
from arraytyping.checker.flow.engines.array_operators import by_rule_or_jax
from arraytyping.checker.flow.engines.index_checks import check_at, check_call
from arraytyping.checker.flow.engines.shards import part_of_device, shards
from arraytyping.checker.flow.engines.together import Together
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.unknown_shapes import shape_of
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    AtValue,
    HandlerValue,
    ListValue,
    MethodOf,
    ScalarValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.traced_sentences import python_value_sentence
from arraytyping.semantics.avals import ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.sizes import size_dim
from arraytyping.semantics.sizes.dims import of_dim

__all__ = ["at_method", "attribute", "method"]

_OF_TRACERS: Final = frozenset({"val", "batch_dim", "primal", "tangent", "full_lower", "_trace", "source_info"})
"""Attributes that only arrays under some of jax's transformations have."""

_TO_PYTHON: Final[dict[str, type | None]] = {
    "item": None, "tolist": None, "__array__": None, "__float__": float, "__int__": int, "__bool__": bool,
    "__complex__": complex, "__index__": int,
}  # fmt: skip
"""Methods that ask for the value of an array, with the type of what they give; None if the dtype decides."""
_OPERANDS: Final = (ArrayValue, bool, int, float, complex)
_CALLED_BY_PYTHON: Final = frozenset({
    "__dir__", "__format__", "__getstate__", "__hash__", "__iter__", "__reduce__", "__reduce_ex__", "__repr__",
    "__setstate__", "__sizeof__", "__str__",
})  # fmt: skip
"""Which say of a tracer what they would not of an array, or give what is the engine's."""


def attribute(engines: Together, it: Interpreter, a: ArrayValue, name: str, node: ast.AST | None) -> Value:
    """An attribute or a method of an array; MISSING if arrays have none of this name."""
    aval = a.aval
    if name == "shape":
        if aval.shape is None:
            return shape_of(it, a)
        return tuple(_dim(d) for d in aval.shape)
    if name == "ndim":
        return ScalarValue(int) if aval.shape is None else len(aval.shape)
    if name == "dtype":
        return (
            it.unknown("the dtype of an array of unknown dtype")
            if aval.dtype is None
            else engines.jax.dtype(aval.dtype)
        )
    if name == "size":
        return _size(aval)
    if name == "weak_type":
        return ScalarValue(bool) if aval.weak_type is None else aval.weak_type
    if name in ("T", "mT", "real", "imag"):
        asked = Call([a, name], {}, node)
        return by_rule_or_jax(engines, it, f"Array.{name}", Call([a], {}, node), _attribute, asked)
    if name == "sharding" and a.sharding is not None and not a.traced:
        return a.sharding
    if name in ("addressable_shards", "global_shards"):
        return shards(it, a, name)
    if name == "addressable_data":
        return HandlerValue(name, lambda it, call: part_of_device(it, a))
    is_method = callable(getattr(engines.jax.private.array_kinds()[0], name, None))
    if not is_method and not hasattr(engines.jax.jax.Array, name) and not hasattr(_sample(engines), name):
        return it.unknown(f"attribute {name} of a tracer") if name in _OF_TRACERS else MISSING
    if is_method:
        return MethodOf(a, name)
    if name in ("nbytes", "itemsize"):
        return ScalarValue(int)
    return it.unknown(f"attribute {name} of an array")


def _sample(engines: Together) -> Any:
    """An array, for what a class does not tell; to make it starts XLA and its threads."""
    found = engines.kept_alive.get(-1)
    if found is None:
        import numpy as np  # not before: see `report.workers`

        with engines.jax.jax.ensure_compile_time_eval():  # no tracer, which has fewer methods
            found = engines.kept_alive[-1] = engines.jax.jax.device_put(np.float32(0))  # which compiles nothing
    return found


def _dim(dim: Any) -> Any:
    if isinstance(dim, int):
        return dim
    return ScalarValue(int, size=of_dim(dim))


def _size(aval: ShapedArray) -> Any:
    return _dim(size_dim(aval.shape))


def method(engines: Together, it: Interpreter, receiver: ArrayValue, name: str, call: Call) -> Value:
    """A method of an array."""
    if name in _TO_PYTHON and (receiver.traced or not (call.args or call.kwargs)):
        return _to_python(it, receiver, name, call.node)
    if name in _TO_PYTHON or name in ("block_until_ready", "copy_to_host_async", "delete"):
        if not call.is_empty:
            return it.unknown(f"the method {name} of an array with arguments")
        return receiver if name == "block_until_ready" else None
    is_operator = name.startswith("__") and name not in ("__getitem__", "__len__")
    if name in _CALLED_BY_PYTHON or (is_operator and not all(isinstance(v, _OPERANDS) for v in call.args)):
        return it.unknown(f"{name} of an array, called by this name")
    asked = call.preceded_by(receiver, name)
    result = by_rule_or_jax(engines, it, f"Array.{name}", call.preceded_by(receiver), _method, asked)
    return check_call(it, f"numpy.{name}", call.preceded_by(receiver), result) if name == "take" else result


def _to_python(it: Interpreter, a: ArrayValue, name: str, node: ast.AST | None) -> Value:
    if a.traced:
        return it.fail(node, "array-traced", python_value_sentence(name, a.aval))
    if name == "__array__":
        return numpy_engine.from_aval(a)
    shape = a.aval.shape
    if name == "tolist" and shape != ():
        if shape is None or not all(isinstance(d, int) for d in shape):
            return it.unknown("the list of an array of unknown shape")
        return _nested(a, shape)
    if shape is not None and (size := a.aval.size) is not None and size != 1:
        what = f"{name}() of an array of shape {shape_tuple_str(shape)}: only an array of one element has it"
        return it.fail(node, "array-shape", what)
    kind = _TO_PYTHON[name]
    dtype = a.aval.dtype
    if (name == "__index__" and not (dtype or "").startswith(("int", "uint"))) or (
        (dtype or "complex").startswith("complex") and kind in (int, float)
    ):
        return it.unknown(f"{name} of an array of {dtype}")
    return _python_scalar(a) if kind is None else ScalarValue(kind, is_data=True)


def at_method(engines: Together, it: Interpreter, at: AtValue, name: str, call: Call) -> Value:
    """A method of `x.at[i]`."""
    if at.index is MISSING:
        return it.unknown(f"x.at.{name} without an index")
    if isinstance(at.array, Unknown):
        return at.array
    check_at(it, at.array, at.index, name, call.kwargs, call.node)
    asked = call.preceded_by(name, at.array, at.index)
    if _is_traced_mask(at.index):
        # Whether jax accepts such a mask depends on whether it is a tracer, of which the rule knows nothing.
        return engines.call(it, _at, asked)
    return by_rule_or_jax(engines, it, f"Array.at.{name}", call.preceded_by(at.array, at.index), _at, asked)


def _is_traced_mask(index: Value) -> bool:
    """Whether a tracer of truth values is part of an index."""
    if isinstance(index, tuple):
        return any(map(_is_traced_mask, index))
    return isinstance(index, ArrayValue) and index.traced and index.aval.dtype == "bool" and index.aval.shape != ()


def _python_scalar(a: ArrayValue) -> Value:
    """The Python scalar that an array of one element holds."""
    dtype = a.aval.dtype
    if dtype is None or dtype.startswith("key<"):
        return Unknown("the element of an array of unknown dtype")
    if dtype in ("int1", "uint1"):  # which XLA makes bools
        return Unknown("the element of an array of integers of one bit")
    return ScalarValue(_kind(dtype), is_data=True)


def _kind(dtype: str) -> type:
    if dtype == "bool":
        return bool
    if dtype.startswith(("int", "uint")):
        return int
    return complex if dtype.startswith("complex") else float


def _nested(a: ArrayValue, shape: tuple[Any, ...]) -> Value:
    if not shape:
        return _python_scalar(a)
    if shape[0] > 256:
        return ListValue(None, _nested(a, shape[1:]))
    return ListValue([_nested(a, shape[1:]) for _ in range(shape[0])])


def _attribute(a: Value, name: str) -> Value:
    return getattr(a, name)


def _method(a: Value, name: str, /, *args: Value, **kwargs: Value) -> Value:
    return getattr(a, name)(*args, **kwargs)


def _at(name: str, a: Any, index: Value, /, *args: Value, **kwargs: Value) -> Value:
    return getattr(a.at[index], name)(*args, **kwargs)
