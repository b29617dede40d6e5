"""`flax.struct` and `flax.training.train_state`: dataclasses of arrays.

Source: https://flax.readthedocs.io/en/latest/api_reference/flax.struct.html.
"""

from __future__ import annotations

import ast
import typing
from typing import Any, Final

from arraytyping.checker.flow.adapters.library_sources import name_in_source
from arraytyping.checker.flow.adapters.records import add_replace, make_record, option_of
from arraytyping.checker.flow.libraries.facts_of_checkpoints import restored
from arraytyping.checker.flow.libraries.registry import handles, handles_base
from arraytyping.checker.flow.python.fields import FieldValue
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import MISSING, ClassValue, DictValue, HandlerValue, Value
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []

_STATES: Final = "flax.training.train_state"
Kwargs = dict[str, Any]


@handles("flax.struct.dataclass")
def _dataclass(it: Interpreter, call: Call) -> Value:
    if not call.args:
        return HandlerValue(
            "dataclass", lambda i, later: _dataclass(i, later.with_kwargs({**call.kwargs, **later.kwargs}))
        )
    cls = call.args[0]
    if not isinstance(cls, ClassValue) or cls.kind == "unknown":
        return cls
    keywords = {"frozen": True, **call.kwargs}
    make_record(cls, keywords, lambda name: option_of(cls, name, "pytree_node") is not False)
    add_replace(cls)
    return cls


@handles("flax.struct.field")
def _field(it: Interpreter, call: Call) -> Value:
    options = dict(call.kwargs)
    if call.args:
        options["pytree_node"] = call.args[0]
    options.setdefault("metadata", DictValue({"pytree_node": options.get("pytree_node", True)}))
    return FieldValue(options)


@handles_base("flax.struct.PyTreeNode")
def _node(it: Interpreter, cls: ClassValue, base: Value, keywords: Kwargs, node: ast.AST | None) -> Value:
    cls.options["adapter"] = _node
    if any(getattr(typing.get_origin(b) or b, "__name__", "") == "AxisMetadata" for b in cls.bases):
        cls.kind = "unknown"  # a box around variables, of which flow does not know when Flax calls its methods
        return cls
    return _dataclass(it, Call([cls], keywords, node))


@handles_base(f"{_STATES}.TrainState")
def _state(it: Interpreter, cls: ClassValue, base: Value, keywords: Kwargs, node: ast.AST | None) -> Value:
    own = name_in_source(it, _STATES, "TrainState")
    if not isinstance(own, ClassValue):
        cls.kind = "unknown"
        return cls
    cls.mro = [c for b in cls.mro for c in ([b] if b is not base else own.mro)]
    cls.options.update(own.options)
    return _node(it, cls, own, keywords, node)


@handles(f"{_STATES}.TrainState")
def _make_state(it: Interpreter, call: Call) -> Value:
    own = name_in_source(it, _STATES, "TrainState")
    return it.unknown("a TrainState") if own is MISSING else it.call(own, *call)


@handles(f"{_STATES}.TrainState.create")
def _create_state(it: Interpreter, call: Call) -> Value:
    own = name_in_source(it, _STATES, "TrainState")
    if own is MISSING:
        return it.unknown("a TrainState")
    return it.call(it.get_attribute(own, "create", call.node), *call)


@handles("flax.serialization.from_state_dict", "flax.serialization.from_bytes")
def _from_state(it: Interpreter, call: Call) -> Value:
    return restored(it, call.argument(0, "target"), call.node)


@handles("flax.serialization.to_state_dict")
def _state_dict(it: Interpreter, call: Call) -> Value:
    # A dict with the states of the parts, as each part's class has registered it.
    return it.unknown("the state of a tree as a dict")
