"""Classes of the program that derive from `dict` or `list`: the methods are those of the container that they hold.

Source: https://docs.python.org/3/reference/datamodel.html#special-method-names.
"""

from __future__ import annotations

import ast
import operator
import typing
from typing import Any, Final

from arraytyping.checker.flow.libraries.registry import handles_base
from arraytyping.checker.flow.python.deletion import delete_item
from arraytyping.checker.flow.python.held_containers import CONTENTS, IS_ATTRIBUTES, aliased_dict, contents_of
from arraytyping.checker.flow.python.methods import call_method
from arraytyping.checker.flow.state.interpreter import Interpreter, Raised
from arraytyping.checker.flow.values import (
    MISSING,
    ClassValue,
    Descriptor,
    DictValue,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    Value,
    is_concrete,
)
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []

_OF_DICTS: Final = (
    "clear", "copy", "get", "items", "keys", "move_to_end", "pop", "popitem", "setdefault", "update", "values",
    "__contains__", "__delitem__", "__eq__", "__getitem__", "__ior__", "__iter__", "__len__", "__ne__", "__or__",
    "__reversed__", "__setitem__",
)  # fmt: skip
_OF_LISTS: Final = (
    "append", "clear", "copy", "count", "extend", "index", "insert", "pop", "remove", "reverse", "sort", "__add__",
    "__contains__", "__delitem__", "__eq__", "__getitem__", "__iadd__", "__iter__", "__len__", "__ne__",
    "__reversed__", "__setitem__",
)  # fmt: skip

_BUILTINS: Final[dict[str, Any]] = {
    "__iter__": iter, "__len__": len, "__reversed__": reversed, "__contains__": operator.contains,
    "__add__": operator.add, "__or__": operator.or_, "__eq__": operator.eq, "__ne__": operator.ne,
}  # fmt: skip
_IN_PLACE: Final = {"__iadd__": "extend", "__ior__": "update"}


@handles_base("builtins.dict", "builtins.list", "collections.OrderedDict", "collections.defaultdict")
def _container(it: Interpreter, cls: ClassValue, base: Any, keywords: dict[str, Value], node: ast.AST | None) -> Value:
    # The real class stays behind its methods, for isinstance.
    real = typing.get_origin(base) or base
    methods = _methods(real)
    cls.mro = [c for b in cls.mro for c in ([b] if b is not base else [methods, real])]
    for name, held in cls.namespace.items():  # `__getattr__ = dict.get`
        if getattr(held, "__objclass__", None) in real.__mro__ and (own := methods.find(held.__name__)) is not MISSING:
            cls.namespace[name] = own
    cls.options["instantiate"] = _instantiate
    cls.options["attribute"] = _attribute
    return cls


def _instantiate(it: Interpreter, cls: ClassValue, call: Call) -> Value:
    base = next(b for b in cls.mro if isinstance(b, type) and issubclass(b, dict | list))
    if "metaclass" in cls.options or cls.kind != "plain" or isinstance(cls.find("__new__"), FunctionValue):
        it.engines.havoc(it, [cls, *call.values])
        return it.unknown(f"an instance of {cls.name}, whose class is not understood")
    instance = InstanceValue(cls, {CONTENTS: it.call(base, [], {}, call.node)})
    it.call(cls.find("__init__"), *call.preceded_by(instance))
    return instance


def _attribute(it: Interpreter, value: InstanceValue, name: str, node: ast.AST | None) -> Value:
    """An attribute that an instance has as an item of its own."""
    if IS_ATTRIBUTES not in value.attributes:
        return MISSING
    held = aliased_dict(value)
    if held is None or held.items is None:
        return it.unknown("an attribute of a dict that is not known")
    return held.items.get(name, MISSING)


def _methods(base: type) -> ClassValue:
    """The class of the methods of `dict` or `list` on instances that hold one."""
    found = _METHODS.get(base)
    if found is None:
        found = _METHODS[base] = ClassValue(base.__name__, (), {}, None)
        for name in _OF_DICTS if issubclass(base, dict) else _OF_LISTS:
            if hasattr(base, name):  # what wraps something is bound to the instance
                found.namespace[name] = HandlerValue(name, _method(name), (found,), (base, name))
        if issubclass(base, dict):
            found.namespace["fromkeys"] = Descriptor("classmethod", HandlerValue("fromkeys", _from_keys, (found,)))
        found.namespace["__init__"] = HandlerValue("__init__", _initialize(base), (found,), (base, "__init__"))
    return found


_METHODS: Final[dict[type, ClassValue]] = {}


def _method(name: str) -> Any:
    def call_it(it: Interpreter, call: Call) -> Value:
        instance: Any = call.args[0] if call.args else None
        held = contents_of(instance)
        if held is None:
            it.engines.havoc(it, call.values)
            return it.unknown("a container of which nothing is known any more")
        if name == "__getitem__" and len(call.args) == 2 and isinstance(held, DictValue):
            return _item(it, instance, held, call)
        if name == "__setitem__" and len(call.args) == 3:
            it.put_item(held, call.args[1], call.args[2], call.node)
            return None
        if name == "__delitem__" and len(call.args) == 2:
            delete_item(it, held, call.args[1], call.node)
            return None
        rest = [contents_of(v) or v for v in call.args[1:]]
        if name in _BUILTINS:
            return it.call(_BUILTINS[name], [held, *rest], {}, call.node)
        if name in _IN_PLACE:
            call_method(it, held, _IN_PLACE[name], Call(rest, {}, call.node))
            return instance
        return call_method(it, held, name, call.with_args(call.args[1:]))

    return call_it


def _from_keys(it: Interpreter, call: Call) -> Value:
    return it.unknown("fromkeys of a class of the program")


def _item(it: Interpreter, instance: InstanceValue, held: DictValue, call: Call) -> Value:
    """An item, or what `__missing__` gives."""
    key = call.args[1]
    missing = instance.cls.find("__missing__")
    if missing is not MISSING:
        if held.items is None or not is_concrete(key):
            mark, born = it.journal.mark, it.journal.newest
            with it.quietly():
                try:
                    it.call(missing, [instance, key], {}, call.node)
                except Raised:
                    it.may_raise += 1
            it.journal.blur_outside(mark, born)
            return it.unknown("an item of a dict that makes what it lacks")
        if key not in held.items:
            return it.call(missing, [instance, key], {}, call.node)
    return it.get_item(held, key, call.node)


def _initialize(base: type) -> Any:
    def call_it(it: Interpreter, call: Call) -> Value:
        if not call.args or not isinstance(instance := call.args[0], InstanceValue):
            return it.unknown("an __init__ without a receiver")
        held, made = contents_of(instance), it.call(base, call.args[1:], call.kwargs, call.node)
        it.journal.touch(instance)
        if isinstance(held, DictValue) and isinstance(made, DictValue) and held.items:
            call_method(it, held, "update", Call([made], {}, call.node))
        else:
            instance.attributes[CONTENTS] = made
        return None

    return call_it
