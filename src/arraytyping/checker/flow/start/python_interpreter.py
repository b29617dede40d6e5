"""The interpreter of Python: the state of a run, with what each part of flow does with expressions and values."""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from arraytyping.checker.flow.adapters.equinox import consume_dropout
from arraytyping.checker.flow.confinement.audit_hook import Forbidden
from arraytyping.checker.flow.contracts import check_annotation
from arraytyping.checker.flow.python import (
    attribute_writing,
    attributes,
    behaviour as behaviour,
    iteration,
    operators,
    subscripts,
    targets,
    truth,
)
from arraytyping.checker.flow.python.calling import call_value
from arraytyping.checker.flow.python.operator_names import plain
from arraytyping.checker.flow.state.aliases import describe_many
from arraytyping.checker.flow.state.frozen import note_frozen
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.keys import consume_streams
from arraytyping.checker.flow.state.lives import refuse, refuse_call
from arraytyping.checker.flow.state.operands import explain, explain_call
from arraytyping.checker.flow.syntax import calls as calls, expressions, statements
from arraytyping.checker.flow.syntax.followed_operations import followed_call, note_operation
from arraytyping.checker.flow.values import MISSING, ArrayValue, MethodOf, TreeValue, Value
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["PythonInterpreter"]

_IDENTITY: Final = ("is_", "is_not", "in", "not_in")
"""Operators that need no elements of an array, or not always."""


class PythonInterpreter(Interpreter):
    """One run over a program, which can do all that Python does."""

    if TYPE_CHECKING:

        @override
        def evaluate(self, node: ast.expr, frame: Frame) -> Value: ...

        @override
        def execute(self, body: list[ast.stmt], frame: Frame) -> bool: ...

        @override
        def assign(self, target: ast.expr, value: Value, frame: Frame) -> None: ...
    else:  # without a call between for each expression
        evaluate = expressions.evaluate
        execute = statements.execute
        assign = targets.assign

    @override
    def call(self, function: Value, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Value:
        before = len(self.diagnostics)
        try:
            if self.life is not None:
                note_frozen(self, self.life, function, args)
            if "rngs" in kwargs:
                consume_streams(self, function, kwargs)
            elif type(function) is TreeValue and "key" in kwargs and "equinox" in sys.modules:
                consume_dropout(self, function, kwargs)
            call = Call(args, kwargs, node)
            refused = refuse_call(self, function, call)
            if refused is not None:
                result: Value = refused
            elif self.notes_origins and node is not None:
                result = followed_call(self, function, args, kwargs, node)
            else:
                result = call_value(self, function, call)
            if self.journal.shared:
                self.journal.settle()
            # What comes out of a container of unknown length is one description for any of its items.
            if isinstance(function, MethodOf) and getattr(function.receiver, "items", MISSING) is None:
                describe_many(result)
            if len(self.diagnostics) > before:
                explain_call(self, before, node, function, args, kwargs)
            return result
        except Forbidden as refused:
            return self.unknown(refused.why)
        except RecursionError:
            return self.unknown("calls nested too deeply")
        except Exception as error:
            return self.crash(error, "a call")

    @override
    def get_attribute(self, value: Value, name: str, node: ast.AST | None) -> Value:
        found = attributes.get(self, value, name, node)
        if self.notes_origins and type(value) is ArrayValue and node is not None:
            note_operation(self, node, f"Array.{name}", [value], found)
        return found

    @override
    def put_attribute(self, owner: Value, name: str, value: Value, node: ast.AST | None) -> None:
        attribute_writing.put(self, owner, name, value, node)
        self.journal.settle()

    @override
    def get_item(self, owner: Value, index: Value, node: ast.AST | None) -> Value:
        before = len(self.diagnostics)
        refused = refuse(self, (owner,), node) if type(owner) is ArrayValue else None
        result = subscripts.get(self, owner, index, node) if refused is None else refused
        if self.notes_origins and type(owner) is ArrayValue and node is not None:
            note_operation(self, node, "Array.__getitem__", [owner, index], result)
        if getattr(owner, "items", MISSING) is None:
            describe_many(result)
        if len(self.diagnostics) > before and isinstance(node, ast.Subscript):
            explain(self, before, node, [(node.value, owner), (node.slice, index)])
        return result

    @override
    def put_item(self, owner: Value, index: Value, value: Value, node: ast.AST | None) -> None:
        subscripts.put(self, owner, index, value, node)
        self.journal.settle()

    @override
    def iterate(self, value: Value, node: ast.AST | None) -> tuple[list[Value] | None, Value]:
        items, element = iteration.iterate(self, value, node)
        self.journal.settle()
        return items, element if items is not None else describe_many(element)

    @override
    def truth(self, value: Value, node: ast.AST | None) -> bool | None:
        before = len(self.diagnostics)
        result = truth.truth(self, value, node)
        if len(self.diagnostics) > before:
            explain(self, before, node, [(node, value)])
        return result

    @override
    def binary(self, operator: str, a: Value, b: Value, node: ast.AST | None) -> Value:
        before = len(self.diagnostics)
        has_array = type(a) is ArrayValue or type(b) is ArrayValue
        refused = refuse(self, (a, b), node) if has_array and operator not in _IDENTITY else None
        result = operators.binary(self, operator, a, b, node) if refused is None else refused
        if self.notes_origins and type(result) is ArrayValue and node is not None:
            note_operation(self, node, plain(operator), [a, b], result)
        if len(self.diagnostics) > before:
            explain(self, before, node, zip(_sides(node), (a, b)))
        return result

    @override
    def unary(self, operator: str, a: Value, node: ast.AST | None) -> Value:
        before = len(self.diagnostics)
        refused = refuse(self, (a,), node)
        result = operators.unary(self, operator, a, node) if refused is None else refused
        if self.notes_origins and type(result) is ArrayValue and node is not None:
            note_operation(self, node, operator, [a], result)
        if len(self.diagnostics) > before and isinstance(node, ast.UnaryOp):
            explain(self, before, node, [(node.operand, a)])
        return result

    @override
    def check_annotation(
        self,
        annotation: ast.expr,
        value: Value,
        node: ast.AST | None,
        env: Frame,
        frame: Frame,
        what: str,
        is_fixed: bool = False,
    ) -> Value:
        return check_annotation(self, annotation, value, node, env, frame, what, is_fixed)


def _sides(node: ast.AST | None) -> tuple[ast.AST, ...]:
    """The operands of an operator, as they are written."""
    if isinstance(node, ast.BinOp):
        return node.left, node.right
    if isinstance(node, ast.AugAssign):
        return node.target, node.value
    if isinstance(node, ast.Compare) and len(node.comparators) == 1:
        return node.left, node.comparators[0]
    return ()
