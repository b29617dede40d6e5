"""Simple statements, and the table of all: each function executes one kind, and says whether the program goes on.

A path that ends by `return`, `break` or `continue` is kept in the frame's `exits`, with the changes that it made, and
joined where it arrives.
"""

from __future__ import annotations

import ast
import collections
import math
from typing import Any, Final

from arraytyping.checker.flow.engines import numpy as numpy_engine
from arraytyping.checker.flow.engines.numpy_views import forget
from arraytyping.checker.flow.python import classes, functions
from arraytyping.checker.flow.python.deletion import delete
from arraytyping.checker.flow.python.eager_annotations import evaluate_removed
from arraytyping.checker.flow.python.targets import bind_name
from arraytyping.checker.flow.state.branching import note_end, of_each
from arraytyping.checker.flow.state.certainty import depends_on_data, doubt
from arraytyping.checker.flow.state.forgetting import forget_contents, forget_others
from arraytyping.checker.flow.state.interpreter import Interpreter, ProgramEnds, Raised
from arraytyping.checker.flow.state.joins.saved import LOADING
from arraytyping.checker.flow.state.journal import Exit
from arraytyping.checker.flow.state.may_raise import note_operator
from arraytyping.checker.flow.syntax.assertions import never_holds
from arraytyping.checker.flow.syntax.branches import assume, execute_if, execute_match
from arraytyping.checker.flow.syntax.dropped_results import check_dropped
from arraytyping.checker.flow.syntax.exceptions import execute_raise, execute_try
from arraytyping.checker.flow.syntax.frozen_pops import popped
from arraytyping.checker.flow.syntax.loops import execute_for, execute_while
from arraytyping.checker.flow.syntax.told_shapes import assume_told, name_sizes
from arraytyping.checker.flow.syntax.with_blocks import execute_with
from arraytyping.checker.flow.values import (
    ArrayValue,
    DictValue,
    ListValue,
    NumPyValue,
    SetValue,
    UnionValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.basic import births
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["execute"]


def execute(it: Interpreter, body: list[ast.stmt], frame: Frame) -> bool:
    """Execute statements; whether the program goes on behind them."""
    before = frame.began
    if before < math.inf:
        frame.began = next(births)
    try:
        return _execute(it, body, frame)
    finally:
        frame.began = before


def _execute(it: Interpreter, body: list[ast.stmt], frame: Frame) -> bool:
    for statement in body:
        it.steps += 1
        mark = it.journal.length
        run = _EXECUTE.get(type(statement))
        if run is None:
            it.unknown(f"a statement that is not understood: {type(statement).__name__}")
            continue
        try:
            goes_on = run(it, statement, frame)
            if it.journal.shared:
                it.journal.settle()
            if statement in it.awaited:
                it.came_to(statement)
            if not goes_on:
                return False
        except (Raised, ProgramEnds) as ended:
            if not frame.exits:
                raise
            if isinstance(ended, Raised):
                it.suppressed += 1
                note_end(it, ended)
            return False  # only this path ends: another has returned, or left a loop
        except Exception as error:
            _abandon(it, statement, frame, mark, error)
    return True


def _abandon(it: Interpreter, statement: ast.stmt, frame: Frame, mark: int, error: Exception) -> None:
    """Go on behind a statement at which flow itself failed: whatever it may have written is unknown."""
    it.crash(error, f"a statement ({type(statement).__name__})")
    it.journal.shared.clear()
    it.journal.spoil_outside(mark, it.journal.newest)
    doubt(it, frame)  # it may have ended the path
    function = frame.function_frame()
    for node in ast.walk(statement):
        if isinstance(node, ast.Yield | ast.YieldFrom) and function.yields is not None:
            it.journal.touch(function.yields)
            forget_contents(function.yields, "what a statement yields at which flow failed")
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bind_name(it, frame, node.id, Unknown("a statement at which flow failed"))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            bind_name(it, frame, node.name, Unknown("a statement at which flow failed"))


def _pass(it: Interpreter, node: ast.stmt, frame: Frame) -> bool:
    return True


def _expression(it: Interpreter, node: ast.Expr, frame: Frame) -> bool:
    value = it.evaluate(node.value, frame)
    if isinstance(node.value, ast.Call):
        check_dropped(it, node.value, value, frame)
    return True


def _assign(it: Interpreter, node: ast.Assign, frame: Frame) -> bool:
    name_sizes(it, node.targets[0], node.value, frame)
    value = popped(it, node, frame)
    if value is None:
        value = it.evaluate(node.value, frame)
    for target in node.targets:
        it.assign(target, value, frame)
    return True


def _annotated(it: Interpreter, node: ast.AnnAssign, frame: Frame) -> bool:
    if frame.kind != "function":
        evaluate_removed(it, [node.annotation], frame)
    if node.value is not None:
        value = it.evaluate(node.value, frame)
        if frame.kind != "class":
            value = it.check_annotation(node.annotation, value, node.value, frame, frame, "the assigned value")
        it.assign(node.target, value, frame)
    return True


def _augmented(it: Interpreter, node: ast.AugAssign, frame: Frame) -> bool:
    target = node.target
    name = type(node.op).__name__
    if isinstance(target, ast.Name):
        old = it.evaluate(ast.copy_location(ast.Name(target.id, ast.Load()), target), frame)
        new = _in_place(it, name, old, it.evaluate(node.value, frame), node)
        bind_name(it, frame, target.id, new)
    elif isinstance(target, ast.Attribute):
        owner = it.evaluate(target.value, frame)
        old = it.get_attribute(owner, target.attr, target)
        new = _in_place(it, name, old, it.evaluate(node.value, frame), node)
        it.put_attribute(owner, target.attr, new, node)
    else:
        owner, index = it.evaluate(target.value, frame), it.evaluate(target.slice, frame)
        old = it.get_item(owner, index, target)
        new = _in_place(it, name, old, it.evaluate(node.value, frame), node)
        it.put_item(owner, index, new, node)
    return True


OPERATORS: Final = {
    "Add": "add", "Sub": "sub", "Mult": "mul", "Div": "truediv", "FloorDiv": "floordiv", "Mod": "mod", "Pow": "pow",
    "MatMult": "matmul", "BitAnd": "and_", "BitOr": "or_", "BitXor": "xor", "LShift": "lshift", "RShift": "rshift",
}  # fmt: skip
"""The names in the module `operator` of the operators of `ast`."""


def _in_place(it: Interpreter, operator: str, old: Value, new: Value, node: ast.AugAssign) -> Value:
    """The result of `old += new`, which changes a list, a set, a dict or an array of NumPy itself."""
    note_operator(it, OPERATORS[operator], old, new)
    if isinstance(old, ListValue) and operator == "Add":
        it.call(it.get_attribute(old, "extend", node), [new], {}, node)
        return old
    if isinstance(old, DictValue) and operator == "BitOr" and old.kind is not collections.Counter:
        it.call(it.get_attribute(old, "update", node), [new], {}, node)
        return old
    if isinstance(old, ListValue | DictValue) or (isinstance(old, SetValue) and old.kind is set):
        made = it.binary(OPERATORS[operator], old, new, node)
        if type(made) is not type(old):
            return made
        it.journal.touch(old)
        old.restore(made.snapshot())
        return old
    if isinstance(old, UnionValue) and any(
        isinstance(v, ListValue | DictValue | SetValue | NumPyValue) for v in old.values
    ):
        return _any_in_place(it, operator, old, new, node)
    if isinstance(old, NumPyValue) and old.is_array and not isinstance(new, ArrayValue | Unknown | UnionValue):
        return numpy_engine.inplace(it, OPERATORS[operator], old, new, node)
    forget_others(it.journal.touch, old)
    if isinstance(old, NumPyValue) and not old.is_scalar:
        forget(it, old)  # perhaps; whatever shows the same elements is changed with it
    return it.binary("i" + OPERATORS[operator].rstrip("_"), old, new, node)


def _any_in_place(it: Interpreter, operator: str, old: UnionValue, new: Value, node: ast.AugAssign) -> Value:
    """The result of `old += new` where `old` is one of several objects: that one is changed."""
    return of_each(it, old.values, lambda value: _in_place(it, operator, value, new, node))


def _leave(it: Interpreter, frame: Frame, kind: str, mark: int, value: Value = None) -> None:
    """The path that is being executed ends here."""
    journal = it.journal
    moment = journal.moment
    exit_ = Exit(kind, journal.changes(mark), mark, value, frame.began, next(births), LOADING.count, moment)
    frame.exits.append(exit_)


def _return(it: Interpreter, node: ast.Return, frame: Frame) -> bool:
    value = None if node.value is None else it.evaluate(node.value, frame)
    function = frame.function
    if frame.returns is not None and function is not None:
        at = node.value if node.value is not None else node
        what = f"the value that {function.name} returns"
        value = it.check_annotation(frame.returns, value, at, function.frame, frame, what)
    _leave(it, frame, "return", frame.mark, value)
    return False


def _break(it: Interpreter, node: ast.stmt, frame: Frame) -> bool:
    _leave(it, frame, "break", frame.loop)
    return False


def _continue(it: Interpreter, node: ast.stmt, frame: Frame) -> bool:
    _leave(it, frame, "continue", frame.loop)
    return False


def _global(it: Interpreter, node: ast.Global, frame: Frame) -> bool:
    frame.globals.update(node.names)
    return True


def _nonlocal(it: Interpreter, node: ast.Nonlocal, frame: Frame) -> bool:
    frame.nonlocals.update(node.names)
    return True


def _import(it: Interpreter, node: ast.Import, frame: Frame) -> bool:
    for alias in node.names:
        value = it.importer.import_module(it, alias.name, node, frame, is_whole=alias.asname is not None)
        bind_name(it, frame, alias.asname or alias.name.partition(".")[0], value)
    return True


def _import_from(it: Interpreter, node: ast.ImportFrom, frame: Frame) -> bool:
    for name, value in it.importer.import_names(it, node, frame):
        bind_name(it, frame, name, value)
    return True


def _function(it: Interpreter, node: ast.FunctionDef | ast.AsyncFunctionDef, frame: Frame) -> bool:
    bind_name(it, frame, node.name, functions.define(it, node, frame))
    return True


def _class(it: Interpreter, node: ast.ClassDef, frame: Frame) -> bool:
    bind_name(it, frame, node.name, classes.define(it, node, frame))
    return True


def _assert(it: Interpreter, node: ast.Assert, frame: Frame) -> bool:
    value = it.evaluate(node.test, frame)
    holds = it.truth(value, node.test)
    if holds is False:
        message = "" if node.msg is None else f": {ast.unparse(node.msg)[:60]}"
        never_holds(it, node, [node.test], f"AssertionError: this assertion never holds{message}")
    elif holds is None:
        it.may_raise += 1
        assume(it, node.test, True, frame)
        assume_told(it, node.test, True, frame)
        if not depends_on_data(value):
            doubt(it, frame)
    return True


def _type_alias(it: Interpreter, node: Any, frame: Frame) -> bool:
    bind_name(it, frame, node.name.id, it.unknown("a type alias"))
    return True


_EXECUTE: Final[dict[type, Any]] = {
    ast.Pass: _pass, ast.Expr: _expression, ast.Assign: _assign, ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented, ast.Delete: delete, ast.Return: _return, ast.Break: _break,
    ast.Continue: _continue, ast.Global: _global, ast.Nonlocal: _nonlocal, ast.Import: _import,
    ast.ImportFrom: _import_from, ast.FunctionDef: _function, ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class, ast.Assert: _assert, ast.Raise: execute_raise, ast.Try: execute_try,
    ast.TryStar: execute_try, ast.If: execute_if, ast.For: execute_for, ast.AsyncFor: execute_for,
    ast.While: execute_while, ast.With: execute_with, ast.AsyncWith: execute_with, ast.Match: execute_match,
}  # fmt: skip
if hasattr(ast, "TypeAlias"):
    _EXECUTE[ast.TypeAlias] = _type_alias
