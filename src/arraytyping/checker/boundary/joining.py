"""Two recordings of one program as one: what differs is a size with a name, or one of several structures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from arraytyping.checker.boundary.file import Recording
from arraytyping.checker.boundary.observing import size_name
from arraytyping.checker.boundary.sites import Site
from arraytyping.checker.boundary.structures import Either, Opaque, Size, Structure, map_sizes, sizes_of

__all__ = ["joined", "with_part"]

_MOST_STRUCTURES: Final = 6


def joined(old: Recording, new: Recording) -> Recording:
    """What holds in the runs of both recordings; a site that only one has seen is as that one says."""
    return _Joining(old, new).recording()


def with_part(whole: Recording | None, part: Recording) -> Recording:
    """A recording, and what a run has seen that came to no end: more may have come later, so nothing of sizes.

    The arguments remain those of the whole runs, if there are any.
    """
    seen = part.without_sizes()
    if whole is None:
        return seen
    known = whole.entries
    new = {s: e for s, e in seen.entries.items() if s not in known or _skeleton(known[s]) != e}
    return replace(joined(whole, Recording(new)), arguments=whole.arguments)


class _Joining:
    def __init__(self, old: Recording, new: Recording) -> None:
        self.old, self.new = old, new
        self.names: dict[tuple[object, ...], str] = {}
        self.begins: dict[str, Site] = {}

    def recording(self) -> Recording:
        """The recording of both."""
        entries: dict[Site, Structure] = {}
        for site in sorted({*self.old.entries, *self.new.entries}):
            before, after = self.old.entries.get(site), self.new.entries.get(site)
            if before is not None and after is not None:
                made = self._both(site, before, after)
            elif after is not None:
                made = map_sizes(after, self._renamed(site, "new", self.new))
            else:
                assert before is not None
                made = map_sizes(before, self._renamed(site, "old", self.old))
            if not isinstance(made, Opaque):
                entries[site] = made
        held = [{size for size in sizes_of(structure) if isinstance(size, str)} for structure in entries.values()]
        shared = {name: site for name, site in self.begins.items() if sum(name in names for names in held) > 1}
        return Recording(entries, shared, self.old.arguments | self.new.arguments)

    def _both(self, site: Site, before: Structure, after: Structure) -> Structure:
        if _skeleton(before) == _skeleton(after):
            pairs = iter([*zip(sizes_of(before), sizes_of(after))])
            return map_sizes(after, lambda _: self._size(site, *next(pairs)))
        options = {
            **{_skeleton(o): map_sizes(o, self._renamed(site, "old", self.old)) for o in _options(before)},
            **{_skeleton(o): map_sizes(o, self._renamed(site, "new", self.new)) for o in _options(after)},
        }
        shared = {_skeleton(o) for o in _options(before)} & {_skeleton(o) for o in _options(after)}
        made = tuple(map_sizes(o, lambda _: None) if s in shared else o for s, o in options.items())
        if len(made) > _MOST_STRUCTURES:
            return Opaque("?")
        return made[0] if len(made) == 1 else Either(made)

    def _size(self, site: Site, before: Size, after: Size) -> Size:
        """A size that was this in the one and that in the other."""
        if before == after and isinstance(before, int):
            return before
        if before is None or after is None or 0 in (before, after):
            return None
        first = self.old.sizes.get(before) if isinstance(before, str) else None
        second = self.new.sizes.get(after) if isinstance(after, str) else None
        if first is not None and second is not None and first != second:
            return self._name((before, after, site), site)  # they agree with different calls
        return self._name((before, after), second or first or site)

    def _renamed(self, site: Site, which: str, recording: Recording) -> Callable[[Size], Size]:
        def change(size: Size) -> Size:
            if not isinstance(size, str):
                return size
            return self._name((which, size), recording.sizes.get(size, site))

        return change

    def _name(self, key: tuple[object, ...], begins: Site) -> str:
        if key not in self.names:
            self.names[key] = size_name(len(self.names))
            self.begins[self.names[key]] = begins
        return self.names[key]


def _skeleton(structure: Structure) -> Structure:
    return map_sizes(structure, lambda size: None)


def _options(structure: Structure) -> tuple[Structure, ...]:
    return structure.options if isinstance(structure, Either) else (structure,)
