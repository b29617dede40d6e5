"""What a value is made of, as a run sees it: it is judged by its type, and no method of the program's is called.

What can be changed (a list, a dict) is looked into only where nobody else holds it: another one could change it later,
and nothing would show that.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

from arraytyping.checker.audit.recorder import reader_of
from arraytyping.checker.boundary.structures import Array, Each, Fields, Items, Opaque, Plain, Size, Structure
from arraytyping.scalars import KINDS

__all__ = ["Describer"]

_PLAIN: Final = (type(None), bool, bytes, complex, float, int, str)
_LISTED: Final = 16
"""The items of a longer tuple or list are not kept, unless they are all alike."""
_MOST_ITEMS: Final = 4096
_MOST_KEYS: Final = 256
_LONGEST_KEY: Final = 60
_DEEPEST: Final = 12


_Kind = Callable[[Any, int, bool, int], Structure]


class Describer:
    """Gives the structure of values; types are judged once each."""

    def __init__(self) -> None:
        # The type is kept, and so its identity.
        self._kinds: dict[int, tuple[type, _Kind]] = {}
        self._alone = 0
        """How often a list counts as held that only the sequence given to `_part` holds."""
        self._part([[]], 0, True, 0)

    def structure(self, value: Any, is_shared: bool, held: int = 0) -> Structure:
        """The structure of a value, which others may hold; its parts are held so often besides."""
        if is_shared and _can_change(type(value)):
            return Opaque(_full_name(type(value)))
        return self._describe(value, 0, is_shared, held)

    def _part(self, alone: Sequence[Any], depth: int, is_shared: bool, held: int) -> Structure:
        """The structure of the item of a sequence of one, which was taken from another container."""
        (value,) = alone
        count = sys.getrefcount(value)
        self._alone = self._alone or count
        is_shared = is_shared or count > self._alone + 1 + held
        if (is_shared and _can_change(type(value))) or depth > _DEEPEST:
            return Opaque(_full_name(type(value)))
        return self._describe(value, depth, is_shared, 0)

    def _describe(self, value: Any, depth: int, is_shared: bool, held: int) -> Structure:
        kind = type(value)
        found = self._kinds.get(id(kind))
        if found is None:
            found = self._kinds[id(kind)] = (kind, self._classify(kind))
        return found[1](value, depth, is_shared, held)

    def _classify(self, kind: type) -> _Kind:
        if kind in _PLAIN:
            plain = Plain("None" if kind is type(None) else kind.__name__)
            return lambda value, depth, is_shared, held: plain
        if kind in (tuple, list):
            return self._items
        if kind is dict:
            return self._dict
        bases = type.__dict__["__mro__"].__get__(kind)
        name = _full_name(kind)
        if tuple in bases and isinstance(kind.__dict__.get("_fields"), tuple):
            names = kind.__dict__["_fields"]

            def namedtuple(value: Any, depth: int, is_shared: bool, held: int) -> Structure:
                parts = [self._part(tuple.__getitem__(value, slice(i, i + 1)), depth + 1, is_shared, held)
                         for i in range(len(names))]  # fmt: skip
                return Fields(name, tuple(zip(names, parts)))

            return namedtuple
        if kind.__dict__.get("__dataclass_fields__") is not None:
            return self._dataclass
        return self._array(kind, bases, name)

    def _array(self, kind: type, bases: Sequence[type], name: str) -> _Kind:
        read = reader_of(kind)
        opaque = Opaque(name)
        numpy = sys.modules.get("numpy")
        if isinstance(read, str):
            return lambda value, depth, is_shared, held: opaque
        if numpy is not None and (kind in (numpy.ndarray, numpy.memmap) or numpy.generic in bases):
            is_scalar = numpy.generic in bases

            def of_numpy(value: Any, depth: int, is_shared: bool, held: int) -> Structure:
                return Array("numpy", _dtype(value.dtype.name), value.shape, "scalar" if is_scalar else "")

            return of_numpy

        def of_jax(value: Any, depth: int, is_shared: bool, held: int) -> Structure:
            found = read(value)
            if found is None or found[0] != "jax":
                return opaque
            sizes: tuple[Size, ...] = tuple(size if type(size) is int else None for size in found[3])
            return Array("jax", _dtype(found[1]), sizes, "weak" if found[2] else "")

        return of_jax

    def _items(self, value: Any, depth: int, is_shared: bool, held: int) -> Structure:
        base: Any = type(value)
        if len(value) > _MOST_ITEMS:
            return Opaque(base.__name__)
        parts = tuple(
            self._part(base.__getitem__(value, slice(i, i + 1)), depth + 1, is_shared, held) for i in range(len(value))
        )
        if base is list and parts and all(part == parts[0] for part in parts):
            return Each(parts[0])  # how many there are is the data's affair
        return Items(base.__name__, parts) if len(value) <= _LISTED else Opaque(base.__name__)

    def _dict(self, value: Any, depth: int, is_shared: bool, held: int) -> Structure:
        if len(value) > _MOST_KEYS or not all(type(key) is str and len(key) <= _LONGEST_KEY for key in value):
            return Opaque("dict")
        return Fields("", tuple((key, self._part([value[key]], depth + 1, is_shared, held)) for key in value))

    def _dataclass(self, value: Any, depth: int, is_shared: bool, held: int) -> Structure:
        kind = type(value)
        held_by = getattr(value, "__dict__", None)
        names = [n for n in kind.__dict__["__dataclass_fields__"] if type(held_by) is dict and n in held_by]
        if type(held_by) is not dict or len(names) != len(held_by):
            return Opaque(_full_name(kind))
        parts = ((n, self._part([held_by[n]], depth + 1, is_shared, held)) for n in names)
        return Fields(_full_name(kind), tuple(parts))


def _can_change(kind: type) -> bool:
    """Whether values of a type that is looked into can be changed."""
    if kind in (list, dict):
        return True
    parameters = kind.__dict__.get("__dataclass_params__")
    return parameters is not None and not parameters.frozen


def _dtype(name: str) -> str | None:
    return name if name in KINDS or name.startswith("key<") else None


def _full_name(kind: type) -> str:
    """The module and the name of a class, as `type` has them."""
    module, name = kind.__dict__.get("__module__", "builtins"), type.__dict__["__qualname__"].__get__(kind)
    return name if module == "builtins" or not isinstance(module, str) else f"{module}.{name}"
