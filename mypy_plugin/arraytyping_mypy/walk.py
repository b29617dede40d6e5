"""A walk over mypy's syntax tree: the children of a node, in the order of the source.

mypy's own visitors are compiled traits, which a plugin cannot inherit from.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from mypy import nodes, patterns
from mypy.nodes import Node

__all__ = [
    "bound_variables",
    "children",
    "inner_nodes",
    "nodes_of",
    "parts_of",
    "single_targets",
    "statements",
    "statements_of",
]

_PARTS: Final[dict[type, tuple[str, ...]]] = {
    nodes.MypyFile: ("defs",),
    nodes.Block: ("body",),
    nodes.ExpressionStmt: ("expr",),
    nodes.AssignmentStmt: ("rvalue", "lvalues"),
    nodes.OperatorAssignmentStmt: ("rvalue", "lvalue"),
    nodes.WhileStmt: ("expr", "body", "else_body"),
    nodes.ForStmt: ("expr", "index", "body", "else_body"),
    nodes.ReturnStmt: ("expr",),
    nodes.AssertStmt: ("expr", "msg"),
    nodes.DelStmt: ("expr",),
    nodes.IfStmt: ("expr", "body", "else_body"),
    nodes.RaiseStmt: ("expr", "from_expr"),
    nodes.TryStmt: ("body", "types", "vars", "handlers", "else_body", "finally_body"),
    nodes.WithStmt: ("expr", "target", "body"),
    nodes.MatchStmt: ("subject", "patterns", "guards", "bodies"),
    nodes.FuncDef: ("arguments", "body"),
    nodes.LambdaExpr: ("arguments", "body"),
    nodes.Argument: ("initializer",),
    nodes.Decorator: ("decorators", "func"),
    nodes.OverloadedFuncDef: ("items",),
    nodes.ClassDef: ("decorators", "base_type_exprs", "defs"),
    nodes.MemberExpr: ("expr",),
    nodes.YieldExpr: ("expr",),
    nodes.YieldFromExpr: ("expr",),
    nodes.CallExpr: ("callee", "args"),
    nodes.OpExpr: ("left", "right"),
    nodes.ComparisonExpr: ("operands",),
    nodes.SliceExpr: ("begin_index", "end_index", "stride"),
    nodes.CastExpr: ("expr",),
    nodes.UnaryExpr: ("expr",),
    nodes.AwaitExpr: ("expr",),
    nodes.StarExpr: ("expr",),
    nodes.AssignmentExpr: ("value", "target"),
    nodes.TupleExpr: ("items",),
    nodes.ListExpr: ("items",),
    nodes.SetExpr: ("items",),
    nodes.DictExpr: ("items",),
    nodes.IndexExpr: ("base", "index"),
    nodes.GeneratorExpr: ("sequences", "indices", "condlists", "left_expr"),
    nodes.ListComprehension: ("generator",),
    nodes.SetComprehension: ("generator",),
    nodes.DictionaryComprehension: ("sequences", "indices", "condlists", "key", "value"),
    nodes.ConditionalExpr: ("cond", "if_expr", "else_expr"),
    nodes.RevealExpr: ("expr",),
    nodes.AssertTypeExpr: ("expr",),
    nodes.SuperExpr: ("call",),
    patterns.AsPattern: ("pattern", "name"),
    patterns.OrPattern: ("patterns",),
    patterns.ValuePattern: ("expr",),
    patterns.SequencePattern: ("patterns",),
    patterns.StarredPattern: ("capture",),
    patterns.MappingPattern: ("keys", "values", "rest"),
    patterns.ClassPattern: ("positionals", "keyword_values"),
}


_BODIES: Final[dict[type, tuple[str, ...]]] = {
    nodes.MypyFile: ("defs",),
    nodes.Block: ("body",),
    nodes.WhileStmt: ("body", "else_body"),
    nodes.ForStmt: ("body", "else_body"),
    nodes.IfStmt: ("body", "else_body"),
    nodes.TryStmt: ("body", "handlers", "else_body", "finally_body"),
    nodes.WithStmt: ("body",),
    nodes.MatchStmt: ("bodies",),
    nodes.FuncDef: ("body",),
    nodes.Decorator: ("func",),
    nodes.OverloadedFuncDef: ("items",),
    nodes.ClassDef: ("defs",),
}
"""Where the statements below a node are."""

_SCATTERED: Final = frozenset({
    nodes.DictExpr, nodes.DictionaryComprehension, nodes.GeneratorExpr, nodes.MatchStmt, nodes.TryStmt, nodes.WithStmt,
})  # fmt: skip
"""The kinds in whose lists there may be pairs, lists and None; all others have nothing but nodes in theirs."""

_NONE: Final[list[Node]] = []


def children(node: Node) -> list[Node]:
    """The nodes directly below this one; none for a kind that is not known."""
    parts = _PARTS.get(type(node))
    return _NONE if parts is None else _below(node, parts)


def inner_nodes(node: Node) -> list[Node]:
    """The nodes directly below this one that are of a kind with nodes below it."""
    parts = _PARTS.get(node.__class__)
    if parts is None:
        return _NONE
    if node.__class__ in _SCATTERED:
        return [child for child in _below(node, parts) if child.__class__ in _PARTS]
    found: list[Node] = []
    for part in parts:
        value: Any = getattr(node, part, None)
        kind: type = value.__class__
        if kind is list:
            below: list[Node] = value
            found += [child for child in below if child.__class__ in _PARTS]
        elif kind in _PARTS:
            found.append(value)
    return found


def statements(node: Node) -> list[Node]:
    """The statements, blocks and functions directly below this one."""
    parts = _BODIES.get(type(node))
    return _NONE if parts is None else _below(node, parts)


def parts_of(node: Node) -> tuple[str, ...]:
    """The attributes in which the nodes directly below this one are."""
    return _PARTS.get(type(node), ())


def _below(node: Node, parts: tuple[str, ...]) -> list[Node]:
    found: list[Node] = []
    for part in parts:
        value: Any = getattr(node, part, None)
        if value.__class__ is not list:
            if value is not None:
                found.append(value)
        elif node.__class__ in _SCATTERED:
            _flatten(value, found)
        else:
            found += value
    return found


def _flatten(value: Any, found: list[Node]) -> None:
    for item in value:
        if item.__class__ in (list, tuple):
            _flatten(item, found)
        elif item is not None:
            found.append(item)


def nodes_of(node: Node) -> Iterator[Node]:
    """A node and all below it, each before those below it."""
    stack = [node]
    while stack:
        one = stack.pop()
        yield one
        parts = _PARTS.get(one.__class__)
        if parts is not None:
            below = _below(one, parts)
            below.reverse()
            stack += below


def statements_of(node: Node) -> Iterator[Node]:
    """A statement and all below it, with the blocks and functions that they are in; no expressions."""
    stack = [node]
    while stack:
        one = stack.pop()
        yield one
        stack.extend(reversed(statements(one)))


def bound_variables(target: Node) -> Iterator[nodes.Var]:
    """The variables that a target binds: a name, or those in a tuple or list of targets."""
    for one in single_targets(target):
        if isinstance(one, nodes.NameExpr) and isinstance(one.node, nodes.Var):
            yield one.node


def single_targets(target: Node) -> Iterator[Node]:
    """What a target is taken apart into: itself, or the parts of a tuple or list of targets."""
    if isinstance(target, nodes.TupleExpr | nodes.ListExpr):
        for item in target.items:
            yield from single_targets(item)
    elif isinstance(target, nodes.StarExpr):
        yield from single_targets(target.expr)
    else:
        yield target
