"""What may raise because of what data decide, in a `try`: the handler is among what may come."""

from __future__ import annotations

import random
import warnings

import numpy as np
import pytest
from flow_values import difference, interpreted, run

from arraytyping.checker.flow.values import ScalarValue

SETUP = """
import bisect, collections, functools, heapq, itertools, json, math, operator, random, statistics
import jax, jax.numpy as jnp, numpy as np
n = random.randrange(3)
f = random.random() - 0.5
s = random.choice(["a", "b", "1"])
l = [1] * n
l2 = [k for k in range(5) if random.random() < .3]
t = tuple(l2)
d = {k: 1 for k in l2}
st = set(l2)
dq = collections.deque(l2)
a = np.zeros(n)
b = random.random() < .5
x = jnp.ones(3)
"""
MAY_RAISE = """
l2.pop()
l2.pop(0)
l2.pop(n)
[1,2].pop(n)
l2.remove(3)
l2.index(3)
[1,2,3].index(n)
[1,2,3].remove(n)
dq.pop()
dq.popleft()
dq.remove(1)
d.pop(3)
d.popitem()
d[3]
d[n]
{0:1}[n]
{0:1}.pop(n)
st.remove(3)
st.pop()
{1,2}.remove(n)
t.index(3)
t[0]
(1,2)[n]
l2[0]
l2[n]
[1,2][n]
"ab"[n]
s[n]
"abc".index(s)
s.index("a")
int(s)
float(s)
1 // n
1 / n
1 % n
1.0 / f
f ** -1
0 ** n
0 ** -n
1 << (n - 1)
math.sqrt(f)
math.log(n)
math.factorial(n - 1)
math.acos(f*5)
min(l2)
max(l2)
max(t)
min(st)
min(d)
sum(l2) / len(l2)
random.choice(l2)
random.sample([1,2], n*2)
random.randrange(n)
statistics.mean(l2)
functools.reduce(operator.add, l2)
next(iter(l2))
next(k for k in l2)
p, q = l2
p, *q = l2
p, q = t
p, q = s
(p, q), r = l2, 1
chr(n - 1)
ord(s * n)
range(0, 3, n)
[1,2,3][::n]
"abc"[::n]
list(zip([1,2], l2, strict=True))
del l2[0]
del d[3]
del [1,2][n]
del {0: 1}[n]
assert n
assert b
[].pop() if b else 0
{}["a"] if b else 0
np.zeros(3)[n+1]
np.zeros(3) + a
a.reshape(2, 2)
a[0]
a[1]
np.zeros(n).max()
np.concatenate([a, np.zeros((n, 2))])
np.stack([a, np.zeros(2)])
np.dot(a, np.zeros(2))
np.zeros((n, 3)) @ np.zeros((2, 3))
np.zeros(3).reshape(n, 3)
np.split(a, 2)
np.ones(3)[a > 0]
np.array(s, float)
np.zeros(s)
np.dtype(s)
np.linalg.cholesky(np.random.rand(2, 2) - .5)
np.linalg.solve(np.random.rand(2, 2), np.zeros(2))
np.random.choice(n)
np.random.choice(3, 4 - n, replace=False)
np.full(n - 1, 0)
np.arange(n)[0]
np.eye(n)[1]
a.item()
float(a)
int(np.zeros(n))
bool(np.zeros(n))
if_ = 1 if np.zeros(n) else 0
jnp.zeros(n) + x
jnp.zeros(n)[0]
jnp.zeros((n, 2)) @ x
x.reshape(n, 3)
jnp.zeros(n).max()
jnp.zeros(n - 1)
jnp.stack([x, jnp.zeros(n)])
jnp.concatenate([x, jnp.zeros((n, 2))])
jnp.split(x, n)
float(jnp.zeros(n))
jax.nn.one_hot(n, n)
jax.lax.dynamic_slice(x, (0,), (n * 2,))
jax.random.normal(jax.random.PRNGKey(0), (n - 1,))
jax.vmap(lambda u: u)(jnp.zeros(n)) + x
jnp.einsum("i,i->", x, jnp.zeros(n))
json.loads(s)
getattr(s, "foo" * n)
heapq.heappop(l2)
"%d" % s
"%d %d" % t
"{} {}".format(*l2)
"{:d}".format(f)
f"{s:d}"
f"{s:{n}d}"
s + n
bytes([n - 1])
bytes(n - 1)
int.from_bytes(b"a", s)
s.encode(s)
"x".join(l2)
"x".join(l2 or ["a"])
[3, "a"].sort() if b else 0
sorted([1, "a"] if b else [1])
sum([["a"]] if b else [1])
len(5 if b else "a")
hash([1] if b else 1)
{[1] if b else 1}
{([1] if b else 1): 2}
int(None if b else 1)
(None if b else "a").upper()
(None if b else [1])[0]
for_ = [k for k in (None if b else [1])]
print(*(None if b else [1]))
(lambda u: u)(*l2)
(lambda u: u)(**{s: 1})
dict([l2])
dict([(1, 2, 3)] if b else [])
dict(zip(l2, [[]]))
issubclass(s, int)
type(s)(*l2)
complex(s)
round(s)
abs(s)
pow(0, -n)
itertools.islice([1], n - 1)
list(itertools.islice([1], n - 1))
collections.Counter(n)
[1,2].index(2, n, n)
bisect.bisect([1, "a"], n)
np.zeros(3)[s]
np.zeros((2,2))[n, n]
np.zeros((2,2))[:, n]
np.zeros((2,2)).sum(axis=n)
np.zeros((2,2)).transpose(n, 0)
np.expand_dims(np.zeros(2), n)
np.swapaxes(np.zeros((2,2)), n, 0)
np.squeeze(np.zeros((1,2)), n)
np.take([1,2], n)
np.broadcast_to(np.zeros(2), (n, n))
np.repeat([1,2], [1]*n)
np.bincount(l2)
np.interp(0, l2, [1,2])
np.roll([1], 1, axis=n)
jnp.expand_dims(x, n)
x.sum(axis=n)
x.sum(n)
jnp.squeeze(jnp.ones((1, 2)), n)
jnp.swapaxes(jnp.ones((2, 2)), n, 0)
jnp.broadcast_to(x, (n, n))
jnp.take(x, n)
x.at[n].set(jnp.zeros(n))
jnp.array(s)
jnp.array(l2 if b else [[1], [1, 2]])
x.astype(s)
x @ (jnp.ones(3) if b else jnp.ones(4))
jnp.zeros(3, s)
jax.tree.map(lambda u, v: u, [1, 2], l2)
jax.lax.scan(lambda c, u: (c, u), 0., jnp.zeros(n))
jax.lax.fori_loop(0, n, lambda i, c: c, x)
jax.grad(lambda u: u)(jnp.zeros(n))
jax.jit(lambda u: u + x)(jnp.zeros(n))
raise ValueError if b else KeyError
""".strip().split("\n")
NEVER_RAISE = """
n + 1
n * f - 2
n / 2 + n % 3
n & 1 | 2
n ** 2
n << 1
n < 3 and f >= n
n == "a"
s + "b" + s * 2
s.upper().strip()
s < "b"
s in "abc"
l2.append(n)
l2.extend(l2)
l2 + [1]
(n,) + (1,)
len(l2)
list(l2) + list(enumerate(l2))
range(n)
range(1, n)
d.get(n)
d.get(n, 0)
d.items()
d.pop(n, None)
d.setdefault(n, 2)
d.update({n: 1})
st.add(n)
st.discard(n)
st | {n}
st & st
str(n) + repr(f)
f"{n} {f} {s}"
print(n, f, l2)
int(n)
float(n)
[k + 1 for k in l2]
x * f
x + x
np.zeros(3) * f
a.shape
x.sum()
jnp.sin(x)
x[0]
x[None, :2]
not n
-n
-f
""".strip().split("\n")


def _program(operations: list[str]) -> str:
    tries = (
        f"e{i} = None\ntry:\n    {operation}\nexcept BaseException:\n    e{i} = 1\n"
        for i, operation in enumerate(operations)
    )
    return SETUP + "".join(tries)


def _each(operations: list[str], size: int = 40) -> list[list[str]]:
    return [operations[i : i + size] for i in range(0, len(operations), size)]


@pytest.mark.parametrize("operations", _each(MAY_RAISE), ids=lambda o: str(o[0]))
def test_the_handler_may_run(operations: list[str]) -> None:
    variables, result = interpreted(_program(operations))
    assert not result.crashes
    exact = [o for i, o in enumerate(operations) if not isinstance(variables[f"e{i}"], ScalarValue | int)]
    assert [o for o in exact if variables[f"e{operations.index(o)}"] is None] == []


@pytest.mark.parametrize("operations", _each(NEVER_RAISE, 100), ids=lambda o: str(o[0]))
def test_what_never_raises_has_no_handler(operations: list[str]) -> None:
    variables, _ = interpreted(_program(operations))
    assert [o for i, o in enumerate(operations) if variables[f"e{i}"] is not None] == []


@pytest.mark.parametrize("operations", [*_each(MAY_RAISE), *_each(NEVER_RAISE, 100)], ids=lambda o: str(o[0]))
def test_every_run_is_described(operations: list[str]) -> None:
    source = _program(operations)
    variables, _ = interpreted(source)
    wrong: dict[str, None] = {}
    for seed in range(4):
        random.seed(seed)
        np.random.seed(seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            real = run(source)
        for i, operation in enumerate(operations):
            if difference(variables[f"e{i}"], real[f"e{i}"]) is not None:
                wrong[operation] = None
    assert list(wrong) == []
