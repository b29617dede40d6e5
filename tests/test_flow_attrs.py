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

@attr.s
class Element:
    symbol: str = attr.ib(validator=attr.validators.instance_of(str))
    number: int = attr.ib(converter=int)
    _spin = attr.ib(default="3", converter=int, repr=False)
    named = attr.ib(default=1, alias="other")
    @number.validator
    def check(self, attribute, value):
        if value < 0: raise ValueError("a negative number")
    @property
    def spin(self): return self._spin

@attr.s
class Isotope(Element):
    weight = attr.ib(default=0.0, converter=float)

@attrs.frozen
class Frozen:
    x: int = attrs.field(converter=int)
    _y: int = 2
"""
KNOWN = [
    "(A(1).w, A(1).d, A(2).hidden, A(1, 2).d, A(w=4).w)", "A(1, items=[2]).items + A(1).items",
    "(B(w=2).more, B(w=2).w)",
    "Derived(last=3, w=1).last", "(C(3).x, C(3).y, C(3).total(), C.other, C(1, 5).y)", "(D(2).z, D(2, y=5).z)",
    "(Mixed().x, Mixed(3).x, Mixed.y)", "Old(3).x", "attrs.evolve(A(1), w=8).w", "attr.asdict(C(1))",
    "A(1).w is C(1).x", "(Private(1)._x, Private(x=1).y, Private(1, y=3).y)",
    "[Element('He', '2').number, Element('He', 2).spin, Element('He', 2, spin='0').spin]",
    "Element('He', 2, other=5).named",
    "(Isotope('He', '2', weight=4).weight, Isotope('He', '2').number, Isotope('He', 2).weight)",
    "(Frozen('3').x, Frozen(4, 5)._y, attrs.evolve(Frozen(4, 5), x='7').x, attrs.evolve(Frozen(4), y=8)._y)",
]  # fmt: skip
ASKED = [
    *KNOWN, "Decorated().x", "Converted('3').x", "A(1) == A(1)", "A(1) != A(2)", "C(1) == D(1)",
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


@pytest.mark.parametrize("expression", [
    "A()", "A(1, nothing=2)", "C()", "D(1, 2)", "A(1, 2, [], 3)", "Old()",
    "Element('He')", "Element('He', 2, 3, 4, 5)", "Element('He', 2, nothing=3)", "Element('He', symbol='H', number=3)",
])  # fmt: skip
def test_calls_that_are_refused(expression: str) -> None:
    program = f"{CLASSES}\nresult = {expression}\n"
    with pytest.raises(TypeError):
        run_program(program)
    _, found = interpreted(program)
    (error,) = found.diagnostics
    assert error.is_certain
    assert error.message.startswith("TypeError")
