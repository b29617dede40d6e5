"""`heapq` and `bisect`, which change lists in place: with real lists where all is concrete."""

from __future__ import annotations

import bisect
import heapq
from typing import Any

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.python.ordering import ordered
from arraytyping.checker.flow.real_calls.concrete_calls import NotConcrete, concrete, concretely
from arraytyping.checker.flow.real_calls.permissions import may_enter_standard
from arraytyping.checker.flow.real_calls.weights import WIDEST
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.values import MISSING, ListValue, ScalarValue, Value
from arraytyping.checker.flow.values.calls import Call


def _in_place(module: Any, name: str, change: int) -> None:
    """A function that changes a list, whose length changes by so much."""

    @handles(f"{module.__name__}.{name}")
    def handle(it: Interpreter, call: Call) -> Value:
        if not call.args or not isinstance(call.args[0], ListValue):
            return it.unknown(f"{name} of what is no list")
        heap = call.args[0]
        it.journal.touch(heap)
        try:
            real = concrete(heap)
            given = [concrete(a) for a in call.args[1:]]
            if call.kwargs or not may_enter_standard((real, given)) or len(real) > WIDEST:
                raise NotConcrete
            result = getattr(module, name)(real, *given)
            heap.items = [it.engines.from_python(item) for item in real]
            return it.engines.from_python(result)
        except NotConcrete:
            pass
        except (TypeError, IndexError) as error:
            return it.fail(call.node, "array-call", f"{type(error).__name__}: {error}")
        added = call.args[1:2] if name not in ("heappop", "heapify") else []
        joined = join_all([*(heap.items or ()), heap.element, *added])
        if heap.items is None:
            heap.element = joined
        elif len(heap.items) + change >= 0:
            heap.items = [joined] * (len(heap.items) + change)
        else:
            return it.fail(call.node, "array-call", "IndexError: index out of range")
        gives_item = name in ("heappop", "heappushpop", "heapreplace")
        return (it.unknown("an item of an empty heap") if joined is MISSING else joined) if gives_item else None


for _name, _change in (("heappush", 1), ("heappop", -1), ("heapify", 0), ("heappushpop", 0), ("heapreplace", 0)):
    _in_place(heapq, _name, _change)
for _name in ("insort", "insort_left", "insort_right"):
    _in_place(bisect, _name, 1)


def _largest(name: str, reverse: bool) -> None:
    @handles(f"heapq.{name}")
    def handle(it: Interpreter, call: Call) -> Value:
        if len(call.args) != 2:
            return it.unknown(f"{name} by keyword")
        found, element = ordered(
            it, *it.iterate(call.args[1], call.node), {**call.kwargs, "reverse": reverse}, call.node
        )
        if found is not None and type(call.args[0]) is int:
            return ListValue(found[: max(0, call.args[0])])
        return ListValue(None, element if found is None else join_all(found))


_largest("nlargest", True)
_largest("nsmallest", False)


def _search(name: str) -> None:
    @handles(f"bisect.{name}")
    def handle(it: Interpreter, call: Call) -> Value:
        result = concretely(it, getattr(bisect, name), call) if not call.kwargs else MISSING
        return ScalarValue(int) if result is MISSING else result


for _name in ("bisect", "bisect_left", "bisect_right"):
    _search(_name)
