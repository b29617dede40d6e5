"""Operators of containers: membership, equality, sequences put together, and sets."""

from __future__ import annotations

import ast
import collections
import operator
import os
import sys
from typing import Any

from arraytyping.checker.flow.python.method_tables import unhashable
from arraytyping.checker.flow.python.operator_names import COMPARISONS, SYMBOLS, kind_name
from arraytyping.checker.flow.python.operators_of_scalars import apply_concretely
from arraytyping.checker.flow.real_calls.costs import is_huge
from arraytyping.checker.flow.real_calls.weights import WIDEST
from arraytyping.checker.flow.state.aliases import is_shared
from arraytyping.checker.flow.state.certainty import data_bool, depends_on_data
from arraytyping.checker.flow.state.identity import identity
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import SCALARS, join, join_all
from arraytyping.checker.flow.state.laziness import perhaps, taking
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    ClassValue,
    DictValue,
    FunctionValue,
    InstanceValue,
    IteratorValue,
    ListValue,
    ScalarValue,
    SetValue,
    Unknown,
    Value,
    ViewValue,
    is_concrete,
    is_key,
    own_methods,
)
from arraytyping.checker.flow.values.open_structs import holds_open_struct, is_open_struct
from arraytyping.checker.swallowed import swallow

__all__ = ["contains", "equal", "of_containers"]


def contains(it: Interpreter, container: Any, value: Value, node: ast.AST | None) -> Value:
    """Whether a value is in a container."""
    if isinstance(container, Unknown):
        it.obscure += 1
        return Unknown(container.why)
    if container is os.environ or container is sys.modules:
        return ScalarValue(bool)
    if isinstance(container, InstanceValue):
        method = container.cls.find("__contains__")
        if method is not MISSING:
            return it.call(method, [container, value], {}, node)
        if any(isinstance(base, type) and hasattr(base, "__contains__") for base in container.cls.mro):
            it.obscure += 1
            return it.unknown("in of a class that derives from a library's")
        it.iterate(container, node)  # up to where it is found
        return it.unknown("in of a class")
    if isinstance(container, DictValue | SetValue):
        # A set is looked for as a frozenset.
        is_set = isinstance(container, SetValue) and isinstance(value, SetValue)
        if not is_set and (name := unhashable(value)) is not None:
            return it.fail(node, "array-call", f"TypeError: unhashable type: {name!r}")
        if container.items is None:
            return ScalarValue(bool)
        return _found(value, container.items)
    if isinstance(container, IteratorValue):
        return _in_iterator(it, container, value, node)
    if isinstance(container, ListValue | tuple):
        items = container if isinstance(container, tuple) else container.items
        if items is None:
            return ScalarValue(bool)
        if isinstance(value, ArrayValue):
            return ScalarValue(bool) if items else False
        equals = [it.binary("eq", value, item, None) for item in items]
        results = [it.truth(one, None) for one in equals]
        return True if True in results else _unless(equals, results) if None in results else False
    if is_concrete(container) and is_concrete(value):
        if isinstance(container, range) and type(value) not in (int, bool) and is_huge("in", container, value):
            return ScalarValue(bool)
        try:
            return bool(value in container)
        except TypeError as error:
            return it.fail(node, "array-call", f"TypeError: {error}")
        except Exception as error:
            swallow(error)
            return it.unknown("in of a library's object")
    return data_bool(value)


def _unless(equals: list[Value], results: list[bool | None]) -> ScalarValue:
    """Whether any, or all, are true of which some are not known: data, if all of those are."""
    hanging = [one for one, known in zip(equals, results) if known is None]
    return ScalarValue(bool, is_data=all(map(depends_on_data, hanging)))


def _in_iterator(it: Interpreter, container: IteratorValue, value: Value, node: ast.AST | None) -> Value:
    """Whether a value is in an iterator, which is used up to that place."""
    with taking(it, perhaps):
        items = container.items
    found = ScalarValue(bool) if items is None else contains(it, tuple(items), value, node)
    if items and not container.infinite:
        it.journal.touch(container)
        if found is False:
            container.items = []
        else:
            container.items, container.element = None, join_all(items)
    return found


def _found(value: Value, keys: Any) -> Value:
    if not keys:
        return False
    if not is_key(value):
        return data_bool(value)
    try:
        return value in keys
    except TypeError:
        return ScalarValue(bool)


def equal(it: Interpreter, a: Value, b: Value) -> Value:
    """Whether two values that are no arrays are equal."""
    if "__eq__" in own_methods(a) or "__eq__" in own_methods(b):
        return ScalarValue(bool)
    containers = (ListValue, DictValue, SetValue, tuple)
    for x, y in ((a, b), (b, a)):
        if isinstance(x, containers) and (y is None or type(y) in SCALARS):
            return False
    if _has_view(a, b):
        return _equal_views(it, a, b)
    if not isinstance(a, tuple) and (is_open_struct(a) or is_open_struct(b)):
        return _equal_structs(it, a, b)
    if is_concrete(a) and is_concrete(b) and not (holds_open_struct(a) or holds_open_struct(b)):
        if isinstance(a, tuple) and isinstance(b, tuple) and is_huge("eq", a, b):
            return ScalarValue(bool)
        try:
            return bool(a == b)
        except Exception as error:
            swallow(error)
            return ScalarValue(bool)
    if isinstance(a, tuple) and isinstance(b, tuple):
        if len(a) != len(b):
            return False
        return _all_equal(it, a, b)
    if isinstance(a, ListValue) and isinstance(b, ListValue) and a.items is not None and b.items is not None:
        return _all_equal(it, tuple(a.items), tuple(b.items)) if len(a.items) == len(b.items) else False
    if type(a) is not type(b) and (
        isinstance(a, tuple | ListValue | DictValue) and isinstance(b, tuple | ListValue | DictValue)
    ):
        return False
    if isinstance(a, FunctionValue | ClassValue) and isinstance(b, FunctionValue | ClassValue):
        return a is b
    if (
        isinstance(a, SetValue | DictValue)
        and type(a) is type(b)
        and identity(a) == identity(b)
        and a.items is not None
        and all(is_concrete(v) for v in (a.items.values() if isinstance(a, DictValue) else a.items))
    ):
        return True
    return ScalarValue(bool)


def _equal_structs(it: Interpreter, a: Any, b: Any) -> Value:
    """Whether two shapes and dtypes are equal; jax would say that two symbols are not."""
    if not (hasattr(a, "shape") and hasattr(a, "dtype") and hasattr(b, "shape") and hasattr(b, "dtype")):
        return False
    if a.dtype != b.dtype or len(a.shape) != len(b.shape):
        return False
    sizes = _all_equal(it, *(tuple(map(it.engines.from_python, one.shape)) for one in (a, b)))
    return sizes if sizes is False else True if sizes is True and a == b else ScalarValue(bool)


def _equal_views(it: Interpreter, a: Any, b: Any) -> Value:
    if a is b:
        return True
    if any(isinstance(v, ViewValue) and v.part == "values" for v in (a, b)):  # which are equal to themselves alone
        return ScalarValue(bool) if is_shared(a) or is_shared(b) else False
    if not all(isinstance(v, ViewValue | SetValue) for v in (a, b)):
        return ScalarValue(bool)
    a, b = _set_of(it, a, None), _set_of(it, b, None)
    return equal(it, a, b) if a.items is None or b.items is None else a.items.keys() == b.items.keys()


def _all_equal(it: Interpreter, a: tuple[Value, ...], b: tuple[Value, ...]) -> Value:
    equals, results = [], []
    for x, y in zip(a, b):
        with it.quietly():
            equals.append(it.binary("eq", x, y, None))
            results.append(it.truth(equals[-1], None))
    return False if False in results else _unless(equals, results) if None in results else True


def of_containers(it: Interpreter, op: str, a: Any, b: Any, node: ast.AST | None) -> Value:
    """An operator one of whose operands is a container."""
    if op in ("and_", "or_", "sub", "xor"):
        a, b = (_set_of(it, v, node) for v in (a, b)) if _has_set_view(a, b) else (a, b)
    if op == "add":
        if isinstance(a, tuple) and isinstance(b, tuple):
            return it.unknown("a huge sequence") if is_huge(op, a, b) else tuple(a) + tuple(b)
        if isinstance(a, ListValue) and isinstance(b, ListValue) and not _has_view(a, b):
            if a.items is not None and b.items is not None and len(a.items) + len(b.items) <= WIDEST:
                return ListValue([*a.items, *b.items], kind=a.kind)
            # Too long to be kept item by item, or of unknown length: what any of the items may be.
            return ListValue(None, join_all([*(a.items or ()), *(b.items or ()), a.element, b.element]), a.kind)
    if op == "mul" and not _has_view(a, b):
        for sequence, count in ((a, b), (b, a)):
            if type(count) in (int, bool):
                if isinstance(sequence, tuple):
                    return it.unknown("a huge sequence") if is_huge(op, a, b) else tuple(sequence) * count
                if isinstance(sequence, ListValue):
                    if sequence.items is None:
                        return ListValue(None, sequence.element)
                    if len(sequence.items) * count > WIDEST:
                        return ListValue(None, join_all(sequence.items))
                    return ListValue(sequence.items * count)
    if isinstance(a, DictValue) and isinstance(b, DictValue) and collections.Counter in (a.kind, b.kind):
        return _of_counters(it, op, a, b)
    if op == "or_" and isinstance(a, DictValue) and isinstance(b, DictValue):
        # Python asks the operand of the derived class first, so that the result is of that class.
        made = b if issubclass(b.kind, a.kind) and b.kind is not a.kind else a
        result = DictValue(None if a.items is None else a.copied(), a.key, a.element, made.kind, made.factory)
        it.call(it.get_attribute(result, "update", node), [b], {}, node)
        return result
    if isinstance(a, SetValue) and isinstance(b, SetValue):
        return _sets(op, a, b)
    if op in COMPARISONS:
        if isinstance(a, tuple) and isinstance(b, tuple) and is_concrete(a) and is_concrete(b):
            return apply_concretely(it, op, (a, b), node)
        sorts = _sort(a), _sort(b)
        if op in ("lt", "le", "gt", "ge") and None not in sorts and (sorts[0] != sorts[1] or sorts[0] == "dict"):
            names = f"{kind_name(a)} and {kind_name(b)}"
            message = f"TypeError: {SYMBOLS.get(op, op)} is not supported between instances of {names}"
            return it.fail(node, "array-call", message)
        return ScalarValue(bool)
    if all(_is_of_python(v) for v in (a, b)):
        names = f"{kind_name(a)} and {kind_name(b)}"
        return it.fail(node, "array-call", f"TypeError: unsupported operands of {SYMBOLS.get(op, op)}: {names}")
    return it.unknown(f"{SYMBOLS.get(op, op)} of containers")


def _is_of_python(value: Value) -> bool:
    """Whether a value is of one of Python's own types, whose operators are all known here."""
    if isinstance(value, ListValue | DictValue | SetValue):
        return value.kind in (list, dict, set, frozenset) or isinstance(value, ViewValue)
    return isinstance(value, tuple | int | float | str) or value is None


def _of_counters(it: Interpreter, op: str, a: DictValue, b: DictValue) -> Value:
    """The sum, difference, union or intersection of two counters, or their comparison."""
    counts = [None if v.items is None else list(v.items.values()) for v in (a, b)]
    if op not in ("add", "sub", "or_", "and_") or any(c is None or not all(type(n) is int for n in c) for c in counts):
        return it.unknown(f"{SYMBOLS.get(op, op)} of counters")
    found = getattr(operator, op)(collections.Counter(a.items), collections.Counter(b.items))
    return DictValue(dict(found), kind=collections.Counter)


def _sort(value: Value) -> str | None:
    """What a value is ordered among; None for what may bring an order of its own."""
    if isinstance(value, ListValue | DictValue) and not isinstance(value, ViewValue):
        return value.kind.__name__ if value.kind in (list, dict) else None
    if isinstance(value, tuple):
        return "tuple" if type(value).__lt__ is tuple.__lt__ else None
    if isinstance(value, SetValue):
        return "set"
    return type(value).__name__ if value is None or type(value) in (int, float, str, bytes) else None


def _has_view(a: Value, b: Value) -> bool:
    return isinstance(a, ViewValue) or isinstance(b, ViewValue)


def _has_set_view(a: Value, b: Value) -> bool:
    return any(isinstance(v, ViewValue) and v.part != "values" for v in (a, b))


def _set_of(it: Interpreter, value: Value, node: ast.AST | None) -> Value:
    """What an operator of the keys or items of a dict takes: they and whatever can be gone through are sets for it."""
    if not isinstance(value, ListValue | DictValue | IteratorValue | tuple):
        return value
    items, element = it.iterate(value, node)
    if items is not None and all(map(is_key, items)):
        return SetValue(dict.fromkeys(items))
    return SetValue(None, element if items is None else join_all(items))


def _sets(op: str, a: SetValue, b: SetValue) -> Value:
    if op in COMPARISONS:
        if a.items is None or b.items is None:
            return ScalarValue(bool)
        return bool(getattr(operator, op)(set(a.items), set(b.items)))
    if a.items is None or b.items is None:
        return SetValue(
            None,
            join(
                a.element if a.items is None else join_all(a.items), b.element if b.items is None else join_all(b.items)
            ),
            a.kind,
        )
    kept = getattr(operator, op)(set(a.items), set(b.items))
    return SetValue({k: None for k in [*a.items, *b.items] if k in kept}, kind=a.kind)
