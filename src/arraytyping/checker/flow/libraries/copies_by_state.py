"""Copies of containers, and of instances of the program's classes by the protocol of pickling.

Source: https://docs.python.org/3/library/copy.html, https://docs.python.org/3/library/pickle.html.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.python.held_containers import CONTENTS, IS_ATTRIBUTES, contents_of
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import aliased
from arraytyping.checker.flow.values import (
    ANY_ATTRIBUTE,
    MISSING,
    DictValue,
    FunctionValue,
    InstanceValue,
    IteratorValue,
    ListValue,
    NumPyValue,
    SetValue,
    Unknown,
    Value,
    ViewValue,
)

__all__ = ["fill_copy", "shallow_copy"]

_REDUCING: Final = ("__reduce__", "__reduce_ex__", "__getnewargs__", "__getnewargs_ex__")
"""Methods by which a class says how its instances are made anew."""
_PUTTING: Final = ("__setitem__", "append", "extend")
"""Methods by which a container is filled anew."""


def shallow_copy(value: Value) -> Value:
    """A value of its own with the same contents."""
    if isinstance(value, ViewValue):
        return Unknown("a copy of a view of a dict")
    if isinstance(value, ListValue | SetValue):
        copied: Any = type(value)(None, value.element, value.kind)
    elif isinstance(value, DictValue):
        copied = DictValue(None, kind=value.kind, factory=value.factory)
    elif isinstance(value, IteratorValue):
        copied = IteratorValue(None, infinite=value.infinite)
    elif isinstance(value, NumPyValue):
        data = None if value.data is None else value.data.copy()
        return NumPyValue(value.shape, value.dtype, value.is_scalar, data, value.origin)
    else:
        return value
    copied.restore(value.snapshot())
    return copied


def fill_copy(
    it: Interpreter, value: InstanceValue, copied: InstanceValue, part: Callable[[Value], Value], node: ast.AST | None
) -> Value:
    """Give a copy, which has nothing yet, what an instance has; `part` copies what that holds."""
    cls = value.cls
    getting, setting = cls.find("__getstate__"), cls.find("__setstate__")
    if any(cls.find(name) is not MISSING for name in _REDUCING):
        return _not_told(it, value)
    contents = contents_of(value)
    if contents is None and CONTENTS in value.attributes:
        return _not_told(it, value)
    if contents is not None:
        copied.attributes[CONTENTS] = _empty(contents)
    if getting is setting is MISSING:
        copied.attributes |= {name: part(held) for name, held in value.attributes.items() if name != CONTENTS}
        return _put_contents(it, value, copied, contents, part, node)
    if ANY_ATTRIBUTE in value.attributes or IS_ATTRIBUTES in value.attributes:
        return _not_told(it, value)
    own: dict[Any, Value] = {name: held for name, held in value.attributes.items() if name != CONTENTS}
    state = it.call(getting, [value], {}, node) if getting is not MISSING else DictValue(own) if own else None
    state = part(state)
    if setting is not MISSING:
        if state is not None:
            it.call(setting, [copied, state], {}, node)
    elif isinstance(state, DictValue) and state.items is not None and all(type(name) is str for name in state.items):
        copied.attributes |= state.items
    elif state is not None:
        return _not_told(it, value)
    return _put_contents(it, value, copied, contents, part, node)


def _put_contents(
    it: Interpreter,
    value: InstanceValue,
    copied: InstanceValue,
    contents: DictValue | ListValue | None,
    part: Callable[[Value], Value],
    node: ast.AST | None,
) -> Value:
    """What an instance is a container of, put into its copy, by the class's own methods if it has such."""
    if contents is None:
        return copied
    held = contents_of(copied)
    new: Any = part(contents)
    if new is contents:
        new = shallow_copy(contents)
    is_own = any(isinstance(value.cls.find(name), FunctionValue) for name in _PUTTING)
    if held is None or (is_own and (isinstance(new, ListValue) or new.items is None)):
        return _not_told(it, value)
    if is_own:
        for key, item in new.items.items():
            it.put_item(copied, key, item, node)
    elif held.items is None or held.items:  # what `__setstate__` has put there stays
        it.call(it.get_attribute(held, "extend" if isinstance(held, ListValue) else "update", node), [new], {}, node)
    else:
        held.restore(new.snapshot())
    return copied


def _empty(contents: DictValue | ListValue) -> Any:
    if isinstance(contents, DictValue):
        return DictValue({}, kind=contents.kind, factory=contents.factory)
    return ListValue([], kind=contents.kind)


def _not_told(it: Interpreter, value: InstanceValue) -> Value:
    """Nothing is known of a copy, and what is in the instance may be written through it."""
    return aliased(it.unknown("a copy of an instance that says what is copied of it").why, value)
