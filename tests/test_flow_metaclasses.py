"""Metaclasses that are written in Python: what they make of a call of a class, and of the class, against runs."""

from __future__ import annotations

from flow_values import interpreted, run, wrong_claims

from arraytyping.checker.flow.values import Unknown

PROGRAM = """
import abc, inspect, weakref
from typing import ClassVar, Generic, TypeVar
import jax.numpy as jnp
T = TypeVar("T")
class Single(type):
    made = {}
    def __call__(cls, *args, **kwargs):
        if cls not in cls.made:
            cls.made[cls] = super().__call__(*args, **kwargs)
        return cls.made[cls]
    def count(cls): return len(cls.made)
    @property
    def shown(cls): return cls.__name__ + "!"
class Config(metaclass=Single):
    size = 4
    def __init__(self, n): self.n = n
    def __call__(self, x): return x * self.n
class Below(Config): pass
first, second, below = Config(3), Config(5), Below(7)
is_same, sizes, scaled = first is second, (first.n, second.n, below.n, Config.size), below(jnp.ones(2))
count, shown = Config.count(), Below.shown
kinds = type(Config) is Single, isinstance(Below, Single), type(first) is Config
registry = {}
class Registered(abc.ABCMeta):
    def __init__(cls, name, bases, namespace, **options):
        super().__init__(name, bases, namespace)
        cls.tag = name.lower()
        registry[name] = cls
    def __call__(cls, *args):
        return super().__call__(*args) if args else None
class Base(metaclass=Registered):
    def __init__(self, width): self.width = width
    @property
    @abc.abstractmethod
    def area(self): ...
class Square(Base):
    area = property(lambda self: self.width ** 2)
tags, names, nothing = (Square.tag, Base.tag), list(registry), Square()
area = registry["Square"](3).area
made_by_call = type(Square)("Other", (Square,), {"width": 2})
class One(Generic[T]):
    _one: ClassVar["One"]
    def __new__(cls):
        if not hasattr(cls, "_one") or type(cls._one) is not cls:
            cls._one = super().__new__(cls)
        return cls._one
class Real(One[int]): pass
class Whole(One[int]): pass
ones = Real() is Real(), Real() is Whole(), type(Whole()) is Whole, isinstance(Real, One)
one = Real()
referred = weakref.ref(one)()
"""
_SHOWN = ("is_same", "sizes", "scaled", "count", "shown", "kinds", "tags", "names", "nothing", "area", "ones")


def test_classes_are_made_and_called_as_in_a_run() -> None:
    variables, result = interpreted(PROGRAM)
    assert not result.diagnostics
    assert not result.crashes
    real = run(PROGRAM)
    told = {n: variables[n] for n in (*_SHOWN, "referred", "made_by_call")}
    assert not wrong_claims(PROGRAM, told, {n: real[n] for n in told})
    assert not [n for n in _SHOWN if isinstance(variables[n], Unknown)]


_GONE = """
import weakref
class A:
    n = 3
found = weakref.ref(A())()
n = 0 if found is None else found.n
"""
_MADE = """
class M(type):
    def METHOD
class A(metaclass=M):
    y = 2
x = A.z
a = A()
"""


def test_an_object_may_be_gone_from_a_weak_reference() -> None:
    """It is what it was, or None: nothing is claimed of which."""
    variables, result = interpreted(_GONE)
    assert not result.diagnostics
    assert variables["n"] != 3
    assert variables["n"] != 0


def test_what_makes_more_of_a_class_is_unknown() -> None:
    """A metaclass that looks names up, or makes classes itself, may make anything of them."""
    for method in ("__new__(mcs, *a): return 3", "__getattr__(cls, n): return n", "__prepare__(*a): return {'x': 1}"):
        variables, _ = interpreted(_MADE.replace("METHOD", method))
        assert isinstance(variables["x"], Unknown), method
        assert isinstance(variables["a"], Unknown), method
