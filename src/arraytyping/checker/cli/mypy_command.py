"""Commands that run mypy: paths, mypy's own options after `--mypy-args`, and the program's arguments after `--`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import rich_click as click

from arraytyping.checker.cli.refusing import refuse
from arraytyping.checker.environment import NoEnvironmentError
from arraytyping.checker.messages.baseline import BaselineError
from arraytyping.checker.settings import ConfigError, Settings

if TYPE_CHECKING:
    from arraytyping_mypy.building import Outcome

    from arraytyping.checker.cli.flow_command import Layers
    from arraytyping.checker.messages.presenting import Presenter

__all__ = ["INTERRUPTED", "MypyCommand", "arguments", "mypy_options", "run_mypy"]

INTERRUPTED: Final = 130
"""The exit code after Ctrl-C, as shells have it."""
_KEY = "arraytyping.mypy_options"
_ARGUMENTS = "arraytyping.program_arguments"
_MYPY: Final = "--mypy-args"
_GIVEN = "arraytyping.arguments"


class MypyCommand(click.RichCommand):
    """A command that keeps what stands after `--mypy-args` for mypy, and after `--` for the program."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Split the arguments at `--` and at `--mypy-args`."""
        ctx.meta[_GIVEN] = tuple(args)
        at = args.index("--") if "--" in args else len(args)
        ctx.meta[_ARGUMENTS] = tuple(args[at + 1 :]) if at < len(args) else None
        args = args[:at]
        at = args.index(_MYPY) if _MYPY in args else len(args)
        ctx.meta[_KEY] = tuple(args[at + 1 :])
        try:
            return super().parse_args(ctx, args[:at])
        except click.NoSuchOption as error:
            if not _is_mypys(error.option_name):
                raise
            hint = f"Options of mypy stand after {_MYPY}: {ctx.command_path} PATH... {_MYPY} {error.option_name}"
            raise click.UsageError(f"{error.format_message()} {hint}", ctx) from None


def _is_mypys(option: str) -> bool:
    """Whether mypy has such an option."""
    from arraytyping_mypy.building import is_option

    return is_option(option)


def arguments(ctx: click.Context) -> tuple[str, ...]:
    """All that stands after the name of the command."""
    given: tuple[str, ...] = ctx.meta[_GIVEN]
    return given


def mypy_options(ctx: click.Context) -> tuple[str, ...]:
    """What stands after `--mypy-args`."""
    options: tuple[str, ...] = ctx.meta[_KEY]
    return options


def program_arguments(ctx: click.Context, paths: tuple[str, ...]) -> tuple[str, ...]:
    """What stands after `--`: the command line of the one program that is named."""
    arguments: tuple[str, ...] | None = ctx.meta[_ARGUMENTS]
    if arguments is None:
        return ()
    if len(paths) != 1 or not paths[0].endswith(".py"):
        given = " ".join(arguments)
        refuse(
            ctx, f"the arguments {given!r} after `--` are those of one program, so name the file of one: PATH -- ..."
        )
    return arguments


def run_mypy(
    ctx: click.Context,
    paths: tuple[str, ...],
    layers: Layers,
    *,
    show: bool = True,
    present: Callable[[Settings], Presenter | None] = lambda settings: None,
) -> Outcome:
    """Run mypy with the plugin, and flow, on these paths; the command ends where the program cannot be checked."""
    layers.arguments = program_arguments(ctx, paths)
    if layers.arguments and layers.scale.shard is not None:
        refuse(ctx, "one program with its arguments has no shares: leave out --shard")
    from arraytyping_mypy.building import check  # mypy takes a while to import, and `--help` does not need it

    try:
        return check(
            paths,
            mypy_options(ctx),
            stdout=sys.stdout,
            stderr=sys.stderr,
            program=ctx.command_path,
            show=show,
            flow=layers.ask,
            types=layers.wants_types,
            environment=layers.find_environment(paths),
            is_named=layers.python is not None,
            reserve=layers.reserve,
            mypy_errors=layers.mypy_errors,
            unused_ignores=layers.unused_ignores,
            present=present,
            progress=layers.progress,
            share=layers.scale.shard,
        )
    except KeyboardInterrupt:
        click.echo("arraytyping: interrupted", err=True)
        ctx.exit(INTERRUPTED)
    except (ConfigError, NoEnvironmentError, BaselineError) as error:
        layers.progress.stop()
        refuse(ctx, str(error))
    finally:
        layers.progress.stop()
