"""Whether 64-bit types are on where that hangs on what is not known before the program runs.

All that comes behind such a switch hangs on it together: a program is followed once with them on from there, and once
with them off, and a claim holds for both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import Any, Final

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.state.signals import ProgramEnds
from arraytyping.checker.flow.values import Value, is_concrete

__all__ = [
    "CONFIGURED",
    "OF_X64",
    "WANTED_X64",
    "X64",
    "X64_SIDE",
    "is_settled",
    "settled_x64",
    "switch_x64",
    "without_sides",
    "x64_side",
]

X64: Final = "jax_enable_x64"
"""With this key in what is assumed they are on or off where that is not known."""
OF_X64: Final = frozenset({"array-x64", "array-promotion-64bit"})
"""What is told of x64 alone, where it is off or on."""
CONFIGURED: Final[RunSlot[frozenset[str]]] = RunSlot("the settings of jax that the project says", frozenset)
X64_SIDE: Final[RunSlot[bool | None]] = RunSlot("what x64 is in this run where that is not known", lambda: None)
WANTED_X64: Final[RunSlot[bool]] = RunSlot("whether the program is followed with x64 on, and with x64 off", bool)
_IS_RUN: Final[RunSlot[bool]] = RunSlot("whether this is the run itself", lambda: True)
"""False where functions are followed that nothing calls."""


def settled_x64(it: Interpreter, value: Value) -> Value:
    """What x64 becomes where the program switches it: the value, or the side that this run is on.

    Raises:
        ProgramEnds: where the run is to be made for each side, or where a function that nothing calls knows no side.
    """
    now = it.engines.jax.x64
    if is_settled(it, value, now):
        return value
    if X64 in CONFIGURED.of(it):
        return now
    side = X64_SIDE.of(it)
    if side is not None:
        return side
    if _IS_RUN.of(it):
        WANTED_X64.put(it, True)
    if it.staged == 0:
        raise ProgramEnds
    return value


def switch_x64(it: Interpreter, value: Value) -> None:
    """The program, or what it calls, switches x64 to a value, which may be unknown."""
    settled = settled_x64(it, value) if it.engines.has_jax else None
    if isinstance(settled, bool):
        it.engines.jax.configure(X64, settled)


def is_settled(it: Interpreter, value: Value, now: Any) -> bool:
    """Whether a setting is known behind a switch: the value is, and the switch is certain or changes nothing."""
    is_sure = not it.undecided and (it.quiet == it.trying or not _IS_RUN.of(it))
    return is_concrete(value) and (is_sure or bool(value == now))


def x64_side(assumed: Mapping[str, str | None]) -> bool | None:
    """The side that a run is on by what is assumed in it."""
    side = assumed.get(X64)
    return None if side is None else side == "on"


@contextmanager
def without_sides(it: Interpreter) -> Iterator[None]:
    """In here functions are followed that nothing calls: what they switch is nothing to others, and makes no run."""
    before = _IS_RUN.of(it)
    _IS_RUN.put(it, False)
    keeping = it.engines.jax.keeping_settings() if it.engines.has_jax else nullcontext()
    try:
        with keeping:
            yield
    finally:
        _IS_RUN.put(it, before)
