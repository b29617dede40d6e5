"""Operators of instances and NamedTuples with special methods of the program, against Python itself.

Classes of all sorts are made: which methods they have, whether these answer, and how the classes are related.
"""

from __future__ import annotations

import itertools
import random

import pytest
from flow_values import difference, interpreted, is_known, run as run_program, wrong_claims

from arraytyping.checker.flow.values import MISSING

SYMBOLS = {"add": "+", "mul": "*", "matmul": "@", "lt": "<", "ge": ">=", "eq": "==", "ne": "!="}
REFLECTED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}
ANSWERS = (None, "NotImplemented", "{value}")
"""A class has no such method, one that does not answer, or one that does."""


def method(name: str, answer: str | None, value: str) -> str:
    """A method, if there is one."""
    return "" if answer is None else f"    def __{name}__(self, other): return {answer.format(value=repr(value))}\n"


def classes(op: str, a: tuple[str | None, ...], b: tuple[str | None, ...], how: str) -> str:
    """Two classes, each with the operator and the reflected one."""
    reflected = REFLECTED.get(op, "r" + op)
    names = list(dict.fromkeys([op, reflected]))
    bases = {"apart": ("", ""), "derived": ("", "(A)"), "base": ("(B)", ""), "same": ("", "")}[how]
    order = ("B", "A") if how == "base" else ("A", "B")
    made = {
        name: f"class {name}{base}:\n    pass\n" + "".join(method(n, x, f"{name}.{n}") for n, x in zip(names, answers))
        for name, base, answers in (("A", bases[0], a), ("B", bases[1], b))
    }
    return "".join(made[name] for name in order) + ("a, b = A(), A()\n" if how == "same" else "a, b = A(), B()\n")


def raises(program: str) -> bool:
    """Whether a program raises a TypeError."""
    try:
        run_program(program)
    except TypeError:
        return True
    return False


def check(program: str) -> None:
    """Python's result is what flow says of it, and its TypeError what flow is certain of."""
    variables, found = interpreted(program)
    assert not found.crashes, program
    errors = [m for m in found.diagnostics if m.is_certain]
    if raises(program):
        assert [m.message.partition(":")[0] for m in errors[:1]] == ["TypeError"], program
        return
    assert not errors, (program, errors)
    real, known = run_program(program)["result"], variables["result"]
    assert known is not MISSING
    assert (wrong := difference(known, real)) is None, (program, wrong)
    if isinstance(real, str):
        assert is_known(known), (program, known)


@pytest.mark.parametrize("op", SYMBOLS)
@pytest.mark.parametrize("how", ["same", "apart", "derived", "base"])
def test_every_pair_of_classes(op: str, how: str) -> None:
    count = 1 if op in ("eq", "ne") else 2
    for a in itertools.product(ANSWERS, repeat=count):
        for b in itertools.product(ANSWERS, repeat=count) if how != "same" else [a]:
            check(classes(op, a, b, how) + f"result = a {SYMBOLS[op]} b\n")


OTHERS = ["3", "2.5", "True", "'text'", "None", "(1, 2)", "[1]", "{1: 2}", "{1}", "len", "object", "range(3)"]


@pytest.mark.parametrize("other", OTHERS)
def test_with_values_of_python(other: str) -> None:
    for op, symbol in SYMBOLS.items():
        for answers in itertools.product(ANSWERS, repeat=1 if op in ("eq", "ne") else 2):
            program = classes(op, answers, answers, "same")
            for expression in (f"a {symbol} {other}", f"{other} {symbol} a"):
                variables, found = interpreted(program + f"result = {expression}\n")
                errors = [m for m in found.diagnostics if m.is_certain]
                if raises(program + f"result = {expression}\n"):
                    continue  # flow may leave it open
                assert not errors, (program, expression, errors)
                assert not found.crashes
                real = run_program(program + f"result = {expression}\n")["result"]
                assert (wrong := difference(variables["result"], real)) is None, (program, expression, wrong)


IN_PLACE = """
class A:
    def __init__(self): self.n = 1
    def __iadd__(self, other):
        if isinstance(other, int):
            self.n += other
            return self
        return NotImplemented
    def __add__(self, other): return "add" if isinstance(other, str) else NotImplemented
class B:
    def __radd__(self, other): return "radd"
a = A()
a += 2
n = a.n
b = a
b += "x"
c = a
c += B()
"""
PROGRAMS = [
    IN_PLACE,
    """
class V:
    def __init__(self, n): self.n = n
    def __eq__(self, other): return self.n == other.n if isinstance(other, V) else NotImplemented
a, b = V(1), V(2)
r = (a == b, a != b, a == V(1), a != V(1), a == 3, a != 3, 3 == a, None != a, a in [V(1)], b not in [a])
""",
    """
from dataclasses import dataclass
@dataclass
class P:
    x: int
@dataclass
class Q(P):
    y: int = 2
@dataclass(eq=False)
class R:
    x: int
p = P(1)
r = (p == p, p == Q(1), p != Q(1), R(1) == R(1), p == 3, P(1) == P(1))
""",
    """
from dataclasses import dataclass
@dataclass
class P:
    x: int
    def __eq__(self, other): return "own"
@dataclass
class Q(P):
    pass
@dataclass(order=True)
class O:
    x: int
r = P(1) == 3, Q(1) == Q(1), O(1) < O(2), O(3) >= O(1)
""",
    """
import functools
@functools.total_ordering
class A:
    def __init__(self, n): self.n = n
    def __eq__(self, other): return self.n == other.n
    def __lt__(self, other): return self.n < other.n
@functools.total_ordering
class B:
    def __init__(self, n): self.n = n
    def __eq__(self, other): return self.n == other.n
    def __ge__(self, other): return self.n >= other.n
r = [(x < y, x <= y, x > y, x >= y) for c in (A, B) for x, y in ((c(1), c(2)), (c(2), c(2)), (c(3), c(2)))]
s = [v.n for v in sorted([A(3), A(1), A(2)])], max(B(1), B(4)).n
""",
    """
import random
class A:
    def __add__(self, other):
        if random.random() < 2: return 1
        return NotImplemented
class B:
    def __radd__(self, other): return "b"
r = A() + B()
""",
    """
class A:
    __add__ = lambda self, other: ("lambda", other)
    @staticmethod
    def __sub__(other): return "static", other
    __radd__ = __add__
    def __neg__(self): return "neg"
class B(A):
    def __radd__(self, other): return "B"
r = (A() + 1, A() - 2, 1 + A(), -A(), [1] + A(), A() + B(), B() + A())
""",
    """
import typing
class P(typing.NamedTuple):
    a: int
    def __lt__(self, other): return "own"
    def __add__(self, other): return NotImplemented
    def __rmul__(self, other): return NotImplemented
class Q(P):
    pass
class R(typing.NamedTuple):
    a: int
    def __radd__(self, other): return NotImplemented
    def __matmul__(self, other): return "matmul"
class Other:
    def __radd__(self, other): return "other"
r = (P(1) < P(2), P(1) > P(2), P(1) > (0,), (0,) > P(1), P(1) + Other(), Q(1) < P(1),
     P(1) == (1,), (1,) + R(2), R(1) + (2,), R(3) * 2)
""",
    """
import numpy as np
class Plain:
    def __radd__(self, other): return "radd"
    def __eq__(self, other): return "eq"
class First:
    __array_ufunc__ = None
    def __radd__(self, other): return "first"
class Weighty:
    __array_priority__ = 10.0
    def __radd__(self, other): return "weighty"
x = np.ones(2)
a = x + Plain()
b = x + First()
c = x + Weighty()
d = np.float32(1) + Weighty()
e = Plain() == x
""",
    """
import jax.numpy as jnp
class A:
    def __radd__(self, other): return "radd"
    def __matmul__(self, other): return "matmul"
    def __lt__(self, other): return NotImplemented
x = jnp.ones(3)
r = (x + A(), A() @ x, x == A(), A() != x)
""",
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs(program: str) -> None:
    variables, found = interpreted(program)
    assert not found.crashes
    assert not [m for m in found.diagnostics if m.is_certain]
    assert not wrong_claims(program, variables, run_program(program))


REFUSED = [
    ("a + 1", "+: an instance of A and an int"), ("1 < a", "<: an int and an instance of A"),
    ("x * a", "*: an array and an instance of A"), ("-a", "unary -: an instance of A"), ("a @ a", "@"),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "said"), REFUSED)
def test_what_no_operand_answers(expression: str, said: str) -> None:
    program = f"import jax.numpy as jnp\nclass A:\n    pass\nx, a = jnp.ones(3), A()\nresult = {expression}\n"
    assert raises(program)
    _, found = interpreted(program)
    (error,) = [m for m in found.diagnostics if m.is_certain]
    assert error.message.startswith("TypeError")
    assert said in error.message


def test_an_object_that_may_leave_it_to_the_other() -> None:
    """Both are asked, the second one perhaps: what it writes may have been written."""
    program = """
import sys
class A:
    def __add__(self, other):
        return 1 if len(sys.argv) > 1 else NotImplemented
class B:
    n = 0
    def __radd__(self, other):
        B.n += 1
        return 2
r = A() + B()
n = B.n
"""
    variables, found = interpreted(program)
    assert not [m for m in found.diagnostics if m.is_certain]
    assert not wrong_claims(program, variables, run_program(program))


def test_classes_made_by_chance() -> None:
    """Chains of three classes, all operators."""
    chance = random.Random(7)
    for _ in range(150):
        op = chance.choice(list(SYMBOLS))
        reflected = REFLECTED.get(op, "r" + op)
        lines = []
        for i in range(3):
            bases = [f"C{j}" for j in range(i) if chance.random() < 0.5]
            body = "".join(method(n, chance.choice(ANSWERS), f"C{i}.{n}") for n in dict.fromkeys([op, reflected, "eq"]))
            lines.append(f"class C{i}({', '.join(reversed(bases))}):\n    pass\n{body}")
        x, y = chance.choices(range(3), k=2)
        check("".join(lines) + f"a, b = C{x}(), C{y}()\nresult = a {SYMBOLS[op]} b\n")
