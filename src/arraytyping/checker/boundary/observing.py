"""What a run shows at each site, while it goes on: which structures came, and which of their sizes varied or agreed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from arraytyping.checker.boundary.file import Recording, digest_of
from arraytyping.checker.boundary.sites import Site
from arraytyping.checker.boundary.structures import Either, Opaque, Size, Structure, map_sizes, sizes_of

__all__ = ["Observed", "SiteLog", "size_name"]

_MOST_STRUCTURES: Final = 6
_MOST_EVENTS: Final = 200_000
_LETTERS: Final = "nmkpqrstuvwabcdefghijlxyz"


@dataclass(slots=True)
class _Columns:
    """The sizes of one structure over all calls: the first ones, and which have agreed with which in every call."""

    first: tuple[Size, ...]
    classes: list[int]
    varied: list[bool]
    odd: list[bool]
    """Whether a size was 0 once, or no number: nothing is said of it then, unless it was always the same."""

    @staticmethod
    def of(sizes: tuple[Size, ...]) -> _Columns:
        columns = _Columns(sizes, [], [False] * len(sizes), [False] * len(sizes))
        columns.classes = [0] * len(sizes)
        columns.see(sizes)
        return columns

    def see(self, sizes: tuple[Size, ...]) -> None:
        numbers: dict[tuple[int, Size], int] = {}
        for i, size in enumerate(sizes):
            self.classes[i] = numbers.setdefault((self.classes[i], size), len(numbers))
            self.varied[i] = self.varied[i] or size != self.first[i]
            self.odd[i] = self.odd[i] or not isinstance(size, int) or size == 0


@dataclass(slots=True)
class SiteLog:
    """What came at one site."""

    structures: dict[Structure, _Columns] = field(default_factory=dict)
    is_various: bool = False
    """Whether more structures came than are kept."""

    @property
    def is_opaque(self) -> bool:
        """Whether nothing can be said of what comes here."""
        return self.is_various or any(isinstance(structure, Opaque) for structure in self.structures)


class Observed:
    """What was seen at all sites, in the order in which it came."""

    def __init__(self) -> None:
        self.logs: dict[Site, SiteLog] = {}
        self._events: list[tuple[Site, tuple[Size, ...]]] = []

    def see(self, site: Site, structure: Structure) -> None:
        """A value of this structure, with its sizes as numbers, came at a site."""
        sizes = tuple(sizes_of(structure))
        log = self.logs.setdefault(site, SiteLog())
        if log.is_various:
            return
        skeleton = map_sizes(structure, lambda size: None) if sizes else structure
        known = log.structures.get(skeleton)
        if known is None:
            if len(log.structures) == _MOST_STRUCTURES:
                log.is_various = True
                log.structures.clear()
                return
            log.structures[skeleton] = _Columns.of(sizes)
        else:
            known.see(sizes)
        if sizes and len(self._events) < _MOST_EVENTS:
            self._events.append((site, sizes))

    def recording(self, arguments: Sequence[str], sites: Iterable[Site] | None = None) -> Recording:
        """What was seen at some sites, or at all; only with some are sizes of different sites told to agree."""
        chosen = [s for s in (self.logs if sites is None else dict.fromkeys(sites)) if s in self.logs]
        chosen = sorted(s for s in chosen if not self.logs[s].is_opaque)
        varied = {(s, c): "" for s in chosen for c in self._varied(s)}
        leaders = {} if sites is None else self._leaders(varied)
        names: dict[tuple[Site, int], str] = {}
        for key in varied:
            leader = leaders.get(key, key)
            name = names.get(leader) or size_name(len(set(names.values())))
            names[leader] = names[key] = name
        entries = {s: self._structure(s, names) for s in chosen}
        begins = {names[leader]: leader[0] for leader in leaders.values()}
        return Recording(entries, begins, frozenset({digest_of(arguments)}))

    def _varied(self, site: Site) -> list[int]:
        """The classes of sizes that varied at a site, those of its second structure after those of its first."""
        found, offset = [], 0
        for columns in self.logs[site].structures.values():
            kinds = {c for c, v, odd in zip(columns.classes, columns.varied, columns.odd) if v and not odd}
            found += [offset + c for c in sorted(kinds)]
            offset += len(columns.first)
        return found

    def _structure(self, site: Site, names: Mapping[tuple[Site, int], str]) -> Structure:
        options, offset = [], 0
        for skeleton, columns in self.logs[site].structures.items():
            made: list[Size] = [
                names.get((site, offset + c)) if v else size
                for c, v, size in zip(columns.classes, columns.varied, columns.first)
            ]
            rest = iter(made)
            options.append(map_sizes(skeleton, lambda _, rest=rest: next(rest)))  # type: ignore[misc]
            offset += len(columns.first)
        return options[0] if len(options) == 1 else Either(tuple(options))

    def _leaders(self, varied: Mapping[tuple[Site, int], str]) -> dict[tuple[Site, int], tuple[Site, int]]:
        """For sizes that were always those that another site gave last: that other one."""
        if len(self._events) == _MOST_EVENTS:
            return {}
        of_site: dict[Site, list[int]] = {}
        for site, c in varied:
            if len(self.logs[site].structures) == 1:
                of_site.setdefault(site, []).append(c)
        last: dict[tuple[Site, int], Size] = {}
        order: list[tuple[Site, int]] = []
        agreeing: dict[tuple[Site, int], set[tuple[Site, int]]] = {}
        for site, sizes in self._events:
            if site not in of_site:
                continue
            (columns,) = self.logs[site].structures.values()
            for c in of_site[site]:
                key = (site, c)
                size = sizes[columns.classes.index(c)]
                equal = {other for other, value in last.items() if value == size and other[0] != site}
                if key not in agreeing:
                    order.append(key)
                    agreeing[key] = equal
                else:
                    agreeing[key] &= equal
            for c in of_site[site]:
                last[site, c] = sizes[columns.classes.index(c)]
        leaders: dict[tuple[Site, int], tuple[Site, int]] = {}
        for key in order:
            leader = next((o for o in order if o in agreeing[key] and o not in leaders), None)
            if leader is not None:
                leaders[key] = leader
        return leaders


def size_name(number: int) -> str:
    """n, m, k, ..., n2, m2, ..."""
    rounds, place = divmod(number, len(_LETTERS))
    return _LETTERS[place] + (str(rounds + 1) if rounds else "")
