"""`arraytyping.facts`: what a stand-in says of a library."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any, Final

from arraytyping.checker.flow.engines.numpy_making import dtype_argument
from arraytyping.checker.flow.libraries.registry import Handler, handles
from arraytyping.checker.flow.sources.statements import statements
from arraytyping.checker.flow.state.fresh_sizes import fresh_size
from arraytyping.checker.flow.state.imported_packages import IMPORTED
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.state.told_uses import TOLD_NUMBERS
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    BaseValue,
    DictValue,
    InertValue,
    ListValue,
    NumPyValue,
    OfNumPy,
    ScalarValue,
    SetValue,
    Value,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.flow.values.frames import Module
from arraytyping.semantics.avals import Dim, Shape, ShapedArray
from arraytyping.semantics.sizes.dims import as_dim, of_dim
from arraytyping.semantics.sizes.polynomials import symbol

Node = ast.AST | None

_NUMBER: Final = re.compile(r"[0-9]+")


@handles("arraytyping.facts.array")
def _array(it: Interpreter, call: Call) -> Value:
    dtype = _dtype(call.argument(0, "dtype"))
    shape = _shape(it, call.argument(1, "shape"), call.node)
    weak = call.argument(2, "weak_type", False)
    is_weak = weak if isinstance(weak, bool) and dtype is not None else None
    return ArrayValue(ShapedArray(shape, dtype, is_weak))


@handles("arraytyping.facts.numpy_array")
def _numpy_array(it: Interpreter, call: Call) -> Value:
    dtype = _dtype(call.argument(0, "dtype"))
    return NumPyValue(_shape(it, call.argument(1, "shape"), call.node), dtype)


def _dtype(value: Value) -> str | None:
    return None if value is None else dtype_argument(value, None)


def _shape(it: Interpreter, value: Value, node: Node) -> Shape | None:
    """Sizes from a text, each name of which is a size of its own, or one by one."""
    if isinstance(value, str):
        names = {name: fresh_size(it, name) for name in dict.fromkeys(value.split()) if not _NUMBER.fullmatch(name)}
        return tuple(int(part) if _NUMBER.fullmatch(part) else as_dim(names[part]) for part in value.split())
    if isinstance(value, tuple | ListValue):
        items = it.iterate(value, node)[0]
        return None if items is None else tuple(map(_dim, items))
    return None


def _dim(value: Value) -> Dim:
    if type(value) is int and value >= 0:
        return value
    if isinstance(value, ScalarValue) and value.size is not None:
        return as_dim(value.size)
    return None


@handles("arraytyping.facts.size")
def _size(it: Interpreter, call: Call) -> Value:
    name, minimum = call.argument(0, "name"), call.argument(1, "minimum", 0)
    hint = name if isinstance(name, str) and name.isidentifier() else "n"
    made = fresh_size(it, hint)
    text = str(as_dim(made))
    low = minimum if type(minimum) is int else 0
    return ScalarValue(int, size=symbol(text, low) if text.isidentifier() else made)


@handles("arraytyping.facts.rows")
def _rows(it: Interpreter, call: Call) -> Value:
    """Of an array or a list as many rows as are said."""
    value = call.argument(0, "array")
    number = _dim(call.argument(1, "number"))
    if isinstance(value, NumPyValue) and value.shape != ():
        return NumPyValue(None if value.shape is None else (number, *value.shape[1:]), value.dtype)
    if isinstance(value, ArrayValue) and value.aval.shape != ():
        aval = value.aval
        shape = None if aval.shape is None else (number, *aval.shape[1:])
        return ArrayValue(ShapedArray(shape, aval.dtype, aval.weak_type))
    if isinstance(value, ListValue):
        made = ListValue(None, join_all(value.items) if value.items else value.element)
        made.length = of_dim(number)
        return made
    return it.unknown("rows of what is no array")


@handles("arraytyping.facts.axes")
def _axes(it: Interpreter, call: Call) -> Value:
    """How many axes an array of NumPy has; None: that is not known."""
    value = call.argument(0, "array")
    return len(value.shape) if isinstance(value, NumPyValue) and value.shape is not None else None


@handles("arraytyping.facts.many")
def _many(it: Interpreter, call: Call) -> Value:
    return ListValue(None, call.argument(0, "item"))


def _of(kind: type) -> Handler:
    return lambda it, call: ScalarValue(kind)


@handles("arraytyping.facts.number")
def _number(it: Interpreter, call: Call) -> Value:
    if call.argument(0, "may_be_numpy", False) is not True:
        return ScalarValue(float, is_data=True)
    TOLD_NUMBERS.put(it, True)
    return ScalarValue(float, OfNumPy, is_data=True)


for _name, _kind in (("integer", int), ("text", str), ("data", bytes), ("boolean", bool)):
    handles(f"arraytyping.facts.{_name}")(_of(_kind))


@handles("arraytyping.facts.one_of")
def _one_of(it: Interpreter, call: Call) -> Value:
    return join_all(call.args) if call.args else it.unknown("one of no values")


@handles("arraytyping.facts.is_known")
def _is_known(it: Interpreter, call: Call) -> bool:
    return _is_literal(call.argument(0, "value"))


def _is_literal(value: Value) -> bool:
    if isinstance(value, ListValue | DictValue | SetValue):
        items = value.items
        if items is None:
            return False
        return all(map(_is_literal, items.values() if isinstance(items, dict) else items))
    return all(map(_is_literal, value)) if isinstance(value, tuple) else not isinstance(value, BaseValue)


@handles("arraytyping.facts.one_item")
def _one_item(it: Interpreter, call: Call) -> Value:
    it.may_raise += 1  # there may be none yet
    items, element = it.iterate(call.argument(0, "items"), call.node)
    if items is None:
        return it.unknown("an item of an empty list") if element is MISSING else element
    return join_all(items) if items else it.unknown("an item of an empty list")


@handles("arraytyping.facts.has_imported")
def _has_imported(it: Interpreter, call: Call) -> bool:
    packages = it.iterate(call.argument(0, "packages"), call.node)[0]
    return packages is not None and not IMPORTED.of(it).isdisjoint(p for p in packages if isinstance(p, str))


@handles("arraytyping.facts.unknown")
def _unknown(it: Interpreter, call: Call) -> Value:
    why = call.argument(0, "why")
    return it.unknown(why if isinstance(why, str) else "what a library gives")


@handles("arraytyping.facts.reads_only")
def _reads_only(it: Interpreter, call: Call) -> Value:
    why = call.argument(0, "why")
    return InertValue(why if isinstance(why, str) else "what a library gives")


_UNPACKED: Final[RunSlot[dict[Module, frozenset[tuple[str, int]]]]] = RunSlot("what modules unpack of calls", dict)


@handles("arraytyping.facts.unpacked")
def _unpacked(it: Interpreter, call: Call) -> Value:
    name = call.argument(0, "method")
    known = _UNPACKED.of(it)
    for module in it.importer.loaded:
        if module.is_program and module not in known:
            known[module] = frozenset(_unpackings(module.tree))
    return tuple(sorted({count for found in known.values() for method, count in found if method == name}))


def _unpackings(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """The methods whose results are unpacked, each with the number of names, where none of these is starred."""
    for node in statements(tree):
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
            continue
        called = node.value.func
        for target in node.targets:
            is_plain = isinstance(target, ast.Tuple) and not any(isinstance(e, ast.Starred) for e in target.elts)
            if is_plain and isinstance(target, ast.Tuple) and isinstance(called, ast.Attribute):
                yield called.attr, len(target.elts)


@handles("arraytyping.facts.call_with_anything")
def _call_with_anything(it: Interpreter, call: Call) -> Any:
    it.engines.havoc(it, call.values)
