"""What may hold a list or dict of Python's, so that `xs += ys`, `xs *= n` and `d |= e` change it in its place.

Of an array or a number something new is bound there.  Which of them a name stands for is not known before mypy has gone
through the module; so lists and dicts are followed from where they are made, over names, arguments and attributes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mypy.nodes import (
    Argument,
    AssignmentStmt,
    CallExpr,
    ConditionalExpr,
    Decorator,
    Expression,
    ForStmt,
    FuncDef,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    OpExpr,
    RefExpr,
    TupleExpr,
    TypeInfo,
    Var,
)

from arraytyping_mypy.effects import is_fresh
from arraytyping_mypy.walk import nodes_of

__all__ = ["Holder", "held_containers", "holder_of"]

Holder = Var | str
"""A variable, or the name of an attribute."""
_MAKING: Final = ("builtins.list", "builtins.dict", "builtins.sorted", "collections.")


def held_containers(tree: Node) -> frozenset[Holder]:
    """The variables and attributes that may hold a list or dict."""
    nodes = list(nodes_of(tree))
    own: dict[str, list[FuncDef]] = {}
    for node in nodes:
        if isinstance(node, FuncDef):
            own.setdefault(node.name, []).append(node)
    flows = [flow for node in nodes for flow in _flows(node, own)]
    found: set[Holder] = set()
    while True:
        new = {holder for holder, value in flows if holder not in found and _may_be(value, found)}
        if not new:
            return frozenset(found)
        found |= new


def holder_of(e: Expression) -> Holder | None:
    """The variable or attribute that an expression reads."""
    if isinstance(e, NameExpr):
        return e.node if isinstance(e.node, Var) else None
    return e.name if isinstance(e, MemberExpr) else None


def _may_be(value: Expression, found: set[Holder]) -> bool:
    """Whether a value may be a list or dict, or what holds one of `found`."""
    if is_fresh(value):
        return True
    if isinstance(value, ConditionalExpr):
        return _may_be(value.if_expr, found) or _may_be(value.else_expr, found)
    if isinstance(value, OpExpr):
        return _may_be(value.left, found) or _may_be(value.right, found)
    if isinstance(value, CallExpr):
        return isinstance(value.callee, RefExpr) and value.callee.fullname.startswith(_MAKING)
    return holder_of(value) in found


def _flows(node: Node, own: dict[str, list[FuncDef]]) -> Iterator[tuple[Holder, Expression]]:
    """What a node binds, each with what it is bound to."""
    if isinstance(node, AssignmentStmt):
        for target in node.lvalues:
            yield from _bound(target, node.rvalue)
    elif isinstance(node, ForStmt) and isinstance(node.expr, ListExpr | TupleExpr):
        for item in node.expr.items:
            yield from _bound(node.index, item)
    elif isinstance(node, Argument) and node.initializer is not None:
        yield node.variable, node.initializer
    elif isinstance(node, CallExpr):
        yield from _given(node, own)


def _bound(target: Expression, value: Expression) -> Iterator[tuple[Holder, Expression]]:
    if isinstance(target, TupleExpr | ListExpr):
        if isinstance(value, TupleExpr | ListExpr):
            for inner, item in zip(target.items, value.items):
                yield from _bound(inner, item)
        return
    holder = holder_of(target)
    if holder is not None:
        yield holder, value


def _given(call: CallExpr, own: dict[str, list[FuncDef]]) -> Iterator[tuple[Holder, Expression]]:
    """The parameters of the module's own functions with what a call gives them; the fields of its classes too."""
    callee = call.callee
    called = callee.node if isinstance(callee, RefExpr) else None
    called = called.func if isinstance(called, Decorator) else called
    name = (
        "__init__" if isinstance(called, TypeInfo) else callee.name if isinstance(callee, NameExpr | MemberExpr) else ""
    )
    functions = own.get(name, [])
    if isinstance(called, TypeInfo):
        functions = [f for f in functions if f.info in called.mro]
        for field in called.names if not functions else ():
            yield from ((field, value) for value in call.args)
    for function in functions:
        parameters = [a.variable for a in function.arguments]
        given = parameters[1:] if function.info else parameters
        named = {p.name: p for p in parameters}
        for place, (value, keyword) in enumerate(zip(call.args, call.arg_names)):
            if keyword is None and place < len(given):
                yield given[place], value
            elif keyword in named:
                yield named[keyword], value
