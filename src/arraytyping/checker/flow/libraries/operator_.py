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

Kwargs = dict[str, Any]
Node = ast.AST | None

_BINARY: Final = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor", "lshift", "rshift",
    "eq", "ne", "lt", "le", "gt", "ge", "is_", "is_not",
)  # fmt: skip


def _binary(name: str, operator: str) -> None:
    @handles(f"operator.{name}")
    def handle(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
        return (
            it.binary(operator, args[0], args[1], node) if len(args) == 2 else wrong_call(it, f"operator.{name}", node)
        )


for _name in _BINARY:
    _binary(_name, _name)
_binary("concat", "add")


def _unary(name: str, operator: str) -> None:
    @handles(f"operator.{name}")
    def handle(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
        return it.unary(operator, args[0], node) if len(args) == 1 else wrong_call(it, f"operator.{name}", node)


for _name, _operator in (("neg", "neg"), ("pos", "pos"), ("inv", "invert"), ("invert", "invert")):
    _unary(_name, _operator)


def _same_as(name: str, builtin: Value) -> None:
    @handles(f"operator.{name}")
    def handle(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
        return it.call(builtin, args, kwargs, node)


_same_as("abs", builtins.abs)
_same_as("truth", builtins.bool)


@handles("operator.not_")
def _not(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    known = it.truth(args[0], node)
    return data_bool(args[0]) if known is None else not known


@handles("operator.contains")
def _contains(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    return it.binary("in", args[1], args[0], node)


@handles("operator.getitem")
def _get_item(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    return it.get_item(args[0], args[1], node)


@handles("operator.setitem")
def _set_item(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> None:
    it.put_item(args[0], args[1], args[2], node)


@handles("operator.delitem")
def _delete_item(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> None:
    if isinstance(args[0], ListValue | DictValue):
        it.journal.touch(args[0])
        forget_items(args[0])


@handles("operator.itemgetter")
def _item_getter(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    def handle(it: Interpreter, a: list[Value], k: Kwargs, n: Node) -> Value:
        found = tuple(it.get_item(a[0], index, n) for index in args)
        return found[0] if len(found) == 1 else found

    return HandlerValue("itemgetter", handle)


@handles("operator.attrgetter")
def _attribute_getter(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Value:
    if not all(type(name) is str for name in args):
        return it.unknown("an attrgetter of unknown names")

    def find(it: Interpreter, value: Value, path: Any, n: Node) -> Value:
        for name in path.split("."):
            value = it.get_attribute(value, name, n)
        return value

    def handle(it: Interpreter, a: list[Value], k: Kwargs, n: Node) -> Value:
        found = tuple(find(it, a[0], path, n) for path in args)
        return found[0] if len(found) == 1 else found

    return HandlerValue("attrgetter", handle)


@handles("operator.methodcaller")
def _method_caller(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    name, *rest = args
    if type(name) is not str:
        return it.unknown("a methodcaller of an unknown name")
    return HandlerValue("methodcaller", lambda it, a, k, n: it.call(it.get_attribute(a[0], name, n), rest, kwargs, n))


@handles("operator.index")
def _index(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    if len(args) != 1 or type(args[0]) in (float, str, complex, bytes):
        return it.fail(node, "array-call", "TypeError: operator.index() takes one argument that is an integer")
    value = args[0]
    is_whole = type(value) in (int, bool) or (isinstance(value, ScalarValue) and set(value.kinds) <= {int, bool})
    is_whole = is_whole or (isinstance(value, NumPyValue) and (value.dtype or "").startswith(("int", "uint")))
    return it.call(int, args, kwargs, node) if is_whole else ScalarValue(int, is_data=True)
