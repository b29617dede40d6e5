"""Names of earlier releases of jax: what mypy says of a module that has no such name, with what to write instead."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from mypy.nodes import Expression, MemberExpr, MypyFile, RefExpr, Statement

from arraytyping.checker.removals import REMOVED, is_expression, removal_sentence
from arraytyping_mypy.walk import nodes_of

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["member_at", "removed_at", "what_became_of"]

_MESSAGE: Final = re.compile(r'Module has no attribute "(?P<name>\w+)"')


def removed_at(message: str, line: int, column: int, tree: MypyFile, session: Session) -> str | None:
    """The sentence in the place of mypy's message at this place of a module; None if that speaks of another thing."""
    match = _MESSAGE.match(message)
    if match is None or not any(name.endswith(f".{match['name']}") for name in REMOVED):
        return None
    place = member_at(line, column, match["name"], tree)
    return None if place is None else what_became_of(place, session)


def member_at(line: int, column: int, name: str, tree: MypyFile) -> MemberExpr | None:
    """The attribute that is read at a place of a module."""
    if not _members or _members[0][0] is not tree.defs:  # mypy tells the errors of one module after the other
        _members[:] = [(tree.defs, _members_of(tree))]
    return _members[0][1].get((line, column, name))


_members: Final[list[tuple[list[Statement], dict[tuple[int, int, str], MemberExpr]]]] = []
"""The attributes by place in the module that was asked of last, known by its statements: the daemon keeps its tree."""


def _members_of(tree: MypyFile) -> dict[tuple[int, int, str], MemberExpr]:
    found: dict[tuple[int, int, str], MemberExpr] = {}
    for node in nodes_of(tree):
        if isinstance(node, MemberExpr):
            found.setdefault((node.line, node.column, node.name), node)
    return found


def what_became_of(expression: Expression, session: Session) -> str | None:
    """The sentence on a name of a module of jax that is gone; None if it is none."""
    owner = expression.expr if isinstance(expression, MemberExpr) else None
    if not isinstance(expression, MemberExpr) or not isinstance(owner, RefExpr) or not isinstance(owner.node, MypyFile):
        return None
    full_name = f"{owner.node.fullname}.{expression.name}"
    if full_name not in REMOVED or session.is_jax_name(full_name):
        return None
    return f"AttributeError: {removal_sentence(full_name, _instead(REMOVED[full_name], session))}"


def _instead(name: str, session: Session) -> str | None:
    """What is to be written, if the installed jax has it; None where that is open: not all of its modules are read."""
    is_there = not name or is_expression(name) or session.is_jax_name(name.partition(" ")[0])
    return name if is_there else None
