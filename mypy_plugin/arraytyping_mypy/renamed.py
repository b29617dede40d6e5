"""Variables in the copy of a function that are bound again, one statement after the other: each binding has its own.

mypy has one type for a variable, that of its first binding, and a function inside sees no other.  Where all bindings
are statements of the function itself, in no loop or branch, what is read is the last one before; a function inside
reads the last of all, if it is made after that.  A parameter that is bound again elsewhere becomes a variable that
begins with what was given.

Source: static single assignment form, R. Cytron et al., ACM TOPLAS 13(4), 1991, without its joins.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mypy.nodes import (
    LDEF,
    AssignmentExpr,
    AssignmentStmt,
    DelStmt,
    Expression,
    ForStmt,
    FuncDef,
    GeneratorExpr,
    LambdaExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    Statement,
    TryStmt,
    TupleExpr,
    Var,
    WithStmt,
)

from arraytyping_mypy.bindings import Bindings
from arraytyping_mypy.mutations import Mutations
from arraytyping_mypy.rows import in_a_row
from arraytyping_mypy.walk import nodes_of

__all__ = ["rename"]


def rename(made: FuncDef, function: FuncDef, bindings: Bindings, mutations: Mutations) -> None:
    """Give the variables of a copy that are bound again others in their places."""
    statements = list(in_a_row(made.body))
    arguments = {a.variable for a in made.arguments}
    renamed = _bound_in_a_row(statements, arguments)
    for new, old in zip(made.arguments, function.arguments):
        if bindings.is_rebound(old.variable) and new.variable not in renamed:
            _begin_with_given(made, new.variable, function)
    current: dict[Var, Var] = {}
    for statement in statements:
        targets = statement.lvalues if isinstance(statement, AssignmentStmt) else []
        bound = [n for target in targets for n in _names(target) if n.node in renamed]
        for node in nodes_of(statement) if current else ():
            if isinstance(node, NameExpr) and isinstance(node.node, Var) and node not in bound:
                node.node = current.get(node.node, node.node)
        for name in bound:
            assert isinstance(name.node, Var)
            current[name.node] = name.node = _again(name, name.node, current, arguments, mutations)


def _again(name: NameExpr, variable: Var, current: dict[Var, Var], arguments: set[Var], mutations: Mutations) -> Var:
    if variable not in current and variable not in arguments:
        return variable
    made = Var(variable.name)
    made.set_line(variable)
    made._fullname = variable._fullname
    made.is_inferred, made.is_ready = True, False
    mutations.note_copy(variable, made)
    name.is_inferred_def = True
    return made


def _bound_in_a_row(statements: list[Statement], arguments: set[Var]) -> set[Var]:
    """The variables that these statements alone bind, several times, before any function is made that reads them."""
    last: dict[Var, int] = {}
    counts: dict[Var, int] = dict.fromkeys(arguments, 1)
    excluded: set[Var] = set()
    read_in_functions: dict[Var, int] = {}
    for i, statement in enumerate(statements):
        targets = statement.lvalues if isinstance(statement, AssignmentStmt) else []
        names = {n for target in targets for n in _names(target)}
        for name in names:
            if isinstance(name.node, Var) and name.kind == LDEF:
                last[name.node] = i
                counts[name.node] = counts.get(name.node, 0) + 1
        if len(targets) > 1 or (isinstance(statement, AssignmentStmt) and statement.type is not None):
            excluded |= {n.node for n in names if isinstance(n.node, Var)}
        for node in nodes_of(statement):
            if node.__class__ in _BINDING and node is not statement:
                excluded.update(_bound_otherwise(node))
            if isinstance(node, FuncDef | LambdaExpr):
                for inner in nodes_of(node):
                    if isinstance(inner, NameExpr) and isinstance(inner.node, Var):
                        read_in_functions.setdefault(inner.node, i)
        if not isinstance(statement, AssignmentStmt):
            excluded.update(_bound_otherwise(statement))
    return {
        variable
        for variable, place in last.items()
        if counts[variable] > 1 and variable not in excluded and place < read_in_functions.get(variable, place + 1)
    }


_BINDING: Final[frozenset[type]] = frozenset((
    AssignmentStmt, OperatorAssignmentStmt, AssignmentExpr, ForStmt, DelStmt, WithStmt, TryStmt, GeneratorExpr,
))  # fmt: skip
"""The nodes of which `_bound_otherwise` tells something."""


def _bound_otherwise(node: Node) -> Iterator[Var]:
    """The variables that a node binds, which is none of the statements in a row that only assign."""
    targets: list[Expression | None] = []
    match node:
        case AssignmentStmt():
            targets = [*node.lvalues]
        case OperatorAssignmentStmt():
            targets = [node.lvalue]
        case AssignmentExpr():
            targets = [node.target]
        case ForStmt():
            targets = [node.index]
        case DelStmt():
            targets = [node.expr]
        case WithStmt():
            targets = [*node.target]
        case TryStmt():
            targets = [*node.vars]
        case GeneratorExpr():
            targets = [*node.indices]
    for target in targets:
        for inner in () if target is None else nodes_of(target):
            if isinstance(inner, NameExpr) and isinstance(inner.node, Var):
                yield inner.node


def _names(target: Node) -> Iterator[NameExpr]:
    """The names that an assignment binds."""
    if isinstance(target, NameExpr):
        yield target
    elif isinstance(target, TupleExpr):
        for item in target.items:
            yield from _names(item)


def _begin_with_given(made: FuncDef, local: Var, function: FuncDef) -> None:
    """Have a parameter that the body binds again be a variable that begins with what was given."""
    argument = next(a for a in made.arguments if a.variable is local)
    given = Var(local.name)
    given.set_line(local)
    given.is_argument = True
    argument.variable = given
    local.type, local.is_ready, local.is_inferred, local.is_argument = None, False, True, False
    target, value = NameExpr(local.name), NameExpr(local.name)
    target.node, value.node = local, given
    target.kind = value.kind = LDEF
    target.is_new_def = target.is_inferred_def = True
    statement = AssignmentStmt([target], value)
    for node in (target, value, statement):
        node.set_line(function)
    made.body.body.insert(0, statement)
