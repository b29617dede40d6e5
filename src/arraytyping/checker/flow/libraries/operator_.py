"""`operator`: the operators as functions, and functions that get items, attributes or call methods."""

from __future__ import annotations

import ast
import builtins
from typing import Any, Final

from arraytyping.checker.flow.libraries.builtin_functions import wrong_call
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.python.targets import forget_items
from arraytyping.checker.flow.state.certainty import data_bool
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import DictValue, HandlerValue, ListValue, NumPyValue, ScalarValue, Value
from arraytyping.checker.flow.values.calls import Call

Node = ast.AST | None

_BINARY: Final = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor", "lshift", "rshift",
    "eq", "ne", "lt", "le", "gt", "ge", "is_", "is_not",
)  # fmt: skip


def _binary(name: str, operator: str) -> None:
    @handles(f"operator.{name}")
    def handle(it: Interpreter, call: Call) -> Value:
        return (
            it.binary(operator, call.args[0], call.args[1], call.node)
            if len(call.args) == 2
            else wrong_call(it, f"operator.{name}", call.node)
        )


for _name in _BINARY:
    _binary(_name, _name)
_binary("concat", "add")


def _unary(name: str, operator: str) -> None:
    @handles(f"operator.{name}")
    def handle(it: Interpreter, call: Call) -> Value:
        return (
            it.unary(operator, call.args[0], call.node)
            if len(call.args) == 1
            else wrong_call(it, f"operator.{name}", call.node)
        )


for _name, _operator in (("neg", "neg"), ("pos", "pos"), ("inv", "invert"), ("invert", "invert")):
    _unary(_name, _operator)


def _same_as(name: str, builtin: Value) -> None:
    @handles(f"operator.{name}")
    def handle(it: Interpreter, call: Call) -> Value:
        return it.call(builtin, *call)


_same_as("abs", builtins.abs)
_same_as("truth", builtins.bool)


@handles("operator.not_")
def _not(it: Interpreter, call: Call) -> Value:
    known = it.truth(call.args[0], call.node)
    return data_bool(call.args[0]) if known is None else not known


@handles("operator.contains")
def _contains(it: Interpreter, call: Call) -> Value:
    return it.binary("in", call.args[1], call.args[0], call.node)


@handles("operator.getitem")
def _get_item(it: Interpreter, call: Call) -> Value:
    return it.get_item(call.args[0], call.args[1], call.node)


@handles("operator.setitem")
def _set_item(it: Interpreter, call: Call) -> None:
    it.put_item(call.args[0], call.args[1], call.args[2], call.node)


@handles("operator.delitem")
def _delete_item(it: Interpreter, call: Call) -> None:
    if isinstance(call.args[0], ListValue | DictValue):
        it.journal.touch(call.args[0])
        forget_items(call.args[0])


@handles("operator.itemgetter")
def _item_getter(it: Interpreter, call: Call) -> Value:
    def handle(it: Interpreter, later: Call) -> Value:
        found = tuple(it.get_item(later.args[0], index, later.node) for index in call.args)
        return found[0] if len(found) == 1 else found

    return HandlerValue("itemgetter", handle)


@handles("operator.attrgetter")
def _attribute_getter(it: Interpreter, call: Call) -> Value:
    if not all(type(name) is str for name in call.args):
        return it.unknown("an attrgetter of unknown names")

    def find(it: Interpreter, value: Value, path: Any, n: Node) -> Value:
        for name in path.split("."):
            value = it.get_attribute(value, name, n)
        return value

    def handle(it: Interpreter, later: Call) -> Value:
        found = tuple(find(it, later.args[0], path, later.node) for path in call.args)
        return found[0] if len(found) == 1 else found

    return HandlerValue("attrgetter", handle)


@handles("operator.methodcaller")
def _method_caller(it: Interpreter, call: Call) -> Value:
    name, *rest = call.args
    if type(name) is not str:
        return it.unknown("a methodcaller of an unknown name")
    return HandlerValue(
        "methodcaller",
        lambda it, later: it.call(it.get_attribute(later.args[0], name, later.node), rest, call.kwargs, later.node),
    )


@handles("operator.index")
def _index(it: Interpreter, call: Call) -> Value:
    if len(call.args) != 1 or type(call.args[0]) in (float, str, complex, bytes):
        return it.fail(call.node, "array-call", "TypeError: operator.index() takes one argument that is an integer")
    value = call.args[0]
    is_whole = type(value) in (int, bool) or (
        isinstance(value, ScalarValue) and set(value.of_python.kinds) <= {int, bool}
    )
    is_whole = is_whole or (isinstance(value, NumPyValue) and (value.dtype or "").startswith(("int", "uint")))
    return it.call(int, *call) if is_whole else ScalarValue(int, is_data=True)
