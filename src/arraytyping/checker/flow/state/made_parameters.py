"""The parameters that modules make while one is followed without its library, whose structure is not known then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.state.run_slots import Run, RunSlot
from arraytyping.checker.flow.values import MISSING, ArrayValue, Value, of_any_shape

__all__ = ["MadeParameters", "collecting_parameters", "parameters_made"]


class MadeParameters:
    """What is known of all parameters that were made; `dtype` is the one that each has, where these are given.

    `key` is what a module draws from.
    """

    def __init__(self, dtype: str | None, key: Value = MISSING) -> None:
        self.dtype: str | None = dtype
        self.key: Value = key
        self.leaf: Value = MISSING
        self.is_open: bool = False
        """Whether there may be others."""
        self.is_refused: bool = False
        """Whether one is not of the dtype that is given."""

    def note(self, leaves: Iterable[Value]) -> None:
        """Such parameters are made."""
        for leaf in leaves:
            if not isinstance(leaf, ArrayValue):
                self.is_open = True
                continue
            self.leaf = join_all([self.leaf, of_any_shape(leaf)])
            if self.dtype is not None and leaf.aval.dtype != self.dtype:
                self.is_refused = True

    def add(self, others: MadeParameters) -> None:
        """These are made as well."""
        self.is_open = self.is_open or others.is_open
        if others.leaf is not MISSING:
            self.note([others.leaf])


_COLLECTED: Final[RunSlot[list[MadeParameters]]] = RunSlot("the parameters of the module that is followed", list)


def parameters_made(it: Run) -> MadeParameters | None:
    """Those of the module that is being followed; None outside of one."""
    collected = _COLLECTED.of(it)
    return collected[-1] if collected else None


@contextmanager
def collecting_parameters(it: Run, made: MadeParameters) -> Iterator[None]:
    """Within a module whose parameters are noted."""
    collected = _COLLECTED.of(it)
    collected.append(made)
    try:
        yield
    finally:
        collected.pop()
