"""Mistakes in functions that are followed with unknown arguments: what is one for whoever calls them is told."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from arraytyping.checker.flow.sources.test_files import is_test_file

if TYPE_CHECKING:
    from arraytyping.checker.flow.state.interpreter import Interpreter

__all__ = ["Whoever", "is_of_tests"]

_TOLD: Final = frozenset({"array-dim", "array-jax-version", "array-shape"})
"""What no caller means: exceptions may be what a function is there for, and annotations of dtypes are not exact."""


def is_of_tests(path: Path) -> bool:
    """Whether a file is one of tests, where functions stand that are meant to fail."""
    names = {*path.parts[-3:-1], path.stem}
    return is_test_file(path) or not names.isdisjoint(("conftest", "test", "testing", "tests"))


class Whoever(NamedTuple):
    """How quiet it is where the call begins, in how many undecided branches it is, and in how many attempts."""

    quiet: int
    undecided: int
    attempts: int

    @classmethod
    def here(cls, it: Interpreter) -> Whoever:
        """The call begins here."""
        return cls(it.quiet, it.undecided, len(it.attempts))

    def is_told(self, it: Interpreter, code: str) -> bool:
        """Whether each call that comes to its end makes a mistake: nothing is tried out, caught or in doubt."""
        here = (it.quiet, it.undecided, len(it.attempts))
        return code in _TOLD and here == self and not it.inventing and it.frame.module.is_program
