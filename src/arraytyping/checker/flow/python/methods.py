"""Methods of values that are not concrete, by their names."""

from __future__ import annotations

from arraytyping.checker.flow.python.method_tables import Methods
from arraytyping.checker.flow.state.behaviour import METHOD
from arraytyping.checker.flow.state.branching import of_each
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.may_raise import note_method
from arraytyping.checker.flow.values import UnionValue, Value
from arraytyping.checker.flow.values.calls import Call

__all__ = ["call_listed", "call_method"]


def call_method(it: Interpreter, receiver: Value, name: str, call: Call) -> Value:
    """Call a method of a value by its name."""
    note_method(it, receiver, name, call.args, call.kwargs)
    return METHOD.of(receiver)(it, receiver, name, call)


def call_listed(table: Methods, it: Interpreter, receiver: Value, name: str, call: Call) -> Value:
    """Call a method that a table has; any other may do anything with what it is given."""
    if name not in table:
        it.engines.havoc(it, [receiver, *call.values])
        return it.unknown(f"the method {name} of a {getattr(receiver, 'kind', type(receiver)).__name__}")
    alternatives = [(i, v) for i, v in enumerate(call.args) if isinstance(v, UnionValue)]
    if not alternatives or name in table.takes_anything:
        return table.call(it, receiver, name, call)
    at, value = alternatives[0]

    def with_one(one: Value) -> Value:
        return call_listed(table, it, receiver, name, call.with_args([*call.args[:at], one, *call.args[at + 1 :]]))

    return of_each(it, value.values, with_one)
