"""Runs mypy in this process as its own command does, with our plugin, and shows what it and flow have found."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from mypy.defaults import RECURSION_LIMIT
from mypy.fscache import FileSystemCache
from mypy.modulefinder import BuildSource
from mypy.options import Options

from arraytyping.checker.claims import ProgramClaims
from arraytyping.checker.environment import Environment
from arraytyping.checker.flow.report.reporting import Shown, Unreadable
from arraytyping.checker.flow.report.shares import Shard, divided
from arraytyping.checker.flow.sources.project import module_name
from arraytyping.checker.flow.sources.x64_switches import ProgramsX64
from arraytyping.checker.flow.state.diagnostics import Diagnostic
from arraytyping.checker.messages.presenting import Presenter
from arraytyping.checker.notebooks.reading import READER
from arraytyping.checker.progress import Progress
from arraytyping.checker.settings import Settings
from arraytyping.checker.settings_file import load_settings
from arraytyping.checker.x64 import X64Decision
from arraytyping_mypy.building.options import (
    adjust,
    ask_search_path,
    is_strict,
    process_options,
    python_options,
    settle_environment,
    tell_foreign,
)
from arraytyping_mypy.building.recording import claims_of
from arraytyping_mypy.building.running import build, own_modules, shadows
from arraytyping_mypy.duplicates import untold
from arraytyping_mypy.flow_messages import comments_by_file, messages_by_file, refusal
from arraytyping_mypy.flow_mistakes import give
from arraytyping_mypy.names import OWN_MODULES
from arraytyping_mypy.output import Output
from arraytyping_mypy.settings import BuildSettings, check_only
from arraytyping_mypy.sources import (
    find_sources,
    names_sources,
    not_excluded,
    notebooks,
    passed_by,
    without_duplicate_modules,
)

if TYPE_CHECKING:
    pass

__all__ = ["AskFlow", "Outcome", "check"]

AskFlow = Callable[[Sequence[Path], Path | None, Environment], Shown]

_ANY_FILE: Final = "-"
"""What stands for the files on mypy's command line; which ones they are is found out afterwards."""


@dataclass(frozen=True)
class Outcome:
    """What a run of mypy came to; `claims` and `x64` are None if it could not check the program."""

    status: int
    claims: ProgramClaims | None = None
    x64: X64Decision | ProgramsX64 | None = None
    messages: tuple[str, ...] = ()
    wants_summary: bool = True
    is_machine_readable: bool = False
    is_interrupted: bool = False


def check(
    paths: Sequence[str],
    mypy_options: Sequence[str] = (),
    *,
    stdout: TextIO,
    stderr: TextIO,
    program: str,
    show: bool = True,
    flow: AskFlow | None = None,
    types: bool = True,
    environment: Environment | None = None,
    is_named: bool = False,
    reserve: Callable[[ProgramClaims], str | None] = lambda claims: None,
    mypy_errors: bool = False,
    unused_ignores: bool = False,
    present: Callable[[Settings], Presenter | None] = lambda settings: None,
    progress: Progress | None = None,
    share: Shard | None = None,
) -> Outcome:
    """Check these files and directories, else those of mypy's configuration, else the current directory.

    mypy's messages go to the streams, or are written by what `present` gives for the settings.

    With `show` off only what cannot be checked is shown, on `stderr`.  `flow` gives the mistakes that flow has found in
    the program in these files and directories, under this file of configuration, with this environment, and the files
    that it could not read; they are shown as mypy's own are.  With `types` off nothing else is shown, and no types are
    checked.  `environment` is the program's, by default ours; one that mypy is told of stands in its place, unless the
    user has named it.  What `reserve` says of the claims of the types is shown in the place of a success.  Without a
    configuration of mypy its own errors are shown only with `mypy_errors`; `unused_ignores` tells our own comments that
    silence nothing.  With a `share` the types of its files are checked, and of what these import.

    Raises:
        SystemExit: as mypy does for options that it does not take, and for `--help` and `--version`.
        ConfigError: if `[tool.arraytyping]` is malformed, or names an environment that cannot be used.
    """
    started = time.time()
    sys.setrecursionlimit(RECURSION_LIMIT)
    fscache = FileSystemCache()
    if not paths and not names_sources(mypy_options):
        paths = (".",)
    said = StringIO()  # of the configuration; what is wrong with it is told once
    arguments = [*python_options(environment), *mypy_options, *(["--", _ANY_FILE] if paths else [])]
    try:
        sources, options = process_options(arguments, stdout, said, fscache, program)
    except SystemExit:
        stderr.write(said.getvalue())
        raise
    refused: list[Unreadable] = []
    config_file = Path(options.config_file) if options.config_file else None
    settings = load_settings(Path.cwd(), config_file)
    stderr.write(said.getvalue())
    if paths:
        _, unreadable = notebooks(paths, settings.selection)
        sources, refused = find_sources(paths, options, fscache, settings.selection)
        known = {os.path.realpath(error.path) for error in unreadable}
        refused = [*unreadable, *(error for error in refused if os.path.realpath(error.path) not in known)]
        if show and sources and (count := passed_by(paths, settings.selection)):
            what = f"{count} notebook{'' if count == 1 else 's'}"
            print(f"arraytyping: note: {what} passed by, {READER}", file=stderr)
    presenter = _presenter(present(settings), options)
    if types:
        tell_foreign(options, stderr)
    elif environment is not None and not any(o.startswith("--python-executable") for o in mypy_options):
        is_named = True  # what the configuration names is not run
    environment = settle_environment(options, mypy_options, environment, is_named)
    roots = list(not_excluded(map(Path, paths), options, fscache, settings.selection))
    roots = roots or [Path(s.path) for s in sources if s.path is not None]
    check_only(roots)
    adjust(options, mypy_options, stderr)
    shows_all = mypy_errors or bool(options.config_file) or any(map(is_strict, mypy_options))
    output = Output(options, stdout, stderr, show, shows_all, presenter=presenter)
    if progress is not None:
        output.before = progress.stop
    shown = flow(roots, config_file, environment) if flow is not None and roots else Shown()
    if types:
        if progress is not None:
            progress.says("checking types")
        ask_search_path(options, environment)
    diagnostics, unread, output.is_partial, is_interrupted, output.claims, output.found = shown
    for error in (*refused, *(() if types and not is_interrupted else unread)):
        output.refuse(error.path, refusal(error, options))
    is_left = bool(sources) or not refused
    if is_interrupted:
        return _interrupted(diagnostics, sources, output)
    if not types:
        _flush(diagnostics, _modules(sources), output)
        _flush_comments(sources, options, output, alone=True, unused=unused_ignores)
        return _flow_alone(sources, output, started, reserve(ProgramClaims()))
    warnings = [m for m in diagnostics if m.is_minor]  # of which mypy's own errors have no like
    diagnostics = [m for m in diagnostics if not m.is_minor]
    give(diagnostics)
    output.diagnostics = diagnostics
    sources = without_duplicate_modules(sources, options)
    if share is not None:
        sources = _share_of(sources, share)
    modules = _modules(sources)
    if not environment.is_own:
        sources += own_modules(options)
    try:
        with shadows(sources, options):
            built = build(sources, options, fscache, output, unused_ignores) if is_left else None
    except KeyboardInterrupt:
        return _interrupted(shown.diagnostics, sources, output)
    for error in unread:
        output.refuse(error.path, refusal(error, options))
    if built is not None:
        left_out = [m for m in diagnostics if os.path.realpath(m.path) in output.refused]
        imported = {file: module_name(Path(file))[0] for file in output.refused}
        _flush(left_out, imported | modules, output)  # mypy, which tells those of the others, has not checked these
    for path, lines in messages_by_file(untold(warnings, output.messages), _modules(sources), options):
        output.flush(path, lines, False)
    _flush_comments(sources, options, output, alone=False, unused=unused_ignores)
    count = sum(s.module not in OWN_MODULES for s in sources)
    if built is None:
        if is_left:
            _flush(diagnostics, modules, output)
        status = output.finish(count, time.time() - started, is_blocked=True)
        return Outcome(status, messages=tuple(output.messages))
    result, recorder = built
    claims = claims_of(result, recorder)
    result.manager.metastore.close()
    status = output.finish(count, time.time() - started, is_blocked=False, reservation=reserve(claims))
    return Outcome(
        status,
        claims,
        _decision(recorder.settings),
        tuple(output.messages),
        options.error_summary,
        _is_for_programs(output),
    )


def _flush_comments(sources: list[BuildSource], options: Options, output: Output, *, alone: bool, unused: bool) -> None:
    """Show what there is to say of the program's own comments."""
    for path, lines in comments_by_file(_modules(sources), options, alone=alone, unused=unused):
        output.flush(path, lines, False)


def _presenter(presenter: Presenter | None, options: Options) -> Presenter | None:
    """Who writes the messages in mypy's place, unless the user has asked mypy for a format of its own."""
    if presenter is None or (presenter.gives_way and (options.output or options.pretty)):
        return None
    options.output, options.pretty = "json", False  # which is what it reads
    return presenter


def _share_of(sources: Sequence[BuildSource], shard: Shard) -> list[BuildSource]:
    """The sources of one of several machines, each of which finds the same division."""
    names = {s.module if s.path is None else Path(os.path.relpath(s.path)).as_posix(): s for s in sources}
    machines = divided(dict.fromkeys(names, 1.0), shard.count)
    return [source for name, source in names.items() if machines[name] == shard.number]


def _modules(sources: Sequence[BuildSource]) -> dict[str, str]:
    """The names of the modules that are checked, by path."""
    return {str(Path(s.path).resolve()): s.module for s in sources if s.path is not None}


def _flush(diagnostics: Sequence[Diagnostic], modules: Mapping[str, str], output: Output) -> None:
    """Take flow's mistakes as mypy would report them, those that it has not reported yet."""
    told = set(output.messages)
    for path, lines in messages_by_file(diagnostics, modules, output.options):
        output.flush(path, [line for line in lines if line not in told], False)


def _interrupted(diagnostics: Sequence[Diagnostic], sources: Sequence[BuildSource], output: Output) -> Outcome:
    """Show what was found before the user has ended the run."""
    _flush(diagnostics, _modules(sources), output)
    output.options.error_summary = False
    status = output.finish(0, 0.0, is_blocked=False)
    return Outcome(status, messages=tuple(output.messages), is_interrupted=True)


def _is_for_programs(output: Output) -> bool:
    """Whether nothing but messages may be written where these are."""
    return output.options.output is not None if output.presenter is None else not output.presenter.is_for_people


def _flow_alone(sources: Sequence[BuildSource], output: Output, started: float, reservation: str | None) -> Outcome:
    """Show what was found, without asking mypy."""
    options = output.options
    read = sum(s.path is not None and os.path.realpath(s.path) not in output.refused for s in sources)
    is_blocked = bool(output.refused) and not read
    status = output.finish(read, time.time() - started, is_blocked=is_blocked, reservation=reservation)
    if is_blocked:
        return Outcome(status, messages=tuple(output.messages))
    return Outcome(
        status,
        ProgramClaims(),
        _decision(BuildSettings(options)),
        tuple(output.messages),
        options.error_summary,
        _is_for_programs(output),
    )


def _decision(settings: BuildSettings) -> X64Decision | ProgramsX64:
    configured = settings.settings
    if configured.x64 == "auto":
        return settings.x64
    return X64Decision.configured(configured.x64, "pyproject.toml" if configured.file is None else configured.file.name)
