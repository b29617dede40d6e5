"""How operators and their operands are named, in code and in messages."""

from __future__ import annotations

import types
from typing import Final

from arraytyping.checker.flow.values import (
    ArrayValue,
    BoundMethod,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    JitValue,
    ModuleValue,
    NumPyValue,
    PartialValue,
    Value,
    type_name,
)

__all__ = ["COMPARISONS", "SPECIAL_OF_TUPLES", "SYMBOLS", "kind_name", "plain"]

COMPARISONS: Final = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})
SYMBOLS: Final = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "matmul": "@",
    "and_": "&", "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "neg": "-", "pos": "+", "invert": "~",
}  # fmt: skip
SPECIAL_OF_TUPLES: Final = frozenset(
    f"__{sort}{name.rstrip('_')}__"
    for name in SYMBOLS
    for sort in (("",) if name in COMPARISONS or name in ("neg", "pos", "invert") else ("", "r"))
) | {"__abs__", "__call__", "__format__", "__repr__", "__str__"}
"""Special methods of NamedTuples that are followed."""


def plain(name: str) -> str:
    """The operator of an in-place operator."""
    if name[0] == "i" and name not in ("invert", "is_", "is_not", "in"):
        name = name[1:]
        return name + "_" if name in ("and", "or") else name
    return name


def kind_name(value: Value) -> str:
    """What sort of thing a value is, as a message names it."""
    if isinstance(value, InstanceValue):
        return f"an instance of {value.cls.name}"
    if isinstance(value, ArrayValue | NumPyValue):
        return "an array" if isinstance(value, ArrayValue) else "a NumPy array"
    if isinstance(value, FunctionValue | BoundMethod | PartialValue | JitValue | HandlerValue):
        return "a function"
    if isinstance(value, types.ModuleType):
        return f"module {value.__name__!r}"
    if isinstance(value, ModuleValue):
        return f"module {value.module.name!r}"
    if value is None:
        return "None"
    name = type_name(value)
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
