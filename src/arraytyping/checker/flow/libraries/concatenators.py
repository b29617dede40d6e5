"""Subscripts that make arrays: `np.c_[x, y]`, `np.r_[x, y]`, and their kin in jax.numpy.

Source: https://numpy.org/doc/stable/reference/generated/numpy.c_.html.
"""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.flow.libraries.registry import handles_subscript
from arraytyping.checker.flow.real_calls.costs import is_bearable_index
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ListValue, Value, is_concrete

__all__: list[str] = []


def _concatenator(module: str, name: str) -> Any:
    def handle(it: Interpreter, owner: Any, index: Value, node: ast.AST | None) -> Value:
        items = index if isinstance(index, tuple) else (index,)
        if is_concrete(index) and module == "numpy" and is_bearable_index(index):
            return it.engines.from_python(owner[index])
        if any(isinstance(item, slice | str) for item in items):
            return it.unknown(f"{name} with a slice or a directive")
        namespace = it.engines.jax.jax.numpy if module == "jax.numpy" else it.engines.jax.numpy
        function = namespace.column_stack if name == "c_" else namespace.concatenate
        if name == "r_":
            items = tuple(it.call(namespace.atleast_1d, [item], {}, node) for item in items)
        return it.call(function, [ListValue(list(items))], {}, node)

    return handle


for _module in ("numpy", "jax.numpy"):
    for _name in ("c_", "r_"):
        handles_subscript(f"{_module}.{_name}")(_concatenator(_module, _name))
