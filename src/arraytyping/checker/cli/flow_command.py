"""Commands that follow the program besides running mypy: their options, and what flow has found and not understood."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import rich_click as click

from arraytyping.checker.boundary.file import NAME
from arraytyping.checker.claims import ProgramClaims
from arraytyping.checker.cli.closing import reservation
from arraytyping.checker.cli.merging import merge_layers
from arraytyping.checker.cli.scaling import Scale
from arraytyping.checker.device_counts import DeviceCountError, counts_from_text
from arraytyping.checker.environment import (
    OLDEST_PYTHON,
    Environment,
    NoEnvironmentError,
    Search,
    find_environment,
    inspect_environment,
)
from arraytyping.checker.flow.report.jobs import automatic_jobs
from arraytyping.checker.flow.report.reporting import FlowReport, Shown, report_on
from arraytyping.checker.flow.start.jax_imports import find_jax_import
from arraytyping.checker.progress import Progress
from arraytyping.checker.settings_file import unknown_code
from arraytyping.checker.swallowed import SWALLOWED
from arraytyping.semantics.releases import NEWEST, OLDEST, release_of, unsupported

__all__ = ["Layers", "devices_option", "enable_option", "layer_options", "recording_option"]

F = TypeVar("F", bound=Callable[..., Any])


class Layers:
    """Which layers a command asks, and what flow has answered."""

    def __init__(
        self, flow: bool, types: bool, possible: bool, jobs: int, debug: bool, python: Path | None = None
    ) -> None:
        if not flow and not types:
            raise click.UsageError("--no-flow and --no-types together leave nothing to do.")
        self.wants_flow = flow
        self.wants_types = types
        self.possible = possible
        self.jobs = jobs
        self.debug = debug
        self.python = python
        self.recording: Path | None = None
        """The file with recordings, in place of that of the settings."""
        self.devices: str | None = None
        """The numbers of devices to pretend, in place of those of the settings."""
        self.enable: tuple[str, ...] = ()
        """The codes to report besides those by default and those of the settings."""
        self.arguments: tuple[str, ...] = ()
        """The command line of the program, if it is given one."""
        self.is_strict = False
        """Whether what contradicts an annotation of `jax.Array` alone is an error."""
        self.mypy_errors = False
        """Whether mypy's own errors are shown where nothing is configured."""
        self.unused_ignores = False
        """Whether comments that silence nothing are told."""
        self.scale: Scale = Scale()
        """How the work is divided among machines."""
        self.report: FlowReport | None = None
        self.progress: Progress = Progress()
        self._search: Search | None = None
        self._roots: Sequence[Path] = ()

    def find_environment(self, paths: Sequence[str]) -> Environment:
        """The environment of the program in these files and directories.

        Raises:
            NoEnvironmentError: if the one that the user names cannot be used.
        """
        if self.python is not None:
            return inspect_environment(self.python, "--python")
        self._search = find_environment([Path(path) for path in paths])
        return self._search.environment

    def named_python(self, paths: Sequence[str]) -> str | None:
        """The interpreter of the program, where it is not our own."""
        environment = self.find_environment(paths)
        return None if environment.is_own else environment.python

    def ask(self, roots: Sequence[Path], config_file: Path | None, environment: Environment) -> Shown:
        """What flow finds in these files and is to be shown, what it could not read, and whether it left anything out.

        Raises:
            NoEnvironmentError: if the program cannot be checked with this environment.
        """
        self._roots = roots
        self._refuse(environment, roots)
        if not self.wants_flow:
            return Shown()
        tell = self.progress.says if self.progress.is_shown else None
        target = [str(roots[0]), *self.arguments] if self.arguments and roots else None
        self.report = report_on(
            roots,
            config_file,
            jobs=self.jobs,
            target=target,
            python=environment.python,
            devices=self.devices,
            recording=self.recording,
            enable=self.enable,
            tell=tell,
            shard=None if self.scale.shard is None else str(self.scale.shard),
            executor=self.scale.executor,
            writes_times=self.scale.writes_times,
        )
        found = self.report.shown(possible=self.possible)
        shown = [m.as_error for m in found] if self.is_strict else found
        report = self.report
        return Shown(
            shown, report.errors, bool(report.not_checked), report.is_interrupted, report.claims, report.diagnostics
        )

    def _refuse(self, environment: Environment, roots: Sequence[Path]) -> None:
        """End where nothing could be said of the program with this environment, and say what is odd about it."""
        refused = () if self._search is None else self._search.refused
        if environment.jax is None:
            if (found := find_jax_import(roots)) is not None:
                searched = self._search is not None and environment is self._search.environment
                looked_at = self._search.looked_at if searched and self._search is not None else (environment.origin,)
                raise NoEnvironmentError(
                    f"{found.path}:{found.line} imports {found.name}, and jax is installed in none of the environments "
                    f"that were looked at ({'; '.join((*looked_at, *refused))}): install it in that of the program, "
                    "or name the program's Python with --python PATH"
                )
            return
        for why in refused:
            click.echo(f"arraytyping: note: {why}; {environment.python} is used", err=True)
        if self.wants_flow and not environment.runs_flow:
            raise NoEnvironmentError(
                f"{environment.origin} has Python {_dotted(environment.version)}, and flow needs "
                f"{_dotted(OLDEST_PYTHON)} or later: use a newer one, or check the types alone with --no-flow"
            )
        release = release_of(environment.jax)
        if not self.wants_types and release is not None and not OLDEST <= release <= NEWEST:
            click.echo(f"arraytyping: note: {unsupported(environment.jax)}", err=True)

    def reserve(self, types: ProgramClaims) -> str | None:
        """What has to be said in the place of a success, given the claims of the types."""
        return reservation(merge_layers(types, self.report), lambda: find_jax_import(self._roots))

    def tell(self) -> None:
        """Say on the standard error what could not be followed; with `--debug` also why things are unknown."""
        if self.report is None:
            return
        for name, why in self.report.not_checked:
            click.echo(f"arraytyping: not checked: {name}: {why}", err=True)
        for remark in self.report.remarks:
            click.echo(f"arraytyping: note: {remark}", err=True)
        stopped = {name for name, _ in self.report.not_checked}
        for name, seconds, is_complete in self.report.entry_points:
            if not is_complete and name not in stopped:
                click.echo(f"arraytyping: note: {name} was not followed to its end ({seconds:.0f} s)", err=True)
        internal = sum(self.report.crashes.values())
        if internal and not self.debug:
            plural = "" if internal == 1 else "s"
            click.echo(f"arraytyping: note: {internal} internal error{plural} of flow; --debug shows more", err=True)
        if self.debug:
            self._tell_all(self.report)
            _tell_counted("types: exceptions that were caught", SWALLOWED)

    @staticmethod
    def _tell_all(report: FlowReport) -> None:
        total, count = sum(seconds for _, seconds, _ in report.entry_points), len(report.entry_points)
        entries = f"{count} entry point{'' if count == 1 else 's'} ({report.reused} from the cache)"
        click.echo(f"flow: {entries}, {total:.2f} s of CPU", err=True)
        for name, seconds, _ in report.entry_points:
            click.echo(f"  {seconds:7.2f} s  {name}", err=True)
        for note in report.notes:
            click.echo(f"flow: note: {note}", err=True)
        _tell_counted("flow: internal errors", report.crashes)
        _tell_counted("flow: exceptions that were caught", report.swallowed)
        _tell_counted("flow: reasons of what is unknown", report.unknowns)


def _tell_counted(title: str, counted: Counter[str]) -> None:
    """Say what came how often."""
    click.echo(f"{title}: {sum(counted.values())}", err=True)
    for what, count in counted.most_common(50):
        click.echo(f"  {count:7}  {what}", err=True)


def _dotted(version: Sequence[int]) -> str:
    return ".".join(map(str, version))


def _check_devices(ctx: click.Context, parameter: click.Parameter, given: str | None) -> str | None:
    """Numbers of devices as they are given; bad ones end the command with a sentence."""
    if given is not None:
        try:
            counts_from_text(given)
        except DeviceCountError as error:
            raise click.BadParameter(str(error), ctx, parameter) from None
    return given


def _check_enabled(ctx: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """The codes that are given, separated by commas or one by one; bad ones end the command with a sentence."""
    codes = tuple(code.strip() for part in given for code in part.split(",") if code.strip())
    if (why := unknown_code(codes)) is not None:
        raise click.BadParameter(why, ctx, parameter)
    return codes


def enable_option(command: F) -> F:
    """The option `--enable`."""
    option = click.option(
        "--enable",
        metavar="CODE[,CODE...]",
        multiple=True,
        callback=_check_enabled,
        help="Report these codes as well, which are off by default: array-nan, array-promotion and its parts.",
    )
    return option(command)


def devices_option(command: F) -> F:
    """The option `--devices`."""
    option = click.option(
        "--devices",
        metavar="N[,N...]",
        callback=_check_devices,
        help="Check the program for N devices, which need not be there (default: that of the settings).",
    )
    return option(command)


def recording_option(command: F) -> F:
    """The option `--recording`."""
    option = click.option(
        "--recording",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        metavar="FILE",
        help=f"What `arraytyping record` has kept (default: {NAME} beside the program or at its project's root).",
    )
    return option(command)


class _Jobs(click.ParamType[int]):
    """A number of entry points, or `auto`."""

    name = "jobs"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number."""
        if value == "auto":
            return automatic_jobs()
        try:
            number = int(value)
        except ValueError:
            number = 0
        if number < 1:
            self.fail(f"{value!r} is neither a number from 1 nor `auto`", param, ctx)
        return number


def layer_options(command: F) -> F:
    """The options of commands that ask both layers; the command gets them as `layers`."""

    @click.option("--flow/--no-flow", default=True, help="Follow the program from its entry points (default: yes).")
    @click.option("--types/--no-types", default=True, help="Check types with mypy and the plugin (default: yes).")
    @click.option(
        "--python",
        type=click.Path(path_type=Path),
        metavar="PATH",
        help="The interpreter or environment that has the program's libraries (default: VIRTUAL_ENV, .venv, ...).",
    )
    @devices_option
    @recording_option
    @click.option(
        "-j",
        "--jobs",
        type=_Jobs(),
        default="auto",
        metavar="N|auto",
        help="Follow so many entry points at a time (default: auto, as many as processors and memory allow).",
    )
    @click.option("--debug", is_flag=True, help="Say what flow did not understand, and where it failed.")
    @functools.wraps(command)
    def wrapped(*args: Any, flow: bool, types: bool, jobs: int, debug: bool, python: Path | None, **kwargs: Any) -> Any:
        layers = Layers(flow, types, kwargs.pop("possible", False), jobs, debug, python)
        layers.devices = kwargs.pop("devices", None)
        layers.recording = kwargs.pop("recording", None)
        layers.enable = kwargs.pop("enable", ())
        layers.is_strict = kwargs.pop("strict_annotations", False)
        layers.mypy_errors = kwargs.pop("mypy_errors", False)
        layers.unused_ignores = kwargs.pop("unused_ignores", False)
        layers.scale = kwargs.pop("scale", Scale())
        return command(*args, layers=layers, **kwargs)

    return wrapped  # type: ignore[return-value]
