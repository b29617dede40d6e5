"""Commands that run mypy: paths before `--`, mypy's own options after it, and the errors that end them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

import rich_click as click

from arraytyping.checker.cli.refusing import refuse
from arraytyping.checker.environment import NoEnvironmentError
from arraytyping.checker.settings import ConfigError

if TYPE_CHECKING:
    from arraytyping_mypy.build import Outcome

    from arraytyping.checker.cli.flow_command import Layers

__all__ = ["INTERRUPTED", "MypyCommand", "mypy_options", "run_mypy"]

INTERRUPTED: Final = 130
"""The exit code after Ctrl-C, as shells have it."""
_KEY = "arraytyping.mypy_options"


class MypyCommand(click.RichCommand):
    """A command that keeps what stands after the first `--` for mypy."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Split the arguments at `--`."""
        at = args.index("--") if "--" in args else len(args)
        ctx.meta[_KEY] = tuple(args[at + 1 :])
        try:
            return super().parse_args(ctx, args[:at])
        except click.NoSuchOption as error:
            if not _is_mypys(error.option_name):
                raise
            hint = f"Options of mypy stand after `--`: {ctx.command_path} PATH... -- {error.option_name}"
            raise click.UsageError(f"{error.format_message()} {hint}", ctx) from None


def _is_mypys(option: str) -> bool:
    """Whether mypy has such an option."""
    from arraytyping_mypy.build import is_option

    return is_option(option)


def mypy_options(ctx: click.Context) -> tuple[str, ...]:
    """What stands after `--`."""
    options: tuple[str, ...] = ctx.meta[_KEY]
    return options


def run_mypy(ctx: click.Context, paths: tuple[str, ...], layers: Layers, *, show: bool = True) -> Outcome:
    """Run mypy with the plugin, and flow, on these paths; the command ends where the program cannot be checked."""
    from arraytyping_mypy.build import check  # mypy takes a while to import, and `--help` does not need it

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
        )
    except KeyboardInterrupt:
        click.echo("arraytyping: interrupted", err=True)
        ctx.exit(INTERRUPTED)
    except (ConfigError, NoEnvironmentError) as error:
        refuse(ctx, str(error))
