"""What is in a list or dict that grows: what it was made with, and all that is put into it.

mypy takes what it holds from the first thing that is put in.  Where the module shows all that are put in (`mutations`),
and each has a type, what is in it is one of these.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    DictExpr,
    Expression,
    IndexExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    Var,
)
from mypy.types import AnyType, Instance, Type, TypeOfAny, get_proper_type

from arraytyping_mypy.checker import current_function
from arraytyping_mypy.generalize import generalize, map_arrays
from arraytyping_mypy.variants import joined
from arraytyping_mypy.walk import nodes_of

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["Grown"]

_ONE: Final = {"append": 0, "appendleft": 0, "add": 0, "insert": 1, "setdefault": 1, "__setitem__": 1}
"""The methods that put in one thing, with the place of the argument that it is."""
_CONTAINERS: Final = ("builtins.list", "builtins.dict", "builtins.set", "collections.deque")


class Grown:
    """What is put into the containers of a module, copies of functions included."""

    def __init__(self, session: Session, tree: Node) -> None:
        self._session = session
        self._put: dict[Var, list[Expression | None]] = {}
        """By variable; None for what has no expression of its own."""
        self.add(tree)

    def add(self, tree: Node) -> None:
        """Note what is put into containers in a tree."""
        for node in nodes_of(tree):
            for target, value in _puts(node):
                if isinstance(target, NameExpr) and isinstance(target.node, Var):
                    self._put.setdefault(target.node, []).append(value)

    def type_of(self, expression: Expression, t: Type) -> Type:
        """The type of a container with that of all that may be in it."""
        mutations = self._session.mutations
        p = get_proper_type(t)
        if not isinstance(p, Instance) or p.type.fullname not in _CONTAINERS or not p.args:
            return t
        if isinstance(expression, NameExpr) and isinstance(expression.node, Var) and mutations.is_safe:
            variable = expression.node
            if variable in mutations.growing:
                # Another module may put something into one of this module's as soon as that has been imported.
                is_own = self._session.bindings.owner_of(variable) is not None
                is_open = not is_own and current_function(self._session.api) is not None
                found = None if is_open else self._item(variable)
                return p.copy_modified(args=[*p.args[:-1], _any() if found is None else found])
            if variable.is_argument:
                return t  # it was looked at where it was given
        if isinstance(expression, CallExpr | DictExpr | ListExpr | ListComprehension):
            return t
        return map_arrays(t, lambda array: array if mutations.keeps(array) else generalize(array))

    def _item(self, variable: Var) -> Type | None:
        put = [*self._initial(variable), *self._put.get(variable, [None])]
        types = [None if e is None else self._session.stored(e) for e in put]
        known = [
            self._session.following.function(e, t)
            for e, t in zip(put, types)
            if e is not None and t is not None
        ]  # fmt: skip
        return joined(known, self._session) if known and len(known) == len(put) else None

    def _initial(self, variable: Var) -> Iterator[Expression | None]:
        for value in self._session.bindings.values(variable):
            if isinstance(value, ListExpr):
                yield from value.items
            elif isinstance(value, DictExpr):
                yield from (None if key is None else item for key, item in value.items)
            elif not isinstance(value, CallExpr) or value.args:
                yield None


def _puts(node: Node) -> Iterator[tuple[Expression, Expression | None]]:
    """The containers into which a node puts something, each with what that is."""
    if isinstance(node, AssignmentStmt):
        for target in node.lvalues:
            if isinstance(target, IndexExpr):
                yield target.base, node.rvalue
            else:
                yield from ((n.base, None) for n in nodes_of(target) if isinstance(n, IndexExpr))
    elif isinstance(node, OperatorAssignmentStmt):
        if isinstance(node.lvalue, IndexExpr):
            yield node.lvalue.base, None
        else:
            yield node.lvalue, None
    elif isinstance(node, CallExpr) and isinstance(node.callee, MemberExpr):
        place = _ONE.get(node.callee.name)
        if place is not None:
            yield node.callee.expr, node.args[place] if place < len(node.args) else None
        elif node.callee.name in ("extend", "extendleft", "update"):
            yield node.callee.expr, None
    elif isinstance(node, CallExpr):
        yield from ((argument, None) for argument in node.args[:1] if _is_putting(node))


def _is_putting(call: CallExpr) -> bool:
    """Whether a function of the library puts something into its first argument: `heapq.heappush`."""
    name = getattr(call.callee, "fullname", "")
    return name.startswith(("heapq.", "bisect.insort", "operator.setitem"))


def _any() -> Type:
    return AnyType(TypeOfAny.special_form)
