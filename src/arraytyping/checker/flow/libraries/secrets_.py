"""`secrets`: tokens and numbers that nobody knows before."""

from __future__ import annotations

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ScalarValue, Value
from arraytyping.checker.flow.values.calls import Call


@handles("secrets.token_hex", "secrets.token_urlsafe")
def _text(it: Interpreter, call: Call) -> Value:
    return ScalarValue(str)


@handles("secrets.token_bytes")
def _bytes(it: Interpreter, call: Call) -> Value:
    return ScalarValue(bytes)


@handles("secrets.randbelow", "secrets.randbits")
def _number(it: Interpreter, call: Call) -> Value:
    return ScalarValue(int)
