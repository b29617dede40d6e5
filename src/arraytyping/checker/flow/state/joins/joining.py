"""The join of two values, whatever they are: one that describes whatever either describes.

What joins two of the same class, or two contents of one mutable value, is registered in the other modules here.

Source: the least upper bound of an abstract domain; here an upper bound, not always the least.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from operator import is_
from typing import Any, Final

from arraytyping.checker.flow.state.aliases import link
from arraytyping.checker.flow.state.behaviour import Table
from arraytyping.checker.flow.state.joins.aliased_values import aliased
from arraytyping.checker.flow.state.joins.open_trees import as_open_tree, join_open_trees
from arraytyping.checker.flow.state.joins.saved import LOADING, saved_like
from arraytyping.checker.flow.values import (
    MISSING,
    AliasedValue,
    BoundMethod,
    DeclaredValue,
    DictValue,
    InertValue,
    InstanceValue,
    IteratorValue,
    LazyName,
    ListValue,
    MethodOf,
    OfNumPy,
    OpenTree,
    PartialValue,
    SavedValue,
    ScalarValue,
    SetValue,
    TreeValue,
    UnionValue,
    Unknown,
    Value,
)

__all__ = [
    "JOIN",
    "JOIN_CONTENTS",
    "SCALARS",
    "join",
    "join_all",
    "join_each",
    "join_snapshots",
    "joining_in_doubt",
    "open_tree_of",
    "same_contents",
    "scalar_kinds",
    "sharing_joins",
    "with_joined_contents",
]

JOIN: Final[Table[Value]] = Table("join")
"""What describes two values of the same class, MISSING if they stay two alternatives: `(a, b)`."""
JOIN_CONTENTS: Final[Table[Value]] = Table("join of contents")
"""What describes two snapshots of a mutable value: `(owner, a, b)`."""
SCALARS: Final = (bool, int, float, complex, str, bytes, OfNumPy)
_MOST_ALTERNATIVES: Final = 4
_DEEPEST: Final = 20
"""Values that refer to one another are as deep as one looks; a loop makes them deeper in each round."""
_FEW: Final = 4
"""Among how many values none is looked for that stands there twice."""
_PARTED: Final = (
    tuple, ListValue, DictValue, SetValue, IteratorValue, InstanceValue, TreeValue, BoundMethod, MethodOf, PartialValue,
)  # fmt: skip
"""What holds other values."""

_doubts: list[bool] = [True]
"""Whether what is being joined differs for another reason than the program's data; the last one counts."""


class joining_in_doubt:  # a block, as those that `contextmanager` makes, of which each call has one
    """Values are joined here of paths between which data decide, or something else if that is not sure."""

    __slots__ = ("_is_unsure",)

    def __init__(self, is_unsure: bool) -> None:
        self._is_unsure = is_unsure

    def __enter__(self) -> None:
        _doubts.append(self._is_unsure)

    def __exit__(self, *ended: object) -> None:
        _doubts.pop()


def join_all(values: Iterable[Value]) -> Value:
    """The join of any number of values; of none, MISSING."""
    joined: Value = MISSING
    values = list(values)
    if len(values) > _FEW:
        values = [*{id(value): value for value in values}.values()]  # a long list has few different items
    for value in values:
        joined = join(joined, value)
    return joined


def join_each(values: Iterable[Value], value: Value) -> list[Value]:
    """The join of each value with one, which is the same for those that are one object."""
    values = list(values)
    joined = {id(one): join(one, value) for one in {id(one): one for one in values}.values()}
    return [joined[id(one)] for one in values]


def join(a: Any, b: Any) -> Value:
    """The join of two values; MISSING joined with a value is that value."""
    if a is b or b is MISSING:
        return a
    if a is MISSING:
        return b
    if isinstance(a, InertValue) or isinstance(b, InertValue):
        return a if type(a) is type(b) else Unknown((a if isinstance(a, Unknown) else b).why)
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        if isinstance(a, DeclaredValue) and isinstance(b, DeclaredValue):
            if issubclass(a.cls, b.cls):
                return b
            if issubclass(b.cls, a.cls):
                return a
        return _join_unknown(_undeclared(a), _undeclared(b))
    if isinstance(a, UnionValue) or isinstance(b, UnionValue):
        values = [*_values(a), *_values(b)]
        joined = _alternatives([v for v in values if not isinstance(v, SavedValue)])
        saved = next((v for v in values if isinstance(v, SavedValue)), None)
        return joined if saved is None else _join_unknown(joined, saved)
    joined = _join_alike(a, b)
    return _alternatives([a, b]) if joined is MISSING else joined


def _undeclared(value: Value) -> Value:
    """What may be of another class, too."""
    return Unknown(value.why) if isinstance(value, DeclaredValue) else value


def _join_unknown(a: Value, b: Value) -> Value:
    """The join with something that is not known."""
    if isinstance(a, OpenTree) or isinstance(b, OpenTree):
        tree: Any = a if isinstance(a, OpenTree) else b
        other = b if tree is a else a
        if isinstance(other, OpenTree) or not isinstance(other, Unknown | UnionValue):
            return join_open_trees(tree, other, _join_alike)
    if isinstance(a, SavedValue):
        a, b = b, a
    if not isinstance(b, SavedValue):
        found: Any = a if isinstance(a, Unknown) else b
        either = aliased(found.why, a, b)
        return either if isinstance(either, AliasedValue) or isinstance(found, OpenTree) else found
    if isinstance(a, Unknown):
        return a if not isinstance(a, SavedValue) or a.loaded <= b.loaded else b
    if b.loaded <= LOADING.count:  # it has been loaded on either path
        return b
    if isinstance(a, UnionValue):
        known = [v for v in a.values if not _tells_anew(v) and not isinstance(v, SavedValue)]
        if not known:
            return a if any(isinstance(v, SavedValue) for v in a.values) else UnionValue((*a.values, b))
        # Which of them was saved is not known; that it is None does not tell it from what was saved any more.
        joined = [_join_unknown(v, b) for v in known]
        return _alternatives([*joined, *(v for v in a.values if _tells_anew(v))])
    if _tells_anew(a):
        return UnionValue((a, b))
    LOADING.take(a, b)
    pair = _saved.get(id(a))
    if pair is None:
        pair = a, saved_like(a, b)
        if _sharing:
            _saved[id(a)] = pair
    return a if pair[1] is MISSING else _join_alike(a, pair[1])


def open_tree_of(value: Value) -> Value:
    """A tree of which the leaves are wanted, and the structure is not known, as one; unknown if they are not alike."""
    return value if isinstance(value, OpenTree) else as_open_tree(value, _join_alike)


def _tells_anew(value: Value) -> bool:
    """Whether a program tells by this value that it begins anew."""
    return value is None or value is False or (type(value) is str and not value)


def _values(value: Value) -> tuple[Any, ...]:
    return value.values if isinstance(value, UnionValue) else (value,)


def _alternatives(values: list[Value]) -> Value:
    """One of these; those of the same sort are joined into one."""
    found: list[Value] = []
    for value in values:
        for i, other in enumerate(found):
            joined = other if other is value else _join_alike(other, value)
            if isinstance(joined, Unknown):
                return joined
            if joined is not MISSING:
                found[i] = joined
                break
        else:
            found.append(value)
    if len(found) > _MOST_ALTERNATIVES:
        return aliased(f"it may be one of {len(found)} sorts of values", *found)
    return found[0] if len(found) == 1 else UnionValue(tuple(found))


def scalar_kinds(value: Value) -> tuple[type, ...]:
    """The types that a Python scalar may have; empty for what is none."""
    if isinstance(value, ScalarValue):
        return value.kinds
    return (type(value),) if type(value) in SCALARS else ()


_pairs: Final[dict[tuple[int, int], tuple[Value, Value, Value]]] = {}
"""The joins of pairs while joins are shared: what two values share is joined once, and shared again."""


_saved: Final[dict[int, tuple[Value, Value]]] = {}
"""Values, and what was saved in their place, by their identity, meanwhile."""


_sharing: Final[list[bool]] = []


@contextmanager
def sharing_joins() -> Iterator[None]:
    """The join of the same two values is the same value here."""
    _sharing.append(True)
    try:
        yield
    finally:
        _sharing.pop()
        if not _sharing:
            _pairs.clear()
            _saved.clear()


def _join_alike(a: Value, b: Value) -> Value:
    """The join of two values of the same sort; MISSING if they are of different ones."""
    if not isinstance(a, _PARTED) and not isinstance(b, _PARTED):
        return _join_sorts(a, b)
    key = (id(a), id(b))
    if (known := _pairs.get(key)) is not None:
        return known[2]
    if len(_sharing) > _DEEPEST:
        return Unknown("a value that is deep in others")
    with sharing_joins():
        _pairs[key] = (a, b, Unknown("a value that contains itself"))
        joined = _join_sorts(a, b)
        _pairs[key] = (a, b, joined)
        return joined


def _join_sorts(a: Any, b: Any) -> Value:
    """`_join_alike`, of a pair that is not known yet."""
    if type(a) is type(b) and type(a) not in SCALARS and not isinstance(a, ScalarValue):
        return JOIN.of(a)(a, b)
    if isinstance(a, LazyName) or isinstance(b, LazyName):
        return Unknown("what a library's name stands for, or something else")
    kinds_a, kinds_b = scalar_kinds(a), scalar_kinds(b)
    # A scalar and something else stay two alternatives: `x = None` before a loop is looked for with `is`.
    return _join_scalars(a, b, kinds_a, kinds_b) if kinds_a and kinds_b else MISSING


def _join_scalars(a: Value, b: Value, kinds_a: tuple[type, ...], kinds_b: tuple[type, ...]) -> Value:
    exact = not isinstance(a, ScalarValue) and not isinstance(b, ScalarValue)
    if exact and type(a) is type(b) and (a == b or repr(a) == repr(b)):
        return a
    if (str in kinds_a or bytes in kinds_a) != (str in kinds_b or bytes in kinds_b):
        return MISSING
    size = a.size if isinstance(a, ScalarValue) and isinstance(b, ScalarValue) and a.size == b.size else None
    kinds = tuple(sorted({*kinds_a, *kinds_b}, key=SCALARS.index))
    return ScalarValue(*kinds, size=size, is_data=_joins_data(a, b))


def _joins_data(a: Value, b: Value) -> bool:
    """Whether one of two scalars hangs on data: both do, or one does and the other is known, or data decide."""
    hanging = [v for v in (a, b) if isinstance(v, ScalarValue)]
    if not all(v.is_data for v in hanging):
        return False
    return len(hanging) == 2 or not _doubts[-1]


def join_snapshots(owner: Value, a: Any, b: Any) -> Any:
    """The join of two contents of the same mutable value."""
    if a is MISSING:
        return b
    return a if b is MISSING or same_contents(a, b) else JOIN_CONTENTS.of(owner)(owner, a, b)


def same_contents(a: Any, b: Any) -> bool:
    """Whether two contents, as `snapshot` gives them, are of the very same values."""
    if a is b:
        return True
    if type(a) is not type(b) or type(a) not in (tuple, list, dict) or len(a) != len(b):
        return False
    if type(a) is tuple:
        return all(map(same_contents, a, b))
    return all(map(is_, a, b)) and (type(a) is list or all(map(is_, a.values(), b.values())))


def with_joined_contents(joined: Any, a: Any, b: Any) -> Value:
    """A new value, which may be either of two, with what both hold."""
    joined.restore(join_snapshots(a, a.snapshot(), b.snapshot()))
    return link(joined, a, b)
