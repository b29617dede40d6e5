"""Equinox: modules are dataclasses that JAX sees by their fields; transformations treat arrays and the rest apart.

Methods of the program's modules are interpreted directly.  Layers of Equinox are the real ones.

Source: https://docs.kidger.site/equinox/all-of-equinox/.
"""

from __future__ import annotations

import ast
import functools
import importlib
import sys
from typing import Any, Final

from arraytyping.checker.flow.adapters.records import add_initializer, make_record, option_of
from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.libraries.jax_transformations import untraced_like
from arraytyping.checker.flow.libraries.registry import Handler, handles, handles_base
from arraytyping.checker.flow.python.fields import FieldValue, fields_of
from arraytyping.checker.flow.state.identity import identity
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.key_effects import KeyArguments
from arraytyping.checker.flow.state.keys import consume, origin_of
from arraytyping.checker.flow.syntax.held_arrays import note_held
from arraytyping.checker.flow.syntax.traced_arguments import map_arrays, to_array
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    BoundMethod,
    ClassValue,
    Descriptor,
    DictValue,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    NumPyValue,
    TreeValue,
    Unknown,
    Value,
    has_objects_as_keys,
    is_traced,
)
from arraytyping.checker.flow.values.calls import Call

__all__ = ["consume_dropout"]

Kwargs = dict[str, Any]
_GRADIENTS: Final = ("filter_grad", "filter_value_and_grad", "filter_jacfwd", "filter_jacrev", "filter_hessian")


# ---------------------------------------------------------------------- modules


@handles("equinox.field")
def _field(it: Interpreter, call: Call) -> Value:
    return FieldValue(dict(call.kwargs))


@handles("equinox.static_field")
def _static_field(it: Interpreter, call: Call) -> Value:
    return FieldValue({**call.kwargs, "static": True})


@handles_base("equinox.Module")
def _module(it: Interpreter, cls: ClassValue, base: Value, keywords: Kwargs, node: ast.AST | None) -> Value:
    if any(isinstance(b, ClassValue) and b.kind == "unknown" for b in cls.mro):
        cls.kind = "unknown"
        return cls
    for name, (annotation, _) in list(cls.fields.items()):
        if "AbstractVar" in (text := ast.unparse(annotation)) or "AbstractClassVar" in text:
            del cls.fields[name]  # which a subclass must have, in its own place
    add_initializer(cls)
    make_record(cls, {"frozen": True}, lambda name: option_of(cls, name, "static") is not True)
    cls.options["adapter"] = _module
    cls.options["instantiate"] = _instantiate
    return cls


def _instantiate(it: Interpreter, cls: ClassValue, call: Call) -> Value:
    """`__init__`, the converters of fields, and `__check_init__` of the class and its bases."""
    instance = InstanceValue(cls, {})
    it.call(cls.find("__init__"), *call.preceded_by(instance))
    for name in fields_of(cls):
        converter = option_of(cls, name, "converter")
        if converter is not MISSING and name in instance.attributes:
            it.journal.touch(instance)
            instance.attributes[name] = it.call(converter, [instance.attributes[name]], {}, call.node)
        if name not in instance.attributes:
            default = cls.find(name)
            if isinstance(default, FieldValue):
                default = default.options.get("default", MISSING)
            elif default is not MISSING and not isinstance(default, Descriptor | FunctionValue):
                continue  # an attribute of the class, which JAX does not see
            if default is MISSING or isinstance(default, Descriptor | FunctionValue):
                return it.unknown(f"an instance of {cls.name} whose field {name!r} is not seen to be set")
            it.journal.touch(instance)
            instance.attributes[name] = default
    for base in cls.mro:
        if isinstance(base, ClassValue) and isinstance(check := base.namespace.get("__check_init__"), FunctionValue):
            it.call(check, [instance], {}, call.node)
    return instance


def consume_dropout(it: Interpreter, layer: TreeValue, kwargs: Kwargs) -> None:
    """A layer of dropout draws from its `key`, unless it is told not to: for each example of a batch anew."""
    made = layer.treedef.node_data()
    if made is None or made[0] is not sys.modules["equinox"].nn.Dropout or len(layer.leaves) != 2:
        return
    p, is_off = layer.leaves
    if type(p) is float and p > 0 and is_off is False and kwargs.get("inference") in (None, False):
        consume(it, kwargs["key"], "eqx.nn.Dropout", ())


# ---------------------------------------------------------------------- filter_jit


def _traced(it: Interpreter, value: Value, node: ast.AST | None) -> Value:
    """Arrays become tracers, and all else stays what it is."""

    def change(leaf: Value) -> Value:
        array = to_array(it, leaf, node) if isinstance(leaf, NumPyValue) else leaf
        if isinstance(array, ArrayValue):
            traced = array.as_traced(True)
            traced.key = origin_of(array)
            return traced
        return leaf

    if isinstance(value, BoundMethod):
        return BoundMethod(value.function, _traced(it, value.receiver, node))
    return map_arrays(it, value, change, node)


@handles("equinox.filter_jit")
def _filter_jit(it: Interpreter, call: Call) -> Value:
    if not call.args and "fun" not in call.kwargs:
        return HandlerValue(
            "filter_jit", lambda i, later: _filter_jit(i, later.with_kwargs({**call.kwargs, **later.kwargs}))
        )
    function = call.args[0] if call.args else call.kwargs["fun"]
    if isinstance(function, Unknown):
        return function
    answers: dict[Any, Any] = {}

    def called(it: Interpreter, call: Call) -> Value:
        result = answer(it, call)
        note_held(it, function, call, result)
        return result

    def answer(it: Interpreter, call: Call) -> Value:
        outside = it.staged > 0 or any(map(is_traced, call.values))
        target = _traced(it, function, call.node)
        given = [_traced(it, v, call.node) for v in call.args]
        named = {name: _traced(it, v, call.node) for name, v in call.kwargs.items()}
        key = (
            identity(target),
            tuple(map(identity, given)),
            tuple((name, identity(v)) for name, v in named.items()),
            it.engines.jax.configuration(),
            outside,
            it.engines.asker.callbacks.live,
        )
        keys = KeyArguments(it, [target, *given, *named.values()])
        if key in answers:
            known, effects = answers[key]
            keys.again(effects)
            return it.engines.copy(known, keys, effects)
        suppressed, mark = it.suppressed, it.journal.mark
        it.staged += 1
        try:
            result = it.call(target, given, named, call.node)
        finally:
            it.staged -= 1

        def output(leaf: Value) -> Value:
            array = to_array(it, leaf, call.node) if isinstance(leaf, NumPyValue) else leaf
            if isinstance(array, ArrayValue) and array.traced != outside:
                return array.as_traced(outside)
            return array

        result = map_arrays(it, result, output, call.node)
        if it.suppressed == suppressed and not has_objects_as_keys(result):
            answers[key] = it.engines.keep(result, keys, mark)
        return result

    return HandlerValue("filter_jit", called, (function,), ("filter_jit", identity(function)))


# ---------------------------------------------------------------------- transformations that are Equinox's own


def _transformation(name: str, is_gradient: bool) -> Handler:
    """A handler of a function such as `filter_grad`, which gives a function."""

    def handle(it: Interpreter, call: Call) -> Value:
        options = call.named("fun")
        function = options.pop("fun", MISSING)
        if function is MISSING:
            return HandlerValue(name, lambda i, call: handle(i, call.with_kwargs({**options, **call.kwargs})))
        if isinstance(function, Unknown):
            return function

        def called(it: Interpreter, call: Call) -> Value:
            real = getattr(importlib.import_module("equinox"), name)

            def transformed(function: Value, options: Any, /, *arguments: Any, **keywords: Any) -> Value:
                return real(function, **options)(*arguments, **keywords)

            transformed.__name__ = name
            it.differentiating += is_gradient
            try:
                return it.engines.asker.ask(
                    it, transformed, call.preceded_by(function, DictValue(dict(options))), is_gradient
                )
            except Abort as abort:
                return _fallback(it, name, function, options, call, abort.why)
            finally:
                it.differentiating -= is_gradient

        return HandlerValue(name, called, (function,), (name, tuple(options.items())))

    return handle


def _fallback(it: Interpreter, name: str, function: Value, options: Kwargs, call: Call, why: str) -> Value:
    """Where Equinox cannot be asked: the function is called as it is, and a gradient is like the first argument."""
    if name not in ("filter_grad", "filter_value_and_grad") or not call.args:
        it.engines.havoc(it, [function])
        return it.unknown(why)
    result = it.call(function, *call)

    def differentiated(leaf: Value) -> Value:
        if isinstance(leaf, ArrayValue) and leaf.aval.dtype is None:
            return it.unknown("the gradient of an array of unknown dtype")
        is_inexact = isinstance(leaf, ArrayValue) and str(leaf.aval.dtype).startswith(("float", "bfloat", "complex"))
        return leaf if is_inexact else leaf if isinstance(leaf, Unknown) else None

    outside = it.staged > 0 or any(map(is_traced, call.args))
    gradient = untraced_like(it, map_arrays(it, call.args[0], differentiated, call.node), outside, call.node)
    if name == "filter_value_and_grad":
        return (result, gradient)
    if options.get("has_aux") is True:
        aux = result[1] if isinstance(result, tuple) and len(result) == 2 else it.unknown(why)
        return (gradient, aux)
    return gradient


for _name in _GRADIENTS:
    handles(f"equinox.{_name}")(_transformation(_name, True))
for _name in ("filter_vmap", "filter_pmap"):
    handles(f"equinox.{_name}")(_transformation(_name, False))


@handles("equinox.module_update_wrapper")
def _wrapper(it: Interpreter, call: Call) -> Value:
    """The module, which has the names and the text of what it wraps."""
    module = call.argument(0, "wrapper", MISSING)
    if not isinstance(module, InstanceValue) or getattr(module.cls.find("__wrapped__"), "kind", "") != "property":
        return it.engines.call(it, importlib.import_module("equinox").module_update_wrapper, call)
    names = dict.fromkeys(functools.WRAPPER_ASSIGNMENTS, it.unknown("what is wrapped"))
    return InstanceValue(module.cls, {**module.attributes, **names})


@handles("equinox.filter_checkpoint")
def _checkpoint(it: Interpreter, call: Call) -> Value:
    return _filter_jit(it, call.with_kwargs({k: v for k, v in call.kwargs.items() if k == "fun"}))


@handles("equinox.tree_pformat", "equinox.tree_pprint", "equinox.tree_serialise_leaves")
def _text(it: Interpreter, call: Call) -> Value:
    return it.unknown("a tree as text or in a file")


@handles("equinox.tree_deserialise_leaves")
def _deserialised(it: Interpreter, call: Call) -> Value:
    """The leaves of a file are like those of the second argument, or else an exception is raised."""
    return call.args[1] if len(call.args) > 1 and "filter_spec" not in call.kwargs else it.unknown("a tree from a file")
