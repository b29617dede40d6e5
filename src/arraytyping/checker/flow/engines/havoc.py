"""What goes where flow cannot follow: functions of the program that a library may call."""

from __future__ import annotations

import contextlib
import enum
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from arraytyping.checker.flow.engines.asking import NeedsLive
from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.engines.invented_calls import call_within
from arraytyping.checker.flow.state.escaping import may_be_meant_to_fail, note_escaped
from arraytyping.checker.flow.state.forgetting import ANY_ARGUMENTS, forget_reachable
from arraytyping.checker.flow.state.identity import identity
from arraytyping.checker.flow.state.interpreter import Interpreter, ProgramEnds, Raised, Recursion
from arraytyping.checker.flow.state.outside import writes_outside
from arraytyping.checker.flow.state.repeated import call_repeatedly
from arraytyping.checker.flow.state.whoever import Whoever
from arraytyping.checker.flow.values import (
    ANY_ATTRIBUTE,
    MISSING,
    AliasedValue,
    BaseValue,
    BoundMethod,
    ClassValue,
    Descriptor,
    DictValue,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    IteratorValue,
    JitValue,
    ListValue,
    MethodOf,
    Mutable,
    PartialValue,
    UnionValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.calls import Call

__all__ = ["OBJECTS", "call_with_anything", "havoc", "perhaps_call"]


OBJECTS: Final[list[Callable[[Interpreter, Any], None]]] = []
"""What is done with an object of a library that goes where we cannot follow."""


def havoc(it: Interpreter, values: list[Value]) -> None:
    """These values went where we cannot follow: their functions may be called with anything, and as often as may be."""
    is_noted = not may_be_meant_to_fail(values)
    for value in values:
        _havoc_value(it, value, 0, is_noted)


def _havoc_value(it: Interpreter, value: Value, depth: int, is_noted: bool) -> None:
    if depth > 4:  # deeper are containers of containers, and what refers to itself
        return
    value, bound, keywords = _unwrapped(value)
    if is_noted and isinstance(value, FunctionValue | ClassValue):
        note_escaped(it, value)
    held = _held(value)
    if held is not None:
        for v in held:
            _havoc_value(it, v, depth + 1, is_noted)
    elif isinstance(value, FunctionValue):
        call_with_anything(it, value, bound, keywords)
    elif isinstance(value, InstanceValue):
        _call_methods(it, value)
    elif isinstance(value, MethodOf) and isinstance(value.receiver, Mutable):
        forget_reachable(it.journal.touch, value.receiver, "what is changed where flow does not follow")
    elif isinstance(value, ClassValue):
        _make_instances(it, value, bound, keywords)
    else:
        for look in OBJECTS:
            look(it, value)
        if _may_change(value):
            it.written[id(value), None] = value


_PLAIN: Final = ("plain", "dataclass")


def _call_methods(it: Interpreter, instance: InstanceValue) -> None:
    for name, method in _methods(instance.cls).items():
        if name == "__call__" or not name.startswith("_") or writes_outside(method):
            call_with_anything(it, method, [instance], {})


def _make_instances(it: Interpreter, cls: ClassValue, bound: list[Value], keywords: dict[str, Value]) -> None:
    """Whoever has a class of the program may make instances of it, and call their methods."""
    if cls.kind not in _PLAIN or cls.options.get("instantiate") is not None:
        for method in [m for base in cls.mro if isinstance(base, ClassValue) for m in base.namespace.values()]:
            method = method.function if isinstance(method, Descriptor) else method
            if isinstance(method, FunctionValue):
                call_with_anything(it, method, [], {})
        return
    made = InstanceValue(cls, {ANY_ATTRIBUTE: Unknown("an attribute of an instance made where flow cannot follow")})
    init = cls.find("__init__")
    if isinstance(init, FunctionValue):
        call_with_anything(it, init, [made, *bound], keywords)
    _call_methods(it, made)


def _unwrapped(value: Value) -> tuple[Any, list[Any], dict[str, Any]]:
    """What is called in the end if this is called, and with which arguments before the others."""
    bound: list[Any] = []
    keywords: dict[str, Any] = {}
    while isinstance(value, PartialValue | BoundMethod | JitValue):
        if isinstance(value, PartialValue):
            bound, keywords, value = [*value.args, *bound], {**value.kwargs, **keywords}, value.function
        elif isinstance(value, BoundMethod):
            bound, value = [value.receiver, *bound], value.function
        else:
            value = value.function
    return value, bound, keywords


def _held(value: Value) -> Sequence[Value] | None:
    """What goes where this value goes; None if it is no container."""
    if isinstance(value, HandlerValue):
        return value.wraps
    if isinstance(value, tuple):
        return value
    if isinstance(value, ListValue) and value.items:
        return value.items
    if isinstance(value, DictValue) and value.items:
        return list(value.items.values())
    if isinstance(value, AliasedValue):
        return value.others
    return value.values if isinstance(value, UnionValue) else None


def _methods(cls: ClassValue) -> dict[str, FunctionValue]:
    """The methods of a class of the program, but for its constructor."""
    found: dict[str, FunctionValue] = {}
    for base in reversed(cls.mro):
        if isinstance(base, ClassValue):
            found |= {k: v for k, v in base.namespace.items() if isinstance(v, FunctionValue) and k not in _MAKING}
    return found


_MAKING: Final = ("__init__", "__new__", "__init_subclass__", "__set_name__")


def _may_change(value: Value) -> bool:
    """Whether a concrete object has attributes of its own, which whoever is given it may bind."""
    if isinstance(value, BaseValue | type | types.ModuleType | types.FunctionType | tuple | enum.Enum):
        return False
    package = type(value).__module__.partition(".")[0]
    return package not in ("builtins", "jax", "jaxlib", "numpy") and bool(getattr(value, "__dict__", None))


def call_with_anything(
    it: Interpreter,
    function: FunctionValue,
    bound: list[Value],
    keywords: dict[str, Value],
    why: str = "a function that is called from where flow cannot follow",
    once: Callable[[], None] | None = None,
    is_told: bool = False,
) -> bool:
    """Call a function of the program with arguments of which nothing is known; whether that came to its end.

    With `once` it is called once, and what that has changed is looked at there and taken back then.  What is wrong for
    each caller is told if that is wanted: who gets a function may want to see that it fails.
    """
    if not function.frame.module.is_program:
        return False
    # What it closes over is seen too; what is followed while sizes are invented is not recorded.
    key = (identity(function), tuple(map(identity, bound)), bool(it.inventing))
    if not it.havocked.get(key, True):
        return False
    it.havocked[key] = False
    mark = it.journal.mark
    spec = function.node.args
    count = len(spec.posonlyargs) + len(spec.args) - len(bound)
    anything = Unknown(why)
    args = [*bound, *([anything] * max(0, count)), ANY_ARGUMENTS]
    named = {p.arg: anything for p in spec.kwonlyargs if p.arg not in keywords}
    kept = {k: v for k, v in keywords.items() if k in {p.arg for p in spec.kwonlyargs}}
    came_to_its_end = False
    with it.quietly(), _by_whoever(it, is_told), contextlib.suppress(Raised, Recursion, Abort, ProgramEnds, NeedsLive):
        call_within(it, function, lambda: _called(it, lambda: it.call(function, args, {**named, **kept}, None), once))
        came_to_its_end = True
    it.havocked[key] = it.journal.is_written_outside(mark, mark.born)  # then that is so each time that it is called
    return came_to_its_end


@contextlib.contextmanager
def _by_whoever(it: Interpreter, is_told: bool) -> Iterator[None]:
    before, it.whoever = it.whoever, Whoever.here(it) if is_told else None
    try:
        yield
    finally:
        it.whoever = before


def perhaps_call(it: Interpreter, function: Value, call: Call) -> Value:
    """What a call gives that may be made, and as often as may be; MISSING if it raises."""
    found: Value = MISSING
    with it.quietly(), contextlib.suppress(Raised):
        try:
            found = call_repeatedly(it, lambda: _to_its_end(it, it.call(function, call.args, call.kwargs, None)))
        except (Recursion, Abort, ProgramEnds, NeedsLive):
            forget_reachable(it.journal.touch, function, "what is changed where flow does not follow")
    return found


def _called(it: Interpreter, run: Callable[[], Value], once: Callable[[], None] | None) -> None:
    """Call it as often as may be, or once."""
    if once is None:
        call_repeatedly(it, lambda: _to_its_end(it, run()))
        return
    mark = it.journal.mark
    try:
        run()
        once()
    finally:
        it.journal.undo(mark)


def _to_its_end(it: Interpreter, result: Value) -> Value:
    """A generator is gone through."""
    if isinstance(result, IteratorValue) and result.pending is not None:
        it.iterate(result, None)
    return result
