"""Iteration: the items of what can be iterated, as far as they are known."""

from __future__ import annotations

import ast
import itertools
import os
import types
from typing import Any

from arraytyping.checker.flow.python.classes import enum_class
from arraytyping.checker.flow.python.drawing import Drawing, begin_drawing
from arraytyping.checker.flow.real_calls.concrete_calls import set_order
from arraytyping.checker.flow.state.interpreter import MISTAKE, Interpreter
from arraytyping.checker.flow.state.joins import join, join_all
from arraytyping.checker.flow.state.keys import item_key
from arraytyping.checker.flow.state.laziness import spoil
from arraytyping.checker.flow.state.stateful import is_stateful_class
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    BaseValue,
    BoundMethod,
    ClassValue,
    DictValue,
    FunctionValue,
    InstanceValue,
    IteratorValue,
    JitValue,
    ListValue,
    ModuleValue,
    NumPyValue,
    PartialValue,
    ScalarValue,
    SetValue,
    TreeValue,
    UnionValue,
    Unknown,
    Value,
    type_name,
)
from arraytyping.checker.flow.values.origins import place_of
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.sizes.dims import of_dim
from arraytyping.semantics.sizes.polynomials import Size, constant, symbol

__all__ = ["iterate", "length_of"]

_MOST_ITEMS = 4096
Items = tuple[list[Any] | None, Any]


def _refused(it: Interpreter, value: Value, node: ast.AST | None) -> Items:
    return None, it.fail(node, "array-call", f"TypeError: {type_name(value)!r} object is not iterable")


def length_of(value: Value) -> Size | None:
    """How many items there are, where that is known of them all: a number, or a size with a name."""
    if type(value) is ListValue:
        return value.length if value.items is None else constant(len(value.items))
    shape = value.aval.shape if isinstance(value, ArrayValue) else getattr(value, "shape", None)
    return of_dim(shape[0]) if isinstance(value, ArrayValue | NumPyValue) and shape else None


def iterate(it: Interpreter, value: Value, node: ast.AST | None) -> Items:
    """The items, or None and one value that describes each of them (MISSING if there surely are none).

    What an iterator still holds is used up.
    """
    if isinstance(value, tuple):
        return list(value), MISSING
    if isinstance(value, IteratorValue):
        return _exhaust(it, value)
    if isinstance(value, ListValue):
        return (list(value.items), MISSING) if value.items is not None else (None, value.element)
    if isinstance(value, SetValue):
        return _set(value)
    if isinstance(value, DictValue):
        return (list(value.items), MISSING) if value.items is not None else (None, value.key)
    if isinstance(value, ArrayValue):
        return _array(it, value, node)
    if isinstance(value, NumPyValue):
        found: Items = it.engines.numpy_iterate(it, value, node)
        return found
    # What is unknown may not be iterable: the loop may raise where it stands.
    if isinstance(value, Unknown):
        it.obscure += 1
        return None, value
    if isinstance(value, UnionValue):
        return _alternatives(it, value, node)
    if isinstance(value, InstanceValue):
        return _instance(it, value, node)
    if isinstance(value, ScalarValue) and str in value.kinds:
        return None, ScalarValue(str)
    if isinstance(value, TreeValue):
        found = it.engines.tree_iterate(it, value, node)
        return found
    if isinstance(value, ClassValue) and value.kind == "unknown":
        return None, it.unknown("the items of a class that is not understood")
    if isinstance(value, ScalarValue | ClassValue) or value is None or isinstance(value, int | float | complex):
        return _refused(it, value, node)
    if isinstance(value, FunctionValue | JitValue | PartialValue | BoundMethod | ModuleValue):
        return _refused(it, value, node)
    if isinstance(value, BaseValue):
        return None, it.unknown("the items of what is not understood")
    # Members of the program's enumerations are objects of a real one, which its class gives in order.
    members: Any = value if isinstance(value, type) and hasattr(value, "__members__") else ()
    if enum_class(it, next(iter(members), None)):
        return list(members), MISSING
    if is_stateful_class(type(value)):
        found = it.engines.objects.iterate(it, value, node)
        return found
    if isinstance(value, types.ModuleType | types.FunctionType | types.BuiltinFunctionType):
        return _refused(it, value, node)
    return _concrete(it, value, node)


def _set(value: SetValue) -> Items:
    if value.items is None:
        return None, value.element
    order = set_order(value.items)
    return [join_all(value.items)] * len(value.items) if order is None else order, MISSING


def _exhaust(it: Interpreter, value: IteratorValue) -> Items:
    spoil(it, value)
    if value.items is None:
        return None, value.element
    items = list(value.items)
    if not value.infinite and items:
        it.journal.touch(value)
        value.items = []
    return items, MISSING


def _alternatives(it: Interpreter, value: UnionValue, node: ast.AST | None) -> Items:
    found: list[Items] = []
    for one in value.values:
        suppressed = it.suppressed
        with it.quietly():
            result = iterate(it, one, node)
        if it.suppressed == suppressed and not (isinstance(result[1], Unknown) and result[1].why == MISTAKE):
            found.append(result)
    if not found:
        return iterate(it, value.values[-1], node)
    lengths = {None if items is None else len(items) for items, _ in found}
    if len(lengths) == 1 and None not in lengths:
        return [join_all(column) for column in zip(*(items or [] for items, _ in found))], MISSING
    return None, join_all(join(join_all(items or ()), element) for items, element in found)


def _array(it: Interpreter, value: ArrayValue, node: ast.AST | None) -> Items:
    aval = value.aval
    if aval.shape is None:
        return None, ArrayValue(ShapedArray(None, aval.dtype, aval.weak_type), value.traced, place_of(value.origin))
    if not aval.shape:
        it.fail(node, "array-dim", "TypeError: an array of rank 0 cannot be iterated")
        return None, Unknown(MISTAKE)
    # Iterating unstacks: the items are strong arrays only if the array is.
    item = value.like(ShapedArray(aval.shape[1:], aval.dtype, aval.weak_type), value.traced)
    first = aval.shape[0]
    if item.place is None and value.place is not None and first:
        found = it.engines.getitem(it, value, 0, node)
        item.place = found.place if isinstance(found, ArrayValue) else None
    if not isinstance(first, int) or first > _MOST_ITEMS:
        return None, item
    if value.keys_shape is not None:
        return [item_key(value, i, item) for i in range(first)], MISSING
    return [item.another() for _ in range(first)], MISSING


def _instance(it: Interpreter, value: InstanceValue, node: ast.AST | None) -> Items:
    source = begin_drawing(it, value, node)
    if isinstance(source, Drawing):
        return source.all(node)
    if source is not value:
        return iterate(it, source, node)
    if value.cls.kind == "unknown":
        return None, it.unknown("the items of an instance whose class is not understood")
    return _refused(it, value, node)


def _concrete(it: Interpreter, value: Any, node: ast.AST | None) -> Items:
    if value is os.environ:
        return None, ScalarValue(str)
    if isinstance(value, range) and len(value) > _MOST_ITEMS:
        low, high = min(value[0], value[-1]), max(value[0], value[-1])
        return None, ScalarValue(int, size=symbol(f"r{low}_{high}", low, high), is_data=True)
    if type(value) in (slice, type):
        return _refused(it, value, node)
    if isinstance(value, str | bytes | range | type) or hasattr(value, "__len__"):
        try:
            items = [it.engines.from_python(v) for v in itertools.islice(iter(value), _MOST_ITEMS + 1)]
        except Exception as error:
            swallow(error)
            return None, it.unknown("the items of a library's object")
        return (items, MISSING) if len(items) <= _MOST_ITEMS else (None, join_all(items))
    return None, it.unknown("the items of a library's object")
