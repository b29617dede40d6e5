"""Tests of a module, as pytest runs them: each with its fixtures, and once for each set of parameters.

Every test begins from the state behind the import of its module.
"""

from __future__ import annotations

import ast
import itertools
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from arraytyping.checker.flow.adapters.chex_variants import VARIANT, variants_of
from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.libraries.pytest_ import Fixture, Mark, Parameters, marks_of
from arraytyping.checker.flow.start.fixtures import Fixtures, function_of, parameter_names
from arraytyping.checker.flow.state.interpreter import Interpreter, OutOfTime, ProgramEnds, Raised, Recursion
from arraytyping.checker.flow.values import (
    MISSING,
    ClassValue,
    DictValue,
    InstanceValue,
    ListValue,
    ModuleValue,
    UnionValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.frames import Module

__all__ = ["report_raised", "run_tests"]

_MOST_SETS: Final = 64

Set = tuple[tuple[Any, ...], dict[str, Any], dict[str, Any]]
"""Positional arguments, keyword arguments, and parameters for fixtures."""


def run_tests(it: Interpreter, module: Module, conftests: list[Module]) -> bool:
    """Run every test of a module; whether there was time for all."""
    complete = True
    spare = it.limits.spare_work
    for name, value, cls in list(_tests(module)):
        begun = it.work
        it.most_work = begun + it.limits.test_work + spare
        try:
            _run_test(it, module, conftests, name, value, cls)
        except OutOfTime:
            complete = False
            if time.process_time() > it.deadline:
                return False
        except Abort:
            complete = False
        finally:
            it.most_work = None
        spare -= max(0, min(spare, it.work - begun - it.limits.test_work))
    return complete


def _tests(module: Module) -> Iterator[tuple[str, Value, ClassValue | None]]:
    for name, value in module.frame.variables.items():
        if isinstance(value, ClassValue):
            is_case = value.options.get("is test case") is True
            if is_case or (name.startswith("Test") and value.find("__init__") is MISSING):
                names = {n: v for c in reversed(value.mro) if isinstance(c, ClassValue) for n, v in c.namespace.items()}
                yield from ((n, v, value) for n, v in names.items() if n.startswith("test") and _is_test(v))
        elif name.startswith("test") and _is_test(value):
            yield name, value, None


def _is_test(value: Value) -> bool:
    function = function_of(value) if not isinstance(value, Fixture) else None
    return function is not None and isinstance(function.node, ast.FunctionDef)


def _run_test(
    it: Interpreter, module: Module, conftests: list[Module], name: str, value: Value, cls: ClassValue | None
) -> None:
    """Run one test, for each set of its parameters."""
    marks = [*marks_of(it, value), *(marks_of(it, cls) if cls is not None else ())]
    marks += marks_of(it, module.frame.variables.get("pytestmark"))
    path_uncertain = 0
    for mark in marks:
        if mark.name == "skip":
            return
        if mark.name == "skipif":
            condition = mark.args[0] if mark.args else mark.kwargs.get("condition")
            skips = None if isinstance(condition, str) else it.truth(condition, None)
            if skips:
                return
            path_uncertain += skips is None
    quiet = any(mark.name == "xfail" for mark in marks)
    levels = [module.frame.variables, *(c.frame.variables for c in conftests)]
    if cls is not None:
        levels.insert(0, {n: v for c in reversed(cls.mro) if isinstance(c, ClassValue) for n, v in c.namespace.items()})
    used = [n for mark in marks if mark.name == "usefixtures" for n in mark.args if isinstance(n, str)]
    is_static = cls is not None and getattr(value, "kind", None) == "staticmethod"
    names = parameter_names(value, cls is not None and not is_static)
    sets = _sets(it, marks, Fixtures(levels, None, {}), names, used)
    for variant, (args, kwargs, params) in itertools.product(variants_of(marks), sets):
        VARIANT.put(it, variant)
        mark_ = it.journal.mark
        before = it.path_uncertain
        it.path_uncertain += path_uncertain
        it.quiet += quiet
        try:
            with it.in_frame(module.frame):
                _run_once(it, module, levels, value, cls, args, kwargs, params, [*used, *names[len(args) :]])
        finally:
            it.path_uncertain = before
            it.quiet -= quiet
            it.journal.undo(mark_)


def _run_once(
    it: Interpreter,
    module: Module,
    levels: list[dict[str, Any]],
    value: Value,
    cls: ClassValue | None,
    args: tuple[Value, ...],
    kwargs: dict[str, Value],
    params: dict[str, Any],
    names: list[str],
) -> None:
    instance: Any = None
    own = set(parameter_names(value, cls is not None))

    def test(values: dict[str, Value]) -> None:
        given = {**{n: v for n, v in values.items() if n in own}, **kwargs}
        with report_raised(it):
            target = value
            if instance is not None:
                target = it.get_attribute(instance, function_name(value), None)
            it.call(target, list(args), given, None)

    with report_raised(it):
        if cls is not None:
            instance = it.call(cls, [], {}, None)
            if not isinstance(instance, InstanceValue):
                return
        fixtures = Fixtures(levels, instance, params)

        def set_up(_: dict[str, Any]) -> None:
            with report_raised(it):
                _around(it, module, cls, instance, "setup")
                fixtures.provide(it, [n for n in names if n not in kwargs], 0, "", test)
                _around(it, module, cls, instance, "teardown")

        fixtures.provide(it, fixtures.automatic(), 0, "", set_up)


def function_name(value: Value) -> str:
    """The name under which a method stands in its class."""
    function = function_of(value)
    assert function is not None
    return function.name


def _around(it: Interpreter, module: Module, cls: ClassValue | None, instance: Value, when: str) -> None:
    """What is called before or behind each test."""
    variables = module.frame.variables
    unittest_name = {"setup": "setUp", "teardown": "tearDown"}[when]
    calls: list[tuple[Any, list[Any]]] = [(variables.get(f"{when}_module"), [ModuleValue(module)])]
    if cls is None:
        calls.append((variables.get(f"{when}_function"), [Unknown("a test function")]))
    else:
        for name in (f"{unittest_name}Class", f"{when}_class", unittest_name, f"{when}_method"):
            if cls.find(name) is not MISSING:
                calls.append((it.get_attribute(instance, name, None), [Unknown("a test method")]))
    for function, args in calls:
        inner = function_of(function)
        if inner is not None:
            bound = 0 if function is inner else 1
            takes = len(inner.node.args.posonlyargs) + len(inner.node.args.args) - bound
            it.call(function, args[:takes] if takes > 0 else [], {}, None)


@contextmanager
def report_raised(it: Interpreter, is_meant: bool = False) -> Iterator[None]:
    """What the program raises is reported where it is, and ends only this part of it.

    What a `raise` statement raises may be what is meant, where nothing of the program comes there.
    """
    try:
        yield
    except Raised as error:
        if not (is_meant and error.is_deliberate):
            it.report(error)
    except Recursion:
        it.unknown("a recursion without an end")
    except ProgramEnds:
        pass


# ---------------------------------------------------------------------- sets of parameters


def _sets(it: Interpreter, marks: list[Mark], fixtures: Fixtures, names: list[str], used: list[str]) -> Iterator[Set]:
    """Every combination of parameters; of very many the first, and one of which nothing is known."""
    choices: list[list[Set]] = []
    for mark in marks:
        if mark.name == "parametrize":
            choices.append(_parametrize(it, mark))
        elif mark.name.startswith("absl "):
            choices.append(_absl(it, mark, names))
    filled = {n for sets in choices for _, kwargs, params in sets for n in (*kwargs, *params)}
    for name, fixture in fixtures.closure([*names, *used, *fixtures.automatic()]):
        if "params" in fixture.options and name not in filled:
            items, element = it.iterate(fixture.options["params"], None)
            choices.append([((), {}, {name: _plain(v)}) for v in (items if items is not None else [element])])
    everything = itertools.product(*choices)
    for combined in itertools.islice(everything, _MOST_SETS):
        yield _combined(combined)
    if (one_more := next(everything, None)) is not None:
        args, kwargs, params = _combined(one_more)
        anything = it.unknown("a set of parameters behind the first ones")
        yield tuple(anything for _ in args), dict.fromkeys(kwargs, anything), dict.fromkeys(params, anything)


def _combined(sets: tuple[Set, ...]) -> Set:
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = {}
    params: dict[str, Any] = {}
    for a, k, p in sets:
        args += a
        kwargs.update(k)
        params.update(p)
    return args, kwargs, params


def _plain(value: Value) -> Value:
    return value.values[0] if isinstance(value, Parameters) and len(value.values) == 1 else value


def _parametrize(it: Interpreter, mark: Mark) -> list[Set]:
    given = {**dict(zip(("argnames", "argvalues", "indirect"), mark.args)), **mark.kwargs}
    said, indirect = given.get("argnames"), given.get("indirect", False)
    if isinstance(said, str):
        names = [n.strip() for n in said.split(",") if n.strip()]
    else:
        names = [n for n in it.iterate(said, None)[0] or () if isinstance(n, str)]
    single = isinstance(said, str) and len(names) == 1
    through = set(names) if indirect is True else set() if not indirect else set(it.iterate(indirect, None)[0] or ())
    values, element = it.iterate(given.get("argvalues"), None)
    found: list[Set] = []
    for value in values if values is not None else [element]:
        if isinstance(value, Parameters):
            if any(m.name in ("skip", "xfail") for m in marks_of(it, value.marks)):
                continue
            items: list[Any] | None = list(value.values)
        elif single:
            items = [value]
        else:
            items = it.iterate(value, None)[0]
        if items is None or len(items) != len(names):
            items = [it.unknown("a set of parameters that is not known") for _ in names]
        by_name = dict(zip(names, items))
        kwargs = {n: v for n, v in by_name.items() if n not in through}
        found.append(((), kwargs, {n: v for n, v in by_name.items() if n in through}))
    return found


def _absl(it: Interpreter, mark: Mark, names: list[str]) -> list[Set]:
    """The sets of `absl.testing.parameterized` for a test with parameters of these names."""
    if mark.name == "absl product":
        values = [[{n: v} for v in it.iterate(vs, None)[0] or ()] for n, vs in mark.kwargs.items()]
        for dicts in mark.args:
            held = it.iterate(dicts, None)[0] or ()
            values.append([v.items if isinstance(v, DictValue) and v.items is not None else {} for v in held])
        sets = itertools.product(*values)
        return [((), {n: v for one in combined for n, v in one.items()}, {}) for combined in sets]
    given: list[Any] = list(mark.args)
    if len(given) == 1 and not isinstance(given[0], tuple | DictValue):  # one iterable with all of them
        items, element = it.iterate(given[0], None)
        given = [element] if items is None else items
    found: list[Set] = []
    for one in given:
        if isinstance(one, DictValue) and one.items is not None:
            found.append(((), {k: v for k, v in one.items.items() if k != "testcase_name"}, {}))
        elif isinstance(one, tuple | ListValue):
            items = it.iterate(one, None)[0] or []
            found.append((tuple(items[1:] if mark.name == "absl named_parameters" else items), {}, {}))
        elif isinstance(one, Unknown | UnionValue):
            found.append((tuple(it.unknown("a set of parameters that is not known") for _ in names), {}, {}))
        else:
            found.append(((one,), {}, {}))
    return found
