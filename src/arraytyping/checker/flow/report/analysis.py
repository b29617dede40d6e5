"""The analysis of a project: every entry point is run, in processes of their own if wanted, and the results are joined.

A mistake that is certain in one run is certain.  What is claimed of an expression is the union over all runs.
"""

from __future__ import annotations

import ast
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arraytyping.checker.claims import FileClaims, ProgramClaims
from arraytyping.checker.flow.report.cache import ReportCache
from arraytyping.checker.flow.report.libraries_x64 import LibrariesX64
from arraytyping.checker.flow.report.shares import Shard, Share, read_times
from arraytyping.checker.flow.sources.entry_points import (
    EntryPoint,
    find_entry_points,
    with_rests,
)
from arraytyping.checker.flow.sources.project import Project, Source
from arraytyping.checker.flow.sources.source_files import SourceError
from arraytyping.checker.flow.sources.unreached import UnreachedFunction, unreached
from arraytyping.checker.flow.start.kept_report import Report
from arraytyping.checker.flow.state.compiled import Compiled
from arraytyping.checker.flow.state.diagnostics import Diagnostic
from arraytyping.checker.flow.state.limits import Limits
from arraytyping.checker.flow.state.recorded import used_remark
from arraytyping.checker.flow.state.recording import merge_claims
from arraytyping.checker.settings import Settings

if TYPE_CHECKING:
    from arraytyping.checker.flow.report.warm_workers import WarmWorkers
    from arraytyping.checker.flow.report.workers import Workers

__all__ = ["Analysis", "analyze", "left_over"]

_MANY: Final = 4
"""So many entry points are worth following another program first."""


@dataclass
class Analysis:
    """What is known of a project; `seconds` are those of the clock, those of an entry point are CPU time."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    claims: ProgramClaims = field(default_factory=ProgramClaims)
    errors: list[SourceError] = field(default_factory=list)
    unknowns: Counter[str] = field(default_factory=Counter)
    crashes: Counter[str] = field(default_factory=Counter)
    swallowed: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    entry_points: list[Report] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What this system does not offer to confine what follows a program."""
    remarks: list[str] = field(default_factory=list)
    """With how many devices programs were followed, where that has to be said, and what is known as recorded."""
    recorded: list[list[str]] = field(default_factory=list)
    """The sites at which recordings were used: file, function and text."""
    compiled: Counter[Compiled] = field(default_factory=Counter)
    """What JAX compiles, and how often in the entry point in which it does so most."""
    is_interrupted: bool = False
    """Whether the user has ended it before its end."""
    functions: int = 0
    """How many functions the project has."""
    unreached: list[UnreachedFunction] = field(default_factory=list)

    @property
    def is_complete(self) -> bool:
        """Whether every entry point was followed to its end."""
        return all(report.is_complete for report in self.entry_points)


def analyze(
    paths: Sequence[Path],
    settings: Settings,
    *,
    root: Path | None = None,
    jobs: int = 1,
    limits: Limits | None = None,
    cache: ReportCache | None = None,
    confined: bool = False,
    arguments: tuple[str, ...] = (),
    shard: Shard | None = None,
    executor: str | None = None,
    tell: Callable[[str], None] = lambda what: None,
    warm: WarmWorkers | None = None,
) -> Analysis:
    """Analyze the programs, tests and modules in files and directories.

    `root` is the directory that configured entry points are relative to: by default that of the configuration.
    What was found from an entry point before is taken from the `cache`, if that still holds.  With `confined`, or
    several `jobs`, each entry point is followed in a process of its own, that cannot reach outside nor harm the others.
    `arguments` are those of the command line, by default none.  `tell` is called with what is done.
    With `warm` they are followed by processes that stay for the next time.
    With `shard` only the share of one of several machines is followed, and `executor` is a cluster that follows it.

    Raises:
        ShardError: if the kept times of entry points cannot be used.
        ExecutorError: if the cluster cannot be used.
    """
    began = time.monotonic()
    if root is None and settings.file is not None:
        root = settings.file.resolve().parent
    project = Project(paths, root) if warm is None else Project(paths, root, warm.sources.read)
    entries, errors = find_entry_points(project, settings.entry_points)
    if arguments:
        entries = [replace(entry, arguments=arguments) for entry in entries]
    entries = list(_for_devices(with_rests(project, entries), settings))
    share = None if shard is None else Share.of(project, entries, shard, read_times(settings.project))
    if share is not None:
        entries = share.entries
    imports = frozenset[str]().union(*(source.imports for source in project.sources.values()))
    runner = _Runner(project.shown, settings, limits, jobs, cache, imports, confined, executor)
    runner.tell = tell
    runner.warm = warm
    reports = runner.run(entries)
    left = left_over(project, reports)
    if share is not None:
        project.keep_only(share.files)
    libraries = LibrariesX64(paths, project, settings)
    files = _for_devices(libraries.entry_points([s for s in left if s.path in project.sources]), settings)
    more = runner.run(list(files), frozenset().union(*(r.reached for r in reports)))
    libraries.leave_out(more)
    reports += more
    found = _joined(reports, [*project.errors, *errors], project, time.monotonic() - began)
    found.notes = sorted(runner.notes)
    found.is_interrupted = runner.is_interrupted
    found.remarks = [
        said
        for said in dict.fromkeys(r.devices.remark(r.entry.name) for r in reports if r.entry.kind != "library")
        if said
    ]
    found.remarks += dict.fromkeys(said for r in reports for said in r.remarks)
    if share is not None:
        found.remarks.append(_said_of(share, shard, left))
    found.recorded = [site for r in reports for site in r.recorded]
    if used := used_remark(map(tuple, found.recorded)):
        found.remarks.append(used)
    return found


def _said_of(share: Share, shard: Shard | None, left: Sequence[Source]) -> str:
    """What is followed here of the whole, and what no share follows."""
    here = len(share.entries)
    said = f"shard {shard}: {here} of {share.total} entry point{'' if share.total == 1 else 's'}, plan {share.plan}"
    if any(source.path in share.shared for source in left):
        said += (
            "; functions that entry points of several shards import and that none here calls are followed "
            "by a run without --shard"
        )
    return said


def _for_devices(entries: Iterable[EntryPoint], settings: Settings) -> Iterator[EntryPoint]:
    """The entry points, each once for every number of devices that is configured for it."""
    for entry in entries:
        names = (entry.name, entry.name.removeprefix("-m "), str(entry.path))
        yield from (replace(entry, devices=count) for count in settings.devices.of(*names))


def left_over(project: Project, reports: list[Report]) -> list[Source]:
    """The files that no entry point has read, or of which a function was not called."""
    files = {file for r in reports for file in r.files}
    died = {str(r.entry.path.resolve()) for r in reports if r.stopped and not r.files}
    died |= {str(r.entry.path.resolve()) for r in reports if r.has_rest and r.is_complete}  # all is done
    reached = {place for r in reports for place in r.reached}
    return [
        source
        for source in project.sources.values()
        if str(source.path) not in died
        and (
            str(source.path) not in files
            or any((str(source.path), line) not in reached for line in _lines_of_functions(source.tree))
        )
    ]


def _lines_of_functions(tree: ast.Module) -> list[int]:
    """The lines of the functions of a module, and of the methods of its classes."""
    bodies = [tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef))]
    return [n.lineno for body in bodies for n in body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]


class _Runner:
    """Runs entry points, in this process or in others."""

    def __init__(
        self,
        shown: dict[Path, str],
        settings: Settings,
        limits: Limits | None,
        jobs: int,
        cache: ReportCache | None,
        imports: frozenset[str],
        confined: bool,
        executor: str | None = None,
    ) -> None:
        self.shown = shown
        self.settings = settings
        self.limits = limits
        self.cache = cache
        self.notes: set[str] = set()
        self.is_interrupted = False
        self.tell: Callable[[str], None] = lambda what: None
        self.warm: WarmWorkers | None = None
        self._jobs = jobs
        self._executor = executor
        self._confined = confined
        self._imports = imports
        self._forked: Workers | None = None

    def run(self, entries: list[EntryPoint], reached: frozenset[tuple[str, int]] = frozenset()) -> list[Report]:
        """The reports, in the order of the entry points; each is kept as soon as it is there."""
        found: dict[EntryPoint, Report] = {}
        try:
            self._run(entries, found, reached)
        except KeyboardInterrupt:
            self.is_interrupted = True
        return [found.get(e) or Report(entry=e, is_complete=False, stopped="it was interrupted") for e in entries]

    def _run(
        self, entries: list[EntryPoint], found: dict[EntryPoint, Report], reached: frozenset[tuple[str, int]]
    ) -> None:
        """Add the reports of entry points to those that were found."""
        for entry in entries if self.cache is not None else ():
            assert self.cache is not None
            if (known := self.cache.find(entry, self.shown, self.limits, reached)) is not None:
                found[entry] = known
        wanted = [entry for entry in entries if entry not in found]
        self._tell(entries, found)
        for report in self._start(wanted, reached) if wanted and not self.is_interrupted else ():
            found[report.entry] = report
            self._tell(entries, found)
            if self.cache is not None and (report.is_complete or not report.stopped):
                self.cache.store(report, self.shown, self.limits, reached)

    def _tell(self, entries: list[EntryPoint], found: Mapping[EntryPoint, Report]) -> None:
        at_work = next((str(entry) for entry in entries if entry not in found), None)
        if at_work is not None:
            self.tell(f"following entry point {len(found) + 1} of {len(entries)}: {at_work}")

    def _start(self, entries: list[EntryPoint], reached: frozenset[tuple[str, int]]) -> Iterator[Report]:
        if self._executor is not None:
            from arraytyping.checker.flow.report.dask_cluster import DaskCluster  # needs a library of an extra

            cluster = DaskCluster(self._executor, self.shown, self.settings, self.limits)
            yield from cluster.run(entries, reached)
            self.notes |= cluster.notes
            return
        # All that follows a program is loaded where something has to be followed.
        from arraytyping.checker.flow.report.workers import Workers
        from arraytyping.checker.flow.start.starting import start

        if not self._confined and (self._jobs <= 1 or len(entries) <= 1):
            for entry in entries:
                yield start(entry, self.shown, self.settings, self.limits, reached)
            return
        if self._forked is None:
            self._forked = Workers(self.shown, self.settings, self.limits, self._jobs, self._imports)
        if self.warm is not None and self._confined:
            for entry in entries:
                report = self.warm.follow(entry, reached, self._forked)
                self.notes |= self.warm.notes
                yield from [report] if report is not None else self._start_anew([entry], reached, self._forked)
            return
        yield from self._start_anew(entries, reached, self._forked)

    def _start_anew(
        self, entries: list[EntryPoint], reached: frozenset[tuple[str, int]], workers: Workers
    ) -> Iterator[Report]:
        """Follow entry points in processes that begin with them."""
        from arraytyping.checker.flow.report.spawned_workers import SpawnedWorkers
        from arraytyping.checker.flow.report.workers import can_fork

        if can_fork():
            workers.warm_up(is_for_many=len(entries) >= _MANY)
        if can_fork():
            yield from workers.run(entries, reached)
            self.notes |= workers.notes
            return
        self.notes.add("this process cannot be forked here: entry points share processes, of which nothing is limited")
        yield from SpawnedWorkers(self.shown, self.settings, self.limits, self._jobs).run(entries, reached)


def _joined(reports: list[Report], errors: list[SourceError], project: Project, seconds: float) -> Analysis:
    found = Analysis(seconds=seconds, entry_points=reports)
    for report in reports:
        found.unknowns += report.unknowns
        found.crashes += report.crashes
        found.swallowed += report.swallowed
        found.compiled |= report.compiled
    by_file = _claims_by_file(reports, with_rests=True)
    reached = {place for r in reports for place in r.reached}
    called = _claims_by_file(report for report in reports if report.entry.kind != "library")
    found.functions, found.unreached, missed = unreached(project, reached, called)
    for path, file in missed.items():
        known = {e.position for other in by_file.get(path, ()) for e in other.expressions}
        left = FileClaims(tuple(e for e in file.expressions if e.position not in known))
        if left.expressions:
            by_file.setdefault(path, []).append(left)
    found.claims = ProgramClaims({path: merge_claims(files) for path, files in sorted(by_file.items())})
    found.diagnostics = _distinct(reports)
    seen: set[tuple[str, int, str]] = set()
    for error in [*errors, *(e for r in reports for e in r.errors)]:
        shown = project.shown.get(Path(os.path.realpath(error.path)), str(error.path))
        if (shown, error.line, error.message) not in seen:
            seen.add((shown, error.line, error.message))
            found.errors.append(SourceError(Path(shown), error.line, error.message))
    return found


def _claims_by_file(reports: Iterable[Report], *, with_rests: bool = False) -> dict[str, list[FileClaims]]:
    found: dict[str, list[FileClaims]] = {}
    for report in reports:
        for claims in [*report.claims, *(report.rest_claims if with_rests else ())]:
            for path, file in claims.items():
                found.setdefault(path, []).append(file)
    return found


def _distinct(reports: list[Report]) -> list[Diagnostic]:
    """The mistakes of all runs: at one expression those of the first run that has a certain one, or any.

    It says with which numbers of devices there is one.
    """
    chosen: dict[tuple[object, ...], list[Diagnostic]] = {}
    devices: dict[tuple[object, ...], set[int]] = {}
    key: tuple[object, ...]
    for report in reports:
        here: dict[tuple[object, ...], dict[str, Diagnostic]] = {}
        for diagnostic in report.diagnostics:
            key = (*diagnostic.position, diagnostic.code)
            messages = here.setdefault(key, {})
            devices.setdefault(key, set()).update(diagnostic.devices if diagnostic.is_certain else ())
            if diagnostic.message not in messages or (
                diagnostic.is_certain and not messages[diagnostic.message].is_certain
            ):
                messages[diagnostic.message] = diagnostic
        for key, by_message in here.items():
            diagnostics = list(by_message.values())
            if key not in chosen or (_is_certain(diagnostics) and not _is_certain(chosen[key])):
                chosen[key] = diagnostics
    distinct = [
        replace(m, devices=tuple(sorted({*m.devices, *devices[key]}))) if m.devices else m
        for key, diagnostics in chosen.items()
        for m in diagnostics
    ]
    return sorted(distinct, key=lambda m: (m.path, m.line, m.column, m.code, m.message))


def _is_certain(diagnostics: list[Diagnostic]) -> bool:
    return any(m.is_certain for m in diagnostics)
