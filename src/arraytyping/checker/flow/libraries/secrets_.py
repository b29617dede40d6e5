"""`secrets`: tokens and numbers that nobody knows before."""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ScalarValue, Value


@handles("secrets.token_hex", "secrets.token_urlsafe")
def _text(it: Interpreter, args: list[Value], kwargs: dict[str, Any], node: ast.AST | None) -> Value:
    return ScalarValue(str)


@handles("secrets.token_bytes")
def _bytes(it: Interpreter, args: list[Value], kwargs: dict[str, Any], node: ast.AST | None) -> Value:
    return ScalarValue(bytes)


@handles("secrets.randbelow", "secrets.randbits")
def _number(it: Interpreter, args: list[Value], kwargs: dict[str, Any], node: ast.AST | None) -> Value:
    return ScalarValue(int)
