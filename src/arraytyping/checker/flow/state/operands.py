"""The values that met in a mistake: how each is written in the program, what it is, and where it was made."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from arraytyping.checker.flow.state.diagnostics import Operand
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.recorded import RECORDED_LINES
from arraytyping.checker.flow.state.showing import show
from arraytyping.checker.flow.values import ArrayValue, ListValue, MethodOf, NumPyValue, Value

__all__ = ["explain", "explain_call"]

_LONGEST: Final = 40
"""The most characters of an expression that are quoted."""
_MOST: Final = 6

Pair = tuple[ast.AST | None, Any]


def explain_call(
    it: Interpreter, before: int, node: ast.AST | None, function: Value, args: list[Value], kwargs: dict[str, Value]
) -> None:
    """Add the arguments of a call to the mistakes that it has brought, of which there were so many before."""
    if isinstance(node, ast.Call):
        explain(it, before, node, _arguments(node, function, args, kwargs))


def _arguments(node: ast.Call, function: Value, args: list[Value], kwargs: dict[str, Value]) -> Iterator[Pair]:
    if isinstance(function, MethodOf) and isinstance(node.func, ast.Attribute):
        yield node.func.value, function.receiver
    if len(node.args) == len(args) and not any(isinstance(a, ast.Starred) for a in node.args):
        yield from zip(node.args, args)
    for keyword in node.keywords:
        if keyword.arg in kwargs:
            yield keyword.value, kwargs[keyword.arg]


def explain(it: Interpreter, before: int, node: ast.AST | None, pairs: Iterable[Pair]) -> None:
    """Add what met to the mistakes at an expression that were found since there were so many."""
    if node is None:
        return
    position = tuple(getattr(node, name, None) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"))
    operands: tuple[Operand, ...] | None = None
    recorded = RECORDED_LINES.of(it)
    for key in list(it.diagnostics)[before:]:
        diagnostic = it.diagnostics[key]
        if diagnostic.position[1:] == position and not diagnostic.operands and diagnostic.path == it.frame.module.shown:
            if operands is None:
                found = {o.text: o for part, value in pairs for o in _operands(part, value, recorded)}
                operands = tuple(found.values())[:_MOST]
            it.diagnostics[key] = replace(diagnostic, operands=operands)


def _operands(node: ast.AST | None, value: Value, recorded: Container[tuple[str, int]]) -> Iterator[Operand]:
    if isinstance(value, ArrayValue | NumPyValue):
        path, line = value.origin or ("", 0)
        if "site-packages" in path:
            path, line = "", 0
        shown = value.shown if isinstance(value, ArrayValue) else show(value)
        yield Operand(_text(node), shown, path, line, (path, line) in recorded)
    elif (items := _items(value)) and isinstance(node, ast.Tuple | ast.List) and len(node.elts) == len(items):
        for element, item in zip(node.elts, items):
            yield from _operands(element, item, recorded)
    elif type(value) is tuple and value and all(isinstance(v, ArrayValue | NumPyValue) for v in value):
        yield Operand(_text(node), show(value).removeprefix("the tuple "))


def _items(value: Value) -> list[Value]:
    if isinstance(value, ListValue):
        return value.items or []
    return list(value) if type(value) is tuple else []


def _text(node: ast.AST | None) -> str:
    """An expression on one line, cut if it is long."""
    text = "it" if node is None else " ".join(ast.unparse(node).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
