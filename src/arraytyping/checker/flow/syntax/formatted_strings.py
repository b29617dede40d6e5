"""Formatted string literals, and the formats that Python refuses for arrays and containers."""

from __future__ import annotations

import ast

from arraytyping.checker.flow.python.methods_of_scalars import is_dtype
from arraytyping.checker.flow.python.operator_names import kind_name
from arraytyping.checker.flow.real_calls.costs import is_affordable
from arraytyping.checker.flow.real_calls.weights import WIDEST
from arraytyping.checker.flow.state.frozen import text_with
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.may_raise import note_values
from arraytyping.checker.flow.values import ArrayValue, DictValue, ListValue, NumPyValue, SetValue, Value
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["formatted_string"]


def formatted_string(it: Interpreter, node: ast.JoinedStr, frame: Frame) -> Value:
    """The text of an f-string, where all of its parts are known."""
    parts: list[str] = []
    hanging: list[Value] = []
    for part in node.values:
        if isinstance(part, ast.Constant):
            parts.append(str(part.value))
            continue
        assert isinstance(part, ast.FormattedValue)
        value = it.evaluate(part.value, frame)
        specification = "" if part.format_spec is None else it.evaluate(part.format_spec, frame)
        if specification != "":
            note_values(it, value, specification)
        if part.conversion == -1 and isinstance(specification, str) and not specification.startswith("$"):
            _refuse_format(it, value, specification, part)
        is_plain = isinstance(value, str | int | float) or is_dtype(value)
        if is_plain and isinstance(specification, str) and part.conversion == -1:
            try:
                if is_affordable(format, [value, specification], {}) and sum(map(len, parts)) <= WIDEST:
                    parts.append(format(value, specification))
                    continue
            except (ValueError, TypeError) as error:
                it.fail(part, "array-call", f"{type(error).__name__}: {error}")
        hanging.append(value)
    return text_with(*hanging) if hanging else "".join(parts)


def _refuse_format(it: Interpreter, value: Value, specification: str, node: ast.AST) -> None:
    """A format such as `:.3f` is for a number: of an array only rank 0 has one, and a tracer has no value yet."""
    if not specification:
        return
    if isinstance(value, ArrayValue):
        if value.aval.shape:
            message = f"an array of shape {value.aval.shape} cannot be formatted by {specification!r}; only rank 0 can"
            it.fail(node, "array-shape", message)
        elif value.traced and value.aval.shape is not None:
            message = f"a tracer {value.aval} cannot be formatted by {specification!r}; use jax.debug.print"
            it.fail(node, "array-traced", message)
    elif isinstance(value, NumPyValue):
        if value.shape:
            message = f"an array of shape {value.shape} cannot be formatted by {specification!r}; only rank 0 can"
            it.fail(node, "array-shape", message)
    elif value is None or type(value) is tuple or isinstance(value, ListValue | DictValue | SetValue):
        message = f"TypeError: unsupported format string passed to {kind_name(value)}: {specification!r}"
        it.fail(node, "array-call", message)
