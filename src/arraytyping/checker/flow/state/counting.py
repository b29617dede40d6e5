"""Numbers that a traced function counts up: how often jax calls it is not known to the letter.

jax keeps what it has traced, and flow may ask more than once, so that only a flag is what it seems to be.
"""

from __future__ import annotations

from typing import Any

from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.state.journal import Journal
from arraytyping.checker.flow.values import DictValue, InstanceValue, ListValue, ScalarValue, Value

__all__ = ["blur_counts"]


def blur_counts(journal: Journal, mark: int, born: int) -> None:
    """Forget the values of numbers and the lengths of lists older than `born` that were changed since a mark."""
    before = journal.before(mark)
    for key, (place, now) in journal.changes(mark).items():
        old = before[key][1]
        if place.owner.born > born:  # each time that the function is called has one of its own
            continue
        if place.name is not None:
            blurred = _number(old, now)
        elif isinstance(place.owner, InstanceValue):
            blurred = {name: _number(old.get(name), value) for name, value in now.items()}
        elif isinstance(place.owner, DictValue):
            if old[0] is None or now[0] is None:
                continue
            blurred = ({k: _number(old[0].get(k), v) for k, v in now[0].items()}, *now[1:])
        elif isinstance(place.owner, ListValue):
            if old[0] is None or now[0] is None or len(old[0]) == len(now[0]):
                continue
            blurred = (None, join_all([*old[0], *now[0]]))
        else:
            continue
        journal.write(place, blurred)


def _number(old: Value, now: Any) -> Value:
    """A number of which only the kind is known, if it has changed."""
    changed = type(now) in (int, float) and type(old) is type(now) and old != now
    return ScalarValue(type(now)) if changed else now
