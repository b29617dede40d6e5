"""What a recording says of the program that is followed: what came at which site, and which of that was used."""

from __future__ import annotations

import ast
import functools
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from arraytyping.checker.boundary.file import (
    BoundaryError,
    Recording,
    digest_of,
    read_recordings,
    recording_path,
    shown,
)
from arraytyping.checker.boundary.joining import joined
from arraytyping.checker.boundary.sites import Site, sites_of
from arraytyping.checker.boundary.structures import Structure
from arraytyping.checker.claims import Position, position_of
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import DictValue, ScalarValue
from arraytyping.checker.flow.values.frames import Module
from arraytyping.regular_files import read_regular_text

__all__ = ["RECORDED_LINES", "RecordedFacts", "recorded_facts", "used_remark"]

RECORDED_LINES: RunSlot[set[tuple[str, int]]] = RunSlot("recorded lines", set)
"""The places (path as shown, line) at which a value is known from a recording."""


class RecordedFacts:
    """The recording of one program."""

    def __init__(self, file: Path, recording: Recording) -> None:
        self.shown: str = shown(file)
        self.recording: Recording = recording
        self.used: set[Site] = set()
        self.contradicted: dict[Site, str] = {}
        self.last_sizes: DictValue = DictValue({name: ScalarValue(int) for name in recording.sizes})
        """By name the size that came last, on the path that is followed."""
        self._base = file.resolve().parent
        self._files = {os.path.normpath(self._base / site.file) for site in recording.entries}
        self._modules: dict[Module, dict[Position, tuple[Site, Structure]]] = {}

    def find(self, module: Module, node: ast.expr | ast.arg) -> tuple[Site, Structure] | None:
        """What was recorded at a node of a module."""
        found = self._modules.get(module)
        if found is None:
            found = self._modules[module] = self._entries(module)
        return found.get(position_of(node)) if found else None

    def _entries(self, module: Module) -> dict[Position, tuple[Site, Structure]]:
        path = os.path.normpath(module.path.resolve())
        if path not in self._files:
            return {}
        name = Path(os.path.relpath(path, self._base)).as_posix()
        entries = self.recording.entries
        sites = {position: Site(name, *known) for position, known in sites_of(module.tree).items()}
        return {position: (site, entries[site]) for position, site in sites.items() if site in entries}

    def remarks(self, trees: Mapping[str, ast.Module]) -> Iterator[str]:
        """What has to be said of the recording; `trees` are the files that were followed, by real path."""
        stale = sorted(self._stale(trees))
        for site in stale[:_MOST_TOLD]:
            yield f"{self.shown} is stale: {site} is not in the program any more: record it again"
        if len(stale) > _MOST_TOLD:
            yield f"{self.shown} is stale: so are {len(stale) - _MOST_TOLD} more calls"
        for site, why in sorted(self.contradicted.items())[:_MOST_TOLD]:
            yield f"{self.shown} contradicts the program: {site} {why}: record it again"

    def _stale(self, trees: Mapping[str, ast.Module]) -> Iterator[Site]:
        there: dict[str, set[tuple[str, str]]] = {}
        for site in self.recording.entries:
            if site.file not in there:
                path = os.path.realpath(self._base / site.file)
                tree = trees.get(path) or _parsed(Path(path))
                there[site.file] = set(sites_of(tree).values())
            if (site.function, site.text) not in there[site.file]:
                yield site


_MOST_TOLD: Final = 8


def _parsed(path: Path) -> ast.Module:
    try:
        return ast.parse(read_regular_text(path))
    except (OSError, SyntaxError, ValueError):
        return ast.Module([], [])


def recorded_facts(
    program: Path,
    arguments: Sequence[str],
    given: Path | None,
    project: Path,
    modules: Iterable[Path] | None = None,
) -> tuple[RecordedFacts | None, str]:
    """The recording of a program, if there is one, and what is wrong with it.

    With other arguments than those of the recorded runs nothing is known of sizes.

    With `modules`, of which the functions are followed that no program calls: all that was recorded in these files.
    """
    file = recording_path(program, given, project)
    if file is None:
        return None, ""
    try:
        recordings = read_recordings(file)
    except BoundaryError as error:
        return None, str(error)

    def name(path: Path) -> str:
        return Path(os.path.relpath(path.resolve(), file.resolve().parent)).as_posix()

    if modules is None:
        recording = recordings.get(name(program))
    else:
        files = set(map(name, modules))
        found = [r for _, r in sorted(recordings.items()) if any(site.file in files for site in r.entries)]
        recording = functools.reduce(joined, found) if found else None
    if recording is None:
        return None, ""
    if digest_of(arguments) in recording.arguments:
        return RecordedFacts(file, recording), ""
    why = "" if modules is not None else (
        f"{name(program)} was recorded with other arguments than it is checked with, so that {shown(file)} says "
        "nothing of sizes: give the same after --, or record it with these as well (record --add)"
    )  # fmt: skip
    return RecordedFacts(file, recording.without_sizes()), why


def used_remark(used: Iterable[tuple[str, ...]]) -> str:
    """What is said of the sites at which recordings were used."""
    number = len(set(used))
    plural, are = ("", "is") if number == 1 else ("s", "are")
    return f"{number} call{plural} {are} known as recorded" if number else ""
