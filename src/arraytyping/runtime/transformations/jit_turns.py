"""Which function a wrapper's `__call__` is: at first one that takes its time, then texts made for frequent calls.

Several texts are tried one after the other, the last one first.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from arraytyping.runtime.transformations.found_calls import FoundCall

__all__ = ["Turns"]

_lock: Final = threading.RLock()
_MOST_TEXTS: Final = 64
_MOST_IN_TURN: Final = 4
"""How many texts are tried one after the other; then it begins anew."""
_CALLS_BEFORE: Final = 2
"""How often a call is found before a text is made for it, which takes as long as a hundred calls."""

Slow = Callable[[Sequence[Any], dict[str, Any]], Any]


class Turns:
    """The texts of one wrapper; `slow` runs any call."""

    __slots__ = ("_calls", "_in_turn", "_living", "slow")

    def __init__(self, slow: Slow, living: list[bool]) -> None:
        self.slow: Slow = slow
        self._calls: dict[FoundCall, Any] = {}
        self._in_turn: list[Callable[..., Any]] = []
        self._living: list[bool] = living

    def first(self) -> Callable[..., Any]:
        """What is called as long as there is no text."""
        slow = self.slow
        return lambda *args, **kwargs: slow(args, kwargs)

    def clear(self) -> None:
        """Forget all texts."""
        self._calls.clear()
        self._in_turn.clear()

    def prepare(
        self, found: FoundCall, living: list[bool], args: Sequence[Any], kwargs: dict[str, Any],
        split: Callable[[], tuple[Sequence[tuple[Any, Any]], Any]], use: Callable[[Callable[..., Any]], None],
    ) -> None:  # fmt: skip
        """Say what is to be called from now on, if a call like this one has come again."""
        calls = self._calls
        if self._living is not living or len(calls) >= _MOST_TEXTS:
            self.clear()
            self._living = living
        made = calls.get(found, 0)
        if type(made) is int:
            if made < _CALLS_BEFORE:
                calls[found] = made + 1
                return
            static, dynamic = split()
            named: Mapping[Any, Any] = dict(static)
            made = calls[found] = found.text(self.slow, living, args, kwargs, named, dynamic)
        if made is None or made in self._in_turn:
            return
        with _lock:  # no text comes after itself
            if made in self._in_turn:
                return
            if len(self._in_turn) >= _MOST_IN_TURN:
                self._in_turn.clear()
            made.__globals__["slow"] = _after(self._in_turn[-1]) if self._in_turn else self.slow
            self._in_turn.append(made)
            use(made)


def _after(text: Callable[..., Any]) -> Slow:
    return lambda args, kwargs: text(*args, **kwargs)
