"""Whether two values of a program are one object: what is claimed of `is`, `==`, `in` and `index`, against a run."""

from __future__ import annotations

from flow_values import interpreted, run, wrong_claims

_PROGRAM = """
import copy, functools, os
import jax, jax.numpy as jnp
class A:
    def __init__(self, v=0): self.v = v
class S:
    one = None
    def __new__(cls):
        if S.one is None:
            S.one = super().__new__(cls)
        return S.one
G = A()
def f(x=None): return G
def same(x): return x
def pick(c, x, y): return x if c else y
a, b = A(), A()
n = int(os.environ.get("N", "2"))
found_1 = a is b
found_2 = f() is f()
found_3 = f() is G
found_4 = same(a) is a
found_5 = same(a) is same(a)
found_6 = same(a) is same(b)
found_7 = S() is S()
found_8 = pick(n > 1, a, b) is a
found_9 = pick(n > 1, a, b) is pick(n > 1, a, b)
l = [A() for _ in range(3)]
found_10 = l[0] is l[1]
m = [A() for _ in range(n)]
found_11 = m[0] is m[1]
found_12 = m[0] == m[0]
first = [x is m[0] for x in m]
d = {i: A(i) for i in range(n)}
found_13 = d[0] is d[1]
inside = []
@jax.jit
def g(x):
    inside.append(f() is G)
    return x
g(jnp.ones(2))
found_14 = copy.copy(a) is a
found_15 = copy.copy(a) == a
class H:
    def __init__(self, parent): self.parent = parent; self.kids = []
    def add(self):
        k = H(self)
        self.kids.append(k)
        return k
r = H(None)
k1 = r.add(); k2 = r.add()
found_16 = k1.parent is k2.parent
found_17 = k1.parent is r
found_18 = k1 is k2
found_19 = r.kids.index(k2)
found_20 = k1 in r.kids
def gen():
    z = A()
    yield z
    yield z
u = list(gen())
found_21 = u[0] is u[1]
w = [A()] * 2
found_22 = w[0] is w[1]
t = [w[0], *w]
found_23 = t[0] is t[2]
while n > 0:
    prev = a
    a = A()
    is_kept = prev is a
    n -= 1
@functools.lru_cache
def made(i): return A(i)
found_24 = made(1) is made(1)
found_25 = made(1) is made(2)
class P:
    @functools.cached_property
    def q(self): return A()
    @property
    def p(self): return A()
p = P()
found_26 = p.q is p.q
found_27 = p.p is p.p
def h(x):
    x.other = b
    return x.other
found_28 = h(p) is b
def loop(c, x):
    return c, None
st = A(jnp.ones(2))
def cl(c, x):
    return c + st.v, None
jax.lax.scan(cl, jnp.ones(2), None, length=3)
cache = {}
def get(k):
    if k not in cache:
        cache[k] = A(k)
    return cache[k]
found_29 = get("a") is get("a")
found_30 = get("a") is get("b")
found_31 = get(str(n)) is get(str(n))
"""


def test_identities_are_those_of_a_run() -> None:
    """Of what describes several objects, and of what may have been kept or chosen, nothing is claimed."""
    told, result = interpreted(_PROGRAM)
    real = run(_PROGRAM)
    names = [name for name, value in real.items() if isinstance(value, bool | int | list) and not name.startswith("_")]
    assert wrong_claims(_PROGRAM, {n: told[n] for n in names}, {n: real[n] for n in names}) == []
    assert result.diagnostics == []
    known = [name for name in names if name.startswith("found_") and type(told[name]) in (bool, int)]
    assert len(known) >= 23


_SORTS = """
import inspect, types, jax, jax.numpy as jnp
class M(type): pass
class A(metaclass=M): pass
class B(types.ModuleType): pass
class C:
    def m(self): pass
x = jnp.ones(2)
asked = [A, B, C, C().m, C.m, len, x, x.sum, [1].append, 3, None, jax, jax.jit(len), B("q"), lambda: 1, C()]
checks = inspect.isclass, inspect.isfunction, inspect.ismethod, inspect.ismodule
found = [[check(one) for check in checks] for one in asked]
"""


def test_sorts_are_those_of_a_run() -> None:
    """What `inspect` says: an instance may be of a class that derives from a library's, a method written in Python."""
    told, result = interpreted(_SORTS)
    assert wrong_claims(_SORTS, {"found": told["found"]}, {"found": run(_SORTS)["found"]}) == []
    assert result.diagnostics == []
    assert sum(type(one) is bool for row in told["found"].items for one in row.items) >= 54
