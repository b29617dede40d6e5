"""The top level of a module as the body of a function, so that its loops and lists are known as those in functions are.

mypy goes through it once, with one type for what a loop takes; followed as a function it is checked in a copy, with
loops written out.  Its variables are those of that function there; what the module's functions read are still the
module's.  What a function or another module may bind behind its back is left out: it is followed as a whole or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import (
    GDEF,
    LDEF,
    AssignmentExpr,
    AssignmentStmt,
    Block,
    CallExpr,
    ClassDef,
    Decorator,
    ExpressionStmt,
    ForStmt,
    FuncDef,
    GlobalDecl,
    IfStmt,
    Import,
    ImportAll,
    ImportFrom,
    LambdaExpr,
    ListComprehension,
    ListExpr,
    MypyFile,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    OverloadedFuncDef,
    RefExpr,
    Statement,
    TryStmt,
    TypeInfo,
    Var,
    WhileStmt,
    WithStmt,
)
from mypy.treetransform import TransformVisitor

from arraytyping_mypy.effects import effects_of, puts_of, putting
from arraytyping_mypy.features.initializing import own_init
from arraytyping_mypy.flow_diagnostics import is_planted
from arraytyping_mypy.followable import gains_by_copy
from arraytyping_mypy.module_rebinding import binds_by_name
from arraytyping_mypy.mutations import Mutations
from arraytyping_mypy.tree_copies import settled
from arraytyping_mypy.walk import children, nodes_of

__all__ = ["Script", "script_of"]

_OUTSIDE: Final = (FuncDef, ClassDef, Decorator, OverloadedFuncDef, Import, ImportFrom, ImportAll)
"""What stays as it is: what functions and classes are, is the module's."""
_DONE: Final = (ExpressionStmt, AssignmentStmt, OperatorAssignmentStmt, ForStmt, WhileStmt, IfStmt, WithStmt, TryStmt)
_REBINDING: Final = ("builtins.globals", "builtins.exec", "builtins.eval", "builtins.locals", "builtins.vars")


class Script(NamedTuple):
    """The top level of a module as a function."""

    original: FuncDef
    """A function whose body are the very statements of the module."""
    function: FuncDef
    """A copy of it, whose variables are its own."""
    nodes: tuple[tuple[Node, Node], ...]
    """The nodes of the module, each with its copy."""


def script_of(tree: MypyFile, mutations: Mutations) -> Script | None:
    """The top level of a module that is worth to be followed; None if there is none, or it may not be.

    Its variables that grow are noted in `mutations`.
    """
    done: list[Statement] = [s for s in tree.defs if isinstance(s, _DONE) and not _stays(s)]
    nodes = [n for s in done for n in _own(s)]
    if not any(isinstance(n, CallExpr) for n in nodes):
        return None
    if not any(map(gains_by_copy, nodes)) and not any(_makes_lists(n, tree.fullname) for n in nodes):
        return None
    if any(isinstance(n, AssignmentExpr) for n in nodes) or any(map(_rebinds, nodes_of(tree))):
        return None
    original = FuncDef("<module>", [], Block(done))
    original._fullname = f"{tree.fullname}.<module>"
    original.set_line(done[0])
    original.body.set_line(done[0])
    own = frozenset(_bound_variables(list(nodes_of(original))))
    others = [n for s in tree.defs if s not in done for n in nodes_of(s)]
    changed = {*_bound_variables(others), *(v for n in putting(others) for v in _changed(n))}
    return None if own & changed else _copied(original, own, mutations)


def _makes_lists(node: Node, module: str) -> bool:
    """Whether a node calls a function or class of the module that may give a list, of which a copy knows each item."""
    target = node.callee.node if isinstance(node, CallExpr) and isinstance(node.callee, RefExpr) else None
    if isinstance(target, TypeInfo) and target.module_name == module:
        target = own_init(target)
    if not isinstance(target, FuncDef) or not target.fullname.startswith(f"{module}."):
        return False
    return any(isinstance(n, ListExpr | ListComprehension) for n in nodes_of(target.body))


def _copied(original: FuncDef, own: frozenset[Var], mutations: Mutations) -> Script:
    """The function with variables of its own.  Raises ValueError if mypy copies something else than it."""
    originals = list(nodes_of(original))
    transform = TransformVisitor()
    for node in originals:
        if isinstance(node, RefExpr):
            target = node.node.var if isinstance(node.node, Decorator) else node.node
            if isinstance(target, Var) and target not in own:
                transform.var_map[target] = target
    named = [n for n in originals if isinstance(n, NameExpr) and n.kind == GDEF and n.node in own]
    for name in named:  # mypy leaves the variables of modules as they are
        name.kind = LDEF
    made = transform.visit_func_def(original)
    for name in named:
        name.kind = GDEF
    made.set_line(original)
    for old, new in transform.var_map.items():
        if old is not new:
            mutations.note_copy(old, new)
    copied = settled(originals, made, transform, own)
    return Script(original, made, tuple(zip(originals, copied)))


def _bound_variables(nodes: list[Node]) -> Iterator[Var]:
    """The variables that statements bind, and those of the lambdas and comprehensions in them."""
    for node in nodes:
        if isinstance(node, NameExpr) and isinstance(node.node, Var) and (node.is_new_def or node.is_inferred_def):
            yield node.node
        elif isinstance(node, LambdaExpr):
            yield from (a.variable for a in node.arguments)


def _changed(node: Node) -> Iterator[Var]:
    """The variables in whose containers a node of a function puts something."""
    for target in (*(e.target for e in effects_of(node)), *(p.target for p in puts_of(node))):
        yield from (n.node for n in nodes_of(target) if isinstance(n, NameExpr) and isinstance(n.node, Var))


def _own(statement: Statement) -> list[Node]:
    """The nodes of a statement, without those inside of lambdas."""
    found: list[Node] = []
    stack: list[Node] = [statement]
    while stack:
        node = stack.pop()
        found.append(node)
        stack.extend(() if isinstance(node, LambdaExpr) else children(node))
    return found


def _stays(statement: Statement) -> bool:
    """Whether a statement is left to mypy: it defines or imports something, or makes a type, or is none of the text."""
    if isinstance(statement, ExpressionStmt) and is_planted(statement.expr):
        return True
    nodes = _own(statement)
    if any(isinstance(n, _OUTSIDE) for n in nodes):
        return True
    made = [n for n in nodes if isinstance(n, AssignmentStmt)]
    names = [n for a in made for target in a.lvalues for n in nodes_of(target) if isinstance(n, NameExpr)]
    return any(a.is_alias_def for a in made) or any(not isinstance(n.node, Var) and n.is_new_def for n in names)


def _rebinds(node: Node) -> bool:
    """Whether something in the module may bind its variables elsewhere than its top level does."""
    if isinstance(node, GlobalDecl) or (isinstance(node, RefExpr) and node.fullname in _REBINDING):
        return True
    return binds_by_name(node)
