"""Whether what is read from a container is what was put in when it was made.

A type says what a list was made with; another array may be put in later, through any name of it.  So a module is looked
through for all that puts something into a container.  Where that happens to containers alone that begin empty, arrays of
the types that these hold are not known, and all others are; where it happens to others, or where another module of the
program may do it, none is.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    DelStmt,
    DictExpr,
    Expression,
    Import,
    ImportAll,
    ImportFrom,
    IndexExpr,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    RefExpr,
    SetExpr,
    TupleExpr,
    Var,
)
from mypy.types import CallableType, Instance, TupleType, Type, UnionType, get_proper_type

from arraytyping_mypy.bindings import Bindings
from arraytyping_mypy.names import ARRAY, LIBRARIES
from arraytyping_mypy.walk import children

__all__ = ["Mutations"]

_METHODS: Final = frozenset({
    "append", "appendleft", "extend", "extendleft", "insert", "update", "setdefault", "add", "__setitem__",
})  # fmt: skip
_FUNCTIONS: Final = frozenset({
    "heapq.heappush", "heapq.heapreplace", "heapq.heappushpop", "bisect.insort", "bisect.insort_left",
    "bisect.insort_right", "builtins.setattr", "builtins.vars", "builtins.globals", "operator.setitem",
})  # fmt: skip
_HARMLESS: Final = LIBRARIES | sys.stdlib_module_names | {
    "optax", "flax", "equinox", "chex", "haiku", "optree", "jaxtyping", "typing_extensions", "matplotlib", "scipy",
    "pytest", "tqdm", "einops", "diffrax", "distrax",
}  # fmt: skip
"""Packages that put nothing into containers of the program."""

_EMPTY: Final = ("builtins.list", "builtins.dict", "builtins.set", "collections.defaultdict", "collections.deque")


class Mutations:
    """What a module puts into containers."""

    def __init__(self, tree: MypyFile, bindings: Bindings) -> None:
        self._bindings = bindings
        self.growing: set[Var] = set()
        """The variables of containers that begin empty, copies of functions included."""
        self.is_safe = all(map(_is_harmless, tree.imports))
        stack: list[Node] = [tree]
        while stack and self.is_safe:
            node = stack.pop()
            self.is_safe = all(map(self._grows, _targets(node)))
            stack.extend(children(node))

    def keeps(self, array: Instance) -> bool:
        """Whether an array of this type that is read from a container is what was put in when that was made."""
        if not self.is_safe:
            return False
        text = str(array)
        return all(text != str(a) for v in self.growing if v.type is not None for a in _arrays(v.type))

    def _grows(self, target: Expression) -> bool:
        """Whether something is put into a container that began empty, or into an array of NumPy's; notes which."""
        if not isinstance(target, NameExpr) or not isinstance(target.node, Var):
            return False
        values = self._bindings.values(target.node)
        if not values or not all(v is not None and (_is_empty(v) or _is_numpy(v)) for v in values):
            return False
        if any(v is not None and _is_empty(v) for v in values):
            self.growing.add(target.node)
        return True


def _targets(node: Node) -> Iterator[Expression]:
    """The containers that a statement or call puts something into."""
    if isinstance(node, AssignmentStmt):
        for target in node.lvalues:
            yield from _items(target)
    elif isinstance(node, OperatorAssignmentStmt):
        yield from _items(node.lvalue)
        if node.op in ("+", "|") and isinstance(node.rvalue, ListExpr | DictExpr | SetExpr):
            yield node.lvalue
    elif isinstance(node, DelStmt):
        return
    elif isinstance(node, CallExpr):
        callee = node.callee
        if isinstance(callee, RefExpr) and callee.fullname in _FUNCTIONS:
            yield node.args[0] if node.args else callee
        elif isinstance(callee, MemberExpr) and callee.name in _METHODS and not _is_indexed_update(callee):
            yield callee.expr


def _is_indexed_update(callee: MemberExpr) -> bool:
    """Whether it is `x.at[i].add(v)`, or a function `add` of a module of JAX or NumPy."""
    owner = callee.expr
    if isinstance(owner, IndexExpr) and isinstance(owner.base, MemberExpr) and owner.base.name == "at":
        return True
    return callee.fullname.partition(".")[0] in _HARMLESS or (isinstance(owner, RefExpr) and _is_module(owner))


def _is_module(owner: RefExpr) -> bool:
    return isinstance(owner.node, MypyFile)


def _items(target: Expression) -> Iterator[Expression]:
    if isinstance(target, IndexExpr):
        yield target.base
    elif isinstance(target, TupleExpr | ListExpr):
        for item in target.items:
            yield from _items(item)


def _is_empty(value: Expression) -> bool:
    if isinstance(value, ListExpr | SetExpr | DictExpr):
        return not value.items
    return (
        isinstance(value, CallExpr)
        and isinstance(value.callee, RefExpr)
        and value.callee.fullname in _EMPTY
        and (not value.args or value.callee.fullname == "collections.defaultdict")
    )


def _is_numpy(value: Expression) -> bool:
    return (
        isinstance(value, CallExpr)
        and isinstance(value.callee, RefExpr)
        and value.callee.fullname.startswith("numpy.")
        and not value.callee.fullname.endswith("object")
    )


def _is_harmless(statement: Node) -> bool:
    """Whether an import names nothing that may put something into containers of this module."""
    if isinstance(statement, Import):
        names = [name for name, _ in statement.ids]
    elif isinstance(statement, ImportFrom | ImportAll):
        if statement.relative:
            return False
        names = [statement.id]
    else:
        return False
    return all(name.partition(".")[0] in _HARMLESS for name in names)


def _arrays(t: Type) -> Iterator[Instance]:
    p = get_proper_type(t)
    if isinstance(p, Instance):
        if p.type.fullname == ARRAY:
            yield p
        for arg in p.args if p.type.fullname != ARRAY else ():
            yield from _arrays(arg)
    elif isinstance(p, TupleType | UnionType):
        for item in p.items:
            yield from _arrays(item)
    elif isinstance(p, CallableType):
        yield from _arrays(p.ret_type)
