"""What functions of NumPy and JAX make of instances with `__array__`, of those that are shapes, and of lists.

A list of unknown length of numbers has one axis, also where it is empty; then its dtype is that of no number.
"""

from __future__ import annotations

import ast
from typing import Final

from arraytyping.checker.flow.engines.concrete_objects import package_of
from arraytyping.checker.flow.engines.numpy_array_likes import dtype_of, shape_of
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import MISSING, InstanceValue, ListValue, NumPyValue, ScalarValue, Value

__all__ = ["as_arrays"]

_NUMBERS: Final = frozenset({bool, int, float, complex})
_SHAPES: Final = {
    "ones": 0, "zeros": 0, "empty": 0, "full": 0, "reshape": 1, "broadcast_to": 1, "normal": 1, "uniform": 1,
}  # fmt: skip
"""Which argument is a shape, by the name of the function."""
_SEQUENCE: Final = ("__iter__", "__len__", "__getitem__")
_OF_JAX: Final = frozenset({"array", "asarray"})


def as_arrays(it: Interpreter, function: Value, args: list[Value], node: ast.AST | None) -> list[Value]:
    """The arguments of a function, with the arrays that those of a class with `__array__` are to it."""
    package = package_of(function)
    if package in ("numpy", "jax") and (at := _SHAPES.get(getattr(function, "__name__", ""))) is not None:
        args = [_as_shape(it, value, node) if i == at else value for i, value in enumerate(args)]
    if package != "numpy" and not (package == "jax" and getattr(function, "__name__", "") in _OF_JAX):
        return args
    made = [_as_array(it, value, node) for value in args]
    if package == "jax" and made and _is_list_of_several_kinds(made[0]):
        made[0] = NumPyValue((None,), None)
    elif package == "jax" and made and _is_list_of_lists(made[0]):
        made[0] = NumPyValue(shape_of(made[0]), dtype_of(made[0]))  # no such list makes a weakly typed array
    return made


def _is_list_of_lists(value: Value) -> bool:
    """Whether it is a list of alike lists of numbers, not known one by one, that is known as an array of NumPy."""
    if not isinstance(value, ListValue) or value.items is not None or not isinstance(value.element, ListValue):
        return False
    return shape_of(value) is not None and dtype_of(value) in ("int64", "float64", "bool")


def _is_list_of_several_kinds(value: Value) -> bool:
    """Whether a list of unknown length may have numbers of several kinds; one of one kind is left to jax's engine."""
    if not isinstance(value, ListValue) or value.items is not None or value.kind is not list:
        return False
    kinds = value.element.kinds if isinstance(value.element, ScalarValue) else ()
    return len(kinds) > 1 and _NUMBERS.issuperset(kinds)


def _as_shape(it: Interpreter, value: Value, node: ast.AST | None) -> Value:
    """The sizes in an instance that is a sequence, such as a `TensorShape`, and any other value as it is."""
    if not isinstance(value, InstanceValue) or any(value.cls.find(name) is MISSING for name in _SEQUENCE):
        return value
    items, _ = it.iterate(value, node)
    is_shape = items is not None and all(type(size) is int or isinstance(size, ScalarValue) for size in items)
    return tuple(items or ()) if is_shape else value


def _as_array(it: Interpreter, value: Value, node: ast.AST | None) -> Value:
    """What `__array__` gives of an instance, or of each in a list; any other value as it is."""
    if isinstance(value, ListValue) and value.kind is list:
        items: list[Value] = [value.element] if value.items is None else value.items
        if not any(isinstance(item, InstanceValue) and item.cls.find("__array__") is not MISSING for item in items):
            return value
        arrays = [_as_array(it, item, node) for item in items]
        several = ListValue(None, arrays[0]) if value.items is None else ListValue(arrays)
        several.length = value.length
        return several
    method = value.cls.find("__array__") if isinstance(value, InstanceValue) else MISSING
    if method is MISSING:
        return value
    made = it.call(method, [value], {}, node)
    return made if isinstance(made, NumPyValue) else it.unknown("what __array__ gives")
