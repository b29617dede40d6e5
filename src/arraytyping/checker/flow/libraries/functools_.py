"""`functools`: partial application, caches, and what decorates functions and methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.libraries.builtin_folds import fold
from arraytyping.checker.flow.libraries.builtin_functions import wrong_call
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.python.method_tables import unhashable
from arraytyping.checker.flow.state.aliases import describe_many
from arraytyping.checker.flow.state.certainty import data_bool
from arraytyping.checker.flow.state.identity import identity, tells_all
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join
from arraytyping.checker.flow.state.repeated import by_alternatives
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    ClassValue,
    Descriptor,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    Mutable,
    PartialValue,
    ScalarValue,
    Value,
    is_concrete,
    walk,
)
from arraytyping.checker.flow.values.calls import Call


@handles("functools.partial")
def _partial(it: Interpreter, call: Call) -> Value:
    if not call.args:
        return wrong_call(it, "partial", call.node)
    return PartialValue(call.args[0], tuple(call.args[1:]), dict(call.kwargs))


@handles("functools.partialmethod")
def _partial_method(it: Interpreter, call: Call) -> Value:
    function, *first = call.args

    def handle(it: Interpreter, later: Call) -> Value:
        return it.call(
            function, [*later.args[:1], *first, *later.args[1:]], {**call.kwargs, **later.kwargs}, later.node
        )

    return HandlerValue("partialmethod", handle, (function,))


@handles("functools.reduce")
@by_alternatives
def _reduce(it: Interpreter, call: Call) -> Value:
    if not 2 <= len(call.args) <= 3:
        return wrong_call(it, "reduce", call.node)
    items, element = it.iterate(call.args[1], call.node)
    if len(call.args) == 3:
        total = call.args[2]
    elif items is None:
        total = element
    elif items:
        total, items = items[0], items[1:]
    else:
        return it.fail(call.node, "array-call", "TypeError: reduce() of an empty iterable with no initial value")
    if total is MISSING:
        return it.fail(call.node, "array-call", "TypeError: reduce() of an empty iterable with no initial value")
    return fold(it, lambda a, b: it.call(call.args[0], [a, b], {}, call.node), total, items, element)


def _update(it: Interpreter, wrapper: Value, wrapped: Value) -> Value:
    if isinstance(wrapper, FunctionValue):
        it.journal.touch(wrapper)
        wrapper.attributes["__wrapped__"] = wrapped
        for name in ("__name__", "__qualname__", "__doc__", "__module__"):
            with it.quietly():
                wrapper.attributes[name] = it.get_attribute(wrapped, name, None)
        if isinstance(wrapped, FunctionValue):
            wrapper.attributes = {**wrapped.attributes, **wrapper.attributes}
    return wrapper


@handles("functools.wraps")
def _wraps(it: Interpreter, call: Call) -> Value:
    if not call.args:
        return it.unknown("wraps by keyword")
    return HandlerValue(
        "wraps",
        lambda it, later: (
            _update(it, later.args[0], call.args[0]) if later.args else wrong_call(it, "wraps", later.node)
        ),
    )


@handles("functools.update_wrapper")
def _update_wrapper(it: Interpreter, call: Call) -> Value:
    return _update(it, call.args[0], call.args[1]) if len(call.args) > 1 else it.unknown("update_wrapper by keyword")


def _cached(function: Value, is_large: bool = True) -> HandlerValue:
    """A function that keeps its results, among them tracers: its arguments must be hashable, which arrays are not."""
    kept: dict[Any, Any] = {}
    called: set[Any] = set()

    def clear(it: Interpreter, call: Call) -> None:
        kept.clear()

    def handle(it: Interpreter, call: Call) -> Value:
        for value in call.values:
            if (name := unhashable(value)) is not None:
                return it.fail(
                    call.node,
                    "array-call",
                    f"TypeError: unhashable type: {name!r}, as an argument of a cached function",
                )
        key = tuple(map(identity, call.args)), tuple((name, identity(value)) for name, value in call.kwargs.items())
        if key in kept:
            return kept[key]
        is_exact = tells_all(key)
        may_be_kept = bool(called) and (key in called or not is_exact or _ANY in called)
        called.add(key if is_exact else _ANY)
        mark, born = it.journal.mark, it.journal.newest
        result = it.call(function, *call)
        is_certain = is_large and not it.path_uncertain and not it.quiet and is_exact
        if is_certain and (
            any(v.life is not None if isinstance(v, ArrayValue) else isinstance(v, Mutable) for v in walk(result))
            or (is_concrete(result) and not may_be_kept and not it.journal.is_written_outside(mark, born))
        ):
            kept[key] = result
        if may_be_kept:  # where the result is kept the function is not called, and nothing changes
            it.journal.blur_outside(mark, born)
        return result if is_certain or not isinstance(result, InstanceValue) else describe_many(result)

    methods: dict[str, Value] = {
        "cache_clear": HandlerValue("cache_clear", clear),
        "cache_info": HandlerValue("cache_info", lambda it, call: it.unknown("how a cache is used")),
        "__wrapped__": function,
    }
    return HandlerValue("cached", handle, (function,), methods)


_ANY: Final = "arguments that are not all known"
"""Among the calls of a cached function: one that may have been of any key."""
_MOST_KEPT: Final = 64
"""With room for so many results, none is taken to be dropped again."""


@handles("functools.lru_cache", "functools.cache")
def _lru_cache(it: Interpreter, call: Call) -> Value:
    if call.args and not (call.args[0] is None or isinstance(call.args[0], int)):
        return _cached(call.args[0])
    size = call.argument(0, "maxsize", _MOST_KEPT)
    is_large = size is None or (isinstance(size, int) and size >= _MOST_KEPT)
    return HandlerValue(
        "lru_cache",
        lambda it, call: _cached(call.args[0], is_large) if call.args else wrong_call(it, "lru_cache", call.node),
    )


@handles("functools.cached_property")
def _cached_property(it: Interpreter, call: Call) -> Value:
    return Descriptor("cached_property", call.args[0]) if call.args else it.unknown("a cached_property by keyword")


@handles("functools.total_ordering")
def _total_ordering(it: Interpreter, call: Call) -> Value:
    """The class with the comparisons that it lacks, made of one that it has."""
    cls = call.args[0]
    if not isinstance(cls, ClassValue) or cls.kind not in ("plain", "dataclass") or cls.options.get("order"):
        return cls  # a tuple has them all, and a class that is not understood has no instances that are known
    root = next((n for n in _ORDERINGS if cls.find(f"__{n}__") is not MISSING), None)
    if root is None:
        return it.fail(call.node, "array-call", "ValueError: must define at least one ordering operation: < > <= >=")
    it.journal.touch(cls)
    for name, (negated, connected) in _ORDERINGS[root].items():
        if cls.find(f"__{name}__") is MISSING:
            made = _ordering(root, negated, connected)
            cls.namespace[f"__{name}__"] = HandlerValue(name, made, (cls.find(f"__{root}__"),))
    return cls


_ORDERINGS: Final[dict[str, dict[str, tuple[bool, str]]]] = {
    "lt": {"gt": (True, "ne"), "le": (False, "eq"), "ge": (True, "")},
    "le": {"ge": (True, "eq"), "lt": (False, "ne"), "gt": (True, "")},
    "gt": {"lt": (True, "ne"), "ge": (False, "eq"), "le": (True, "")},
    "ge": {"le": (True, "eq"), "gt": (False, "ne"), "lt": (True, "")},
}
"""Of which comparison each other one is made: whether by its opposite, and what must not hold or may hold beside it."""


def _ordering(root: str, negated: bool, connected: str) -> Callable[..., Value]:
    """A comparison that is made of another one: `a > b` of `not a < b and a != b`, `a <= b` of `a < b or a == b`."""

    def compare(it: Interpreter, call: Call) -> Value:
        if len(call.args) != 2 or not isinstance(call.args[0], InstanceValue):
            return it.unknown("a comparison that is made of another one")
        found = it.call(call.args[0].cls.find(f"__{root}__"), call.args, {}, call.node)
        if found is NotImplemented:
            return found
        if not isinstance(found, bool) and not (isinstance(found, ScalarValue) and found.kinds == (bool,)):
            return it.unknown("an ordering by what is no bool")
        known = it.truth(found, call.node)
        holds = None if known is None else known is not negated
        if not connected:
            return data_bool(found) if holds is None else holds
        if holds is (connected == "eq"):
            return holds
        beside = it.binary(connected, call.args[0], call.args[1], call.node)
        return beside if holds is not None else join(connected == "eq", beside)

    return compare


@handles("functools.cmp_to_key")
def _cmp_to_key(it: Interpreter, call: Call) -> Value:
    it.engines.havoc(it, call.args)
    return HandlerValue("cmp_to_key", lambda it, call: it.unknown("a key that is compared by a function"))
