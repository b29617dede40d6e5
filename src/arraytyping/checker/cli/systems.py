"""The promotion systems that commands are asked for: by name, or the path of a lattice of one's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import rich_click as click

from arraytyping.checker.cli.refusing import refuse
from arraytyping.semantics.promotion.description import SUFFIXES, LatticeError, load
from arraytyping.semantics.promotion.dtype_names import UnknownDtypeError, parse_dtype
from arraytyping.semantics.promotion.registry import UnknownSystemError, system as registered
from arraytyping.semantics.promotion.system import System

__all__ = ["nodes_named", "open_system", "system_option"]

F = TypeVar("F", bound=Callable[..., Any])


def system_option(command: F) -> F:
    """The option `--system`; the command gets what was given as `system_name`."""
    add: Callable[[F], F] = click.option(
        "--system",
        "system_name",
        default="jax",
        metavar="SYSTEM",
        help='A promotion system such as "numpy", or the path of a lattice such as "lattice.toml" (default: jax).',
    )
    return add(command)


def open_system(ctx: click.Context, name: str) -> System:
    """The system of a name, or in a file; for another one the command ends."""
    try:
        return load(Path(name)).system if name.endswith(SUFFIXES) else registered(name)
    except LatticeError as error:
        refuse(ctx, f"{name}: {error}")
    except UnknownSystemError as error:
        refuse(ctx, str(error))


def nodes_named(ctx: click.Context, system: System, names: Iterable[str], *, bytes: bool) -> tuple[str, ...]:
    """The nodes that names stand for; a system's own names count before those of dtypes."""
    try:
        return tuple(n if n in system.nodes and not bytes else parse_dtype(n, bytes=bytes) for n in names)
    except UnknownDtypeError as error:
        refuse(ctx, str(error))
