"""Whether what is read from a container is what was put in when it was made.

A type says what a list was made with; another array may be put in later, through any name of it.  So a module is
looked through for all that puts something into a container (`effects`).  Where that happens to none but what a display
makes, arrays of the types that these hold are not known, and all others are.  Where it happens to others, no list is
known if a list may be changed by it, and of dicts none, or none that has the key that is written there; and where
another module of the program may do it, no container is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from mypy.nodes import (
    CallExpr,
    ComplexExpr,
    DelStmt,
    DictExpr,
    DictionaryComprehension,
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
    StrExpr,
    UnaryExpr,
    Var,
)
from mypy.types import CallableType, Instance, TupleType, Type, UnionType

from arraytyping_mypy.bindings import Bindings
from arraytyping_mypy.effects import Effect, Put, effects_of, handed_on, is_fresh, looked_at, puts_of
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.generalize import OF_NUMPY
from arraytyping_mypy.held_containers import held_containers, holder_of
from arraytyping_mypy.names import ARRAYS, READING
from arraytyping_mypy.walk import children, nodes_of

__all__ = ["Mutations"]

_LISTS: Final = ("tolist", "item", "items", "spawn")
"""Methods of arrays and generators that give what may be a container of Python's."""
_DRAWING: Final = frozenset({
    "integers", "standard_normal", "normal", "uniform", "random", "permutation", "astype", "reshape",
})  # fmt: skip
"""Methods of random generators and arrays that no container has, and that give none of the program's."""
_NUMBERS: Final = (IntExpr, FloatExpr, ComplexExpr)
_UPDATING: Final = ("+", "*", "|")
_FACTORIES: Final = ("builtins.list", "builtins.dict", "builtins.set")
_DEPTH: Final = 8
_REORDERING: Final = frozenset({
    "pop", "popleft", "remove", "clear", "insert", "reverse", "sort", "rotate", "shuffle", "extendleft", "appendleft",
    "heappop", "heappush", "heapify", "heapreplace", "heappushpop", "insort", "insort_left", "insort_right",
    "__delitem__", "__setitem__", "__iadd__", "__imul__", "delitem", "setitem", "iconcat", "imul",
})  # fmt: skip
"""What changes the places of the items of a list, or how many there are."""
_TAKING_KEYS: Final = frozenset({"pop", "popitem", "clear", "__delitem__", "delitem", "move_to_end"})
_BY_TEXT: Final = ("getattr", "methodcaller", "builtins.getattr", "operator.methodcaller", "_operator.methodcaller")
"""What takes a method by its name in a text."""
_OF_ARRAYS: Final = ("jax.", "numpy.", "arraytyping.")


class Mutations:
    """What a module puts into containers."""

    def __init__(self, tree: MypyFile, bindings: Bindings, is_skipped: bool) -> None:
        self._bindings = bindings
        self._tree = tree
        self.growing: set[Var] = set()
        """The variables of containers that grow, copies of functions included."""
        self.nested: set[tuple[Var, str | None]] = set()
        """The variables in whose containers others grow: under which key, or under any."""
        self.is_alone = all(map(_is_harmless, tree.imports))
        """Whether the module imports libraries alone that are known to put nothing into its containers."""
        self.has_closed_lists = self.has_closed_dicts = not is_skipped and self.is_alone
        """Whether no list, and no dict, is changed but those that grow; of dicts, but for some keys."""
        self.keys: set[str] = set()
        """The keys of dicts under which something may be put."""
        self._own = {n.name for n in nodes_of(tree) if isinstance(n, FuncDef)} if self.is_alone else set()
        """The names of the module's own functions and methods."""
        self._puts: dict[Var, list[Put]] = {}
        self._repeats = False
        """Whether a list is repeated in its place: `xs *= n`."""
        effects: list[Effect] = []
        called: set[Node] = set()
        updates: list[OperatorAssignmentStmt] = []
        stack: list[Node] = [tree]
        while stack and self.has_closed_lists:
            node = stack.pop()
            effects += effects_of(node)
            if isinstance(node, CallExpr):
                called.add(node.callee)
            elif isinstance(node, OperatorAssignmentStmt) and node.op in _UPDATING:
                updates.append(node)
            elif isinstance(node, RefExpr) and node not in called:
                effects += self._handed_on(node)
            for put in puts_of(node):
                if isinstance(put.target, NameExpr) and isinstance(put.target.node, Var):
                    self._puts.setdefault(put.target.node, []).append(put)
            inner = looked_at(node)
            if inner is not None and isinstance(node, CallExpr):
                stack.extend((*inner.args, *node.args))  # not the call itself, which else may change anything
            else:
                stack.extend(children(node))
        effects += self._updated(updates)
        for effect in effects:
            if not self._grows(effect):
                self._open(effect)

    @cached_property
    def keeps_order(self) -> bool:
        """Whether no list of the module is turned round, sorted or shortened: what an item is may hang on its place."""
        return not self._repeats and not _reorders(self._tree)

    @cached_property
    def keeps_keys(self) -> bool:
        """Whether nothing in the module takes a key out of a dict."""
        return self.keeps_order and not any(
            isinstance(node, DelStmt) or (isinstance(node, MemberExpr) and node.name in ("pop", "popitem", "clear"))
            for node in nodes_of(self._tree)
        )

    @cached_property
    def may_lose_keys(self) -> bool:
        """Whether something in the module may take a key out of a dict, by how it is written."""
        return _takes_keys(self._tree)

    def grows(self, variable: Var) -> bool:
        """Whether a variable's container grows, or one that stands in it."""
        return variable in self.growing or any(variable is of for of, _ in self.nested)

    def keeps(self, array: Instance, *, in_list: bool = True, in_dict: bool = True) -> bool:
        """Whether an array of this type that is read from a container is what was put in when that was made.

        `in_list` and `in_dict` say in what it may have been.
        """
        if in_list and not self.has_closed_lists:
            return False
        if in_dict and (self.keys or not self.has_closed_dicts):
            return False
        text = str(array)
        return all(text != str(a) for v in self.growing if v.type is not None for a in _arrays(v.type))

    def is_closed(self, kind: str) -> bool:
        """Whether a container of this kind is not changed: a `tuple`, a `list` or a `dict`."""
        if kind == "tuple":
            return True
        return self.has_closed_lists if kind == "list" else self.has_closed_dicts and not self.keys

    def note_copy(self, old: Var, new: Var) -> None:
        """Note that a variable is that of a copy."""
        if old in self.growing:
            self.growing.add(new)
        self.nested |= {(new, key) for variable, key in self.nested if variable is old}

    def _handed_on(self, node: RefExpr) -> Iterator[Effect]:
        """The effect of a method that may be called where it is not seen; not of `update` of what is no dict here."""
        effect = handed_on(node)
        if effect is None:
            return
        owner = node.expr if isinstance(node, MemberExpr) and node.name == "update" else None
        if owner is not None:  # it may be an optimizer's
            variable = owner.node if isinstance(owner, NameExpr) else None
            values = self._bindings.values(variable) if isinstance(variable, Var) else []
            if not any(v is not None and is_fresh(v) for v in values):
                return
        yield effect

    def _updated(self, updates: list[OperatorAssignmentStmt]) -> Iterator[Effect]:
        """The effects of `xs += ys`, `xs *= n` and `d |= e`, where they change a container in its place."""
        held = held_containers(self._tree) if updates else frozenset()
        for node in updates:
            if holder_of(node.lvalue) in held:
                self._repeats |= node.op == "*"
                yield Effect(node.lvalue, node.op != "|", None if node.op == "|" else frozenset())

    def _open(self, effect: Effect) -> None:
        if effect.lists:
            self.has_closed_lists = False
        if effect.keys is None:
            self.has_closed_dicts = False
        else:
            self.keys |= effect.keys

    def _grows(self, effect: Effect) -> bool:
        """Whether something is put into a container that a display made, or into an array of NumPy's; notes which."""
        target = effect.target
        if isinstance(target, IndexExpr):
            return self._is_numpy(target.base) or self._grows_within(target.base, target.index)
        if not isinstance(target, NameExpr) or not isinstance(target.node, Var):
            return False
        values = self._bindings.made(target.node)
        if not values or not all(v is not None and (is_fresh(v) or self._is_numpy(v)) for v in values):
            return False
        if any(v is not None and is_fresh(v) for v in values):
            self.growing.add(target.node)
        return True

    def _grows_within(self, outer: Expression, index: Expression) -> bool:
        """Whether something is put into what stands in a container, all of whose entries displays made; notes it."""
        if not isinstance(outer, NameExpr) or not isinstance(outer.node, Var):
            return False
        key = index.value if isinstance(index, StrExpr) else None
        values = self._bindings.made(outer.node)
        if not values or not all(v is not None and _is_fresh_within(v, key) for v in values):
            return False
        for put in self._puts.get(outer.node, ()):
            is_other = key is not None and isinstance(put.key, str) and put.key != key
            if not is_other and (put.value is None or not is_fresh(put.value)):
                return False
        is_written = key is not None and all(isinstance(v, DictExpr) for v in values)
        self.nested.add((outer.node, key if is_written else None))
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


def _is_fresh_within(value: Expression, key: str | None) -> bool:
    """Whether what stands in a container under this key, or under any, was made by displays."""
    if not is_fresh(value):
        return False
    if isinstance(value, DictExpr):
        found = [e for k, e in value.items if key is None or not isinstance(k, StrExpr) or k.value == key]
        return all(k is not None for k, _ in value.items) and all(map(is_fresh, found))
    if isinstance(value, ListExpr):
        return all(map(is_fresh, value.items))
    if isinstance(value, ListComprehension):
        return is_fresh(value.generator.left_expr)
    if isinstance(value, DictionaryComprehension):
        return is_fresh(value.value)
    factories = value.args if isinstance(value, CallExpr) else [value]
    return all(isinstance(f, RefExpr) and f.fullname in _FACTORIES for f in factories)


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
    return all(name.partition(".")[0] in READING for name in names)


def _arrays(t: Type) -> Iterator[Instance]:
    p = get_finite_type(t)
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


def _takes_keys(tree: Node) -> bool:
    """Whether something in a tree may take a key out of a dict, or hands on what does."""
    found = False
    of_lists: set[Node] = set()
    for node in nodes_of(tree):
        if isinstance(node, CallExpr) and isinstance(node.callee, MemberExpr):
            places = [a.expr if isinstance(a, UnaryExpr) else a for a in node.args]
            if node.callee.name == "pop" and len(places) < 2 and all(isinstance(a, IntExpr) for a in places):
                of_lists.add(node.callee)
        elif isinstance(node, DelStmt):
            found |= any(isinstance(n, IndexExpr) and not isinstance(n.index, IntExpr) for n in nodes_of(node.expr))
        elif isinstance(node, NameExpr | MemberExpr) and node not in of_lists:
            found |= node.name in _TAKING_KEYS or node.fullname in _BY_TEXT
    return found


def _reorders(tree: Node) -> bool:
    """Whether something in a tree may change the places of a list's items, or hands on what does."""
    of_dicts: set[Node] = set()
    texts: set[str] = set()
    takes_by_text = False
    for node in nodes_of(tree):
        if isinstance(node, DelStmt):
            items = [n for n in nodes_of(node.expr) if isinstance(n, IndexExpr)]
            if any(not isinstance(n.index, StrExpr) for n in items):
                return True
        elif isinstance(node, OperatorAssignmentStmt):
            if node.op == "*" and isinstance(node.rvalue, IntExpr):
                return True
        elif isinstance(node, CallExpr):
            if isinstance(node.callee, MemberExpr) and node.args and isinstance(node.args[0], StrExpr):
                of_dicts.add(node.callee)  # `d.pop("key")`
        elif isinstance(node, NameExpr | MemberExpr) and node not in of_dicts:
            if node.name in _BY_TEXT or node.fullname in _BY_TEXT:
                takes_by_text = True
            is_reordering = node.name in _REORDERING or node.fullname.rpartition(".")[2] in _REORDERING
            if is_reordering and not (node.fullname.startswith(_OF_ARRAYS) and node.name != "shuffle"):
                return True
        elif isinstance(node, StrExpr):
            texts.add(node.value)
    return takes_by_text and not _REORDERING.isdisjoint(texts)
