"""The packages that the program has imported, by the names at their heads; its own modules are not among them."""

from __future__ import annotations

from typing import Final

from arraytyping.checker.flow.state.run_slots import Run, RunSlot

__all__ = ["IMPORTED", "note_imported"]

IMPORTED: Final[RunSlot[set[str]]] = RunSlot("the packages that the program has imported", set)


def note_imported(it: Run, module: str) -> None:
    """The program imports a module that is not its own."""
    IMPORTED.of(it).add(module.partition(".")[0])
