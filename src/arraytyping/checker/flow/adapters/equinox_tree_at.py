"""`equinox.tree_at`: which parts `where` chooses is found by marks in place of the leaves.

Source: https://docs.kidger.site/equinox/api/manipulation/#equinox.tree_at.
"""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.flow.engines import foreign
from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.python.pytree_structure import flatten, unflatten
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    MISSING,
    BaseValue,
    DictValue,
    InstanceValue,
    ListValue,
    TreeValue,
    Value,
    remake_tuple,
)
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []


class _Mark:
    """Stands for a leaf, by its number."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number


class _Target:
    """A chosen part: the numbers of its leaves, and what comes in its place."""

    __slots__ = ("is_used", "marked", "new", "numbers")

    def __init__(self, marked: Value, numbers: tuple[int, ...]) -> None:
        self.marked = marked
        self.numbers = numbers
        self.new: Any = MISSING
        self.is_used = False


@handles("equinox.tree_at")
def _tree_at(it: Interpreter, call: Call) -> Value:
    given = call.named("where", "pytree", "replace", "replace_fn", "is_leaf")
    where, tree = given.get("where"), given.get("pytree", MISSING)
    is_leaf = given.get("is_leaf")

    def stops(value: Value) -> bool:
        known = it.truth(it.call(is_leaf, [value], {}, call.node), call.node)
        if known is None:
            raise Abort("is_leaf gives something unknown")
        return known

    try:
        leaves, structure = flatten(it, tree, stops if is_leaf is not None else None, call.node)
        marked = unflatten(it, structure, [_Mark(i) for i in range(len(leaves))], call.node)
        with it.quietly():
            chosen = it.call(where, [marked], {}, call.node)
        is_one = _holds(marked, chosen)
        targets = _targets(chosen, is_one)
        if "replace" in given:
            _replacements(it, targets, chosen, is_one, given["replace"], call.node)
        changed = _change(it, tree, marked, targets, given.get("replace_fn"), call.node)
        if not all(t.is_used for t in targets):
            raise Abort("tree_at of a part that is not found again")
        return changed
    except Abort as abort:
        it.engines.havoc(it, [where, given.get("replace_fn")])
        return it.unknown(abort.why)


def _numbers(value: Value) -> tuple[int, ...]:
    """The numbers of the leaves in a marked value."""
    if isinstance(value, _Mark):
        return (value.number,)
    if isinstance(value, tuple):
        return tuple(n for v in value for n in _numbers(v))
    if isinstance(value, ListValue) and value.items is not None:
        return tuple(n for v in value.items for n in _numbers(v))
    if isinstance(value, DictValue) and value.items is not None:
        return tuple(n for v in value.items.values() for n in _numbers(v))
    if isinstance(value, TreeValue):
        return tuple(n for v in value.leaves for n in _numbers(v))
    if isinstance(value, InstanceValue):
        return tuple(n for v in value.attributes.values() for n in _numbers(v))
    if isinstance(value, BaseValue):
        raise Abort("tree_at of a part that is not known")
    return ()


def _is_same(a: Any, b: Any) -> bool:
    """Whether two marked parts with the same leaves are the same, and not one a part of the other."""
    if a is b or type(a) is not type(b):
        return a is b
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(_is_same, a, b))
    if isinstance(a, ListValue):
        return _is_same(tuple(a.items or ()), tuple(b.items or ()))
    if isinstance(a, DictValue):
        return _is_same(tuple((a.items or {}).values()), tuple((b.items or {}).values()))
    if isinstance(a, TreeValue):
        return bool(a.structure == b.structure)
    if isinstance(a, InstanceValue):
        return a.cls is b.cls and _is_same(tuple(a.attributes.values()), tuple(b.attributes.values()))
    return bool(a.number == b.number) if isinstance(a, _Mark) else True


def _holds(marked: Value, chosen: Value) -> bool:
    """Whether what is chosen is one part, which may be a tuple or list too."""
    if marked is chosen:
        return True
    parts: Any = marked if isinstance(marked, tuple) else ()
    if isinstance(marked, ListValue):
        parts = marked.items or ()
    elif isinstance(marked, DictValue):
        parts = (marked.items or {}).values()
    elif isinstance(marked, InstanceValue):
        parts = marked.attributes.values()
    return any(_holds(part, chosen) for part in parts)


def _targets(chosen: Value, is_one: bool) -> list[_Target]:
    """The chosen parts: a sequence of them, or one."""
    parts: Any = [chosen]
    if not is_one and isinstance(chosen, tuple | ListValue):
        parts = list(chosen) if isinstance(chosen, tuple) else chosen.items
    targets = [_Target(part, _numbers(part)) for part in parts or ()]
    if not targets or not all(t.numbers for t in targets):
        raise Abort("tree_at of a part without leaves")
    return targets


def _replacements(
    it: Interpreter, targets: list[_Target], chosen: Value, is_one: bool, given: Value, node: ast.AST | None
) -> None:
    if is_one or not isinstance(chosen, tuple | ListValue):
        targets[0].new = given
        return
    items, _ = it.iterate(given, node) if isinstance(given, tuple | ListValue) else ([given] * len(targets), None)
    if items is None or len(items) != len(targets):
        raise Abort("tree_at with another number of replacements")
    for target, new in zip(targets, items):
        target.new = new


def _change(
    it: Interpreter, value: Value, marked: Any, targets: list[_Target], make: Value, node: ast.AST | None
) -> Value:
    """A value with the chosen parts replaced; `marked` is the same with marks for leaves."""
    numbers = _numbers(marked)
    for target in targets:
        if target.numbers == numbers and _is_same(target.marked, marked):
            target.is_used = True
            return target.new if make is None else it.call(make, [value], {}, node)
    if not any(n in numbers for t in targets for n in t.numbers):
        return value
    if isinstance(value, TreeValue):
        return _change_tree(it, value, numbers, targets, make, node)
    if isinstance(value, tuple):
        return remake_tuple(value, [_change(it, v, m, targets, make, node) for v, m in zip(value, marked)])
    if isinstance(value, ListValue):
        items = zip(value.items or (), marked.items)
        return ListValue([_change(it, v, m, targets, make, node) for v, m in items], kind=value.kind)
    if isinstance(value, DictValue):
        changed = {k: _change(it, v, marked.items[k], targets, make, node) for k, v in (value.items or {}).items()}
        return DictValue(changed, kind=value.kind)
    if isinstance(value, InstanceValue):
        attributes = {k: _change(it, v, marked.attributes[k], targets, make, node) for k, v in value.attributes.items()}
        return InstanceValue(value.cls, attributes)
    raise Abort("tree_at of a part that is not found again")


def _change_tree(
    it: Interpreter,
    value: TreeValue,
    numbers: tuple[int, ...],
    targets: list[_Target],
    make: Value,
    node: ast.AST | None,
) -> Value:
    """An object of a library with parts of it replaced."""
    first = numbers[0]
    inside = [t for t in targets if set(t.numbers) <= set(numbers)]
    positions = [(t.numbers[0] - first, t.numbers[-1] + 1 - first) for t in inside]
    news = []
    for target in inside:
        target.is_used = True
        if make is None:
            news.append(target.new)
            continue
        if len(target.numbers) != 1 or not isinstance(target.marked, _Mark):
            raise Abort("tree_at with replace_fn of a part of a library's object")
        news.append(it.call(make, [value.leaves[target.numbers[0] - first]], {}, node))
    return foreign.replaced(it.engines, value, positions, [t.marked for t in inside], news)
