"""`itertools`: finite ones are computed with real items, the others keep one value for all."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.libraries.builtin_folds import passing
from arraytyping.checker.flow.libraries.builtin_functions import is_infinite
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join, join_all, scalar_kinds
from arraytyping.checker.flow.state.laziness import perhaps, so_many, taking
from arraytyping.checker.flow.state.repeated import by_alternatives, call_each
from arraytyping.checker.flow.values import MISSING, IteratorValue, NumPyValue, ScalarValue, Unknown, Value
from arraytyping.checker.flow.values.calls import Call

_MOST_ITEMS: Final = 4096


def _one(items: list[Value] | None, element: Value) -> Value:
    return element if items is None else join_all(items)


@handles("itertools.count")
@by_alternatives
def _count(it: Interpreter, call: Call) -> Value:
    parts = call.values
    kinds = {kind for part in parts for kind in scalar_kinds(part)} or {int}
    if any(not scalar_kinds(part) or isinstance(part, NumPyValue) for part in parts):
        return IteratorValue(None, it.unknown("count from what is no number"), True)
    if kinds <= {bool, int}:
        return IteratorValue(None, ScalarValue(int, is_data=True), True)
    return IteratorValue(None, ScalarValue(*(k for k in (int, float, complex) if k in kinds), is_data=True), True)


@handles("itertools.repeat")
def _repeat(it: Interpreter, call: Call) -> Value:
    times = call.argument(1, "times", MISSING)
    value = call.argument(0, "object")
    if times is MISSING:
        return IteratorValue(None, value, True)
    if type(times) is int and times <= _MOST_ITEMS:
        return IteratorValue([value] * times)
    return IteratorValue(None, value)


@handles("itertools.cycle")
@by_alternatives
def _cycle(it: Interpreter, call: Call) -> Value:
    items, element = it.iterate(call.args[0], call.node)
    element = _one(items, element)
    return IteratorValue(None, element, infinite=items is not None and bool(items))


@handles("itertools.chain")
def _chain(it: Interpreter, call: Call) -> Value:
    infinite = any(map(is_infinite, call.args))
    columns = [it.iterate(v, call.node) for v in call.args]
    if all(items is not None for items, _ in columns):
        return IteratorValue([item for items, _ in columns for item in items or ()])
    return IteratorValue(None, join_all(_one(*column) for column in columns), infinite)


@handles("itertools.chain.from_iterable")
def _chain_from_iterable(it: Interpreter, call: Call) -> Value:
    items, element = it.iterate(call.args[0], call.node)
    if items is not None:
        return _chain(it, call.with_args(items))
    return IteratorValue(None, MISSING if element is MISSING else _one(*it.iterate(element, call.node)))


@handles("itertools.islice")
def _islice(it: Interpreter, call: Call) -> Value:
    value = call.args[0]
    bounds: list[Any] = call.args[1:]
    known = all(v is None or type(v) is int for v in bounds)
    if isinstance(value, IteratorValue):
        last = bounds[min(1, len(bounds) - 1)] if bounds else None
        with taking(it, so_many(last) if type(last) is int else None if known else perhaps):
            is_open = value.items is None
        if is_open or not known:
            if value.infinite and len(bounds) == 1 and type(bounds[0]) is int and bounds[0] <= _MOST_ITEMS:
                return IteratorValue([value.element] * bounds[0])
            if not known and value.items is not None:
                it.journal.touch(value)
                value.element = join_all(value.items)
                value.items = None
            return IteratorValue(None, value.element)
        items = list(value.items or ())
        stop = bounds[0] if len(bounds) == 1 else bounds[1]
        it.journal.touch(value)
        value.items = [] if stop is None else items[stop:]
        return IteratorValue(list(itertools.islice(items, *bounds)))
    found, element = it.iterate(value, call.node)
    if found is None or not known:
        return IteratorValue(None, _one(found, element))
    try:
        return IteratorValue(list(itertools.islice(found, *bounds)))
    except ValueError as error:
        return it.fail(call.node, "array-call", f"ValueError: {error}")


def _combinatoric(name: str, function: Callable[..., Any]) -> None:
    """A function that makes tuples of the items of one iterable."""

    @handles(f"itertools.{name}")
    @by_alternatives
    def handle(it: Interpreter, call: Call) -> Value:
        items, element = it.iterate(call.args[0] if call.args else call.kwargs["iterable"], call.node)
        length = call.argument(1, "r")
        if (
            items is not None
            and (length is None or type(length) is int)
            and (length is not None or name == "permutations")
        ):
            made = list(itertools.islice(function(items, length), _MOST_ITEMS + 1))
            if len(made) <= _MOST_ITEMS:
                return IteratorValue(made)
        one = _one(items, element)
        if type(length) is int:
            return IteratorValue(None, (one,) * length if one is not MISSING else MISSING)
        return IteratorValue(None, it.unknown("tuples of unknown length"))


_combinatoric("permutations", itertools.permutations)
_combinatoric("combinations", itertools.combinations)
_combinatoric("combinations_with_replacement", itertools.combinations_with_replacement)


@handles("itertools.product")
@by_alternatives
def _product(it: Interpreter, call: Call) -> Value:
    repeat = call.kwargs.get("repeat", 1)
    columns = [it.iterate(v, call.node) for v in call.args]
    if type(repeat) is not int:
        return IteratorValue(None, it.unknown("tuples of unknown length"))
    if all(items is not None for items, _ in columns):
        made = itertools.product(*(items or () for items, _ in columns), repeat=repeat)
        first: list[Value] = list(itertools.islice(made, _MOST_ITEMS + 1))
        if len(first) <= _MOST_ITEMS:
            return IteratorValue(first)
    parts = [_one(*column) for column in columns] * repeat
    return IteratorValue(None, MISSING if any(p is MISSING for p in parts) else tuple(parts))


@handles("itertools.pairwise")
@by_alternatives
def _pairwise(it: Interpreter, call: Call) -> Value:
    items, element = it.iterate(call.args[0], call.node)
    if items is not None:
        return IteratorValue(list(itertools.pairwise(items)))
    return IteratorValue(None, MISSING if element is MISSING else (element, element))


@handles("itertools.batched")
@by_alternatives
def _batched(it: Interpreter, call: Call) -> Value:
    items, _ = it.iterate(call.args[0], call.node)
    size = call.argument(1, "n")
    if items is not None and type(size) is int and size > 0:
        return IteratorValue([tuple(items[i : i + size]) for i in range(0, len(items), size)])
    return IteratorValue(None, it.unknown("tuples of unknown length"))


@handles("itertools.accumulate")
@by_alternatives
def _accumulate(it: Interpreter, call: Call) -> Value:
    items, element = it.iterate(call.args[0] if call.args else call.kwargs["iterable"], call.node)
    function = call.argument(1, "func")
    total = call.kwargs.get("initial")
    if items is None:
        if function is not None:
            it.engines.havoc(it, [function])
        kinds = scalar_kinds(element)
        plain = function is None and total is None and kinds and set(kinds) <= {int, float}
        return IteratorValue(None, ScalarValue(*kinds) if plain else it.unknown("accumulated values"))
    results = [] if total is None else [total]
    for item in items:
        it.check_time()
        if not results:
            results.append(item)
        elif function is None:
            results.append(it.binary("add", results[-1], item, call.node))
        else:
            results.append(it.call(function, [results[-1], item], {}, call.node))
    return IteratorValue(results)


@handles("itertools.starmap")
@by_alternatives
def _starmap(it: Interpreter, call: Call) -> Value:
    items, element = it.iterate(call.args[1], call.node)
    rows = []
    for item in items or ():
        row, _ = it.iterate(item, call.node)
        if row is None:
            it.engines.havoc(it, [call.args[0]])
            return IteratorValue(None, it.unknown("starmap over tuples of unknown length"))
        rows.append(row)
    if items is not None:
        return IteratorValue(*call_each(it, call.args[0], rows, MISSING, call.node))
    if element is MISSING:
        return IteratorValue([])
    row, _ = it.iterate(element, call.node)
    if row is None:
        it.engines.havoc(it, [call.args[0]])
        return IteratorValue(None, it.unknown("starmap over tuples of unknown length"))
    return IteratorValue(*call_each(it, call.args[0], None, row, call.node))


@handles("itertools.filterfalse")
@by_alternatives
def _filterfalse(it: Interpreter, call: Call) -> Value:
    items, element = it.iterate(call.args[1], call.node)
    return IteratorValue(*passing(it, call.args[0], items, element, False, call.node))


def _while(name: str, takes: bool) -> None:
    @handles(f"itertools.{name}")
    @by_alternatives
    def handle(it: Interpreter, call: Call) -> Value:
        with taking(it, perhaps if takes else None):
            items, element = it.iterate(call.args[1], call.node)
        results, _ = call_each(it, call.args[0], None if items is None else [[v] for v in items], [element], call.node)
        truths = [it.truth(r, call.node) for r in results or ()]
        if items is None or results is None or None in truths:
            return IteratorValue(None, _one(items, element))
        at = truths.index(False) if False in truths else len(items)
        return IteratorValue(items[:at] if takes else items[at:])


_while("takewhile", True)
_while("dropwhile", False)


@handles("itertools.compress")
@by_alternatives
def _compress(it: Interpreter, call: Call) -> Value:
    items, element = it.iterate(call.args[0], call.node)
    selectors, _ = it.iterate(call.args[1], call.node)
    truths = None if selectors is None else [it.truth(s, call.node) for s in selectors]
    if items is None or truths is None or None in truths:
        return IteratorValue(None, _one(items, element))
    return IteratorValue([item for item, known in zip(items, truths) if known])


@handles("itertools.zip_longest")
@by_alternatives
def _zip_longest(it: Interpreter, call: Call) -> Value:
    fill = call.kwargs.get("fillvalue")
    columns = [it.iterate(v, call.node) for v in call.args]
    if all(items is not None for items, _ in columns):
        return IteratorValue(list(itertools.zip_longest(*(items or () for items, _ in columns), fillvalue=fill)))
    return IteratorValue(None, tuple(join(fill, _one(*column)) for column in columns))


@handles("itertools.groupby")
@by_alternatives
def _groupby(it: Interpreter, call: Call) -> Value:
    items, element = it.iterate(call.args[0], call.node)
    key = call.argument(1, "key")
    keys: list[Any] | None = items
    if key is not None:
        keys, element = call_each(it, key, None if items is None else [[v] for v in items], [element], call.node)
    if items is None or keys is None:
        if isinstance(element, Unknown) or element is MISSING:
            return IteratorValue(None, element)
        return IteratorValue(None, it.unknown("groups of unknown items"))
    groups: list[Any] = []
    for item, its_key in zip(items, keys):
        same = it.truth(it.binary("eq", groups[-1][0], its_key, call.node), call.node) if groups else False
        if same is None:
            return IteratorValue(None, (join_all(keys), IteratorValue(None, join_all(items))))
        if same:
            assert groups[-1][1].items is not None
            groups[-1][1].items.append(item)
        else:
            groups.append((its_key, IteratorValue([item])))
    return IteratorValue(groups)


_MOST_COPIES: Final = 64


@handles("itertools.tee")
@by_alternatives
def _tee(it: Interpreter, call: Call) -> Value:
    infinite = is_infinite(call.args[0])
    items, element = it.iterate(call.args[0], call.node)
    count = call.argument(1, "n", 2)
    if type(count) is not int or not 0 <= count <= _MOST_COPIES:
        return it.unknown("tee into an unknown or huge number")
    return tuple(IteratorValue(None if items is None else list(items), element, infinite) for _ in range(count))
