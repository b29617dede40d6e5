"""What is concrete though containers of ours hold it: real Python objects for values, and real calls on them."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.real_calls.costs import is_affordable
from arraytyping.checker.flow.real_calls.permissions import may_call, may_enter_standard
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import MISSING, BaseValue, DictValue, ListValue, SetValue, Value
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow

__all__ = ["NotConcrete", "concrete", "concretely", "is_plain", "set_order"]

PLAIN: Final = (bool, int, float, complex, str, bytes, range, type(None), type(Ellipsis))


class NotConcrete(Exception):
    """A value is no concrete one."""


def is_plain(value: Value) -> bool:
    """Whether a value is concrete data of Python's own types."""
    if type(value) is tuple:
        return all(map(is_plain, value))
    return type(value) in PLAIN


def concrete(value: Value, ordered: bool = True) -> Any:
    """The Python object that a value describes; the order of a set's items is of no interest if `ordered` is false.

    Raises:
        NotConcrete: if it is not known, or no plain data.
    """
    if isinstance(value, tuple):
        items = [concrete(v, ordered) for v in value]
        return tuple(items) if type(value) is tuple else tuple.__new__(type(value), items)
    if isinstance(value, ListValue) and value.items is not None and value.kind in (list, collections.deque):
        return value.kind(concrete(v, ordered) for v in value.items)
    if isinstance(value, DictValue) and value.items is not None and value.kind in _MAPPINGS:
        return value.kind({k: concrete(v, ordered) for k, v in value.items.items()})
    if isinstance(value, SetValue) and value.items is not None:
        if ordered and set_order(value.items) is None:
            raise NotConcrete
        return value.kind(value.items)
    if isinstance(value, BaseValue):
        raise NotConcrete
    return value


_MAPPINGS: Final = (dict, collections.OrderedDict, collections.Counter)


def concretely(it: Interpreter, function: Callable[..., Any], call: Call, ordered: bool = True) -> Value:
    """The result of a real call; what it raises is a mistake.

    MISSING if an argument is no concrete value, or if the call is not made: since it may do more than to compute, or
    would cost too much.
    """
    try:
        real = [concrete(v, ordered) for v in call.args]
        named = {k: concrete(v, ordered) for k, v in call.kwargs.items()}
    except NotConcrete:
        return MISSING
    if not may_call(function) or not may_enter_standard((*real, named)):
        return MISSING
    if not is_affordable(function, real, named):
        return MISSING
    try:
        return it.engines.from_python(function(*real, **named))
    except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
        return it.fail(call.node, "array-call", f"{type(error).__name__}: {error}")
    except Exception as error:
        swallow(error)
        return it.unknown(f"a call that fails: {type(error).__name__}")


def set_order(items: Any) -> list[Value] | None:
    """The order in which a set gives these items, if it is the same in every run; None if it is not.

    Strings are hashed differently in each process.  Integers below the size of the table lie in it by their value.
    """
    found = list(items)
    if len(found) < 2:
        return found
    table = 8
    while len(found) * 5 >= (table - 1) * 3:
        table *= 2
    if all(type(item) is int and 0 <= item < table for item in found):
        return sorted(found)
    return None
