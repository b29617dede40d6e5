"""Items that are evaluated ahead of whoever asks for them, and who may not ask for all.

Flow evaluates the items of a generator when the first one is asked for.  Whoever takes them one by one, and may stop,
says so by `taking`: what comes behind an item is then certain only as far as the next one is surely asked for.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from arraytyping.checker.flow.state.certainty import Undecided, given
from arraytyping.checker.flow.state.identity import identity, names_read
from arraytyping.checker.flow.state.interpreter import Interpreter, Raised, Signal
from arraytyping.checker.flow.state.object_reads import read_by
from arraytyping.checker.flow.values import MISSING, DictValue, IteratorValue, ListValue, SetValue, Value, ViewValue
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["Enough", "Production", "is_lazy", "perhaps", "producing", "reads", "so_many", "spoil", "taking", "watch"]

Asks = Callable[[Any], Undecided | bool]
"""Of an item that was given: whether the next one is asked for, or on what that depends."""


class Enough(Signal):
    """No further item is asked for."""


def perhaps(item: Value) -> Undecided:
    """Nothing is known of when whoever asks will stop."""
    return Undecided(False, "", 0)


def so_many(count: int) -> Asks:
    """So many items are asked for at least."""
    given_until_now = 0

    def asks(item: Value) -> Undecided | bool:
        nonlocal given_until_now
        given_until_now += 1
        return True if given_until_now < count else perhaps(item)

    return asks


def is_lazy(value: Value) -> bool:
    """Whether a value is an iterator of which no item was asked for yet."""
    return isinstance(value, IteratorValue) and value.pending is not None


@contextmanager
def taking(it: Interpreter, asks: Asks | None) -> Iterator[None]:
    """Take items, so many as `asks` says of each."""
    before, it.asks = it.asks, asks
    try:
        yield
    finally:
        it.asks = before


class Production:
    """Items that are evaluated for one who asks for them; `production` of the interpreter while that is done."""

    def __init__(self, it: Interpreter, asks: Asks | None) -> None:
        self._it: Interpreter = it
        self._asks: Asks | None = asks
        self._unsure: int = 0
        self.is_doubted: bool = False
        """Whether what is evaluated now is reached only if one more item is asked for."""
        self.is_cut: bool = False
        """Whether evaluating an item raises that is perhaps not asked for."""

    @property
    def inner(self) -> Asks | None:
        """What is asked of iterators from which these items are made."""
        return None if self._asks is None else perhaps

    def gave(self, item: Value, may_stop: bool = True) -> None:
        """One more item is there; `may_stop` tells that all before are known.

        Raises:
            Enough: if no other is asked for.
        """
        if self._asks is None:
            return
        why = self._asks(item)
        if why is True:
            return
        if why is False:
            if may_stop and not self.is_doubted:
                raise Enough
            why = perhaps(item)
        self.is_doubted = True
        self._unsure += not why.is_data
        self._it.path_uncertain += not why.is_data
        given(self._it, why, True)

    def settle(self) -> None:
        """What follows is reached in any case."""
        self._it.path_uncertain -= self._unsure


@contextmanager
def producing(it: Interpreter) -> Iterator[Production]:
    """Evaluate items; what is raised where perhaps none is asked for ends it, and no more."""
    conditions, before = it.conditions, it.asks
    production = Production(it, before)
    it.asks = None
    try:
        yield production
    except Raised:
        if not production.is_doubted:
            raise
        it.may_raise += 1
        production.is_cut = True
    finally:
        production.settle()
        it.asks, it.conditions = before, conditions


def reads(
    node: ast.AST, own: Collection[str], frame: Frame, arguments: Mapping[str, Value] | None = None
) -> Callable[[], bool]:
    """Whether what some code reads from outside, other than its `own` names, is no longer as it is now."""
    names = [name for name in names_read(node) if name not in own]
    given_once = {} if arguments is None else dict(arguments)

    def state() -> Any:
        seen = (*given_once.items(), *((name, frame.find(name)) for name in names))
        return identity(tuple(read_by(node, name, value) for name, value in seen))

    now = state()
    return lambda: state() != now


def watch(value: IteratorValue, sources: Iterable[Any]) -> None:
    """Let an iterator know of changes in the containers from which its items were made: it reads them as it goes."""
    held = [(source, _held(source)) for source in sources if isinstance(source, _WATCHED)]
    looked_at: list[bool] = []

    def has_changed() -> bool:
        if looked_at:  # one that is made of itself
            return False
        looked_at.append(True)
        try:
            return any(_differs(_held(source), before) for source, before in held)
        finally:
            looked_at.clear()

    if held:
        value.has_changed = has_changed


_WATCHED: Final = (ListValue, SetValue, DictValue, IteratorValue)


def _held(source: Any) -> tuple[Value, ...]:
    """What a container gives to whoever goes through it: the items, or the one value that stands for all."""
    if isinstance(source, IteratorValue):
        return (source.has_changed is not None and source.has_changed(),)
    if isinstance(source, ViewValue) and source.part == "items":  # whose pairs are made anew
        of = source.of
        return (MISSING, of.key, of.element) if of.items is None else (*of.items, *of.items.values())
    return tuple(source.items) if source.items is not None else (MISSING, source.element)


def _differs(now: tuple[Any, ...], before: tuple[Any, ...]) -> bool:
    return len(now) != len(before) or not all(map(operator.is_, now, before))


def spoil(it: Interpreter, value: IteratorValue) -> bool:
    """Forget what an iterator has still to give, if what that is made from has changed; whether it was so."""
    if value.has_changed is None or value.pending is not None or not value.has_changed():
        return False
    it.journal.touch(value)
    value.has_changed = None
    value.items, value.element = None, it.unknown("items made from what has changed since the first one")
    return True
