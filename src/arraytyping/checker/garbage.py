"""How seldom garbage in circles is looked for: each time, what lives long is looked through as well."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

__all__ = ["collect_seldom", "collecting_seldom", "freeze", "not_looked_through", "unfreeze"]

_SELDOM: Final = 1_000_000, 20, 20
"""How many objects there are more of before garbage is looked for; Python's own 700 cost a sixth of the time."""


def collect_seldom() -> None:
    """Look for garbage less often from here on."""
    gc.set_threshold(*_SELDOM)


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """Look for garbage less often here: libraries and syntax trees live long, and jax looks for its own each time."""
    before = gc.get_threshold()
    collect_seldom()
    try:
        yield
    finally:
        gc.set_threshold(*before)


def freeze() -> None:
    """Look for no garbage from here on among what is there already."""
    gc.freeze()
    _frozen[:] = [None]


def unfreeze() -> None:
    """Look for it among all that is there again."""
    _frozen.clear()
    gc.unfreeze()


_frozen: Final[list[None]] = []
"""Not empty where something was frozen here; Python itself counts what is frozen, which takes as long as to look."""


@contextmanager
def not_looked_through() -> Iterator[None]:
    """Look for no garbage among what is there already, which is jax most of all; where that is so anyway, it stays so.

    It is looked through again behind this: a process may follow many programs.
    """
    if _frozen:
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
