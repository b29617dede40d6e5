"""What is found in one run, and what is kept of the runs from an entry point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arraytyping.checker.claims import FileClaims
from arraytyping.checker.dtype_trace import DtypeTrace
from arraytyping.checker.flow.sources.entry_points import EntryPoint
from arraytyping.checker.flow.sources.source_files import SourceError
from arraytyping.checker.flow.state.call_results import Results, join_results
from arraytyping.checker.flow.state.compiled import Compiled
from arraytyping.checker.flow.state.devices_asked import DevicesAsked
from arraytyping.checker.flow.state.diagnostics import Diagnostic
from arraytyping.checker.holdings import Holding

__all__ = ["Report", "RunFindings"]


@dataclass
class RunFindings:
    """What is known of one run, and of several together."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    errors: list[SourceError] = field(default_factory=list)
    unknowns: Counter[str] = field(default_factory=Counter)
    crashes: Counter[str] = field(default_factory=Counter)
    swallowed: Counter[str] = field(default_factory=Counter)
    """The exceptions that were caught, whatever they were; crashes are among them."""
    seconds: float = 0.0
    is_complete: bool = True
    reached: set[tuple[str, int]] = field(default_factory=set)
    """The functions that were called, by their file and line."""
    traces: list[DtypeTrace] = field(default_factory=list)
    """How the expressions of the line that was asked for came to their dtypes."""
    results: Results = field(default_factory=dict)
    """What is known of all that calls give, in modules where it was noted; it is not kept."""

    def add(self, other: RunFindings) -> None:
        """Take in what is known of another run."""
        self.diagnostics += other.diagnostics
        self.errors += other.errors
        self.unknowns += other.unknowns
        self.crashes += other.crashes
        self.swallowed += other.swallowed
        self.seconds += other.seconds
        self.is_complete = self.is_complete and other.is_complete
        self.reached |= other.reached
        self.traces += other.traces
        join_results(self.results, other.results)


@dataclass
class Report(RunFindings):
    """What one entry point says; it can be sent between processes."""

    entry: EntryPoint = field(kw_only=True)
    claims: list[dict[str, FileClaims]] = field(default_factory=list)
    """Those of each run."""
    rest_claims: list[dict[str, FileClaims]] = field(default_factory=list)
    """Those of what a script does not call."""
    has_rest: bool = False
    """Whether that was followed, so that nothing is left to do for its file."""
    files: set[str] = field(default_factory=set)
    unread: dict[str, list[int]] = field(default_factory=dict)
    """Of the program's files, where it was noted: the functions into which no run has looked (see `same_code`)."""
    modules: dict[str, str | None] = field(default_factory=dict)
    """Where each module was found that was looked for among the program's own."""
    holdings: list[Holding] = field(default_factory=list)
    """What devices hold of the arrays of jitted functions."""
    devices: DevicesAsked = field(default_factory=DevicesAsked)
    compiled: Counter[Compiled] = field(default_factory=Counter)
    """What JAX compiles, and how often."""
    stopped: str = ""
    """Why it was not followed to its end, if that is so of the whole; what was found until then is here."""
    recorded: list[list[str]] = field(default_factory=list)
    """The sites at which a recording was used: file, function and text."""
    remarks: list[str] = field(default_factory=list)
    """What has to be said of the recording."""

    def note_unread(self, unread: Mapping[str, list[int]]) -> None:
        """Take in the functions into which one more run has not looked."""
        for path, lines in unread.items():
            self.unread[path] = sorted({*lines} & {*self.unread.get(path, lines)})

    def to_json(self) -> dict[str, Any]:
        """The report as JSON, without the entry point."""
        return {
            "diagnostics": [m.to_json() for m in self.diagnostics],
            "claims": [{path: file.to_json() for path, file in files.items()} for files in self.claims],
            "rest_claims": [{path: file.to_json() for path, file in files.items()} for files in self.rest_claims],
            "has_rest": self.has_rest,
            "errors": [[str(e.path), e.line, e.message] for e in self.errors],
            "unknowns": self.unknowns,
            "crashes": self.crashes,
            "swallowed": self.swallowed,
            "seconds": self.seconds,
            "is_complete": self.is_complete,
            "files": sorted(self.files),
            "reached": sorted(self.reached),
            "unread": self.unread,
            "modules": self.modules,
            "holdings": [holding.to_json() for holding in self.holdings],
            "devices": self.devices.to_json(),
            "stopped": self.stopped,
            "recorded": self.recorded,
            "remarks": self.remarks,
            "compiled": [[*one, times] for one, times in self.compiled.items()],
            "traces": self.traces,
        }

    @staticmethod
    def from_json(entry: EntryPoint, data: Mapping[str, Any]) -> Report:
        """The report that `to_json` wrote."""
        return Report(
            entry=entry,
            diagnostics=[Diagnostic.from_json(m) for m in data["diagnostics"]],
            claims=[{path: FileClaims.from_json(file) for path, file in files.items()} for files in data["claims"]],
            rest_claims=[
                {path: FileClaims.from_json(file) for path, file in files.items()} for files in data["rest_claims"]
            ],
            has_rest=bool(data["has_rest"]),
            errors=[SourceError(Path(path), line, message) for path, line, message in data["errors"]],
            unknowns=Counter(data["unknowns"]),
            crashes=Counter(data["crashes"]),
            swallowed=Counter(data["swallowed"]),
            seconds=float(data["seconds"]),
            is_complete=bool(data["is_complete"]),
            files=set(data["files"]),
            reached={(path, line) for path, line in data["reached"]},
            unread=data["unread"],
            modules=data["modules"],
            holdings=[Holding.from_json(holding) for holding in data["holdings"]],
            devices=DevicesAsked.from_json(data["devices"]),
            stopped=str(data["stopped"]),
            recorded=data["recorded"],
            remarks=data["remarks"],
            compiled=Counter({Compiled.of(one): times for *one, times in data["compiled"]}),
            traces=list(map(DtypeTrace.from_json, data["traces"])),
        )
