"""Sizes of which nothing is known, each with a name of its own, and messages in which only such names differ."""

from __future__ import annotations

import re
from itertools import islice
from typing import Final

from arraytyping.checker.flow.state.run_slots import Run, RunSlot
from arraytyping.checker.flow.values.basic import ScalarValue
from arraytyping.semantics.sizes.polynomials import Size, Symbol, constant, symbol

__all__ = [
    "as_size",
    "fresh_size",
    "int_within",
    "limits_of",
    "names_since",
    "names_so_far",
    "size_of_int",
    "some_int",
    "without_numbers",
]

_HINTS: Final[RunSlot[dict[str, str]]] = RunSlot("the sizes that were invented, with what each is called after", dict)
_NAME: Final = re.compile(r"\b[^\W\d]\w*\d\b")


def fresh_size(it: Run, hint: str, most: int | None = None, least: int = 0) -> Size:
    """A size of its own, of which nothing is known but that it is at most, and at least, so much."""
    hints = _HINTS.of(it)
    name = f"{hint}{len(hints) + 1}"
    hints[name] = hint
    return symbol(name, least, most)


def names_so_far(it: Run) -> int:
    """How many names were given to sizes until now, for `names_since`."""
    return len(_HINTS.of(it))


def names_since(it: Run, before: int) -> frozenset[str]:
    """The names that were given to sizes since then."""
    hints = _HINTS.of(it)
    return frozenset(islice(hints, before, None)) if len(hints) > before else frozenset()


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


_WITHIN: Final[RunSlot[dict[str, tuple[Size, Size]]]] = RunSlot("the limits of ints that are drawn", dict)


def int_within(it: Run, least: Size, most: Size) -> ScalarValue:
    """An int that is drawn between these, which may hang on other sizes."""
    name = str(fresh_size(it, "i"))
    _WITHIN.of(it)[name] = least, most
    return ScalarValue(int, size=symbol(name, least.bounds()[0], most.bounds()[1]), is_data=True)


def limits_of(it: Run, size: Size) -> tuple[Size, Size]:
    """The least and the greatest that a number may be, of which the limits may be known in symbols."""
    found = [_WITHIN.of(it).get(one.name) for one in size.symbols]
    if len(size.symbols) != 1 or found[0] is None or size != symbol_of(size):
        return size, size
    return found[0]


def symbol_of(size: Size) -> Size | None:
    """The symbol that a size is; None if it is made of several or of operations."""
    (one,) = size.symbols
    plain = symbol(one.name, one.low, one.high)
    return plain if plain == size else None


def size_of_int(value: object) -> Size | None:
    """What is known of an int in symbols; None if nothing is."""
    if type(value) is int:
        return constant(value)
    return value.size if isinstance(value, ScalarValue) and value.of_python.kinds == (int,) else None


def without_numbers(it: Run, message: str) -> str:
    """A message in which sizes that were invented for the same thing are alike: each pass of a loop invents its own."""
    hints = _HINTS.of(it)
    return _NAME.sub(lambda found: hints.get(found[0], found[0]), message) if hints else message
