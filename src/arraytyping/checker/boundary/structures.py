"""What a value is made of: containers, dtypes and shapes, and how the file of a recording writes it.

An array is a text such as `numpy.float32[n, 28]`, a number or string the name of its type, a container an object of
JSON: `{"tuple": [...]}`, `{"list": [...]}`, `{"each": ...}` for a list of any length, `{"dict": {...}}`,
`{"class": "pkg.Name", "fields": {...}}`, and `{"either": [...]}` for one of several.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from arraytyping.scalars import KINDS

__all__ = [
    "Array",
    "Each",
    "Either",
    "Fields",
    "Items",
    "Opaque",
    "Plain",
    "Size",
    "Structure",
    "from_json",
    "is_known",
    "map_sizes",
    "sizes_of",
    "to_json",
]

Size: TypeAlias = int | str | None
"""A number, the name of a size that varied, or None for one of which nothing is said."""

PLAIN: Final = ("None", "bool", "bytes", "complex", "float", "int", "str")
"""The names of the types that are kept of values which are no arrays and no containers."""

_NUMBERS: Final = ("complex", "float", "int")
_ARRAY: Final = re.compile(r"(jax|numpy)\.([a-z0-9_<>]+|\?)\[([a-z0-9_?, ]*)\]( weak| scalar)?")
_KEY: Final = re.compile(r"key<\w+>")
_SIZE: Final = re.compile(r"0|[1-9][0-9]{0,17}|[a-z][a-z0-9_]*|\?")
_DEEPEST: Final = 32


@dataclass(frozen=True, slots=True)
class Array:
    """An array; `shape` is None where not even the rank is the same in all calls, `dtype` None where it differs."""

    library: Literal["jax", "numpy"]
    dtype: str | None
    shape: tuple[Size, ...]
    mark: Literal["", "weak", "scalar"] = ""
    """Whether its type is weak, or it is a scalar of NumPy and no array."""

    def __str__(self) -> str:
        sizes = ", ".join("?" if size is None else str(size) for size in self.shape)
        return f"{self.library}.{self.dtype or '?'}[{sizes}]{' ' if self.mark else ''}{self.mark}"


@dataclass(frozen=True, slots=True)
class Plain:
    """A value of one of Python's own types, of which only the type is kept."""

    kind: str


@dataclass(frozen=True, slots=True)
class Items:
    """A tuple or a list with its items."""

    kind: Literal["tuple", "list"]
    items: tuple[Structure, ...]


@dataclass(frozen=True, slots=True)
class Each:
    """A list of any length, each item of which is so."""

    item: Structure


@dataclass(frozen=True, slots=True)
class Fields:
    """A dict by its keys, or an instance of a class (`pkg.Name`) by its fields."""

    name: str
    """The class; empty for a dict."""
    fields: tuple[tuple[str, Structure], ...]


@dataclass(frozen=True, slots=True)
class Opaque:
    """An object that is not looked into."""

    name: str


@dataclass(frozen=True, slots=True)
class Either:
    """One of several."""

    options: tuple[Structure, ...]


Structure: TypeAlias = Array | Plain | Items | Each | Fields | Opaque | Either


def _parts(structure: Structure) -> Sequence[Structure]:
    if isinstance(structure, Items):
        return structure.items
    if isinstance(structure, Each):
        return (structure.item,)
    if isinstance(structure, Fields):
        return [part for _, part in structure.fields]
    return structure.options if isinstance(structure, Either) else ()


def is_known(structure: Structure) -> bool:
    """Whether anything is said of it that matters for arrays: an array, a number, or what contains one."""
    if isinstance(structure, Array | Plain):
        return isinstance(structure, Array) or structure.kind in _NUMBERS
    parts = _parts(structure)
    if isinstance(structure, Either) and any(isinstance(option, Opaque) for option in parts):
        return False
    return any(map(is_known, parts))


def sizes_of(structure: Structure) -> Iterator[Size]:
    """The sizes of all arrays in it, in order."""
    if isinstance(structure, Array):
        yield from structure.shape
    for part in _parts(structure):
        yield from sizes_of(part)


def map_sizes(structure: Structure, change: Callable[[Size], Size]) -> Structure:
    """The same structure with other sizes, which are asked for in order."""
    if isinstance(structure, Array):
        return Array(structure.library, structure.dtype, tuple(map(change, structure.shape)), structure.mark)
    if isinstance(structure, Items):
        return Items(structure.kind, tuple(map_sizes(item, change) for item in structure.items))
    if isinstance(structure, Each):
        return Each(map_sizes(structure.item, change))
    if isinstance(structure, Fields):
        return Fields(structure.name, tuple((name, map_sizes(part, change)) for name, part in structure.fields))
    if isinstance(structure, Either):
        return Either(tuple(map_sizes(option, change) for option in structure.options))
    return structure


def to_json(structure: Structure) -> Any:
    """A structure as the file has it."""
    if isinstance(structure, Array):
        return str(structure)
    if isinstance(structure, Plain):
        return structure.kind
    if isinstance(structure, Opaque):
        return f"object {structure.name}"
    if isinstance(structure, Items):
        return {structure.kind: [to_json(item) for item in structure.items]}
    if isinstance(structure, Each):
        return {"each": to_json(structure.item)}
    if isinstance(structure, Either):
        return {"either": [to_json(option) for option in structure.options]}
    fields = {name: to_json(part) for name, part in structure.fields}
    return {"class": structure.name, "fields": fields} if structure.name else {"dict": fields}


def from_json(data: Any, depth: int = 0) -> Structure:
    """The structure that `to_json` wrote.

    Raises:
        ValueError: if it is none; the message names the part.
    """
    if depth > _DEEPEST:
        raise ValueError("it is nested too deeply")
    if isinstance(data, str):
        return _leaf(data)
    match data:
        case {"tuple": list(items), **rest} | {"list": list(items), **rest} if not rest:
            return Items("tuple" if "tuple" in data else "list", tuple(from_json(item, depth + 1) for item in items))
        case {"each": item, **rest} if not rest:
            return Each(from_json(item, depth + 1))
        case {"either": [_, _, *_] as options, **rest} if not rest:
            return Either(tuple(from_json(option, depth + 1) for option in options))
        case {"dict": dict(fields), **rest} if not rest:
            return Fields("", tuple((name, from_json(part, depth + 1)) for name, part in fields.items()))
        case {"class": str(name), "fields": dict(fields), **rest} if name and not rest:
            return Fields(name, tuple((field, from_json(part, depth + 1)) for field, part in fields.items()))
    raise ValueError(f"{_cut(repr(data))} is no structure")


def _leaf(text: str) -> Structure:
    if text in PLAIN:
        return Plain(text)
    if text.startswith("object "):
        return Opaque(text.removeprefix("object "))
    found = _ARRAY.fullmatch(text)
    if found is None:
        raise ValueError(f"{_cut(repr(text))} is no array such as 'numpy.float32[n, 28]', and no type")
    library, dtype, inside, mark = found.groups()
    if dtype != "?" and dtype not in KINDS and not _KEY.fullmatch(dtype):
        raise ValueError(f"{_cut(repr(text))} has the dtype {dtype}, which there is not")
    sizes = [size.strip() for size in inside.split(",")] if inside.strip() else []
    if not all(_SIZE.fullmatch(size) for size in sizes):
        raise ValueError(f"{_cut(repr(text))} has a size that is neither a number nor a name")
    mark = (mark or "").strip()
    if (mark == "weak") > (library == "jax") or (mark == "scalar") > (library == "numpy" and not sizes):
        raise ValueError(f"{_cut(repr(text))} is no array: {mark} does not belong there")
    shape = tuple(None if size == "?" else int(size) if size.isdecimal() else size for size in sizes)
    return Array(library, None if dtype == "?" else dtype, shape, mark)  # type: ignore[arg-type]


def _cut(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."
