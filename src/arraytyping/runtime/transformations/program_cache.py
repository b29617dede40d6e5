"""The programs of jitted functions, shared by all wrappers of one function and dropped with it.

`jit(f)` made anew at each step of a loop finds what `f` was traced to before.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Hashable
from typing import Any, Final, Generic, TypeVar

__all__ = ["MOST_TRACES", "ProgramCache", "cache_of"]

MOST_TRACES: Final = 4096
"""How many programs of one function are kept; then the oldest go."""

E = TypeVar("E")


class _Making(threading.local):
    """How many traces this thread is in the middle of."""

    depth: int = 0


_making: Final = _Making()
_lock: Final = threading.RLock()


class ProgramCache(Generic[E]):
    """What one function was traced to, by the kind of the call.

    `fast` finds programs by identities of what it keeps alive.  `living` is empty once they are forgotten, and then
    another list.
    """

    __slots__ = ("__weakref__", "_under_way", "entries", "fast", "living")

    def __init__(self) -> None:
        self._under_way: dict[Any, threading.Event] = {}
        self.entries: dict[Any, E] = {}
        self.fast: dict[Any, Any] = {}
        self.living: list[bool] = [True]

    def found_or_made(self, key: Any, make: Callable[[], E]) -> E:
        """What is kept, or is made now: another thread that makes it is waited for.

        Who is making something waits for nobody, so that no two wait for each other.
        """
        while True:
            with _lock:
                if (entry := self.entries.get(key)) is not None:
                    return entry
                event = None if _making.depth else self._under_way.get(key)
                if event is None:
                    mine = self._under_way.setdefault(key, threading.Event())
                    break
            event.wait()
        _making.depth += 1
        try:
            return make()
        finally:
            _making.depth -= 1
            with _lock:
                self._under_way.pop(key, None)
            mine.set()

    def keep(self, key: Any, entry: E) -> None:
        """Keep one more."""
        if len(self.entries) >= MOST_TRACES:
            del self.entries[next(iter(self.entries))]
            self.forget_fast()
        self.entries[key] = entry

    def keep_fast(self, key: Any, found: Any) -> None:
        """Keep by what one more kind of call is found at once."""
        if len(self.fast) >= 2 * MOST_TRACES:
            self.forget_fast()
        self.fast[key] = found

    def clear(self) -> None:
        """Forget all."""
        self.entries.clear()
        self.forget_fast()

    def forget_fast(self) -> None:
        """Forget by what calls are found at once."""
        self.fast.clear()
        self.living.clear()
        self.living = [True]


_caches: Final[dict[int, tuple[weakref.ref[Any], dict[Hashable, ProgramCache[Any]]]]] = {}


def cache_of(function: Callable[..., Any], options: Hashable) -> ProgramCache[Any]:
    """The cache of a function, by identity, under these options; one of its own where no weak reference can be made."""
    number, caches = id(function), _caches  # the module's own names are gone when the interpreter ends
    found = caches.get(number)
    if found is None or found[0]() is not function:
        try:
            reference = weakref.ref(function, lambda _: caches.pop(number, None))
        except TypeError:
            return ProgramCache()
        found = caches[number] = reference, {}
    return found[1].setdefault(options, ProgramCache())
