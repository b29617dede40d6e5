"""Joins of containers: tuples, slices, lists, dicts with their views, sets and iterators."""

from __future__ import annotations

from typing import Any

from arraytyping.checker.flow.state.aliases import link
from arraytyping.checker.flow.state.identity import identity
from arraytyping.checker.flow.state.joins.joining import JOIN, JOIN_CONTENTS, join, join_all, with_joined_contents
from arraytyping.checker.flow.values import (
    MISSING,
    DictValue,
    IteratorValue,
    ListValue,
    SetValue,
    TreeContents,
    Unknown,
    Unordered,
    Value,
    ViewValue,
    remake_tuple,
)

__all__: list[str] = []


@JOIN(tuple)
def _join_tuples(a: tuple[Any, ...], b: tuple[Any, ...]) -> Value:
    return remake_tuple(a, [join(x, y) for x, y in zip(a, b)]) if len(a) == len(b) else MISSING


@JOIN(slice)
def _join_slices(a: slice, b: slice) -> Value:
    return slice(join(a.start, b.start), join(a.stop, b.stop), join(a.step, b.step))


@JOIN(ListValue)
def _join_lists(a: ListValue, b: ListValue) -> Value:
    return with_joined_contents(ListValue(None, MISSING, a.kind), a, b) if a.kind is b.kind else MISSING


@JOIN_CONTENTS(ListValue)
def _join_list_contents(owner: ListValue, a: Any, b: Any) -> Value:
    (items_a, element_a), (items_b, element_b) = a, b
    if items_a is not None and items_b is not None and len(items_a) == len(items_b):
        return [join(x, y) for x, y in zip(items_a, items_b)], MISSING
    return None, join_all([*(items_a or ()), *(items_b or ()), element_a, element_b])


@JOIN(ViewValue)
def _join_views(a: ViewValue, b: ViewValue) -> Value:
    of = join(a.of, b.of) if a.kind is b.kind else MISSING
    return link(ViewValue(of, a.kind), a, b) if isinstance(of, DictValue) else MISSING


@JOIN_CONTENTS(TreeContents)
def _join_tree_contents(owner: TreeContents, a: Any, b: Any) -> Value:
    return True  # on one of the paths something was written into it


@JOIN_CONTENTS(ViewValue)
def _join_view_contents(owner: ViewValue, a: Any, b: Any) -> Value:
    return owner.joined(a, b)


@JOIN(DictValue)
def _join_dicts(a: DictValue, b: DictValue) -> Value:
    if a.kind is not b.kind:
        return MISSING
    return with_joined_contents(DictValue(None, kind=a.kind, factory=a.factory), a, b)


@JOIN_CONTENTS(DictValue)
def _join_dict_contents(owner: DictValue, a: Any, b: Any) -> Value:
    (items_a, key_a, element_a), (items_b, key_b, element_b) = a, b
    if items_a is not None and items_b is not None and items_a.keys() == items_b.keys():
        joined = {k: x if (x := items_a[k]) is (y := items_b[k]) else join(x, y) for k in items_a}
        if list(items_a) == list(items_b) and not isinstance(items_a, Unordered) and not isinstance(items_b, Unordered):
            return joined, MISSING, MISSING
        if owner.kind is dict:
            return Unordered(joined), MISSING, MISSING
    key = join_all([*(items_a or ()), *(items_b or ()), key_a, key_b])
    element = join_all([*(items_a or {}).values(), *(items_b or {}).values(), element_a, element_b])
    return None, key, element


@JOIN(SetValue)
def _join_sets(a: SetValue, b: SetValue) -> Value:
    if a.kind is not b.kind:
        return MISSING
    if a.kind is frozenset and identity(a) == identity(b):
        return a
    return with_joined_contents(SetValue(None, MISSING, a.kind), a, b)


@JOIN_CONTENTS(SetValue)
def _join_set_contents(owner: SetValue, a: Any, b: Any) -> Value:
    if a[0] is not None and b[0] is not None and list(a[0]) == list(b[0]):
        return a
    return None, join_all([*(a[0] or ()), *(b[0] or ()), a[1], b[1]])


@JOIN(IteratorValue)
def _join_iterators(a: IteratorValue, b: IteratorValue) -> Value:
    if a.pending is not None or b.pending is not None:
        return MISSING
    return with_joined_contents(IteratorValue(None, MISSING, a.infinite and b.infinite), a, b)


@JOIN_CONTENTS(IteratorValue)
def _join_iterator_contents(owner: IteratorValue, a: Any, b: Any) -> Value:
    (items_a, element_a, infinite_a, pending_a), (items_b, element_b, infinite_b, pending_b) = a, b
    if pending_a is not None or pending_b is not None:
        if pending_a is pending_b:
            return a
        begun, waiting = (b, pending_a) if pending_b is None else (a, pending_b)
        if waiting is owner.made_by and begun[0] is None and begun[3] is None:
            return begun  # of which each item is as the first one is where it was not begun
        return None, Unknown("an iterator that is used up on some paths only"), False, None
    infinite = infinite_a and infinite_b
    if items_a is not None and items_b is not None and len(items_a) == len(items_b):
        return [join(x, y) for x, y in zip(items_a, items_b)], MISSING, infinite, None
    return None, join_all([*(items_a or ()), *(items_b or ()), element_a, element_b]), infinite, None
