"""Subscripts: items of containers, and indexing of arrays, which an engine does."""

from __future__ import annotations

import ast
import typing
from functools import partial
from typing import Any

from arraytyping.checker.flow.python.method_tables import unhashable
from arraytyping.checker.flow.python.references import read
from arraytyping.checker.flow.python.run_attributes import ENVIRON, put_environ
from arraytyping.checker.flow.python.targets import forget_items
from arraytyping.checker.flow.real_calls.costs import is_bearable_index
from arraytyping.checker.flow.state.branching import branch, tried
from arraytyping.checker.flow.state.certainty import depends_on_data
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join, join_all, joining_in_doubt
from arraytyping.checker.flow.state.stateful import is_stateful_class
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    AtValue,
    BaseValue,
    ClassValue,
    Descriptor,
    DictValue,
    InstanceValue,
    ListValue,
    NumPyValue,
    RefValue,
    ScalarValue,
    SetValue,
    TreeValue,
    UnionValue,
    Unknown,
    Value,
    ViewValue,
    is_concrete,
    is_key,
    type_name,
)
from arraytyping.checker.swallowed import swallow

__all__ = ["get", "put"]


def get(it: Interpreter, owner: Value, index: Value, node: ast.AST | None) -> Value:
    """`owner[index]`."""
    if isinstance(owner, ArrayValue):
        return it.engines.getitem(it, owner, index, node)
    if isinstance(owner, UnionValue) or isinstance(index, UnionValue):
        return _each(it, owner, index, node)
    if isinstance(owner, Unknown):
        return owner
    if isinstance(owner, ViewValue):
        return _refused(it, owner, node)
    if isinstance(owner, tuple | ListValue):
        return _sequence(it, owner, index, node)
    if isinstance(owner, DictValue):
        return _mapping(it, owner, index, node)
    if isinstance(owner, NumPyValue):
        return it.engines.numpy_getitem(it, owner, index, node)
    if isinstance(owner, RefValue):
        return read(it, owner, index, node)
    if isinstance(owner, AtValue):
        return AtValue(owner.array, index)
    if isinstance(owner, InstanceValue):
        return _of_instance(it, owner, index, node)
    if isinstance(owner, ClassValue):
        return _of_class(it, owner, index, node)
    if isinstance(owner, TreeValue):
        return it.engines.tree_getitem(it, owner, index, node)
    if isinstance(owner, ScalarValue):
        if str in owner.kinds:
            return ScalarValue(str)
        return _refused(it, owner, node)
    if isinstance(owner, SetValue) or owner is None:
        return _refused(it, owner, node)
    if isinstance(owner, BaseValue):
        return it.unknown("a subscript of a function")
    return _concrete(it, owner, index, node)


def _refused(it: Interpreter, owner: Value, node: ast.AST | None) -> Value:
    return it.fail(node, "array-call", f"TypeError: {type_name(owner)!r} object is not subscriptable")


def _of_instance(it: Interpreter, owner: InstanceValue, index: Value, node: ast.AST | None) -> Value:
    method = owner.cls.find("__getitem__")
    if method is MISSING:
        if owner.cls.kind == "unknown":
            return it.unknown("a subscript of an instance whose class is not understood")
        return _refused(it, owner, node)
    return it.call(method, [owner, index], {}, node)


def _of_class(it: Interpreter, owner: ClassValue, index: Value, node: ast.AST | None) -> Value:
    """What a class gives for its parameters: itself, unless it says how."""
    if isinstance(method := owner.find("__class_getitem__"), Descriptor):
        return it.call(method.function, [owner, index], {}, node)
    is_generic = "metaclass" not in owner.options or typing.Generic in owner.mro
    return owner if is_generic else it.unknown("a subscript of a class whose metaclass is not understood")


def _each(it: Interpreter, owner: Value, index: Value, node: ast.AST | None) -> Value:
    owners = owner.values if isinstance(owner, UnionValue) else (owner,)
    indices = index.values if isinstance(index, UnionValue) else (index,)
    results = []
    for o in owners:
        for i in indices:
            suppressed = it.suppressed
            with it.quietly():
                result = get(it, o, i, node)
            if it.suppressed == suppressed:
                results.append(result)
    return join_all(results) if results else get(it, owners[-1], indices[-1], node)


def as_index(index: Value) -> Value:
    """An index of a sequence as a Python int, where it is known."""
    if (
        isinstance(index, NumPyValue)
        and index.data is not None
        and index.data.ndim == 0
        and index.data.dtype.kind in "iu"
    ):
        return int(index.data)
    if isinstance(index, slice):
        return slice(*(as_index(part) for part in (index.start, index.stop, index.step)))
    if isinstance(index, ArrayValue) and type(index.aval.value) is int and not index.traced:
        return index.aval.value
    return index


def _sequence(it: Interpreter, owner: tuple[Any, ...] | ListValue, index: Any, node: ast.AST | None) -> Value:
    index = as_index(index)
    items = list(owner) if isinstance(owner, tuple) else owner.items
    name = "tuple" if isinstance(owner, tuple) else "list"
    if isinstance(index, ArrayValue) and index.traced:
        return it.fail(
            node,
            "array-traced",
            f"a {name} cannot be indexed by the tracer {index.aval}; "
            "stack its items into an array, or use jax.lax.switch",
        )
    if isinstance(index, str | float | ListValue | tuple) or index is None:
        what = "NoneType" if index is None else "list" if isinstance(index, ListValue) else type(index).__name__
        return it.fail(node, "array-call", f"TypeError: {name} indices must be integers or slices, not {what}")
    if items is None:
        assert isinstance(owner, ListValue)
        it.may_raise += 1
        return ListValue(None, owner.element) if isinstance(index, slice) else owner.element
    if is_concrete(index):
        try:
            found = items[index]
        except IndexError:
            sliced = node.value if isinstance(node, ast.Subscript) else None
            is_axis = isinstance(sliced, ast.Attribute) and sliced.attr == "shape"
            code = "array-index" if is_axis else "array-call"
            return it.fail(node, code, f"IndexError: {name} index {index} is out of range: it has {len(items)} items")
        except TypeError as error:
            return it.fail(node, "array-call", f"TypeError: {error}")
        if isinstance(index, slice):
            return tuple(found) if isinstance(owner, tuple) else ListValue(found)
        return found
    with joining_in_doubt(not depends_on_data(index)):
        joined = join_all(items)
    it.may_raise += 1
    if joined is MISSING:
        return it.unknown("an item of an empty sequence")
    if isinstance(index, slice):
        return ListValue(None, joined) if isinstance(owner, ListValue) else it.unknown("a slice of a tuple")
    return joined


def _mapping(it: Interpreter, owner: DictValue, index: Value, node: ast.AST | None) -> Value:
    index = as_index(index)
    if owner.items is None:
        it.may_raise += 1
        if owner.factory is not None:
            made = it.call(owner.factory, [], {}, node)
            it.journal.touch(owner)
            owner.key, owner.element = join(owner.key, index), join(owner.element, made)
        return owner.element if owner.element is not MISSING else it.unknown("an item of a dict of unknown keys")
    if not is_key(index):
        if isinstance(index, tuple) and any(isinstance(v, ArrayValue | ListValue) for v in index):
            return it.fail(node, "array-call", "TypeError: a dict's key must be hashable, and an array or list is not")
        may_be_scalar = isinstance(index, NumPyValue) and (index.is_scalar or index.shape is None)
        if isinstance(index, ArrayValue | ListValue | DictValue | NumPyValue) and not may_be_scalar:
            what = "an array" if isinstance(index, ArrayValue | NumPyValue) else f"a {index.kind.__name__}"
            return it.fail(node, "array-call", f"TypeError: {what} is not hashable, so it is no key of a dict")
        if owner.factory is not None:
            made = it.call(owner.factory, [], {}, node)
            it.journal.touch(owner)
            owner.items[index] = made  # a key of its own, before all are joined
            forget_items(owner)
            return owner.element
        with joining_in_doubt(not depends_on_data(index)):
            joined = join_all(owner.items.values())
        it.may_raise += 1
        return it.unknown("an item of an empty dict") if joined is MISSING else joined
    try:
        if index in owner.items:
            return owner.items[index]
    except TypeError as error:
        return it.fail(node, "array-call", f"TypeError: {error}")
    if owner.factory is not None:
        made = it.call(owner.factory, [], {}, node)
        it.journal.touch(owner)
        owner.items[index] = made
        return made
    if owner.kind.__name__ == "Counter":
        return 0
    known = ", ".join(map(repr, list(owner.items)[:8])) or "none"
    return it.fail(node, "array-call", f"KeyError: {index!r}; the keys are {known}")


def _concrete(it: Interpreter, owner: Any, index: Any, node: ast.AST | None) -> Value:
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


def put(it: Interpreter, owner: Value, index: Value, value: Value, node: ast.AST | None) -> None:
    """`owner[index] = value`."""
    index = as_index(index)
    if owner is ENVIRON:
        put_environ(it, index, value)
    elif isinstance(owner, ViewValue):
        it.fail(node, "array-call", f"TypeError: {owner.kind.__name__!r} object does not support item assignment")
    elif isinstance(owner, ListValue):
        _put_in_list(it, owner, index, value, node)
    elif isinstance(owner, DictValue):
        _put_in_dict(it, owner, index, value, node)
    elif isinstance(owner, ArrayValue):
        it.fail(
            node,
            "array-call",
            "TypeError: JAX arrays are immutable, so x[i] = y is not possible; write x = x.at[i].set(y)",
        )
    elif isinstance(owner, tuple):
        it.fail(node, "array-call", "TypeError: a tuple's items cannot be assigned; make a new tuple")
    elif isinstance(owner, NumPyValue):
        it.engines.numpy_setitem(it, owner, index, value, node)
    elif isinstance(owner, InstanceValue):
        method = owner.cls.find("__setitem__")
        if method is not MISSING:
            it.call(method, [owner, index, value], {}, node)
    elif isinstance(owner, UnionValue):
        branch(it, it.frame, [tried(it, partial(it.put_item, one, index, value, None)) for one in owner.values])
    elif isinstance(owner, Unknown):
        it.obscure += 1
        it.engines.havoc(it, [value])
    elif isinstance(owner, TreeValue):
        it.engines.put_tree_item(it, owner, index, value, node)
    elif is_stateful_class(type(owner)):
        it.engines.objects.put_item(it, owner, index, value, node)
    elif owner is None:
        it.fail(node, "array-call", "TypeError: 'NoneType' object does not support item assignment")
    elif isinstance(owner, str):
        it.fail(node, "array-call", "TypeError: 'str' object does not support item assignment")
    elif not isinstance(owner, BaseValue):
        it.written[id(owner), None] = owner
        it.engines.havoc(it, [value])


def _put_in_dict(it: Interpreter, owner: DictValue, index: Value, value: Value, node: ast.AST | None) -> None:
    if (name := unhashable(index)) is not None:
        it.fail(node, "array-call", f"TypeError: unhashable type: {name!r}, as a key of a dict")
        return
    it.journal.touch(owner)
    if owner.items is not None and is_key(index):
        try:
            owner.items[index] = value
        except TypeError as error:
            it.fail(node, "array-call", f"TypeError: {error}")
    elif owner.items is None:
        owner.key, owner.element = join(owner.key, index), join(owner.element, value)
    else:  # the key may be one that is there already, or a new one
        owner.key = join(join_all(owner.items), index)
        owner.element = join(join_all(owner.items.values()), value)
        owner.items = None


def _put_in_list(it: Interpreter, owner: ListValue, index: Value, value: Value, node: ast.AST | None) -> None:
    it.journal.touch(owner)
    if owner.items is None:
        if isinstance(index, slice):
            items, element = it.iterate(value, node)
            value = element if items is None else join_all(items)
        if value is not MISSING:
            owner.element = join(owner.element, value)
    elif type(index) is int:
        if not -len(owner.items) <= index < len(owner.items):
            message = f"IndexError: list index {index} is out of range: it has {len(owner.items)} items"
            it.fail(node, "array-call", message)
        else:
            owner.items[index] = value
    elif isinstance(index, slice):
        items, element = it.iterate(value, node)
        if is_concrete(index) and items is not None:
            owner.items[index] = items
        else:
            owner.element = join(join_all(owner.items), join_all(items) if items is not None else element)
            owner.items = None
    else:
        owner.items[:] = [join(item, value) for item in owner.items]
