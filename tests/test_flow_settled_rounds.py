"""Loops that do not look at their variable are gone through until their rounds are alike: as run, and not longer."""

from __future__ import annotations

from flow_values import interpreted, is_known, run, wrong_claims

SOURCE = """
import collections
import jax
import jax.numpy as jnp
import numpy as np
x = jnp.arange(3.); k = jax.random.PRNGKey(0)
def step(s, key):
    return {"w": s["w"] * 0.9 + jax.random.normal(key, (3,)), "n": s["n"] + 1.0}
def train(n):
    s = {"w": x, "n": 0.0}; key = k; log = []
    for _ in range(n):
        key, sub = jax.random.split(key)
        s = step(s, sub)
    return s
a0 = train(50)
def count(n):
    c = 0
    for _ in range(n): c += 1
    return c
a1 = jnp.zeros(count(40))
def swap(n):
    a, b = [1], [2, 3]
    for _ in range(n): a, b = b, a
    return a
a2 = jnp.zeros(len(swap(11))); a3 = jnp.zeros(len(swap(12)))
def swap2(n):
    a, b = [1], [1]; c = a
    for _ in range(n): a, b = b, a
    a.append(5)
    return len(c)
a4 = jnp.zeros(swap2(11)); a5 = jnp.zeros(swap2(12))
def grow(n):
    l = []
    for _ in range(n): l.append(1)
    return len(l)
a6 = jnp.zeros(grow(30))
def conv(n):
    w = jnp.ones(4, jnp.bfloat16); acc = 0
    for _ in range(n):
        acc = acc + w.sum(); w = w * 2
    return acc
a7 = conv(20)
def late(n):
    st = {"i": 0}; v = jnp.ones(2)
    for _ in range(n):
        st["i"] += 1
        if st["i"] == 9: v = jnp.ones(5)
    return v
a8 = late(20)
class C:
    def __init__(self): self.v = jnp.ones(2); self.h = 0
    def go(self):
        self.v = self.v + 1
        self.h = min(self.h + 1, 3)
c = C()
for _ in range(10): c.go()
a9 = jnp.zeros(c.h + 1)
rng = np.random.RandomState(0)
for _ in range(9): r = rng.randint(0, 5, (3,))
b0 = jnp.array(r)
it1 = iter(range(100))
for _ in range(9): nx = next(it1)
b1 = jnp.zeros(nx)
def gen():
    for q in range(50): yield q
g = gen()
for _ in range(9): ng = next(g)
b2 = jnp.zeros(ng)
def fib(n):
    a, b = 1, 1
    for _ in range(n): a, b = b, (a + b) % 7
    return a
b3 = jnp.zeros(fib(10)); b4 = jnp.zeros(fib(11))
def clos(n):
    fs = []
    def f(): return len(fs)
    z = None
    for _ in range(n):
        def h(): return z
        z = h
        fs = [f]
    return f()
b5 = jnp.zeros(clos(6))
def brk(n):
    v = 0
    for _ in range(n):
        if v > 4: break
        v += 1
    else:
        v = 100
    return v
b6 = jnp.zeros(brk(10)); b7 = jnp.zeros(brk(3))
for _ in range(7): pass
b8 = jnp.zeros(_)
def dd(n):
    q = collections.deque([1, 2, 3])
    for _ in range(n): q.rotate(1)
    return q[0]
b9 = jnp.zeros(dd(4)); c0 = jnp.zeros(dd(5))
s = "a"
for _ in range(6): s = s[::-1]
c1 = jnp.zeros(len(s))
flag = True
for _ in range(7): flag = not flag
c2 = jnp.zeros(3 if flag else 4)
m = np.eye(2)
for _ in range(7): m = m @ m
c3 = jnp.array(m)
cnt = [0]
def eff(): cnt[0] += 1
for _ in range(8): eff()
c4 = jnp.zeros(cnt[0])
"""
ROUNDS = """
import jax
import jax.numpy as jnp
@jax.jit
def train(w, key):
    total = 0
    for {name} in range({count}):
        key, sub = jax.random.split(key)
        w = w * 0.9 + jax.random.normal(sub, w.shape)
        total = total + w.sum()
    return w, total
w, total = train(jnp.zeros(4), jax.random.key(0))
"""


def test_what_comes_of_loops() -> None:
    variables, result = interpreted(SOURCE)
    assert not result.diagnostics
    real = {name: value for name, value in run(SOURCE).items() if len(name) == 2}
    assert len(real) > 25
    assert wrong_claims(SOURCE, {name: variables[name] for name in real}, real) == []
    assert all(is_known(variables[name]) for name in real)


def test_rounds_that_are_alike_are_not_gone_through() -> None:
    few, many = (interpreted(ROUNDS.format(name="_", count=count)) for count in (6, 60))
    assert many[1].interpreter.work < 1.1 * few[1].interpreter.work
    assert repr(many[0]["total"]) == repr(few[0]["total"]) == "ArrayValue(float32[])"
    read = interpreted(ROUNDS.format(name="i", count=60).replace("w.sum()", "w.sum() * i"))
    assert read[1].interpreter.work > 1.3 * many[1].interpreter.work
