"""What the files of a program can make, where something unknown may be any of it: sorts of keys, dtypes of numbers."""

from __future__ import annotations

from typing import Final

from arraytyping.checker.flow.sources.made_values import Made, made_in
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot

__all__ = ["COMPLEX_FILES", "MADE_BESIDES", "is_of_float32", "made_values"]

MADE_BESIDES: Final[RunSlot[frozenset[Made] | None]] = RunSlot("what other files of the project make", lambda: None)
"""None where a program is followed, whose files are loaded when it needs them."""
COMPLEX_FILES: Final[RunSlot[frozenset[str]]] = RunSlot("the files into which complex numbers may come", frozenset)
_SEEN: Final[RunSlot[dict[tuple[int, frozenset[Made]], frozenset[Made]]]] = RunSlot(
    "what is made, by how many modules are loaded and what others make", dict
)


def made_values(it: Interpreter) -> frozenset[Made]:
    """What the files that are loaded, and those beside them, make."""
    seen, loaded = _SEEN.of(it), it.importer.loaded
    besides: frozenset[Made] = MADE_BESIDES.of(it) or frozenset()
    found = seen.get((len(loaded), besides))
    if found is None:
        found = seen[len(loaded), besides] = besides.union(*(made_in(m.tree) for m in loaded if m.is_program))
    return found


def is_of_float32(it: Interpreter) -> bool:
    """Whether an array from nowhere in a function that nothing calls is one of float32, ints or bools."""
    if MADE_BESIDES.of(it) is None or it.engines.jax.x64:
        return False
    made = made_values(it)
    if "narrow floats" in made:
        return False
    if "complex numbers" not in made:
        return True
    files, module = COMPLEX_FILES.of(it), it.frame.module
    naming = [m for m in it.importer.loaded if m.is_program and "complex numbers" in made_in(m.tree)]
    is_known = all(str(m.path.resolve()) in files for m in naming)
    return is_known and module.is_program and str(module.path.resolve()) not in files
