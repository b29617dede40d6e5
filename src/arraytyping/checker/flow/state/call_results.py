"""What is known of all that calls give, whatever its structure: for measuring how much flow knows of a program.

Claims are of arrays, and of those in tuples and lists; a call that gives a dict, an object or a number is in none.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Final, NamedTuple

from arraytyping.checker.claims import Claim, Position, position_of
from arraytyping.checker.flow.values import (
    ArrayValue,
    BaseValue,
    DictValue,
    IteratorValue,
    ListValue,
    NumPyValue,
    ScalarValue,
    SetValue,
    Unknown,
    Value,
    walk,
)
from arraytyping.checker.flow.values.frames import Module

__all__ = ["ALL_KNOWN", "CallResult", "Results", "join_results", "note_result", "results_of"]


class CallResult(NamedTuple):
    """Whether of every array and number in all that a call gave the dtype is known, and the shape; why not."""

    is_dtype_known: bool
    is_shape_known: bool
    why_unknown: str | None = None

    def __and__(self, other: CallResult) -> CallResult:
        """What is known of both."""
        return CallResult(
            self.is_dtype_known and other.is_dtype_known,
            self.is_shape_known and other.is_shape_known,
            self.why_unknown or other.why_unknown,
        )


Results = dict[str, dict[Position, CallResult]]
"""By the paths of files as they are shown, and by the positions of calls."""

_CONTAINERS: Final = (ListValue, DictValue, SetValue, IteratorValue)
ALL_KNOWN: Final = CallResult(True, True)
_PART: Final = "only a part is known of what the operation gives"


def note_result(results: dict[ast.Call, CallResult], node: ast.Call, value: Value) -> None:
    """Note what a call gives; where it gave something before, what is known of both."""
    before = results.get(node, ALL_KNOWN)
    if before.is_dtype_known or before.is_shape_known or node not in results:
        found = before
        for leaf in walk(value):
            if (known := _known(leaf)) is not ALL_KNOWN:
                found &= known
        results[node] = found


def results_of(modules: Iterable[Module]) -> Results:
    """What was noted of the calls in these modules, of which two may be of one file."""
    found: Results = {}
    for module in modules:
        if module.results is not None:
            join_results(found, {module.shown: {position_of(node): r for node, r in module.results.items()}})
    return found


def join_results(found: Results, more: Results) -> None:
    """Add what was noted in another run."""
    for path, results in more.items():
        there = found.setdefault(path, {})
        for position, result in results.items():
            there[position] = there[position] & result if position in there else result


def _known(leaf: Value) -> CallResult:
    """What is known of one value, without what is in it."""
    if not isinstance(leaf, BaseValue):
        return ALL_KNOWN
    if isinstance(leaf, ArrayValue):
        if leaf.is_full and leaf.aval.dtype is not None:
            return ALL_KNOWN
        claim = Claim.of(leaf.aval)
        is_known = claim.is_dtype_known, claim.is_shape_known
        return ALL_KNOWN if all(is_known) else CallResult(*is_known, _PART)
    if isinstance(leaf, NumPyValue):
        known = leaf.dtype is not None, leaf.shape is not None and None not in leaf.shape
        return CallResult(*known, None if all(known) else _PART)
    if isinstance(leaf, Unknown):
        return CallResult(False, False, leaf.why)
    if isinstance(leaf, ScalarValue) and len(leaf.kinds) != 1:
        return CallResult(False, True, "a number of one of several types")
    if isinstance(leaf, _CONTAINERS) and leaf.items is None:
        return CallResult(False, False, "a container of unknown length")
    return ALL_KNOWN
