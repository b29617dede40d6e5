"""Classes of attrs: their fields and what is made of them, against attrs itself."""

from __future__ import annotations

import pytest
from flow_values import interpreted, is_known, run as run_program, wrong_claims

CLASSES = """
import attr, attrs

@attrs.define
class A:
    w: int
    d: int = 3
    items: list = attrs.field(factory=list)
    hidden: int = attrs.field(default=7, init=False)

@attrs.frozen(kw_only=True)
class B(A):
    more: int = 5

@attrs.define
class Derived(B):
    last: int = 6

@attr.s
class C:
    x = attr.ib()
    y = attr.ib(default=2)
    other: int = 9
    def total(self): return self.x + self.y

@attr.s(auto_attribs=True)
class D:
    x: int
    y: int = attr.ib(4, kw_only=True)
    def __attrs_post_init__(self):
        self.z = self.x * self.y

@attrs.define
class Mixed:
    x = attrs.field(default=1)
    y: int = 8

@attr.dataclass
class Old:
    x: int = attr.ib(default=attr.NOTHING)

@attr.s
class Decorated:
    x = attr.ib()
    @x.default
    def _x(self): return 5

@attrs.define
class Converted:
    x: int = attrs.field(converter=int)

@attrs.define
class Private:
    _x: int
    y: int = 1
"""
KNOWN = [
    "(A(1).w, A(1).d, A(2).hidden, A(1, 2).d, A(w=4).w)", "A(1, items=[2]).items + A(1).items",
    "(B(w=2).more, B(w=2).w)",
    "Derived(last=3, w=1).last", "(C(3).x, C(3).y, C(3).total(), C.other, C(1, 5).y)", "(D(2).z, D(2, y=5).z)",
    "(Mixed().x, Mixed(3).x, Mixed.y)", "Old(3).x", "attrs.evolve(A(1), w=8).w", "attr.asdict(C(1))",
    "A(1).w is C(1).x",
]  # fmt: skip
ASKED = [
    *KNOWN, "Decorated().x", "Converted('3').x", "Private(x=1).y", "A(1) == A(1)", "A(1) != A(2)", "C(1) == D(1)",
    "C(1) < C(2)", "attr.asdict(C(C(1)))", "[f.name for f in attrs.fields(A)]",
]  # fmt: skip


@pytest.mark.parametrize("expression", ASKED)
def test_what_is_made(expression: str) -> None:
    program = f"{CLASSES}\nresult = {expression}\n"
    variables, found = interpreted(program)
    assert not found.crashes
    assert not found.diagnostics
    real = {name: value for name, value in run_program(program).items() if name == "result"}
    assert not wrong_claims(program, {"result": variables["result"]}, real)
    if expression in KNOWN:
        assert is_known(variables["result"]), variables["result"]


@pytest.mark.parametrize("expression", ["A()", "A(1, nothing=2)", "C()", "D(1, 2)", "A(1, 2, [], 3)", "Old()"])
def test_calls_that_are_refused(expression: str) -> None:
    program = f"{CLASSES}\nresult = {expression}\n"
    with pytest.raises(TypeError):
        run_program(program)
    _, found = interpreted(program)
    (error,) = found.diagnostics
    assert error.is_certain
    assert error.message.startswith("TypeError")
