"""Chex: its dataclasses, and its assertions, of which those about values are not followed.

Source: https://chex.readthedocs.io/en/latest/api.html.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
from typing import Any, Final

from arraytyping.checker.flow.adapters.records import add_replace, make_record
from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.libraries.registry import Handler, handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.syntax.told_shapes import narrow, told_shape
from arraytyping.checker.flow.values import (
    MISSING,
    ClassValue,
    HandlerValue,
    InstanceValue,
    ListValue,
    NumPyValue,
    ScalarValue,
    Value,
)
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []

_OF_VALUES: Final = (
    "assert_trees_all_close", "assert_trees_all_equal", "assert_tree_all_finite", "assert_tree_is_on_device",
    "assert_trees_all_close_ulp", "assert_max_traces", "assert_devices_available", "assert_gpu_available",
    "assert_tpu_available", "assert_numerical_grads", "assert_tree_is_sharded",
)  # fmt: skip

_MOST_AXES: Final = 64
_ONE_OF_MANY: Final[dict[str, Any]] = {"assert_shape": (tuple, ListValue), "assert_rank": int}
"""What several expectations are, one for each array."""


@handles("chex.dataclass")
def _dataclass(it: Interpreter, call: Call) -> Value:
    if not call.args or call.args[0] is None:
        return HandlerValue(
            "dataclass", lambda i, later: _dataclass(i, later.with_kwargs({**call.kwargs, **later.kwargs}))
        )
    cls = call.args[0]
    if not isinstance(cls, ClassValue) or cls.kind == "unknown":
        return cls
    make_record(cls, call.kwargs, lambda name: True, is_sorted=True)
    add_replace(cls)
    if call.kwargs.get("mappable_dataclass", True) is True and cls.find("__getitem__") is MISSING:
        cls.namespace["__getitem__"] = HandlerValue("__getitem__", _get_item, (cls,), "__getitem__")
    return cls


def _get_item(it: Interpreter, call: Call) -> Value:
    value, name = call.args
    if isinstance(value, InstanceValue) and isinstance(name, str) and name in value.attributes:
        return value.attributes[name]
    return it.unknown("an item of a dataclass")


def _assertion(name: str) -> Handler:
    """A handler of an assertion about shapes, ranks or dtypes, which is the real one."""

    def handle(it: Interpreter, call: Call) -> Value:
        if _has_python_data(call.values):
            return None
        real = getattr(importlib.import_module("chex"), name)

        def asserted(*arguments: Value, **keywords: Value) -> None:
            try:
                real(*arguments, **keywords)
            except AssertionError as error:
                raise ValueError(str(error)) from None

        asserted.__name__ = name
        with contextlib.suppress(Abort):
            it.engines.asker.ask(it, asserted, call, key=("chex", name))
        _narrow(it, name, call.args, call.node)
        return None

    return handle


def _narrow(it: Interpreter, name: str, args: list[Value], node: ast.AST | None) -> None:
    """Narrow the variables of an assertion that has held: each has the shape or rank that is asserted."""
    if name not in ("assert_shape", "assert_rank") or not isinstance(node, ast.Call) or len(args) < 2:
        return
    inputs, said = node.args[0], args[1]
    places = list(inputs.elts) if isinstance(inputs, ast.List | ast.Tuple) else [inputs]
    expected = said.items if isinstance(said, ListValue) else said
    if isinstance(expected, list | tuple) and all(isinstance(e, _ONE_OF_MANY[name]) for e in expected) and expected:
        each = list(expected) if len(expected) == len(places) else []
    else:
        each = [said] * len(places)
    for place, one in zip(places, each):
        sizes = one.items if isinstance(one, ListValue) else one
        if type(one) is int and 0 <= one <= _MOST_AXES:
            narrow(it, place, it.frame, shape=(None,) * one)
        elif isinstance(sizes, tuple | list) and all(v is None or isinstance(v, int | ScalarValue) for v in sizes):
            narrow(it, place, it.frame, shape=told_shape(sizes))


def _has_python_data(values: list[Value]) -> bool:
    """Whether NumPy arrays or unknown scalars are among values: a tracer in their place is of another sort."""
    for value in values:
        if isinstance(value, NumPyValue | ScalarValue):
            return True
        items = value if isinstance(value, tuple) else getattr(value, "items", None)
        if isinstance(items, tuple | list) and _has_python_data(list(items)):
            return True
        if isinstance(items, dict) and _has_python_data(list(items.values())):
            return True
    return False


for _name in (
    "shape",
    "rank",
    "type",
    "equal_shape",
    "equal_rank",
    "equal_shape_prefix",
    "equal_shape_suffix",
    "axis_dimension",
    "scalar",
):
    handles(f"chex.assert_{_name}")(_assertion(f"assert_{_name}"))


def _nothing(it: Interpreter, call: Call) -> Value:
    """An assertion about values may hold."""
    return None


for _name in _OF_VALUES:
    if _name != "assert_max_traces":
        handles(f"chex.{_name}")(_nothing)


@handles("chex.assert_max_traces")
def _max_traces(it: Interpreter, call: Call) -> Value:
    """The function itself: how often it is traced is not followed."""
    if call.args and not isinstance(call.args[0], int):
        return call.args[0]
    return HandlerValue("assert_max_traces", lambda i, call: call.args[0] if call.args else i.unknown("a decorator"))
