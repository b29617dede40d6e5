"""Ordinary idioms of Python, by field: what runs is called no mistake, and what is claimed is what a run gives."""

from __future__ import annotations

import pytest
from flow_values import difference, interpreted, run

_PROGRAMS: dict[str, str] = {}
_PROGRAMS["what is deleted"] = """
log = []
class Logged:
    x = 1
    def __delattr__(self, name):
        log.append(name)
        super().__delattr__(name)
class Plain:
    def __delattr__(self, name): object.__delattr__(self, name)
class Property:
    def __init__(self): self._v = 1
    @property
    def v(self): return self._v
    @v.deleter
    def v(self): self._v = 0
a, b, p = Logged(), Plain(), Property()
a.y = 2
b.y = 2
del a.y
del b.y
delattr(p, "v")
either = {"k": 1} if len(log) == 1 else None
del either["k"]
q = z = 3
del (q, z)
try:
    q
    is_bound = 1
except NameError:
    is_bound = 2
try:
    del p.nothing
    was_there = 1
except AttributeError:
    was_there = 2
r = hasattr(a, "y"), hasattr(b, "y"), log, a.x, p._v, either, is_bound, was_there
"""
_PROGRAMS["attributes that are sorted by what they are"] = """
import jax
class Module:
    def __init__(self):
        self._parts, self._params = {}, {}
    def __setattr__(self, name, value):
        if isinstance(value, Module):
            self._parts[name] = value
        elif isinstance(value, jax.Array):
            self._params[name] = value
        else:
            self.__dict__[name] = value
    def count(self):
        return len(self._params) + sum(part.count() for part in self._parts.values())
class Model(Module):
    def __init__(self):
        super().__init__()
        self.w = jax.numpy.ones(3)
        self.inner = Module()
        self.loss = jax.vmap(lambda x: x.sum())
        self.compiled = jax.jit(self.loss)
model = Model()
r = len(model._parts), len(model._params), model.count(), isinstance(jax.grad(abs), (Module, jax.Array))
"""
_PROGRAMS["imports that may fail"] = """
import importlib
try:
    import a_module_that_is_not_there
    has_module = True
except ImportError:
    has_module = False
try:
    from jax import a_name_that_is_not_there
    has_name = True
except ImportError:
    has_name = False
try:
    from . import sibling
    has_sibling = True
except ImportError:
    has_sibling = False
try:
    importlib.import_module("a_module_that_is_not_there")
    is_found = True
except ImportError:
    is_found = False
r = has_module, has_name, has_sibling, is_found
"""
_PROGRAMS["exceptions that are caught"] = """
class Failed(Exception):
    def __init__(self, v):
        super().__init__(v)
        self.v = v
first = Failed(3)
try: raise first
except Failed as caught: found = caught is first, caught == first, caught in [first], caught in (1, None)
other = ValueError("q")
try: raise other
except ValueError as caught: found += caught is other, other is caught, caught is None, type(caught) is ValueError
made = ValueError(len(found), [1], None)
r = found, made.args, made.args[1] == [1], str(made), KeyError("k").args
"""
_PROGRAMS["setting attributes as object does"] = """
log = []
class A:
    def __init__(self): self._x = 1
    @property
    def x(self): return self._x
    @x.setter
    def x(self, v): self._x = v
class B(A):
    def __setattr__(self, name, v):
        super().__setattr__(name, v)
        log.append(name)
b = B()
b.x = 9
object.__setattr__(b, "x", 3)
r = b.x, log, b.__dict__
"""
_PROGRAMS["slots and what classes have"] = """
from dataclasses import dataclass
class A: __slots__ = ("a",)
class B(A): pass
class C:
    class D:
        def f(self): return lambda: 0
b = B()
b.a, b.z = 1, 3
@dataclass(slots=True)
class S: a: int = 1
s = S()
try:
    s.other = 1
    is_put = 1
except AttributeError:
    is_put = 2
r = B.a.__get__(b), b.__dict__, [c.__name__ for c in B.mro()], C.D.__qualname__, C.D.f.__qualname__, is_put
r += C.D().f.__func__.__name__,
"""
_PROGRAMS["records"] = """
import copy
from dataclasses import dataclass, field
@dataclass
class Base:
    a: int = 1
    b: int = 2
@dataclass
class Sub(Base):
    b: int = 5
    c: int = field(default=7, kw_only=True)
    d: int = 4
match Sub(1, 2, 3):
    case Sub(x, y, z): matched = x, y, z
@dataclass
class Child(Base):
    a: int = 10
    def __init__(self, b):
        super().__init__(3)
        self.b = b
@dataclass
class Listed: items: list = field(default_factory=list)
class Money:
    def __eq__(self, other): return True
class Keyed(Money):
    def __hash__(self): return 1
def is_hashed(v):
    try:
        {v: 1}
        hash(v)
    except TypeError:
        return False
    return True
class Part:
    def __init__(self): self.x, self.y = [], 1
    def __getstate__(self): return {"x": self.x}
part = Part()
copied = copy.copy(part)
copied.x.append(1)
class Deep:
    def __deepcopy__(self, memo): return 3
r = matched, Child(4).a, Child(4).b, is_hashed(Money()), is_hashed(Keyed()), is_hashed(Base()), is_hashed(Listed)
r += part.x, hasattr(copied, "y"), copy.deepcopy([Deep()])
"""
_PROGRAMS["caches"] = """
import functools
calls = []
@functools.lru_cache(maxsize=None)
def fib(n):
    calls.append(n)
    return n if n < 2 else fib(n - 1) + fib(n - 2)
@functools.cache
def pure(n): return n if n < 2 else pure(n - 1) + pure(n - 2)
r = fib(6), len(calls), pure(60)
"""
_PROGRAMS["namespaces and metaclasses"] = """
import argparse, types
one = types.SimpleNamespace(a=1, b=types.SimpleNamespace(c=2))
same = types.SimpleNamespace(a=1, b=types.SimpleNamespace(c=2))
args = argparse.Namespace(u=1)
args.w = 2
class Registry(type):
    items = {}
    count = 0
    def __new__(mcs, name, bases, space):
        mcs.items[name] = cls = super().__new__(mcs, name, bases, space)
        Registry.count += 1
        return cls
class A(metaclass=Registry): pass
class B(A): pass
r = one == same, one != same, "u" in args, "v" in args, sorted(Registry.items), Registry.count
"""
_PROGRAMS["texts"] = """
import numpy as np
names = np.array(["ab", "c"])
r = "".join(names), "-".join(list(names)), ascii("\\u00e9"), ascii("e")
"""
_UNKNOWN = """
import os
import dataclasses, functools
import jax, jax.numpy as jnp
n = len(os.environ.get("A_NAME_THAT_IS_NOT_SET", ""))
"""
_PROGRAMS["attributes of unknown names"] = (
    _UNKNOWN
    + """
class Tree:
    def __init__(self, v):
        self.v = v
        self.left = self.right = None
        self.log = []
    def insert(self, v):
        side = "left" if v < self.v else "right"
        if getattr(self, side) is None: setattr(self, side, Tree(v))
        else: getattr(self, side).insert(v)
    def walk(self):
        return [x for t in (self.left, self) for x in ([] if t is None else [t.v] if t is self else t.walk())]
    def on_0(self): self.log.append(0)
    def on_1(self): self.log.append(1)
tree = Tree(5)
for v in (3 + n, 8, 1): tree.insert(v)
getattr(tree, f"on_{n}")()
r = tree.walk(), tree.log
"""
)
_PROGRAMS["what __new__ gives"] = (
    _UNKNOWN
    + """
class Either:
    made = []
    def __new__(cls, k): return [k] if k > 1 else super().__new__(cls)
    def __init__(self, k):
        self.k = k
        self.made.append(k)
one = Either(n + 1)
r = one.k, Either.made
"""
)
_PROGRAMS["options that are not known"] = (
    _UNKNOWN
    + """
class Env:
    @functools.partial(jax.jit, static_argnums=n)
    def step(self, x): return x * 2
@functools.partial(jax.custom_vjp, nondiff_argnums=(n + 1,))
def f(x, clip): return x
f.defvjp(lambda x, clip: (x, None), lambda clip, rest, ct: (jnp.clip(ct, -clip, clip),))
@dataclasses.dataclass(frozen=n == 0)
class Frozen: a: int = 1
@dataclasses.dataclass
class Made:
    w: int = dataclasses.field(init=n > 0)
    def __post_init__(self): self.w = 3
try:
    Frozen().a = 2
    is_put = True
except dataclasses.FrozenInstanceError:
    is_put = False
r = Env().step(jnp.ones(2)), jax.grad(lambda x: f(x, 0.5).sum())(jnp.ones(3)), is_put, Made().w
"""
)
_PROGRAMS["numbers that are not known"] = (
    _UNKNOWN
    + """
import flax
z, x = complex(n, 2), float(n)
r = z.imag, z.real, x.imag, (n > 0).real, n.numerator, isinstance(n.__class__, type)
r += flax.traverse_util.flatten_dict({"a": {"b": n}}, sep="/"), flax.core.freeze({"a": x})["a"]
"""
)
_PROGRAMS["what is there on some paths"] = (
    _UNKNOWN
    + """
import argparse
found = {"a": 1}
if n == 0: found["b"] = 2
class Tried:
    def __getattr__(self, name):
        try: return found[name]
        except KeyError: raise AttributeError(name)
class Asked:
    def __getattr__(self, name):
        if name in found: return found[name]
        raise AttributeError(name)
class Bound: pass
bound = Bound()
bound.x = 1
if n > 0: bound.y = 2
parser = argparse.ArgumentParser()
if n == 0: parser.add_argument("--steps", default=5)
class Filled(dict):
    def __missing__(self, key):
        if n == 0: self[key] = 1
        return 1
filled = Filled()
filled["a"]
filled["b"]
name = 3
if n == 0: del name
try:
    name
    is_bound = True
except NameError:
    is_bound = False
def local(k):
    if k: x = 1
    try: return x
    except (KeyError, UnboundLocalError): return "unbound"
try:
    a_name_that_is_never_bound
    is_never_bound = False
except NameError:
    is_never_bound = True
r = is_bound, local(n), is_never_bound, vars(bound), filled
r += hasattr(Tried(), "c"), hasattr(Asked(), "c"), getattr(Asked(), "c", "none")
r += parser.get_default("steps"),
"""
)


@pytest.mark.parametrize("field", _PROGRAMS)
def test_what_runs_is_told_as_it_runs(field: str) -> None:
    """A field of idioms, interpreted and run."""
    told, result = interpreted(_PROGRAMS[field])
    real = run(_PROGRAMS[field])
    assert not result.diagnostics
    assert not result.crashes
    assert difference(told["r"], real["r"]) is None


def test_attributes_that_are_sorted_by_what_they_are_are_known() -> None:
    """What a transformation gives is neither an array nor an object of the program."""
    told, _ = interpreted(_PROGRAMS["attributes that are sorted by what they are"])
    assert told["r"] == (1, 1, 1, False)
