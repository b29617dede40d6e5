"""Whether what is read from a container is what was put in when it was made.

A type says what a list was made with; another array may be put in later, through any name of it.  So a module is
looked through for all that puts something into a container.  Where that happens to none but what a display makes,
arrays of the types that these hold are not known, and all others are; where it happens to others, or where another
module of the program may do it, none is.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ComplexExpr,
    DictExpr,
    DictionaryComprehension,
    EllipsisExpr,
    Expression,
    FloatExpr,
    FuncDef,
    Import,
    ImportAll,
    ImportFrom,
    IndexExpr,
    IntExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    OpExpr,
    RefExpr,
    SetExpr,
    SliceExpr,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.types import CallableType, Instance, TupleType, Type, UnionType, get_proper_type

from arraytyping_mypy.bindings import Bindings
from arraytyping_mypy.generalize import OF_NUMPY
from arraytyping_mypy.names import ARRAYS, LIBRARIES
from arraytyping_mypy.walk import children, nodes_of

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
    "pytest", "tqdm", "einops", "diffrax", "distrax", "absl", "click", "typer", "yaml", "tyro", "fire", "rich", "PIL",
    "beartype", "typeguard",
}  # fmt: skip
"""Packages that put nothing into containers of the program."""

_EMPTY: Final = ("builtins.list", "builtins.dict", "builtins.set", "collections.defaultdict", "collections.deque")


_LISTS: Final = ("tolist", "item", "items", "spawn")
"""Methods of arrays and generators that give what may be a container of Python's."""
_DRAWING: Final = frozenset({
    "integers", "standard_normal", "normal", "uniform", "random", "permutation", "astype", "reshape",
})  # fmt: skip
"""Methods of random generators and arrays that no container has, and that give none of the program's."""
_NUMBERS: Final = (IntExpr, FloatExpr, ComplexExpr)
_DEPTH: Final = 8


class Mutations:
    """What a module puts into containers."""

    def __init__(self, tree: MypyFile, bindings: Bindings, is_skipped: bool) -> None:
        self._bindings = bindings
        self.growing: set[Var] = set()
        """The variables of containers that grow, copies of functions included."""
        self.is_alone = all(map(_is_harmless, tree.imports))
        """Whether the module imports libraries alone that are known to put nothing into its containers."""
        self.is_safe = not is_skipped and self.is_alone
        self._own = {n.name for n in nodes_of(tree) if isinstance(n, FuncDef)} if self.is_safe else set()
        """The names of the module's own functions and methods."""
        stack: list[Node] = [tree]
        while stack and self.is_safe:
            node = stack.pop()
            self.is_safe = not is_skipped and all(map(self._grows, _targets(node)))
            stack.extend(children(node))

    def keeps(self, array: Instance) -> bool:
        """Whether an array of this type that is read from a container is what was put in when that was made."""
        if not self.is_safe:
            return False
        text = str(array)
        return all(text != str(a) for v in self.growing if v.type is not None for a in _arrays(v.type))

    def _grows(self, target: Expression) -> bool:
        """Whether something is put into a container that a display made, or into an array of NumPy's; notes which."""
        if isinstance(target, IndexExpr) and self._is_numpy(target.base):
            return True  # a row of an array
        if not isinstance(target, NameExpr) or not isinstance(target.node, Var):
            return False
        values = self._bindings.values(target.node)
        if not values or not all(v is not None and (_is_fresh(v) or self._is_numpy(v)) for v in values):
            return False
        if any(v is not None and _is_fresh(v) for v in values):
            self.growing.add(target.node)
        return True

    def _is_numpy(self, value: Expression, depth: int = 0) -> bool:
        """Whether it is an array of NumPy's, or one of its random generators, by how it is written."""
        if depth > _DEPTH:
            return False
        if isinstance(value, NameExpr) and isinstance(value.node, Var):
            values = self._bindings.values(value.node)
            return bool(values) and all(v is not None and self._is_numpy(v, depth + 1) for v in values)
        if isinstance(value, OpExpr):  # a list times an integer of NumPy's is a list
            sides = (value.left, value.right)
            return all(isinstance(e, _NUMBERS) or self._is_numpy(e, depth + 1) for e in sides)
        if isinstance(value, UnaryExpr):
            return self._is_numpy(value.expr, depth + 1)
        callee = value.callee if isinstance(value, CallExpr) else None
        if isinstance(callee, MemberExpr) and not callee.fullname:
            if callee.name in _DRAWING and callee.name not in self._own:
                return True
            return callee.name not in _LISTS and self._is_numpy(callee.expr, depth + 1)
        name = callee.fullname if isinstance(callee, RefExpr) else ""
        return name.startswith("numpy.") and not name.endswith(("object", "tolist"))


def _targets(node: Node) -> Iterator[Expression]:
    """The containers that a statement or call puts something into."""
    if isinstance(node, AssignmentStmt):
        for target in node.lvalues:
            yield from _items(target)
    elif isinstance(node, OperatorAssignmentStmt):
        yield from _items(node.lvalue)
        if node.op in ("+", "|") and isinstance(node.rvalue, ListExpr | DictExpr | SetExpr):
            yield node.lvalue
    elif isinstance(node, CallExpr):
        callee = node.callee
        if isinstance(callee, RefExpr) and callee.fullname in _FUNCTIONS:
            yield node.args[0] if node.args else callee
        elif isinstance(callee, MemberExpr) and callee.name in _METHODS and not _is_of_another(node, callee):
            yield callee.expr


def _is_of_another(call: CallExpr, callee: MemberExpr) -> bool:
    """Whether it is no container's method: `x.at[i].add(v)`, a function of a library, an optimizer's `update`."""
    owner = callee.expr
    if isinstance(owner, IndexExpr) and isinstance(owner.base, MemberExpr) and owner.base.name == "at":
        return True
    if callee.fullname.partition(".")[0] in _HARMLESS:
        return True
    if isinstance(owner, RefExpr) and (
        isinstance(owner.node, MypyFile) or owner.fullname.startswith(("jax.", "arraytyping."))
    ):
        return True
    return callee.name == "update" and sum(kind.is_positional() for kind in call.arg_kinds) > 1


def _items(target: Expression) -> Iterator[Expression]:
    if isinstance(target, IndexExpr):
        if not _is_of_array(target.index):
            yield target.base
    elif isinstance(target, TupleExpr | ListExpr):
        for item in target.items:
            yield from _items(item)


def _is_of_array(index: Expression) -> bool:
    """Whether no list or dict takes such an index."""
    return isinstance(index, TupleExpr) and any(isinstance(i, SliceExpr | EllipsisExpr) for i in index.items)


def _is_fresh(value: Expression) -> bool:
    if isinstance(value, ListExpr | SetExpr | DictExpr | ListComprehension | DictionaryComprehension):
        return True
    return (
        isinstance(value, CallExpr)
        and isinstance(value.callee, RefExpr)
        and value.callee.fullname in _EMPTY
        and (not value.args or value.callee.fullname == "collections.defaultdict")
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
        is_array = p.type.fullname in ARRAYS or p.type.fullname in OF_NUMPY
        if is_array:
            yield p
        for arg in () if is_array else p.args:
            yield from _arrays(arg)
    elif isinstance(p, TupleType | UnionType):
        for item in p.items:
            yield from _arrays(item)
    elif isinstance(p, CallableType):
        yield from _arrays(p.ret_type)
