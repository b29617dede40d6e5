"""Methods of values that are not concrete: of containers, iterators, tuples, and of scalars whose value is unknown."""

from __future__ import annotations

from typing import Final

from arraytyping.checker.flow.python.method_tables import Methods
from arraytyping.checker.flow.python.methods_of_dicts import DICT_METHODS
from arraytyping.checker.flow.python.methods_of_iterators import ITERATOR_METHODS, TUPLE_METHODS
from arraytyping.checker.flow.python.methods_of_lists import LIST_METHODS
from arraytyping.checker.flow.python.methods_of_scalars import call_scalar_method
from arraytyping.checker.flow.python.methods_of_sets import SET_METHODS
from arraytyping.checker.flow.state.branching import of_each
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.may_raise import note_method
from arraytyping.checker.flow.values import (
    ArrayValue,
    AtValue,
    DictValue,
    IteratorValue,
    ListValue,
    NumPyValue,
    ScalarValue,
    SetValue,
    TreeValue,
    UnionValue,
    Value,
)
from arraytyping.checker.flow.values.calls import Call

__all__ = ["call_method"]

_TABLES: Final[tuple[tuple[type, Methods], ...]] = (
    (ListValue, LIST_METHODS),
    (DictValue, DICT_METHODS),
    (SetValue, SET_METHODS),
    (tuple, TUPLE_METHODS),
    (IteratorValue, ITERATOR_METHODS),
)


def call_method(it: Interpreter, receiver: Value, name: str, call: Call) -> Value:
    """Call a method of a value by its name."""
    note_method(it, receiver, name, call.args, call.kwargs)
    if isinstance(receiver, ArrayValue | NumPyValue | AtValue | TreeValue):
        return it.engines.method(it, receiver, name, call)
    for kind, table in _TABLES:
        if isinstance(receiver, kind):
            return _call(it, table, receiver, name, call)
    if isinstance(receiver, ScalarValue):
        return call_scalar_method(it, receiver, name, call)
    it.engines.havoc(it, [receiver, *call.values])
    return it.unknown(f"the method {name} of what is not understood")


def _call(it: Interpreter, table: Methods, receiver: Value, name: str, call: Call) -> Value:
    if name not in table:
        it.engines.havoc(it, [receiver, *call.values])
        return it.unknown(f"the method {name} of a {getattr(receiver, 'kind', type(receiver)).__name__}")
    alternatives = [(i, v) for i, v in enumerate(call.args) if isinstance(v, UnionValue)]
    if not alternatives or name in table.takes_anything:
        return table.call(it, receiver, name, call)
    at, value = alternatives[0]

    def with_one(one: Value) -> Value:
        return _call(it, table, receiver, name, call.with_args([*call.args[:at], one, *call.args[at + 1 :]]))

    return of_each(it, value.values, with_one)
