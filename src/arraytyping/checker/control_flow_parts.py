"""The sentences for a loop's carry and for branches that do not fit, of which flow and the plugin know the parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

__all__ = ["MOST", "SAME_STRUCTURE", "carry_sentence", "more"]

MOST: Final = 3
"""How many leaves are named."""

SAME_STRUCTURE: Final = "all branches must give the same structure"


def carry_sentence(found: Sequence[tuple[str, str, str]], what: str) -> str:
    """The parts of a carry, each with what comes in and what goes out; `what` differs, the types or the structure."""
    said = [f"{leaf}: {before} comes in, {after} goes out" for leaf, before, after in found[:MOST]]
    return f"{'; '.join(said)}{more(len(found))}; the body must give the carry back with the {what} that it got"


def more(count: int) -> str:
    """How many leaves are not named."""
    return f"; and {count - MOST} more" if count > MOST else ""
