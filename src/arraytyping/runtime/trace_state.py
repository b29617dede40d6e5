"""What is in force where a program runs: the trace, the mapped axes, and the mesh over which a function is mapped.

Source: https://docs.jax.dev/en/latest/autodidax.html; `shard_map` of https://docs.jax.dev/en/latest/notebooks/shard_map.html.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any, Final

from arraytyping.runtime.varying import Axes

__all__ = [
    "STATE", "Manual", "State", "axis_env", "axis_key", "axis_size", "bind_axis", "bind_mesh", "manual_here",
]  # fmt: skip


class Manual:
    """A mesh over which the function here is mapped: each device runs it on its part.

    `axes` are the axes over which it is, those of the function `around` it, which is mapped over others, included; with
    `check` it is followed along which of them values differ, which are those `followed`.  Two are never equal.
    """

    __slots__ = ("around", "axes", "check", "followed", "key", "mesh")

    def __init__(self, mesh: Any, axes: Axes, check: bool, around: Manual | None = None) -> None:
        self.mesh: Any = mesh
        self.axes: Axes = axes if around is None else axes | around.axes
        self.check: bool = check
        self.around: Manual | None = around
        self.followed: Axes = frozenset() if not check else axes if around is None else axes | around.followed
        self.key: Any = mesh, self.axes, self.followed

    def is_within(self, other: Manual | None) -> bool:
        """Whether this is the other, or within it."""
        at: Manual | None = self
        while at is not None and at is not other:
            at = at.around
        return at is not None


class State(threading.local):
    """What is in force in a thread."""

    trace: Any
    """The trace that primitives go to: evaluation, as `core` sets it for all threads, or that of a transformation."""

    def __init__(self) -> None:
        self.manual: Manual | None = None
        self.axes: dict[Any, int] = {}
        self.scope: str = ""


STATE: Final = State()


@contextlib.contextmanager
def bind_axis(name: Any, size: int) -> Iterator[None]:
    """A context in which a mapped axis of this name exists."""
    before, manual = STATE.axes, STATE.manual
    if manual is not None and name in manual.axes:
        raise ValueError(f"the name {name!r} of a mapped axis is that of an axis of the mesh around it; take another")
    STATE.axes = {**before, name: size}
    try:
        yield
    finally:
        STATE.axes = before


@contextlib.contextmanager
def bind_mesh(manual: Manual | None) -> Iterator[None]:
    """A context in which the function is mapped over a mesh, and the axes of that exist; None: over none."""
    before = STATE.axes, STATE.manual
    STATE.axes = {} if manual is None else {**STATE.axes, **{n: manual.mesh.shape[n] for n in manual.axes}}
    STATE.manual = manual
    try:
        yield
    finally:
        STATE.axes, STATE.manual = before


def manual_here() -> Manual | None:
    """The mesh over which the function here is mapped."""
    return STATE.manual


def axis_key() -> tuple[Any, ...]:
    """What tells the mapped axes here from others, for what is kept."""
    axes, manual = STATE.axes, STATE.manual
    if not axes and manual is None:
        return ()
    return (*axes.items(), None if manual is None else manual.key)


def axis_env() -> dict[Any, int]:
    """The sizes of the mapped axes that have a name here."""
    return STATE.axes


def axis_size(name: Any) -> int:
    """The size of a mapped axis.

    Raises:
        NameError: if no axis of this name is mapped here.
    """
    try:
        return STATE.axes[name]
    except KeyError:
        raise NameError(
            f"Found an unbound axis name: {name}. To fix this, map over it, as in vmap(..., axis_name={name!r})"
        ) from None
