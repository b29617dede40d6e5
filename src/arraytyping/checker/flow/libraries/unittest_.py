"""`unittest`: test cases and their assertions; also those of absl, which derive from them.

Source: https://docs.python.org/3/library/unittest.html.
"""

from __future__ import annotations

import ast
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

__all__ = ["make_test_case"]

Kwargs = dict[str, Any]
Node = ast.AST | None


@handles_base(
    "unittest.TestCase", "unittest.IsolatedAsyncioTestCase", "absl.testing.absltest.TestCase",
    "absl.testing.parameterized.TestCase",
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
        return HandlerValue(name, lambda it, args, kwargs, node: ContextValue(name))
    if name in ("setUp", "tearDown", "setUpClass", "tearDownClass", "addCleanup"):
        return nothing(name)
    return nothing(name) if name.startswith("assert") else MISSING


def _expecting(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    pattern = getattr(getattr(node, "func", None), "attr", "").endswith(("Regex", "Match"))
    return expecting(it, [args[0], *args[2:]] if pattern and len(args) > 1 else args, {}, node)


def _asserts(wanted: bool) -> Any:
    def handle(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
        truth = it.truth(args[0], node) if args else None
        if truth is not None and truth is not wanted and node is not None:
            never_holds(it, node, _said(node), "AssertionError: this assertion never holds")
        return None

    return handle


def _equal(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    if len(args) < 2 or node is None:
        return None
    if is_concrete(args[0]) and is_concrete(args[1]) and it.binary("eq", args[0], args[1], node) is False:
        never_holds(it, node, _said(node), f"AssertionError: {args[0]!r} is not {args[1]!r}")
    return None


def _said(node: Node) -> list[ast.expr]:
    """What a call of an assertion is about."""
    return node.args[:2] if isinstance(node, ast.Call) else []


def _ends(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    raise TestEnds


@handles("unittest.skip", "unittest.expectedFailure", "unittest.skipIf", "unittest.skipUnless")
def _skip(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    called = getattr(node, "func", node)
    name = getattr(called, "attr", getattr(called, "id", ""))
    if name == "skipUnless":
        truth = it.truth(args[0], node) if args else None
        return Mark("skipif", (ScalarValue(bool) if truth is None else not truth,))
    if name == "expectedFailure":
        return it.call(Mark("xfail"), args, kwargs, node)
    return Mark("skip" if name == "skip" else "skipif", tuple(args[:1]))


@handles("unittest.main", "absl.testing.absltest.main")
def _main(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    raise ProgramEnds


def _parameterized(name: str) -> None:
    @handles(f"absl.testing.parameterized.{name}")
    def handle(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
        return Mark(f"absl {name}", tuple(args), kwargs)


for _name in ("parameters", "named_parameters", "product"):
    _parameterized(_name)
