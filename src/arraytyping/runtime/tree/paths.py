"""Paths to the leaves of a pytree: the steps that they are made of, and how they are written.

Source: https://docs.jax.dev/en/latest/pytrees.html#explicit-key-paths.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Iterable
from typing import Any, Final

import optree

__all__ = ["DictKey", "FlattenedIndexKey", "GetAttrKey", "SequenceKey", "key_paths", "keystr", "path_str", "step_of"]


@dataclasses.dataclass(frozen=True)
class SequenceKey:
    """A step of a path, to an element of a tuple or list."""

    idx: int

    def __str__(self) -> str:
        return f"[{self.idx!r}]"


@dataclasses.dataclass(frozen=True)
class DictKey:
    """A step of a path, to a value of a dict."""

    key: Hashable

    def __str__(self) -> str:
        return f"[{self.key!r}]"


@dataclasses.dataclass(frozen=True)
class GetAttrKey:
    """A step of a path, to an attribute of an object."""

    name: str

    def __str__(self) -> str:
        return f".{self.name}"


@dataclasses.dataclass(frozen=True)
class FlattenedIndexKey:
    """A step of a path, to a child of an object whose class does not name its children."""

    key: int

    def __str__(self) -> str:
        return f"[<flat index {self.key}>]"


_MAPPINGS: Final = {optree.PyTreeKind.DICT, optree.PyTreeKind.ORDEREDDICT, optree.PyTreeKind.DEFAULTDICT}
_SEQUENCES: Final = {optree.PyTreeKind.TUPLE, optree.PyTreeKind.LIST, optree.PyTreeKind.DEQUE}


def step_of(entry: Any) -> Any:
    """The step that an entry of optree's stands for."""
    if entry.kind in _MAPPINGS:
        return DictKey(entry.entry)
    if entry.kind in _SEQUENCES:
        return SequenceKey(entry.entry)
    if entry.kind is optree.PyTreeKind.CUSTOM:
        return FlattenedIndexKey(entry.entry) if isinstance(entry.entry, int) else entry.entry
    return GetAttrKey(entry.field)  # of a named tuple


_STEPS: Final = (SequenceKey, DictKey, GetAttrKey, FlattenedIndexKey)


def key_paths(treedef: optree.PyTreeSpec) -> list[tuple[Any, ...]]:
    """The path to each leaf, in steps."""
    return [tuple([step_of(entry) for entry in accessor]) for accessor in treedef.accessors()]


def path_str(path: Iterable[Any]) -> str:
    """A path as a person writes it: `['w'][0]`."""
    return "".join([str(step) if isinstance(step, _STEPS) else f"[{step!r}]" for step in path])


def keystr(keys: Iterable[Any], *, simple: bool = False, separator: str = "") -> str:
    """A path of steps as text: `.layers[0]['w']`; `simple` and with separator `/`: `layers/0/w`."""
    if not simple:
        return separator.join(map(str, keys))
    return separator.join(
        [str(next(iter(vars(step).values()))) if isinstance(step, _STEPS) else str(step) for step in keys]
    )
