"""What NumPy refuses for the shapes and dtypes of a call: noted where it stands, and told when mypy is done with it.

mypy asks for an overloaded function once for each of its signatures, and a message for one of them would make it say
that none fits.  So what was said last of an expression counts, for the types that mypy settled on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    Context,
    Expression,
    IndexExpr,
    MemberExpr,
    MypyFile,
    Node,
    OpExpr,
    UnaryExpr,
)
from mypy.types import UnionType, get_proper_type

from arraytyping_mypy.walk import nodes_of

if TYPE_CHECKING:
    from arraytyping.semantics.rules.errors import Code
    from arraytyping_mypy.session import Session

__all__ = ["NumPyRefusals", "Refusal", "check"]


class Refusal(NamedTuple):
    """What is said of an expression, with which code, and what is raised."""

    message: str
    code: Code | Literal["array-call"]
    exception: type[Exception]


class NumPyRefusals:
    """The expressions of a module, and of copies of its functions, that NumPy refuses."""

    def __init__(self) -> None:
        self._found: dict[Node, Refusal] = {}

    def note(self, context: Context, refusal: Refusal | None, session: Session) -> None:
        """Note what NumPy says of an expression; of one with a union in it mypy asks for each member on its own."""
        if not isinstance(context, Node):
            return
        if refusal is None or any(_is_union(e, session) for e in _parts(context)):
            self._found.pop(context, None)
        else:
            self._found[context] = refusal

    @property
    def has_any(self) -> bool:
        """Whether anything is refused."""
        return bool(self._found)

    def of(self, node: Node) -> Refusal | None:
        """What NumPy refuses at a node."""
        return self._found.get(node)


def check(tree: MypyFile, session: Session) -> None:
    """Report what NumPy refuses where mypy itself goes through a body."""
    if not session.numpy_refusals.has_any:
        return
    for node in nodes_of(tree):
        refusal = session.numpy_refusals.of(node)
        if refusal is not None:
            session.fail(refusal.message, node, refusal.code, refusal.exception)


def _is_union(e: Expression, session: Session) -> bool:
    found = session.stored(e)
    return found is not None and isinstance(get_proper_type(found), UnionType)


def _parts(node: Node) -> Iterator[Expression]:
    """The operands of an operation."""
    match node:
        case OpExpr():
            yield from (node.left, node.right)
        case ComparisonExpr():
            yield from node.operands
        case UnaryExpr() | MemberExpr():
            yield node.expr
        case IndexExpr():
            yield from (node.base, node.index)
        case CallExpr():
            yield from node.args
            if isinstance(node.callee, MemberExpr):
                yield node.callee.expr
