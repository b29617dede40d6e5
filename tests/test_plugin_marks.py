"""Marks of transformed functions: each is parsed once, however often its function is called."""

from __future__ import annotations

import ast

import pytest
from arraytyping_mypy.features.marks import is_mark, read_mark
from mypy.nodes import ArgKind, Block, ClassDef, SymbolTable, TypeInfo
from mypy.types import AnyType, CallableType, Instance, NoneType, TypeOfAny

FUNCTION = Instance(TypeInfo(SymbolTable(), ClassDef("function", Block([])), "builtins"), [])


def mark(given: str) -> CallableType:
    """The mark of a mapped function with these arguments."""
    name = f"jax transformation ('vmap', {given})"
    unknown = AnyType(TypeOfAny.special_form)
    return CallableType([NoneType()], [ArgKind.ARG_POS], [None], unknown, FUNCTION, name=name)


def test_a_mark_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    literal_eval = ast.literal_eval

    def noted(text: str) -> object:
        parsed.append(text)
        return literal_eval(text)

    assert is_mark(mark("{'in_axes': 7}"))
    with monkeypatch.context() as patched:
        patched.setattr(ast, "literal_eval", noted)
        found = [read_mark(mark("{'in_axes': 7}")) for _ in range(3)]
    assert found == [("vmap", {"in_axes": 7}, NoneType())] * 3
    assert len(parsed) == 1
    found[0][1]["in_axes"] = 8
    assert read_mark(mark("{'in_axes': 7}"))[1] == {"in_axes": 7}
    assert read_mark(mark("{'in_axes': 9}"))[1] == {"in_axes": 9}
