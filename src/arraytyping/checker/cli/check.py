"""`arraytyping check`: flow and mypy with the plugin as one tool, and how much is known of the arrays."""

from __future__ import annotations

import rich_click as click

from arraytyping.checker.cli.closing import followed
from arraytyping.checker.cli.diff_base import baseline_at
from arraytyping.checker.cli.flow_command import Layers, enable_option, layer_options
from arraytyping.checker.cli.merging import merge_layers
from arraytyping.checker.cli.mypy_command import INTERRUPTED, MypyCommand, arguments, run_mypy
from arraytyping.checker.cli.presentation import Presentation, presentation_options
from arraytyping.checker.cli.refusing import refuse
from arraytyping.checker.cli.scaling import scaling_options
from arraytyping.checker.cli.watching import watch
from arraytyping.checker.messages.baseline import BaselineError

__all__ = ["check"]


@click.command(cls=MypyCommand)
@click.argument("paths", nargs=-1, metavar="PATH... [--mypy-args MYPY_OPTIONS] [-- ARGUMENTS]")
@click.option("--possible", is_flag=True, help="Show also what is a mistake on some paths only, marked as possible.")
@click.option(
    "--strict-annotations",
    is_flag=True,
    help="Count it as an error that None, a tuple, a list or a NumPy array comes where jax.Array is annotated.",
)
@click.option("--mypy-errors", is_flag=True, help="Show mypy's own errors as well where mypy is not configured.")
@click.option("--unused-ignores", is_flag=True, help="Report each `# arraytyping: ignore` that silences nothing.")
@enable_option
@presentation_options
@scaling_options
@layer_options
@click.pass_context
def check(ctx: click.Context, paths: tuple[str, ...], layers: Layers, presentation: Presentation) -> None:
    """Check the Python files and directories PATH... (default: the current one) for mistakes in dtypes and shapes.

    Two layers look for them.  Flow follows the program from its entry points, without running it, and needs no
    annotations; the types hold for every caller.  A mistake that both find is shown once, with the way to it.

    No configuration is needed; one for mypy (pyproject.toml, mypy.ini, setup.cfg) is honoured, whether it lists the
    plugin or not, and without PATH what it lists is checked, if it lists any.  Where it does not decide
    `check_untyped_defs`, that is turned on: functions without annotations are checked too.  So is
    `show_column_numbers`.  mypy's own errors are shown where it is configured, and with `--mypy-errors`,
    `--mypy-args --strict` and its kin.

    \b
    Options of mypy stand after `--mypy-args`, and the command line of the program after `--`:
      arraytyping check train.py --mypy-args --strict --python-version 3.12
      arraytyping check train.py -- --config configs/tiny.py --steps 100

    The last lines say whether x64 is on and what decided it, which entry points flow followed and which functions it
    never reached, and of how many array expressions dtype and shape are known.  If that is next to nothing, "Not
    checked" stands in the place of a success.  They are left out with `--no-error-summary`, and go to the standard
    error where `--output-format` asks for neither text nor concise.
    The exit code is 0 without errors, 1 with errors, and 2 if something could not be checked, of which a line says
    what; a file that cannot be read does not stop the others.  Warnings (None, a tuple, a list or a NumPy array where
    no more than `jax.Array` is annotated) count with `--strict-annotations`.  After Ctrl-C, and where its time
    is up (SIGTERM), what was found until then is shown, and the exit code is 130.
    """  # noqa: D301 (a backspace keeps click from wrapping)
    if presentation.watch:
        if "-" in paths or presentation.stdin_filename is not None:
            raise click.UsageError("--watch checks files again; the standard input, which is read once, is none.")
        layers.progress.stop()
        watch([argument for argument in ("check", *arguments(ctx)) if argument != "--watch"], paths)
        ctx.exit(INTERRUPTED)
    paths = presentation.read_stdin(paths)
    if presentation.diff_base is not None:
        layers.progress.says(f"checking the program as it was at {presentation.diff_base}")
        try:
            presentation.base = baseline_at(presentation.diff_base, arguments(ctx), paths, layers.named_python(paths))
        except BaselineError as error:
            refuse(ctx, str(error))
    outcome = run_mypy(ctx, paths, layers, present=presentation.presenter)
    layers.tell()
    if outcome.claims is not None and outcome.wants_summary:
        claims = merge_layers(outcome.claims, layers.report)
        click.echo(str(outcome.x64), err=outcome.is_machine_readable)
        if layers.report is not None:
            click.echo(followed(layers.report), err=outcome.is_machine_readable)
        click.echo(f"arraytyping: {claims.coverage}", err=outcome.is_machine_readable)
    if outcome.is_interrupted:
        click.echo("arraytyping: interrupted: what had been found until then is shown", err=True)
        ctx.exit(INTERRUPTED)
    try:
        status = presentation.finish(outcome.status)
    except BaselineError as error:
        refuse(ctx, str(error))
    ctx.exit(status)
