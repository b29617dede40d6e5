"""What flow says of a program, asked from outside: the analysis runs in a process of its own.

Whoever asks (the command, mypy) never loads jax, and whatever jax prints, warns of or leaves behind stays there.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, cast

from arraytyping.checker.claims import ProgramClaims
from arraytyping.checker.flow.report.child import Interrupted, NoAnswerError, ask, give, interrupt_once
from arraytyping.checker.flow.sources.unreached import UnreachedFunction
from arraytyping.checker.flow.state.diagnostics import Diagnostic
from arraytyping.checker.settings import load_settings

__all__ = ["FlowReport", "Shown", "Unreadable", "report_on"]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file, or an entry point, that cannot be followed, and why."""

    path: str
    line: int
    message: str


class Shown(NamedTuple):
    """What of a report is shown, and whether something was left out, by the user's interruption or otherwise."""

    diagnostics: Sequence[Diagnostic] = ()
    unread: Sequence[Unreadable] = ()
    is_partial: bool = False
    is_interrupted: bool = False
    claims: ProgramClaims = ProgramClaims()
    """What flow knows of each expression, where it is to be held against the types."""
    found: Sequence[Diagnostic] = ()
    """All mistakes, those that are possible only among them."""


@dataclass
class FlowReport:
    """What an analysis came to, as JSON can hold it; paths are relative to the current directory."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    claims: ProgramClaims = field(default_factory=ProgramClaims)
    errors: list[Unreadable] = field(default_factory=list)
    unknowns: Counter[str] = field(default_factory=Counter)
    crashes: Counter[str] = field(default_factory=Counter)
    swallowed: Counter[str] = field(default_factory=Counter)
    entry_points: list[tuple[str, float, bool]] = field(default_factory=list)
    """Their names, the CPU seconds that each took, and whether it was followed to its end."""
    reused: int = 0
    """How many of them did not have to be followed again."""
    files: list[str] = field(default_factory=list)
    """The files of the program that were read."""
    not_checked: list[tuple[str, str]] = field(default_factory=list)
    """The entry points that were not followed to their end, and why."""
    notes: list[str] = field(default_factory=list)
    """What this system does not offer to confine what follows a program."""
    is_interrupted: bool = False
    """Whether the user has ended it before its end; what was found until then is here."""
    functions: int = 0
    """How many functions the program has."""
    unreached: list[UnreachedFunction] = field(default_factory=list)
    """Those that no entry point reaches."""

    def shown(self, *, possible: bool = False) -> list[Diagnostic]:
        """The mistakes that are shown: those that are certain, or all."""
        return [m for m in self.diagnostics if possible or m.is_shown]

    def to_json(self) -> dict[str, Any]:
        """The report as JSON."""
        return {
            "mistakes": [m.to_json() for m in self.diagnostics],
            "claims": self.claims.to_json(),
            "errors": [[e.path, e.line, e.message] for e in self.errors],
            "unknowns": self.unknowns,
            "crashes": self.crashes,
            "swallowed": self.swallowed,
            "entry_points": self.entry_points,
            "reused": self.reused,
            "files": self.files,
            "not_checked": self.not_checked,
            "notes": self.notes,
            "is_interrupted": self.is_interrupted,
            "functions": self.functions,
            "unreached": [[f.path, f.line, f.name] for f in self.unreached],
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> FlowReport:
        """The report that `to_json` wrote."""
        return FlowReport(
            [Diagnostic.from_json(m) for m in data["mistakes"]],
            ProgramClaims.from_json(data["claims"]),
            [Unreadable(*e) for e in data["errors"]],
            Counter(data["unknowns"]),
            Counter(data["crashes"]),
            Counter(data["swallowed"]),
            [(name, seconds, complete) for name, seconds, complete in data["entry_points"]],
            data["reused"],
            data["files"],
            [(entry, why) for entry, why in data["not_checked"]],
            data["notes"],
            data["is_interrupted"],
            data["functions"],
            [UnreachedFunction(*f) for f in data["unreached"]],
        )


def report_on(
    paths: Sequence[Path],
    config_file: Path | None = None,
    *,
    jobs: int = 1,
    uses_cache: bool = True,
    target: Sequence[str] | None = None,
    python: str | None = None,
) -> FlowReport:
    """What flow says of the program in these files and directories, under the settings that hold here.

    `python` is the interpreter that has the program's libraries, by default ours.
    `target` is a program as a shell names it (`["train.py", "--steps", "3"]`, `["-m", "pkg.train"]`), which alone is
    followed then, with its arguments.
    An analysis that does not come to its end is among what is not checked.
    """
    request = {
        "paths": [str(path) for path in paths],
        "config_file": None if config_file is None else str(config_file),
        "jobs": jobs,
        "uses_cache": uses_cache,
        "target": None if target is None else list(target),
    }
    try:
        return ask(__name__, request, FlowReport.from_json, python)
    except Interrupted as interrupted:
        interrupted.answer.is_interrupted = True
        return cast(FlowReport, interrupted.answer)
    except NoAnswerError as error:
        return FlowReport(not_checked=[("the program", str(error))])


def answer(request: str, report: str) -> None:
    """Answer a request in this process."""
    if sys.platform == "linux":
        from arraytyping.checker.flow.confinement.linux import die_with_parent

        die_with_parent()
    asked = json.loads(Path(request).read_bytes())
    config_file = None if asked["config_file"] is None else Path(asked["config_file"])
    interrupt_once()
    try:
        found = _analyzed(asked, config_file)
    except KeyboardInterrupt:
        found = FlowReport(is_interrupted=True)
    give(found.to_json(), report)


def _analyzed(asked: Mapping[str, Any], config_file: Path | None) -> FlowReport:
    from arraytyping.checker.flow.confinement.search_path import import_installed_only
    from arraytyping.checker.flow.report.analysis import analyze
    from arraytyping.checker.flow.report.cache import ReportCache

    paths = [Path(path) for path in asked["paths"]]
    import_installed_only(paths)
    settings = load_settings(Path.cwd(), config_file)
    cache = ReportCache.of(settings) if asked["uses_cache"] else None
    if asked["target"] is None:
        analysis = analyze(paths, settings, jobs=asked["jobs"], cache=cache, confined=True)
    else:
        given = list(asked["target"])
        size = 2 if given[0] == "-m" else 1
        root, name = _target(given[:size])
        only = replace(settings, entry_points=(name,))
        analysis = analyze([], only, root=root, cache=cache, confined=True, arguments=tuple(given[size:]))
    return FlowReport(
        analysis.diagnostics,
        analysis.claims,
        [Unreadable(str(e.path), e.line, e.message) for e in analysis.errors],
        analysis.unknowns,
        analysis.crashes,
        analysis.swallowed,
        [(str(r.entry), r.seconds, r.is_complete) for r in analysis.entry_points],
        0 if cache is None else cache.reused,
        sorted({file for r in analysis.entry_points for file in r.files}),
        [(str(r.entry), r.stopped) for r in analysis.entry_points if r.stopped],
        analysis.notes,
        analysis.is_interrupted,
        analysis.functions,
        analysis.unreached,
    )


def _target(target: Sequence[str]) -> tuple[Path, str]:
    """A program as an entry point, and the directory that it is relative to."""
    if target[0] == "-m":
        return Path.cwd(), target[1]
    path = Path(target[0])
    if (path / "__init__.py").is_file():
        directory = path.resolve()
        return directory.parent, directory.name
    return Path.cwd(), str(path / "__main__.py" if path.is_dir() else path)
