"""What is left of a mutable value after something that is not followed may have changed it: that it is one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.state.seeds import SeedState
from arraytyping.checker.flow.values import (
    ANY_ATTRIBUTE,
    AliasedValue,
    DictValue,
    InstanceValue,
    IteratorValue,
    KeyOrigin,
    Life,
    ListValue,
    NumPyValue,
    OpenTree,
    SetValue,
    TreeContents,
    Unknown,
    Value,
    parts_of,
)

__all__ = ["ANY_ARGUMENTS", "forget_contents", "forget_others", "forget_reachable"]

_DEPTH: Final = 4
_FORGOTTEN: Final = (DictValue, InstanceValue, IteratorValue, ListValue, NumPyValue, SeedState, SetValue, TreeContents)

ANY_ARGUMENTS: Final = Unknown("a function that is called from where flow cannot follow")
"""As the last argument: there may be more, by position and by name."""


def forget_contents(owner: Value, why: str) -> None:
    """Forget what a mutable value holds; the caller has recorded what it was."""
    if isinstance(owner, SeedState):
        owner.state = None
    elif isinstance(owner, KeyOrigin):
        owner.use = None
    elif isinstance(owner, Life):
        owner.end = None
    elif isinstance(owner, TreeContents):
        owner.is_changed = True
    elif isinstance(owner, DictValue):
        owner.items, owner.key, owner.element = None, Unknown(why), Unknown(why)
    elif isinstance(owner, ListValue | SetValue | IteratorValue):
        owner.items, owner.element = None, Unknown(why)
    elif isinstance(owner, NumPyValue):
        owner.data = owner.limits = None
    elif isinstance(owner, InstanceValue):
        owner.attributes = dict.fromkeys([*owner.attributes, ANY_ATTRIBUTE], Unknown(why))


def forget_reachable(touch: Callable[[Any], None], value: Value, why: str, depth: int = 0) -> None:
    """Forget the contents of a value and of all that can be reached from it; `touch` is told of each before."""
    if depth > _DEPTH:
        return
    inner = value.contents if isinstance(value, OpenTree) else parts_of(value)
    if isinstance(value, AliasedValue):
        inner = value.others
    if isinstance(state := getattr(value, "state", None), SeedState):
        value, inner = state, ()
    for v in inner:
        if v is not value:
            forget_reachable(touch, v, why, depth + 1)
    if isinstance(value, _FORGOTTEN):
        touch(value)
        forget_contents(value, why)


def forget_others(touch: Callable[[Any], None], owner: Value) -> None:
    """Something is written to `owner`: where that is unknown, what it may be one object with is not known any more."""
    if isinstance(owner, AliasedValue):
        forget_reachable(touch, owner, "what may have been written through something unknown")
