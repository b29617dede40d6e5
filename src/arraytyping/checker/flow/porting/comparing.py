"""A program beside its port: which expressions change their dtype, where each change begins, and what fails."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from arraytyping.checker.flow.porting.in_place import in_place_problems
from arraytyping.checker.flow.porting.noting import Key, key_of
from arraytyping.checker.flow.porting.origins import Inputs
from arraytyping.checker.flow.porting.pairing import Pair, pairs_of
from arraytyping.checker.flow.porting.reasons import Cause, reason_of
from arraytyping.checker.flow.porting.report import Change, Place, PortReport, Problem
from arraytyping.checker.flow.porting.running import Reading
from arraytyping.scalars import KINDS

__all__ = ["compare"]


def compare(program: Reading, port: Reading, wide: Reading | None) -> PortReport:
    """What becomes of a program in its port; `wide` is the port with x64, if that is not the port itself."""
    return _Comparison(program, port, wide).report()


class _Comparison:
    """The changes by expression, those of lists and tuples among them, through which others follow."""

    def __init__(self, program: Reading, port: Reading, wide: Reading | None) -> None:
        self.program = program
        self.port = port
        self.wide = wide
        self.inputs = Inputs(port)
        self.changed: dict[Key, dict[Pair, int]] = {}
        self.causes: dict[Key, dict[Pair, frozenset[Cause]]] = {}
        self.told: set[Key] = set()
        self._explained: dict[Key, set[Key]] = {}
        self.expressions = 0
        self.unknown = 0
        for key in sorted(program.seen.keys() & port.seen.keys()):
            self._compare(key)
        self.asked_for = {m.position for m in port.diagnostics if m.is_warning and m.code == "array-x64"}

    def _compare(self, key: Key) -> None:
        cut = key in self.program.cut or key in self.port.cut
        pairs, is_unknown = pairs_of(self.program.seen[key], self.port.seen[key], is_cut=cut)
        is_call = isinstance(self.program.nodes.get(key), ast.Call)
        told = [pair for pair in pairs if pair.path == () or is_call]
        self.expressions += bool(told)
        self.unknown += is_unknown and not told and self._is_array(key)
        changes = {pair: number for pair, number in pairs.items() if pair.is_change}
        if changes:
            self.changed[key] = changes
            self.causes[key] = self._causes(key, changes)
            if any(pair.is_change for pair in told):
                self.told.add(key)

    def _is_array(self, key: Key) -> bool:
        """Whether an array is known to come in either interpretation."""
        both = (*self.program.seen[key].values(), *self.port.seen[key].values())
        return any(a.path == () and a.library in ("jax", "numpy") for c in both for s in c for a in s)

    def _causes(self, key: Key, changes: Iterable[Pair]) -> dict[Pair, frozenset[Cause]]:
        """For each change whether x64 undoes it, so that it comes of x64 being off; both, in different calls."""
        if self.wide is None:
            return dict.fromkeys(changes, frozenset({"jax"}))
        wide, _ = pairs_of(self.program.seen[key], self.wide.seen.get(key, {}))
        return {
            change: frozenset(
                "jax" if pair.is_change else "x64"
                for pair in wide
                if (pair.path, pair.before) == (change.path, change.before)
            )
            for change in changes
        }

    # ------------------------------------------------------------------ where changes begin

    def _explaining(self, key: Key) -> set[Key]:
        """The changed expressions that explain the change of another one."""
        if key not in self._explained:
            self._explained[key] = self._explanations(key)
        return self._explained[key]

    def _explanations(self, key: Key) -> set[Key]:
        reaching = {k for k in self.inputs.of(key) if k in self.changed}
        if self.inputs.passes_on(key):
            return reaching
        # What JAX itself gives is not explained by x64 being off.
        causes = self._all_causes(key)
        reaching = {k for k in reaching if not causes or not self._all_causes(k) or causes & self._all_causes(k)}
        # Where an array of the result's kind reaches it, one of another kind explains nothing.
        kinds = self._kinds(key)
        return {k for k in reaching if kinds & self._kinds(k)} or reaching

    def _all_causes(self, key: Key) -> frozenset[Cause]:
        return frozenset().union(*self.causes[key].values())

    def _kinds(self, key: Key) -> set[str]:
        return {KINDS[dtype] for pair in self.changed[key] for dtype in pair.after if dtype in KINDS}

    def _origins(self, key: Key) -> set[Key]:
        """Where the change of an expression begins: expressions that nothing else explains.

        In a loop each may explain the next one; then it is the one that changes first.
        """
        found, seen, waiting = set(), {key}, [key]
        while waiting:
            one = waiting.pop()
            reasons = self._explaining(one)
            if not reasons:
                found.add(one)
            waiting += reasons - seen
            seen |= reasons
        if found:
            return found
        computed = [k for k in self.program.seen if k in seen and k in self.told and not self.inputs.passes_on(k)]
        return {min(computed, key=lambda k: min(self.changed[k].values()))} if computed else {key}

    # ------------------------------------------------------------------ what is told

    def report(self) -> PortReport:
        """All of it, in the order of the source."""
        # A change may begin at a list or tuple, in which alone the arrays are seen.
        told = self.told.union(*map(self._origins, self.told))
        changes = [change for key in sorted(told) for change in self._changes(key)]
        problems = sorted(self._problems(), key=lambda p: (p.place.path, p.place.line, p.place.column))
        return PortReport(changes, problems, self.expressions, self.unknown, list(self._notes()))

    def _place(self, key: Key) -> Place:
        """Where it is; what is assigned to is shown with the assignment."""
        parent = self.program.parents.get(key)
        node = self.program.nodes.get(key)
        is_target = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and parent is not None
        return Place(*key[:5], self.program.source(parent if is_target and parent is not None else key))

    def _changes(self, key: Key) -> Iterator[Change]:
        place, is_call = self._place(key), isinstance(self.program.nodes.get(key), ast.Call)
        origins = self._origins(key)
        for pair in self.changed[key]:
            if pair.path != () and not is_call and key not in origins:
                continue
            reason = None
            if key in origins:
                how = {"is_asked_for": key[:5] in self.asked_for, "passes_on": self.inputs.passes_on(key)}
                reason = reason_of(self.port, key, pair, self.causes[key][pair], **how)
            follows = tuple(str(self._place(k)) for k in sorted(origins - {key}))
            yield Change(place, pair.before, pair.after, pair.path, pair.is_weak, reason, () if reason else follows)

    def _problems(self) -> Iterator[Problem]:
        before = {m.position for m in self.program.diagnostics if not m.is_warning}
        for diagnostic in self.port.diagnostics:
            if diagnostic.position not in before and not diagnostic.is_warning:
                key = next((k for k in self.port.nodes if k[:5] == diagnostic.position), (*diagnostic.position, ""))
                is_certain = diagnostic.is_certain and self._is_reached(key)
                yield Problem(self._place(key), "fails" if is_certain else "may fail", diagnostic.message)
        known = {m.position for m in self.port.diagnostics if not m.is_warning}
        for key, kind, message in in_place_problems(self.program, self.port):
            if key[:5] not in known:
                yield Problem(self._place(key), kind, message)

    def _is_reached(self, key: Key) -> bool:
        """Whether the program as it is, of which more values are known, comes to an expression or to a part of it."""
        node = self.program.nodes.get(key)
        module = next((m for m in self.program.modules if m.shown == key[0]), None)
        if node is None or module is None:
            return True
        parts = [part for part in ast.walk(node) if isinstance(part, ast.expr)]
        return any(key_of(module, part) in self.program.seen for part in parts)

    def _notes(self) -> Iterator[str]:
        for diagnostic in self.program.diagnostics:
            if diagnostic.is_certain and not diagnostic.is_warning:
                yield f"{diagnostic.path}:{diagnostic.line}: the program fails here as it is: {diagnostic.message}"
        readings = [("the program", self.program), ("its port", self.port), ("its port with x64", self.wide)]
        for name, reading in readings:
            if reading is not None and not reading.is_complete:
                yield f"{name} was not followed to its end: the bound on time is reached"
        crashes = sum(sum(r.crashes.values()) for _, r in readings if r is not None)
        if crashes:
            yield f"{crashes} internal error{'' if crashes == 1 else 's'} of flow: what they touch is unknown"
