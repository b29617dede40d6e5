"""What an annotation is at run time: its text where it is postponed, and else the class that it names."""

from __future__ import annotations

import ast

from arraytyping.checker.flow.python.eager_annotations import are_postponed
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import BaseValue, ClassValue, Value
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["annotation_value"]


def annotation_value(it: Interpreter, annotation: ast.expr, frame: Frame) -> Value:
    """What `__annotations__` and the fields of a dataclass hold of an annotation."""
    if are_postponed(frame.module.tree):
        return ast.unparse(annotation)
    if isinstance(annotation, ast.Constant):
        return annotation.value
    names = [node for node in ast.walk(annotation) if isinstance(node, ast.Name)]
    # It was evaluated when the class was made: a class has its name, unless that was bound again.
    if all(_name(it.evaluate(name, frame)) == name.id for name in names):
        value = it.evaluate(annotation, frame)
        if not isinstance(value, BaseValue) or isinstance(value, ClassValue):
            return value
    return it.unknown("an annotation")


def _name(value: Value) -> str:
    if isinstance(value, ClassValue):
        return value.name
    if isinstance(value, BaseValue):
        return ""
    return str(getattr(value, "__name__", None) or getattr(value, "_name", ""))
