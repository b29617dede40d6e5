"""What binds a module's variables by their names alone, `exec(text)`, `globals()[k] = v`."""

from __future__ import annotations

from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Expression,
    IndexExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    RefExpr,
    TupleExpr,
)

__all__ = ["binds_by_name"]

_NAMESPACES: Final = ("builtins.globals", "builtins.vars", "builtins.locals")
_READING: Final = ("values", "keys", "items", "get", "copy", "__getitem__", "__contains__")
_ACCESSES: Final = frozenset({CallExpr, IndexExpr, MemberExpr})
"""The expressions that may be a module or its variables."""
_LOOKING: Final = frozenset(f"builtins.{n}" for n in ("print", "len", "sorted", "list", "dict", "set", "tuple", "str"))


def binds_by_name(node: Node) -> bool:
    """Whether a statement or call may bind any variable of the module, or hands on what can."""
    if type(node) is CallExpr:
        return _calls(node)
    if type(node) is AssignmentStmt:
        if type(node.rvalue) in _ACCESSES and _is_module(node.rvalue):
            return True
        return any(map(_is_entry, node.lvalues))
    return isinstance(node, OperatorAssignmentStmt) and (_is_module(node.lvalue) or _is_entry(node.lvalue))


def _calls(call: CallExpr) -> bool:
    callee = call.callee
    if type(callee) is MemberExpr and type(callee.expr) in _ACCESSES and _is_module(callee.expr):
        return callee.name not in _READING
    name = callee.fullname if isinstance(callee, RefExpr) else ""
    if name == "builtins.exec" and len(call.args) == 1:
        return True
    if name == "builtins.setattr":
        return any(map(_is_module, call.args[:1]))
    return name not in _LOOKING and any(map(_is_namespace, call.args))


def _is_entry(target: Expression) -> bool:
    """Whether it is an entry of the module's variables, or one of its attributes."""
    if isinstance(target, NameExpr):
        return False
    if isinstance(target, IndexExpr):
        return _is_module(target.base)
    if isinstance(target, MemberExpr):
        return _is_module(target.expr)
    return isinstance(target, TupleExpr | ListExpr) and any(map(_is_entry, target.items))


def _is_module(e: Expression) -> bool:
    """Whether it is the module or its variables: `globals()`, `sys.modules[__name__]`."""
    if isinstance(e, CallExpr):
        return _is_namespace(e)
    if isinstance(e, IndexExpr):
        is_own = isinstance(e.index, NameExpr) and e.index.name == "__name__"
        return is_own and isinstance(e.base, RefExpr) and e.base.fullname == "sys.modules"
    return isinstance(e, MemberExpr) and e.name == "__dict__" and _is_module(e.expr)


def _is_namespace(e: Expression) -> bool:
    return isinstance(e, CallExpr) and isinstance(e.callee, RefExpr) and e.callee.fullname in _NAMESPACES and not e.args
