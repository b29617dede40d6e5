"""Where the attributes of a module are looked up for mypy's errors: by place, in one walk for all of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from arraytyping_mypy import removed_names
from arraytyping_mypy.walk import nodes_of
from mypy.nodes import ExpressionStmt, MemberExpr, MypyFile, NameExpr, Node


def attribute(name: str, line: int) -> ExpressionStmt:
    read = MemberExpr(NameExpr("x"), name)
    read.set_line(line, 4)
    return ExpressionStmt(read)


@pytest.fixture
def walks(monkeypatch: pytest.MonkeyPatch) -> list[Node]:
    """What is walked over, from now on."""
    found: list[Node] = []

    def walked(node: Node) -> Iterator[Node]:
        found.append(node)
        return nodes_of(node)

    monkeypatch.setattr("arraytyping_mypy.removed_names.nodes_of", walked)
    return found


def test_a_module_is_walked_over_once_for_all_of_its_errors(walks: list[Node]) -> None:
    tree = MypyFile([attribute("a", 1), attribute("b", 2)], [])
    found = [removed_names.member_at(line, 4, name, tree) for line, name in ((1, "a"), (2, "b"), (2, "a"), (3, "b"))]
    assert [None if one is None else (one.line, one.name) for one in found] == [(1, "a"), (2, "b"), None, None]
    assert walks == [tree]


def test_a_module_that_was_read_again_is_looked_at_again(walks: list[Node]) -> None:
    tree = MypyFile([attribute("a", 1)], [])
    assert removed_names.member_at(1, 4, "a", tree) is not None
    tree.defs = [attribute("b", 1)]  # as mypy's daemon does, which keeps the tree
    assert removed_names.member_at(1, 4, "a", tree) is None
    assert removed_names.member_at(1, 4, "b", tree) is not None
    assert walks == [tree, tree]
