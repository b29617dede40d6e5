"""Instances of the program's classes that give their items one by one, and what is seen of paths that raise."""

from __future__ import annotations

import pytest
from flow_values import interpreted, run, wrong_claims

KNOWN = """
import jax.numpy as jnp
class Sizes:
    def __init__(self, sizes): self.sizes, self.i = sizes, 0
    def __iter__(self): return self
    def __next__(self):
        if self.i >= len(self.sizes): raise StopIteration
        self.i += 1
        return self.sizes[self.i - 1]
s = Sizes([2, 3])
w = [jnp.ones((a, 4)).shape for a in s]
i = s.i
total = (jnp.ones((7, 3)) @ jnp.ones(w[1])).shape
t = Sizes([1, 2, 3]); seen = []
for k in t:
    seen.append((k, t.i))
    if k == 2: break
else:
    seen = None
j = t.i
rest = list(t)
a, b = Sizes((5, 6))
u = Sizes([7]); v1 = next(u); v2 = next(u, "end")
try:
    next(u)
    never = 1
except StopIteration:
    never = 0
class Seq:
    def __init__(self, n): self.data = list(range(n))
    def __getitem__(self, i): return self.data[i] * 2
    def __len__(self): return 99
q = list(Seq(3)); q2 = [x + 1 for x in Seq(4)]
p = 0
for x in Seq(5): p += x
class Wrap:
    def __init__(self, xs): self.it = iter(xs)
    def __iter__(self): return self
    def __next__(self): return next(self.it) + 1
r = list(Wrap([1, 2])); r2 = [y for y in Wrap({4: 5})]
z = list(zip(Wrap([1, 2, 3]), "ab")); en = list(enumerate(Wrap([3])))
class Forever:
    n = 0
    def __iter__(self): return self
    def __next__(self):
        self.n += 1
        return jnp.ones((self.n, 2))
f = Forever(); got = []
for batch in f:
    got.append(batch.shape)
    if len(got) == 4: break
batch = batch.shape
fn = f.n
first = next(iter(f)).shape
from collections.abc import Iterator
class Loader(Iterator):
    def __init__(self): self.k = 3
    def __next__(self):
        self.k -= 1
        if self.k < 0: raise StopIteration
        return self.k
ll = list(Loader()); ls = sum(Loader())
lm = max(Sizes([4, 9])); tt = tuple(Sizes([1])); d = dict(zip("ab", Sizes([1, 2])))
st = {*Sizes([1, 2])}; ex = [*Sizes([3]), 4]; has = 3 in [*Sizes([3])]
"""

UNKNOWN = """
import random
x = 0
try:
    if random.random() < .5:
        x = 5
        raise ValueError
except ValueError:
    pass
class R:
    def __init__(self): self.i = 0; self.done = False
    def __iter__(self): return self
    def __next__(self):
        if random.random() < .4:
            self.done = "yes"
            raise StopIteration
        self.i += 1
        return "a" * self.i
r = R()
out = [v for v in r]
d = r.done
q = R(); n = 0
for v in q:
    n += 1
v = 0
qd = q.done
y = 0
def f():
    global y
    y = 1
    if random.random() < .5:
        y = 2
        if random.random() < .5:
            y = 3
            raise KeyError
        y = 4
    y = 5
try:
    f()
except (KeyError, ValueError):
    pass
z = 0
try:
    try:
        if random.random() < .5:
            z = 1
            raise KeyError
    except ValueError:
        z = 2
    if random.random() < .5: z = "s"
except KeyError:
    pass
import contextlib
w = 0
with contextlib.suppress(ValueError):
    if random.random() < .5:
        w = 1
        raise ValueError
"""

INSIDE = """
class Loader:
    def __init__(self): self.i = 0
    def __iter__(self): return self
    def __next__(self):
        self.i += 1
        if self.i > 2:
            raise StopIteration
        return [1, 2][self.i + 3]
"""


OWN_NAMES = """
import numpy as np
def batches(n, rng):
    for _ in range(n):
        lengths = rng.integers(3, 5, size=2)
        batch = np.ones((2, 3), np.float32)
        yield batch, lengths
for n, (batch, lengths) in enumerate(batches(3, np.random.default_rng(0))):
    seen = batch.shape
last = [batch.shape for batch in (np.ones((k, 2)) for k in (4, 5))]
"""


def test_each_item_is_what_comes_then() -> None:
    variables, result = interpreted(KNOWN)
    assert not result.crashes
    assert not result.diagnostics
    assert wrong_claims(KNOWN, variables, run(KNOWN)) == []
    assert variables["seen"].items == [(1, 1), (2, 2)]
    assert variables["total"] == (7, 4)
    assert variables["got"].items == [(1, 2), (2, 2), (3, 2), (4, 2)]


def test_names_of_a_generator_are_its_own() -> None:
    variables, result = interpreted(OWN_NAMES)
    assert not result.crashes
    assert not result.diagnostics
    assert wrong_claims(OWN_NAMES, variables, run(OWN_NAMES)) == []
    assert variables["seen"] == (2, 3)
    assert variables["last"].items == [(4, 2), (5, 2)]


def test_ends_that_are_not_known() -> None:
    variables, result = interpreted(UNKNOWN)
    assert not result.crashes
    assert not result.diagnostics
    for _ in range(20):
        assert wrong_claims(UNKNOWN, variables, run(UNKNOWN)) == []


@pytest.mark.parametrize(
    "use", ["list(Loader())", "[x for x in Loader()]", "for x in Loader(): pass", "next(Loader())"]
)
def test_a_mistake_in_the_method_is_found(use: str) -> None:
    _, result = interpreted(f"{INSIDE}{use}\n")
    assert {(m.line, m.is_certain) for m in result.diagnostics} == {(9, True)}


GENERATORS = """
import jax, jax.numpy as jnp, numpy as np
class Trainer:
    def __init__(self):
        self.step, self.size, self.params, self.log = 0, 4, None, []
        self.data = self.batches()
    @property
    def width(self): return self.size - 1
    def make(self): return np.zeros((self.size, self.width), "float32")
    def batches(self):
        while True:
            yield self.make()
    def run(self):
        for _ in range(jax.device_count()):
            batch = next(self.data)
            if self.params is None:
                self.params = jnp.ones((3, 2))
            self.params = self.params - 0.1 * (batch.T @ (batch @ self.params))
            self.step += 1
class Growing(Trainer):
    def make(self): return np.zeros((self.step + 1, 3), "float32")
class Escaping(Trainer):
    def batches(self):
        while True:
            yield np.zeros((helped(self), 3), "float32")
def helped(trainer): return trainer.step + 1
class Writing(Trainer):
    def batches(self):
        while True:
            self.log.append(1)
            yield np.zeros((len(self.log), 3), "float32")
class Holding(Trainer):
    def batches(self):
        def inner():
            while True:
                yield np.zeros((self.step + 1, self.width), "float32")
        return inner()
t, g, e, w, h = Trainer(), Growing(), Escaping(), Writing(), Holding()
t.run(); g.run(); e.run(); w.run(); h.run()
a, b, c, d, f = (jnp.asarray(next(x.data)) for x in (t, g, e, w, h))
w_log = len(w.log)
"""


def test_a_generator_of_an_object_reads_what_it_names() -> None:
    """Other attributes may change, and what it reads by way of a helper, or writes, may not."""
    variables, result = interpreted(GENERATORS)
    assert not result.crashes
    assert not result.diagnostics
    real = run(GENERATORS)
    names = ("a", "b", "c", "d", "f", "w_log")
    assert not wrong_claims(GENERATORS, {n: variables[n] for n in names}, {n: real[n] for n in names})
    assert str(variables["a"].aval) == "float32[4, 3]"
