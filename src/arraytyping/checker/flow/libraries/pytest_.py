"""`pytest`: marks, fixtures, and the contexts in which an exception is expected; `running_tests` runs the tests.

Source: https://docs.pytest.org/en/stable/reference/reference.html.
"""

from __future__ import annotations

import contextlib
from typing import Any, Final

from arraytyping.checker.flow.libraries.command_lines import instance_of, synthetic_class
from arraytyping.checker.flow.libraries.registry import handles, handles_object
from arraytyping.checker.flow.state.interpreter import Interpreter, ProgramEnds, Raised, TestEnds
from arraytyping.checker.flow.syntax.with_blocks import ContextValue
from arraytyping.checker.flow.values import (
    BaseValue,
    ClassValue,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    ListValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.calls import Call

__all__ = ["Fixture", "Mark", "Parameters", "marks_of"]

Kwargs = dict[str, Any]

_MARKS: Final = "pytest marks"


class Mark(HandlerValue):
    """`pytest.mark.name(...)`: with a function as its only argument it marks that, with others it is a mark."""

    __slots__ = ("args", "kwargs")

    def __init__(self, name: str, args: tuple[Value, ...] = (), kwargs: Kwargs | None = None) -> None:
        super().__init__(name, self._call)
        self.args: tuple[Any, ...] = args
        self.kwargs: Kwargs = kwargs or {}

    def _call(self, it: Interpreter, call: Call) -> Value:
        if call.has_only(1) and isinstance(call.args[0], FunctionValue | ClassValue | Marked | Fixture):
            return _marked(it, call.args[0], self)
        if call.has_only(1) and isinstance(call.args[0], HandlerValue) and call.args[0].wraps:
            return Marked(call.args[0], (self,))
        if call.has_only(1) and isinstance(call.args[0], Unknown):
            return call.args[0]
        return Mark(self.name, (*self.args, *call.args), {**self.kwargs, **call.kwargs})


class Marked(HandlerValue):
    """What is no plain function, such as one under a decorator, with its marks."""

    __slots__ = ("marks",)

    def __init__(self, value: Value, marks: tuple[Mark, ...]) -> None:
        super().__init__("marked", lambda it, call: it.call(value, *call), (value,))
        self.marks: tuple[Mark, ...] = marks


class Fixture(HandlerValue):
    """`@pytest.fixture`: the function, and the options of the fixture."""

    __slots__ = ("function", "options")

    def __init__(self, function: Value, options: Kwargs) -> None:
        super().__init__("fixture", lambda it, call: it.unknown("a fixture is called"), (function,))
        self.function: Any = function
        self.options: Kwargs = options


class Parameters(BaseValue):
    """`pytest.param(...)`: one set of parameters, with its marks."""

    __slots__ = ("marks", "values")

    def __init__(self, values: tuple[Value, ...], marks: Value) -> None:
        self.values: tuple[Value, ...] = values
        self.marks: Value = marks


def _marked(it: Interpreter, value: Any, mark: Mark) -> Value:
    if isinstance(value, Marked):
        return Marked(value.wraps[0], (*value.marks, mark))
    if isinstance(value, Fixture):
        return value
    held = value.namespace if isinstance(value, ClassValue) else value.attributes
    it.journal.touch(value)
    held[_MARKS] = (*held.get(_MARKS, ()), mark)
    return value


def marks_of(it: Interpreter, value: Value) -> list[Mark]:
    """The marks of a function or class, the nearest first; of anything else those that it is."""
    if isinstance(value, Marked):
        return [*marks_of(it, value.wraps[0]), *value.marks]
    if isinstance(value, FunctionValue):
        return list(value.attributes.get(_MARKS, ()))
    if isinstance(value, ClassValue):
        found = [m for c in value.mro if isinstance(c, ClassValue) for m in c.namespace.get(_MARKS, ())]
        return [*found, *marks_of(it, value.namespace.get("pytestmark"))]
    if isinstance(value, Mark):
        return [value]
    if isinstance(value, ListValue | tuple):
        items = value.items if isinstance(value, ListValue) else value
        return [m for v in items or () if isinstance(v, Mark) for m in (v,)]
    return []


@handles_object("pytest.mark")
def _marks(it: Interpreter) -> InstanceValue:
    return instance_of(synthetic_class("MarkGenerator", lambda it, value, name, node: Mark(name)))


@handles("pytest.param")
def _param(it: Interpreter, call: Call) -> Value:
    return Parameters(tuple(call.args), call.kwargs.get("marks", ()))


@handles("pytest.fixture", "pytest.yield_fixture")
def _fixture(it: Interpreter, call: Call) -> Value:
    if call.args and not isinstance(call.args[0], str):
        return Fixture(call.args[0], call.kwargs)
    return HandlerValue(
        "fixture", lambda it, later: Fixture(later.args[0], call.kwargs) if later.args else it.unknown("a fixture")
    )


# ---------------------------------------------------------------------- contexts and ends


def expecting(it: Interpreter, call: Call) -> Value:
    """A context in which an exception is expected; with a function as second argument the call of it."""
    if len(call.args) > 1:
        with it.quietly(), contextlib.suppress(Raised, ProgramEnds):
            it.call(call.args[1], call.args[2:], {k: v for k, v in call.kwargs.items() if k != "match"}, call.node)
        return it.unknown("an exception")
    return ContextValue("raises", it.unknown("an exception"), may_raise=True)


handles("pytest.raises", "pytest.warns", "pytest.deprecated_call")(expecting)


@handles("pytest.skip", "pytest.xfail", "pytest.exit")
def _skip(it: Interpreter, call: Call) -> Value:
    raise TestEnds


@handles("pytest.fail")
def _fail(it: Interpreter, call: Call) -> Value:
    assert call.node is not None
    reason = call.argument(0, "reason", "")
    raise it.raised(f"pytest.fail: {reason}" if isinstance(reason, str) else "pytest.fail", call.node)


@handles("pytest.importorskip")
def _import_or_skip(it: Interpreter, call: Call) -> Value:
    name = call.argument(0, "modname")
    if not isinstance(name, str) or call.node is None:
        return it.unknown("a module of unknown name")
    found = it.importer.import_module(it, name, call.node, it.frame, is_whole=True)
    return found if not isinstance(found, Unknown) else it.unknown(f"the module {name}, which is not followed")


@handles("pytest.approx")
def _approx(it: Interpreter, call: Call) -> Value:
    return it.unknown("what is about equal")


@handles("pytest.main")
def _main(it: Interpreter, call: Call) -> Value:
    return it.unknown("the exit code of tests")
