"""When two values are the same: a key by which results are kept, and a loop's state is seen to have settled."""

from __future__ import annotations

import ast
import functools
import hashlib
import weakref
from typing import Any, Final

from arraytyping.checker.flow.values import (
    MISSING,
    AliasedValue,
    ArrayValue,
    AtValue,
    BoundMethod,
    ClassValue,
    DeclaredValue,
    Descriptor,
    DictValue,
    FunctionValue,
    HandlerValue,
    InertValue,
    InstanceValue,
    IteratorValue,
    JitValue,
    LazyName,
    ListValue,
    MethodOf,
    ModuleValue,
    Mutable,
    NumPyValue,
    OpenTree,
    PartialValue,
    RefValue,
    ScalarValue,
    SetValue,
    SuperValue,
    TreeValue,
    UnionValue,
    Unknown,
    Value,
    ViewValue,
)
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["identity", "is_alike", "is_same_object", "is_snapshot_alike", "names_read", "tells_all"]

_PLAIN: Final = frozenset({str, int, bool, type(None), bytes})
DEPTH: Final = 14
"""Below this depth values are told apart by what they are, not by what is in them."""

_kept: dict[int, Any] = {}
"""Objects that are known by their address, which must not be given to another one."""


def _by_address(value: Value) -> tuple[Any, ...]:
    _kept[id(value)] = value
    return ("@", id(value))


def identity(value: Any, depth: int = 0) -> Any:
    """A hashable key: equal for values that describe the same, however often they were made."""
    kind = type(value)
    if kind in _PLAIN:
        return kind, value
    if kind is ArrayValue:
        aval = value.aval
        held = type(aval.value), aval.value, value.traced, value.bounds, value.place
        return "A", aval.shape, aval.dtype, aval.weak_type, *held
    if kind is float or kind is complex:
        return kind, repr(value)  # nan, -0.0
    if depth > _deepest[-1]:
        _deepest[-1] = depth
    if depth > DEPTH:
        return _by_address(value)
    make = _KEYS.get(kind)
    if make is None and not isinstance(value, tuple):
        return _by_address(value)
    if make is not None and kind in _WITHOUT_PARTS:
        return make(value, depth + 1)
    at = id(value)
    known = _flat.get(at)
    if known is None or depth + known[1] > DEPTH:
        known = _known.get((at, depth))
    if known is not None:
        if depth + known[1] > _deepest[-1]:
            _deepest[-1] = depth + known[1]
        return known[0]
    is_outermost = len(_deepest) == 1
    _deepest.append(depth)
    try:
        made = (kind, _many(value, depth + 1)) if make is None else make(value, depth + 1)
        known = _interned(made), _deepest[-1] - depth
        if _deepest[-1] <= DEPTH:  # it is the same at any other depth from which one does not come too deep
            _flat[at] = known
        else:
            _known[at, depth] = known
        return known[0]
    finally:
        deepest = _deepest.pop()
        if is_outermost:
            _flat.clear()
            _known.clear()
            _deepest[-1] = 0
        elif deepest > _deepest[-1]:
            _deepest[-1] = deepest


class _Key:
    """What stands for a key of several parts, so that keys are flat however deep and shared the values are."""

    __slots__ = ("__weakref__", "parts")

    def __init__(self, parts: Any) -> None:
        self.parts: Any = parts

    def __repr__(self) -> str:
        return f"_Key{self.parts!r}"


_flat: Final[dict[int, tuple[Any, int]]] = {}
"""The keys of values that end above the depth, by address, while the outermost key is made, and how much deeper what
is in them lies: what is shared is looked at once."""
_known: Final[dict[tuple[int, int], tuple[Any, int]]] = {}
"""Those of the others, by address and depth."""
_deepest: Final[list[int]] = [0]
"""How deep was looked so far within each value around."""
_keys: Final[weakref.WeakValueDictionary[Any, _Key]] = weakref.WeakValueDictionary()


def _interned(parts: Any) -> Any:
    try:
        found = _keys.get(parts)
    except TypeError:  # a part of a library's structure is not hashable
        return parts
    if found is None:
        found = _keys[parts] = _Key(parts)
    return found


def is_alike(a: Any, b: Any) -> bool:
    """Whether two values have the same key, for which what is one object in both is not looked into."""
    before = len(_alike)
    try:
        return _is_alike(a, b, 0)
    finally:
        if not before:
            _alike.clear()


def is_snapshot_alike(a: Any, b: Any) -> bool:
    """Whether two contents of a mutable value have the same key."""
    if a is b:
        return True
    if type(a) is not type(b) or type(a) not in (dict, list, tuple):
        return is_alike(a, b)
    if len(a) != len(b):
        return False
    if type(a) is tuple:
        return all(map(is_snapshot_alike, a, b))
    if type(a) is list:
        return all(map(is_alike, a, b))
    if not all(map(is_alike, a, b)):  # the keys
        return False
    return all(map(is_alike, a.values(), b.values()))


_alike: Final[dict[tuple[int, int, int], bool]] = {}
"""What was found of pairs, by their addresses and depth, within the outermost comparison."""


def _is_alike(a: Any, b: Any, depth: int) -> bool:
    if a is b:
        return True
    kind = type(a)
    if kind is not type(b):
        return False
    parts = _PARTS.get(kind) if kind is not tuple else _tuple_parts
    if parts is None or depth > DEPTH:
        return bool(identity(a, depth) == identity(b, depth))
    at = (id(a), id(b), depth)
    found = _alike.get(at)
    if found is None:
        (told_a, held_a), (told_b, held_b) = parts(a), parts(b)
        found = told_a == told_b and len(held_a) == len(held_b)
        found = found and all(_is_alike(x, y, depth + 1) for x, y in zip(held_a, held_b))
        _alike[at] = found
    return found


def _tuple_parts(v: tuple[Any, ...]) -> Any:
    return None, v


def _instance_parts(v: InstanceValue) -> Any:
    return (v.cls.born, *v.attributes), (*v.attributes.values(),)


def _list_parts(v: ListValue) -> Any:
    return (v.kind, v.items is None), (v.element,) if v.items is None else (v.element, *v.items)


def _dict_parts(v: DictValue) -> Any:
    held = () if v.items is None else (*v.items, *v.items.values())
    return (v.kind, v.items is None), (v.key, v.element, *held)


_PARTS: Final[dict[type, Any]] = {
    InstanceValue: _instance_parts,
    ListValue: _list_parts,
    DictValue: _dict_parts,
    BoundMethod: lambda v: (None, (v.function, v.receiver)),
}
"""What tells values of a class apart, and what is in them, for those that often differ in few of their parts."""


def _many(values: Any, depth: int) -> tuple[Any, ...]:
    return tuple(identity(v, depth) for v in values)


def _mapping(values: dict[Any, Any], depth: int) -> tuple[Any, ...]:
    return tuple((identity(k, depth), identity(v, depth)) for k, v in values.items())


def _list(v: ListValue, d: int) -> Any:
    return "L", v.kind, None if v.items is None else _many(v.items, d), identity(v.element, d)


def _dict(v: DictValue, d: int) -> Any:
    return "D", v.kind, None if v.items is None else _mapping(v.items, d), identity(v.key, d), identity(v.element, d)


def _set(v: SetValue, d: int) -> Any:
    return "S", v.kind, None if v.items is None else _many(v.items, d), identity(v.element, d)


def _numpy(v: NumPyValue, d: int) -> Any:
    return "N", v.shape, v.dtype, v.is_scalar, v.is_data, v.limits, v.rows, None if v.data is None else _digest(v.data)


_digests: dict[int, tuple[Any, bytes]] = {}
"""Digests of arrays, which are never written in place, by address, with a reference that tells whether it is theirs."""


def _digest(data: Any) -> bytes:
    if data.dtype == object:
        return repr(id(data)).encode()
    if data.size <= 64:
        raw: bytes = data.tobytes()
        return raw
    known = _digests.get(id(data))
    if known is not None and known[0]() is data:
        return known[1]
    digest = hashlib.blake2b(data.tobytes(), digest_size=16).digest()
    _digests[id(data)] = (weakref.ref(data), digest)
    return digest


def _iterator(v: IteratorValue, d: int) -> Any:
    if v.pending is not None:
        return _by_address(v)
    return "I", None if v.items is None else _many(v.items, d), identity(v.element, d), v.infinite


def _handler(v: HandlerValue, d: int) -> Any:
    if not v.wraps and v.identity is None:
        return _by_address(v)
    return "H", v.name, _many(v.wraps, d), identity(v.identity, d)


def _function(v: FunctionValue, d: int) -> Any:
    """A function is its code and what it reads of the frames that it closes over."""
    closed: list[Any] = []
    if v.frame.kind != "module":
        for name in _free_names(v.node):
            frame: Frame | None = v.frame
            while frame is not None and frame.kind != "module":
                if name in frame.variables and frame.kind != "class":
                    held = frame.variables[name]
                    closed.append((name, "self" if held is v else identity(held, d + 2)))
                    break
                frame = frame.parent
    return "F", id(v.node), tuple(closed), _many(v.defaults, d), _many(v.kw_defaults, d)


def tells_all(key: Value) -> bool:
    """Whether values of this key are the same in the run, but for the elements of arrays and other real numbers."""
    waiting, seen = [key], set()
    while waiting:
        parts = waiting.pop()
        if isinstance(parts, _Key):
            if id(parts) in seen:
                continue
            seen.add(id(parts))
            parts = parts.parts
        if not isinstance(parts, tuple):
            continue
        kind = parts[0] if parts else None
        if kind in ("U", "|") or (kind == "s" and not {*parts[1]} <= {float, complex}):
            return False
        if kind == "A" and (parts[1] is None or None in parts[1]):
            return False
        waiting += parts
    return True


_compared: Final[dict[tuple[int, int], Any]] = {}
"""The pairs that were compared within the outermost comparison: one that differs ends all of it."""


def is_same_object(a: Value, b: Value, depth: int = 0) -> bool:
    """Whether two values are alike and no object with contents of its own is another one in them."""
    if a is b:
        return True
    if type(a) is not type(b) or depth > DEPTH:
        return False
    if depth > 0 and (id(a), id(b)) in _compared:
        return True
    _compared[id(a), id(b)] = (a, b)
    try:
        return _is_same(a, b, depth)
    finally:
        if depth == 0:
            _compared.clear()


def _is_same(a: Any, b: Any, depth: int) -> bool:
    if isinstance(a, tuple):
        return len(a) == len(b) and _all_same(a, b, depth)
    if isinstance(a, FunctionValue):
        if a.node is not b.node or not _all_same(a.defaults, b.defaults, depth):
            return False
        if a.frame is b.frame:
            return True
        mine, others = _closed_over(a), _closed_over(b)
        if mine.keys() != others.keys() or any(isinstance(n, ast.Nonlocal) for n in ast.walk(a.node)):
            return False
        return all((v is a and others[n] is b) or is_same_object(v, others[n], depth + 1) for n, v in mine.items())
    if isinstance(a, ViewValue):
        return a.kind is b.kind and a.of is b.of
    if isinstance(a, Mutable):
        return isinstance(a, SetValue) and a.kind is frozenset and identity(a) == identity(b)
    if isinstance(a, NumPyValue):
        return a.is_scalar and identity(a) == identity(b)
    if isinstance(a, BoundMethod | MethodOf):
        first, second = [(v.receiver, v.name if isinstance(v, MethodOf) else v.function) for v in (a, b)]
        return _all_same(first, second, depth)
    if isinstance(a, PartialValue):
        return is_same_object(a.function, b.function, depth + 1) and _all_same(
            (*a.args, *a.kwargs.items()), (*b.args, *b.kwargs.items()), depth
        )
    if isinstance(a, JitValue):
        return is_same_object(a.function, b.function, depth + 1) and identity(a) == identity(b)
    if isinstance(a, HandlerValue) and (a.wraps or a.identity is not None):
        return identity(a) == identity(b) and _all_same(a.wraps, b.wraps, depth)
    return bool(identity(a) == identity(b))


def _all_same(a: Any, b: Any, depth: int) -> bool:
    return len(a) == len(b) and all(is_same_object(x, y, depth + 1) for x, y in zip(a, b))


def _closed_over(v: FunctionValue) -> dict[str, Any]:
    """What a function reads of the frames around it, other than the module's."""
    found: dict[str, Any] = {}
    for name in names_read(v.node) if v.frame.kind != "module" else ():
        frame: Frame | None = v.frame
        while frame is not None and frame.kind != "module":
            if name in frame.variables and frame.kind != "class":
                found[name] = frame.variables[name]
                break
            frame = frame.parent
    return found


@functools.cache
def names_read(node: ast.AST) -> tuple[str, ...]:
    """The names that occur in a function, in order."""
    return tuple(sorted({n.id for n in ast.walk(node) if isinstance(n, ast.Name)}))


@functools.cache
def _free_names(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> tuple[str, ...]:
    """The names that occur in a function, other than its parameters, in order."""
    spec = node.args
    own = {p.arg for p in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg) if p is not None}
    return tuple(name for name in names_read(node) if name not in own)


_WITHOUT_PARTS: Final = frozenset(
    {
        Unknown,
        DeclaredValue,
        InertValue,
        ScalarValue,
        NumPyValue,
        RefValue,
        ModuleValue,
        LazyName,
        ClassValue,
        range,
        type(MISSING),
    }
)
"""Values whose keys are short."""

_KEYS: Final[dict[type, Any]] = {
    slice: lambda v, d: ("slice", _many((v.start, v.stop, v.step), d)),
    range: lambda v, d: ("range", v.start, v.stop, v.step),
    Unknown: lambda v, d: ("U",),
    DeclaredValue: lambda v, d: ("U", v.cls),
    AliasedValue: lambda v, d: ("U", frozenset((type(one), getattr(one, "cls", None)) for one in v.others)),
    OpenTree: lambda v, d: ("U", identity(v.leaf, d)),
    InertValue: lambda v, d: ("U", "inert"),
    ScalarValue: lambda v, d: ("s", v.kinds, v.size, v.is_data),
    NumPyValue: _numpy,
    UnionValue: lambda v, d: ("|", _many(v.values, d)),
    ListValue: _list,
    ViewValue: lambda v, d: ("V", v.kind, identity(v.of, d)),
    DictValue: _dict,
    SetValue: _set,
    IteratorValue: _iterator,
    InstanceValue: lambda v, d: ("i", v.cls.born, _mapping(v.attributes, d)),  # another class may have its address
    FunctionValue: _function,
    BoundMethod: lambda v, d: ("B", identity(v.function, d), identity(v.receiver, d)),
    MethodOf: lambda v, d: ("M", identity(v.receiver, d), v.name),
    PartialValue: lambda v, d: ("P", identity(v.function, d), _many(v.args, d), _mapping(v.kwargs, d)),
    JitValue: lambda v, d: ("J", identity(v.function, d), _mapping(v.options, d)),
    HandlerValue: _handler,
    Descriptor: lambda v, d: ("d", v.kind, identity(v.function, d)),
    SuperValue: lambda v, d: ("super", id(v.after), identity(v.receiver, d)),
    AtValue: lambda v, d: ("at", identity(v.array, d), identity(v.index, d)),
    RefValue: lambda v, d: ("ref", v.aval),
    TreeValue: lambda v, d: ("tree", v.structure, _many(v.leaves, d)),
    ModuleValue: lambda v, d: ("module", v.module.name),
    LazyName: lambda v, d: ("lazy", v.module, v.name),
    ClassValue: lambda v, d: _by_address(v),
    type(MISSING): lambda v, d: ("missing",),
}  # fmt: skip
