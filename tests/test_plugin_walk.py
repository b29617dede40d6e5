"""The walk over mypy's syntax tree: that of statements alone misses none of those that the whole one finds."""

from __future__ import annotations

from arraytyping_mypy import bindings, renamed, walk
from arraytyping_mypy.effects import effects_of, puts_of, putting
from mypy.errors import Errors
from mypy.nodes import (
    Block,
    ClassDef,
    Decorator,
    FuncDef,
    LambdaExpr,
    MypyFile,
    NameExpr,
    Node,
    OverloadedFuncDef,
    Statement,
    Var,
)
from mypy.options import Options
from mypy.parse import parse

PROGRAM = """
import contextlib
from typing import overload

class C(object, metaclass=type):
    field: int = 1
    def method(self) -> None:
        self.x = [i for i in range(3) if (j := i)]
    @property
    def p(self) -> int:
        return 1
    @overload
    def o(self, x: int) -> int: ...
    @overload
    def o(self, x: str) -> str: ...
    def o(self, x): return x

async def f(a, *b, c=lambda: 0, **d):
    global g
    nonlocal_ = lambda x: x
    async for i in a:
        await i
        break
    else:
        pass
    async with a as b, c:
        del a
    for x, y in a:
        continue
    else:
        x.shape = 1
    while a:
        a += 1
    else:
        a.resize(3)
    if a:
        raise ValueError from None
    elif b:
        assert a, b
    else:
        return
    try:
        yield a
    except (ValueError, TypeError) as e:
        e = 1
    except KeyError:
        x = 2
    else:
        x = 3
    finally:
        x = 4
    match a:
        case [1, *rest] if rest:
            x = 5
        case {"k": v, **more}:
            x = 6
        case C(field=q) | None as z:
            x = 7
"""


def parsed(text: str) -> MypyFile:
    """The tree of a program."""
    options = Options()
    options.native_parser = False  # the other one reads a body when it is needed
    return parse(text, "program.py", "program", Errors(options), options)


def whole(node: Node) -> list[Node]:
    """What the whole walk finds, without the insides of lambdas, in which no statement can be written."""
    inside = {id(n) for f in walk.nodes_of(node) if isinstance(f, LambdaExpr) for n in walk.nodes_of(f)}
    return [n for n in walk.nodes_of(node) if id(n) not in inside]


def test_all_statements_are_found_in_the_same_order() -> None:
    kinds = (MypyFile, Block, Statement, FuncDef, Decorator, OverloadedFuncDef, ClassDef)
    tree = parsed(PROGRAM)
    expected = [n for n in whole(tree) if isinstance(n, kinds)]
    assert len(expected) > 50
    found = list(walk.statements_of(tree))
    assert [id(n) for n in found if isinstance(n, kinds)] == [id(n) for n in expected]
    assert len({type(n) for n in found}) > 20


def test_what_has_nothing_below_it_binds_nothing() -> None:
    assert walk._PARTS.keys() >= bindings._BINDING
    leaves = [n for n in walk.nodes_of(parsed(PROGRAM)) if type(n) not in walk._PARTS]
    assert leaves
    assert all(not walk.children(n) and n not in walk.inner_nodes(n) for n in leaves)


def test_what_puts_something_into_containers_or_binds_is_of_the_kinds_that_are_looked_at() -> None:
    nodes = list(walk.nodes_of(parsed(PUTTING)))
    found = [n for n in nodes if any(True for _ in effects_of(n)) or any(True for _ in puts_of(n))]
    assert len({type(n) for n in found}) == 7
    assert {id(n) for n in found} <= {id(n) for n in putting(nodes)}
    for node in [*nodes, *walk.nodes_of(parsed(PROGRAM))]:
        named = [n for n in walk.nodes_of(node) if isinstance(n, NameExpr)]
        for name in named:
            name.node = name.node or Var(name.name)
        assert type(node) in renamed._BINDING or not list(renamed._bound_otherwise(node))


PUTTING = """
a["x"] = 1
a["x"] += 1
a.append(1)
for a["x"] in b:
    pass
with b as a["x"]:
    pass
[0 for a["x"] in b]
{0: 0 for a["x"] in b}
"""
