"""What something unknown may be one object with, copies by the protocol of pickling, and calls not followed."""

from __future__ import annotations

import pytest
from flow_values import interpreted, is_known, run, wrong_claims

_HEAD = "import os\nimport jax.numpy as jnp\nmaybe = int(os.environ.get('M', '1')) == 1\n"
ALIASED = {
    "append": """
L = [jnp.ones(2)]
x = L if maybe else eval("[]")
x.append(jnp.ones(3, jnp.int32))
y = L[-1]
n = len(L)
""",
    "item": """
d = {"a": jnp.ones(2)}
x = d if maybe else eval("{}")
x["a"] = jnp.ones(3, jnp.int32)
y = d["a"]
""",
    "attr": """
class C:
    def __init__(self): self.a = jnp.ones(2); self.l = [jnp.ones(2)]
    def go(self): self.a = jnp.ones(3, jnp.int32)
c = C()
x = c if maybe else eval("{}")
x.go()
y = c.a
c2 = C()
x = c2 if maybe else eval("{}")
x.l.append(jnp.ones(3, jnp.int32))
z = c2.l[-1]
c3 = C()
x = c3 if maybe else eval("{}")
x.a = 3
w = c3.a
""",
    "aug": """
L = [jnp.ones(2)]
x = L if maybe else eval("[]")
x += [jnp.ones(3, jnp.int32)]
y = L[-1]
""",
    "getattr": """
class C:
    def __init__(self): self.a = jnp.ones(2); self.l = [jnp.ones(2)]
    def go(self): self.a = jnp.ones(3, jnp.int32)
c = C()
f = getattr(c, eval('"go"'))
y0 = c.a
f()
y = c.a
""",
    "sorts": """
L = [jnp.ones(2)]
i = int(os.environ.get("I", "0"))
x = L if i == 0 else {} if i == 1 else 3.0 if i == 2 else "a" if i == 3 else jnp.ones(2) if i == 4 else (1, 2)
x.append(jnp.ones(3, jnp.int32))
y = L[-1]
""",
    "fn": """
L = [jnp.ones(2)]
def add(v): v.append(jnp.ones(3, jnp.int32))
x = L if maybe else eval("[]")
add(x)
y = L[-1]
""",
    "loop": """
L = [jnp.ones(2)]
x = eval("[]")
for i in range(int(os.environ.get("N", "3"))):
    if i == 1:
        x = L
    else:
        x = eval("[]") if i == 0 else x
x.append(jnp.ones(3, jnp.int32))
y = L[-1]
""",
    "del": """
d = {"a": jnp.ones(2)}
x = d if maybe else eval("{}")
del x["a"]
d["b"] = jnp.ones(2)
y = len(d)
""",
}
CALLED = {
    "global": """
g = 1
def f():
    global g
    g = "a"
u = eval("lambda h: h()")
u(f)
g = 1
u(f)
y = g
""",
    "list": """
L = []
def f(): L.append(jnp.ones(2, jnp.int32))
u = eval("lambda h: h()")
u(f)
L.clear()
u(f)
y = len(L)
""",
    "method": """
g = [1]
class C:
    def go(self): g[0] = "a"
c = C()
u = eval("lambda h: h.go()")
u(c)
g[0] = 1
u(c)
y = g[0]
""",
}
COPIES = """
import jax.numpy as jnp, copy
class D(dict):
    pass
d = D(a=[1]); e = copy.copy(d); e["b"] = 2
x = len(d), len(e), e["a"] is d["a"]
d2 = D(a=[1]); e2 = copy.deepcopy(d2); e2["b"] = 2
x2 = len(d2), len(e2), e2["a"] is d2["a"]
class S(dict):
    def __setitem__(self,k,v): super().__setitem__(k, (v, 1))
    def __getstate__(self): return None
    def __setstate__(self,s): self.z = 1
s = S(a=1); t = copy.copy(s); y = t["a"], hasattr(t, "z"); t2 = copy.deepcopy([s])[0]; y2 = t2["a"]
class A:
    def __init__(self): self.x = 1; self.y = [2]
    def __getstate__(self): return {"x": self.x}
a = A(); b = copy.copy(a); c = copy.deepcopy(a)
z = b.x, hasattr(b, "y"), hasattr(c, "y")
class B(A):
    def __setstate__(self, s): self.z = [s]
b = B(); c = copy.copy(b); c2 = copy.deepcopy(b)
w = c.z, hasattr(c, "x"), c2.z
class E:
    def __setstate__(self,s): self.z=1
e=copy.copy(E()); v1 = hasattr(e, "z")
e=E(); e.a=1; e=copy.copy(e); v2 = hasattr(e, "z"), hasattr(e, "a")
class Config(dict):
    def __getattr__(self, k):
        try: return self[k]
        except KeyError: raise AttributeError(k)
    __setattr__ = dict.__setitem__
    def __getstate__(self): return self.__dict__
    def __setstate__(self, s): self.__dict__.update(s)
    def __deepcopy__(self, memo): return Config({k: copy.deepcopy(v, memo) for k, v in self.items()})
conf = Config(n=3, inner=Config(m=[4]))
conf2 = copy.deepcopy(conf); conf2.inner.m.append(5); conf2.n = 5
u = conf.n, conf.inner.m, conf2.inner.m, conf2.n
conf3 = copy.copy(conf); conf3.n = 7
u2 = conf.n, conf3.n, conf3.inner is conf.inner
class L(list):
    pass
l = L([1, [2]]); l.name = "a"; m = copy.copy(l); m.append(3); m2 = copy.deepcopy(l); m2[1].append(4)
u3 = len(l), len(m), m.name, l[1], m2[1]
"""


@pytest.mark.parametrize("name", [*ALIASED])
def test_what_is_written_to_something_unknown_may_be_written_to_what_it_may_be(name: str) -> None:
    program = _HEAD + ALIASED[name]
    values, result = interpreted(program)
    assert not result.diagnostics
    assert not wrong_claims(program, values, run(program))


@pytest.mark.parametrize("name", [*CALLED])
def test_a_function_that_is_handed_on_twice_writes_twice(name: str) -> None:
    program = _HEAD + CALLED[name]
    values, result = interpreted(program)
    assert not result.diagnostics
    assert not wrong_claims(program, values, run(program))


def test_copies_of_instances_are_made_by_their_own_methods() -> None:
    values, result = interpreted(COPIES)
    assert not result.diagnostics
    assert not wrong_claims(COPIES, values, run(COPIES))
    assert all(is_known(values[name]) for name in ("x", "y", "y2", "z", "w", "v1", "v2", "u", "u2", "u3"))


def test_what_a_container_is_given_by_setstate_stays_in_its_copy() -> None:
    program = """
import copy
import os
class D(dict):
    def __setstate__(self, s):
        self["z"] = 1
        self.n = s["n"]
d = D(a=2); d.n = 3
e = copy.copy(d); f = copy.deepcopy(d)
x = len(d), len(e), sorted(e), e.n, len(f), f["a"]
class L(list):
    def __setstate__(self, s):
        for i in range(int(os.environ.get("N", "1"))):
            self.append(7)
l = L([1]); l.n = 1
m = copy.copy(l)
y = len(m), m[-1]
"""
    values, result = interpreted(program)
    assert not result.diagnostics
    assert not wrong_claims(program, values, run(program))
    assert is_known(values["x"])


def test_what_reading_gives_does_not_forget_what_is_read() -> None:
    program = (
        _HEAD
        + """
class Config:
    def __init__(self):
        self.held = {"size": 3}
        self.scale = jnp.ones(2)

    def size(self):
        return self.held["size"]

config = Config()
other = config if maybe else eval("config")
a = other.size()
b = other.held.get("size")
x, y = config.held["size"], config.scale
getattr(config, eval("'size'"))()
z = config.held["size"]
"""
    )
    values, result = interpreted(program)
    assert not result.diagnostics
    assert not wrong_claims(program, values, run(program))
    assert (values["x"], values["z"]) == (3, 3)
    assert str(values["y"].aval) == "float32[2]"
