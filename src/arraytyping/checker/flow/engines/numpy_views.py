"""Arrays that share their elements: what is written into one may be written into the others.

The elements of a value, once unknown, stay unknown; so only those that are known need to be followed.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.checker.flow.state.aliases import is_shared, sources, with_sources
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import ListValue, NumPyValue, Value

__all__ = ["forget", "link", "write"]

_GROUPS: Final[RunSlot[dict[int, dict[int, NumPyValue]]]] = RunSlot("arrays that share their elements", dict)


def link(it: Interpreter, owners: list[Any], result: Any) -> None:
    """A result may share the elements of some of these arrays."""
    if isinstance(result, ListValue):
        result = result.items or [result.element]
    made = result if isinstance(result, list | tuple) else [result]
    views = [v for v in made if isinstance(v, NumPyValue) and not v.is_scalar]
    if not views:
        return
    groups = _GROUPS.of(it)
    arrays = [*with_sources(o for o in owners if isinstance(o, NumPyValue))]
    for one in (*arrays, *views):
        one.limits = None  # whoever writes to one of them does not know of the others
    known = [one for one in arrays if not one.is_scalar and (one.data is not None or id(one) in groups)]
    if not known:
        return
    # One dictionary for all that share, so that many views of one array cost little.
    group = groups.setdefault(id(known[0]), {})
    for value in (*known, *views):
        other = groups.get(id(value))
        if other is None:
            other = {id(value): value}
        elif other is group:
            group[id(value)] = value
            continue
        group.update(other)
        group[id(value)] = value
        for key in other:
            groups[key] = group


def write(it: Interpreter, value: NumPyValue, data: Any) -> None:
    """New elements of an array (None: unknown); those of what shares them are unknown from now on."""
    groups = _GROUPS.of(it)
    for member in [m for one in (value, *sources(value)) for m in groups.get(id(one), {}).values()]:
        member.limits = None
        if member is not value and member.data is not None:
            it.journal.touch(member)
            member.data = None
    value.limits = None
    if value.data is not None or is_shared(value):
        it.journal.touch(value)
        if value.data is not None:
            value.data = data


def forget(it: Interpreter, value: Value) -> None:
    """Something that is not understood may write into this array."""
    if isinstance(value, NumPyValue) and not value.is_scalar:
        write(it, value, None)
