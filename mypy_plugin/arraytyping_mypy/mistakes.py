"""Mistakes in the bodies of functions that are followed: told at their line, with the call that gives these types.

What holds for the types of one call is a mistake of the function if the call comes to that line for certain, and so on
up to a call that mypy itself checks.  Each is told once, for the first such call, after mypy has seen all functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from mypy.nodes import CallExpr, Context, Expression, FuncDef, LambdaExpr, Node
from mypy.types import Type

from arraytyping.semantics.avals import Alternatives, ShapedArray
from arraytyping.semantics.rules.errors import Code
from arraytyping_mypy.annotated_bodies import argument_contradictions, contradictions
from arraytyping_mypy.checker import Problem
from arraytyping_mypy.convert import value_of
from arraytyping_mypy.copies import Copy
from arraytyping_mypy.named_sizes import plain_text
from arraytyping_mypy.perturbed import Perturbed, refused_rules
from arraytyping_mypy.reachability import is_reached
from arraytyping_mypy.records import Followed, Mistake, Told, Tracing
from arraytyping_mypy.refused import refusals
from arraytyping_mypy.traced import traced_mistakes
from arraytyping_mypy.tracers import Tracers, within

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["Mistakes"]

_SHOWN = 3
"""How many arguments of a call a note names."""


class Mistakes:
    """What is wrong in the followed functions of one module."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._places: dict[Node, Node] = {}
        """The nodes of copies, with those of the program."""
        self._met: dict[tuple[int, int, str], Mistake] = {}
        self._told: set[tuple[int, int]] = set()

    def note_copies(self, pairs: Iterable[tuple[Node, Node]]) -> None:
        """Note of which nodes of the program a copy has others."""
        for old, new in pairs:
            self._places[new] = self._places.get(old, old)

    def meet(
        self,
        message: str,
        context: Context,
        code: Code | Told,
        exception: type[Exception],
    ) -> str:
        """Note a mistake in a copy; its message, which is to be reported there and counts if mypy does not drop it."""
        text = plain_text(message)
        place = self._places.get(context) if isinstance(context, Node) else None
        if place is not None:
            self._met[context.line, context.column, text] = Mistake(place, text, code, exception)
        return text

    def of(self, problems: Sequence[Problem], nodes: Sequence[Node], types: Mapping[Expression, Type]) -> list[Mistake]:
        """The mistakes among what mypy would have reported of a copy, of which these are the nodes and types."""
        met = (self._met.get((p.line, p.column, p.message)) for p in problems)
        found = [m for m in met if m is not None]
        for node, message, exception, code in refusals(problems, nodes, types, self._session):
            place = self._places.get(node)
            if place is not None:
                found.append(Mistake(place, message, code, exception))
        for node, message in argument_contradictions(problems, nodes, self._session):
            found.append(Mistake(self._places[node], plain_text(message), "array-annotation", TypeError))
        return list(dict.fromkeys(found))

    def against_annotations(
        self, function: FuncDef, given: Sequence[Type], copy: Copy, types: Mapping[Expression, Type]
    ) -> list[Mistake]:
        """What a copy returns or binds that no array is which the function's annotations name."""
        found = contradictions(function, given, copy, types, self._session)
        return [
            Mistake(self._places[node], plain_text(message), "array-annotation", TypeError) for node, message in found
        ]

    def tell_directly(self, context: Context) -> None:
        """Note that a mistake was told at an expression without any call."""
        self._told.add((context.line, context.column))

    def tell(self, root: Followed) -> None:
        """Report what certainly goes wrong in what is followed from a place that mypy itself checks."""
        of_root = (((), m) for m in root.mistakes if self._comes(root, m.place))  # of a module's top level
        for path, mistake in chain(of_root, self._certain(root, (), set(), None)):
            place = mistake.place
            where = (place.line, place.column)
            if where in self._told or any(self._session.handles(mistake.exception, e) for _, e in path):
                continue
            self._told.add(where)
            self._session.fail_with_note(mistake, self._call(*path[-1]) if path else "")

    def _certain(
        self,
        node: Followed,
        path: tuple[tuple[Followed, Expression], ...],
        seen: set[tuple[Followed, Tracing | None]],
        around: Tracing | None,
    ) -> Iterator[tuple[tuple[tuple[Followed, Expression], ...], Mistake]]:
        """The mistakes that calls come to for certain, with the calls."""
        for child, sites in node.sites.items():
            for site in sites:
                if not self._comes(node, site):
                    continue
                tracing = sites[site]
                if tracing is None and around is not None:
                    tracing = within(child, site, self._tracers(node, around), around, self._session)
                is_first = not any(child is c for c, _ in seen)
                if (child, tracing) in seen or (tracing is None and not is_first):
                    continue
                seen.add((child, tracing))
                way = (*path, (child, site))
                if is_first:
                    yield from ((way, m) for m in child.mistakes if self._comes(child, m.place))
                if tracing is not None:
                    found = self._traced(child, site, tracing)
                    yield from ((way, m) for where, m in found if self._comes(child, where))
                yield from self._certain(child, way, seen, tracing)

    def _tracers(self, node: Followed, tracing: Tracing) -> Tracers:
        return (Perturbed if tracing.is_derivative else Tracers)(node, tracing, self._session)

    def _traced(self, node: Followed, site: Expression, tracing: Tracing) -> Iterator[tuple[Node, Mistake]]:
        """What fails as the function is traced, or differentiated, with where it comes to that."""
        tracers = self._tracers(node, tracing)
        if isinstance(tracers, Perturbed):
            yield from refused_rules(node, site, tracing, tracers, self._session)
        else:
            yield from ((m.place, m) for m in traced_mistakes(node, tracers, tracing, self._session))

    def _comes(self, node: Followed, place: Node) -> bool:
        if node.original is None:
            # mypy tries some calls of which it drops the types.
            return isinstance(place, Expression) and self._session.stored(place) is not None
        if is_reached(node.original, place, node.types, self._session, node.decided):
            return True
        if node.straight is None:
            return False
        function, copies, types = node.straight
        found = [n for n in copies.get(place, ()) if n in types]
        return bool(found) and all(is_reached(function, n, types, self._session) for n in found)

    def copies(self, copy: Copy) -> Mapping[Node, Sequence[Node]]:
        """The nodes of a copy by those of the program."""
        found: dict[Node, list[Node]] = {}
        for _, new in copy.nodes:
            if (place := self._places.get(new)) is not None:
                found.setdefault(place, []).append(new)
        return found

    def _call(self, called: Followed, site: Expression) -> str:
        """What a note says of the call."""
        function = called.original
        name = "the lambda" if function is None or isinstance(function, LambdaExpr) else function.name
        given = [f"{name} = {shown}" for name, t in called.arguments if (shown := self._shown(t))]
        what = "call" if isinstance(site, CallExpr) else "use"
        with_them = f", with {', '.join(given[:_SHOWN])}" if given else ""
        return f"this holds for the {what} of {name} in line {site.line}{with_them}"

    def _shown(self, t: Type) -> str:
        value = value_of(t, self._session)
        values = value.values if isinstance(value, Alternatives) else (value,)
        if all(isinstance(v, ShapedArray) for v in values):
            return " or ".join(str(v) for v in values)
        return ""
