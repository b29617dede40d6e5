"""What `__init__` assigns to `self`: in its own body, and in those that it calls by `super().__init__(...)`.

The same holds for the `setup` of modules of linen.

Only what is assigned whatever is given counts, and once: a statement of the body itself, not one in a branch or loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from mypy.nodes import (
    GDEF,
    LDEF,
    MDEF,
    ArgKind,
    AssignmentStmt,
    CallExpr,
    DelStmt,
    DictExpr,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncDef,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    StarExpr,
    StrExpr,
    SuperExpr,
    TupleExpr,
    TypeInfo,
    Var,
    WithStmt,
)
from mypy.types import AnyType, Instance, Type, get_proper_type

from arraytyping_mypy.checker import type_again
from arraytyping_mypy.walk import children, nodes_of

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = [
    "BINDING",
    "all_assigned",
    "assigned_names",
    "assigned_values",
    "base_init",
    "name_bases",
    "own_init",
    "super_call",
    "targets",
    "kept_display",
]


def own_init(info: TypeInfo) -> FuncDef | None:
    """The `__init__` that the program has written."""
    symbol = info.get("__init__")
    if symbol is None or symbol.plugin_generated or not isinstance(symbol.node, FuncDef):
        return None
    return symbol.node if symbol.node.info.module_name == info.module_name else None


def super_call(init: FuncDef) -> CallExpr | None:
    """The call of the base's method that is made whatever is given; None if there is none, or several."""
    calls = [
        s.expr
        for s in init.body.body
        if isinstance(s, ExpressionStmt) and isinstance(s.expr, CallExpr) and _is_super(s.expr.callee, init.name)
    ]
    return calls[0] if len(calls) == 1 else None


def _is_super(callee: Expression, name: str) -> bool:
    return isinstance(callee, SuperExpr) and callee.name == name and not callee.call.args


def base_init(init: FuncDef, info: TypeInfo) -> FuncDef | None:
    """What this one calls in a base for instances of this very class; None where it is none of the program's."""
    if super_call(init) is None or init.info not in info.mro:
        return None
    for base in info.mro[info.mro.index(init.info) + 1 :]:
        symbol = base.names.get(init.name)
        if symbol is not None:
            is_own = base.module_name == info.module_name and not symbol.plugin_generated
            return symbol.node if is_own and isinstance(symbol.node, FuncDef) else None
    return None


def name_bases(function: FuncDef, method: FuncDef, info: TypeInfo) -> None:
    """Have a copy of a method call methods of bases by their class, for an instance of this very class.

    `super().f(x)` becomes `Base.f(self, x)`: of `super()` mypy asks no plugin.
    """
    own = function.arguments[0].variable if function.arguments else None
    if own is None or method.info not in info.mro:
        return
    rest = info.mro[info.mro.index(method.info) + 1 :]
    for node in list(nodes_of(function.body)):
        callee = node.callee if isinstance(node, CallExpr) else None
        if not isinstance(node, CallExpr) or not isinstance(callee, SuperExpr) or callee.call.args:
            continue
        base = next((b for b in rest if callee.name in b.names), None)
        found = None if base is None else base.names[callee.name].node
        is_making = callee.name == "__init__" or callee.name == method.name == "setup"
        if base is None or is_making or not isinstance(found, FuncDef) or found.is_static:
            continue
        node.callee = _attribute(_name(base.name, base.fullname, base), callee.name, found)
        node.args = [_name(own.name, own.name, own), *node.args]
        node.arg_kinds = [ArgKind.ARG_POS, *node.arg_kinds]
        node.arg_names = [None, *node.arg_names]
        for made in (node.callee, node.callee.expr, node.args[0]):
            made.set_line(node)


def _name(name: str, fullname: str, node: TypeInfo | Var) -> NameExpr:
    made = NameExpr(name)
    made.node, made.fullname = node, fullname
    made.kind = GDEF if isinstance(node, TypeInfo) else LDEF
    return made


def _attribute(owner: NameExpr, name: str, function: FuncDef) -> MemberExpr:
    made = MemberExpr(owner, name)
    made.node, made.fullname, made.kind = function, function.fullname, MDEF
    return made


def assigned_names(info: TypeInfo) -> list[str]:
    """The attributes that making an instance assigns once, whatever is given."""
    found: list[str] = []
    every: list[str] = []
    init = own_init(info)
    while init is not None:
        every += all_assigned(init)
        own = init.arguments[0].variable.name if init.arguments else ""
        found += [
            t.name
            for statement in init.body.body
            for t in targets(statement)
            if isinstance(t.expr, NameExpr) and t.expr.name == own
        ]
        init = base_init(init, info)
    return [name for name in dict.fromkeys(found) if every.count(name) == 1]


def assigned_values(init: FuncDef) -> Mapping[str, Expression]:
    """The attributes of `self` that one `__init__` assigns whatever is given, with the expressions they are given."""
    found: dict[str, Expression] = {}
    own = init.arguments[0].variable if init.arguments else None
    for statement in init.body.body:
        if not isinstance(statement, AssignmentStmt):
            continue
        for target in statement.lvalues:
            several = target.items if isinstance(target, TupleExpr) else [target]
            value = statement.rvalue
            values = value.items if isinstance(value, TupleExpr) and isinstance(target, TupleExpr) else [value]
            for t, v in zip(several, values) if len(several) == len(values) else ():
                if isinstance(t, MemberExpr) and isinstance(t.expr, NameExpr) and t.expr.node is own:
                    found[t.name] = v
    return found


def all_assigned(function: FuncDef) -> list[str]:
    """The attributes that a function assigns anywhere, of whatever."""
    found: list[str] = []
    stack: list[Node] = [function.body]
    while stack:
        node = stack.pop()
        found += [t.name for t in targets(node)]
        if isinstance(node, CallExpr) and isinstance(node.callee, MemberExpr) and node.callee.name == "__setattr__":
            found += [a.value for a in node.args if isinstance(a, StrExpr)]
        stack.extend(children(node))
    return found


BINDING: Final = frozenset({AssignmentStmt, OperatorAssignmentStmt, DelStmt, ForStmt, WithStmt})
"""The kinds of statements that may bind attributes."""


def targets(node: Node) -> list[MemberExpr]:
    """The attributes that a statement binds."""
    found: list[MemberExpr] = []
    waiting = list(_bound(node))
    while waiting:
        target = waiting.pop()
        if isinstance(target, MemberExpr):
            found.append(target)
        elif isinstance(target, TupleExpr | ListExpr):
            waiting += target.items
        elif isinstance(target, StarExpr):
            waiting.append(target.expr)
    return found


def _bound(node: Node) -> Iterator[Expression]:
    match node:
        case AssignmentStmt():
            yield from node.lvalues
        case OperatorAssignmentStmt():
            yield node.lvalue
        case DelStmt():
            yield node.expr
        case ForStmt():
            yield node.index
        case WithStmt():
            yield from (t for t in node.target if t is not None)


def kept_display(value: Expression, t: Type, session: Session) -> Type:
    """The type of what is assigned, where that of the attribute, `list` or `tuple`, has hidden what is in a display."""
    p = get_proper_type(t)
    is_display = isinstance(value, ListExpr | DictExpr | ListComprehension)
    is_hidden = isinstance(p, Instance) and any(isinstance(get_proper_type(a), AnyType) for a in p.args)
    return type_again(session.api, value) if is_display and is_hidden else t
