"""Where the functions of a module are called: what becomes of their names, and of the containers they stand in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from mypy.nodes import (
    ArgKind,
    Argument,
    AssignmentStmt,
    CallExpr,
    Decorator,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncDef,
    FuncItem,
    GeneratorExpr,
    IndexExpr,
    LambdaExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    RefExpr,
    ReturnStmt,
    SliceExpr,
    StarExpr,
    TupleExpr,
    Var,
)

from arraytyping_mypy.bindings import Bindings
from arraytyping_mypy.own_names import jax_name
from arraytyping_mypy.provenance import CALLING, GIVING, PARTIAL

__all__ = ["FunctionUses"]

_RULES: Final = ("defjvp", "defjvps", "defvjp")
"""What gives a function its own derivatives, and does not call it."""
_COPYING: Final = ("builtins.list", "builtins.tuple", "builtins.reversed")


class FunctionUses:
    """What refers to the functions of one module."""

    def __init__(
        self,
        parents: Mapping[Node, Node],
        references: Mapping[object, Sequence[RefExpr]],
        inside: Mapping[Expression, FuncItem],
        functions: Sequence[FuncItem],
        bindings: Bindings,
    ) -> None:
        self._parents = parents
        self._references = references
        self._inside = inside
        self._functions = functions
        self._bindings = bindings

    def of_all(self, target: object, found: set[CallExpr], seen: set[Node]) -> bool:
        """Notes the calls of a function that a variable, or a definition, stands for; whether these are all."""
        return all(self.of_value(reference, found, seen) for reference in self._references.get(target, ()))

    def of_value(self, expression: Expression, found: set[CallExpr], seen: set[Node]) -> bool:
        """Notes the calls of the function that is the value of an expression; whether these are all."""
        if expression in seen:
            return True
        seen.add(expression)
        parent = self._parents.get(expression)
        if isinstance(parent, ExpressionStmt):
            return True
        if isinstance(parent, ReturnStmt):
            outer = self._inside.get(expression)
            return isinstance(outer, FuncDef) and self._results(outer, found, seen)
        if isinstance(parent, TupleExpr) and isinstance(self._parents.get(parent), ReturnStmt):
            outer = self._inside.get(expression)
            return isinstance(outer, FuncDef) and self._items(outer, parent, expression, found, seen)
        if isinstance(parent, TupleExpr | ListExpr):
            return self._container(parent, found, seen)
        if isinstance(parent, LambdaExpr):
            return False
        if isinstance(parent, AssignmentStmt):
            target = parent.lvalues[0] if len(parent.lvalues) == 1 else None
            if not isinstance(target, NameExpr) or not isinstance(target.node, Var):
                return False
            if expression is target:
                return True
            return not self._bindings.is_rebound(target.node) and self.of_all(target.node, found, seen)
        if isinstance(parent, CallExpr) and parent.callee is expression:
            found.add(parent)
            return True
        if isinstance(parent, MemberExpr):
            return parent.name in _RULES  # what calls these rules is the trace
        if not isinstance(parent, CallExpr) or any(k.is_star() for k in parent.arg_kinds):
            return False
        callee = parent.callee
        name = jax_name(callee.fullname) if isinstance(callee, RefExpr) else ""
        if name in PARTIAL and parent.args[0] is not expression:
            return self._handed(parent.args[0], parent, 1, expression, found, seen)
        if name in GIVING or name in PARTIAL:
            return parent.args[0] is expression and self.of_value(parent, found, seen)
        if name in CALLING:
            found.add(parent)
            return True
        if isinstance(callee, CallExpr):
            # A transformed function that is handed a function, or `jax.jit(static_argnames=...)(f)`.
            return False
        return self._handed(callee, parent, 0, expression, found, seen)

    def _handed(
        self,
        callee: Expression,
        call: CallExpr,
        first: int,
        expression: Expression,
        found: set[CallExpr],
        seen: set[Node],
    ) -> bool:
        """A function that is an argument of another one of the module: it is called where its parameter is.

        `first` says which argument of the call is the other one's first.
        """
        node = callee.node if isinstance(callee, NameExpr) else None
        if not isinstance(node, FuncDef) or node.info or node not in self._functions:
            return False
        place = call.args.index(expression) - first
        name = call.arg_names[place + first]
        arguments = node.arguments
        if name is None:
            before = [a for a in arguments[: place + 1] if a.kind.is_positional() or a.kind is ArgKind.ARG_STAR]
            argument: Argument | None = before[-1] if before else None
            is_star = argument is not None and argument.kind is ArgKind.ARG_STAR
            if argument is None or (len(before) <= place and not is_star):
                return False
        else:
            argument = next((a for a in arguments if a.variable.name == name), None)
        if argument is None or self._bindings.is_rebound(argument.variable):
            return False
        if argument.kind is ArgKind.ARG_STAR:
            return self._containers(argument.variable, found, seen)
        return self.of_all(argument.variable, found, seen)

    def _items(
        self, outer: FuncDef, whole: TupleExpr, expression: Expression, found: set[CallExpr], seen: set[Node]
    ) -> bool:
        """Whether it is known what becomes of a function that another one returns in a tuple."""
        if outer.info or isinstance(self._parents.get(outer), Decorator):
            return False
        place = next(i for i, item in enumerate(whole.items) if item is expression)
        for reference in self._references.get(outer, ()):
            call = self._parents.get(reference)
            statement = None if call is None else self._parents.get(call)
            target = statement.lvalues[0] if isinstance(statement, AssignmentStmt) else None
            if not isinstance(call, CallExpr) or call.callee is not reference or not isinstance(target, TupleExpr):
                return False
            if not isinstance(statement, AssignmentStmt) or len(statement.lvalues) > 1:
                return False
            if len(target.items) != len(whole.items) or any(isinstance(i, StarExpr) for i in target.items):
                return False
            name = target.items[place]
            if not isinstance(name, NameExpr) or not isinstance(name.node, Var):
                return False
            if self._bindings.is_rebound(name.node) or not self.of_all(name.node, found, seen | {name}):
                return False
        return True

    def _results(self, outer: FuncDef, found: set[CallExpr], seen: set[Node]) -> bool:
        """Whether it is known what becomes of the function that another one returns."""
        if outer.info or isinstance(self._parents.get(outer), Decorator):
            return False
        for reference in self._references.get(outer, ()):
            call = self._parents.get(reference)
            if not isinstance(call, CallExpr) or call.callee is not reference or not self.of_value(call, found, seen):
                return False
        return True

    def _containers(self, variable: Var, found: set[CallExpr], seen: set[Node]) -> bool:
        return all(self._container(reference, found, seen) for reference in self._references.get(variable, ()))

    def _container(self, expression: Expression, found: set[CallExpr], seen: set[Node]) -> bool:
        """The same of the functions that stand in a tuple or list."""
        if expression in seen:
            return True
        seen.add(expression)
        parent = self._parents.get(expression)
        if isinstance(parent, ForStmt):
            return parent.expr is expression and self._taken(parent.index, found, seen)
        if isinstance(parent, GeneratorExpr) and expression in parent.sequences:
            return self._taken(parent.indices[parent.sequences.index(expression)], found, seen)
        if isinstance(parent, AssignmentStmt):
            target = parent.lvalues[0] if len(parent.lvalues) == 1 else None
            if not isinstance(target, NameExpr) or not isinstance(target.node, Var):
                return False
            if expression is target:
                return True
            return not self._bindings.is_rebound(target.node) and self._containers(target.node, found, seen)
        if isinstance(parent, IndexExpr) and parent.base is expression:
            is_slice = isinstance(parent.index, SliceExpr)
            return self._container(parent, found, seen) if is_slice else self.of_value(parent, found, seen)
        name = parent.callee.fullname if isinstance(parent, CallExpr) and isinstance(parent.callee, RefExpr) else ""
        if not isinstance(parent, CallExpr) or any(k is not ArgKind.ARG_POS for k in parent.arg_kinds):
            return False
        if name in ("builtins.zip", "builtins.enumerate"):
            place = parent.args.index(expression) if name == "builtins.zip" else 1
            return self._column(parent, place, found, seen)
        return name == "builtins.len" or (name in _COPYING and self._container(parent, found, seen))

    def _column(self, call: CallExpr, place: int, found: set[CallExpr], seen: set[Node]) -> bool:
        """The same of those that are at one place of each tuple that a call gives one after another."""
        parent = self._parents.get(call)
        if isinstance(parent, ForStmt) and parent.expr is call:
            target = parent.index
        elif isinstance(parent, GeneratorExpr) and call in parent.sequences:
            target = parent.indices[parent.sequences.index(call)]
        else:
            return False
        if not isinstance(target, TupleExpr) or place >= len(target.items):
            return False
        return self._taken(target.items[place], found, seen)

    def _taken(self, target: Node, found: set[CallExpr], seen: set[Node]) -> bool:
        """The same of the function that a loop binds to a name."""
        if not isinstance(target, NameExpr) or not isinstance(target.node, Var):
            return False
        if len(self._bindings.values(target.node)) != 1:
            return False
        seen.add(target)
        return self.of_all(target.node, found, seen)
