"""`arraytyping record`: runs a program once, and keeps what came from where flow cannot follow."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import rich_click as click

from arraytyping.checker.audit.boundary_recorder import BoundaryRecorder
from arraytyping.checker.boundary.file import (
    NAME,
    BoundaryError,
    Recording,
    read_recordings,
    recording_path,
    shown,
    write_recordings,
)
from arraytyping.checker.boundary.joining import joined, with_part
from arraytyping.checker.boundary.sites import Site
from arraytyping.checker.cli.audit import refuse_program, run_target
from arraytyping.checker.cli.refusing import refuse
from arraytyping.checker.settings import ConfigError, Settings
from arraytyping.checker.settings_file import load_settings

__all__ = ["record"]


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.argument("program", required=False)
@click.argument("args", nargs=-1, type=click.UNPROCESSED)
@click.option("-m", "module", metavar="MODULE", help="Run a module or package, as `python -m` does.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help=f"Where it is kept (default: {NAME} at the project's root, or beside the program).",
)
@click.option("--add", is_flag=True, help="Keep what holds in this run and in those before: other data, other sizes.")
@click.option(
    "--root",
    "roots",
    multiple=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A directory of the program's own modules (default: where the program stands); may be repeated.",
)
@click.pass_context
def record(
    ctx: click.Context,
    program: str | None,
    args: tuple[str, ...],
    module: str | None,
    output: Path | None,
    add: bool,
    roots: tuple[Path, ...],
) -> None:
    """Run PROGRAM with ARGS once, and keep what came into it from where `check` cannot follow.

    Data loaders, files, environments, C extensions: of what each call gave, structure, dtypes and shapes are kept in a
    small file that is meant to be committed; values never.  `check` and `coverage` take it for facts from then on,
    without the data.  A size that was the same in all calls is a number, one that varied has a name.

    PROGRAM is a file or a directory with a `__main__.py`.  What stands after PROGRAM (or after `-m MODULE`) belongs to
    it.  If it raises, what was seen until then is added to the file.  The exit code is the program's own, and 2 if
    nothing could be kept.
    """
    program, args = refuse_program(ctx, program, args, module)
    try:
        settings = load_settings(Path.cwd())
    except ConfigError as error:
        refuse(ctx, str(error))
    started = _started(ctx, program, module)
    file = output or _file(started, settings)
    try:
        kept = read_recordings(file) if file.exists() else {}
    except BoundaryError as error:
        refuse(ctx, str(error))
    recorder = BoundaryRecorder(file.parent)
    run = run_target(program, module, args, [root.resolve() for root in roots] or None, recorder)
    if run.exception is not None:
        click.echo(run.traceback, err=True, nl=False)
    elif run.exit_code and not recorder.observed.logs:
        refuse(ctx, f"{started.name} ended with exit code {run.exit_code} before anything was seen: nothing is kept")
    target = ["-m", module] if module is not None else [program or ""]
    is_whole = run.exception is None and not run.exit_code
    name = Path(os.path.relpath(started.resolve(), file.resolve().parent)).as_posix()
    found = recorder.observed.recording(args)
    for _ in range(2):
        found = recorder.observed.recording(args, _needed(ctx, name, found, [*target, *args], file.resolve().parent))
        if not found.sizes:
            break  # else sizes of several sites are known to agree by now, and fewer sites may be needed
    if not is_whole and not found.entries:
        refuse(ctx, f"{started.name} {_ended(run.exit_code, run.exception)} before anything came that is to be kept")
    if not is_whole:
        click.echo(
            f"arraytyping: note: {started.name} {_ended(run.exit_code, run.exception)}: what was seen until then is "
            f"added to {shown(file)}, without sizes",
            err=True,
        )
    before = kept.get(name)
    if not is_whole:
        kept[name] = with_part(before, found)
    else:
        kept[name] = joined(before, found) if before is not None and add else found
    try:
        write_recordings(file, kept)
    except BoundaryError as error:
        refuse(ctx, str(error))
    number = len(kept[name].entries)
    click.echo(f"arraytyping: {shown(file)} has {number} call{'' if number == 1 else 's'} of {name}", err=True)
    ctx.exit(run.exit_code)


def _ended(exit_code: int, exception: BaseException | None) -> str:
    return f"ended with exit code {exit_code}" if exception is None else f"raised {type(exception).__name__}"


def _started(ctx: click.Context, program: str | None, module: str | None) -> Path:
    """The file in which a program begins."""
    if module is None:
        path = Path(program or "")
        return path / "__main__.py" if path.is_dir() else path
    parts = Path(*module.split("."))
    for path in (parts / "__main__.py", parts.with_suffix(".py")):
        if path.is_file():
            return path
    return refuse(ctx, f"{module} is no module below the current directory: name its file")


def _file(started: Path, settings: Settings) -> Path:
    found = recording_path(started, settings.recording, settings.project)
    if found is not None:
        return found
    return (started.resolve().parent if settings.file is None else settings.project) / NAME


def _needed(ctx: click.Context, name: str, everything: Recording, target: Sequence[str], directory: Path) -> list[Site]:
    """The sites at which flow does not know by itself what was seen, given all that was seen."""
    from arraytyping.checker.flow.report.reporting import report_on

    descriptor, partial = tempfile.mkstemp(dir=directory, prefix=f".{NAME}.")
    os.close(descriptor)
    try:
        write_recordings(Path(partial), {name: everything})
        report = report_on((), target=target, recording=Path(partial), uses_cache=False)
    except (BoundaryError, ConfigError) as error:
        refuse(ctx, str(error))
    finally:
        Path(partial).unlink(missing_ok=True)
    if report.is_interrupted:
        ctx.exit(130)
    if not report.entry_points:
        refuse(ctx, f"{target[-1]} could not be followed")
    for entry, why in report.not_checked:
        print(f"arraytyping: note: not followed to its end: {entry}: {why}", file=sys.stderr)
    return [Site(*site) for site in report.recorded]
