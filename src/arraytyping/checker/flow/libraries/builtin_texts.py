"""Builtin functions that give texts, and others of a single value of plain data: `str`, `repr`, `chr`, `hash`."""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.flow.libraries.builtin_functions import wrong_call
from arraytyping.checker.flow.libraries.conversions import refuse_scalar
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.python.method_tables import unhashable
from arraytyping.checker.flow.python.methods_of_scalars import has_fixed_text
from arraytyping.checker.flow.real_calls.concrete_calls import concretely, is_plain
from arraytyping.checker.flow.state.certainty import depends_on_data
from arraytyping.checker.flow.state.forgetting import forget_reachable
from arraytyping.checker.flow.state.frozen import text_with
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import scalar_kinds
from arraytyping.checker.flow.state.repeated import by_alternatives
from arraytyping.checker.flow.values import MISSING, ArrayValue, InstanceValue, ScalarValue, Unknown, Value
from arraytyping.checker.flow.values.calls import Call

__all__ = ["text_of"]

Node = ast.AST | None


def text_of(it: Interpreter, value: Value, node: Node, names: tuple[str, ...] = ("__str__", "__repr__")) -> Value:
    """What `str` or `repr` gives."""
    if isinstance(value, InstanceValue):
        for name in names:
            if (method := value.cls.find(name)) is not MISSING:
                result = it.call(method, [value], {}, node)
                return result if str in scalar_kinds(result) or isinstance(result, Unknown) else ScalarValue(str)
        return ScalarValue(str)
    if isinstance(value, Unknown):
        it.obscure += 1  # its `__str__` may raise
        return ScalarValue(str)  # a condition on its text is not one on data
    if has_fixed_text(value) or isinstance(value, type):
        result = concretely(it, str if names[0] == "__str__" else repr, Call([value], {}, node))
        return ScalarValue(str) if result is MISSING else result
    return text_with(value)


@handles("builtins.str")
@by_alternatives
def _str(it: Interpreter, call: Call) -> Value:
    if not call.args:
        return "" if not call.kwargs else ScalarValue(str)
    if len(call.args) > 1 or call.kwargs:
        result = concretely(it, str, call)
        return ScalarValue(str) if result is MISSING else result
    return text_of(it, call.args[0], call.node)


@handles("builtins.repr")
@by_alternatives
def _repr(it: Interpreter, call: Call) -> Value:
    if len(call.args) != 1:
        return wrong_call(it, "repr", call.node)
    return text_of(it, call.args[0], call.node, ("__repr__",))


@handles("builtins.ascii")
@by_alternatives
def _ascii(it: Interpreter, call: Call) -> Value:
    if len(call.args) != 1:
        return wrong_call(it, "ascii", call.node)
    text = text_of(it, call.args[0], call.node, ("__repr__",))
    return ScalarValue(str) if isinstance(text, str) and not text.isascii() else text


@handles("builtins.format")
@by_alternatives
def _format(it: Interpreter, call: Call) -> Value:
    if (
        call.args
        and isinstance(call.args[0], InstanceValue)
        and (method := call.args[0].cls.find("__format__")) is not MISSING
    ):
        return it.call(method, [call.args[0], *(call.args[1:] or [""])], {}, call.node)
    if all(map(is_plain, call.args)):
        return concretely(it, format, call)
    return ScalarValue(str, is_data=depends_on_data(*call.args[:1]))


def _of_plain(name: str, function: Any, *kinds: type) -> None:
    """A function of plain data, which gives a scalar of these kinds where its arguments are not known."""

    @handles(f"builtins.{name}")
    @by_alternatives
    def handle(it: Interpreter, call: Call) -> Value:
        if call.args and all(map(is_plain, call.args)):
            return concretely(it, function, call)
        for value in call.args:
            if isinstance(value, ArrayValue) and (wrong := refuse_scalar(it, name, value, call.node)) is not None:
                return wrong
        return ScalarValue(*kinds, is_data=depends_on_data(*call.args))


for _name, _function, _kind in (
    ("chr", chr, str),
    ("ord", ord, int),
    ("hex", hex, str),
    ("oct", oct, str),
    ("bin", bin, str),
):
    _of_plain(_name, _function, _kind)


@handles("builtins.hash")
@by_alternatives
def _hash(it: Interpreter, call: Call) -> Value:
    if len(call.args) == 1 and (name := unhashable(call.args[0])) is not None:
        return it.fail(call.node, "array-call", f"TypeError: unhashable type: {name!r}")
    return ScalarValue(int)


@handles("builtins.id")
def _id(it: Interpreter, call: Call) -> Value:
    return ScalarValue(int)


@handles("builtins.bytes", "builtins.bytearray")
def _bytes(it: Interpreter, call: Call) -> Value:
    return it.unknown("bytes")


@handles("builtins.memoryview")
def _memoryview(it: Interpreter, call: Call) -> Value:
    """By which whoever has it writes to an array."""
    for value in call.args:
        forget_reachable(it.journal.touch, value, "what is written by a view of memory")
    return it.unknown("a view of memory")
