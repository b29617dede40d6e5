"""Loops that are left early, `break`, and rounds that are, `continue`, where loops are written out.

The rest of a round goes into the branch that does not continue; and a loop that is left is written out up to there,
once it is known of each round whether it leaves.  A loop of which that is not known stays a loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mypy.nodes import (
    Block,
    BreakStmt,
    ContinueStmt,
    ForStmt,
    FuncDef,
    IfStmt,
    NameExpr,
    Node,
    PassStmt,
    RaiseStmt,
    ReturnStmt,
    Statement,
    WhileStmt,
)

from arraytyping_mypy.walk import children

__all__ = ["can_be_straight", "is_branching", "is_left", "straighten", "without_breaks", "without_continue"]


def _own_statements(block: Block) -> Iterator[Statement]:
    """The statements of a loop, without those of the loops and functions in it."""
    for inner in _own_blocks(block):
        yield from inner.body


def _own_blocks(block: Block) -> Iterator[Block]:
    yield block
    for statement in block.body:
        parts = [statement] if isinstance(statement, Block) else children(statement)
        for part in [] if isinstance(statement, ForStmt | WhileStmt | FuncDef) else parts:
            if isinstance(part, Block):
                yield from _own_blocks(part)


def is_left(loop: Node) -> bool:
    """Whether a loop is left by `break`."""
    return isinstance(loop, ForStmt) and any(isinstance(s, BreakStmt) for s in _own_statements(loop.body))


def is_branching(loop: ForStmt) -> bool:
    """Whether a loop, or a round of it, is left early."""
    return any(isinstance(s, BreakStmt | ContinueStmt) for s in _own_statements(loop.body))


def can_be_straight(loop: ForStmt) -> bool:
    """Whether each `break` and `continue` of a loop stands in it directly, or in branches."""
    return _is_plain(loop.body.body) and _without_continue(loop.body.body) is not None


def _is_plain(statements: Sequence[Statement]) -> bool:
    for statement in statements:
        if isinstance(statement, IfStmt):
            if not all(_is_plain(b.body) for b in _branches(statement)):
                return False
        elif not isinstance(statement, BreakStmt | ContinueStmt) and _leaves(statement, BreakStmt, ContinueStmt):
            return False
    return True


def _branches(statement: IfStmt) -> list[Block]:
    return [*statement.body, *([statement.else_body] if statement.else_body is not None else [])]


def _leaves(statement: Statement, *kinds: type[Statement]) -> bool:
    """Whether a statement has one of these in it that belongs to the loop around it."""
    return any(isinstance(s, kinds) for s in _own_statements(Block([statement])))


def _goes_on(statements: Sequence[Statement]) -> bool:
    """Whether what stands behind these statements may be come to."""
    last = statements[-1] if statements else None
    if isinstance(last, IfStmt) and last.else_body is not None:
        return any(_goes_on(b.body) for b in _branches(last))
    return not isinstance(last, BreakStmt | ContinueStmt | ReturnStmt | RaiseStmt)


def without_continue(loop: ForStmt) -> None:
    """Have a loop's round do without `continue`."""
    made = _without_continue(loop.body.body)
    if made is not None:
        loop.body.body[:] = made


def _without_continue(statements: Sequence[Statement]) -> list[Statement] | None:
    """The same statements, in which what follows a branch that continues stands in the other; None if there are two."""
    made: list[Statement] = []
    for i, statement in enumerate(statements):
        if isinstance(statement, ContinueStmt):
            return made
        if not isinstance(statement, IfStmt) or not _leaves(statement, ContinueStmt):
            made.append(statement)
            continue
        rest = list(statements[i + 1 :])
        branches = [*(b.body for b in statement.body), [] if statement.else_body is None else statement.else_body.body]
        if sum(map(_goes_on, branches)) > 1 and rest:
            return None
        parts = [_without_continue([*b, *rest] if _goes_on(b) else b) for b in branches]
        known = [p for p in parts if p is not None]
        if len(known) < len(parts):
            return None
        blocks = [_block(part, statement) for part in known]
        again = IfStmt(statement.expr, blocks[:-1], blocks[-1] if blocks[-1].body else None)
        again.set_line(statement)
        made.append(again)
        return made
    return made


def _block(statements: list[Statement], like: Statement) -> Block:
    made = Block(statements or [PassStmt()])
    made.set_line(like)
    for statement in made.body:
        if isinstance(statement, PassStmt) and statement.line < 0:
            statement.set_line(like)
    return made


def without_breaks(loop: Block) -> None:
    """Have rounds that are written out go on where they leave the loop, to see what is known in each of them.

    What is found holds for the rounds that are come to: of the branches that leave nothing is lost by that.
    """
    for block in list(_own_blocks(loop)):
        for i, statement in enumerate(block.body):
            if isinstance(statement, BreakStmt):
                block.body[i] = PassStmt()
                block.body[i].set_line(statement)


def straighten(loop: Block) -> bool:
    """Leave out what comes after a loop is left; False if that is not known of every round."""
    made: list[Statement] = []
    is_known = _straight(loop.body, made) is not None
    if is_known:
        loop.body[:] = made
    return is_known


def _straight(statements: Sequence[Statement], made: list[Statement]) -> bool | None:
    """Put what is done into a list; whether the loop is left then, None if that is not known."""
    for statement in statements:
        if isinstance(statement, BreakStmt):
            return True
        inner: list[Statement] | None = None
        if isinstance(statement, Block):
            inner = statement.body
        elif isinstance(statement, IfStmt):
            inner = _taken(statement)
            if inner is None and _leaves(statement, BreakStmt):
                return None
        if inner is None:
            made.append(statement)
            continue
        leaves = _straight(inner, made)
        if leaves is not False:
            return leaves
    return False


def _taken(statement: IfStmt) -> list[Statement] | None:
    """The branch that is taken where that is decided; None if it is not."""
    for test, block in zip(statement.expr, statement.body):
        name = test.fullname if isinstance(test, NameExpr) else ""
        if name not in ("builtins.True", "builtins.False"):
            return None
        if name == "builtins.True":
            return block.body
    return [] if statement.else_body is None else statement.else_body.body
