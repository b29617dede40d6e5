"""What a library makes of functions of the program that give one of several sorts of values: it is called for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.state.branching import branch, tried
from arraytyping.checker.flow.state.interpreter import Interpreter, Signal
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.values import UnionValue, Value

__all__ = ["MOST_TRIALS", "SeveralResults"]

MOST_TRIALS: Final = 8
"""How often a question is asked anew at most, with other parts of what is not decided."""
_WHY: Final = "a function gives one of several sorts of values"


class _Met(Signal):
    """A function gave one of several, and none was chosen yet."""


class SeveralResults:
    """Which of several values functions give in the calls of libraries that are under way.

    As jax and flax take one value from a function, a call is made anew for each way to choose, and what comes of
    those that are no mistakes is joined.
    """

    def __init__(self) -> None:
        self._chosen: list[_Chosen | None] = []
        """By call under way: what is chosen in it; None while nothing is."""

    def one_of(self, value: UnionValue) -> Value:
        """The one that is chosen in the innermost call.

        Raises:
            Abort: if no call is under way that is made for each.
        """
        if not self._chosen:
            raise Abort(_WHY)
        chosen = self._chosen[-1]
        if chosen is None:
            raise _Met
        one: Value = value.values[chosen.next(len(value.values))]
        chosen.is_none = chosen.is_none or one is None
        return one

    @property
    def is_none(self) -> bool:
        """Whether None was chosen in the innermost call, where there are others."""
        chosen = self._chosen[-1] if self._chosen else None
        return chosen is not None and chosen.is_none

    def join(self, it: Interpreter, call: Callable[[], Any]) -> Any:
        """The result of a call, or the join of those for each way to choose.

        Raises:
            Abort: if there are too many ways.
        """
        mark = it.journal.mark
        try:
            return self._called(None, call)
        except _Met:
            it.journal.undo(mark)
        aborted: list[Abort] = []
        results: list[Value] = []
        paths: list[Callable[[], bool]] = []

        def begin(first: tuple[int, ...]) -> None:
            chosen = _Chosen(first)

            def run() -> Value:
                try:
                    return self._called(chosen, call)
                except Abort as abort:
                    aborted.append(abort)
                    return None
                finally:
                    if not aborted and (following := chosen.following()) is not None:
                        begin(following)

            if len(paths) == MOST_TRIALS:
                aborted.append(Abort(_WHY))
            else:
                paths.append(tried(it, run, results))

        begin(())
        goes_on = branch(it, it.frame, paths)
        if aborted:
            raise aborted[0]
        return join_all(results) if goes_on else self._called(_Chosen(()), call)

    def _called(self, chosen: _Chosen | None, call: Callable[[], Any]) -> Any:
        self._chosen.append(chosen)
        try:
            return call()
        finally:
            self._chosen.pop()


class _Chosen:
    """The first choices that are made in a call; those after them take the first of each."""

    def __init__(self, first: tuple[int, ...]) -> None:
        self._first: tuple[int, ...] = first
        self._made: list[tuple[int, int]] = []
        """What was chosen, and of how many."""
        self.is_none: bool = False

    def next(self, count: int) -> int:
        """The number of the value that is chosen of so many."""
        at = len(self._made)
        number = self._first[at] if at < len(self._first) else 0
        self._made.append((min(number, count - 1), count))
        return self._made[-1][0]

    def following(self) -> tuple[int, ...] | None:
        """The choices of the next call; None if there is none."""
        made = list(self._made)
        while made and made[-1][0] == made[-1][1] - 1:
            made.pop()
        return None if not made else (*(number for number, _ in made[:-1]), made[-1][0] + 1)
