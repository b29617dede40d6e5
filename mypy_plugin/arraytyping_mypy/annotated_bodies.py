"""What a followed function returns and binds, against its own annotations with the sizes that the call gives.

In the function as mypy checks it a name stands for any size, and `Float` for any float; a call says more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from mypy.messages import format_type_bare
from mypy.nodes import AssignmentStmt, CallExpr, Expression, FuncDef, NameExpr, Node, Var
from mypy.types import CallableType, Type

from arraytyping_mypy.checker import Problem, options_of
from arraytyping_mypy.copies import Copy
from arraytyping_mypy.declared import parameters_of
from arraytyping_mypy.disjoint import Comparison, compare
from arraytyping_mypy.named_annotations import is_checked_here
from arraytyping_mypy.two_types import TWO_TYPES, contradiction_sentence
from arraytyping_mypy.written import Given

if TYPE_CHECKING:
    from arraytyping_mypy.features.named_arguments import Matching
    from arraytyping_mypy.session import Session

__all__ = ["argument_contradictions", "contradictions"]


def contradictions(
    function: FuncDef, given: Sequence[Type], copy: Copy, types: Mapping[Expression, Type], session: Session
) -> Iterator[tuple[Node, str]]:
    """The expressions of a copy that contradict annotations of the function, for parameters of these types."""
    returned = function.type.ret_type if isinstance(function.type, CallableType) else None
    held: list[tuple[Type, Expression, str]] = []
    if returned is not None and is_checked_here(returned, loose=True) and not function.is_generator:
        what = f"{function.name}: the returned value"
        held += [(returned, e, what) for e in copy.returned if e is not None and e in types]
    for old, new in copy.nodes:
        if isinstance(old, AssignmentStmt) and isinstance(new, AssignmentStmt) and old.type is not None:
            target = old.lvalues[0]
            declared = target.node.type if isinstance(target, NameExpr) and isinstance(target.node, Var) else None
            if declared is not None and new.rvalue in types and is_checked_here(declared, loose=True):
                held.append((declared, new.rvalue, f"{getattr(target, 'name', '')}: the value"))
    if not held:
        return
    matching = matched(function, given, session)
    if matching is None:
        return
    for declared, expression, what in held:
        before = matching.bindings.copy()
        why = matching.match(declared, Given(expression, types[expression]), what)
        matching.bindings.take(before)
        if why is not None:
            yield expression, why if "; " in why else f"{why}; change the value or the annotation"


def matched(function: FuncDef, given: Sequence[Type], session: Session) -> Matching | None:
    """The sizes that parameters of these types give to names; None where they contradict annotations."""
    from arraytyping_mypy.features.named_arguments import Matching

    matching = Matching(session, loose=True)
    declared = function.type.arg_types if isinstance(function.type, CallableType) else []
    for wanted, t, argument in zip(declared, given, function.arguments):
        if is_checked_here(wanted, loose=True) and matching.match(wanted, Given(None, t), argument.variable.name):
            return None
    return matching


def argument_contradictions(
    problems: Sequence[Problem], nodes: Sequence[Node], session: Session
) -> Iterator[tuple[Node, str]]:
    """The arguments of calls in a copy that are no arrays of the annotated parameter or field, as mypy says."""
    calls = [n for n in nodes if isinstance(n, CallExpr)]
    for problem in problems:
        match = TWO_TYPES["arg-type"].fullmatch(problem.message) if "Array[" in problem.message else None
        if match is None or compare(match["given"], match["expected"]) is not Comparison.DISJOINT:
            continue
        at = problem.line, problem.column
        for call in calls:
            given = next((a for a in call.args if (a.line, a.column) == at), None)
            expected = [format_type_bare(p, options_of(session.api)) for p in parameters_of(call.callee, session.api)]
            if given is not None and match["expected"] in expected:
                yield given, contradiction_sentence(match)
                break
