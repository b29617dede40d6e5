"""What is done with concrete objects of Python: constants, functions, classes, modules and objects of libraries."""

from __future__ import annotations

import abc
import ast
import itertools
import os
import types
from typing import Any

from arraytyping.checker.flow.python.abstract_classes import register_of
from arraytyping.checker.flow.python.attributes_of_classes import bind
from arraytyping.checker.flow.python.enumerations import class_of_enum, enum_class
from arraytyping.checker.flow.python.exception_arguments import has_untold
from arraytyping.checker.flow.python.iteration import MOST_ITEMS, not_iterable
from arraytyping.checker.flow.python.run_attributes import ENVIRON, module_attribute, put_environ
from arraytyping.checker.flow.python.subscripts import as_index, not_subscriptable
from arraytyping.checker.flow.real_calls.costs import is_bearable_index
from arraytyping.checker.flow.state.behaviour import ATTRIBUTE, ITEM, ITERATE, PUT_ATTRIBUTE, PUT_ITEM, TRUTH, Items
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.state.stateful import is_stateful_class
from arraytyping.checker.flow.values import MISSING, Descriptor, FunctionValue, ScalarValue, Value, is_concrete
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.sizes.polynomials import symbol

__all__: list[str] = []

ITERATE(type(None), int, float, complex)(not_iterable)
ITEM(type(None))(not_subscriptable)


@ITERATE(object)
def _iterate(it: Interpreter, value: Any, node: ast.AST | None) -> Items:
    # Members of the program's enumerations are objects of a real one, which its class gives in order.
    members: Any = value if isinstance(value, type) and hasattr(value, "__members__") else ()
    if enum_class(it, next(iter(members), None)):
        return list(members), MISSING
    if is_stateful_class(type(value)):
        found: Items = it.engines.objects.iterate(it, value, node)
        return found
    if isinstance(value, types.ModuleType | types.FunctionType | types.BuiltinFunctionType):
        return not_iterable(it, value, node)
    if value is os.environ:
        return None, ScalarValue(str)
    if isinstance(value, range) and value[MOST_ITEMS:]:  # of which the length may be too much for `len`
        low, high = min(value[0], value[-1]), max(value[0], value[-1])
        return None, ScalarValue(int, size=symbol(f"r{low}_{high}", low, high), is_data=True)
    if type(value) in (slice, type):
        return not_iterable(it, value, node)
    if isinstance(value, str | bytes | range | type) or hasattr(value, "__len__"):
        try:
            items = [it.engines.from_python(v) for v in itertools.islice(iter(value), MOST_ITEMS + 1)]
        except Exception as error:
            swallow(error)
            return None, it.unknown("the items of a library's object")
        return (items, MISSING) if len(items) <= MOST_ITEMS else (None, join_all(items))
    return None, it.unknown("the items of a library's object")


@TRUTH(object)
def _truth(it: Interpreter, value: Any, node: ast.AST | None) -> bool | None:
    if value is os.environ:
        return None
    try:
        return bool(value)
    except Exception as error:
        swallow(error)
        return None


@ATTRIBUTE(object)
def _attribute(it: Interpreter, value: Value, name: str, node: ast.AST | None) -> Value:
    if (cls := enum_class(it, value)) is not None:
        found = cls.find(name)
        if isinstance(found, FunctionValue | Descriptor):
            return bind(it, found, value, type(value), None)
    if isinstance(value, type) and (cls := class_of_enum(it, value)) is not None:
        found = cls.find(name)
        if isinstance(found, FunctionValue | Descriptor):
            return bind(it, found, MISSING, value, None)
    if name == "register" and isinstance(value, abc.ABCMeta):
        return register_of(value)
    if not is_concrete(value):
        return it.unknown(f"attribute {name} of what is not understood")
    if it.written and ((id(value), name) in it.written or (id(value), None) in it.written):
        return it.unknown("an attribute of a library's object that the program has changed")
    if has_untold(value) and not name.startswith("__") and hasattr(value, name):
        return it.unknown(f"attribute {name} of an exception of which not all is known")
    if (found := module_attribute(it, value, name)) is not MISSING:
        return found
    return it.engines.library_attribute(it, value, name)


@ITEM(object)
def _item(it: Interpreter, owner: Any, index: Any, node: ast.AST | None) -> Value:
    if isinstance(owner, str | bytes | range):
        index = as_index(index)
        if not is_concrete(index):
            if isinstance(owner, str):
                return ScalarValue(str)
            return it.unknown("a range sliced by something unknown") if isinstance(index, slice) else ScalarValue(int)
        try:
            return owner[index]
        except (IndexError, TypeError) as error:
            return it.fail(node, "array-call", f"{type(error).__name__}: {error}")
    if is_stateful_class(type(owner)):
        return it.engines.objects.get_item(it, owner, index, node)
    handler = it.registry.find_subscript(owner)
    if handler is not None:
        return handler(it, owner, index, node)
    if not is_concrete(index):
        return it.unknown("a subscript of a library's object")
    if type(owner).__module__.startswith("numpy") and not is_bearable_index(index):
        return it.unknown("a huge grid")
    try:
        return it.engines.from_python(owner[index])
    except Exception as error:
        swallow(error)
        return it.unknown(f"a subscript that fails: {type(error).__name__}")


@PUT_ITEM(object)
def _put_item(it: Interpreter, owner: Any, index: Value, value: Value, node: ast.AST | None) -> None:
    if owner is ENVIRON:
        put_environ(it, index, value)
    elif is_stateful_class(type(owner)):
        it.engines.objects.put_item(it, owner, index, value, node)
    elif owner is None:
        it.fail(node, "array-call", "TypeError: 'NoneType' object does not support item assignment")
    elif isinstance(owner, str):
        it.fail(node, "array-call", "TypeError: 'str' object does not support item assignment")
    else:
        it.written[id(owner), None] = owner
        it.engines.havoc(it, [value])


@PUT_ATTRIBUTE(object)
def _put_attribute(it: Interpreter, owner: Value, name: str, value: Value, node: ast.AST | None) -> None:
    if is_stateful_class(type(owner)):
        it.engines.objects.put_attribute(it, owner, name, value, node)
    else:
        # A real object of a library is not written to, since other runs share it: what it has is unknown from now on.
        it.written[id(owner), name if isinstance(owner, type | types.ModuleType) else None] = owner
