"""What is noted while functions are followed in a way that may be given up: it counts only if it is not.

A function that jax differentiates is followed within jax's own trace where its answer depends on that.  Where jax
cannot go on there, it is followed anew without, and of the first time nothing stays.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from arraytyping.checker.flow.state.call_results import ALL_KNOWN, CallResult, note_result
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.recording import Seen, put_seen, record
from arraytyping.checker.flow.values import Value
from arraytyping.checker.flow.values.frames import Module

__all__ = ["TentativeNotes", "note", "tentatively"]


class TentativeNotes:
    """What was seen at expressions, and what calls gave, in the order of things."""

    def __init__(self) -> None:
        self.seen: Final[dict[tuple[int, Value], tuple[Module, ast.expr, Value, Seen]]] = {}
        self.results: Final[dict[ast.Call, tuple[Module, CallResult]]] = {}

    def put_seen(self, module: Module, node: ast.expr, key: Value, seen: Seen) -> None:
        """What `record` has found."""
        self.seen.setdefault((id(node), key), (module, node, key, seen))

    def note(self, module: Module, node: ast.Call, value: Value) -> None:
        """What a call gives."""
        before = self.results.get(node, (module, ALL_KNOWN))[1]
        results = {node: before}
        note_result(results, node, value)
        self.results[node] = module, results[node]

    def keep(self, outer: TentativeNotes | None) -> None:
        """It has not been given up: all of this is so."""
        for module, node, key, seen in self.seen.values():
            (put_seen if outer is None else outer.put_seen)(module, node, key, seen)
        for call, (module, result) in self.results.items():
            if outer is not None:
                outer.results[call] = module, result & outer.results.get(call, (module, ALL_KNOWN))[1]
            elif module.results is not None:
                module.results[call] = result & module.results.get(call, ALL_KNOWN)


def note(it: Interpreter, module: Module, node: ast.expr, value: Value, may_be_array: bool) -> None:
    """Note what an expression of the program gives."""
    notes = it.tentative
    if may_be_array:
        record(module, node, value, None if notes is None else notes.put_seen)
    if module.results is not None and isinstance(node, ast.Call):
        if notes is None:
            note_result(module.results, node, value)
        else:
            notes.note(module, node, value)


@contextmanager
def tentatively(it: Interpreter) -> Iterator[None]:
    """What is noted in here counts only if it ends without an exception."""
    outer, it.tentative = it.tentative, TentativeNotes()
    notes = it.tentative
    try:
        yield
    finally:
        it.tentative = outer
    notes.keep(outer)
