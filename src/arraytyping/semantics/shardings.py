"""How an array is cut over the devices of a mesh: which cuts there are, and the shape of the part of one device.

A spec names for each dimension the axes of the mesh along which it is cut; dimensions that it does not reach are whole
on every device.

Source: https://docs.jax.dev/en/latest/sharded-computation.html.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

__all__ = [
    "Entry", "ShardingError", "Spec", "axes_str", "check_fit", "check_local", "check_names", "check_part",
    "cut_shape_str", "entry_str", "global_shape", "near_axis", "no_such_axis", "padded", "part_shape",
    "read_spec", "spec_str",
]  # fmt: skip

Entry = tuple[str, ...] | None
"""The axes along which a dimension is cut, none for a whole one; None where the compiler decides."""
Spec = tuple[Entry, ...]
_ONE: Final = "an axis of a mesh cuts at most one dimension"


class ShardingError(ValueError):
    """An array cannot lie as it is said; the message is one sentence."""


def near_axis(name: str, known: Iterable[str]) -> str:
    """`; did you mean 'data'?`, where a known axis has a similar name."""
    near = difflib.get_close_matches(name, list(known), 1)
    return f"; did you mean {near[0]!r}?" if near else ""


def axes_str(names: Iterable[str]) -> str:
    """The names of axes in a sentence."""
    *first, last = map(repr, names) if names else ("none",)
    return f"{', '.join(first)} and {last}" if first else last


def entry_str(entry: Entry) -> str:
    """An entry of a spec as jax prints it in a shape: `data`, `(data,model)`."""
    if not entry:
        return ""
    return entry[0] if len(entry) == 1 else f"({','.join(entry)})"


def read_spec(real: Iterable[object]) -> Spec | None:
    """The entries of a `PartitionSpec` of jax; None if there is more to it, or one of them is of no known sort."""
    entries: list[Entry] = []
    try:
        given = list(real)
    except ValueError:  # a sum over some axes that is not taken yet
        return None
    for entry in given:
        if entry is None:
            entries.append(())
        elif isinstance(entry, str):
            entries.append((entry,))
        elif isinstance(entry, tuple) and all(isinstance(name, str) for name in entry):
            entries.append(entry)
        elif type(entry).__name__ == "UnconstrainedSingleton":
            entries.append(None)
        else:
            return None
    return tuple(entries)


def spec_str(real: object) -> str:
    """A `PartitionSpec` as programs write it."""
    return str(real).replace("PartitionSpec", "P")


def padded(spec: Spec, rank: int) -> Spec:
    """A spec with an entry for each dimension."""
    return (*spec, *((),) * (rank - len(spec)))


def cut_shape_str(shape: tuple[object, ...] | None, spec: Spec | None) -> str:
    """A shape as messages show it, with the axes along which it is cut: `[1024@data, 128]`."""
    if shape is None:
        return "[...]"
    sizes = ["?" if size is None else str(size) for size in shape]
    cuts = [entry_str(entry) for entry in padded(spec or (), len(sizes))]
    return f"[{', '.join(f'{size}@{cut}' if cut else size for size, cut in zip(sizes, cuts))}]"


def no_such_axis(shown: str, name: str, known: Collection[str]) -> str:
    """The sentence for a spec that names an axis which the mesh does not have."""
    there = f"the mesh has {axes_str(known)}" if known else "the mesh has no axes"
    return f"{shown} names the axis {name!r}, and {there}{near_axis(name, known)}"


def check_names(spec: Spec, sizes: Mapping[str, int], shown: str) -> None:
    """Refuse axes that the mesh does not have, and those that are named twice.

    Raises:
        ShardingError: then.
    """
    seen: set[str] = set()
    for name in (name for entry in spec for name in entry or ()):
        if name not in sizes:
            raise ShardingError(no_such_axis(shown, name, sizes))
        if name in seen:
            raise ShardingError(f"{shown} names the axis {name!r} twice, and {_ONE}")
        seen.add(name)


def check_fit(spec: Spec, sizes: Mapping[str, int], shape: tuple[object, ...], shown: str, what: str) -> None:
    """Refuse a spec that is longer than the rank, and dimensions that the mesh does not divide.

    Sizes that are no numbers are passed over; so are axes that the mesh does not have.

    Raises:
        ShardingError: then.
    """
    if len(spec) > len(shape):
        raise ShardingError(
            f"{shown} has {len(spec)} entries, and {what} has rank {len(shape)} (shape {_shape(shape)}): "
            "a spec has at most one entry for each dimension"
        )
    for number, (entry, size) in enumerate(zip(spec, shape)):
        count = math.prod(sizes.get(name, 1) for name in entry or ())
        if isinstance(size, int) and size % count:
            low, high = size - size % count, size - size % count + count
            axes = axes_str(entry or ())
            plural = "axes" if len(entry or ()) > 1 else "axis"
            where = f"dimension {number} of {what} (shape {_shape(shape)})"
            raise ShardingError(
                f"{where} is {size}, which is not divisible by the {count} devices along the {plural} {axes} of "
                f"{shown}; {f'{low} or ' if low else ''}{high} would be"
            )


def part_shape(spec: Spec, sizes: Mapping[str, int], shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of the part that one device holds, of dimensions that the mesh divides."""
    return tuple(
        -(-size // math.prod(sizes.get(name, 1) for name in entry or ()))
        for size, entry in zip(shape, padded(spec, len(shape)))
    )


def _parts_of_processes(
    spec: Spec | None, sizes: Mapping[str, int], rank: int, devices: int, processes: int
) -> list[int | None]:
    """Over how many processes each dimension is spread, where that does not hang on which devices are whose.

    It does not where none cuts a dimension, or all devices do.
    """
    if spec is None:
        return [None] * rank
    counts = [None if e is None else math.prod(sizes.get(name, 1) for name in e) for e in padded(spec, rank)]
    return [
        1 if count == 1 else processes if processes and count == devices and devices % processes == 0 else None
        for count in counts
    ]


def global_shape(
    spec: Spec | None, sizes: Mapping[str, int], local: tuple[Any, ...], devices: int, processes: int
) -> tuple[Any, ...]:
    """The shape of an array of which each process has a part of this shape; None for sizes that are not known."""
    parts = _parts_of_processes(spec, sizes, len(local), devices, processes)
    return tuple(
        size if part == 1 else size * part if part is not None and isinstance(size, int) else None
        for size, part in zip(local, parts)
    )


def check_local(
    spec: Spec | None, sizes: Mapping[str, int], local: tuple[Any, ...], whole: tuple[int | None, ...], devices: int,
    processes: int, what: str,
) -> None:  # fmt: skip
    """Refuse data of one process that are neither its part of the whole array nor all of it, in some dimension.

    Raises:
        ShardingError: then.
    """
    if len(local) != len(whole):
        raise ShardingError(f"{what} has shape {_shape(local)}, and the global shape is {_shape(whole)}")
    parts = _parts_of_processes(spec, sizes, len(local), devices, processes) if processes > 1 else [1] * len(local)
    for number, (size, all_of_it, count) in enumerate(zip(local, whole, parts)):
        if not isinstance(size, int) or all_of_it is None or count is None or size in (all_of_it, all_of_it / count):
            continue
        raise ShardingError(
            f"dimension {number} of {what} (shape {_shape(local)}) is {size}, and the global shape {_shape(whole)} "
            f"has {all_of_it} there, of which each of {processes} process{'' if processes == 1 else 'es'} has "
            f"{all_of_it // count}: give the size of all processes together as the global one"
        )


def check_part(spec: Spec, sizes: Mapping[str, int], whole: tuple[int, ...], part: tuple[Any, ...], what: str) -> None:
    """Refuse the array of one device that has not the shape of its part.

    Raises:
        ShardingError: then.
    """
    if None in spec:
        return
    wanted = part_shape(spec, sizes, whole)
    known = len(part) == len(wanted) and all(a == b for a, b in zip(part, wanted) if isinstance(a, int))
    if not known:
        raise ShardingError(
            f"{what} has shape {_shape(part)}, and the part of one device of an array of shape {_shape(whole)} has "
            f"shape {_shape(wanted)}: give the shape of the whole array first, and each device's part of it"
        )


def _shape(shape: tuple[object, ...]) -> str:
    return f"({', '.join('?' if d is None else str(d) for d in shape)}{',' if len(shape) == 1 else ''})"
