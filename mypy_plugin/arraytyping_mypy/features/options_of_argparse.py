"""What `argparse` gives for an option, by the `add_argument` that stands in the same module.

An attribute of a `Namespace` is anything to typeshed.  Inside of functions that are followed it is of the type that its
option is declared with, or that of its default; nothing is said of an option that anything else may bind.

Source: https://docs.python.org/3/library/argparse.html#the-add-argument-method.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Expression,
    FloatExpr,
    IntExpr,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    OperatorAssignmentStmt,
    RefExpr,
    StrExpr,
    TupleExpr,
    UnaryExpr,
)
from mypy.plugin import AttributeContext
from mypy.types import AnyType, Instance, NoneType, Type, UnionType, get_proper_type

from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions
from arraytyping_mypy.walk import nodes_of

__all__ = ["Options", "attribute_hook", "of_option"]

_NAMESPACE: Final = "argparse.Namespace"
_BINDING: Final = frozenset({"set_defaults", "setattr", "vars", "__dict__", "Namespace", "parse_known_args"})
"""Names by which a program may give options values of its own."""
_TYPES: Final = ("builtins.int", "builtins.float", "builtins.str")
_FLAGS: Final = ("store_true", "store_false")


class Options:
    """The options that a module declares: for each the calls that do so."""

    def __init__(self, tree: MypyFile) -> None:
        self._calls: dict[str, list[CallExpr]] = {}
        bound: set[str] = set()
        is_open = False
        for node in nodes_of(tree):
            if isinstance(node, NameExpr | MemberExpr) and node.name in _BINDING:
                is_open = True
            elif isinstance(node, CallExpr) and isinstance(node.callee, MemberExpr):
                name = _destination(node) if node.callee.name == "add_argument" else None
                if name is not None:
                    self._calls.setdefault(name, []).append(node)
            for target in _targets(node):
                bound.add(target.name)
        if is_open:
            self._calls = {}
        for name in bound:
            self._calls.pop(name, None)

    def type_of(self, name: str, session: Session) -> Type | None:
        """The type of an option's value; None if it is not known."""
        found = [_type(call, session) for call in self._calls.get(name, ())]
        known = {str(t): t for t in found if t is not None}
        return next(iter(known.values())) if len(known) == 1 and None not in found else None


def attribute_hook(fullname: str, sessions: Sessions) -> Callable[[AttributeContext], Type] | None:
    """The hook of an attribute of a `Namespace`, or None."""
    owner, _, name = fullname.rpartition(".")
    return partial(_read, name, sessions) if owner == _NAMESPACE else None


def _read(name: str, sessions: Sessions, ctx: AttributeContext) -> Type:
    session = sessions.of(ctx.api)
    if not session.is_active or ctx.is_lvalue or not session.is_following:
        return ctx.default_attr_type
    return session.options.type_of(name, session) or ctx.default_attr_type


def of_option(expression: Expression, t: Type, session: Session) -> Type:
    """The type of an argument of a call that is followed: that of an option, if it is one."""
    if not isinstance(get_proper_type(t), AnyType) or not isinstance(expression, MemberExpr):
        return t
    owner = session.stored(expression.expr)
    p = None if owner is None else get_proper_type(owner)
    if not isinstance(p, Instance) or p.type.fullname != _NAMESPACE:
        return t
    return session.options.type_of(expression.name, session) or t


def _targets(node: object) -> Iterable[MemberExpr]:
    """The attributes that a statement binds."""
    if isinstance(node, AssignmentStmt):
        several = [i for t in node.lvalues for i in (t.items if isinstance(t, TupleExpr | ListExpr) else [t])]
    elif isinstance(node, OperatorAssignmentStmt):
        several = [node.lvalue]
    else:
        return ()
    return [t for t in several if isinstance(t, MemberExpr)]


def _given(call: CallExpr) -> dict[str, Expression]:
    return {name: e for name, e in zip(call.arg_names, call.args) if name is not None}


def _destination(call: CallExpr) -> str | None:
    """The attribute under which the value of an option is found."""
    given = _given(call).get("dest")
    if given is not None:
        return given.value if isinstance(given, StrExpr) else None
    names = [e.value for e, name in zip(call.args, call.arg_names) if name is None and isinstance(e, StrExpr)]
    long = [n for n in names if n.startswith("--")] or names
    return long[0].lstrip("-").replace("-", "_") if long else None


def _type(call: CallExpr, session: Session) -> Type | None:
    given = _given(call)
    named = session.api.named_generic_type
    action = given.get("action")
    if any(kind.is_star() for kind in call.arg_kinds):
        return None
    if action is not None:
        is_flag = isinstance(action, StrExpr) and action.value in _FLAGS and "default" not in given
        return named("builtins.bool", []) if is_flag else None
    written = given.get("type")
    name = written.fullname if isinstance(written, RefExpr) else "builtins.str" if written is None else ""
    if name not in _TYPES:
        return None
    made: Type = named(name, [])
    count = given.get("nargs")
    if count is not None:
        is_list = isinstance(count, IntExpr) or (isinstance(count, StrExpr) and count.value in ("+", "*"))
        if not is_list:
            return None
        made = named("builtins.list", [made])
    default = _default(given, call, made, session)
    if default is None:
        return None
    return UnionType.make_union(list({str(t): t for t in (made, *default)}.values()))


def _default(given: dict[str, Expression], call: CallExpr, made: Type, session: Session) -> list[Type] | None:
    """What an option may be besides what is given on the command line; None if that is not known."""
    value = given.get("default")
    if value is None or (isinstance(value, NameExpr) and value.fullname == "builtins.None"):
        first = call.args[0] if call.args else None
        is_positional = isinstance(first, StrExpr) and not first.value.startswith("-") and "nargs" not in given
        return [] if is_positional or _is_true(given.get("required")) else [NoneType()]
    if isinstance(value, StrExpr):
        return [] if "nargs" not in given else None  # a text is read as if it had been given
    if isinstance(value, ListExpr) and "nargs" in given:
        listed = get_proper_type(made)
        item = get_proper_type(listed.args[0]) if isinstance(listed, Instance) else None
        is_same = isinstance(item, Instance) and {_number(e) for e in value.items} == {item.type.fullname}
        return [] if is_same else None
    number = _number(value) if "nargs" not in given else None
    return None if number is None else [session.api.named_generic_type(number, [])]


def _is_true(value: Expression | None) -> bool:
    return isinstance(value, NameExpr) and value.fullname == "builtins.True"


def _number(value: Expression) -> str | None:
    if isinstance(value, UnaryExpr) and value.op == "-":
        return _number(value.expr)
    return "builtins.int" if isinstance(value, IntExpr) else "builtins.float" if isinstance(value, FloatExpr) else None
