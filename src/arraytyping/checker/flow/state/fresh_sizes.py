"""Sizes of which nothing is known, each with a name of its own, and messages in which only such names differ."""

from __future__ import annotations

import re
from typing import Final

from arraytyping.checker.flow.state.run_slots import Run, RunSlot
from arraytyping.semantics.sizes.polynomials import Size, symbol

__all__ = ["fresh_size", "without_numbers"]

_HINTS: Final[RunSlot[dict[str, str]]] = RunSlot("the sizes that were invented, with what each is called after", dict)
_NAME: Final = re.compile(r"\b[^\W\d]\w*\d\b")


def fresh_size(it: Run, hint: str) -> Size:
    """A size of its own, of which nothing is known."""
    hints = _HINTS.of(it)
    name = f"{hint}{len(hints) + 1}"
    hints[name] = hint
    return symbol(name, 0, None)


def without_numbers(it: Run, message: str) -> str:
    """A message in which sizes that were invented for the same thing are alike: each pass of a loop invents its own."""
    hints = _HINTS.of(it)
    return _NAME.sub(lambda found: hints.get(found[0], found[0]), message) if hints else message
