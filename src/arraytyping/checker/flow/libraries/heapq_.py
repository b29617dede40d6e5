"""`heapq` and `bisect`, which change lists in place: with real lists where all is concrete."""

from __future__ import annotations

import ast
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

Kwargs = dict[str, Any]
Node = ast.AST | None


def _in_place(module: Any, name: str, change: int) -> None:
    """A function that changes a list, whose length changes by so much."""

    @handles(f"{module.__name__}.{name}")
    def handle(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
        if not args or not isinstance(args[0], ListValue):
            return it.unknown(f"{name} of what is no list")
        heap = args[0]
        it.journal.touch(heap)
        try:
            real = concrete(heap)
            given = [concrete(a) for a in args[1:]]
            if kwargs or not may_enter_standard((real, given)) or len(real) > WIDEST:
                raise NotConcrete
            result = getattr(module, name)(real, *given)
            heap.items = [it.engines.from_python(item) for item in real]
            return it.engines.from_python(result)
        except NotConcrete:
            pass
        except (TypeError, IndexError) as error:
            return it.fail(node, "array-call", f"{type(error).__name__}: {error}")
        added = args[1:2] if name not in ("heappop", "heapify") else []
        joined = join_all([*(heap.items or ()), heap.element, *added])
        if heap.items is None:
            heap.element = joined
        elif len(heap.items) + change >= 0:
            heap.items = [joined] * (len(heap.items) + change)
        else:
            return it.fail(node, "array-call", "IndexError: index out of range")
        gives_item = name in ("heappop", "heappushpop", "heapreplace")
        return (it.unknown("an item of an empty heap") if joined is MISSING else joined) if gives_item else None


for _name, _change in (("heappush", 1), ("heappop", -1), ("heapify", 0), ("heappushpop", 0), ("heapreplace", 0)):
    _in_place(heapq, _name, _change)
for _name in ("insort", "insort_left", "insort_right"):
    _in_place(bisect, _name, 1)


def _largest(name: str, reverse: bool) -> None:
    @handles(f"heapq.{name}")
    def handle(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
        if len(args) != 2:
            return it.unknown(f"{name} by keyword")
        found, element = ordered(it, *it.iterate(args[1], node), {**kwargs, "reverse": reverse}, node)
        if found is not None and type(args[0]) is int:
            return ListValue(found[: max(0, args[0])])
        return ListValue(None, element if found is None else join_all(found))


_largest("nlargest", True)
_largest("nsmallest", False)


def _search(name: str) -> None:
    @handles(f"bisect.{name}")
    def handle(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
        result = concretely(it, getattr(bisect, name), args, kwargs, node) if not kwargs else MISSING
        return ScalarValue(int) if result is MISSING else result


for _name in ("bisect", "bisect_left", "bisect_right"):
    _search(_name)
