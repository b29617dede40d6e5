"""What Python does when a class is made and used, and operators that work in place."""

from __future__ import annotations

import pytest
from flow_values import interpreted, run, wrong_claims

from arraytyping.checker.flow.values import Unknown

PROGRAMS = [
    """
class Scaled:
    def __init__(self, scale): self.scale = scale
    def __set_name__(self, owner, name): self.name = '_' + name; self.owner = owner.__name__
    def __get__(self, instance, owner=None): return self if instance is None else getattr(instance, self.name, 1) * 2
    def __set__(self, instance, value): setattr(instance, self.name, value)
class C:
    x = Scaled(2)
c = C(); a = c.x; c.x = 5; b = c.x; n = C.x.name; o = C.x.owner
""",
    """
import enum
class Names:
    @classmethod
    def names(cls): return [m.name for m in cls]
class E(Names, enum.Enum):
    A = 1
    B = 2
    def twice(self): return self.value * 2
    @classmethod
    def first(cls): return cls.A
    @staticmethod
    def helper(k): return k + 1
    @property
    def low(self): return self.name.lower()
a = E.first(); b = E.B.twice(); c = E.helper(2); d = E.A.low; e = E.names(); f = E.B.helper(3)
""",
    """
log = []
class Tag:
    def __init_subclass__(cls, tag='none', **kwargs):
        super().__init_subclass__(**kwargs)
        log.append(tag); cls.tag = tag
class Level:
    def __init_subclass__(cls, level=0, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.level = level
class C(Tag, Level, tag='c', level=3): pass
a = C.tag; b = C.level
from typing import Protocol
class P(Protocol):
    def __init_subclass__(cls, **kwargs): super().__init_subclass__(**kwargs)
    def f(self): ...
class Q(P):
    def f(self): return 3
q = Q().f()
""",
    """
import collections
class Frame(collections.namedtuple("Frame", ["x", "y"])):
    def total(self): return self.x + self.y
f = Frame(x=1, y=2); t = f.total(); g = Frame(1, y=3)
d = collections.defaultdict(list, {'a': [1]})
e = d
d |= {'b': [2]}
d['c'].append(3); n = len(e)
""",
    """
class D(property):
    def __get__(self, instance, owner=None): return None if instance is None else super().__get__(instance, owner) + 1
class C:
    @D
    def x(self): return 3
c_ = C().x
class N:
    def __init__(self): self._n = 1; self.log = []
    @property
    def n(self): return self._n
    @n.setter
    def n(self, value): self.log.append(value); self._n = value * 2
    @n.deleter
    def n(self): self._n = 0
v = N(); v.n = 3; v.n += 1; a = v.n; del v.n; b = [*v.log, v._n]
""",
    """
import abc
class A(abc.ABC):
    @abc.abstractmethod
    def f(self): ...
class B(A):
    def f(self): return 4
try:
    A()
    made = True
except TypeError:
    made = False
n = B().f()
class Single:
    known = {}
    def __new__(cls, key):
        if key not in cls.known: cls.known[key] = super().__new__(cls)
        return cls.known[key]
    def __init__(self, key): self.key = key
s = Single(1) is Single(1); k = len(Single.known); key = Single(2).key
""",
    """
a = [1, 2]; b = a; a *= 2
s = {1, 2}; t = s; s &= {2, 3}; u = t; u -= {2}
d = {'x': 1}; e = d; d |= {'y': 2}
import numpy as np
r = np.repeat(np.array(3), 2, axis=0); q = np.repeat(5, 3, axis=-1); w = np.tril(np.ones(2)).shape
""",
    """
class G:
    def __getattr__(self, name):
        if name.startswith('k'): return 4
        raise AttributeError(name)
g = G(); a = getattr(g, 'zz', 'none'); b = getattr(g, 'kk', 0); c = hasattr(g, 'q'); d = hasattr(g, 'k')
def two():
    n = np.array([1])
    k = yield n
    while True: k = yield n
import numpy as np
i_ = two(); n_ = next(i_); e_ = i_.send(3); e_ += 3; m_ = int(n_[0])
""",
    """
log = []
class M:
    def __enter__(self): return self
    def __exit__(self, kind, error, trace): log.append(-1 if kind is None else 0)
try:
    with M():
        raise KeyError
except LookupError:
    pass
x_ = log[-1]
it = iter([1, 2, 3]); f_ = 2 in it; rest_ = list(it)
class K:
    def __class_getitem__(cls, k): return k
k = K[3]
""",
    """
import dataclasses
from dataclasses import dataclass
class Mixin:
    def total(self): return self.a + 1
@dataclass
class A:
    a: float = 1.0
@dataclass
class B:
    b: float = 2.0
class First(A, B): pass
f = First(3.0); names = [n.name for n in dataclasses.fields(f)]; b = f.b
class Mixed(Mixin, A):
    q: float = 3.0
m = Mixed(7.0); t = m.total(); of_class = [n.name for n in dataclasses.fields(Mixed)]
again = dataclasses.replace(m, a=9.0).a
Made = type("Made", (Mixin, A), {"twice": lambda self: 2 * self.a}); made = Made(2.0).twice()
class Plain:
    def __init__(self, n=5): self.n = n
class OwnInit(Plain, A): pass
o = OwnInit(4).n
class OfFields(A, Plain): pass
p = OfFields(2.0).a
@dataclass
class OverPlain(Plain):
    z: float
z = OverPlain(1.5).z
@dataclass(init=False)
class NotMade(Plain):
    z: float = 0.0
n = NotMade(8).n
""",
]


@pytest.mark.parametrize("source", PROGRAMS)
def test_is_as_python_has_it(source: str) -> None:
    variables, result = interpreted(source)
    assert not result.crashes
    assert not result.diagnostics
    assert wrong_claims(source, variables, run(source)) == []


def test_abstract_classes_are_not_instantiated() -> None:
    source = "import abc\nclass A(abc.ABC):\n    @abc.abstractmethod\n    def f(self): ...\nA()\n"
    _, result = interpreted(source)
    assert [(m.line, m.is_certain) for m in result.diagnostics] == [(5, True)]


def test_what_the_metaclass_of_an_unknown_base_makes_is_unknown() -> None:
    """As an `Enumeration` of Equinox makes items of the strings in a class's body."""
    variables, result = interpreted(
        "import absent\nclass R(absent.Enumeration):\n    good = ''\n    def f(self): return 1\n"
        "r, i, all_ = R.good, R[0], list(R)\nclass Q(R):\n    bad = 'b'\nq = Q.bad\nj = Q.good + 1\n"
    )
    assert not [str(m) for m in result.diagnostics if "absent" not in m.message]
    assert all(isinstance(variables[name], Unknown) for name in ("r", "i", "q", "j"))


@pytest.mark.parametrize(
    "registered",
    [
        "register_pytree_with_keys(State, with_keys, made)",
        "register_pytree_with_keys(State, flatten_with_keys=with_keys, unflatten_func=made)",
        "register_pytree_with_keys(State, None, made, alone)",
        "register_pytree_with_keys(State, with_keys, made, flatten_func=alone)",
        "register_pytree_node(State, alone, made)",
        "register_pytree_node(State, alone, made, with_keys)",
    ],
)
def test_children_of_registered_classes_come_without_their_keys(registered: str) -> None:
    variables, result = interpreted(
        f"""
import jax
import jax.numpy as jnp
from jax.tree_util import GetAttrKey, register_pytree_node, register_pytree_with_keys
class State:
    def __init__(self, board, turn):
        self.board, self.turn = board, turn
def with_keys(s):
    return ((GetAttrKey("board"), s.board), (GetAttrKey("turn"), s.turn)), None
def alone(s):
    return (s.board, s.turn), None
def made(rest, children):
    return State(*children)
{registered}
after = jax.jit(lambda s: State(s.board.at[0].set(1.0), s.turn + 1))(State(jnp.zeros((3, 3)), 0))
board, turn = after.board, after.turn
"""
    )
    assert result.diagnostics == []
    assert (str(variables["board"].aval), str(variables["turn"].aval)) == ("float32[3, 3]", "int32[] (weak)")


def test_hash_of_what_is_no_key_is_none() -> None:
    variables, _ = interpreted(
        """
import collections
import jax, jax.numpy as jnp, numpy as np
x = jnp.ones(3)
none = [v.__hash__ for v in (x, jax.random.key(0), np.ones(3), [1], {}, {1}, collections.deque())]
some = [v.__hash__ is None for v in (1, "a", (1,), frozenset(), np.float32(1), x.at)]
"""
    )
    assert variables["none"].items == [None] * 7
    assert True not in variables["some"].items


def test_what_may_be_a_field_or_a_default_is_no_value_of_the_field() -> None:
    variables, result = interpreted(
        """
import dataclasses
import jax.numpy as jnp
import unknown
class State:
    rewards: jnp.ndarray = jnp.zeros(2)
if unknown.is_wrapped:
    State.rewards = dataclasses.field(default_factory=lambda: jnp.zeros(2))
State = dataclasses.dataclass(State)
rewards = State().rewards
total = rewards.sum()
"""
    )
    assert isinstance(variables["rewards"], Unknown)
    assert [d for d in result.diagnostics if d.is_certain and d.code == "array-call"] == []


def test_members_that_auto_counts_are_numbers_in_the_class_already() -> None:
    variables, result = interpreted(
        """
from enum import Enum, IntFlag, auto
class Flags(IntFlag):
    A = auto()
    B = auto()
    EITHER = A | B
class Color(Enum):
    R = auto()
    G = auto()
either = int(Flags.EITHER)
is_same = Color.R.value == 1
"""
    )
    assert result.diagnostics == []
    assert variables["is_same"] is True
    assert not isinstance(variables["either"], int) or variables["either"] == 3


def test_setattr_with_an_unknown_name_may_bind_any_attribute() -> None:
    variables, result = interpreted(
        """
import unknown
class A:
    size = 3
    def f(self):
        return 2
a, b, c = A(), A(), A()
a.n = b.n = 1
for k, v in unknown.items():
    setattr(a, k, v)
of_instance = [a.n, a.size, a.missing]
as_before = [b.n, b.size, a.f()]
for k, v in unknown.items():
    setattr(A, k, v)
of_class = [A.size, A.missing, c.size, c.missing, A.__dict__]
"""
    )
    assert result.diagnostics == []
    assert all(isinstance(v, Unknown) for v in (*variables["of_instance"].items, *variables["of_class"].items))
    assert variables["as_before"].items == [1, 3, 2]


def test_annotations_of_a_base_that_is_no_dataclass_are_no_fields() -> None:
    variables, result = interpreted(
        """
import abc, dataclasses
class Base(abc.ABC):
    key: str = "image"
@dataclasses.dataclass(frozen=True)
class Pad(Base):
    size: int
    value: float = 0.5
@dataclasses.dataclass(frozen=True)
class Wide(Pad):
    width: int = 1
found = [Pad(3, value=0.0).size, Wide(3, 0.5, 2).width, Pad(3).key, len(dataclasses.fields(Wide))]
"""
    )
    assert result.diagnostics == []
    assert variables["found"].items == [3, 2, "image", 3]


OBJECTS = """
import unknown
class Works:
    p = 1
    def __add__(self, other): return 1
    def __neg__(self): return 1
    def __getitem__(self, i): return 1
    def __iter__(self): return iter([1, 2])
    def __bool__(self): return True
    def __contains__(self, x): return True
class Raises:
    @property
    def p(self): raise TypeError
    def __add__(self, other): raise TypeError
    def __neg__(self): raise TypeError
    def __getitem__(self, i): raise TypeError
    def __iter__(self): raise TypeError
    def __bool__(self): raise TypeError
    def __contains__(self, x): raise TypeError
class AlsoRaises(Raises): pass
"""
USES = ["u + 1", "-u", "u[0]", "[x for x in u]", "not u", "1 if u else 2", "u.p", "1 in u", "[*u]", "u = a, b = u"]


@pytest.mark.parametrize("use", USES)
def test_what_one_of_several_objects_raises_is_certain_only_if_each_does(use: str) -> None:
    _, result = interpreted(f"{OBJECTS}u = Raises() if unknown.g() else Works()\nx = {use}")
    assert result.diagnostics == []
    _, result = interpreted(f"{OBJECTS}u = Raises() if unknown.g() else AlsoRaises()\nx = {use}")
    assert [m.code for m in result.diagnostics] == ["array-call"]


def test_what_one_of_several_objects_changes_may_have_been_changed() -> None:
    variables, _ = interpreted(
        """
import unknown
class Counts:
    n = 0
    def __add__(self, other):
        Counts.n = 1
        return 1
class Same:
    def __add__(self, other): return 2
u = Counts() if unknown.f() else Same()
u + 1
n = Counts.n
"""
    )
    assert not isinstance(variables["n"], int)


DERIVED = {
    "flax.struct": ("import flax.struct as s", "@s.dataclass\nclass A:", "@s.dataclass\nclass B(A):"),
    "flax's nodes": ("import flax.struct as s", "class A(s.PyTreeNode):", "class B(A):"),
    "chex": ("import chex", "@chex.dataclass\nclass A:", "@chex.dataclass\nclass B(A):"),
    "equinox": ("import equinox as eqx", "class A(eqx.Module):", "class B(A):"),
    "jax": (
        "import dataclasses, functools",
        "@jax.tree_util.register_dataclass\n@dataclasses.dataclass\nclass A:",
        "@jax.tree_util.register_dataclass\n@dataclasses.dataclass\nclass B(A):",
    ),
}


@pytest.mark.parametrize("library", DERIVED)
def test_fields_that_a_derived_dataclass_adds_are_leaves(library: str) -> None:
    start, base, derived = DERIVED[library]
    pytest.importorskip({"flax.struct": "flax", "flax's nodes": "flax"}.get(library, library))
    text = f"""
import jax, jax.numpy as jnp
{start}

{base}
    x: jax.Array

{derived}
    y: jax.Array

made = B(x=jnp.ones(3), y=jnp.ones((2, 4), jnp.int32))
leaves = [leaf.shape for leaf in jax.tree.leaves(made)]
doubled = jax.jit(lambda b: jax.tree.map(lambda leaf: leaf * 2, b))(made).y
carried = jax.lax.scan(lambda b, _: (jax.tree.map(lambda leaf: leaf + 1, b), b.y.sum()), made, length=5)[1]
"""
    names, found = interpreted(text)
    assert found.diagnostics == []
    assert names["leaves"].items == run(text)["leaves"]
    assert [str(names[name].aval) for name in ("doubled", "carried")] == ["int32[2, 4]", "int32[5]"]


def test_attributes_that_come_with_unknown_names() -> None:
    """`self.__dict__.update(options)`, where nobody knows what is in `options`."""
    variables, result = interpreted("""
import json
import jax.numpy as jnp

with open("options.json") as file:
    options = json.load(file)

class Config:
    def __init__(self, width=1, **options):
        self.width = width
        self.__dict__.update(options)
        self.depth = 2

class Other:
    def __init__(self, options):
        vars(self).update(options)
        self.rate = 3

config, other = Config(**options), Other(options)
a, b, c = getattr(config, "rate", 4), config.rate, hasattr(other, "width")
d, e = config.depth, vars(config).get("rate", 5)
f, g = len(vars(config)), "width" in vars(config)
vars(other)["rate"] = jnp.ones(3)
h = other.rate
""")
    assert not result.diagnostics
    assert all(not isinstance(variables[name], int | None) for name in "abcefgh")
    assert variables["d"] == 2
