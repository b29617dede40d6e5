"""The join of two values: one that describes whatever either describes.

Source: the least upper bound of an abstract domain; here an upper bound, not always the least.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from arraytyping.checker.flow.state.aliases import link
from arraytyping.checker.flow.state.identity import identity, is_same_object
from arraytyping.checker.flow.values import (
    MISSING,
    SEVERAL_LIVES,
    ArrayValue,
    BoundMethod,
    ClassValue,
    DictValue,
    FunctionValue,
    InertValue,
    InstanceValue,
    IteratorValue,
    KeyOrigin,
    LazyName,
    ListValue,
    MethodOf,
    NumPyValue,
    PartialValue,
    ScalarValue,
    SetValue,
    TreeValue,
    UnionValue,
    Unknown,
    Value,
    ViewValue,
    remake_tuple,
)
from arraytyping.checker.flow.values.origins import joined_origins
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.avals import ShapedArray, join_shapes

__all__ = ["join", "join_all", "join_snapshots", "joining_in_doubt", "sharing_joins"]

SCALARS: Final = (bool, int, float, complex, str, bytes)
_MOST_ALTERNATIVES: Final = 4
_DEEPEST: Final = 20
"""Values that refer to one another are as deep as one looks; a loop makes them deeper in each round."""
_PARTED: Final = (
    tuple, ListValue, DictValue, SetValue, IteratorValue, InstanceValue, TreeValue, BoundMethod, MethodOf, PartialValue,
)  # fmt: skip
"""What holds other values."""

_doubts: list[bool] = [True]
"""Whether what is being joined differs for another reason than the program's data; the last one counts."""


@contextmanager
def joining_in_doubt(is_unsure: bool) -> Iterator[None]:
    """Values are joined here of paths between which data decide, or something else if that is not sure."""
    _doubts.append(is_unsure)
    try:
        yield
    finally:
        _doubts.pop()


def join_all(values: Iterable[Value]) -> Value:
    """The join of any number of values; of none, MISSING."""
    joined: Value = MISSING
    for value in values:
        joined = join(joined, value)
    return joined


def join(a: Any, b: Any) -> Value:
    """The join of two values; MISSING joined with a value is that value."""
    if a is b or b is MISSING:
        return a
    if a is MISSING:
        return b
    if isinstance(a, InertValue) or isinstance(b, InertValue):
        return a if type(a) is type(b) else Unknown((a if isinstance(a, Unknown) else b).why)
    if isinstance(a, Unknown):
        return a
    if isinstance(b, Unknown):
        return b
    if isinstance(a, UnionValue) or isinstance(b, UnionValue):
        return _alternatives([*_values(a), *_values(b)])
    joined = _join_alike(a, b)
    return _alternatives([a, b]) if joined is MISSING else joined


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
        return Unknown(f"it may be one of {len(found)} sorts of values")
    return found[0] if len(found) == 1 else UnionValue(tuple(found))


def scalar_kinds(value: Value) -> tuple[type, ...]:
    """The types that a Python scalar may have; empty for what is none."""
    if isinstance(value, ScalarValue):
        return value.kinds
    return (type(value),) if type(value) in SCALARS else ()


_pairs: Final[dict[tuple[int, int], tuple[Value, Value, Value]]] = {}
"""The joins of pairs while joins are shared: what two values share is joined once, and shared again."""


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
    if isinstance(a, LazyName) or isinstance(b, LazyName):
        return a if identity(a) == identity(b) else Unknown("what a library's name stands for, or something else")
    if type(a) is ArrayValue and type(b) is ArrayValue:
        return _join_arrays(a, b)
    if type(a) is NumPyValue and type(b) is NumPyValue:
        return _join_numpy(a, b)
    kinds_a, kinds_b = scalar_kinds(a), scalar_kinds(b)
    if kinds_a and kinds_b:
        return _join_scalars(a, b, kinds_a, kinds_b)
    # A scalar and something else stay two alternatives: `x = None` before a loop is looked for with `is`.
    if kinds_a or kinds_b or a is None or b is None:
        return MISSING
    if isinstance(a, tuple) and isinstance(b, tuple):
        if type(a) is type(b) and len(a) == len(b):
            return remake_tuple(a, [join(x, y) for x, y in zip(a, b)])
        return MISSING
    if type(a) is type(b):
        if isinstance(a, ListValue | DictValue | SetValue | IteratorValue):
            return _join_containers(a, b)
        if isinstance(a, InstanceValue):
            if a.cls is not b.cls:
                return MISSING
            # The joined object is neither of the two, but writes to it are writes to one of them.
            return link(InstanceValue(a.cls, join_snapshots(a, a.attributes, b.attributes)), a, b)
        if isinstance(a, BoundMethod | MethodOf | PartialValue):
            return _join_bound(a, b)
        if isinstance(a, TreeValue) and a.treedef == b.treedef:
            return TreeValue(a.treedef, tuple(join(x, y) for x, y in zip(a.leaves, b.leaves)))
        if isinstance(a, slice):
            return slice(join(a.start, b.start), join(a.stop, b.stop), join(a.step, b.step))
    return a if _same(a, b) else MISSING


def _same(a: Value, b: Value) -> bool:
    if is_same_object(a, b):
        return True
    if (
        type(a) is not type(b)
        or (type(a).__dict__.get("__eq__") is None and type(a).__module__ != "builtins" and not isinstance(a, type))
        or type(a).__module__ == "arraytyping.checker.flow.values"
    ):
        return False
    try:
        return bool(a == b)
    except Exception as error:
        swallow(error)
        return False


def _join_arrays(a: ArrayValue, b: ArrayValue) -> ArrayValue:
    x, y = a.aval, b.aval
    traced = a.traced or b.traced
    place = a.place if a.place == b.place else None
    alike = place == a.place and a.bounds == b.bounds and a.sharding == b.sharding
    if x == y and type(x.value) is type(y.value) and alike:
        return _one_of(a if a.traced == traced else b, a, b)
    same = x.dtype == y.dtype
    value = x.value if x.value == y.value and type(x.value) is type(y.value) else None
    weak = x.weak_type if same and x.weak_type == y.weak_type else None
    shape = join_shapes(x.shape, y.shape)
    joined = ArrayValue(ShapedArray(shape, x.dtype if same else None, weak, value), traced, a.origin).at(place)
    return _one_of(joined, a, b)


def _is_over(array: ArrayValue) -> bool:
    """Whether it is a tracer whose trace is over."""
    return array.life is not None and array.life.end is not None and not array.life.end.is_donated


def _one_of(alike: ArrayValue, a: ArrayValue, b: ArrayValue) -> ArrayValue:
    """One of two arrays, as an array of its own: what happened to either is not certain of it."""
    joined = alike.another()
    joined.origin = joined_origins(a.origin, b.origin, joined.aval)
    are_alike = a.life is b.life or (_is_over(a) and _is_over(b))
    joined.life = a.life if are_alike and alike.traced else SEVERAL_LIVES
    if joined.keys_shape is not None:
        joined.key = a.key if a.key is b.key is not None else KeyOrigin.several()
    return joined


def _join_numpy(a: NumPyValue, b: NumPyValue) -> Value:
    if a.is_scalar != b.is_scalar:
        return MISSING
    same = identity(a) == identity(b)
    if same and a.is_scalar:
        return a
    dtype = a.dtype if a.dtype == b.dtype else None
    joined = NumPyValue(join_shapes(a.shape, b.shape), dtype, a.is_scalar, a.data if same else None, a.origin)
    return joined if a.is_scalar else link(joined, a, b)


def _join_bound(a: Any, b: Any) -> Value:
    """The join of two methods or partial functions: that of what they are bound to."""
    if isinstance(a, MethodOf):
        receiver = join(a.receiver, b.receiver) if a.name == b.name else MISSING
        return (
            MISSING if receiver is MISSING or isinstance(receiver, UnionValue | Unknown) else MethodOf(receiver, a.name)
        )
    if not is_same_object(a.function, b.function):
        return MISSING
    if isinstance(a, BoundMethod):
        receiver = join(a.receiver, b.receiver)
        return MISSING if isinstance(receiver, UnionValue | Unknown) else BoundMethod(a.function, receiver)
    if len(a.args) != len(b.args) or a.kwargs.keys() != b.kwargs.keys():
        return MISSING
    args = tuple(join(x, y) for x, y in zip(a.args, b.args))
    return PartialValue(a.function, args, {k: join(a.kwargs[k], b.kwargs[k]) for k in a.kwargs})


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


def _join_containers(a: Any, b: Any) -> Value:
    if a.kind is not b.kind if hasattr(a, "kind") else False:
        return MISSING
    if getattr(a, "kind", None) is frozenset and identity(a) == identity(b):
        return a
    if isinstance(a, ViewValue):
        of = join(a.of, b.of)
        return link(ViewValue(of, a.kind), a, b) if isinstance(of, DictValue) else MISSING
    if isinstance(a, IteratorValue):
        if a.pending is not None or b.pending is not None:
            return MISSING
        joined: Any = IteratorValue(None, MISSING, a.infinite and b.infinite)
    elif isinstance(a, DictValue):
        joined = DictValue(None, kind=a.kind, factory=a.factory)
    else:
        joined = type(a)(None, MISSING, a.kind)
    joined.restore(join_snapshots(a, a.snapshot(), b.snapshot()))
    return link(joined, a, b)


def join_snapshots(owner: Value, a: Any, b: Any) -> Any:
    """The join of two contents of the same mutable value."""
    if a is MISSING:
        return b
    if b is MISSING:
        return a
    if isinstance(owner, InstanceValue | ClassValue | FunctionValue):
        return {name: _join_attribute(a.get(name, MISSING), b.get(name, MISSING)) for name in {**a, **b}}
    if isinstance(owner, NumPyValue):
        return a[0] if a[0] is b[0] else None, join_shapes(a[1], b[1])
    if hasattr(owner, "joined"):
        return owner.joined(a, b)
    if isinstance(owner, DictValue):
        return _join_dicts(a, b)
    if isinstance(owner, IteratorValue):
        return _join_iterators(a, b)
    if isinstance(owner, SetValue):
        if a[0] is not None and b[0] is not None and list(a[0]) == list(b[0]):
            return a
        return None, join_all([*(a[0] or ()), *(b[0] or ()), a[1], b[1]])
    (items_a, element_a), (items_b, element_b) = a, b
    if items_a is not None and items_b is not None and len(items_a) == len(items_b):
        return [join(x, y) for x, y in zip(items_a, items_b)], MISSING
    return None, join_all([*(items_a or ()), *(items_b or ()), element_a, element_b])


def _join_iterators(a: Any, b: Any) -> Value:
    (items_a, element_a, infinite_a, pending_a), (items_b, element_b, infinite_b, pending_b) = a, b
    if pending_a is not None or pending_b is not None:
        if pending_a is pending_b:
            return a
        return None, Unknown("an iterator that is used up on some paths only"), False, None
    infinite = infinite_a and infinite_b
    if items_a is not None and items_b is not None and len(items_a) == len(items_b):
        return [join(x, y) for x, y in zip(items_a, items_b)], MISSING, infinite, None
    return None, join_all([*(items_a or ()), *(items_b or ()), element_a, element_b]), infinite, None


def _join_attribute(a: Value, b: Value) -> Any:
    if a is MISSING or b is MISSING:
        return Unknown("an attribute that is bound on some paths only")
    return join(a, b)


def _join_dicts(a: Any, b: Any) -> Value:
    (items_a, key_a, element_a), (items_b, key_b, element_b) = a, b
    if items_a is not None and items_b is not None and items_a.keys() == items_b.keys():
        return {k: join(items_a[k], items_b[k]) for k in items_a}, MISSING, MISSING
    key = join_all([*(items_a or ()), *(items_b or ()), key_a, key_b])
    element = join_all([*(items_a or {}).values(), *(items_b or {}).values(), element_a, element_b])
    return None, key, element
