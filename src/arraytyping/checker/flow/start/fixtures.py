"""Fixtures of pytest: they are found by name, nearest first, and what follows a `yield` comes behind the test.

The test is a continuation: a fixture that yields is called with each of its `yield`s replaced by a call of what comes
next, so that a setting that it takes back afterwards is in force during the test.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from typing import Any

from arraytyping.checker.flow.libraries.command_lines import instance_of, nothing, synthetic_class
from arraytyping.checker.flow.libraries.pytest_ import Fixture
from arraytyping.checker.flow.python.functions import is_generator
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import MISSING, BoundMethod, FunctionValue, HandlerValue, InstanceValue, Value
from arraytyping.checker.flow.values.calls import Call

__all__ = ["Fixtures", "function_of", "parameter_names"]

Then = Callable[[Any], None]


def function_of(value: Value) -> FunctionValue | None:
    """The function of the program in a test or fixture, below its marks and decorators."""
    for _ in range(8):
        if isinstance(value, FunctionValue):
            return value if not isinstance(value.node, ast.Lambda) else None
        wrapped = getattr(value, "wraps", None)
        value = wrapped[0] if wrapped else getattr(value, "function", None)
    return None


def parameter_names(value: Value, is_method: bool) -> list[str]:
    """The parameters that fixtures fill: those without a default."""
    function = function_of(value)
    if function is None:
        return []
    spec = function.node.args
    positional = [p.arg for p in (*spec.posonlyargs, *spec.args)]
    positional = positional[: len(positional) - len(function.defaults)]
    named = [p.arg for p, default in zip(spec.kwonlyargs, function.kw_defaults) if default is MISSING]
    return [*positional[1 if is_method else 0 :], *named]


class Fixtures:
    """The fixtures for one test; `levels` are the names of its class, its module and each conftest, nearest first."""

    def __init__(self, levels: list[dict[str, Any]], instance: InstanceValue | None, params: dict[str, Any]) -> None:
        self.levels: list[dict[str, Fixture]] = [
            {_name(n, f): f for n, f in level.items() if isinstance(f, Fixture)} for level in levels
        ]
        self.instance = instance
        self.params = params
        """The parameters of parametrized fixtures in this run, by the fixture's name."""
        self._made: dict[tuple[str, int], Any] = {}

    def automatic(self) -> list[str]:
        """The names of those that every test gets."""
        return [n for level in reversed(self.levels) for n, f in level.items() if f.options.get("autouse") is True]

    def closure(self, names: list[str]) -> Iterator[tuple[str, Fixture]]:
        """The fixtures that are needed for these, with those that they need."""
        seen: set[str] = set()
        stack = list(names)
        while stack:
            name = stack.pop()
            if name in seen:
                continue
            seen.add(name)
            for level in self.levels:
                if name in level:
                    yield name, level[name]
                    stack += parameter_names(level[name], self._is_method(level))
                    break

    def _is_method(self, level: dict[str, Any]) -> bool:
        return level is self.levels[0] and self.instance is not None

    def provide(
        self, it: Interpreter, names: list[str], first: int, asking: str, then: Callable[[dict[str, Any]], None]
    ) -> None:
        """Get values for these names, and go on with them; fixtures are looked for from level `first`."""
        values: dict[str, Value] = {}

        def next_name(i: int) -> None:
            if i == len(names):
                then(values)
                return

            def got(value: Value) -> None:
                values[names[i]] = value
                next_name(i + 1)

            # A fixture that asks for its own name gets the one that it overrides.
            self._obtain(it, names[i], first + 1 if names[i] == asking else 0, asking, got)

        next_name(0)

    def _obtain(self, it: Interpreter, name: str, first: int, asking: str, then: Then) -> None:
        for i in range(first, len(self.levels)):
            if name in self.levels[i]:
                self._make(it, name, i, then)
                return
        then(self._builtin(it, name, asking))

    def _make(self, it: Interpreter, name: str, level: int, then: Then) -> None:
        if (name, level) in self._made:
            then(self._made[name, level])
            return
        fixture = self.levels[level][name]
        is_method = self._is_method(self.levels[level])

        def call(values: dict[str, Value]) -> None:
            function = function_of(fixture)
            if function is None:
                then(it.unknown("a fixture that is no function of the program"))
                return

            def got(value: Value) -> None:
                self._made[name, level] = value
                then(value)

            yields = is_generator(function.node)
            target = _with_continuation(it, function, got) if yields else fixture.function
            if is_method:
                target = BoundMethod(target, self.instance)
            value = it.call(target, [], values, None)
            if not yields:
                got(value)

        self.provide(it, parameter_names(fixture, is_method), level, name, call)

    def _builtin(self, it: Interpreter, name: str, asking: str) -> Value:
        if name == "request":
            cls = synthetic_class("FixtureRequest", lambda it, value, name, node: MISSING)
            return instance_of(cls, **({"param": self.params[asking]} if asking in self.params else {}))
        if name == "monkeypatch":
            return instance_of(synthetic_class("MonkeyPatch", _monkeypatch))
        return it.unknown(f"the fixture {name}, which is not followed")


def _name(name: str, fixture: Fixture) -> str:
    given = fixture.options.get("name")
    return given if isinstance(given, str) else name


def _with_continuation(it: Interpreter, function: FunctionValue, got: Then) -> FunctionValue:
    """The function with each `yield` replaced by a call of what comes next."""

    def resume(it: Interpreter, call: Call) -> Value:
        # The test knows nothing of what is around the `yield`: exceptions in it do not come here, either.
        before = it.quiet, it.path_uncertain, it.chain
        it.quiet, it.path_uncertain, it.chain = outside
        try:
            got(call.args[0])
        finally:
            it.quiet, it.path_uncertain, it.chain = before
        return None

    outside = it.quiet, it.path_uncertain, list(it.chain)
    handler = HandlerValue("yield", resume)

    class Transformer(ast.NodeTransformer):
        def visit_Yield(self, node: ast.Yield) -> Value:
            value = node.value if node.value is not None else ast.copy_location(ast.Constant(None), node)
            called = ast.copy_location(ast.Constant(handler), node)  # type: ignore[arg-type]
            return ast.copy_location(ast.Call(called, [value], []), node)

        def visit_Lambda(self, node: ast.Lambda) -> Value:
            return node

    assert not isinstance(function.node, ast.Lambda)
    body = [Transformer().visit(copy.deepcopy(statement)) for statement in function.node.body]
    node = copy.copy(function.node)
    node.body = body
    node.returns = None
    made = FunctionValue(node, function.frame, function.name, function.defaults, function.kw_defaults)
    made.owner = function.owner
    return made


# ---------------------------------------------------------------------- monkeypatch


def _monkeypatch(it: Interpreter, value: InstanceValue, name: str, node: ast.AST | None) -> Value:
    if name == "setattr":
        return HandlerValue(name, _set_attribute)
    if name == "setitem":
        return HandlerValue(name, _set_item)
    return nothing(name) if name in ("setenv", "delenv", "chdir", "syspath_prepend", "undo") else MISSING


def _set_attribute(it: Interpreter, call: Call) -> Value:
    args = call.args
    if len(args) == 2 and isinstance(args[0], str):
        module, _, name = args[0].rpartition(".")
        target = it.importer.import_module(it, module, ast.Pass(), it.frame, is_whole=True) if module else None
        args = [target, name, args[1]]
    if len(args) >= 3 and isinstance(args[1], str):
        it.put_attribute(args[0], args[1], args[2], call.node)
    return None


def _set_item(it: Interpreter, call: Call) -> Value:
    if len(call.args) >= 3:
        it.put_item(call.args[0], call.args[1], call.args[2], call.node)
    return None
