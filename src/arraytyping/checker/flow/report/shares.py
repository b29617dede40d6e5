"""The share that one of several machines has of a project: every machine finds the same division, by itself.

Names are divided by rendezvous hashing with bounded loads: each goes to the machine that ranks first for it and is not
full, so that a name more or less moves few others.  What a name weighs are the seconds in a file that is committed with
the project, since machines that divide by what each has in its cache could leave a name out.

Source: Mirrokni, Thorup, Zadimoghaddam, Consistent Hashing with Bounded Loads, https://arxiv.org/abs/1608.01350.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arraytyping.checker.flow.sources.entry_points import EntryPoint
from arraytyping.checker.flow.sources.project import Project
from arraytyping.regular_files import read_regular_text

__all__ = ["TIMES", "Shard", "ShardError", "Share", "divided", "read_times", "write_times"]

TIMES: Final = "arraytyping-times.json"
_VERSION: Final = 1
_ROOM: Final = 1.05
"""How much more than an equal share a machine may get."""
_LEAST: Final = 0.02
"""The seconds that an entry point counts at least."""
_MOST: Final = 1000


class ShardError(ValueError):
    """A share, or the file of times, is malformed; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Shard:
    """One of so many machines, counted from 1."""

    number: int
    count: int

    @staticmethod
    def of(text: str) -> Shard:
        """That of a text such as `2/8`.

        Raises:
            ShardError: if it is none.
        """
        found = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text)
        if found is None:
            raise ShardError(f"{text!r} is no share: it is a number from 1 and how many there are, such as 2/8")
        number, count = int(found[1]), int(found[2])
        if not 1 <= number <= count <= _MOST:
            raise ShardError(f"{text!r} is no share: of N shares, at most {_MOST}, the numbers are 1 to N")
        return Shard(number, count)

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"


def divided(weights: Mapping[str, float], count: int) -> dict[str, int]:
    """The machine of each name, from 1."""
    most = _ROOM * sum(weights.values()) / count
    loads = [0.0] * count
    found: dict[str, int] = {}
    for name in sorted(weights, key=lambda name: (-weights[name], _rank(name))):
        ranks = sorted(range(count), key=lambda machine: _rank(f"{machine} {name}"))
        fitting = (machine for machine in ranks if loads[machine] + weights[name] <= most)
        chosen = next(fitting, None)
        if chosen is None:
            chosen = min(ranks, key=loads.__getitem__)
        loads[chosen] += weights[name]
        found[name] = chosen + 1
    return found


def _rank(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=8).digest()


@dataclass(frozen=True)
class Share:
    """What one machine follows of a project."""

    entries: list[EntryPoint]
    total: int
    """How many entry points all machines have."""
    files: frozenset[Path]
    """The files of which no entry point of another machine loads anything: what is left over there is followed here."""
    shared: frozenset[Path]
    """The files that entry points here and elsewhere load."""
    plan: str
    """The same on all machines that divide alike."""

    @staticmethod
    def of(project: Project, entries: Sequence[EntryPoint], shard: Shard, times: Mapping[str, float]) -> Share:
        """That of a machine; files that no entry point imports are divided as well, with those that they import."""
        machines = divided(_weights(map(str, entries), times), shard.count)
        graph = _Graph(project)
        own: set[Path] = set()
        others: set[Path] = set()
        for entry in entries:
            files = graph.reachable(path.resolve() for _, path in entry.modules)
            (own if machines[str(entry)] == shard.number else others).update(files)
        apart = graph.components(set(project.sources) - own - others)
        by_name = {_name(project, min(files)): files for files in apart}
        parts = divided({name: float(len(files)) for name, files in by_name.items()}, shard.count)
        shared = frozenset(own & others)
        own = (own - others).union(*(files for name, files in by_name.items() if parts[name] == shard.number))
        said = json.dumps([sorted(machines.items()), sorted(parts.items())])
        chosen = [entry for entry in entries if machines[str(entry)] == shard.number]
        plan = hashlib.sha256(said.encode()).hexdigest()[:8]
        return Share(chosen, len(entries), frozenset(own), shared, plan)


def _name(project: Project, path: Path) -> str:
    return Path(project.shown.get(path, str(path))).as_posix()


class _Graph:
    """Which files of a project import which, by what stands in their import statements."""

    def __init__(self, project: Project) -> None:
        self._imports = project.imports_of()

    def reachable(self, files: Iterable[Path]) -> set[Path]:
        """These files, and those that they load."""
        waiting = list(files)
        found = set(waiting)
        while waiting:
            for path in self._imports.get(waiting.pop(), ()):
                if path not in found:
                    found.add(path)
                    waiting.append(path)
        return found

    def components(self, files: set[Path]) -> list[set[Path]]:
        """These files, those together of which one imports another."""
        near: dict[Path, set[Path]] = {path: set() for path in files}
        for path in files:
            for other in self._imports.get(path, set()) & files:
                near[path].add(other)
                near[other].add(path)
        left = set(files)
        found = []
        for first in sorted(files):
            if first not in left:
                continue
            together = {first}
            waiting = [first]
            while waiting:
                for other in near[waiting.pop()] - together:
                    together.add(other)
                    waiting.append(other)
            left -= together
            found.append(together)
        return found


def _weights(names: Iterable[str], times: Mapping[str, float]) -> dict[str, float]:
    """The seconds of each, where they are not known those of the median."""
    names = list(names)
    known = [times[name] for name in names if name in times]
    usual = max(_LEAST, sorted(known)[len(known) // 2]) if known else 1.0
    return {name: max(_LEAST, times[name]) if name in times else usual for name in names}


def read_times(directory: Path) -> dict[str, float]:
    """The seconds of entry points by name, as they are kept with the project; none if nothing is kept.

    Raises:
        ShardError: if the file cannot be used.
    """
    file = directory / TIMES
    why = f"{file}: it has a version and the seconds of entry points by name; --write-times writes it"
    try:
        data = json.loads(read_regular_text(file))
        seconds = {str(name): float(value) for name, value in data["seconds"].items()}
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ShardError(f"{file} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ShardError(f"{why}, and this one is malformed") from None
    if data.get("version") != _VERSION:
        raise ShardError(f"{why}, and this one has version {json.dumps(data.get('version'))}")
    if not all(0 <= value < 1e9 for value in seconds.values()):
        raise ShardError(f"{why}, and this one has a number that is no time")
    return seconds


def write_times(directory: Path, seconds: Mapping[str, float]) -> Path:
    """Keep the seconds of entry points for `read_times`; short ones are rounded up, so that few lines change.

    Raises:
        ShardError: if the file cannot be written.
    """
    file = directory / TIMES
    rounded = {name: max(0.1, round(value, 1)) for name, value in sorted(seconds.items())}
    partial = file.with_name(f".{file.name}.partial")
    try:
        partial.write_text(json.dumps({"version": _VERSION, "seconds": rounded}, indent=1) + "\n", encoding="utf-8")
        partial.replace(file)
    except OSError as error:
        raise ShardError(f"{file} cannot be written: {error.strerror}") from None
    return file
