"""Tracebacks without this package's frames: what is left is where the program called, and what it did inside.

The option `traceback_filtering` set to `off` leaves them as they are.

Source: `jax_traceback_filtering`, https://docs.jax.dev/en/latest/config_options.html;
https://github.com/jax-ml/jax/blob/main/jax/_src/traceback_util.py.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final, ParamSpec, TypeVar

from arraytyping import config

__all__ = ["api_boundary", "filtered"]

P = ParamSpec("P")
R = TypeVar("R")

_PACKAGE: Final = str(Path(__file__).parents[1]) + "/"


def filtered(error: BaseException) -> None:
    """Take this package's frames out of an exception's traceback, unless the option says otherwise."""
    if config.read("traceback_filtering") == "off":
        return
    kept: list[TracebackType] = []
    at = error.__traceback__
    while at is not None:
        if not at.tb_frame.f_code.co_filename.startswith(_PACKAGE):
            kept.append(at)
        at = at.tb_next
    traceback: TracebackType | None = None
    for frame in reversed(kept):
        traceback = TracebackType(traceback, frame.tb_frame, frame.tb_lasti, frame.tb_lineno)
    error.__traceback__ = traceback


def api_boundary(function: Callable[P, R]) -> Callable[P, R]:
    """A function that a program calls, whose exceptions do not show how it goes about it."""

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        __tracebackhide__ = True
        try:
            return function(*args, **kwargs)
        except Exception as error:
            filtered(error)
            raise

    return call
