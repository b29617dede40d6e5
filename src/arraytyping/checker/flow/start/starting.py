"""Start an entry point: what happens in one run, and what is kept of it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from arraytyping.checker.boundary.file import recording_places
from arraytyping.checker.claims import FileClaims
from arraytyping.checker.flow.engines.attribute_stores import CLASSES_BESIDE
from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.libraries.assumed_options import WANTED, assumed_remark
from arraytyping.checker.flow.libraries.command_lines import COMMAND, COMMANDS
from arraytyping.checker.flow.sources.entry_points import EntryPoint
from arraytyping.checker.flow.sources.source_files import SourceError
from arraytyping.checker.flow.sources.statements import functions_of
from arraytyping.checker.flow.sources.unread_code import watched
from arraytyping.checker.flow.start.changed_variables import forget_changed
from arraytyping.checker.flow.start.kept_report import Report
from arraytyping.checker.flow.start.program import Result, assuming, interpret_from
from arraytyping.checker.flow.start.python_interpreter import PythonInterpreter
from arraytyping.checker.flow.start.running_tests import report_raised, run_tests
from arraytyping.checker.flow.start.uncalled_functions import UncalledFunctions, apart, uncalled_escaped
from arraytyping.checker.flow.state.compilations import COMPILED
from arraytyping.checker.flow.state.devices_asked import DEVICES, MACHINE, DevicesAsked
from arraytyping.checker.flow.state.interpreter import Interpreter, OutOfTime, ProgramEnds, Raised, Recursion
from arraytyping.checker.flow.state.limits import Limits
from arraytyping.checker.flow.state.made_values import COMPLEX_FILES, MADE_BESIDES
from arraytyping.checker.flow.state.program_words import ARGUMENTS, ASSUMED, Assumed, any_words, others_words
from arraytyping.checker.flow.state.recorded import RecordedFacts, recorded_facts
from arraytyping.checker.flow.state.recording import claims_of
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.state.x64_sides import CONFIGURED, WANTED_X64, X64, X64_SIDE, x64_side
from arraytyping.checker.flow.syntax.held_arrays import HOLDINGS
from arraytyping.checker.flow.syntax.imports import Importer
from arraytyping.checker.flow.values.frames import Module
from arraytyping.checker.settings import Settings

__all__ = ["Report", "start"]

_MOST_COMMANDS = 32


def start(
    entry: EntryPoint,
    shown: dict[Path, str],
    settings: Settings,
    limits: Limits | None,
    reached: frozenset[tuple[str, int]],
    allow_seconds: Callable[[float], None] = lambda seconds: None,
    allow_devices: Callable[[int], None] = lambda count: None,
    watch: Callable[[Interpreter, Module], None] | None = None,
) -> Report:
    """Run an entry point, once for each of its subcommands; functions in `reached` are not started again.

    Where the program asks for other devices than there are, it is run again with these.
    `allow_seconds` is told how much processor time each part may take, as it begins, and `allow_devices` how many
    devices are pretended.  `watch` is told of each module of the program before anything of it is executed.
    """
    allow_devices(entry.devices)
    report = _start(entry, entry.devices, shown, settings, limits, reached, allow_seconds, watch)
    if count := report.devices.again:
        allow_devices(count)
        return _start(entry, count, shown, settings, limits, reached, allow_seconds, watch)
    return report


def _start(
    entry: EntryPoint,
    devices: int,
    shown: dict[Path, str],
    settings: Settings,
    limits: Limits | None,
    reached: frozenset[tuple[str, int]],
    allow_seconds: Callable[[float], None],
    watch: Callable[[Interpreter, Module], None] | None,
) -> Report:
    """Run an entry point with so many devices."""
    report = Report(entry=entry)
    places = recording_places(entry.path, settings.recording, settings.project)
    report.files |= {os.path.realpath(place) for place in places}
    commands: list[tuple[str, ...]] = [()]
    for command in commands:
        runs: dict[int, tuple[_Run, Result]] = {}

        def attempt(
            assumed: Assumed, command: tuple[str, ...] = command, runs: dict[int, tuple[_Run, Result]] = runs
        ) -> Result:
            importer = Importer(entry.roots, shown, settings.stand_ins)
            importer.watch = watch or _watch_reading
            run = _Run(entry, importer, reached, allow_seconds)
            result = run.interpret(settings, limits, devices, command, assumed)
            runs[id(result)] = run, result
            return result

        kept = assuming(attempt)
        for result, _ in kept:
            run, _ = runs.pop(id(result))
            _keep(report, result, run)
            inner = dict.fromkeys(COMMANDS.of(result.interpreter))
            more = [(*command, name) for name in inner if len(command) < 4 and (*command, name) not in commands]
            commands += more[: max(0, _MOST_COMMANDS - len(commands))]
        for _, result in runs.values():  # of those that do not fit
            report.seconds += result.seconds
            report.note_unread(result.unread)
            report.files |= {str(path) for path in result.files}
        said = assumed_remark(entry.name, (assumed for _, assumed in kept))
        if said not in ("", *report.remarks):
            report.remarks.append(said)
    return report


def _watch_reading(it: Interpreter, module: Module) -> None:
    """Have it noted which functions of a module are looked into: edits of the others change nothing."""
    if module.is_program and module.path.suffix == ".py":
        watched(module.path, module.source, module.tree)


def _keep(report: Report, result: Result, run: _Run) -> None:
    """Take in what a run has found."""
    if run.is_out_of_time or (not result.is_complete and time.process_time() >= result.interpreter.deadline):
        report.stopped = f"it needs more than {result.interpreter.limits.seconds:.0f} s of processor time"
    elif result.stopped:
        report.stopped = result.stopped
    result.is_complete = result.is_complete and run.is_complete
    asked = run.asked
    report.devices.add(asked)
    report.holdings += HOLDINGS.of(result.interpreter).values()
    counts = (asked.count,) if asked.count and asked.is_asked else ()
    if counts:
        result.diagnostics = [replace(m, devices=counts) for m in result.diagnostics]
    report.add(result)
    report.rest_claims += [run.rest_claims] if run.rest_claims else []
    report.has_rest = run.has_followed_rest
    report.claims.append(result.claims if run.entry.kind != "library" else _of_own_files(result, run))
    report.files |= {str(path) for path in result.files}
    report.note_unread(result.unread)
    report.remarks += [] if run.problem in ("", *report.remarks) else [run.problem]
    if run.recorded is not None:
        report.recorded += sorted([site.file, site.function, site.text] for site in run.recorded.used)
        if run.entry.kind != "library":
            report.remarks += run.recorded.remarks({os.path.realpath(m.path): m.tree for m in run.importer.loaded})
    report.compiled += COMPILED.of(result.interpreter).compiled
    report.modules |= run.importer.searched


def _of_own_files(result: Result, run: _Run) -> dict[str, FileClaims]:
    """The claims of the files of a library: of others that it imports not all calls are known."""
    paths = {path.resolve() for _, path in run.entry.modules}
    own = {module.shown for module in run.importer.loaded if module.path.resolve() in paths}
    return {shown: claims for shown, claims in result.claims.items() if shown in own}


def _beside(entry: EntryPoint) -> dict[RunSlot[Any], Any]:
    """What is known of the files beside those of a library."""
    return {MADE_BESIDES: entry.made, COMPLEX_FILES: entry.complex_files, CLASSES_BESIDE: entry.classes}


class _Run:
    """One run of an entry point."""

    def __init__(
        self,
        entry: EntryPoint,
        importer: Importer,
        reached: frozenset[tuple[str, int]],
        allow_seconds: Callable[[float], None],
    ) -> None:
        self.entry = entry
        self.importer = importer
        self.uncalled = UncalledFunctions(entry, importer, reached)
        self.allow_seconds = allow_seconds
        self.is_complete = True
        self.is_out_of_time = False
        self.rest_claims: dict[str, FileClaims] = {}
        self.has_followed_rest = False
        self.command: tuple[str, ...] = ()
        self.recorded: RecordedFacts | None = None
        self.asked = DevicesAsked(0)
        self.problem = ""
        """What has to be said of the recording, as it was read."""

    def interpret(
        self, settings: Settings, limits: Limits | None, devices: int, command: tuple[str, ...], assumed: Assumed
    ) -> Result:
        """Interpret it with so many devices, a subcommand, and options that are assumed."""
        entry = self.entry
        is_library = entry.kind == "library"
        self.recorded, problem = recorded_facts(
            entry.path,
            entry.arguments,
            settings.recording,
            settings.project,
            [path for _, path in entry.modules] if is_library else None,
        )
        self.problem = problem or ""
        self.allow_seconds((limits or Limits()).seconds)
        self.asked = DevicesAsked(devices)
        self.command = command
        kept: dict[RunSlot[Any], Any] = {COMMAND: command} if command else {}
        kept |= {DEVICES: self.asked, MACHINE: settings.machine}
        if is_library:
            kept |= _beside(entry)
        if entry.kind in ("library", "tests"):  # which have no command line of their own
            kept |= others_words()
        else:
            kept[ASSUMED] = assumed
        if entry.arguments:
            kept[ARGUMENTS] = entry.arguments
        kept[X64_SIDE] = side = x64_side(assumed)
        has_x64 = side if entry.has_x64 is None else entry.has_x64
        if settings.x64 == "auto" and (has_x64 or entry.has_x64 is None):
            settings = settings._replace(x64="auto" if has_x64 is None else has_x64)
        return interpret_from(self.begin, self.importer, entry.path, limits, settings, kept)

    def begin(self, it: PythonInterpreter) -> None:
        """Do what running it does."""
        it.recorded = self.recorded
        if self.entry.has_x64 is None and X64_SIDE.of(it) is None and X64 not in CONFIGURED.of(it):
            WANTED_X64.put(it, True)
            return
        name, path = self.entry.modules[-1]
        if self.entry.kind == "script":
            self._script(it, path)
        elif self.entry.kind == "module":
            package = name.rpartition(".")[0]
            if package:
                self._load(it, package, None)
            with report_raised(it):
                self.importer.load(it, name, path, False, "__main__")
        elif self.entry.kind == "function":
            self._function(it, name, path)
        elif self.entry.kind == "tests":
            loaded = [self._load(it, n, p) for n, p in self.entry.modules]
            *conftests, module = loaded
            if module is not None:
                self.is_complete = run_tests(it, module, [c for c in conftests if c is not None])
        else:
            self._library(it)

    def _script(self, it: PythonInterpreter, path: Path) -> None:
        rest = self.entry.rest
        try:
            self.importer.load(it, "__main__", path, False, "__main__")
        except (Raised, ProgramEnds, Recursion):
            self._follow_more(it, rest)
            raise
        self._follow_more(it, rest)

    def _follow_more(self, it: PythonInterpreter, rest: EntryPoint | None) -> None:
        """What the run has shown to be called where flow cannot follow, and what nothing has called."""
        with apart(it, self.importer):
            self._follow_escaped(it)
        if rest is not None:
            self._follow_rest(it, rest)

    def _follow_escaped(self, it: PythonInterpreter) -> None:
        """In the time that there is for it; of what there is none for, all that has been found before stands."""
        if uncalled_escaped(it):
            it.deadline = time.process_time() + it.limits.seconds
            self.allow_seconds(it.limits.seconds)
            with suppress(OutOfTime):
                self.uncalled.start_escaped(it)

    def _load(self, it: PythonInterpreter, name: str, path: Path | None) -> Module | None:
        """A module, its packages first; of one that is not found under the roots its own file."""
        with report_raised(it, is_meant=self.entry.kind == "library"):
            found = self.importer.module(it, name)
            if found is None or (path is not None and found.path.resolve() != path.resolve()):
                found = None if path is None else self.importer.load(it, name, path, path.name == "__init__.py")
            return found
        return self.importer.modules.get(name)  # as far as it came

    def _function(self, it: PythonInterpreter, name: str, path: Path) -> None:
        module = self._load(it, name, path)
        if module is None:
            return
        function = module.frame.variables.get(self.entry.function)
        with it.in_frame(module.frame), report_raised(it):
            if function is None:
                message = f"the entry point {self.entry}: this module has no {self.entry.function!r}"
                self.importer.errors.append(SourceError(Path(module.shown), 1, message))
            else:
                it.call(function, [], {}, None)

    def _library(self, it: PythonInterpreter) -> None:
        """Import each module, and then start those of their functions that nothing has called, from their annotations.

        A class of any of them may derive from one of another.
        """
        loaded: dict[str, Module] = {}

        def load(name: str, path: Path) -> None:
            if (module := self._load(it, name, path)) is not None:
                loaded[name] = module

        self._each(it, load)
        forget_changed(it, self.importer.loaded)
        self._each(it, lambda name, _: self.uncalled.start(it, loaded[name]) if name in loaded else None)
        self._follow_escaped(it)

    def _follow_rest(self, it: PythonInterpreter, rest: EntryPoint) -> None:
        """Start the functions of a script that nothing has called, once it has been run."""
        module = self.importer.modules.get("__main__")
        # Another command, or other options, may call what these do not.
        if module is None or self.command or COMMANDS.of(it) or WANTED.of(it) is not None or ASSUMED.of(it):
            return
        self.has_followed_rest = True
        any_words(it)
        if all(node in it.reached for node in functions_of(module.tree)):
            return
        for slot, value in _beside(rest).items():
            slot.put(it, value)
        with apart(it, self.importer):
            forget_changed(it, self.importer.loaded)
            self._each(it, lambda name, _: self.uncalled.start(it, module))
            self.rest_claims = {module.shown: claims_of(module)}

    def _each(self, it: PythonInterpreter, do: Callable[[str, Path], None]) -> None:
        """Do something for each module, in the time that there is for one."""
        for name, path in self.entry.modules:
            it.deadline = time.process_time() + it.limits.seconds
            self.allow_seconds(it.limits.seconds)
            try:
                do(name, path)
            except (OutOfTime, Abort) as error:
                self.is_complete = False
                self.is_out_of_time |= isinstance(error, OutOfTime)
