"""The state of a random generator that was made from a known seed: its draws are constants of the program.

They are drawn from a real generator, and so the sizes that a program computes from its random data are known.  When
the state depends on what is not known, it is lost, and the draws are unknown from then on.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

from typing_extensions import override

from arraytyping.checker.flow.values import Mutable, Value

__all__ = ["LARGEST", "SeedState"]

LARGEST = 200_000
"""The most numbers that are drawn at once; after more of them the state is lost."""


class _Held:
    """A generator that is as it was when it was put here; equal to one that will draw the same."""

    __slots__ = ("_generator", "_state")

    def __init__(self, generator: Any) -> None:
        self._generator = _copied(generator)
        self._state = _state_of(generator)

    def taken(self) -> Value:
        """The generator, to draw from."""
        return _copied(self._generator)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and self._state == other._state

    def __hash__(self) -> int:
        return hash(self._state)


def _copied(generator: Any) -> Any:
    if type(generator) is not random.Random:
        return copy.deepcopy(generator)
    made = random.Random(0)
    made.setstate(generator.getstate())  # `deepcopy` looks at each of the 625 numbers
    return made


def _state_of(generator: Any) -> Any:
    """What tells whether two generators draw the same."""
    if isinstance(generator, random.Random):
        return generator.getstate()
    bits = getattr(generator, "bit_generator", None)
    return _frozen(generator.get_state(legacy=False) if bits is None else bits.state)


def _frozen(value: Value) -> Value:
    if isinstance(value, dict):
        return tuple((key, _frozen(v)) for key, v in value.items())
    return value.tobytes() if hasattr(value, "tobytes") else value


class SeedState(Mutable):
    """The state of one generator; None if it is not known."""

    __slots__ = ("state",)

    def __init__(self, generator: Any) -> None:
        super().__init__()
        self.state: _Held | None = None if generator is None else _Held(generator)

    @override
    def snapshot(self) -> Any:
        return self.state

    @override
    def restore(self, snapshot: Any) -> None:
        self.state = snapshot

    @staticmethod
    def joined(a: Value, b: Value) -> Value:
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
        self.state = None if generator is None else _Held(generator)

    def draw(self, it: Any, use: Callable[[Any], Any]) -> Any:
        """What `use` gives for the real generator, which goes on to its next state.

        Raises:
            LookupError: if the state is not known.
        """
        if self.state is None:
            raise LookupError
        generator = self.state.taken()
        result = use(generator)
        it.journal.touch(self)
        self.state = _Held(generator)
        return result
