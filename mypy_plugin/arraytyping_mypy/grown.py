"""What is in a list or dict that grows: what it was made with, and all that is put into it.

mypy takes what it holds from the first thing that is put in.  Where the module shows all that are put in (`mutations`),
and each has a type, what is in it is one of these.  Of a dict whose keys are all written each key has its own type.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from mypy.nodes import (
    Block,
    CallExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    ExpressionStmt,
    FuncDef,
    IndexExpr,
    ListComprehension,
    ListExpr,
    MypyFile,
    NameExpr,
    Node,
    TupleExpr,
    Var,
)
from mypy.subtypes import is_subtype
from mypy.types import AnyType, Instance, TupleType, Type, TypeOfAny, UnionType, get_proper_type

from arraytyping_mypy.checker import current_function
from arraytyping_mypy.displays import typed_dict
from arraytyping_mypy.effects import Key, Put, puts_of, putting
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.fixed_lists import LONGEST, fixed_list, is_fixed_list
from arraytyping_mypy.generalize import OF_NUMPY, generalize, map_arrays
from arraytyping_mypy.names import ARRAYS
from arraytyping_mypy.rows import Row, rows_of
from arraytyping_mypy.variants import joined
from arraytyping_mypy.walk import nodes_of, statements_of

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["Grown"]

_LISTS: Final = ("builtins.list", "builtins.set", "collections.deque")
_DICTS: Final = ("builtins.dict", "collections.defaultdict", "collections.OrderedDict")
_WRITTEN: Final = (CallExpr, DictExpr, ListExpr, ListComprehension)


class Grown:
    """What is put into the containers of a module, copies of functions included."""

    def __init__(self, session: Session, tree: Node) -> None:
        self._session = session
        self._put: dict[Var, list[Put]] = {}
        self._within: dict[tuple[Var, str], list[Put]] = {}
        """What is put into what stands in a dict, by the variable and the key."""
        self._rows: dict[Var, Row] = {}
        """The lists in copies of functions that statements in a row alone put something into."""
        self._order: dict[Node, int] = {}
        """The places of names in their tree, which is the order in which those in no branch and no loop are come to."""
        self._in_row: set[Expression] = set()
        """The containers that the statements of functions put something into which are in no branch and no loop."""
        self.add(tree)

    def add_copy(self, copy: FuncDef) -> None:
        """Note what is put into containers in the copy of a function."""
        self.add(copy)
        self._rows.update(rows_of(copy))

    def add(self, tree: Node) -> None:
        """Note what is put into containers in a tree."""
        direct = {s.expr if isinstance(s, ExpressionStmt) else s for s in _in_no_branch(tree)}
        nodes = list(nodes_of(tree))
        self._order.update((node, i) for i, node in enumerate(nodes) if isinstance(node, NameExpr))
        for node in putting(nodes):
            for put in puts_of(node):
                target = put.target
                if node in direct:
                    self._in_row.add(target)
                if isinstance(target, NameExpr) and isinstance(target.node, Var):
                    self._put.setdefault(target.node, []).append(put)
                elif isinstance(target, IndexExpr) and isinstance(target.base, NameExpr):
                    variable, key = target.base.node, getattr(target.index, "value", None)
                    if isinstance(variable, Var) and isinstance(key, str):
                        self._within.setdefault((variable, key), []).append(put)

    def type_of(self, expression: Expression, t: Type) -> Type:
        """The type of a container with that of all that may be in it."""
        mutations = self._session.mutations
        p = get_proper_type(t)
        if not isinstance(p, Instance) or p.type.fullname not in _LISTS + _DICTS or not p.args:
            return t
        if isinstance(expression, NameExpr) and isinstance(expression.node, Var):
            variable = expression.node
            is_dict = p.type.fullname in _DICTS
            is_closed = mutations.is_closed("dict" if is_dict else "list")
            if (variable, None) in mutations.nested:
                return generalize(t)
            if variable in mutations.growing:
                is_in_row = is_closed and variable in self._rows and mutations.keeps_order
                row = self._rows[variable].whole(expression) if is_in_row else None
                items = None if row is None else self._types(row)
                if items is not None and len(items) <= LONGEST:
                    return fixed_list(items, self._session)
                # Another module may put something into one of this module's as soon as that has been imported.
                is_own = self._session.bindings.owner_of(variable) is not None
                is_open = not is_own and current_function(self._session.api) is not None
                keyed = self._keyed(expression, variable, p) if mutations.has_closed_dicts and not is_open else None
                item = None if is_open or not is_closed else self._item(variable)
                return keyed or p.copy_modified(args=[*p.args[:-1], item or _any()])
            if variable.is_argument and is_closed:
                return t  # it was looked at where it was given
        return t if isinstance(expression, _WRITTEN) else self.kept(t)

    def kept(self, t: Type, *, in_list: bool = False, in_dict: bool = False) -> Type:
        """The type with the arrays alone that nothing else may have been put in place of."""
        p = get_finite_type(t)
        if isinstance(p, Instance) and p.type.fullname in _LISTS + _DICTS:
            in_list, in_dict = in_list or p.type.fullname in _LISTS, in_dict or p.type.fullname in _DICTS
            args = [self.kept(a, in_list=in_list, in_dict=in_dict) for a in p.args]
            return t if all(a is b for a, b in zip(args, p.args)) else p.copy_modified(args=args)
        if isinstance(p, TupleType | UnionType):
            is_listed = in_list or is_fixed_list(p)
            items = [self.kept(i, in_list=is_listed, in_dict=in_dict) for i in p.items]
            if all(a is b for a, b in zip(items, p.items)):
                return t
            return p.copy_modified(items=items) if isinstance(p, TupleType) else UnionType.make_union(items)
        keeps = self._session.mutations.keeps
        return map_arrays(t, lambda a: a if keeps(a, in_list=in_list, in_dict=in_dict) else generalize(a))

    def may_be_other(self, variable: Var, item: Type) -> bool:
        """Whether what is put into a container may be no such item, as mypy took it from the first that is put in.

        What is written as one is, and what mypy has seen already; it may not have come to all.
        """
        p = get_proper_type(item)
        if isinstance(p, AnyType) or (isinstance(p, Instance) and p.type.fullname in OF_NUMPY | ARRAYS):
            return False
        wanted = generalize(p)
        for value in (put.value for put in self._all(variable)):
            if value is None or (isinstance(p, TupleType) and isinstance(value, TupleExpr)):
                continue
            found = self._session.stored(value)
            if found is None or not is_subtype(generalize(found), wanted):
                return True
        return False

    def within(self, variable: Var, key: str, made: Expression, t: Type) -> Type:
        """The type of what stands in a dict under a key, and grows there."""
        p = get_proper_type(t)
        put = [*_initial_of(made), *self._within.get((variable, key), [])]
        if not isinstance(p, Instance) or p.type.fullname != "builtins.list":
            return _any()
        return p.copy_modified(args=[self._joined([i.value for i in put]) or _any()])

    def _item(self, variable: Var) -> Type | None:
        return self._joined([put.value for put in self._all(variable)])

    def _keyed(self, name: NameExpr, variable: Var, p: Instance) -> Type | None:
        """The type of a dict by its keys, where each is written; None where one is computed, or something unknown.

        It has for certain what it was made with, and what was put in by a statement of its function before that in
        which it is read.
        """
        if p.type.fullname != "builtins.dict":
            return None
        found: dict[Key, list[Expression | None]] = {}
        for put in self._all(variable):
            found.setdefault(put.key, []).append(put.value)
        items: dict[str, Type] = {}
        for key, values in found.items():
            if not isinstance(key, str):
                return None
            items[key] = self._joined(values) or _any()
        for of, key in self._session.mutations.nested:
            if of is variable and key in items:
                items[key] = _any()
        made = [{put.key for put in _initial_of(v)} for v in self._session.bindings.made(variable)]
        certain = set.intersection(*made) if made else set()
        is_here = current_function(self._session.api) is self._session.bindings.owner_of(variable)
        certain |= {
            put.key
            for put in self._put.get(variable, ())
            if is_here
            and put.target in self._in_row
            and (put.target.line, put.target.column) < (name.line, name.column)
        }
        return typed_dict(items, self._session, [k for k in certain if isinstance(k, str)]) if items else None

    def _types(self, put: Sequence[Expression | None]) -> list[Type] | None:
        types = [None if e is None else self._session.stored(e) for e in put]
        known = [
            self._session.following.function(e, t)
            for e, t in zip(put, types)
            if e is not None and t is not None
        ]  # fmt: skip
        return known if len(known) == len(put) else None

    def _joined(self, put: Sequence[Expression | None]) -> Type | None:
        known = self._types(put)
        return joined(known, self._session) if known else None

    def _all(self, variable: Var) -> list[Put]:
        """What is in the container that a variable is bound to."""
        values = self._session.bindings.made(variable)
        first = [put for value in values for put in _initial_of(value)]
        return [*first, *self._put.get(variable, [Put(NameExpr(""), None, None)])]


def _in_no_branch(tree: Node) -> Iterator[Node]:
    """The statements that stand in a module or function directly, or in rounds of its loops that are written out."""
    for node in statements_of(tree):
        stack = list(node.defs) if isinstance(node, MypyFile) else [node.body] if isinstance(node, FuncDef) else []
        while stack:
            statement = stack.pop()
            if isinstance(statement, Block):
                stack += statement.body
            else:
                yield statement


def _initial_of(value: Expression | None) -> Iterator[Put]:
    """What a container is made with."""
    place = NameExpr("")
    if isinstance(value, ListExpr):
        yield from (Put(place, None, item) for item in value.items)
    elif isinstance(value, DictExpr):
        for key, item in value.items:
            yield Put(place, getattr(key, "value", None), None if key is None else item)
    elif isinstance(value, ListComprehension):
        yield Put(place, None, value.generator.left_expr)
    elif isinstance(value, DictionaryComprehension):
        yield Put(place, None, value.value)
    elif not isinstance(value, CallExpr) or value.args:
        yield Put(place, None, None)


def _any() -> Type:
    return AnyType(TypeOfAny.special_form)
