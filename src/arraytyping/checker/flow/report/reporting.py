"""What flow says of a program, asked from outside: the analysis runs in a process of its own.

Whoever asks (the command, mypy) never loads jax, and whatever jax prints, warns of or leaves behind stays there.
"""

from __future__ import annotations

import base64
import functools
import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from arraytyping.checker.claims import ProgramClaims
from arraytyping.checker.device_counts import DeviceCountError, counts_from_text
from arraytyping.checker.dtype_trace import DtypeTrace
from arraytyping.checker.flow.report.child import (
    Interrupted,
    NoAnswerError,
    ask,
    give,
    interrupt_once,
    note_progress,
)
from arraytyping.checker.flow.sources.unreached import UnreachedFunction
from arraytyping.checker.flow.state.compiled import Compiled
from arraytyping.checker.flow.state.diagnostics import Diagnostic, together
from arraytyping.checker.flow.state.limits import Limits
from arraytyping.checker.holdings import Holding
from arraytyping.checker.settings import ConfigError, Settings
from arraytyping.checker.settings_file import load_settings
from arraytyping.regular_files import give_contents, given_contents, is_file

if TYPE_CHECKING:
    from arraytyping.checker.flow.report.shares import Shard
    from arraytyping.checker.flow.report.warm_workers import WarmWorkers

__all__ = ["FlowReport", "Shown", "Unreadable", "analyzed", "report_on", "request_for"]


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
    remarks: list[str] = field(default_factory=list)
    """With how many devices programs were followed, where that has to be said, and what is known as recorded."""
    holdings: list[Holding] = field(default_factory=list)
    """What devices hold of the arrays of jitted functions."""
    is_interrupted: bool = False
    """Whether the user has ended it before its end; what was found until then is here."""
    functions: int = 0
    """How many functions the program has."""
    unreached: list[UnreachedFunction] = field(default_factory=list)
    """Those that no entry point reaches."""
    compiled: Counter[Compiled] = field(default_factory=Counter)
    """What JAX compiles, and how often."""
    recorded: list[list[str]] = field(default_factory=list)
    """The sites at which recordings were used: file, function and text."""
    traces: list[DtypeTrace] = field(default_factory=list)
    """How the expressions of the line that was asked for came to their dtypes."""
    refused: str = ""
    """Why nothing was done, where what was asked for cannot be."""

    def shown(self, *, possible: bool = False) -> list[Diagnostic]:
        """The mistakes that are shown: those that are certain, or all; one for each place and code."""
        return together(m for m in self.diagnostics if possible or m.is_shown)

    def to_json(self) -> dict[str, Any]:
        """The report as JSON."""
        return {
            "diagnostics": [m.to_json() for m in self.diagnostics],
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
            "remarks": self.remarks,
            "holdings": [holding.to_json() for holding in self.holdings],
            "is_interrupted": self.is_interrupted,
            "functions": self.functions,
            "unreached": [[f.path, f.line, f.name] for f in self.unreached],
            "compiled": [[*one, times] for one, times in self.compiled.items()],
            "recorded": self.recorded,
            "traces": self.traces,
            "refused": self.refused,
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> FlowReport:
        """The report that `to_json` wrote."""
        return FlowReport(
            [Diagnostic.from_json(m) for m in data["diagnostics"]],
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
            data["remarks"],
            list(map(Holding.from_json, data["holdings"])),
            data["is_interrupted"],
            data["functions"],
            [UnreachedFunction(*f) for f in data["unreached"]],
            Counter({Compiled.of(one): times for *one, times in data["compiled"]}),
            data["recorded"],
            list(map(DtypeTrace.from_json, data["traces"])),
            data["refused"],
        )


def report_on(
    paths: Sequence[Path],
    config_file: Path | None = None,
    *,
    jobs: int = 1,
    uses_cache: bool = True,
    target: Sequence[str] | None = None,
    python: str | None = None,
    devices: str | None = None,
    recording: Path | None = None,
    enable: Sequence[str] = (),
    traced: tuple[str, int, int] | None = None,
    tell: Callable[[str], None] | None = None,
    shard: str | None = None,
    executor: str | None = None,
    writes_times: bool = False,
) -> FlowReport:
    """What flow says of the program in these files and directories, under the settings that hold here.

    `python` is the interpreter that has the program's libraries, by default ours.
    `target` is a program as a shell names it (`["train.py", "--steps", "3"]`, `["-m", "pkg.train"]`), which alone is
    followed then, with its arguments.
    `devices` are the numbers of devices to pretend (`8`, `1,8,512`), in place of those of the settings.
    `recording` is the file with recordings, in place of that of the settings.
    `enable` are codes to be reported besides those by default and those of the settings.
    `traced` are the absolute path, line and column of which is asked how the dtypes came about.
    `tell` is called with what is done, again and again.
    `shard` is the share of one of several machines (`2/8`), which alone is followed, and `executor` the cluster that
    follows (`dask://HOST:PORT`); with `writes_times` the seconds of the entry points are kept beside the settings.
    An analysis that does not come to its end is among what is not checked.

    Raises:
        ConfigError: if the settings or the numbers of devices are malformed, or the cluster cannot be used.
    """
    if devices is not None:
        _settings(config_file, devices)
    request = request_for(
        paths, config_file, jobs=jobs, uses_cache=uses_cache, devices=devices, target=target, enable=enable
    )
    request["traced"] = traced
    request["recording"] = None if recording is None else str(recording)
    request |= {"shard": shard, "executor": executor, "writes_times": writes_times}
    try:
        found = ask(__name__, request, FlowReport.from_json, python, tell)
    except Interrupted as interrupted:
        interrupted.answer.is_interrupted = True
        return cast(FlowReport, interrupted.answer)
    except NoAnswerError as error:
        return FlowReport(not_checked=[("the program", str(error))])
    if found.refused:
        raise ConfigError(found.refused)
    return found


def request_for(
    paths: Sequence[Path],
    config_file: Path | None = None,
    *,
    jobs: int = 1,
    uses_cache: bool = True,
    devices: str | None = None,
    target: Sequence[str] | None = None,
    enable: Sequence[str] = (),
) -> dict[str, Any]:
    """A question to another process, as JSON can hold it, with what is given in the place of files."""
    return {
        "paths": [str(path) for path in paths],
        "config_file": None if config_file is None else str(config_file),
        "jobs": jobs,
        "uses_cache": uses_cache,
        "devices": devices,
        "target": None if target is None else list(target),
        "enable": list(enable),
        "contents": {path: base64.b64encode(content).decode() for path, content in given_contents().items()},
    }


def answer(request: str, report: str) -> None:
    """Answer a request in this process."""
    if sys.platform == "linux":
        from arraytyping.checker.flow.confinement.linux import die_with_parent

        die_with_parent()
    asked = json.loads(Path(request).read_bytes())
    interrupt_once()
    try:
        found = analyzed(asked)
    except KeyboardInterrupt:
        found = FlowReport(is_interrupted=True)
    except ConfigError as error:
        found = FlowReport(refused=str(error))
    give(found.to_json(), report)


def analyzed(asked: Mapping[str, Any], warm: WarmWorkers | None = None) -> FlowReport:
    """What this process finds, asked with a `request_for`; with `warm` by processes that stay for the next time.

    Raises:
        ConfigError: if the settings are malformed, or the cluster or the times of entry points cannot be used.
    """
    from arraytyping.checker.flow.report.executor_address import ExecutorError
    from arraytyping.checker.flow.report.shares import Shard, ShardError, write_times

    try:
        shard = asked.get("shard")
        found = _analyzed(asked, None if shard is None else Shard.of(shard), warm)
        if asked.get("writes_times"):
            write_times(_settings(_config_file(asked), None).project, {name: s for name, s, _ in found.entry_points})
    except (ExecutorError, ShardError) as error:
        raise ConfigError(str(error)) from None
    return found


def _config_file(asked: Mapping[str, Any]) -> Path | None:
    return None if asked["config_file"] is None else Path(asked["config_file"])


def _analyzed(asked: Mapping[str, Any], shard: Shard | None, warm: WarmWorkers | None) -> FlowReport:
    from arraytyping.checker.flow.confinement.search_path import import_installed_only
    from arraytyping.checker.flow.report.analysis import analyze
    from arraytyping.checker.flow.report.cache import ReportCache

    config_file = _config_file(asked)
    give_contents({path: base64.b64decode(content) for path, content in asked["contents"].items()})
    paths = [Path(path) for path in asked["paths"]]
    import_installed_only(paths)
    settings = _settings(config_file, asked["devices"])
    if asked.get("recording") is not None:
        settings = settings._replace(recording=Path(asked["recording"]))
    traced = asked.get("traced")
    settings = settings._replace(enable=(*settings.enable, *asked["enable"]), traced=traced and tuple(traced))
    cache = ReportCache.of(settings) if asked["uses_cache"] else None
    if asked["target"] is None:
        tell = functools.partial(note_progress, asked["progress"])
        analysis = analyze(
            paths,
            settings,
            jobs=asked["jobs"],
            cache=cache,
            confined=True,
            shard=shard,
            executor=asked.get("executor"),
            tell=tell,
            warm=warm,
            limits=_limits(asked.get("seconds")),
        )
    else:
        given = list(asked["target"])
        size = 2 if given[0] == "-m" else 1
        root, name = _target(given[:size])
        only = settings._replace(entry_points=(name,))
        analysis = analyze(
            [],
            only,
            root=root,
            cache=cache,
            confined=True,
            arguments=tuple(given[size:]),
            executor=asked.get("executor"),
        )
    return FlowReport(
        analysis.diagnostics,
        analysis.claims,
        [Unreadable(str(e.path), e.line, e.message) for e in analysis.errors],
        analysis.unknowns,
        analysis.crashes,
        analysis.swallowed,
        [(str(r.entry), r.seconds, r.is_complete) for r in analysis.entry_points],
        0 if cache is None else cache.reused,
        sorted({file for r in analysis.entry_points for file in r.files if is_file(file)}),
        [(str(r.entry), r.stopped) for r in analysis.entry_points if r.stopped],
        analysis.notes,
        analysis.remarks,
        [holding for r in analysis.entry_points for holding in r.holdings],
        analysis.is_interrupted,
        analysis.functions,
        analysis.unreached,
        analysis.compiled,
        analysis.recorded,
        list(dict.fromkeys(trace for r in analysis.entry_points for trace in r.traces)),
    )


def _limits(seconds: float | None) -> Limits | None:
    if seconds is None:
        return None
    limits = Limits()
    limits.seconds = seconds
    return limits


def _settings(config_file: Path | None, devices: str | None) -> Settings:
    """The settings that hold here, with the numbers of devices that are given.

    Raises:
        ConfigError: if the settings or the numbers of devices are malformed.
    """
    settings = load_settings(Path.cwd(), config_file)
    try:
        return settings if devices is None else settings.with_devices(counts_from_text(devices))
    except DeviceCountError as error:
        raise ConfigError(f"--devices: {error}") from None


def _target(target: Sequence[str]) -> tuple[Path, str]:
    """A program as an entry point, and the directory that it is relative to."""
    if target[0] == "-m":
        return Path.cwd(), target[1]
    path = Path(target[0])
    if (path / "__init__.py").is_file():
        directory = path.resolve()
        return directory.parent, directory.name
    return Path.cwd(), str(path / "__main__.py" if path.is_dir() else path)
