"""Sorting, and the least and the greatest: by real comparisons where they are known."""

from __future__ import annotations

import ast
import functools

from arraytyping.checker.flow.state.certainty import depends_on_data
from arraytyping.checker.flow.state.interpreter import MISTAKE, Interpreter
from arraytyping.checker.flow.state.joins import join, join_all, joining_in_doubt
from arraytyping.checker.flow.state.repeated import call_each
from arraytyping.checker.flow.values import MISSING, ArrayValue, NumPyValue, Unknown, Value, is_concrete, own_methods

__all__ = ["extreme", "ordered"]


class _Undecided(Exception):
    pass


def _less(it: Interpreter, a: Value, b: Value, node: ast.AST | None) -> bool:
    """Whether one value is less than another, as `sort` asks.

    Raises:
        _Undecided: if that is not known.
    """
    is_own = bool(own_methods(a) or own_methods(b))
    if not is_own and isinstance(a, tuple) and isinstance(b, tuple) and not (is_concrete(a) and is_concrete(b)):
        for x, y in zip(a, b):
            if not is_concrete(x) or not is_concrete(y):
                raise _Undecided
            if x != y:
                return _less(it, x, y, node)
        return len(a) < len(b)
    known = it.truth(it.binary("lt", a, b, node), node)
    if known is None:
        raise _Undecided
    return known


def ordered(
    it: Interpreter, items: list[Value] | None, element: Value, kwargs: dict[str, Value], node: ast.AST | None
) -> tuple[list[Value] | None, Value]:
    """The items as `sorted` orders them, with its `key` and `reverse`."""
    key, reverse = kwargs.get("key"), kwargs.get("reverse", False)
    if items is None:
        if key is not None and element is not MISSING:
            call_each(it, key, None, [element], node)
        return None, element
    keys: list[Value] | None = items
    if key is not None:
        keys, _ = call_each(it, key, [[item] for item in items], MISSING, node)
    if len(items) < 2:
        return items, MISSING
    backwards = it.truth(reverse, None)
    if keys is not None and backwards is not None:
        keyed: list[Value] = keys

        def compare(i: int, j: int) -> int:
            return -1 if _less(it, keyed[i], keyed[j], node) else int(_less(it, keyed[j], keyed[i], node))

        try:
            indices = sorted(range(len(items)), key=functools.cmp_to_key(compare), reverse=backwards)
            return [items[i] for i in indices], MISSING
        except _Undecided:
            pass
    return [join_all(items)] * len(items), MISSING


def extreme(
    it: Interpreter,
    operator: str,
    items: list[Value] | None,
    element: Value,
    kwargs: dict[str, Value],
    node: ast.AST | None,
) -> Value:
    """What `min` ("lt") or `max` ("gt") gives of these items."""
    default, key = kwargs.get("default", MISSING), kwargs.get("key")
    name = "min" if operator == "lt" else "max"
    if items is None:
        if element is MISSING:
            return (
                default if default is not MISSING else it.fail(node, "array-call", f"ValueError: {name}() of nothing")
            )
        if key is not None:
            call_each(it, key, None, [element], node)
        return join(default, element)
    if not items:
        if default is not MISSING:
            return default
        return it.fail(node, "array-call", f"ValueError: {name}() iterable argument is empty")
    keys: list[Value] | None = items
    if key is not None:
        keys, _ = call_each(it, key, [[item] for item in items], MISSING, node)
    if keys is None:
        return join_all(items)
    best, best_key = items[0], keys[0]
    for item, its_key in zip(items[1:], keys[1:]):
        compared = it.binary(operator, its_key, best_key, node)
        if isinstance(compared, Unknown):
            return it.unknown(compared.why) if compared.why == MISTAKE else join_all(items)
        # Of tracers the comparison is an array whose truth is a mistake, which is told once and ends the search.
        failures = it.suppressed + len(it.diagnostics)
        known = it.truth(compared, node)
        if it.suppressed + len(it.diagnostics) > failures:
            return Unknown(MISTAKE)
        if known is None:
            with joining_in_doubt(not depends_on_data(compared)):
                best, best_key = join(best, item), join(best_key, its_key)
            if isinstance(best_key, ArrayValue | NumPyValue) and best_key is its_key:
                continue
        elif known:
            best, best_key = item, its_key
    return best
