"""Sizes of which nothing is known, each with a name of its own, and messages in which only such names differ."""

from __future__ import annotations

import re
from typing import Final

from arraytyping.checker.flow.state.run_slots import Run, RunSlot
from arraytyping.checker.flow.values.basic import ScalarValue
from arraytyping.semantics.sizes.polynomials import Size, Symbol, constant, symbol

__all__ = ["as_size", "fresh_size", "some_int", "without_numbers"]

_HINTS: Final[RunSlot[dict[str, str]]] = RunSlot("the sizes that were invented, with what each is called after", dict)
_NAME: Final = re.compile(r"\b[^\W\d]\w*\d\b")


def fresh_size(it: Run, hint: str) -> Size:
    """A size of its own, of which nothing is known."""
    hints = _HINTS.of(it)
    name = f"{hint}{len(hints) + 1}"
    hints[name] = hint
    return symbol(name, 0, None)


def some_int(it: Run, hint: str) -> ScalarValue:
    """An int of which nothing is known but that it is the same wherever it goes; it may be negative."""
    return ScalarValue(int, size=symbol(str(fresh_size(it, hint))))


def as_size(size: Size) -> Size:
    """An int that is used as a size, so that it is not negative: nor is a number that is it, or a multiple of it."""
    if len(size.terms) != 1:
        return size
    ((atoms, factor),) = size.terms.items()
    atom = atoms[0] if len(atoms) == 1 else None
    if factor <= 0 or not isinstance(atom, Symbol) or atom.low is not None:
        return size
    return symbol(atom.name, 0, atom.high) * constant(factor)


def without_numbers(it: Run, message: str) -> str:
    """A message in which sizes that were invented for the same thing are alike: each pass of a loop invents its own."""
    hints = _HINTS.of(it)
    return _NAME.sub(lambda found: hints.get(found[0], found[0]), message) if hints else message
