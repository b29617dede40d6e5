"""`if` and `match`: the branch that is known is executed; else each, with what its condition says of variables."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterator
from typing import Any

from arraytyping.checker.flow.python.targets import bind_name
from arraytyping.checker.flow.state.branching import branch
from arraytyping.checker.flow.state.certainty import Undecided, depends_on_data, given, undecided, under
from arraytyping.checker.flow.state.identity import names_read
from arraytyping.checker.flow.state.interpreter import Interpreter, Raised
from arraytyping.checker.flow.state.resumption import note_narrowed
from arraytyping.checker.flow.syntax.patterns import Bindings, compares, match
from arraytyping.checker.flow.syntax.told_shapes import assume_told
from arraytyping.checker.flow.values import InstanceValue, UnionValue, Value
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["assume", "evaluate_if", "execute_if", "execute_match"]


def execute_if(it: Interpreter, node: ast.If, frame: Frame) -> bool:
    """Execute `if`."""
    value = it.evaluate(node.test, frame)
    known = it.truth(value, node.test)
    if known is not None:
        return it.execute(node.body if known else node.orelse, frame)

    def path(body: list[ast.stmt], holds: bool) -> Callable[[], bool]:
        def run() -> bool:
            assume(it, node.test, holds, frame)
            assume_told(it, node.test, holds, frame)
            return it.execute(body, frame)

        return run

    why = undecided(it, value, node.test)
    behind: list[bool] = []

    def under_condition(body: list[ast.stmt], holds: bool) -> Callable[[], bool]:
        def run() -> bool:
            goes_on: bool = under(it, why, holds, path(body, holds))
            if goes_on:
                behind.append(holds)
            return goes_on

        return run

    goes_on = branch(
        it, frame, [under_condition(node.body, True), under_condition(node.orelse, False)], not why.is_data
    )
    if why.is_data and len(behind) == 1:
        given(it, why, behind[0])
    return goes_on


def evaluate_if(it: Interpreter, test: ast.expr, holds: bool, body: ast.expr, frame: Frame) -> Value:
    """Evaluate an expression where a condition holds, or does not; what is assumed is forgotten afterwards."""
    names: list[tuple[Any, str, Any]] = []
    for owner, name, value in _alternatives(it, test, frame):
        names.append((owner, name, value))
    assume(it, test, holds, frame)
    try:
        return it.evaluate(body, frame)
    finally:
        for owner, name, value in names:
            _put(it, owner, name, value)


def assume(it: Interpreter, test: ast.expr, holds: bool, frame: Frame) -> None:
    """Drop of each variable in a condition those alternatives with which the condition would be the opposite."""
    for owner, name, value in _alternatives(it, test, frame):
        left: list[Any] = []
        for alternative in value.values:
            _put(it, owner, name, alternative)
            with it.quietly():
                try:
                    known = it.truth(it.evaluate(test, frame), None)
                except Raised:
                    known = None
            if known is None or known is holds:
                left.append(alternative)
        narrowed = (
            value if len(left) in (0, len(value.values)) else left[0] if len(left) == 1 else UnionValue(tuple(left))
        )
        note_narrowed(narrowed)
        _put(it, owner, name, narrowed)


def _alternatives(it: Interpreter, test: ast.expr, frame: Frame) -> Iterator[tuple[Value, str, UnionValue]]:
    """The variables and attributes of variables in a condition that hold one of several values."""
    for name in names_read(test):
        owner = frame.owner_of(name)
        value = owner.variables.get(name)
        if isinstance(value, UnionValue):
            yield owner, name, value
    for name, attribute in _attributes_read(test):
        instance = frame.find(name)
        if isinstance(instance, InstanceValue) and isinstance(instance.attributes.get(attribute), UnionValue):
            yield instance, attribute, instance.attributes[attribute]


@functools.lru_cache(maxsize=8192)
def _attributes_read(test: ast.expr) -> tuple[tuple[str, str], ...]:
    """The attributes of variables in a condition: the name of the variable, and that of the attribute."""
    found = (n for n in ast.walk(test) if isinstance(n, ast.Attribute))
    return tuple((n.value.id, n.attr) for n in found if isinstance(n.value, ast.Name))


def _put(it: Interpreter, owner: Any, name: str, value: Value) -> None:
    if isinstance(owner, Frame):
        it.journal.bind(owner, name, value)
    else:
        it.journal.touch(owner)
        owner.attributes[name] = value


def execute_match(it: Interpreter, node: ast.Match, frame: Frame) -> bool:
    """Execute `match`: the cases that may match, up to the first one that does."""
    subject = it.evaluate(node.subject, frame)
    paths: list[tuple[Undecided | None, Callable[[], bool]]] = []
    certain = False
    path_uncertain = False
    reached: Undecided | None = None

    def path(case: ast.match_case, bindings: Bindings) -> Callable[[], bool]:
        def run() -> bool:
            for name, value in bindings.items():
                bind_name(it, frame, name, value)
            return it.execute(case.body, frame)

        return run

    for case in node.cases:
        bindings: Bindings = {}
        matches = match(it, case.pattern, subject, frame, bindings)
        if matches is False:
            continue
        # What decides: a pattern that only tells sorts of values apart hangs on no data, even where the subject does.
        hanging = [] if matches else [subject if compares(case.pattern) else None]
        if case.guard is not None:
            for name, value in bindings.items():
                bind_name(it, frame, name, value)
            guard = it.evaluate(case.guard, frame)
            guarded = it.truth(guard, case.guard)
            if guarded is False:
                continue
            if guarded is None:
                hanging.append(guard)
            matches = matches if guarded else None
        if hanging:
            is_data = all(depends_on_data(v) for v in hanging)
            path_uncertain = path_uncertain or not is_data
            # On this it depends that this case is executed, and that those behind it are reached.
            reached = Undecided(not path_uncertain, it.frame.module.shown, case.pattern.lineno)
        paths.append((reached, path(case, bindings)))
        if matches:
            certain = True
            break
    if certain and len(paths) == 1:
        return paths[0][1]()
    if not certain:
        paths.append((reached, lambda: True))

    def reach(why: Undecided | None, run: Callable[[], bool], is_case: bool) -> Callable[[], bool]:
        return lambda: bool(under(it, why, is_case, run))

    last = len(paths) - 1
    return branch(it, frame, [reach(why, run, i < last) for i, (why, run) in enumerate(paths)], path_uncertain)
