"""Objects of the program that are mappings: what `**`, `dict` and `update` make of them.

Source: https://docs.python.org/3/reference/expressions.html#calls.
"""

from __future__ import annotations

import ast

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import MISSING, DictValue, InstanceValue, Value

__all__ = ["items_of_mapping"]


def items_of_mapping(it: Interpreter, value: InstanceValue, node: ast.AST | None) -> Value:
    """The items that the methods `keys` and `__getitem__` of an instance give; what is none stays as it is."""
    if value.cls.find("keys") is MISSING or value.cls.find("__getitem__") is MISSING:
        return value
    keys, _ = it.iterate(it.call(it.get_attribute(value, "keys", node), [], {}, node), node)
    if keys is None or not all(type(key) in (str, int) for key in keys):
        return value
    return DictValue({key: it.get_item(value, key, node) for key in keys})
