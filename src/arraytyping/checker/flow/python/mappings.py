"""Objects of the program that are mappings: what `**`, `dict` and `update` make of them.

Source: https://docs.python.org/3/reference/expressions.html#calls.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from arraytyping.checker.flow.engines.foreign import tree_class
from arraytyping.checker.flow.python.held_containers import plain_contents
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import MISSING, DictValue, InstanceValue, TreeValue, Value

__all__ = ["items_of_mapping"]


def items_of_mapping(it: Interpreter, value: InstanceValue | TreeValue, node: ast.AST | None) -> Value:
    """The items that the methods `keys` and `__getitem__` of an object give; what is no mapping stays as it is."""
    if isinstance(value, TreeValue):
        kind = tree_class(value)
        if not (isinstance(kind, type) and issubclass(kind, Mapping)):
            return value
        keys, _ = it.iterate(value, node)
    elif (held := plain_contents(value)) is not None:
        return held
    elif value.cls.find("keys") is MISSING or value.cls.find("__getitem__") is MISSING:
        return value
    else:
        keys, _ = it.iterate(it.call(it.get_attribute(value, "keys", node), [], {}, node), node)
    if keys is None or not all(type(key) in (str, int) for key in keys):
        return value
    return DictValue({key: it.get_item(value, key, node) for key in keys})
