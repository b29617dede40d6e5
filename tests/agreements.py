"""Comparisons with JAX that agreed before, by the digest of what was compared: they need not be made again.

To ask JAX costs a millisecond a call, a hundred times what our answer costs, and there are some 600,000 calls.  So a
comparison in which nothing differed leaves a digest of the calls and of all answers in `data/agreements.txt`.  If a
later run computes the same answers for the same calls, then JAX's are known, and it is not asked; if anything is
different, or JAX is another release, it is asked.

`pytest --oracle live` asks JAX everything; `pytest --oracle record` does so too, and writes the file anew:

    rm tests/data/agreements.txt; pytest --oracle record; sort -u -o tests/data/agreements.txt tests/data/agreements.txt
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

import jax

__all__ = ["FILE", "VARIABLE", "agreed", "digest_of", "record"]

FILE: Final = Path(__file__).parent / "data" / "agreements.txt"
VARIABLE: Final = "ARRAYTYPING_ORACLE"
"""How the option gets to the workers: `recorded`, `live` or `record`."""


def _mode() -> str:
    return os.environ.get(VARIABLE, "recorded")


@cache
def _recorded() -> frozenset[str]:
    return frozenset(FILE.read_text(encoding="ascii").split()) if FILE.exists() else frozenset()


def digest_of(parts: Iterable[str]) -> str:
    """The digest of a comparison: of the calls and our answers to them, as text, and of JAX's release."""
    digest = hashlib.sha256(jax.__version__.encode())
    for part in parts:
        digest.update(b"\0")
        digest.update(part.encode())
    return digest.hexdigest()[:32]


def agreed(digest: str) -> bool:
    """Whether JAX gave the same answers to the same calls before."""
    return _mode() == "recorded" and digest in _recorded()


def record(digest: str) -> None:
    """Keep that JAX gave the same answers."""
    if _mode() == "record":
        with FILE.open("a", encoding="ascii") as file:  # lines this short are written whole, by several workers too
            file.write(f"{digest}\n")
