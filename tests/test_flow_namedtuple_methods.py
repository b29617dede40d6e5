"""NamedTuples of the program with special methods of their own, against Python itself."""

from __future__ import annotations

from typing import Any

import pytest
from flow_values import interpreted, run, wrong_claims

from arraytyping.checker.flow.values import BaseValue, Unknown, is_concrete

FOLLOWED = """
    def __add__(self, o): return P(self.a + o.a, self.b + o.b) if isinstance(o, P) else NotImplemented
    def __radd__(self, o): return 40
    def __mul__(self, o): return 41
    def __rmul__(self, o): return 42
    def __sub__(self, o): return 43
    def __matmul__(self, o): return 44
    def __eq__(self, o): return 45
    def __lt__(self, o): return 46
    def __neg__(self): return 47
    def __abs__(self): return 48
    def __call__(self, x): return 55 + x
    def __str__(self): return "56"
    def __repr__(self): return "58"
    def __format__(self, s): return "57"
    def __invert__(self): return 64
    def __pow__(self, o): return 65
    def count(self, x): return 67
    def __ror__(self, o): return 68
"""
OTHERS = """
    def __bool__(self): return False
    def __len__(self): return 50
    def __getitem__(self, i): return 51
    def __iter__(self): return iter([52, 53])
    def __contains__(self, x): return x == 54
    def __enter__(self): return 58
    def __exit__(self, *e): return None
    def __reversed__(self): return [59]
    def __int__(self): return 60
    def __float__(self): return 61.0
    def __round__(self, n=None): return 62
    def __index__(self): return 63
    def __getattr__(self, n): return 66
    def __iadd__(self, o): return 69
"""
KNOWN = [
    "(p + q).a", "3 + p", "(1,) + p", "p * 3", "3 * p", "p - q", "p @ q", "p == q", "p < q", "-p", "abs(p)", "p(1)",
    "~p", "p ** 2", "p.count(1)", "3 | p", "len(p)", "p[0]", "list(p)[0]", "1 if p else 2", "tuple(p)[1]",
]  # fmt: skip
ASKED = [
    *KNOWN, "int(str(p))", "int(str([p])[1:-1])", "int(f'{p}')", "[x for x in p][1]", "(*p,)[0]", "5 if 54 in p else 6",
    "list(reversed(p))[0]", "7 if p != q else 8", "9 if p in [q] else 10", "max(p, q).a",
    "sorted([p, q])[0].a", "len({p: 1, q: 2})",
    "(p, 1) < (q, 2)", "[p] == [q]", "hash(p) == hash(q)", "3 if not p else 4", "sum([p, q], 1)",
]  # fmt: skip
ONLY_OTHERS = ["int(p)", "int(float(p))", "round(p)", "list(range(100))[p]", "p.zzz"]


def followed(body: str, expression: str) -> tuple[Any, Any]:
    """What Python gives, and what flow knows."""
    program = f"import typing\nclass P(typing.NamedTuple):\n    a: int\n    b: int\n{body}\np, q = P(1, 2), P(3, 4)\n"
    program += f"result = {expression}\n"
    real: dict[str, Any] = {"__name__": "program"}
    exec(compile(program, "<program>", "exec"), real)
    variables, found = interpreted(program)
    assert not found.crashes
    assert not [m for m in found.diagnostics if m.is_certain]
    return real["result"], variables["result"]


@pytest.mark.parametrize("expression", ASKED)
def test_methods_that_are_followed(expression: str) -> None:
    real, known = followed(FOLLOWED, expression)
    if expression in KNOWN or not isinstance(known, BaseValue):
        assert known == real


@pytest.mark.parametrize("expression", [e for e in ASKED if "sum(" not in e] + ONLY_OTHERS)
def test_methods_by_which_it_is_no_plain_tuple(expression: str) -> None:
    real, known = followed(FOLLOWED + OTHERS, expression)
    assert isinstance(known, Unknown) or not is_concrete(known) or known == real


def test_a_position_of_arrays() -> None:
    """As environments on grids have it, with comparisons that give arrays."""
    variables, found = interpreted(
        """
import jax, jax.numpy as jnp
from typing import NamedTuple

class Position(NamedTuple):
    row: jax.Array
    column: jax.Array
    def __add__(self, other):
        return Position(self.row + other.row, self.column + other.column)
    def __eq__(self, other):
        return (self.row == other.row) & (self.column == other.column)

start = Position(*jnp.zeros(2, int))
moved = jax.vmap(lambda move: start + Position(*move))(jnp.ones((4, 2), int))
x = jnp.zeros((5, 6)).at[tuple(start)].set(1.0)
same = moved == start
rows = moved.row
"""
    )
    assert not found.diagnostics
    assert [str(variables[name].aval) for name in ("x", "same", "rows")] == ["float32[5, 6]", "bool[4]", "int32[4]"]


DEFAULTS = """
import collections
import numpy as np
K = collections.namedtuple("K", "a b c")
K.__new__.__defaults__ = (None,) * len(K._fields)
x, y, z = K(), K(1, c=np.ones(3)), K.__new__(K, 1, 2)
fields = {"b": 4}
w = K(**fields)
J = collections.namedtuple("J", "a b")
J.__new__.__defaults__ = (2,)
u, v = J(1), J(1, 3)
H = collections.namedtuple("H", "a b")
H.__new__.__defaults__ = tuple(np.zeros(len(K._fields)) for _ in H._fields)
t = H().b.shape
"""


def test_defaults_that_are_set_on_new() -> None:
    variables, result = interpreted(DEFAULTS)
    assert not result.diagnostics
    real = run(DEFAULTS)
    names = ("x", "y", "z", "w", "u", "v", "t")
    assert not wrong_claims(DEFAULTS, {n: variables[n] for n in names}, {n: real[n] for n in names})
    assert variables["v"] == (1, 3)
    _, result = interpreted(DEFAULTS + "J()\n")
    assert [m.message for m in result.diagnostics] == ["TypeError: J() is missing the argument 'a'"]


ROTATIONS = """
import jax
import jax.numpy as jnp
from jax.scipy.spatial.transform import Rotation, Slerp

one = Rotation.from_rotvec(jnp.array([0.1, 0.2, 0.3]))
many = Rotation.from_rotvec(jax.random.normal(jax.random.key(0), (4, 3)))
count, first, matrices = len(many), many[0].as_quat(), many[1:].as_matrix()
items = [item.shape for item in many]
kinds = isinstance(one, tuple), isinstance(one, Rotation), one.single, many.single
truth = 1 if many else 2
product, made = (one * many).as_quat(), Rotation(jnp.ones((3, 4))).as_matrix()
turned = jax.jit(lambda r: (r * r.inv()).apply(jnp.ones(3)))(one)
each = jax.vmap(lambda r: r.as_matrix())(many)
slerp = Slerp.init(jnp.arange(4.0), many)
between, times = slerp(jnp.array([0.5, 1.5])).as_quat(), slerp.times
_, steps, *rest = slerp
same, another = one == one, one != one
"""


def test_tuples_of_a_library_with_a_length_and_operators_of_their_own() -> None:
    variables, result = interpreted(ROTATIONS)
    assert not result.crashes
    assert not result.diagnostics
    real = run(ROTATIONS)
    names = [name for name in real if name not in ("jax", "jnp", "Rotation", "Slerp") and not name.startswith("__")]
    assert not wrong_claims(ROTATIONS, {n: variables[n] for n in names}, {n: real[n] for n in names})
    known = {n: str(variables[n].aval) for n in ("matrices", "product", "made", "turned", "each", "between", "steps")}
    assert known == {
        "matrices": "float32[3, 3, 3]", "product": "float32[4, 4]", "made": "float32[3, 3, 3]", "turned": "float32[3]",
        "each": "float32[4, 3, 3]", "between": "float32[2, 4]", "steps": "float32[3]",
    }  # fmt: skip
    assert variables["kinds"] == (True, True, True, False)
    _, result = interpreted(ROTATIONS + "one[0]\n")
    assert [m.message for m in result.diagnostics] == ["TypeError: Single rotation is not subscriptable."]


def test_fields_of_what_is_not_known_have_no_defaults() -> None:
    """`Pair(**options)`, where nobody knows what is in `options`."""
    variables, result = interpreted("""
import collections, json, typing
Pair = collections.namedtuple("Pair", "x y", defaults=(None, None))
Other = collections.namedtuple("Other", "x y")
Other.__new__.__defaults__ = (None, None)
class Typed(typing.NamedTuple):
    x: int = 1
    y: int = 2
with open("options.json") as file:
    options = json.load(file)
a, b, c = Pair(**options), Other(**options), Typed(**options)
d, e = Pair(y=3, **options), Other(*options)
for made in (a, b, c):
    if made.x is None and made.y is None:
        raise ValueError(made)
""")
    assert not [m for m in result.diagnostics if m.is_certain]
    for name in "abc":
        assert not {1, 2, None} & {v for v in variables[name] if isinstance(v, int | None)}
    assert variables["d"][1] == 3
    assert isinstance(variables["e"], Unknown)
