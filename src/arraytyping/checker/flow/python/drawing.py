"""Items that an instance of a class of the program gives one by one: by `__next__`, or by `__getitem__` of 0, 1, ...

An item is drawn when it is needed, so that what the methods change is seen where the program sees it.  Where it cannot
be known whether the items end, one value stands for all that may still come.
"""

from __future__ import annotations

import ast
import collections.abc
import itertools
from collections.abc import Callable
from typing import Any, Final, get_origin

from arraytyping.checker.flow.state.certainty import Undecided
from arraytyping.checker.flow.state.interpreter import Interpreter, Raised
from arraytyping.checker.flow.state.joins import join
from arraytyping.checker.flow.state.repeated import call_repeatedly
from arraytyping.checker.flow.values import MISSING, InstanceValue, ScalarValue, Value

__all__ = ["Drawing", "begin_drawing"]

_MOST_ITEMS: Final = 512


class Drawing:
    """Gives the items of one iterator; `draw_any` gives one of which it is not known which it is."""

    def __init__(
        self,
        it: Interpreter,
        following: Callable[[], Any],
        ending: type[BaseException],
        any_item: Callable[[], Any] | None = None,
    ) -> None:
        self._it = it
        self._following = following
        self._any = any_item or following
        self._ending = ending
        self.is_unsure: bool = False
        """Whether it hangs on what is no data of the program that the items end."""

    def draw(self) -> tuple[Any, bool]:
        """The next item, MISSING if there surely is none, and whether it may be that there is none."""
        return self._drawn(self._following)

    def draw_any(self) -> Value:
        """What each further item is; MISSING if there surely is none."""
        return self._drawn(self._any)[0]

    def ending(self, node: ast.AST) -> Undecided:
        """On what it depends whether there are further items."""
        return Undecided(not self.is_unsure, self._it.frame.module.shown, getattr(node, "lineno", 0))

    def all(self, node: ast.AST | None) -> tuple[list[Value] | None, Value]:
        """The items to the end, or None and one value for each.

        Whoever asks may take them one by one, and not all: what is changed meanwhile may be as at any moment.
        """
        it = self._it
        mark, start = it.journal.mark, it.work
        items: list[Any] = []
        for count in itertools.count():
            it.check_time()
            item, may_end = self.draw()
            if item is MISSING:
                it.journal.blur(mark)
                return items, MISSING
            items.append(item)
            if may_end or (count >= it.limits.unrolled and it.work - start > it.limits.steps) or count >= _MOST_ITEMS:
                break
        element: Any = MISSING
        for item in items:
            element = join(element, item)
        element = join(element, call_repeatedly(it, self.draw_any))
        it.journal.blur(mark)
        return None, element

    def _drawn(self, following: Callable[[], Any]) -> tuple[Value, bool]:
        it = self._it
        with it.attempting(self._ending) as attempt:
            mark = it.journal.mark
            try:
                item = following()
            except Raised as error:
                ends = error.is_a(self._ending)
                if ends is False:
                    raise
                self.is_unsure = self.is_unsure or ends is None  # it may be another exception, which ends the path
                return MISSING, True
            self.is_unsure = self.is_unsure or attempt.is_unsure
            if attempt.may_end:
                it.journal.blur(mark, attempt.held)
        return item, attempt.may_end


def _is_iterator(base: Value) -> bool:
    """Whether a base is Python's class of iterators, which has an `__iter__`."""
    cls = get_origin(base) or base
    return isinstance(cls, type) and issubclass(cls, collections.abc.Iterator)


def begin_drawing(it: Interpreter, value: Value, node: ast.AST | None) -> Drawing | Value:
    """How the items of an instance are drawn; of all else, and where `__iter__` gives something else, what to iterate.

    The result is another value whose items are meant, the value itself if nothing is known of it here.
    """
    if not isinstance(value, InstanceValue):
        return value
    method = value.cls.find("__iter__")
    if method is not MISSING:
        made = it.call(method, [value], {}, node)
        if not isinstance(made, InstanceValue):
            return made
        following = made.cls.find("__next__")
        if following is not MISSING:
            return Drawing(it, lambda: it.call(following, [made], {}, node), StopIteration)
        return it.unknown("an iterator without __next__")
    following = value.cls.find("__next__")
    if following is not MISSING and any(_is_iterator(base) for base in value.cls.mro):
        return Drawing(it, lambda: it.call(following, [value], {}, node), StopIteration)
    if (getitem := value.cls.find("__getitem__")) is not MISSING:
        numbers = itertools.count()
        return Drawing(
            it,
            lambda: it.call(getitem, [value, next(numbers)], {}, node),
            IndexError,
            lambda: it.call(getitem, [value, ScalarValue(int)], {}, node),
        )
    return value
