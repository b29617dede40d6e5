"""The state of a random generator that was made from a known seed: its draws are constants of the program.

They are drawn from a real generator, and so the sizes that a program computes from its random data are known.  When
the state depends on what is not known, it is lost, and the draws are unknown from then on.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

from typing_extensions import override

from arraytyping.flow.values import Mutable

__all__ = ["LARGEST", "SeedState"]

LARGEST = 200_000
"""The most numbers that are drawn at once; after more of them the state is lost."""


class SeedState(Mutable):
    """The state of one generator, pickled; None if it is not known."""

    __slots__ = ("state",)

    def __init__(self, generator: Any) -> None:
        super().__init__()
        self.state: bytes | None = None if generator is None else pickle.dumps(generator)

    @override
    def snapshot(self) -> Any:
        return self.state

    @override
    def restore(self, snapshot: Any) -> None:
        self.state = snapshot

    @staticmethod
    def joined(a: Any, b: Any) -> Any:
        """One of two states."""
        return a if a == b else None

    def lose(self, it: Any) -> None:
        """The state depends on what is not known."""
        if self.state is not None:
            it.journal.touch(self)
            self.state = None

    def seed(self, it: Any, generator: Any) -> None:
        """Begin anew, with a generator that was just seeded; None if the seed is not known."""
        it.journal.touch(self)
        self.state = None if generator is None else pickle.dumps(generator)

    def draw(self, it: Any, use: Callable[[Any], Any]) -> Any:
        """What `use` gives for the real generator, which goes on to its next state.

        Raises:
            LookupError: if the state is not known.
        """
        if self.state is None:
            raise LookupError
        generator = pickle.loads(self.state)
        result = use(generator)
        it.journal.touch(self)
        self.state = pickle.dumps(generator)
        return result
