"""`unittest`: test cases and their assertions; also those of absl, which derive from them.

Source: https://docs.python.org/3/library/unittest.html.
"""

from __future__ import annotations

import ast
import unittest
from typing import Any

from arraytyping.checker.flow.libraries.command_lines import nothing
from arraytyping.checker.flow.libraries.pytest_ import Mark, expecting
from arraytyping.checker.flow.libraries.registry import handles, handles_base
from arraytyping.checker.flow.state.interpreter import Interpreter, ProgramEnds, TestEnds
from arraytyping.checker.flow.syntax.assertions import never_holds
from arraytyping.checker.flow.syntax.with_blocks import ContextValue
from arraytyping.checker.flow.values import (
    MISSING,
    ClassValue,
    HandlerValue,
    InstanceValue,
    ScalarValue,
    Value,
    is_concrete,
)
from arraytyping.checker.flow.values.calls import Call

__all__ = ["make_test_case"]

Kwargs = dict[str, Any]
Node = ast.AST | None


@handles_base(
    "unittest.TestCase", "unittest.async_case.IsolatedAsyncioTestCase",  # which `unittest` loads when it is asked for
    "absl.testing.absltest.TestCase", "absl.testing.parameterized.TestCase",
)  # fmt: skip
def _test_case(it: Interpreter, cls: ClassValue, base: Value, keywords: Kwargs, node: Node) -> Value:
    cls.options["attribute"] = make_test_case(cls)
    return cls


def make_test_case(cls: ClassValue) -> Any:
    """Make a class one of tests; what gives the attributes that every test case has."""
    cls.options["super"] = lambda it, receiver, name, node: nothing(name)
    cls.options["is test case"] = True
    return _attribute


def _attribute(it: Interpreter, case: InstanceValue, name: str, node: Node) -> Value:
    """A method of every test case."""
    if name.startswith(("assertRaises", "assertWarns", "assertLogs", "assertNoLogs")):
        return HandlerValue(name, _expecting)
    if name in ("assertTrue", "assertFalse"):
        return HandlerValue(name, _asserts(name == "assertTrue"))
    if name == "assertEqual":
        return HandlerValue(name, _equal)
    if name in ("fail", "skipTest"):
        return HandlerValue(name, _ends)
    if name == "subTest":
        return HandlerValue(name, lambda it, call: ContextValue(name))
    if name in ("setUp", "tearDown", "setUpClass", "tearDownClass", "addCleanup"):
        return nothing(name)
    if name in vars(unittest.TestCase()):
        return it.unknown("what a test case knows of itself")
    return nothing(name) if name.startswith("assert") else MISSING


def _expecting(it: Interpreter, call: Call) -> Value:
    pattern = getattr(getattr(call.node, "func", None), "attr", "").endswith(("Regex", "Match"))
    return expecting(
        it, Call([call.args[0], *call.args[2:]] if pattern and len(call.args) > 1 else call.args, {}, call.node)
    )


def _asserts(wanted: bool) -> Any:
    def handle(it: Interpreter, call: Call) -> Value:
        truth = it.truth(call.args[0], call.node) if call.args else None
        if truth is not None and truth is not wanted and call.node is not None:
            never_holds(it, call.node, _said(call.node), "AssertionError: this assertion never holds")
        return None

    return handle


def _equal(it: Interpreter, call: Call) -> Value:
    if len(call.args) < 2 or call.node is None:
        return None
    if (
        is_concrete(call.args[0])
        and is_concrete(call.args[1])
        and it.binary("eq", call.args[0], call.args[1], call.node) is False
    ):
        never_holds(it, call.node, _said(call.node), f"AssertionError: {call.args[0]!r} is not {call.args[1]!r}")
    return None


def _said(node: Node) -> list[ast.expr]:
    """What a call of an assertion is about."""
    return node.args[:2] if isinstance(node, ast.Call) else []


def _ends(it: Interpreter, call: Call) -> Value:
    raise TestEnds


@handles("unittest.skip", "unittest.expectedFailure", "unittest.skipIf", "unittest.skipUnless")
def _skip(it: Interpreter, call: Call) -> Value:
    called = getattr(call.node, "func", call.node)
    name = getattr(called, "attr", getattr(called, "id", ""))
    if name == "skipUnless":
        truth = it.truth(call.args[0], call.node) if call.args else None
        return Mark("skipif", (ScalarValue(bool) if truth is None else not truth,))
    if name == "expectedFailure":
        return it.call(Mark("xfail"), *call)
    return Mark("skip" if name == "skip" else "skipif", tuple(call.args[:1]))


@handles("unittest.main", "absl.testing.absltest.main")
def _main(it: Interpreter, call: Call) -> Value:
    raise ProgramEnds


def _parameterized(name: str) -> None:
    @handles(f"absl.testing.parameterized.{name}")
    def handle(it: Interpreter, call: Call) -> Value:
        return Mark(f"absl {name}", tuple(call.args), call.kwargs)


for _name in ("parameters", "named_parameters", "product"):
    _parameterized(_name)
