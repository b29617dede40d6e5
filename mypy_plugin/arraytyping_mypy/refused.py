"""What Python refuses in a followed body, whatever the numbers are: calls, names of fields, keys, what is unpacked.

mypy says so of the copy of a function, for the types of one call.  Only what is certain of the program's own functions
and classes is taken over; and what mypy does not say of arrays, whose first size it does not know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Expression,
    ForStmt,
    FuncDef,
    IndexExpr,
    MemberExpr,
    NameExpr,
    Node,
    RefExpr,
    StarExpr,
    TupleExpr,
    Var,
)
from mypy.types import CallableType, Instance, TupleType, Type, TypedDictType, UnionType, get_proper_type

from arraytyping_mypy.convert import arrays_of
from arraytyping_mypy.features.stacking import is_plain_array
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.names import LIBRARIES
from arraytyping_mypy.refused_attributes import refused_attribute
from arraytyping_mypy.walk import nodes_of, single_targets
from arraytyping_mypy.wrappers import wrapped, wrapper_of

if TYPE_CHECKING:
    from arraytyping.semantics.rules.errors import Code
    from arraytyping_mypy.checker import Problem
    from arraytyping_mypy.records import Told
    from arraytyping_mypy.session import Session

__all__ = ["Refusal", "refusals", "unpacks", "wrong_count"]


class Refusal(NamedTuple):
    """A node of a tree, what is wrong there, and what is raised."""

    node: Node
    message: str
    exception: type[Exception]
    code: Code | Told = "array-call"


_PATTERNS: Final[tuple[tuple[str, type[Node], type[Exception]], ...]] = (
    (r"Missing positional arguments? .* in call", CallExpr, TypeError),
    (r"Too (many|few) (positional )?arguments", CallExpr, TypeError),
    (r'Unexpected keyword argument ".*" for ', CallExpr, TypeError),
    (r"Need more than \d+ values? to unpack", AssignmentStmt, ValueError),
    (r"Too many values to unpack", AssignmentStmt, ValueError),
    (r'".*" is not a valid TypedDict key', IndexExpr, KeyError),
    (r"Tuple index out of range", IndexExpr, IndexError),
    (r'".*" has no attribute ', MemberExpr, AttributeError),
    (r"Module has no attribute ", MemberExpr, AttributeError),
)
"""How mypy's messages begin, what they stand at, and what Python raises there."""


def refusals(
    problems: Sequence[Problem], nodes: Sequence[Node], types: Mapping[Expression, Type], session: Session
) -> Iterator[Refusal]:
    """What is refused among the nodes of a copy, with the types that mypy has found in it."""
    # What an assignment puts something into need not be there.
    targets = [t for n in nodes if isinstance(n, AssignmentStmt) for whole in n.lvalues for t in single_targets(whole)]
    put = {t for t in targets if isinstance(t, IndexExpr)}
    for problem in problems:
        for pattern, kind, exception in _PATTERNS:
            if re.match(pattern, problem.message) is None:
                continue
            found = [n for n in nodes if isinstance(n, kind) and n not in put and _stands_at(n, problem)]
            if not found:
                continue
            if isinstance(found[0], MemberExpr):
                refusal = refused_attribute(found[0], types.get(found[0].expr), session)
                if refusal is not None:
                    yield Refusal(found[0], refusal[0], exception, refusal[1])
            elif _is_certain(found[0], nodes, types, session):
                yield Refusal(found[0], _sentence(problem.message), exception)
    for node in nodes:
        by_numpy = session.numpy_refusals.of(node)
        if by_numpy is not None:
            yield Refusal(node, by_numpy.message, by_numpy.exception, by_numpy.code)
        message = wrong_count(node, types, session)
        if message is not None:
            yield Refusal(node, message, ValueError)


def _stands_at(node: Node, problem: Problem) -> bool:
    """Whether mypy speaks of this node: at it, at what is unpacked or at the key."""
    part = node.rvalue if isinstance(node, AssignmentStmt) else node.index if isinstance(node, IndexExpr) else node
    return any(n.line == problem.line and n.column == problem.column for n in (node, part))


def _sentence(message: str) -> str:
    """What mypy says, as our messages are written."""
    return message if message.startswith(('"', "TypedDict")) else message[0].lower() + message[1:]


def _is_certain(node: Node, nodes: Sequence[Node], types: Mapping[Expression, Type], session: Session) -> bool:
    """Whether mypy knows whom it speaks of: a function or a named tuple of this module, or a display."""
    if isinstance(node, IndexExpr):
        return not _may_have_more_keys(node.base, nodes, types, session)
    if isinstance(node, CallExpr):
        if _is_lambda(types.get(node.callee), session):
            return True
        callee = node.callee.node if isinstance(node.callee, RefExpr) else None
        return isinstance(callee, FuncDef) and not callee.info and session.following.knows(callee)
    if isinstance(node, AssignmentStmt):
        # Of a union mypy goes through the members; what a library declares as `Any | tuple[Any, State]` may be either.
        found = types.get(node.rvalue)
        return found is not None and isinstance(get_proper_type(found), TupleType) and not _is_declared(node, types)
    return True


def _may_have_more_keys(
    owner: Expression, nodes: Sequence[Node], types: Mapping[Expression, Type], session: Session
) -> bool:
    """Whether it may be a dict with keys that mypy does not know of: one of several, of which it leaves out some."""
    found = types.get(owner)
    if found is not None and isinstance(get_proper_type(found), UnionType):
        return True
    variable = owner.node if isinstance(owner, NameExpr) else None
    if not isinstance(variable, Var) or not session.bindings.is_rebound(variable):
        return False
    bound = [
        _bound_type(target, types.get(statement.rvalue), variable)
        for statement in nodes
        if isinstance(statement, AssignmentStmt)
        for target in statement.lvalues
        if any(isinstance(n, NameExpr) and n.node is variable for n in nodes_of(target))
    ]
    keys = {frozenset(t.items) if isinstance(t, TypedDictType) else None for t in bound}
    return len(bound) < len(session.bindings.values(variable)) or len(keys) > 1 or None in keys


def _bound_type(target: Expression, t: Type | None, variable: Var) -> Type | None:
    """The type of what an assignment binds a variable to."""
    p = None if t is None else get_finite_type(t)
    if isinstance(target, NameExpr):
        return p if target.node is variable else None
    if isinstance(target, TupleExpr) and isinstance(p, TupleType) and len(p.items) == len(target.items):
        found = (_bound_type(inner, item, variable) for inner, item in zip(target.items, p.items))
        return next((f for f in found if f is not None), None)
    return None


def _is_lambda(t: Type | None, session: Session) -> bool:
    """Whether a lambda of the module is called that is known to be this one."""
    p = None if t is None else get_proper_type(t)
    definition = p.definition if isinstance(p, CallableType) else None
    return isinstance(definition, FuncDef) and definition.name == "<lambda>" and session.following.knows(definition)


def _is_declared(node: AssignmentStmt, types: Mapping[Expression, Type]) -> bool:
    """Whether an annotation of the program or of a library says what a call gives; those of JAX are believed."""
    if not isinstance(node.rvalue, CallExpr):
        return False
    callee = types.get(node.rvalue.callee)
    if callee is None:
        return True
    wrapper = wrapper_of(callee)
    function = get_proper_type(callee if wrapper is None else wrapped(wrapper))
    return not isinstance(function, CallableType) or not _is_believed(function)


def _is_believed(function: CallableType) -> bool:
    definition = function.definition
    if function.implicit or function.is_type_obj() or definition is None:
        return True
    return definition.fullname.partition(".")[0] in LIBRARIES


def unpacks(node: AssignmentStmt | ForStmt) -> bool:
    """Whether a statement unpacks something into several names."""
    targets = node.lvalues if isinstance(node, AssignmentStmt) else [node.index]
    return TupleExpr in map(type, targets)


def wrong_count(node: Node, types: Mapping[Expression, Type], session: Session) -> str | None:
    """What is wrong where an array is unpacked into a number of names that is not its first size; None if nothing."""
    if isinstance(node, AssignmentStmt):
        targets, rank = node.lvalues, 0
        found = types.get(node.rvalue)
    elif isinstance(node, ForStmt):
        targets, rank = [node.index], 1
        found = types.get(node.expr)
    else:
        return None
    if found is None or not is_plain_array(found) or not isinstance(get_proper_type(found), Instance):
        return None
    arrays = arrays_of(found, session)
    for target in targets:
        if not isinstance(target, TupleExpr) or any(isinstance(i, StarExpr) for i in target.items) or not arrays:
            continue
        sizes = {a.shape[rank] if a.shape is not None and len(a.shape) > rank else None for a in arrays}
        wanted = len(target.items)
        if all(isinstance(s, int) and s != wanted for s in sizes):
            rows = "" if rank == 0 else "the rows of "
            return f"cannot unpack {rows}{arrays[0]} into {wanted} names: there are {next(iter(sizes))} of them"
    return None
