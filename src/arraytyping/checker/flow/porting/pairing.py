"""What an expression gave in one interpretation, beside what it gave at the same time in another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from arraytyping.checker.flow.porting.noting import Array, Context, Path, Seen

__all__ = ["Pair", "pairs_of"]


@dataclass(frozen=True, slots=True)
class Pair:
    """The dtypes of one array before and after: several where it is not known which belong together."""

    path: Path
    before: tuple[str, ...]
    after: tuple[str, ...]
    is_weak: bool = False

    @property
    def is_change(self) -> bool:
        """Whether they differ."""
        return self.before != self.after


def pairs_of(
    before: Mapping[Context, list[Seen]], after: Mapping[Context, list[Seen]], *, is_cut: bool = False
) -> tuple[dict[Pair, int], bool]:
    """The distinct pairs at one expression, each with the number of its first coming in a context, counted from 0.

    The second result is whether there were arrays of which a dtype is unknown.

    Contexts that only one interpretation has came to, since a branch is decided there, are left out if there are
    others.
    """
    if not before.keys() & after.keys():
        before, after = {(): _all(before)}, {(): _all(after)}
    found: dict[Pair, int] = {}
    is_unknown = False
    for context in before:
        if context in after:
            for number, (a, b) in enumerate(_aligned(before[context], after[context], is_cut)):
                pairs, unknown = _pairs(a, b)
                is_unknown |= unknown
                for pair in pairs:
                    found[pair] = min(number, found.get(pair, number))
    return found, is_unknown


def _all(seen: Mapping[Context, list[Seen]]) -> list[Seen]:
    return [one for several in seen.values() for one in several]


Alternatives = tuple[Seen, ...]


def _aligned(before: list[Seen], after: list[Seen], is_cut: bool) -> Iterator[tuple[Alternatives, Alternatives]]:
    """What came at the same time: by number, else by the order in which new values came, else all together."""
    if len(before) == len(after) and not is_cut:
        yield from (((a,), (b,)) for a, b in dict.fromkeys(zip(before, after)))
        return
    first, second = _distinct(before), _distinct(after)
    if len(first) == len(second):
        yield from (((a,), (b,)) for a, b in zip(first, second))
    elif len(first) == 1 or len(second) == 1:
        yield from (((a,), (b,)) for a in first for b in second)
    else:
        yield first, second


def _distinct(values: Iterable[Seen]) -> Alternatives:
    """The values that differ in more than the weak type, in order."""
    found: dict[tuple[object, ...], Seen] = {}
    for value in values:
        found.setdefault(tuple((a.path, a.dtype) for a in value), value)
    return tuple(found.values())


def _pairs(before: Alternatives, after: Alternatives) -> tuple[list[Pair], bool]:
    found, is_unknown = [], False
    paths = dict.fromkeys(array.path for value in before for array in value)
    for path in paths:
        first, second = _at(before, path), _at(after, path)
        if not (_has_arrays(first) or _has_arrays(second)) or any(a.library == "none" for a in (*first, *second)):
            continue
        if any(array.library == "unknown" or array.dtype is None for array in (*first, *second)):
            is_unknown = True
        elif _has_arrays(first) and _has_arrays(second):
            is_weak = any(bool(a.weak_type) for a in second)
            found.append(Pair(path, _dtypes(first), _dtypes(second), is_weak))
    return found, is_unknown


def _dtypes(arrays: list[Array]) -> tuple[str, ...]:
    return tuple(sorted({a.dtype for a in arrays if a.dtype is not None}))


def _at(values: Alternatives, path: Path) -> list[Array]:
    return [array for value in values for array in value if array.path == path]


def _has_arrays(arrays: list[Array]) -> bool:
    return (
        bool(arrays)
        and all(array.library in ("jax", "numpy", "unknown") for array in arrays)
        and any(array.library != "unknown" for array in arrays)
    )
