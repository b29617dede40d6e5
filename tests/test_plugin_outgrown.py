"""Types that double at each line are bounded, and long chains of branches are gone through once."""

from __future__ import annotations

from pathlib import Path

import pytest
from arraytyping_mypy.decided import leaving_branches
from arraytyping_mypy.outgrown import PARTS, leave_outgrown
from mypy.nodes import (
    AssignmentStmt,
    Block,
    BreakStmt,
    CastExpr,
    Expression,
    FuncDef,
    IfStmt,
    MypyFile,
    NameExpr,
    TupleExpr,
)
from mypy_runs import Mypy, shared_caches

LINES = 200


@pytest.fixture
def mypy(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Mypy:
    return Mypy(tmp_path, shared_caches(tmp_path_factory))


def doubled(count: int) -> list[AssignmentStmt]:
    return [AssignmentStmt([NameExpr("x")], TupleExpr([NameExpr("x"), NameExpr("x")])) for _ in range(count)]


def items_of(statement: AssignmentStmt) -> list[Expression]:
    assert isinstance(statement.rvalue, TupleExpr)
    return statement.rvalue.items


def test_no_type_grows_beyond_the_bound() -> None:
    statements = doubled(LINES)
    leave_outgrown(MypyFile([*statements], []))
    parts, largest = 1, 1
    for statement in statements:
        parts = sum(1 if isinstance(item, CastExpr) else parts for item in items_of(statement))
        largest = max(largest, parts)
    assert largest == PARTS


def test_what_stays_small_is_left_alone() -> None:
    few = doubled(10)
    flat = AssignmentStmt([NameExpr("y")], TupleExpr([NameExpr(f"a{i}") for i in range(PARTS)]))
    function = FuncDef("f", [], Block([*few, flat]))
    leave_outgrown(MypyFile([function], []))
    assert not any(isinstance(item, CastExpr) for s in (*few, flat) for item in items_of(s))


PROGRAM = """
import jax, jax.numpy as jnp
x = jnp.zeros(3)
{module}
def declared(x: jax.Array):
{body}
    return x
def followed(x):
{body}
    return x
def unrolled(x):
    for i in range({lines}):
        x = (x, x)
    return x
def pair(x):
    return (x, x)
def called(x):
{calls}
    return x
def keyed(x):
{dicts}
    return x
def told() -> None:
    reveal_type(jnp.zeros(2))
    followed(jnp.zeros(3)), unrolled(jnp.zeros(3)), called(jnp.zeros(3)), keyed(jnp.zeros(3))
"""


def test_programs_that_double_come_to_an_end(mypy: Mypy) -> None:
    program = PROGRAM.format(
        module="x = (x, x)\n" * LINES,
        body="    x = (x, x)\n" * LINES,
        calls="    x = pair(x)\n" * 40,
        dicts="    x = {'a': x, 'b': x}\n" * 40,
        lines=30,
    )
    found = mypy.run(program)
    assert found.revealed() == ["Array[float32, tuple[Literal[2]]]"]
    assert found.errors() == []


def test_an_unknown_item_is_no_mistake(mypy: Mypy) -> None:
    program = "import jax.numpy as jnp\nx = jnp.zeros(3)\n" + "x = (x, x)\n" * 12 + "x[0][0].shape\n"
    assert [m.code for m in mypy.run(program).errors() if m.line > 13] == []


def test_each_branch_of_a_long_chain_is_looked_at_once() -> None:
    inner = IfStmt([NameExpr("a")], [Block([BreakStmt()])], None)
    chain = [inner]
    for _ in range(5000):  # far more than Python calls functions in one another
        chain.append(IfStmt([NameExpr("a")], [Block([])], Block([chain[-1]])))
    beside = IfStmt([NameExpr("b")], [Block([])], None)
    function = FuncDef("f", [], Block([chain[-1], beside]))
    assert leaving_branches(function) == set(chain)
    assert beside not in leaving_branches(function)
