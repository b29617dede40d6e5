"""Options of a command that divide its work among machines."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import rich_click as click

from arraytyping.checker.flow.report.executor_address import ExecutorError, scheduler_address
from arraytyping.checker.flow.report.shares import TIMES, Shard, ShardError

__all__ = ["Scale", "scaling_options"]

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Scale:
    """Which share of the work is done here, and who follows the programs."""

    shard: Shard | None = None
    executor: str | None = None
    writes_times: bool = False


def _shard(ctx: click.Context, parameter: click.Parameter, given: str | None) -> Shard | None:
    try:
        return None if given is None else Shard.of(given)
    except ShardError as error:
        raise click.BadParameter(str(error), ctx, parameter) from None


def _executor(ctx: click.Context, parameter: click.Parameter, given: str | None) -> str | None:
    try:
        if given is not None:
            scheduler_address(given)
    except ExecutorError as error:
        raise click.BadParameter(str(error), ctx, parameter) from None
    return given


def scaling_options(command: F) -> F:
    """The options; the command gets them as `scale`."""

    @click.option(
        "--shard",
        metavar="I/N",
        callback=_shard,
        help="Check the I-th of N shares, one for each of N machines, which together check the whole.",
    )
    @click.option(
        "--executor",
        metavar="dask://HOST:PORT",
        callback=_executor,
        help="Let a cluster of dask follow the entry points (pip install 'arraytyping[dask]').",
    )
    @click.option(
        "--write-times",
        is_flag=True,
        help=f"Keep the seconds of each entry point in {TIMES}, by which --shard divides.",
    )
    @functools.wraps(command)
    def wrapped(*args: Any, shard: Shard | None, executor: str | None, write_times: bool, **kwargs: Any) -> Any:
        if shard is not None and kwargs["presentation"].write_baseline:
            raise click.UsageError("--write-baseline needs the whole: leave out --shard.")
        kwargs["presentation"].sees_all = shard is None
        if shard is not None and write_times:
            raise click.UsageError("--write-times needs the whole: leave out --shard.")
        return command(*args, scale=Scale(shard, executor, write_times), **kwargs)

    return wrapped  # type: ignore[return-value]
