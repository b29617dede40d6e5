"""Loops whose rounds have all become alike: what does not hang on the round need not be gone through again.

`for _ in range(8): state = update(state)` is gone through one by one, since its first rounds may differ (weak types
become strong, an accumulator gets its shape).  Once a round leaves everything as it found it, each further one does the
same: the loop's variable is read by nothing, and Python does the same again where all is the same.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from typing import Any, Final

from arraytyping.checker.flow.state.identity import is_snapshot_alike
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import MISSING, KeyOrigin, Value, walk
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["SettledRounds"]

_ENOUGH: Final = 2
"""So many rounds have to leave everything as it was: what is one object in the second was made so by the first."""
_LEAST: Final = 5
"""So many rounds are gone through at least: what is told of keys that are used again, for one, needs several."""
_ALL_NAMES: Final = frozenset({"locals", "vars", "globals", "eval", "exec", "dir"})


class SettledRounds:
    """The rounds of a loop, and how many of the last ones have changed nothing."""

    def __init__(self, it: Interpreter, node: ast.For | ast.AsyncFor, frame: Frame) -> None:
        self._it = it
        self._frame = frame
        self._names = _targets(node.target)
        self._is_possible = bool(self._names) and _never_reads(frame, self._names)
        self._count = self._rounds = 0
        self._mark = it.journal.mark
        self._exits = len(frame.exits)
        self._doubts = frame.doubts

    def begin(self) -> None:
        """A round begins."""
        if self._is_possible:
            self._rounds += 1
            self._mark = self._it.journal.mark

    def has_settled(self) -> bool:
        """Whether, behind a round, each further one would leave everything as it is."""
        if not self._is_possible:
            return False
        if len(self._frame.exits) != self._exits or self._frame.doubts != self._doubts:
            self._is_possible = False  # the loop may have been left
            return False
        self._count = self._count + 1 if self._is_as_before() else 0
        return self._count >= _ENOUGH and self._rounds >= _LEAST

    def _is_as_before(self) -> bool:
        for (owner, name), old in self._it.journal.before_round(self._mark):
            if isinstance(owner, KeyOrigin) or (owner is self._frame and name in self._names):
                continue  # which key was used by then is told of the first two rounds
            now = owner.snapshot() if name is None else owner.variables.get(name, MISSING)
            if not is_snapshot_alike(old, now) or not self._has_objects_of(old, now):
                return False
        return True

    def _has_objects_of(self, old: Value, now: Value) -> bool:
        """Whether each object that is there now was there before, or was made in this round."""
        born = self._mark.born
        held = {id(v) for v in _objects(old)}
        return all(id(v) in held or v.born > born for v in _objects(now))


def _objects(contents: Value) -> Iterator[Any]:
    """The objects in a value, or in contents as `snapshot` gives them, that a program can change."""
    if isinstance(contents, list | dict):
        for value in contents if isinstance(contents, list) else contents.values():
            yield from _objects(value)
    elif isinstance(contents, tuple):
        for value in contents:
            yield from _objects(value)
    else:
        yield from (v for v in walk(contents) if hasattr(v, "born"))


def _targets(target: ast.expr) -> frozenset[str]:
    """The names that a loop binds; none if it binds anything else."""
    parts = target.elts if isinstance(target, ast.Tuple) else [target]
    return frozenset(p.id for p in parts if isinstance(p, ast.Name)) if all(map(_is_name, parts)) else frozenset()


def _is_name(node: ast.expr) -> bool:
    return isinstance(node, ast.Name)


def _never_reads(frame: Frame, names: frozenset[str]) -> bool:
    """Whether nothing in the function, or the module, around a loop reads the names that it binds."""
    if frame.kind == "class":
        return False
    function = frame.function_frame().function
    tree = frame.module.tree if function is None else function.node
    return _read_in(tree).isdisjoint(names | _ALL_NAMES)


@functools.cache
def _read_in(tree: ast.AST) -> frozenset[str]:
    nodes = ast.walk(tree)
    return frozenset(n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Store))
