"""Comprehensions and generator expressions."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from arraytyping.checker.flow.python.dict_contents import in_some_order
from arraytyping.checker.flow.python.drawing import Drawing, begin_drawing
from arraytyping.checker.flow.python.iteration import length_of
from arraytyping.checker.flow.python.recorded_values import as_recorded
from arraytyping.checker.flow.state.certainty import Undecided, undecided
from arraytyping.checker.flow.state.forgotten_sizes import without_names
from arraytyping.checker.flow.state.fresh_sizes import fresh_size, names_since, names_so_far
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.state.laziness import Enough, Production, producing, reads, taking
from arraytyping.checker.flow.state.repeated import call_maybe, call_repeatedly
from arraytyping.checker.flow.syntax.loops import element_of
from arraytyping.checker.flow.values import (
    MISSING,
    DictValue,
    IteratorValue,
    ListValue,
    ScalarValue,
    SetValue,
    Unknown,
    Unordered,
    Value,
    is_concrete,
)
from arraytyping.checker.flow.values.basic import births
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["dict_comprehension", "generator", "list_comprehension", "set_comprehension"]

_MOST_ITEMS = 4096
_MOST_DRAWN = 512
_Generating = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def _results(
    it: Interpreter,
    node: _Generating,
    frame: Frame,
    leaf: Callable[[Frame], Any],
    first: Any = MISSING,
    production: Production | None = None,
) -> tuple[list[Any] | None, Any]:
    """What the leaf gives for each round; None and the join of all, if the rounds are not known.

    `first` is the first iterable, if it has been evaluated already.
    """
    rounds = _Rounds(it, node, frame, leaf, first, production)
    with suppress(Enough):
        rounds.from_depth(0)
    return (rounds.results, MISSING) if rounds.exact else (None, join_all(rounds.results))


class _Rounds:
    """The rounds of a comprehension, whose `for`s are nested: `depth` counts them."""

    def __init__(
        self, it: Interpreter, node: _Generating, frame: Frame, leaf: Callable[[Frame], Any], first: Any,
        production: Production | None,
    ) -> None:  # fmt: skip
        self.it = it
        self.node = node
        self.frame = frame
        self.leaf = leaf
        self.first = first
        self.production = production
        self.inner = Frame(frame, "comprehension", frame.module)
        self.inner.born = next(births)
        self.inner.function, self.inner.receiver = frame.function, frame.receiver
        self.results: list[Value] = []
        self.exact: bool = True
        """Whether each round is known, and that it takes place."""

    def from_depth(self, depth: int) -> None:
        """All rounds of a `for` and of those within it."""
        it, node = self.it, self.node
        if depth == len(node.generators):
            it.check_time()
            self.results.append(self.leaf(self.inner))
            if self.production is not None:
                self.production.gave(self.results[-1], self.exact)
            return
        generator = node.generators[depth]
        iterable = self.first
        if depth or self.first is MISSING:
            iterable = it.evaluate(generator.iter, self.inner if depth else self.frame)
        iterable = begin_drawing(it, iterable, generator.iter)
        if isinstance(iterable, Drawing):
            self._drawn(iterable, depth)
            return
        with taking(it, None if self.production is None else self.production.inner):
            items, element = it.iterate(iterable, generator.iter)
        if items is None or len(items) > _MOST_ITEMS:
            self.exact = False
            one = element if items is None else element_of(items, node)
            if it.recorded is not None and items is None and one is not MISSING:
                one = as_recorded(it, generator.target, self.inner, one)
            if one is not MISSING:
                size = one.size if items is not None and isinstance(one, ScalarValue) else None
                with self._each(() if size is None else [symbol.name for symbol in size.symbols]):
                    call_repeatedly(it, lambda: self._round(one, depth))
            return
        for item in items:
            self._round(item, depth)

    def _drawn(self, source: Drawing, depth: int) -> None:
        """The rounds over what is drawn one by one: as many as are certain, then one for all others."""
        it = self.it
        for count in itertools.count():
            it.check_time()
            item, may_end = source.draw()
            if item is MISSING:
                return
            if may_end or count > _MOST_DRAWN:
                break
            self._round(item, depth)
        self.exact = False
        if may_end:
            call_maybe(it, lambda: self._round(item, depth), source.ending(self.node))
        else:
            self._round(item, depth)

        def again() -> None:
            one = source.draw_any()
            if one is not MISSING:
                self._round(one, depth)

        with self._each():
            call_repeatedly(it, again)

    @contextmanager
    def _each(self, names: Iterable[str] = ()) -> Iterator[None]:
        """Results that are made meanwhile stand for many: the sizes that are invented, or so called, differ."""
        first, begun = len(self.results), names_so_far(self.it)
        yield
        known = names_since(self.it, begun).union(names)
        self.results[first:] = [without_names(result, known) for result in self.results[first:]]

    def _round(self, item: Value, depth: int) -> None:
        """One round, if its conditions hold: where they may or may not, so may what is within."""
        it = self.it
        generator = self.node.generators[depth]
        it.assign(generator.target, item, self.inner)
        why: Undecided | None = None
        for condition in generator.ifs:
            value = it.evaluate(condition, self.inner)
            known = it.truth(value, condition)
            if known is False:
                return
            if known is None and (why is None or why.is_data):  # one that is not data is the weightier
                why = undecided(it, value, condition)
        if why is None:
            self.from_depth(depth + 1)
        else:
            self.exact = False
            call_maybe(it, lambda: self.from_depth(depth + 1), why)


def list_comprehension(it: Interpreter, node: ast.ListComp, frame: Frame) -> Value:
    """`[f(x) for x in xs]`."""
    only = node.generators[0] if len(node.generators) == 1 and not node.generators[0].ifs else None
    first = it.evaluate(node.generators[0].iter, frame)
    length = None if only is None else length_of(first)
    made = ListValue(*_results(it, node, frame, lambda inner: it.evaluate(node.elt, inner), first))
    if made.items is None:
        made.length = fresh_size(it, "n") if length is None else length
    return made


def generator(it: Interpreter, node: ast.GeneratorExp, frame: Frame) -> IteratorValue:
    """`(f(x) for x in xs)`: `xs` is evaluated at once, the rest when the first item is asked for."""
    first = it.evaluate(node.generators[0].iter, frame)
    staged = it.staged

    def run() -> tuple[list[Value] | None, Value, bool]:
        it.journal.touch(iterator)
        before, it.staged = it.staged, staged
        mark, born = it.journal.mark, iterator.born
        try:
            items, element = None, Unknown("items of which one raises")
            with producing(it) as production, it.in_frame(frame):
                items, element = _results(
                    it, node, frame, lambda inner: it.evaluate(node.elt, inner), first, production
                )
        finally:
            it.staged = before
        it.journal.blur_outside(mark, born)  # whoever asks for the items may not ask for all
        iterator.has_changed = reads(node, _own_names(node), frame)
        return items, element, isinstance(first, IteratorValue) and first.infinite

    iterator = IteratorValue(pending=run)
    return iterator


def _own_names(node: ast.GeneratorExp) -> frozenset[str]:
    """The names that stand for the items; they are not seen outside."""
    targets = [n for generator in node.generators for n in ast.walk(generator.target)]
    return frozenset(n.id for n in targets if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def set_comprehension(it: Interpreter, node: ast.SetComp, frame: Frame) -> Value:
    """`{f(x) for x in xs}`."""
    items, element = _results(it, node, frame, lambda inner: it.evaluate(node.elt, inner))
    if items is not None and all(map(is_concrete, items)):
        return SetValue(dict.fromkeys(items))
    return SetValue(None, element if items is None else join_all(items))


def dict_comprehension(it: Interpreter, node: ast.DictComp, frame: Frame) -> Value:
    """`{f(x): g(x) for x in xs}`."""
    first, some = MISSING, None
    if len(node.generators) == 1:
        first = it.evaluate(node.generators[0].iter, frame)
        some = in_some_order(first)
    pairs, one = _results(
        it, node, frame, lambda inner: (it.evaluate(node.key, inner), it.evaluate(node.value, inner)),
        first if some is None else ListValue(some),
    )  # fmt: skip
    if pairs is None:
        key, element = one if isinstance(one, tuple) and len(one) == 2 else (one, one)
        return DictValue(None, key, element)
    result = DictValue({} if some is None else Unordered())
    for key, value in pairs:
        it.put_item(result, key, value, node)
    return result
