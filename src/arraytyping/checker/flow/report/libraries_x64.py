"""x64 in the runs of libraries: what the programs that import them say, and when it is a mistake to ask for 64 bits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from arraytyping.checker.flow.sources.entry_points import EntryPoint, Libraries
from arraytyping.checker.flow.sources.project import Project, Source
from arraytyping.checker.flow.sources.x64_of_users import may_ask_for_64_bits
from arraytyping.checker.flow.sources.x64_switches import ProgramsX64, switches_in
from arraytyping.checker.flow.start.kept_report import Report
from arraytyping.checker.flow.state.diagnostics import Diagnostic
from arraytyping.checker.flow.state.x64_sides import OF_X64
from arraytyping.checker.settings import Settings
from arraytyping.checker.x64 import X64Decision, by_default

__all__ = ["LibrariesX64"]


class LibrariesX64:
    """The libraries of a project by what the programs in the checked files and directories say of x64."""

    def __init__(self, paths: Sequence[Path], project: Project, settings: Settings) -> None:
        self._paths = paths
        self._project = project
        self._settings = settings

    @cached_property
    def _decided(self) -> ProgramsX64:
        if self._settings.x64 != "auto":
            return ProgramsX64(X64Decision.configured(self._settings.x64, "the settings"))
        switches = switches_in(self._paths)
        if not switches.x64:
            return ProgramsX64(by_default())
        from arraytyping.checker.flow.sources.x64_programs import decide_x64  # few programs switch anything

        file = self._settings.file
        root = None if file is None else file.resolve().parent
        return decide_x64(self._paths, self._settings.entry_points, root, switches=switches)

    def entry_points(self, wanted: Sequence[Source]) -> Iterator[EntryPoint]:
        """Files that are imported, by whether all programs that import them have x64 on, none has, or some have."""
        libraries = Libraries(self._project)
        has_x64 = {source.path: self._decided.of(str(source.path)).value for source in wanted}
        for value in (False, True, None):
            for entry in libraries.entry_points([source for source in wanted if has_x64[source.path] is value]):
                yield replace(entry, has_x64=value)

    def leave_out(self, reports: Sequence[Report]) -> None:
        """Leave out of reports of libraries that 64 bits are asked for where they may be."""
        for report in reports:
            if any(m.code in OF_X64 for m in report.diagnostics):
                report.diagnostics = [m for m in report.diagnostics if m.code not in OF_X64 or not self._may(m)]

    def _may(self, told: Diagnostic) -> bool:
        path = self._by_shown.get(told.path)
        source = None if path is None else self._project.sources.get(path)
        if path is None or source is None:
            return False
        return may_ask_for_64_bits(self._decided.of(str(path)), path, source.tree, told.line)

    @cached_property
    def _by_shown(self) -> dict[str, Path]:
        return {shown: path for path, shown in self._project.shown.items()}
