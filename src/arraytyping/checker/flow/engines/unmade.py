"""Instances of classes that the program does not make: what their constructors bind once holds for each of them.

A method that nothing calls is followed with such an instance.  Of an attribute that something besides the constructor
binds, of what can be changed in place, and of what a class that derives from this one has of its own, nothing is known.
Modules of Flax are as in `init`, where each parameter is what its initializer gives.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.engines.any_subclass import any_subclass
from arraytyping.checker.flow.engines.attribute_stores import bound_besides
from arraytyping.checker.flow.engines.initialized_modules import is_module_class
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.told_uses import OF_INSTANCE
from arraytyping.checker.flow.values import (
    ANY_ATTRIBUTE,
    ArrayValue,
    BoundMethod,
    ClassValue,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    JitValue,
    NumPyValue,
    PartialValue,
    ScalarValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.flow.values.frames import Frame
from arraytyping.semantics.avals import ShapedArray

__all__ = ["is_of_flax", "parameter", "unmade_instance"]

_CONSTANTS: Final = (
    bool, int, float, complex, str, bytes, type(None), type, types.FunctionType, types.BuiltinFunctionType,
    types.ModuleType,
)  # fmt: skip
_FUNCTIONS: Final = ("PjitFunction", "custom_jvp", "ufunc")
"""Functions of jax, by their classes."""
_KEPT: Final = (ScalarValue, FunctionValue, HandlerValue, JitValue, BoundMethod, PartialValue, ClassValue)
_Keep = Callable[[dict[str, Any]], None]


def unmade_instance(
    it: Interpreter, cls: ClassValue, follow: Callable[[FunctionValue, InstanceValue, _Keep], bool]
) -> InstanceValue:
    """An instance of which is known what holds for each one.

    `follow` calls the constructor, if nothing else does, and hands on what attributes there are then.
    """
    any_class = any_subclass(it, cls)
    made = InstanceValue(any_class, {ANY_ATTRIBUTE: Unknown(OF_INSTANCE)})
    if any_class is not cls:
        made.attributes["__class__"] = Unknown(OF_INSTANCE)
    is_flax = is_of_flax(cls)
    maker = cls.find("setup" if is_flax else "__init__")
    if (cls.kind != "plain" and not is_flax) or cls.pytree is not None or "metaclass" in cls.options:
        return made
    if is_flax:
        fields = {n: v for n, v in _fields(it, cls).items() if n not in any_class.namespace or any_class is cls}
        made.attributes |= fields | {"param": HandlerValue("param", _parameter)}
    known = dict(made.attributes)
    following = InstanceValue(any_class, dict(known))
    attributes: dict[str, Any] = {}
    if not isinstance(maker, FunctionValue) or not follow(maker, following, attributes.update):
        return made
    makers = {maker.node} | {
        function.node
        for base in cls.mro
        if isinstance(base, ClassValue) and isinstance(function := base.namespace.get(maker.name), FunctionValue)
    }
    bound = bound_besides(it, cls, makers)
    for name, value in attributes.items():
        is_own = any_class is cls or name not in any_class.namespace
        if name not in known and bound is not None and name not in bound and is_own:
            made.attributes[name] = _constant(value)
    return made


def _constant(value: Value) -> Value:
    """What holds of an attribute each time that it is read; it is no key that was seen before."""
    if isinstance(value, ArrayValue):
        aval = value.aval
        return ArrayValue(ShapedArray(aval.shape, aval.dtype, aval.weak_type))
    if isinstance(value, NumPyValue):
        return NumPyValue(value.shape, value.dtype, value.is_scalar)
    if isinstance(value, tuple):
        items = [_constant(item) for item in value]
        return tuple(items) if type(value) is tuple else tuple.__new__(type(value), items)
    is_constant = isinstance(value, (*_KEPT, type)) or type(value) in _CONSTANTS
    return value if is_constant or type(value).__name__ in _FUNCTIONS else Unknown(OF_INSTANCE)


# ---------------------------------------------------------------------- modules of Flax


def is_of_flax(cls: ClassValue) -> bool:
    """Whether a class of the program is one of a module of Flax."""
    return is_module_class(cls.options.get("real class"))


def _fields(it: Interpreter, cls: ClassValue) -> dict[str, Any]:
    """What is known of the fields by their annotations."""
    found: dict[str, Any] = {}
    for base in reversed([b for b in cls.mro if isinstance(b, ClassValue)]):
        for name, (annotation, frame) in base.fields.items():
            inner = Frame(frame, "function", frame.module)
            what = f"field {name!r} of {cls.name}"
            found[name] = it.check_annotation(annotation, Unknown(OF_INSTANCE), None, frame, inner, what)
    return found


def _parameter(it: Interpreter, call: Call) -> Value:
    return parameter(it, call, ArrayValue(ShapedArray((2,), "uint32", False), True))


def parameter(it: Interpreter, call: Call, key: Value) -> Value:
    """`self.param(name, init, *args)`: what the initializer gives for a key."""
    if len(call.args) < 2 or call.kwargs:
        return it.unknown("a parameter of a module that nothing makes")
    _, init, *args = call.args
    result = it.call(init, [key, *args], {}, call.node)
    return _constant(result) if isinstance(result, ArrayValue) else Unknown(OF_INSTANCE)
