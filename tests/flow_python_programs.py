"""Small programs for the tests of flow on Python itself, divided by lines of dashes."""

PROGRAMS = """
a = [1, 2]
a.append(3)
a.extend((4, 5))
a.insert(1, 9)
b = a.pop()
c = a.pop(0)
a.remove(9)
d = a.index(3)
e = a.count(2)
---
a = [3, 1, 2]
a.sort()
b = a.copy()
b.reverse()
c = sorted(a, reverse=True)
a.sort(key=lambda x: -x)
a.clear()
---
names = ["b", "a", "c"]
names.sort()
pairs = sorted([(2, "x"), (1, "y"), (2, "a")])
by = sorted(["ccc", "a", "bb"], key=len)
---
from collections import deque
q = deque([1, 2, 3])
q.appendleft(0)
q.append(4)
x = q.popleft()
y = q.pop()
q.rotate(1)
q.extendleft([7, 8])
n = len(q)
---
d = {"a": 1}
d["b"] = 2
x = d.get("a")
y = d.get("z")
z = d.get("z", 5)
d.update({"c": 3}, e=4)
w = d.pop("a")
v = d.setdefault("b", 9)
u = d.setdefault("q", [])
u.append(1)
keys = list(d.keys())
values = list(d.values())
items = list(d.items())
---
d = dict(a=1, b=2)
e = dict([("x", 1), ("y", 2)])
f = dict(e, z=3)
g = dict.fromkeys(["p", "q"], 0)
h = d.copy()
d.clear()
k = h.popitem()
m = {**e, "x": 5}
---
d = {"a": 1, "b": 2}
t = 0
for k, v in d.items():
    t += v
common = d.keys() & {"a", "z"}
more = d.keys() | {"q"}
less = d.keys() - {"a"}
has = "a" in d
inverse = {v: k for k, v in d.items()}
---
from collections import defaultdict
d = defaultdict(list)
for i in range(5):
    d[i % 2].append(i)
n = defaultdict(int)
for c in "hello":
    n[c] += 1
m = dict(n)
---
from collections import Counter
c = Counter("abracadabra")
top = c.most_common(2)
c.update("zz")
c["q"] += 1
none = c["missing"]
t = c.total()
e = sorted(c.elements())
---
from collections import OrderedDict
d = OrderedDict()
d["x"] = 1
d["y"] = 2
d.move_to_end("x")
f = d.popitem(last=False)
---
s = {1, 2, 3}
s.add(4)
s.discard(1)
s.discard(99)
s.remove(2)
u = s | {7}
i = s & {3}
d = s - {3}
x = s ^ {3, 5}
a = s.union([8], (9,))
b = s.issubset({3, 4, 5})
c = s.isdisjoint({1})
e = sorted(s)
f = frozenset([1, 2])
l = list(s)
---
s = {"x", "y"}
n = len(s)
t = sorted(s)
m = max(s)
s.update(["z"], {"w"})
s.intersection_update({"x", "z"})
---
from typing import NamedTuple
class P(NamedTuple):
    x: int
    y: int = 2
p = P(1)
q = p._replace(y=5)
d = p._asdict()
x, y = q
i = p.index(1)
f = P._fields
---
from collections import namedtuple
P = namedtuple("P", "x y")
p = P(1, y=2)
a = p.x + p[1]
Q = namedtuple("Q", ["a", "b"], defaults=[7])
q = Q(3)
---
t = (1, 2, 2)
a = t.count(2)
b = t.index(2)
c = t + (5,)
d = t * 2
e = t[::-1]
---
s = "a,b,c"
a = s.split(",")
b = "-".join(a)
c = s.upper().replace("A", "x")
d = "{} {x}".format(1, x=2)
e = f"{3.14159:.2f}"
f = s.startswith("a")
g = s.find("b")
h = "%d-%s" % (1, "z")
i = "x".join(["p", "q"])
j = " pad ".strip()
k = s.partition(",")
l = s.encode()
m = "abc"[::-1]
---
a = len([1, 2])
b = len("abc")
c = len({})
d = len(range(10))
e = len((1,))
---
a = list(range(3))
b = list(range(2, 8, 2))
c = range(5)
d = c[2]
e = 3 in c
f = list(reversed(c))
g = range(10)[2:5]
---
a = list(zip([1, 2], "ab"))
b = list(zip([1, 2, 3], [4, 5]))
c = dict(zip("ab", [1, 2]))
x, y = zip(*[(1, 2), (3, 4)])
z = list(zip())
---
i = iter([1, 2, 3, 4])
a = list(zip(i, i))
j = iter([1, 2, 3])
b = list(zip([7], j))
c = list(j)
k = iter([1, 2, 3])
d = list(zip(k, [7]))
e = list(k)
---
a = list(enumerate("ab"))
b = list(enumerate([5, 6], start=1))
for n, x in enumerate([7, 8], 3):
    last = n, x
---
i = iter([1, 2])
a = next(i)
b = next(i)
c = next(i, None)
d = next(iter("xyz"))
---
a = list(map(lambda x: x * 2, [1, 2]))
b = list(map(lambda x, y: x + y, [1, 2], [3, 4]))
c = list(filter(lambda x: x > 1, [1, 2, 3]))
d = list(filter(None, [0, 1, ""]))
e = list(map(str, [1, 2]))
f = list(map(int, ["1", "2"]))
---
a = any([0, 1])
b = all([1, 0])
c = any([])
d = all(x > 0 for x in [1, 2])
---
a = sum([1, 2, 3])
b = sum([1.5, 2])
c = sum([[1], [2]], [])
d = sum(range(100))
e = sum(x * x for x in range(4))
f = sum([1], start=5)
---
a = max(1, 5, 3)
b = min([4, 2])
c = max([], default=0)
d = max("abc", key=lambda c: -ord(c))
e = min({"a": 1, "b": 0}.items(), key=lambda p: p[1])
f = max(range(100000))
---
a = abs(-3)
b = round(2.567, 1)
c = round(2.5)
d = pow(2, 5)
e = divmod(7, 2)
f = pow(2, 5, 7)
g = abs(3 + 4j)
---
a = int("12")
b = float("1.5")
c = bool([])
d = complex(1, 2)
e = str(1.0)
f = repr("x")
g = int(3.9)
h = int("ff", 16)
i = chr(65) + str(ord("a"))
j = hex(255) + bin(5)
k = str([1, 2]) + str({"a": (1, None)})
l = float("inf")
m = format(3.14159, ".2f")
n = bool("x")
---
a = list("abc")
b = tuple([1, 2])
c = set([1, 2, 1])
d = frozenset()
e = list()
f = dict()
g = tuple(x for x in range(3))
---
class A:
    pass
class B(A):
    pass
b = B()
x = [isinstance(b, A), isinstance(b, int), isinstance(1, (int, str)), isinstance("s", int | str)]
y = [issubclass(B, A), issubclass(A, B), issubclass(bool, int)]
z = [isinstance([], list), isinstance({}, dict), isinstance((), tuple), isinstance(None, type(None))]
w = [isinstance(lambda: 0, type(lambda: 0)), isinstance(A, type), isinstance(b, object)]
---
class A:
    x = 1
    def f(self):
        return 2
a = A()
b = [hasattr(a, "x"), hasattr(a, "f"), hasattr(a, "zz")]
c = getattr(a, "x")
d = getattr(a, "zz", 7)
setattr(a, "q", 5)
e = a.q
delattr(a, "q")
g = hasattr(a, "q")
h = getattr(a, "f")()
---
class A:
    def __call__(self):
        return 1
class B:
    pass
a = [callable(A()), callable(B()), callable(len), callable(3), callable(lambda: 0), callable(A)]
---
a = type(1)
b = type([]).__name__
class C:
    pass
d = type(C()) is C
e = type(C()).__name__
f = type({}) is dict
---
class A:
    def __init__(self):
        self.v = 1
    @property
    def p(self):
        return self.v + 1
    @p.setter
    def p(self, x):
        self.v = x
    @staticmethod
    def s(x):
        return x
    @classmethod
    def c(cls):
        return cls()
a = A()
b = a.p
a.p = 10
c = A.s(3)
d = A.c().v
e = a.p
---
class A:
    def f(self):
        return 1
class B(A):
    def f(self):
        return super(B, self).f() + 1
a = B().f()
---
import itertools
a = list(itertools.chain([1], [2, 3]))
b = list(itertools.chain.from_iterable([[1], [2]]))
c = list(itertools.product([1, 2], "ab"))
d = list(itertools.permutations([1, 2, 3], 2))
e = list(itertools.combinations("abc", 2))
f = list(itertools.islice([1, 2, 3, 4], 1, 3))
g = list(itertools.accumulate([1, 2, 3]))
h = list(itertools.accumulate([1, 2, 3], lambda x, y: x * y, initial=2))
i = list(itertools.repeat(7, 3))
j = list(itertools.starmap(lambda x, y: x + y, [(1, 2), (3, 4)]))
k = list(itertools.pairwise([1, 2, 3]))
l = list(itertools.zip_longest([1], [2, 3], fillvalue=0))
m = list(itertools.takewhile(lambda x: x < 3, [1, 2, 5, 1]))
n = list(itertools.dropwhile(lambda x: x < 3, [1, 2, 5, 1]))
o = list(itertools.filterfalse(lambda x: x % 2, range(5)))
p = list(itertools.compress("abc", [1, 0, 1]))
q = [(key, list(group)) for key, group in itertools.groupby("aabbc")]
---
import itertools
a, b = itertools.tee([1, 2])
x = list(a)
y = list(b)
z = list(itertools.islice(itertools.repeat(5), 3))
w = list(zip([1, 2], itertools.repeat("k")))
i = iter(range(10))
p = list(itertools.islice(i, 3))
q = next(i)
r = list(itertools.combinations_with_replacement([1, 2], 2))
s = list(itertools.product([0, 1], repeat=2))
---
from functools import partial, reduce
def f(a, b, c=3):
    return a, b, c
g = partial(f, 1)
x = g(2)
h = partial(f, c=9)
y = h(1, 2)
k = partial(g, 5)
z = k()
r = reduce(lambda a, b: a + b, [1, 2, 3])
s = reduce(lambda a, b: a * b, [], 7)
t = g.args
---
import functools
def deco(f):
    @functools.wraps(f)
    def inner(*args, **kwargs):
        return f(*args, **kwargs) + 1
    return inner
@deco
def g(x):
    return x
a = g(1)
n = g.__name__
---
import functools
@functools.lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
a = fib(10)
@functools.cache
def g(x):
    return x + 1
b = g(1)
---
import functools
class A:
    def __init__(self, v):
        self.v = v
    @functools.cached_property
    def twice(self):
        return self.v * 2
    @functools.lru_cache
    def m(self):
        return self.v
a = A(2)
b = a.twice
c = a.m()
---
import functools
class A:
    def f(self, x, y):
        return x, y
    g = functools.partialmethod(f, 1)
a = A().g(2)
---
import math
a = math.sqrt(4)
b = math.floor(2.5)
c = math.pi
d = math.prod([2, 3])
e = math.gcd(12, 8)
f = math.log2(8)
g = math.isclose(1.0, 1.0)
h = math.ceil(7 / 2)
i = math.factorial(5)
j = math.hypot(3, 4)
k = math.inf
l = math.comb(5, 2)
m = math.isnan(math.nan)
---
import operator
a = operator.add(1, 2)
b = operator.itemgetter(1)([5, 6])
c = operator.itemgetter("x", "y")({"x": 1, "y": 2})
class P:
    def __init__(self):
        self.q = 4
    def m(self, k):
        return k
d = operator.attrgetter("q")(P())
e = operator.methodcaller("m", 3)(P())
f = operator.neg(3)
g = operator.not_(0)
h = operator.contains([1], 1)
i = operator.getitem([7], 0)
---
from dataclasses import dataclass, field, replace, asdict, astuple, fields, is_dataclass
@dataclass
class A:
    x: int
    y: float = 2.0
    z: list = field(default_factory=list)
a = A(1)
b = replace(a, x=5)
c = asdict(a)
d = astuple(b)
e = [f.name for f in fields(A)]
f = [is_dataclass(a), is_dataclass(A), is_dataclass(3)]
a.z.append(3)
g = asdict(a)["z"]
---
from dataclasses import dataclass
@dataclass(frozen=True)
class C:
    n: int = 3
    def twice(self):
        return self.n * 2
@dataclass(frozen=True)
class D(C):
    m: int = 4
a = C().twice()
b = D(m=1)
c = D(7, 8)
---
from dataclasses import dataclass, field
@dataclass
class A:
    x: int
    total: int = field(init=False)
    def __post_init__(self):
        self.total = self.x * 2
a = A(3)
---
from dataclasses import dataclass, KW_ONLY
@dataclass(kw_only=True)
class A:
    x: int = 1
@dataclass
class B(A):
    y: int
    _: KW_ONLY
    z: int = 0
b = B(5, x=2, z=3)
---
from dataclasses import dataclass, InitVar
@dataclass
class A:
    x: int
    scale: InitVar[int] = 2
    def __post_init__(self, scale):
        self.x = self.x * scale
a = A(3)
b = A(3, 5)
---
from dataclasses import dataclass, asdict
@dataclass
class In:
    v: int
@dataclass
class Out:
    i: In
    many: list
a = asdict(Out(In(1), [In(2)]))
---
from typing import cast, NewType, TypeVar, TYPE_CHECKING, Optional, overload, Generic
T = TypeVar("T")
Id = NewType("Id", int)
a = cast(int, 5)
b = Id(3)
c = TYPE_CHECKING
class Box(Generic[T]):
    def __init__(self, v: T):
        self.v = v
d = Box(3).v
---
from typing import TypedDict
class P(TypedDict):
    x: int
p = P(x=1)
q: P = {"x": 2}
---
from enum import Enum, auto, IntEnum
class C(Enum):
    RED = auto()
    BLUE = auto()
class N(IntEnum):
    ONE = 1
    TWO = 2
a = C.RED
b = C.BLUE.value
c = C.RED.name
d = [m.name for m in C]
e = N.TWO + 1
f = C.RED == C.RED
g = C.RED is C.BLUE
h = C["RED"]
i = C(2)
j = len(C)
---
import abc
class A(abc.ABC):
    @abc.abstractmethod
    def f(self): ...
class B(A):
    def f(self):
        return 1
a = B().f()
---
import contextlib
class S:
    v = 0
log = []
@contextlib.contextmanager
def using(s, v):
    old = s.v
    s.v = v
    log.append("in")
    yield v + 1
    s.v = old
    log.append("out")
s = S()
with using(s, 5) as w:
    inside = s.v
    log.append("body")
after = s.v
---
import contextlib
@contextlib.contextmanager
def step(n):
    try:
        yield n
    finally:
        pass
with step(1) as a, step(2) as b:
    c = a + b
    with step(1) as d:
        e = d
def f():
    with step(3) as x:
        return x
g = f()
---
import contextlib
with contextlib.nullcontext(4) as a:
    b = a
with contextlib.suppress(KeyError):
    c = 1
---
import copy
a = [1, [2, 3]]
b = copy.copy(a)
c = copy.deepcopy(a)
a[1].append(4)
a.append(5)
class P:
    def __init__(self):
        self.x = [1]
p = P()
q = copy.deepcopy(p)
p.x.append(2)
---
from types import SimpleNamespace
n = SimpleNamespace(a=1, b=[2])
n.c = 3
x = n.a + n.c
---
import string, json
a = string.ascii_lowercase[:3]
b = json.loads('{"x": [1, 2]}')
---
import os
a = os.path.join("a", "b.txt")
b = os.path.basename(a)
c = os.path.splitext(b)
---
import sys
def main():
    x = 1
    return x
if __name__ == "__main__":
    y = main()
    z = sys.version_info >= (3, 8)
---
try:
    d = {}
    d["x"]
    a_ = 1
except KeyError:
    a_ = 2
---
try:
    a = int("12")
except ValueError:
    a = 0
else:
    b = a
finally:
    c = 1
---
def f(x):
    if x < 0:
        raise ValueError("negative")
    return x
try:
    a = f(-1)
except ValueError:
    a = 0
b = f(2)
---
e = ValueError("x", 3)
k = isinstance(e, Exception)
---
def gen(n):
    for i in range(n):
        yield i * i
a = list(gen(4))
b = sum(gen(3))
g = gen(3)
c = next(g)
d = list(g)
x, *y = gen(3)
---
def inner():
    yield 1
    yield 2
def outer():
    yield 0
    yield from inner()
a = list(outer())
b = dict((k, k) for k in outer())
---
a = [x + y for x in range(2) for y in range(2)]
b = {x: x * x for x in range(3)}
c = {x % 2 for x in range(4)}
d = [x for x in range(5) if x % 2]
e = [[i * j for j in range(2)] for i in range(2)]
---
a, (b, *c) = 1, (2, 3, 4)
a, b = b, a
*d, e = "xyz"
x = y = [1]
y.append(2)
---
n = 0
while n < 5:
    n += 1
    if n == 3:
        break
else:
    n = 100
m = [i for i in range(3)]
for i in m:
    if i == 1:
        continue
else:
    done = True
---
def f(*args, **kwargs):
    return args, kwargs
a = f(1, 2, x=3)
b = f(*[1], **{"y": 2})
def g(a, /, b, *, c=1):
    return a, b, c
d = g(1, b=2)
---
def counter():
    n = 0
    def inc():
        nonlocal n
        n += 1
        return n
    return inc
c = counter()
a = c()
b = c()
total = 0
def add():
    global total
    total += 1
add()
add()
---
class A:
    def __init__(self, v):
        self.v = v
    def __add__(self, o):
        return A(self.v + o.v)
    def __eq__(self, o):
        return self.v == o.v
    def __lt__(self, o):
        return self.v < o.v
    def __len__(self):
        return 3
    def __getitem__(self, i):
        return i * 2
    def __contains__(self, x):
        return x == 1
    def __str__(self):
        return "A!"
    def __float__(self):
        return 2.5
    def __bool__(self):
        return False
    def __iter__(self):
        return iter([1, 2])
    def __hash__(self):
        return 3
a = A(1) + A(2)
b = A(1) == A(1)
c = len(a)
d = a[4]
e = 1 in a
f = str(a)
g = float(a)
h = bool(a)
i = list(a)
j = max(A(1), A(3)).v
k = sorted([A(3), A(1)])[0].v
---
class It:
    def __init__(self, n):
        self.n = n
    def __iter__(self):
        return self
    def __next__(self):
        self.n -= 1
        return self.n
i = It(3)
a = next(i)
b = next(i)
---
class M:
    def __enter__(self):
        self.x = 1
        return self
    def __exit__(self, *args):
        self.x = 2
with M() as m:
    a = m.x
b = m.x
---
def f(x):
    match x:
        case 0:
            return "zero"
        case [a, b]:
            return a + b
        case {"k": v}:
            return v
        case str():
            return "s"
        case _:
            return None
a = [f(0), f([1, 2]), f({"k": 3}), f("x"), f(2.0)]
---
import warnings, logging
warnings.filterwarnings("ignore")
log = logging.getLogger("x")
a = log.info("hello %s", 1)
b = logging.basicConfig(level=logging.INFO)
c = print("x", end="")
---
import heapq, bisect
h = [3, 1, 2]
heapq.heapify(h)
heapq.heappush(h, 0)
x = heapq.heappop(h)
y = heapq.nlargest(2, h)
l = [1, 4]
bisect.insort(l, 3)
a = bisect.bisect([1, 3, 5], 3)
---
a = "abc".__len__()
b = [1, 2].__len__()
c = (1).bit_length()
d = (2.0).is_integer()
e = "x".center(5, "*")
---
a = [*range(2), *"ab"]
b = {*[1, 2], 3}
c = {**{"a": 1}, "b": 2}
d = (*[1], 2)
---
x = [0] * 3
x[1] = 5
x[0:1] = [7, 8]
del x[-1]
y = [[0] * 2 for _ in range(2)]
y[0][1] = 1
z = x + [1]
x += [9]
w = x
w += [10]
---
d = {"a": {"b": 1}}
d["a"]["c"] = 2
e = d["a"]
e["z"] = 3
del d["a"]["b"]
n = {k: {**v} for k, v in d.items()}
---
a = sorted({3, 1, 2})
b = list({0, 1, 2})
c = sorted(["b", "a"], reverse=True)
d = "".join(sorted("hello"))
---
import datetime, re
a = datetime.timedelta(seconds=60).total_seconds()
---
a = (lambda x, y=2: x + y)(1)
b = [f(2) for f in [lambda x: x + 1, lambda x: x * 5]]
c = {"f": len}["f"]("abc")
---
def make(n):
    return [lambda x, i=i: x + i for i in range(n)]
a = [f(10) for f in make(3)]
---
a = 1 if [] else 2
b = None or "x"
c = 0 and 1
d = not 3
e = 1 < 2 < 3
f = (n := 5) + n
---
a = int(True) + int(2.0)
b = float(3)
c = 7 // 2, 7 % 3, 2 ** 10, 7 / 2, -7 // 2
d = 1e3, 0x10, 1_000
e = 5 & 3, 5 | 3, 5 ^ 3, 1 << 4, ~5
f = round(-0.5), round(1234, -2)
---
a = iter([1])
b = list(a)
c = list(a)
d = list(zip(range(3), range(10, 13)))
m = map(lambda v: v + 1, [1, 2])
e = list(m)
g = list(m)
---
from collections.abc import Iterable, Mapping, Sequence, Callable
a = [isinstance([1], Iterable), isinstance({}, Mapping), isinstance("x", Sequence), isinstance(3, Iterable)]
---
import numbers
a = [isinstance(1, numbers.Number), isinstance(1.5, numbers.Integral), isinstance("x", numbers.Real)]
---
from fractions import Fraction
from decimal import Decimal
a = Fraction(1, 3) + 1
b = Decimal("1.5")
---
class Meta:
    registry = {}
    def __init_subclass__(cls, **kw):
        Meta.registry[cls.__name__] = 1
class A(Meta):
    pass
class B(Meta):
    pass
r = list(Meta.registry)
---
class V:
    __slots__ = ("x",)
    def __init__(self, x):
        self.x = x
v = V(3)
w = v.x
---
class A:
    count = 0
    def __init__(self):
        A.count += 1
        self.items = []
    def add(self, x):
        self.items.append(x)
        return self
a = A().add(1).add(2)
b = A()
n = A.count
---
def apply(f, xs):
    out = []
    for x in xs:
        out.append(f(x))
    return out
acc = []
r = apply(acc.append, [1, 2])
s = list(map(acc.append, [3]))
---
d = {}
for w in "a b a".split():
    d[w] = d.get(w, 0) + 1
most = max(d, key=d.get)
total = sum(d.values())
best = max(d.items(), key=lambda kv: kv[1])[0]
rank = sorted(d.items(), key=lambda kv: (-kv[1], kv[0]))
---
class A:
    def __init__(self, **kw):
        self.__dict__.update(kw)
a = A(x=1, y=2)
b = a.x + a.y
c = vars(a)
---
import argparse
p = argparse.ArgumentParser()
a = 1
del p
---
def f(n):
    return 1 if n == 0 else n * f(n - 1)
a = f(6)
def even(n):
    return True if n == 0 else odd(n - 1)
def odd(n):
    return False if n == 0 else even(n - 1)
b = even(7)
---
text = "one two\\nthree"
lines = text.splitlines()
words = [w for l in lines for w in l.split()]
counts = {w: len(w) for w in words}
title = " ".join(w.capitalize() for w in words)
---
m = [[1, 2, 3], [4, 5, 6]]
t = [list(r) for r in zip(*m)]
flat = [x for r in m for x in r]
rows, cols = len(m), len(m[0])
diag = sum(m[i][i] for i in range(2))
---
import dataclasses
@dataclasses.dataclass
class Config:
    sizes: tuple = (1, 2)
    name: str = "x"
    @property
    def depth(self):
        return len(self.sizes)
c = Config(name="y")
layers = [(a, b) for a, b in zip(c.sizes[:-1], c.sizes[1:])]
d = dataclasses.replace(c, sizes=(1, 2, 3)).depth
---
import statistics, re
a = statistics.mean([1, 2, 3])
b = re.sub("a", "b", "banana")
c = statistics.median([3.0, 1.0])
---
a = list(map(str.upper, ["a", "b"]))
b = list(map(str.strip, [" x "]))
c = sorted(["B", "a"], key=str.lower)
d = dict.fromkeys("ab")
e = list(map(len, [[1], "abc"]))
f = list.copy([1, 2])
---
class Base:
    def __init__(self, x):
        self.x = x
    def area(self):
        raise NotImplementedError
class Sq(Base):
    def __init__(self, x):
        super().__init__(x)
        self.name = type(self).__name__
    def area(self):
        return self.x ** 2
shapes = [Sq(2), Sq(3)]
a = [s.area() for s in shapes]
b = sum(s.area() for s in shapes)
c = shapes[0].name
d = max(shapes, key=lambda s: s.area()).x
---
def chunks(xs, n):
    for i in range(0, len(xs), n):
        yield xs[i : i + n]
a = list(chunks([1, 2, 3, 4, 5], 2))
b = {i: c for i, c in enumerate(chunks("abcd", 2))}
---
import contextlib
class Timer(contextlib.ContextDecorator):
    pass
@contextlib.contextmanager
def tag(name, out):
    out.append("<" + name + ">")
    try:
        yield out
    finally:
        out.append("</" + name + ">")
out = []
with tag("a", out):
    with tag("b", out) as o:
        o.append("x")
text = "".join(out)
---
from functools import reduce
from operator import mul
def compose(*fs):
    return reduce(lambda f, g: lambda x: g(f(x)), fs)
a = compose(lambda x: x + 1, lambda x: x * 2)(3)
b = reduce(mul, [2, 3, 4])
---
from dataclasses import dataclass, field
@dataclass(order=True)
class Item:
    priority: int
    name: str = field(compare=False, default="")
    tags: list[str] = field(default_factory=list)
items = [Item(2, "b"), Item(1, "a", ["t"])]
names = [i.name for i in items]
tags = items[1].tags
items[0].tags.append("z")
n = len(items[1].tags)
---
data = [("x", 3), ("y", 1), ("x", 4)]
groups = {}
for k, v in data:
    groups.setdefault(k, []).append(v)
totals = {k: sum(v) for k, v in groups.items()}
first, *rest = sorted(totals.items(), key=lambda kv: kv[1], reverse=True)
nested = {"a": {"b": [1, 2, {"c": 3}]}}
deep = nested["a"]["b"][-1]["c"]
---
x = 10
def outer():
    x = 20
    def inner():
        return x
    return inner
class K:
    x = 30
    y = [x, x + 1]
    def m(self):
        return x
a = outer()()
b = K().m()
c = K.y
---
fizz = ["FizzBuzz" if i % 15 == 0 else "Fizz" if i % 3 == 0 else "Buzz" if i % 5 == 0 else i for i in range(1, 16)]
primes = [n for n in range(2, 30) if all(n % d for d in range(2, int(n**0.5) + 1))]
fib = [0, 1]
while len(fib) < 10:
    fib.append(fib[-1] + fib[-2])
---
import asyncio
class L:
    async def __aenter__(self): return 3
    async def __aexit__(self, *a): return None
    async def twice(self): return 2 * await self.__aenter__()
async def one(): return 1
async def main():
    async with L() as l:
        k = await one()
    return k + 1
y = asyncio.run(main()); z = asyncio.run(L().twice())
---
import asyncio
log = []
class Entered:
    async def __aenter__(self): self.n = 3; log.append("in"); return self
    async def __aexit__(self, *a): log.append("out")
async def note(x):
    log.append(x)
    return x
async def down(n): return 0 if n == 0 else n + await down(n - 1)
def gives():
    log.append("never")
    yield 1
early = note(1)
never = note(9); never.close()
unread = gives(); unread.close()
a = len(log); b = list(unread)
async def main():
    late = note(2)
    first = await early
    log.append(3)
    second = await late
    both = await asyncio.gather(note(4), note(5))
    entered = Entered()
    async with entered as same:
        log.append(same.n)
    return first, second, both, entered.n, await down(4)
c = asyncio.run(main())
del early, never, unread, Entered
"""

UNKNOWN_INPUTS = """
import secrets
a, b = secrets.token_hex(4), secrets.token_urlsafe()
c, d = secrets.token_bytes(3), secrets.randbelow(10)
n, name = secrets.randbits(8), f"run-{a}"
---
xs = [1, 2, 3]
it = iter(xs)
a = next(it)
xs[1:2] = [7, 8]
xs.insert(0, 9)
b = list(it)
class C:
    def __init__(self, items): self.inner = iter(items)
    def __iter__(self): return self
    def __next__(self): return next(self.inner)
ys = [1, 2, 3]
c = C(ys)
d = next(iter(c), None)
ys[1:2] = [1, 1]
e = list(c)
---
xs = [1, 2, 3]
r1, r2, r3, r4, r5, r6 = enumerate(xs), zip(xs, xs), map(str, xs), filter(None, xs), reversed(xs), (x for x in xs)
h = [next(r) for r in (r1, r2, r3, r4, r6)]
xs.append(5)
xs[1] = 8
a, b, c, d, f = list(r1), list(r2), list(r3), list(r4), list(r6)
import itertools
ys = [1, 2, 3]
s1, s2, s3, s4 = itertools.islice(ys, 5), itertools.chain(ys, [4]), itertools.accumulate(ys), itertools.cycle(ys)
k = [next(s) for s in (s1, s2, s3, s4)]
ys.append(7)
g1, g2, g3, g4 = list(s1), list(s2), list(s3), [next(s4) for _ in range(4)]
def gen(v):
    for q in v: yield q
zs = [1, 2]
z = gen(zs)
z1 = next(z)
zs.append(3)
z2 = list(z)
ws = [1, 2]
w = iter(ws)
for t in w:
    if len(ws) < 5: ws.append(t)
us = [1, 2]
out = []
for u in us:
    if len(us) < 5: us.append(u + 1)
    out.append(u)
---
class Single(type):
    made = {}
    def __call__(cls, *a, **k):
        if cls not in Single.made:
            Single.made[cls] = super().__call__(*a, **k)
        return Single.made[cls]
    def __getitem__(cls, i): return i + 1
    def __iter__(cls): return iter([1, 2])
    def __len__(cls): return 7
    def __contains__(cls, x): return True
    def __getattr__(cls, name): return name + "!"
    def __add__(cls, o): return 11
class A(metaclass=Single):
    v = 5
    def __init__(self, n): self.n = n
a1, a2 = A(1), A(2)
n, same, item, all_, size = a2.n, a1 is a2, A[3], list(A), len(A)
within, other, own, plus = 9 in A, A.zzz, A.v, A + 1
for last in A: pass
is_a, name = isinstance(a1, A), A.__name__
class B(A): pass
b1, item2 = B(4), B[1]
keywords = dict(metaclass=Single)
class C(**keywords):
    def __init__(self, n): self.n = n
c1, c2 = C(3), C(4)
n2, item3 = c2.n, C[2]
---
import contextlib
log = []
class M:
    def __init__(self, n): self.n = n
    def __enter__(self):
        log.append(("in", self.n))
        return self
    def __exit__(self, *a): log.append(("out", self.n))
with contextlib.ExitStack() as stack:
    m = stack.enter_context(M(1))
    log.append(5)
first = list(log)
n = len(log)
---
import contextlib
log, more, last = [], [], []
@contextlib.contextmanager
def noted(k):
    log.append(k)
    yield k
    log.append(-k)
with contextlib.ExitStack() as stack:
    x = stack.enter_context(noted(4))
    y = [stack.enter_context(noted(i)) for i in (5, 6)]
    stack.callback(more.append, 9)
    stack.callback(lambda: last.insert(0, 3))
n, k, l = len(log), len(more), len(last)
---
import contextlib
log = []
class Resource:
    open = True
    def close(self):
        log.append("closed")
        self.open = False
def use():
    with contextlib.closing(Resource()) as r:
        log.append("used")
        return r
r = use()
n, is_open = len(log), r.open
---
import threading
seen = []
class Worker:
    def __init__(self, k): self.k = k
    def run(self): seen.append(self.k)
    def start(self):
        t = threading.Thread(target=self.run)
        t.start()
        t.join()
Worker(2).start()
n = len(seen)
---
import contextlib
import jax.numpy as jnp
log = []
class M:
    def __init__(self, n): self.n = n
    def __enter__(self): log.append(("in", self.n)); return self
    def __exit__(self, *a): log.append(("out", self.n)); self.n = self.n + 1
def f(m, c):
    with m:
        if c: return 1
        log.append("go")
    return 2
m = M(3)
a = f(m, True)
n1 = m.n
l1 = len(log)
b = f(m, False)
n2 = m.n
l2 = len(log)
def g(x):
    with m:
        if x.sum() > 0:
            return m.n
        m.n = 40
    return m.n
r = g(jnp.ones(3))
n3 = m.n
def h():
    tot = 0
    for i in range(3):
        with M(i) as q:
            if i == 1: continue
            if i == 2: break
            tot += 1
        tot += q.n
    return tot, i, q.n
t = h()
l3 = len(log)
state = {"depth": 0}
@contextlib.contextmanager
def deeper(k):
    state["depth"] += k
    try:
        yield state["depth"]
    finally:
        state["depth"] -= k
@contextlib.contextmanager
def counted():
    yield
    state["done"] = state.get("done", 0) + 1
def u(c):
    with deeper(2) as d, counted():
        if c:
            return d
        state["depth"] += 10
    return state["depth"]
u1 = u(True)
d1 = state["depth"]
u2 = u(False)
d2 = state["depth"]
e2 = state["done"]
def v(x):
    with counted():
        if x.sum() > 0:
            return "a"
        state["k"] = 5
    state["l"] = 6
    return state["done"]
v1 = v(jnp.ones(2))
e3 = state["done"]
def two():
    with M(10) as one, M(20) as other:
        return one.n + other.n, one, other
s, one, other = two()
w = one.n + other.n
@counted()
def dec(c):
    if c: return 1
    return 2
z = dec(True) + dec(False)
e4 = state["done"]
---
import random
n = random.randint(1, 5)
a = list(range(n))
b = [0] * n
c = n + 1
d = n / 2
e = "x" * n
f = str(n)
g = len(a)
h = max(1, n)
i = float(n)
j = n > 2
---
import random
x = random.random()
y = "big" if x > 0.5 else 3
z = None if x > 0.5 else [1]
w = int(x * 10)
v = round(x, 2)
u = round(x)
t = abs(x - 1)
---
import random
a = [1, 2, 3]
random.shuffle(a)
b = random.choice(a)
c = random.choice(["x", 2.0])
d = random.sample(range(10), 3)
e = random.choices("ab", k=2)
f = sorted(a)
---
import random
d = {"a": 1}
if random.random() > 0.5:
    d["b"] = 2.0
k = list(d)
v = d.get("b")
w = d.get("b", 0)
n = len(d)
m = d.pop("b", None)
---
import random
a = [1]
for _ in range(random.randint(1, 3)):
    a.append("x")
b = a[0]
n = len(a)
c = a.pop()
d = list(zip(a, range(100)))
e = list(enumerate(a))
f = sorted([1, 2][: random.randint(0, 2)])
---
import random
k = random.choice(["a", "b"])
d = {"a": 1, "b": 2.0}
x = d[k]
d[k] = "s"
y = d.get(k)
s = {1, 2}
s.add(random.randint(0, 9))
z = len(s)
t = k.upper()
u = k.split("a")
w = "-".join([k, k])
v = f"{k}!"
p = "{}".format(k)
q = k.startswith("a")
r = k.find("b")
---
import random
def f(x):
    if x > 0.5:
        return x
    return None
y = f(random.random())
z = y if y is not None else 1
---
import random, itertools
i = itertools.count()
a = next(i)
b = list(zip("ab", i))
c = list(itertools.islice(itertools.cycle([1, "x"]), random.randint(0, 4)))
d = list(itertools.chain([1], [2.0] * random.randint(0, 2)))
e = list(itertools.takewhile(lambda v: v < random.random(), [0.1, 0.5]))
f = list(itertools.accumulate([1] * random.randint(0, 3)))
---
import random
acc = []
r = list(map(lambda v: acc.append(v), [1] * random.randint(0, 3)))
t = [len(acc)]
s = sum([1.5] * random.randint(0, 3))
u = max([1, 2.5][: random.randint(1, 2)])
v = any([random.random() > 0.5])
w = all([])
---
import random, math
x = random.uniform(1, 2)
a = math.sqrt(x)
b = math.floor(x)
c = math.isnan(x)
d = math.exp(x)
e = math.modf(x)
f = math.gcd(random.randint(1, 9), 6)
g = math.prod([x, 2])
h = math.pow(2, x)
---
import random, functools
x = random.randint(0, 3)
a = functools.reduce(lambda p, q: p + q, range(x), 0)
b = functools.partial(max, 3)(x)
c = divmod(x, 2)
d = isinstance(x, int)
e = isinstance(random.choice([1, "a"]), int)
f = type(x)
g = hash(x)
h = pow(x, 2)
---
import os, sys, time
a = os.environ.get("HOME")
b = os.environ.get("NOT_THERE", "d")
c = len(sys.argv)
d = time.time()
e = os.getcwd()
f = os.path.exists("/")
g = "HOME" in os.environ
h = os.getenv("X", 3)
i = time.perf_counter() - d
j = os.path.join(e, "x")
---
import random
class A:
    def __init__(self):
        self.x = 1
        if random.random() > 0.5:
            self.y = 2
a = A()
b = getattr(a, "y", None)
c = hasattr(a, "y")
setattr(a, random.choice(["x"]), 5.0)
d = a.x
---
import random
from collections import Counter, defaultdict, deque
c = Counter(random.choices("ab", k=3))
t = c.most_common(1)
d = defaultdict(list)
d[random.choice("xy")].append(1)
q = deque(maxlen=2)
for i in range(5):
    q.append(i)
r = list(q)
e = {**c}
---
s = {"x", "y", "z"}
l = list(s)
for n in s:
    last = n
p = s.pop()
f = [v + "!" for v in s]
h = hash("a")
i = id(s)
j = "-".join(s)
---
import random
from dataclasses import dataclass, replace, asdict
@dataclass
class A:
    x: int
    y: object = None
a = A(random.randint(0, 3), random.choice([None, 1.0]))
b = replace(a, y="z" if a.x > 1 else 2)
c = asdict(b)
---
import random
x = random.choice([1, "a", None])
if isinstance(x, int):
    y = x + 1
elif x is None:
    y = 0
else:
    y = len(x)
z = str(x)
---
import random
g = (i for i in range(random.randint(0, 3)))
a = next(g, None)
b = list(g)
it = iter([1, 2])
if random.random() > 0.5:
    next(it)
c = list(it)
---
import random
try:
    x = int(random.choice(["1", "z"]))
except ValueError:
    x = None
try:
    y = {"a": 1}[random.choice("ab")]
except KeyError:
    y = "none"
---
import argparse
p = argparse.ArgumentParser()
p.add_argument("--lr", type=float, default=1e-3)
p.add_argument("--n-steps", type=int, default=10)
p.add_argument("--name")
p.add_argument("--flag", action="store_true")
p.add_argument("--mode", choices=["a", "b"], default="a")
args = p.parse_args([])
del p
a = args.lr * 2
b = args.n_steps
c = args.name
d = args.flag
e = args.mode
---
import random
t = (1, "a") if random.random() > 0.5 else (2, "b")
a, b = t
c = t[random.randint(0, 1)]
d = sorted([t, (0, "z")])
e = t._replace if hasattr(t, "_replace") else 1
---
import contextlib, random
log = []
@contextlib.contextmanager
def maybe():
    if random.random() > 0.5:
        log.append(1)
    yield random.random()
with maybe() as m:
    n = m + 1
k = len(log)
---
import heapq, random
h = []
for x in [3, 1, 2]:
    heapq.heappush(h, (random.random(), x))
a = heapq.heappop(h)
n = len(h)
---
import random
d = {"a": 1} if random.random() > 0.5 else [("b", 2)]
e = dict(d)
x = random.choice([None, [1, 2], (3,)])
n = len(x or [])
l = list(x) if x else []
y = random.choice(["a", 3])
z = str(y)
w = [int, float][random.randint(0, 1)](3)
def f(a=None, *, b=1): return a if a is not None else b
v = f(random.choice([None, 2]))
s = sum([random.random() for _ in range(3)])
m = max([random.random() for _ in range(3)])
mm = max(random.random(), 0.5, key=lambda t: -t)
i = iter([1, 2, 3])
if random.random() > 0.5:
    next(i)
k = next(i)
acc = {}
for key in random.sample("abc", 2):
    acc.setdefault(key, []).append(1)
tot = sum(len(q) for q in acc.values())
st = sorted(acc, key=lambda c: acc[c])
names = {1, "x"}
jj = [type(q).__name__ for q in names]
cnt = [0]
def bump(q): cnt[0] += 1; return q
r = [bump(q) for q in range(random.randint(0, 3))]
c0 = cnt[0]
r2 = list(filter(bump, [1] * random.randint(0, 3)))
c1 = cnt[0]
---
import random
n = random.randint(0, 3)
log = []
a = [log.append(i) for i in range(n)]
k = [log.append("x") for i in range(3) if random.random() > 0.5]
c = len(log)
d = {i: log.pop() for i in range(len(log))}
"""

MISTAKES = """
len(3)
---
x = [1, 2]
x.pop(5)
---
x = []
x.pop()
---
x = [1]
x.append(1, 2)
---
[1].remove(2)
---
{}.pop("a")
---
{}.get([])
---
s = {1}
s.remove(2)
---
s = set()
s.add([1])
---
int("abc")
---
int([1])
---
float(None)
---
x = "a".join([1, 2])
---
range(1.5)
---
max([])
---
list(zip([1], [1, 2], strict=True))
---
next(iter([]))
---
next([1])
---
sum(["a", "b"], "")
---
sorted([1, "a"])
---
import math
math.sqrt(-1)
---
import math
math.sqrt("x")
---
from functools import reduce
reduce(lambda a, b: a, [])
---
[1].index(5)
---
(1, 2).index(5)
---
from collections import namedtuple
P = namedtuple("P", "x")
P(1)._replace(y=2)
---
from dataclasses import dataclass, replace
@dataclass
class A:
    x: int
replace(A(1), y=2)
---
class A:
    pass
getattr(A(), "x")
---
class A:
    pass
len(A())
---
dict([(1, 2, 3)])
---
import functools
@functools.cache
def f(x):
    return x
f([1])
---
"a".foo()
---
[1, 2].foo()
---
import random
random.sample([1], 3)
---
import itertools
list(itertools.chain(1, 2))
---
reversed({1, 2})
"""

WITHOUT_MISTAKES = """
import sys
if len(sys.argv) > 1000:
    n = int(sys.argv[1])
---
d = {}
d.setdefault("a", []).append(1)
---
import random
x = random.choice([None, 1])
if x is not None:
    y = x + 1
---
from typing import Optional
def f(x: Optional[int] = None):
    return (x or 0) + 1
f()
---
import json
def load(s):
    return json.loads(s)["a"]["b"]
load('{"a": {"b": 1}}')
---
class A:
    def __getattr__(self, n):
        return n
A().anything
---
items = [1, "a", None]
for i in items:
    if isinstance(i, str):
        i.upper()
---
from collections import defaultdict
d = defaultdict(lambda: defaultdict(int))
d["a"]["b"] += 1
---
import contextlib
with contextlib.suppress(KeyError):
    {}["x"]
---
def g():
    x = yield 1
    yield x
i = g()
next(i)
i.send(5)
---
import re
m = re.match("a(.)", "ab")
m.group(1)
---
from pathlib import Path
p = Path("a") / "b"
p.name
p.with_suffix(".x").stem
---
import datetime
datetime.datetime.now().isoformat()
---
import logging
logger = logging.getLogger(__name__)
logger.setLevel(logging.INFO)
logger.info("x")
---
x: dict[str, list[int]] = {}
x["a"] = [1]
y = dict[str, int]()
z = list[int]([1])
---
import collections.abc
from collections.abc import Mapping, Sequence
class C: pass
class D(C): pass
Sequence.register(C)
@collections.abc.Mapping.register
class E: pass
for x, cls in ((C(), Sequence), (D(), Sequence), (E(), Mapping), (E(), collections.abc.Collection)):
    if not isinstance(x, cls):
        raise TypeError(x)
---
async def f(): return 1
c = f()
c.close()
---
def g():
    raise ValueError
    yield 1
async def f(): raise ValueError
x = g(); x.close()
y = f(); y.close()
---
class C:
    x: int = 3
    y: float
class D(C): pass
n = sorted(D().__annotations__)
---
import unittest
class T(unittest.TestCase):
    def runTest(self):
        print(self._testMethodName, self.id())
T().runTest()
---
class Once:
    def __init__(self, base): self.it = iter(base); self.first = True
    def __iter__(self): return self
    def __next__(self):
        try:
            return next(self.it)
        except StopIteration:
            self.first = False
            raise
a = list(Once([1, 2]))
n = 0
try:
    try:
        {}["x"]
    except LookupError:
        raise
except ValueError:
    n = 1
except KeyError:
    n = 2
"""

OF_TRACERS = """
float(y[0])
---
int(y[0])
---
bool(y[0] > 0)
---
range(y[0])
---
max(y[0], y[1])
---
math.sqrt(y[0])
---
sorted([y[0], y[1]])
---
any([y[0] > 0])
---
float(y)
---
len(y[0])
---
{y: 1}
---
hash(y)
---
set([y])
---
list(y[0])
---
[1, 2][y[0].astype(int)]
---
y[0] = 1
---
" ".join([y])
---
sum(y, "a")
"""
