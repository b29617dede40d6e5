"""`freeze` and `unfreeze` of Flax: what is known of the items of a dict is known after them.

Source: https://flax.readthedocs.io/en/latest/api_reference/flax.core.frozen_dict.html.
"""

from __future__ import annotations

import importlib
from typing import Any

from arraytyping.checker.flow.engines import foreign
from arraytyping.checker.flow.libraries.registry import Handler, handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    DictValue,
    NumPyValue,
    ScalarValue,
    TreeValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []


def _rearranged(name: str) -> Handler:
    """A handler of a function that makes dicts of one sort into such of another, and looks at nothing else."""

    def handle(it: Interpreter, call: Call) -> Value:
        real = getattr(importlib.import_module("flax.core.frozen_dict"), name)
        if len(call.args) != 1 or call.kwargs or not isinstance(call.args[0], DictValue | TreeValue):
            return it.engines.call(it, real, call)
        given = _parts(call.args[0])
        return it.engines.call(
            it, real, call, lambda: MISSING if given is MISSING else foreign.applied(it.engines, real, given)
        )

    return handle


def _parts(value: Value) -> Any:
    """The dicts in a value as such, with placeholders for all else; MISSING where there may be other keys in them."""
    if isinstance(value, TreeValue):
        parts = [_parts(leaf) for leaf in value.leaves]
        return MISSING if MISSING in parts else value.treedef.unflatten(parts)
    if isinstance(value, DictValue) and value.items is not None and value.kind is dict:
        items = {key: _parts(item) for key, item in value.items.items()}
        return MISSING if MISSING in items.values() else items
    if value is None:
        return None
    is_leaf = isinstance(value, ArrayValue | NumPyValue | ScalarValue | Unknown)
    return foreign.placeholder(value) if is_leaf else MISSING


for _name in ("freeze", "unfreeze"):
    handles(f"flax.core.{_name}", f"flax.core.frozen_dict.{_name}")(_rearranged(_name))
