"""Classes that a call of `type` makes, and the names that `dir` gives, against a run."""

from __future__ import annotations

import sys

import pytest
from flow_values import interpreted, run, wrong_claims

from arraytyping.checker.flow.values import ListValue, Unknown

CLASSES = """
import dataclasses
from flax import struct
class A:
    x = 3
    def f(self): return 4
class B(A):
    y: int = 4
    def __init__(self): self.own = 5
@dataclasses.dataclass
class D:
    p: int
    q: int = 3
    r: list = dataclasses.field(default_factory=list)
    def m(self): return 1
@dataclasses.dataclass
class E(D):
    s: int = 4
@dataclasses.dataclass(frozen=True)
class F:
    t: int = 4
class N(struct.PyTreeNode):
    a: int
    c: int = struct.field(pytree_node=False)
    b: int = struct.field(pytree_node=False, default=3)
    def go(self): return 1
class M(N):
    k: int = 4
@struct.dataclass
class S:
    a: int
"""
KNOWN = ["A", "A()", "B", "B()", "D", "D(1)", "E", "E(1)", "F", "F()", "N", "N(1, c=2)", "M", "M(1, c=3)"]


@pytest.mark.parametrize("value", [*KNOWN, "S", "S(1)"])
def test_dir(value: str) -> None:
    source = f"{CLASSES}\nn = dir({value})\n"
    variables, result = interpreted(source)
    assert not result.crashes
    assert not result.diagnostics
    found = variables["n"]
    assert isinstance(found, ListValue)
    if value in KNOWN and sys.version_info < (3, 14):
        assert found.items == run(source)["n"]
    else:
        assert wrong_claims(source, variables, run(source)) == []


def test_what_dir_gives_is_read() -> None:
    source = f"""{CLASSES}
i = [getattr(B(), n)() for n in dir(B()) if n == 'f']
j = [n for n in dir(M(1, c=3)) if not n.startswith('_') and callable(getattr(M(1, c=3), n))]
for name in dir(N(1, c=2)):
    found = getattr(N(1, c=2), name)
"""
    variables, result = interpreted(source)
    assert not [m for m in result.diagnostics if m.is_certain]
    assert wrong_claims(source, variables, run(source)) == []


def test_type_makes_classes() -> None:
    source = f"""{CLASSES}
T = type('T', (A,), {{'z': 7}}); k = T().z + T().f(); l = isinstance(T(), A); m = T.__name__
fields = {{'v': struct.field(pytree_node=True), '__annotations__': {{'v': int, 'w': float}}}}
U = type('U', (struct.PyTreeNode,), fields)
n = U(v=1, w=2.0).w; o = U(v=1, w=2.0).replace(w=3.0).w
import jax
p = jax.tree.leaves(U(v=1, w=2.0))
Y = type('Y', (), {{'area': lambda self: self.w * 2}}); y = Y(); y.w = 4; q = y.area()
"""
    variables, result = interpreted(source)
    assert not result.crashes
    assert not result.diagnostics
    assert wrong_claims(source, variables, run(source)) == []
    assert [n for n in "klmnoq" if isinstance(variables[n], Unknown)] == []
