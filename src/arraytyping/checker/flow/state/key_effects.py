"""What a traced function does to keys, so that a call that is not followed again does the same.

JAX traces a jitted function once and executes it at each call: a key that it is given or has closed over is drawn from
each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.keys import consume_again, consumed_since, origin_of
from arraytyping.checker.flow.values import ArrayValue, KeyOrigin, KeyUse, Value, walk
from arraytyping.checker.flow.values.basic import births
from arraytyping.checker.flow.values.keys import Step

__all__ = ["KeyArguments", "KeyEffects"]


class _Place(NamedTuple):
    """Which key it is: a leaf of the arguments by its number, or one that is the same at each call; and the steps."""

    root: int | KeyOrigin
    steps: tuple[Step, ...] = ()


class KeyEffects(NamedTuple):
    """What was drawn from which keys in a call, at which depth of calls it stood, and which keys its results are."""

    uses: tuple[tuple[_Place, KeyUse], ...]
    depth: int
    results: tuple[_Place | None, ...]


class KeyArguments:
    """The keys among the arguments of one call."""

    def __init__(self, it: Interpreter, arguments: Sequence[Value]) -> None:
        self._it = it
        self._born = next(births)
        self._origins = [o for a in arguments for v in walk(a) if (o := origin_of(v)) is not None]
        self._numbers = {origin: i for i, origin in reversed([*enumerate(self._origins)])}

    def effects(self, mark: int, results: tuple[_Place | None, ...]) -> KeyEffects:
        """What the call did that was followed since a mark."""
        found = consumed_since(self._it, mark, self._born, is_folded=True)
        return KeyEffects(tuple((self._place(o), use) for o, use in found.items()), len(self._it.chain), results)

    def again(self, effects: KeyEffects) -> None:
        """Let this call do the same as the one that was followed."""
        calls = tuple(self._it.chain)
        for place, use in effects.uses:
            origin = self._found(place)
            if origin is not None:
                consume_again(self._it, origin, KeyUse(use.what, (*calls, *use.calls[effects.depth :])))

    def place(self, value: ArrayValue) -> _Place | None:
        """Which of the keys of the call a result is; None if it is another one."""
        if value.key is None:
            return None
        place = self._place(value.key)
        return place if isinstance(place.root, int) or value.key.born < self._born else None

    def _place(self, origin: KeyOrigin) -> _Place:
        steps: tuple[Step, ...] = ()
        here: KeyOrigin | None = origin
        while here is not None:
            if here in self._numbers:
                return _Place(self._numbers[here], steps)
            if here.source is None:
                break
            steps = (here.source[1], *steps)
            here = here.source[0]
        return _Place(origin)

    def _found(self, place: _Place) -> KeyOrigin | None:
        if isinstance(place.root, KeyOrigin):
            return place.root
        if place.root >= len(self._origins):
            return None
        origin = self._origins[place.root]
        for step in place.steps:
            origin = origin.derive(step)
        return origin

    def result(self, value: ArrayValue, place: _Place | None) -> ArrayValue:
        """An array that this call gives, where the call that was followed gave a key of this place, or no key."""
        array = value.another()
        array.life = self._it.life if array.traced and self._it.staged else None
        if array.keys_shape is not None:
            array.key = KeyOrigin(tuple(self._it.chain)) if place is None else self._found(place)
        return array
