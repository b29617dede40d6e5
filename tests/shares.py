"""Of many cases that take long together, those that run by default: every so many-th; `--thorough` runs all.

A share is spread over all of the cases, and always the same.  It should be a number that the cases do not repeat by,
so that each kind is among them: a prime.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Final, TypeVar

import pytest

__all__ = ["VARIABLE", "is_thorough", "some", "spread"]

VARIABLE: Final = "ARRAYTYPING_THOROUGH"
"""How the option gets to the workers."""
T = TypeVar("T")


def is_thorough() -> bool:
    """Whether all cases run."""
    return os.environ.get(VARIABLE) == "1"


def some(cases: Iterable[T], of: int) -> list[T]:
    """Every so many-th of the cases that one test goes through."""
    return [*cases][:: 1 if is_thorough() else of]


def spread(cases: Iterable[Any], of: int) -> list[Any]:
    """Cases as a test's parameters, all but every so many-th with the mark that leaves them to `--thorough`.

    A case of several parameters is a tuple of them.
    """
    return [
        case
        if i % of == 0
        else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.thorough)
        for i, case in enumerate(cases)
    ]
