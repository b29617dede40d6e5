"""Subscripts that make arrays: `np.c_[x, y]`, `np.r_[x, y]`, and their kin in jax.numpy.

Source: https://numpy.org/doc/stable/reference/generated/numpy.c_.html.
"""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.flow.engines.numpy_array_likes import scalar_kind
from arraytyping.checker.flow.engines.numpy_values import real_dtype
from arraytyping.checker.flow.libraries.registry import handles_subscript
from arraytyping.checker.flow.real_calls.costs import is_bearable_index
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ArrayValue, ListValue, NumPyValue, Value, is_concrete

__all__: list[str] = []


def _concatenator(module: str, name: str) -> Any:
    def handle(it: Interpreter, owner: Any, index: Value, node: ast.AST | None) -> Value:
        items = index if isinstance(index, tuple) else (index,)
        if is_concrete(index) and module == "numpy" and is_bearable_index(index):
            return it.engines.from_python(owner[index])
        if any(isinstance(item, slice | str) for item in items):
            return it.unknown(f"{name} with a slice or a directive")
        namespace = it.engines.jax.jax.numpy if module == "jax.numpy" else it.engines.jax.numpy
        if module == "numpy" and any(scalar_kind(item) is not None for item in items):
            found = _of_one_dtype(it, items, node)
            if found is None:
                return it.unknown(f"{name} of numbers and what is of an unknown dtype")
            items = found
        elif name == "r_":
            items = tuple(it.call(namespace.atleast_1d, [item], {}, node) for item in items)
        if name == "r_":
            return it.call(namespace.concatenate, [ListValue(list(items))], {}, node)
        columns = ListValue([_as_columns(it, namespace, item, node) for item in items])
        return it.call(namespace.concatenate, [columns], {"axis": -1}, node)

    return handle


def _as_columns(it: Interpreter, namespace: Any, item: Value, node: ast.AST | None) -> Value:
    """What has one axis as a column, and what has none as one of a single number."""
    array = it.call(namespace.atleast_1d, [item], {}, node)
    of_numpy = array.shape if isinstance(array, NumPyValue) else None
    shape = array.aval.shape if isinstance(array, ArrayValue) else of_numpy
    if shape is None:
        return it.unknown("what has an unknown number of axes, as a column")
    return array if len(shape) > 1 else it.call(namespace.reshape, [array, (-1, 1)], {}, node)


def _of_one_dtype(it: Interpreter, items: tuple[Value, ...], node: ast.AST | None) -> tuple[Value, ...] | None:
    """The items as arrays of the dtype that they have together, as `result_type` has it; None if it is not known."""
    numpy = it.engines.jax.numpy
    types: list[Any] = []
    for item in items:
        kind = scalar_kind(item)
        if kind is not None:
            types.append(kind(1))
            continue
        array = it.call(numpy.asarray, [item], {}, node)
        if not isinstance(array, NumPyValue) or array.dtype is None:
            return None
        types.append(real_dtype(array.dtype))
    dtype = numpy.result_type(*types)
    return tuple(it.call(numpy.array, [item], {"ndmin": 1, "dtype": dtype}, node) for item in items)


for _module in ("numpy", "jax.numpy"):
    for _name in ("c_", "r_"):
        handles_subscript(f"{_module}.{_name}")(_concatenator(_module, _name))
