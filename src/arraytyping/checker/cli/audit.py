"""`arraytyping audit`: runs a program and compares what is claimed of its arrays with those that come."""

from __future__ import annotations

import atexit
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Literal

import rich_click as click

from arraytyping.checker.audit import ProgramRun, compare, run_module, run_program
from arraytyping.checker.audit.recorder import Recorder
from arraytyping.checker.claims import ProgramClaims
from arraytyping.checker.cli.flow_command import devices_option
from arraytyping.checker.device_counts import pretending
from arraytyping.checker.settings import ConfigError

__all__ = ["audit", "print_claims", "refuse_program", "run_target"]

_CHILD: Final = "import sys; from arraytyping.checker.cli.audit import print_claims; print_claims(*sys.argv[1:])"


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.argument("program", required=False)
@click.argument("args", nargs=-1, type=click.UNPROCESSED)
@click.option("-m", "module", metavar="MODULE", help="Run a module or package, as `python -m` does.")
@click.option("--layer", type=click.Choice(["flow", "types"]), default="flow", help="Who claims (default: flow).")
@click.option(
    "--claims",
    "claims_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Read the claims from what `arraytyping coverage --json` has written.",
)
@click.option(
    "--root",
    "roots",
    multiple=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A directory of the program's own modules (default: where the program stands); may be repeated.",
)
@devices_option
@click.option(
    "--json", "as_json", is_flag=True, help="Print the comparison as JSON; the program's output goes to stderr."
)
@click.pass_context
def audit(
    ctx: click.Context,
    program: str | None,
    args: tuple[str, ...],
    module: str | None,
    layer: Literal["flow", "types"],
    claims_file: Path | None,
    roots: tuple[Path, ...],
    devices: str | None,
    as_json: bool,
) -> None:
    """Run PROGRAM with ARGS, record every array that its expressions make, and compare the claims with them.

    PROGRAM is a file or a directory with a `__main__.py`; a directory that is a package is run as `python -m` does.
    This command and `record` alone run a program.  What stands after PROGRAM (or after `-m MODULE`) belongs to it.

    Each array that no claim describes gets a line; a summary follows.  An exception that ends the program is shown,
    and what came before is compared all the same.  The exit code is 1 if a claim is wrong or the program raised,
    2 if there are no claims to compare, and else the program's own.

    With `--devices N` the program runs on N devices that this machine's processor pretends to be.
    """
    program, args = refuse_program(ctx, program, args, module)
    if devices is not None:
        if not devices.isdecimal():
            raise click.UsageError(f"--devices {devices}: a program runs with one number of devices: give one.", ctx)
        os.environ["XLA_FLAGS"] = pretending(os.environ.get("XLA_FLAGS", ""), int(devices))
        os.environ["JAX_PLATFORMS"] = "cpu"
    here = Path.cwd()
    claims = _read(ctx, claims_file) if claims_file is not None else _claims(ctx, layer, program, module, args, devices)
    with _program_output(as_json) as out:
        run = run_target(program, module, args, [root.resolve() for root in roots] or None)
    if run.exception is not None:
        click.echo(run.traceback, err=True, nl=False)
    found = compare(claims, run.observations, here)
    if as_json:
        failure = None if run.exception is None else f"{type(run.exception).__name__}: {run.exception}"
        print(json.dumps({**found.to_json(), "exit_code": run.exit_code, "exception": failure}, indent=2), file=out)
    else:
        print("\n".join([*map(str, found.wrong), f"arraytyping: {found.statistics}"]), file=out)
    out.flush()
    ctx.exit(1 if found.wrong else run.exit_code)


def refuse_program(
    ctx: click.Context, program: str | None, args: tuple[str, ...], module: str | None
) -> tuple[str | None, tuple[str, ...]]:
    """The program to run and its arguments; with a module all that stands behind it is its own.

    Raises:
        click.UsageError: if there is no such program.
    """
    if module is not None:
        return None, (*((program,) if program is not None else ()), *args)
    if program is None:
        raise click.UsageError("Missing argument 'PROGRAM'.", ctx)
    if not Path(program).is_file() and not Path(program, "__main__.py").is_file():
        raise click.UsageError(f"{program} is neither a file nor a directory with a __main__.py.", ctx)
    return program, args


def run_target(
    program: str | None,
    module: str | None,
    args: Sequence[str],
    roots: Sequence[Path] | None,
    recorder: Recorder | None = None,
) -> ProgramRun:
    """Run a program, or a module, to its end, with what Python does then."""
    path = sys.path[:]
    # The directory of our script, or what `__main__` has put there: in its place the program's comes.
    if sys.path and sys.path[0] in (sys.argv[0], os.path.dirname(os.path.realpath(sys.argv[0]))):  # noqa: PTH120
        del sys.path[0]
    try:
        if module is not None:
            run = run_module(module, args, roots=roots, recorder=recorder)
        else:
            run = run_program(Path(program or ""), args, roots=roots, recorder=recorder)
        atexit._run_exitfuncs()  # as Python does where the program ends
        return run
    finally:
        sys.path[:] = path


@contextlib.contextmanager
def _program_output(to_stderr: bool) -> Iterator[io.TextIOBase]:
    """What the program prints goes to the standard error, if it must not mix with ours; gives the standard output."""
    out = sys.stdout
    if not to_stderr:
        yield out  # type: ignore[misc]
        sys.stdout.flush()
        return
    out.flush()
    saved = os.dup(1)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            os.dup2(2, 1)  # for what is not written by Python
            yield out  # type: ignore[misc]
    finally:
        sys.stderr.flush()
        os.dup2(saved, 1)
        os.close(saved)


def _read(ctx: click.Context, file: Path) -> ProgramClaims:
    try:
        return ProgramClaims.from_json(json.loads(file.read_bytes()))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        click.echo(f"arraytyping: error: {file} holds no claims: {error!r}", err=True)
        ctx.exit(2)


def _claims(
    ctx: click.Context, layer: str, program: str | None, module: str | None, args: Sequence[str], devices: str | None
) -> ProgramClaims:
    """The claims, made in a process of its own: the program must find the libraries as if nobody had used them."""
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory, "claims.json")
        target = ["-m", module] if module is not None else [program or ""]
        asked = [str(file), layer, devices or "", *target, *args]
        done = subprocess.run([sys.executable, "-P", "-c", _CHILD, *asked], stdout=2)
        if done.returncode:
            ctx.exit(2)
        return _read(ctx, file)


def print_claims(file: str, layer: str, devices: str, *target: str) -> None:
    """Write the claims of one layer about a program, or `-m` a module, with its arguments, to a file as JSON."""
    try:
        claims = _of_types(target) if layer == "types" else _of_flow(target, devices or None)
    except ConfigError as error:
        sys.exit(f"arraytyping: error: {error}")
    Path(file).write_text(json.dumps(claims.to_json()))


def _of_types(target: Sequence[str]) -> ProgramClaims:
    from arraytyping_mypy.building import check

    paths, options = ((), target[:2]) if target[0] == "-m" else (target[:1], ())
    outcome = check(paths, options, stdout=sys.stderr, stderr=sys.stderr, program="arraytyping audit", show=False)
    if outcome.claims is None:
        sys.exit(2)
    return outcome.claims


def _of_flow(target: Sequence[str], devices: str | None) -> ProgramClaims:
    from arraytyping.checker.flow.report.reporting import report_on

    report = report_on((), target=target, devices=devices)
    if report.is_interrupted:
        sys.exit(130)
    for error in report.errors:
        print(f"{error.path}:{error.line}: error: {error.message}", file=sys.stderr)
    for entry, why in report.not_checked:
        print(f"arraytyping audit: not checked: {entry}: {why}", file=sys.stderr)
    for why in report.crashes:
        print(f"arraytyping audit: note: an internal error of flow: {why}", file=sys.stderr)
    if not report.entry_points:
        sys.exit(2)
    return report.claims
