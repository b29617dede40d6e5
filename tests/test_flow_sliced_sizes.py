"""Sizes of slices whose bounds are drawn, and sizes that each item of many has for itself."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flow_values import interpreted, run, wrong_claims

SLICES = """
import numpy as np, os, random
rs = np.random.default_rng({seed})
m = 9 + len([w for w in open(os.devnull).read()]); ids = np.zeros(m, "int32")
n = len(ids); k = 5
a0 = rs.integers(0, n - k + 1, 50)
r0 = [ids[j:j + k].shape for j in a0]
a1 = rs.integers(0, n - k + 2, 50)
r1 = [ids[j:j + k].shape for j in a1]
a2 = rs.integers(0, n - k, 50, endpoint=True)
r2 = [ids[j:j + k].shape for j in a2]
a3 = rs.integers(0, n - k, 50)
a3 += 3
r3 = [ids[j:j + k].shape for j in a3]
a4 = rs.integers(0, n - k, 50)
a4[0] = n - 1
r4 = [ids[j:j + k].shape for j in a4]
a5 = rs.integers(0, n - k, 50) * 2
r5 = [ids[j:j + k].shape for j in a5]
a6 = rs.integers(-3, n - k, 50)
r6 = [ids[j:j + k].shape for j in a6]
a7 = rs.integers(0, n - k, (5, 10)).reshape(-1)[::2]
r7 = [ids[j:j + k].shape for j in a7]
a8 = rs.integers(0, n - k, 50); v8 = a8[:3]; v8 += 100
r8 = [ids[j:j + k].shape for j in a8]
a9 = np.random.randint(n - k, size=50)
r9 = [ids[j + 1:j + 1 + k].shape for j in a9]
r10 = [ids[j + 2:j + 2 + k].shape for j in a9]
i11 = [random.randint(0, n - k) for _ in range(20)]
r11 = [ids[j:j + k].shape for j in i11]
i = random.randint(0, n - k); r12 = ids[i:i + k].shape
i = random.randint(0, n - k + 1); r13 = ids[i:i + k].shape
i = random.randrange(0, n - k + 1); r14 = ids[i:i + k].shape
m = ids.reshape(-1, 1)
r15 = [m[j:j + k, 0].shape for j in a9]
r16 = [m[0, j:j + k].shape for j in a9]
def f(x, j): return x[j:j + k]
r17 = [f(ids, j).shape for j in a9]
r18 = [f(ids[2:], j).shape for j in a9]
r19 = [ids[j:j + k + 1].shape for j in a9]
r20 = [ids[j:k + j].shape for j in a9]
r21 = [ids[j:j - k].shape for j in a9]
r22 = [ids[j:j + k:2].shape for j in a9]
b = a9.astype(np.int8)
r23 = [ids[j:j + k].shape for j in b]
r24 = [ids[j * 2:(j + 1) * 2].shape for j in range(n // 2)]
r25 = [ids[j * 2:(j + 1) * 2].shape for j in range(n)]
r26 = [ids[-j:-j + k].shape for j in a9]
def hide(x): x += 100
a = rs.integers(0, n - k, 50); b = a.reshape(-1); b += 100
r27 = [ids[j:j + k].shape for j in a]
a = rs.integers(0, n - k, 50); hide(a)
r28 = [ids[j:j + k].shape for j in a]
a = rs.integers(0, n - k, 50); np.add(a, 50, out=a)
r29 = [ids[j:j + k].shape for j in a]
a = rs.integers(0, n - k, (5, 10))
for row in a: row += 100
r30 = [ids[j:j + k].shape for j in a[0]]
a = rs.integers(0, n - k, 50); c = [a]; c[0][:] = 200
r31 = [ids[j:j + k].shape for j in a]
a = rs.integers(0, n - k, 50); a.T[3] = 200
r32 = [ids[j:j + k].shape for j in a]
a = rs.integers(0, n - k, 50); a.fill(300)
r33 = [ids[j:j + k].shape for j in a]
a = rs.integers(0, n - k, 50); np.copyto(a, 300)
r34 = [ids[j:j + k].shape for j in a]
if rs.random() < 0.5: a = rs.integers(0, n - k, 50)
else: a = rs.integers(0, n, 50)
r35 = [ids[j:j + k].shape for j in a]
ids2 = ids[3:]
a = rs.integers(0, len(ids2) - k, 50)
r36 = [ids2[j:j + k].shape for j in a]
for q in range(3):
    a = rs.integers(0, n - k, 4)
    r37 = [ids[j:j + k].shape for j in a]
    n = n - 1
a = rs.integers(0, n - k, 50); v = memoryview(a); v[0] = 99
r38 = [ids[j:j + k].shape for j in a]
a = rs.integers(0, n - k, 50); w = np.asarray(a); w[1] = 99
r39 = [ids[j:j + k].shape for j in a]
a = rs.integers(0, n - k, 50); z, y = a[:25], a[25:]; y *= 50
r40 = [ids[j:j + k].shape for j in a]
a = rs.integers(0, n - k, 50); a |= 64
r41 = [ids[j:j + k].shape for j in a]
a = rs.integers(0, n - k, 50); (lambda t: t.__setitem__(0, 99))(a)
r42 = [ids[j:j + k].shape for j in a]
"""
EXACT = {"r0", "r9", "r11", "r12", "r15", "r17", "r19", "r20", "r36"}
"""Slices of which all items are there, whatever is drawn."""


@pytest.mark.parametrize("seed", range(4))
def test_a_slice_within_an_array_has_as_many_items_as_its_bounds_say(seed: int) -> None:
    """What is drawn up to `n - k` is a place behind which there are `k` items, until something is written to it."""
    source = SLICES.replace("{seed}", str(seed))
    variables, result = interpreted(source)
    assert not result.crashes
    assert not result.diagnostics
    random.seed(seed)
    np.random.seed(seed)
    real = run(source)
    shapes = {name: value for name, value in variables.items() if name[0] == "r" and name[1:].isdigit()}
    assert not wrong_claims(source, shapes, {name: real[name] for name in shapes})
    assert {name for name, value in shapes.items() if _is_exact(value)} >= EXACT


def _is_exact(value: Any) -> bool:
    shapes = getattr(value, "items", None) or [value]
    return all(type(shape) is tuple and all(type(size) is int for size in shape) for shape in shapes)


LOADER = """
import jax, jax.numpy as jnp, numpy as np
class Loader:
    def __init__(self, ids, seq, batch):
        self.ids, self.seq, self.batch, self.rng, self.served = ids, seq, batch, np.random.default_rng(0), 0
    def __iter__(self):
        while True:
            at = self.rng.integers(0, len(self.ids) - self.seq - 1, self.batch)
            chunk = np.stack([self.ids[i : i + self.seq + 1] for i in at])
            self.served += 1
            yield chunk[:, :-1], chunk[:, 1:]
text = "abcdefghij" * 20
ids = np.array([ord(c) for c in open(FILE).read() + text], dtype=np.int32)
table = jnp.ones((200, 8)) + jnp.arange(16)[:, None].sum()
pos = jnp.ones((16, 8))
@jax.jit
def step(x, y):
    h = table[x % 200] + pos[: x.shape[1]]
    return h.mean(), (h[..., 0] - y).shape[1] * jnp.ones(())
for _, (x, y) in zip(range(3), Loader(ids, 16, 4)):
    loss, n = step(x, y)
"""


def test_batches_of_a_text(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("a text")
    source = LOADER.replace("FILE", repr(str(tmp_path / "text")))
    variables, result = interpreted(source)
    assert not result.diagnostics
    names = ("x", "y", "loss", "n")
    real = run(source)
    assert not wrong_claims(source, {n: variables[n] for n in names}, {n: real[n] for n in names})
    assert variables["x"].shape == (4, 16)
    assert str(variables["loss"].aval) == "float32[]"


MANY = """
import numpy as np, glob, jax, jax.numpy as jnp
files = sorted(glob.glob(FOLDER + "/*.bin"))
xs = [np.fromfile(f, dtype="float32") for f in files]
s1 = xs[0].shape[0] == xs[1].shape[0]
ms = list(map(lambda f: np.fromfile(f, dtype="float32"), files))
s2 = ms[0].shape[0] == ms[1].shape[0]
ts = jax.tree.map(lambda f: np.fromfile(f, dtype="float32"), files)
s3 = ts[0].shape[0] == ts[1].shape[0]
d = {f: np.fromfile(f, dtype="float32") for f in files}
s4 = d[files[0]].shape[0] == d[files[1]].shape[0]
rs = [np.zeros(i) for i in range(3000)]
s5 = rs[0].shape[0] == rs[1].shape[0]
ls = []
for i in range(3000):
    ls.append(np.zeros(i))
s6 = ls[0].shape[0] == ls[1].shape[0]
def gen():
    for f in files:
        yield np.fromfile(f, dtype="float32")
g = gen()
s7 = next(g).shape[0] == next(g).shape[0]
es = [(f, np.fromfile(f, dtype="float32")) for f in files]
s8 = es[0][1].shape[0] == es[1][1].shape[0]
g2 = (np.fromfile(f, dtype="float32") for f in files)
s9 = next(g2).shape[0] == next(g2).shape[0]
class Box:
    def __init__(self, f): self.x = np.fromfile(f, dtype="float32")
bs = [Box(f) for f in files]
s10 = bs[0].x.shape[0] == bs[1].x.shape[0]
dd = {}
for f in files:
    dd[f] = np.fromfile(f, dtype="float32")
s11 = dd[files[0]].shape[0] == dd[files[1]].shape[0]
d2 = {}
for i in range(3000):
    d2[i] = np.zeros(i)
s12 = d2[1].shape[0] == d2[2].shape[0]
n = len(files)
sh = [np.zeros((n, 3)) for f in files]
s13 = sh[0].shape[0] == sh[1].shape[0]
ws = [[w for w in open(f).read().split()] for f in files]
s14 = len(ws[0]) == len(ws[1])
ks = [np.array([len(w) for w in open(f).read().split()]) for f in files]
s15 = ks[0].shape[0] == ks[1].shape[0]
"""


def test_what_is_made_for_each_of_many_has_a_size_of_its_own(tmp_path: Path) -> None:
    for name, length in (("a", 3), ("b", 5)):
        np.ones(length, "float32").tofile(tmp_path / f"{name}.bin")
    source = MANY.replace("FOLDER", repr(str(tmp_path))).replace("open(f)", "open(f, errors='replace')")
    variables, result = interpreted(source)
    assert not result.diagnostics
    real = run(source)
    claims = {name: value for name, value in variables.items() if name[0] == "s" and name[1:].isdigit()}
    assert len(claims) == 15
    assert not wrong_claims(source, claims, {name: real[name] for name in claims})
    assert variables["s13"] is True  # a size that is the same for all of them


LENGTHS = """
import numpy as np, glob, jax.numpy as jnp
files = sorted(glob.glob(FOLDER + "/*.txt"))
lists = [open(f).read().split() for f in files]
ns = []
for xs in lists:
    ns.append(len(xs))
s1 = ns[0] == ns[1]
ms = [len(xs) for xs in lists]
s2 = ms[0] == ms[1]
ws = []
for xs in lists:
    ws.append([w for w in xs])
s3 = len(ws[0]) == len(ws[1])
arrs = []
for xs in lists:
    arrs.append(np.array([len(w) for w in xs]))
s4 = arrs[0].shape == arrs[1].shape
d = {}
for f, xs in zip(files, lists):
    d[f] = len(xs)
s5 = d[files[0]] == d[files[1]]
def count(xs): return len(xs)
cs = [count(xs) for xs in lists]
s6 = cs[0] == cs[1]
a, b = lists[0], lists[1]
s7 = len(a) == len(b)
s8 = len(lists[0]) == len(lists[1])
class R:
    def __init__(self, f): self.words = open(f).read().split()
    def size(self): return len(self.words)
rs = [R(f) for f in files]
s9 = rs[0].size() == rs[1].size()
zs = []
for r in rs:
    zs.append(np.zeros(len(r.words)))
s10 = zs[0].shape == zs[1].shape
it = iter(lists)
p, q = next(it), next(it)
s11 = len(p) == len(q)
xs = []
while len(xs) < len(files):
    xs.append(1)
s12 = len(xs) == len(files)
ys = open(files[0]).read().split()
n1 = len(ys); ys.append("x"); n2 = len(ys)
s13 = n1 == n2
zs2 = [1 for f in files]; k1 = len(zs2)
zs2 += [2]; s14 = k1 == len(zs2)
def grow(v): v.append(3)
k2 = len(zs2); grow(zs2); s15 = k2 == len(zs2)
sl = [np.zeros(20)[i:i + j] for i, j in zip(range(5), [len(x) for x in lists])]
s16 = sl[0].shape == sl[1].shape
t = []
for x in lists:
    v = np.array([len(w) for w in x])
    t.append(v[1:len(x)])
s17 = t[0].shape == t[1].shape
"""


def test_lengths_of_lists_are_those_of_one_list_until_it_changes(tmp_path: Path) -> None:
    for name, text in (("a", "one two three"), ("b", "one two")):
        (tmp_path / f"{name}.txt").write_text(text)
    source = LENGTHS.replace("FOLDER", repr(str(tmp_path)))
    variables, result = interpreted(source)
    assert not result.diagnostics
    real = run(source)
    claims = {name: value for name, value in variables.items() if name[0] == "s" and name[1:].isdigit()}
    assert len(claims) == 17
    assert not wrong_claims(source, claims, {name: real[name] for name in claims})
