"""What a statement puts into containers: into which, and which entries of a list or dict it may change.

`params["w"] = x` changes no list, and of dicts those alone that may have this key; `xs.append(x)` changes no dict.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    DictExpr,
    DictionaryComprehension,
    EllipsisExpr,
    Expression,
    ForStmt,
    GeneratorExpr,
    IndexExpr,
    IntExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    MypyFile,
    Node,
    OperatorAssignmentStmt,
    OpExpr,
    RefExpr,
    SetComprehension,
    SetExpr,
    SliceExpr,
    StrExpr,
    TupleExpr,
    TypeInfo,
    WithStmt,
)

from arraytyping_mypy.names import READING

__all__ = ["Effect", "Key", "Put", "effects_of", "handed_on", "is_fresh", "looked_at", "puts_of", "putting"]

_OF_LISTS: Final = frozenset({"append", "appendleft", "extend", "extendleft", "insert"})
_OF_DICTS: Final = frozenset({"update", "setdefault", "__setitem__"})
# An array has no hash, so that it is in no set: `add` is none of these.
_LIST_FUNCTIONS: Final = frozenset({
    "heapq.heappush", "heapq.heapreplace", "heapq.heappushpop", "bisect.insort", "bisect.insort_left",
    "bisect.insort_right",
})  # fmt: skip
_LOOKING: Final = ("builtins.vars", "builtins.globals")
_OPERATORS: Final = frozenset(
    f"{module}.{name}" for module in ("operator", "_operator") for name in ("setitem", "iadd", "iconcat", "ior")
)
_FUNCTIONS: Final = frozenset({"builtins.setattr", *_OPERATORS, *_LOOKING})
_PUTTING_FUNCTIONS: Final = _LIST_FUNCTIONS | _OPERATORS
_IN_PLACE: Final = frozenset({"__iadd__", "__ior__"})
_OF_BOTH: Final = _OF_LISTS | _OF_DICTS
_ALL: Final = _OF_BOTH | _IN_PLACE
_OF_CLASSES: Final = ("builtins.", "collections.")
_READING: Final = ("values", "keys", "items", "get", "copy")
_EMPTY: Final = ("builtins.list", "builtins.dict", "builtins.set", "collections.defaultdict", "collections.deque")
_MAKING_LISTS: Final = ("builtins.list", "builtins.sorted", "builtins.map", "builtins.zip", "builtins.reversed")
_PUTTING: Final[frozenset[type]] = frozenset((
    AssignmentStmt, OperatorAssignmentStmt, CallExpr, ForStmt, WithStmt, GeneratorExpr, DictionaryComprehension,
))  # fmt: skip
"""The nodes that put something into containers, or may do so."""
_DISPLAYS: Final = (ListExpr, SetExpr, DictExpr, ListComprehension, SetComprehension, DictionaryComprehension)
_ONE: Final = {"append": 0, "appendleft": 0, "add": 0, "insert": 1, "setdefault": 1, "__setitem__": 1}
"""The methods that put in one thing, with the place of the argument that it is."""
_KEYED: Final = ("setdefault", "__setitem__")

Key = str | int | None
"""The key or index under which something is put, as it is written; None where it is computed, or there is none."""
_EVERY_KEY: Final = None


class Effect(NamedTuple):
    """A container that something is put into."""

    target: Expression
    lists: bool
    """Whether what is put in may change a list."""
    keys: frozenset[str] | None
    """The keys of dicts under which something is put; None where it may be any."""


def effects_of(node: Node) -> Iterator[Effect]:
    """The containers that a statement or call puts something into."""
    if isinstance(node, AssignmentStmt):
        for target in node.lvalues:
            yield from _items(target)
    elif isinstance(node, OperatorAssignmentStmt):
        yield from _items(node.lvalue)
        if node.op == "|" and isinstance(node.rvalue, DictExpr | DictionaryComprehension):
            yield Effect(node.lvalue, False, _keys_of(node.rvalue))
        elif node.op == "+" and _is_list(node.rvalue):
            yield Effect(node.lvalue, True, frozenset())
    elif isinstance(node, CallExpr):
        yield from _of_call(node)
    else:
        for target in _targets(node):
            yield from _items(target)


def _targets(node: Node) -> Iterator[Expression]:
    """What a loop or `with` binds: `for x["a"] in xs`."""
    if isinstance(node, ForStmt):
        yield node.index
    elif isinstance(node, WithStmt):
        yield from (target for target in node.target if target is not None)
    elif isinstance(node, GeneratorExpr | DictionaryComprehension):
        yield from node.indices


def _of_call(node: CallExpr) -> Iterator[Effect]:
    callee = node.callee
    if isinstance(callee, RefExpr) and callee.fullname in _LIST_FUNCTIONS:
        yield Effect(node.args[0] if node.args else callee, True, frozenset())
    elif isinstance(callee, RefExpr) and callee.fullname in _FUNCTIONS:
        yield Effect(node.args[0] if node.args else callee, True, _EVERY_KEY)
    elif isinstance(callee, RefExpr) and callee.fullname == "builtins.getattr" and len(node.args) > 1:
        name = node.args[1]
        if isinstance(name, StrExpr) and name.value in _ALL:
            yield Effect(callee, True, _EVERY_KEY)
    elif isinstance(callee, MemberExpr) and callee.name in _IN_PLACE:
        yield Effect(callee.expr, callee.name == "__iadd__", _EVERY_KEY if callee.name == "__ior__" else frozenset())
    elif isinstance(callee, MemberExpr) and callee.name in _OF_BOTH and not _is_of_another(node, callee):
        yield Effect(callee.expr, callee.name in _OF_LISTS, _keys_of_call(node, callee.name))


def handed_on(node: RefExpr) -> Effect | None:
    """What a method that changes a container may change where it is not called but handed on: `push = out.append`."""
    if node.fullname in _OPERATORS:
        return Effect(node, True, _EVERY_KEY)
    if not isinstance(node, MemberExpr) or node.fullname.partition(".")[0] in READING:
        return None
    if node.name in _ALL:
        return Effect(node, node.name not in _OF_DICTS, frozenset() if node.name in _OF_LISTS else _EVERY_KEY)
    return None


def looked_at(node: Node) -> CallExpr | None:
    """The `vars(...)` or `globals()` that a call only looks at, as `vars(x).values()` does; None for any other."""
    callee = node.callee if isinstance(node, CallExpr) else None
    inner = callee.expr if isinstance(callee, MemberExpr) and callee.name in _READING else None
    if not isinstance(inner, CallExpr) or not isinstance(inner.callee, RefExpr):
        return None
    return inner if inner.callee.fullname in _LOOKING else None


def _keys_of_call(call: CallExpr, name: str) -> frozenset[str] | None:
    if name in _OF_LISTS:
        return frozenset()
    if name != "update":
        key = call.args[0] if call.args else None
        return frozenset({key.value}) if isinstance(key, StrExpr) else _EVERY_KEY
    found: set[str] = set()
    for argument, keyword in zip(call.args, call.arg_names):
        keys = frozenset({keyword}) if keyword is not None else _keys_of(argument)
        if keys is None:
            return _EVERY_KEY
        found |= keys
    return frozenset(found)


def _keys_of(display: Expression) -> frozenset[str] | None:
    """The keys of a dict as it is written; None if one is not."""
    keys = [key.value for key, _ in display.items if isinstance(key, StrExpr)] if isinstance(display, DictExpr) else []
    return frozenset(keys) if isinstance(display, DictExpr) and len(keys) == len(display.items) else _EVERY_KEY


def _is_list(value: Expression) -> bool:
    """Whether it is a list or set, and no array, by how it is written: `xs += [x]`, `xs += [x] * 3`."""
    if isinstance(value, OpExpr):
        return _is_list(value.left) or _is_list(value.right)
    if isinstance(value, CallExpr):
        return isinstance(value.callee, RefExpr) and value.callee.fullname in _MAKING_LISTS
    return isinstance(value, ListExpr | ListComprehension)


def _items(target: Expression) -> Iterator[Effect]:
    if isinstance(target, IndexExpr):
        index = target.index
        if isinstance(index, EllipsisExpr) or _is_of_array(index):
            return  # no list and no dict takes it
        if isinstance(index, StrExpr):
            yield Effect(target.base, False, frozenset({index.value}))
        elif isinstance(index, SliceExpr):
            yield Effect(target.base, True, frozenset())
        else:
            yield Effect(target.base, True, _EVERY_KEY)
    elif isinstance(target, TupleExpr | ListExpr):
        for item in target.items:
            yield from _items(item)


def _is_of_array(index: Expression) -> bool:
    """Whether no list or dict takes such an index."""
    return isinstance(index, TupleExpr) and any(isinstance(i, SliceExpr | EllipsisExpr) for i in index.items)


def _is_of_another(call: CallExpr, callee: MemberExpr) -> bool:
    """Whether it is no container's method: `x.at[i].add(v)`, a function of a library, an optimizer's `update`."""
    owner = callee.expr
    if isinstance(owner, IndexExpr) and isinstance(owner.base, MemberExpr) and owner.base.name == "at":
        return True
    if isinstance(owner, RefExpr) and isinstance(owner.node, TypeInfo) and owner.fullname.startswith(_OF_CLASSES):
        return False  # `dict.update(d, other)`
    if callee.fullname.partition(".")[0] in READING:
        return True
    if isinstance(owner, RefExpr) and (
        isinstance(owner.node, MypyFile) or owner.fullname.startswith(("jax.", "arraytyping."))
    ):
        return True
    return callee.name == "update" and sum(kind.is_positional() for kind in call.arg_kinds) > 1


def is_fresh(value: Expression) -> bool:
    """Whether an expression makes a container, which has no other name."""
    if isinstance(value, _DISPLAYS):
        return True
    return (
        isinstance(value, CallExpr)
        and isinstance(value.callee, RefExpr)
        and value.callee.fullname in _EMPTY
        and (not value.args or value.callee.fullname == "collections.defaultdict")
    )


def putting(nodes: Iterable[Node]) -> Iterator[Node]:
    """Those of these nodes that may put something into containers: few do, and all others need not be looked at."""
    return (node for node in nodes if node.__class__ in _PUTTING)


class Put(NamedTuple):
    """Something that is put into a container."""

    target: Expression
    key: Key
    value: Expression | None
    """None for what has no expression of its own."""


def puts_of(node: Node) -> Iterator[Put]:
    """What a node puts into containers."""
    if isinstance(node, AssignmentStmt):
        for target in node.lvalues:
            if isinstance(target, IndexExpr) and isinstance(target.index, SliceExpr):
                items = node.rvalue.items if isinstance(node.rvalue, ListExpr | TupleExpr) else [None]
                yield from (Put(target.base, None, item) for item in items)
            elif isinstance(target, IndexExpr):
                yield Put(target.base, _key(target.index), node.rvalue)
            else:
                yield from (Put(n, None, None) for n in _bases(target))
    elif isinstance(node, OperatorAssignmentStmt):
        if isinstance(node.lvalue, IndexExpr):
            yield Put(node.lvalue.base, _key(node.lvalue.index), None)
        elif isinstance(node.rvalue, ListExpr):
            yield from (Put(node.lvalue, None, item) for item in node.rvalue.items)
        elif isinstance(node.rvalue, DictExpr):
            yield from (Put(node.lvalue, None if key is None else _key(key), v) for key, v in node.rvalue.items)
        elif isinstance(node.rvalue, ListComprehension) and node.op == "+":
            yield Put(node.lvalue, None, node.rvalue.generator.left_expr)
        else:
            yield Put(node.lvalue, None, None)
    elif isinstance(node, CallExpr):
        name = node.callee.fullname if isinstance(node.callee, RefExpr) else ""
        if name in _PUTTING_FUNCTIONS:
            yield from (Put(argument, None, None) for argument in node.args[:1])
        elif isinstance(node.callee, MemberExpr):
            yield from _puts_of_method(node, node.callee)
    else:
        for target in _targets(node):
            yield from (Put(n, None, None) for n in _bases(target))


def _puts_of_method(call: CallExpr, callee: MemberExpr) -> Iterator[Put]:
    place = _ONE.get(callee.name)
    if place is not None:
        key = _key(call.args[0]) if callee.name in _KEYED and call.args else None
        yield Put(callee.expr, key, call.args[place] if place < len(call.args) else None)
    elif callee.name in ("extend", "extendleft", "update", *_IN_PLACE):
        yield Put(callee.expr, None, None)


def _bases(target: Expression) -> Iterator[Expression]:
    if isinstance(target, IndexExpr):
        yield target.base
    elif isinstance(target, TupleExpr | ListExpr):
        for item in target.items:
            yield from _bases(item)


def _key(index: Expression) -> Key:
    return index.value if isinstance(index, StrExpr | IntExpr) else None
