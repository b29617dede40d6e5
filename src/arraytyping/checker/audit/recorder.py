"""The recorder: gets every value, keeps what it is if it is an array, and neither changes nor forces it.

A value is judged by its type, each type once, so that no method of the program's is called.  Of an array its abstract
value is read, which it has in any state: traced, deleted, or not computed yet.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeVar

from arraytyping.checker.audit.observations import (
    ArrayObservation,
    ExpressionObservations,
    Library,
    Observations,
)
from arraytyping.checker.claims import Position
from arraytyping.semantics.shardings import Spec, padded, read_spec

__all__ = ["Recorder", "reader_of"]

MOST: Final = 200
"""The distinct arrays that are kept of one expression."""
_DEPTH, _WIDTH, _LEAVES = 3, 8, 64
"""How deep tuples and lists are looked into, at how many items of each, and at how many in all."""

# As `type` defines them, whatever the program's metaclass does.
_BASES: Final = type.__dict__["__mro__"].__get__
_NAME: Final = type.__dict__["__name__"].__get__

_V = TypeVar("_V")
_Read = tuple[Library, str, bool, tuple[int | str, ...], Spec | None]
_Reader = Callable[[Any], _Read | None]


class Recorder:
    """What was observed so far, by the number of the position."""

    sees_bound = False
    """Whether it also gets what loops bind, and the parameters of functions."""

    def __init__(self) -> None:
        self._places: list[tuple[Path, Position] | None] = [None]
        self._files: dict[Path, set[Position]] = {}
        self._arrays: dict[int, dict[ArrayObservation, None]] = defaultdict(dict)
        self._others: dict[int, dict[str, None]] = defaultdict(dict)
        self._cut: set[int] = set()
        # By identity, since a metaclass of the program's may define equality; the type is kept, and so its identity.
        self._kinds: dict[int, tuple[type, _Reader | str]] = {}

    def numbering(self, path: Path) -> Callable[[Position], int]:
        """Numbers for the positions of a file."""
        positions = self._files.setdefault(path, set())

        def number(position: Position) -> int:
            positions.add(position)
            self._places.append((path, position))
            return len(self._places) - 1

        return number

    def seen(self, value: _V, number: int) -> _V:
        """Record a value, and return it."""
        try:
            self._record(value, number)
        except Exception:  # the program must go on as it would without us
            self._others[number]["?"] = None
        return value

    def _record(self, value: Any, number: int) -> None:
        kind = (self._kinds.get(id(type(value))) or self._classify(type(value)))[1]
        if isinstance(kind, str):
            self._others[number][kind] = None
        elif kind is _items:
            found: list[ArrayObservation] = []
            self._look_into(value, (), found)
            if found:
                self._keep(found, number)
            else:
                self._others[number][_NAME(type(value))] = None
        elif (read := kind(value)) is not None:
            self._keep((ArrayObservation(*read[:4], (), read[4]),), number)
        else:
            self._others[number][_NAME(type(value))] = None

    def _keep(self, found: Iterable[ArrayObservation], number: int) -> None:
        kept = self._arrays[number]
        for array in found:
            if array not in kept:
                if len(kept) < MOST:
                    kept[array] = None
                else:
                    self._cut.add(number)

    def _look_into(self, values: Any, path: tuple[int, ...], found: list[ArrayObservation]) -> None:
        base = tuple if isinstance(values, tuple) else list
        for i, value in enumerate(base.__getitem__(values, slice(_WIDTH))):
            kind = (self._kinds.get(id(type(value))) or self._classify(type(value)))[1]
            if isinstance(kind, str):
                continue
            if len(found) == _LEAVES:
                return
            if kind is not _items:
                if (read := kind(value)) is not None:
                    found.append(ArrayObservation(*read[:4], (*path, i), read[4]))
            elif len(path) + 1 < _DEPTH:
                self._look_into(value, (*path, i), found)

    def _classify(self, kind: type) -> tuple[type, _Reader | str]:
        entry = kind, reader_of(kind)
        self._kinds[id(kind)] = entry
        return entry

    def observations(self) -> Observations:
        """All that was observed."""
        files: dict[Path, list[ExpressionObservations]] = {path: [] for path in self._files}
        for number in {*self._arrays, *self._others}:
            place = self._places[number]
            if place is not None:
                path, position = place
                arrays, others = tuple(self._arrays.get(number, ())), tuple(self._others.get(number, ()))
                files[path].append(ExpressionObservations(*position, arrays, others, number not in self._cut))
        return Observations(_in_order(files), {path: frozenset(found) for path, found in sorted(self._files.items())})


def _in_order(
    files: Mapping[Path, list[ExpressionObservations]],
) -> dict[Path, tuple[ExpressionObservations, ...]]:
    def order(e: ExpressionObservations) -> Position:
        return e.line, e.column, -e.end_line, -e.end_column

    return {path: tuple(sorted(found, key=order)) for path, found in sorted(files.items())}


def reader_of(kind: type) -> _Reader | str:
    """How values of a type are read, or the name of a type that is no array's."""
    bases: tuple[type, ...] = _BASES(kind) or ()  # a few of CPython's own types have none
    jax, numpy = sys.modules.get("jax"), sys.modules.get("numpy")
    if _is_any(bases, jax, "Array") or _is_any(bases, getattr(jax, "core", None), "Tracer"):
        return _read_jax
    if _is_any(bases, sys.modules.get("arraytyping.basearray"), "Array"):
        return _read_own
    if _is_any(bases, numpy, "ndarray") or _is_any(bases, numpy, "generic"):
        return _read_numpy
    return _items if any(base is tuple or base is list for base in bases) else _NAME(kind)


def _is_any(bases: tuple[type, ...], module: ModuleType | None, name: str) -> bool:
    # Never by `isinstance`: that of `jax.Array` reads an attribute of the value.
    found = getattr(module, name, None)
    return any(base is found for base in bases)


def _items(value: Any) -> None:
    """The mark of tuples and lists, which are looked into."""


def _read_jax(value: Any) -> _Read | None:
    aval = value.aval
    weak_type = getattr(aval, "weak_type", None)
    if weak_type is None:  # a reference, a token
        return None
    shape = aval.shape
    if not all(type(d) is int for d in shape):
        shape = tuple(d if type(d) is int else str(d) for d in shape)
    return "jax", _name(aval.dtype), weak_type, shape, _sharding(value, aval)


def _read_own(value: Any) -> _Read | None:
    """An array of arraytyping's runtime, which is one of JAX's kind."""
    dtype = value.dtype
    name = _name(dtype) if hasattr(dtype, "name") else str(dtype)  # that of typed keys has no name
    return "jax", name, bool(getattr(value, "weak_type", False)), value.shape, None


def _read_numpy(value: Any) -> _Read:
    return "numpy", _name(value.dtype), False, value.shape, None


def _sharding(value: Any, aval: Any) -> Spec | None:
    """Along which axes of a mesh an array is cut: as its type says, or as it lies."""
    named = getattr(aval, "sharding", None)
    mesh = getattr(named, "mesh", None)
    if mesh is None or not any(kind.name == "Explicit" for kind in mesh.axis_types or ()):
        named = value.sharding if type(value).__name__ == "ArrayImpl" else None
    spec = getattr(named, "spec", None)
    read = None if spec is None else read_spec(spec)
    return None if read is None else padded(read, len(aval.shape))


def _name(dtype: Any) -> str:
    # JAX's type of cotangents of integers is a structured one without a name of its own.
    return "float0" if getattr(dtype, "names", None) == ("float0",) else dtype.name
