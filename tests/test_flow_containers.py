"""Classes that derive from `dict` and `list`, as programs hold their configurations in."""

from __future__ import annotations

import pytest
from flow_values import interpreted, run, wrong_claims

from arraytyping.checker.flow.values import Unknown

DICTS = [
    """
class C(dict):
    __getattr__ = dict.get
    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__
c = C({'n': 3}, k=4)
a = c.n; b = c.missing is None; c.z = 5; d = c['z']; del c.k; e = len(c); f = 'k' in c; g = C(**c).z
h = {**c}['n']; i = dict(c)['z']; j = isinstance(c, dict); k = bool(C()); l = list(c)
m = [(k, v) for k, v in c.items()]
""",
    """
class C(dict):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.__dict__ = self
c = C(n=3)
a = c.n; c.m = 4; b = c['m']; c['k'] = 5; d = c.k; del c.n; e = 'n' in c; f = hasattr(c, 'n'); g = vars(c)['m']
c.update(w=6); h = c.w; i = sorted(c)
""",
    """
class C(dict):
    def __init__(self, given):
        for key, value in given.items():
            self[key] = C(value) if hasattr(value, 'keys') else value
    __getattr__ = dict.__getitem__
c = C({'model': {'width': 4, 'layers': [1, 2]}, 'lr': 0.1})
a = c.model.width; b = c.model.layers[1]; d = c.lr; e = type(c.model).__name__; f = len(c.model)
""",
    """
from collections import OrderedDict, defaultdict
class C(defaultdict):
    def __init__(self, *args, **kwargs):
        super(C, self).__init__(*args, **kwargs)
    def __getattr__(self, name): return self[name]
class O(OrderedDict):
    def first(self): return next(iter(self))
c = C(lambda: 7, n=3); a = c.n; b = c.other; d = len(c); e = c['x']; o = O(p=1, q=2); f = o.first()
o.move_to_end('p'); g = o.first(); h = list(o.values())
""",
    """
class C(dict):
    def __missing__(self, key): return key * 2
    def __getitem__(self, key): return super().__getitem__(key) if key in self else self.__missing__(key)
class M(dict):
    def __missing__(self, key):
        self[key] = len(self)
        return self[key]
c = C(a=1); a = c['a']; b = c['zz']; m = M(); d = m['p']; e = m['q']; f = m['p']; g = m.get('r'); h = len(m)
""",
    """
class Base(dict):
    def __setattr__(self, key, value): dict.__setitem__(self, key, value)
    def __getattr__(self, key): return dict.__getitem__(self, key)
class C(Base):
    size = 9
    def area(self): return self.w * self.h
    @property
    def both(self): return (self.w, self.h)
    def update(self, *args, **kwargs):
        for key, value in dict(*args, **kwargs).items():
            self[key] = value + 1
c = C(); c.w = 2; c['h'] = 3; a = c.area(); b = c.both; d = c.size; c.update(w=10); e = c.w
f = c.pop('w'); g = c.setdefault('q', 8); h = c.pop('none', 5); i = c.popitem(); c.clear(); j = len(c)
""",
    """
import copy
class C(dict[str, int]):
    def __iter__(self): return iter(['x', 'y'])
    def __len__(self): return 5
    def keys(self): return ['n']
c = C(n=3, m=4)
a = list(c); b = len(c); d = {**c}; e = dict(c); f = copy.copy(c)['n']; g = copy.deepcopy(c)['m']
h = c == {'n': 3, 'm': 4}; del c
""",
    """
import collections.abc, json
class C(dict):
    __getattr__ = dict.get
c = C(n=3, m=1)
a = isinstance(c, collections.abc.Mapping); b = isinstance(c, (list, dict)); d = type(c) == dict
e = sorted(c.items()); f = max(c, key=c.get); g = list(zip(c, c.values())); h = c or {}; i = json.dumps(c)
j = str(c); k = f'{c}'; l = [x for x in c if c[x] > 1]; m = C(c) == c; n = c != {}; o = {**c, 'z': 1}
p = dict(c, z=2); q = c.items() >= {('n', 3)}; r = not c; s = C.fromkeys(['a']); u = list(reversed(c))
match c:
    case {'n': value, **rest}: t = (value, rest)
    case _: t = None
def kw(**k): return k['n']
v = len(c) and c.n; w = getattr(c, 'n', 9); x = next(iter(c)); z = kw(**c)
""",
    """
import jax
class C(dict):
    __getattr__ = dict.__getitem__
c = C(n=3); d = C(n=3)
if jax.device_count() > 100:
    c['n'] = 4.0
for i in range(jax.device_count()):
    d[f'k{i}'] = i
a = c.n; b = d.n
""",
]
LISTS = [
    """
class L(list):
    def append(self, x):
        super().append(x)
        super().append(x)
    def second(self): return self[1]
l = L([2, 3]); l.append(7); a = len(l); b = l.second(); c = [*l]; d = tuple(l); e = sum(l); f = l[-1]; g = 7 in l
l.extend([1]); l.sort(); h = l[0]; l[0] = 9; i = l.index(9); j = l.pop(); k = isinstance(l, list); m = l[1:3]; n = L()
""",
    """
import collections.abc
class L(list): pass
a = L([3, 1]); b = sorted(a); c = max(a); d = [1, *a]; e = a + [4]; f = a == [3, 1]; g, h = a; l = a[::-1]
i = isinstance(a, collections.abc.Sequence); j = ', '.join(map(str, a)); k = list(enumerate(a))
m = type(a.copy()) is list
match a:
    case [first, *rest]: n = (first, rest)
    case _: n = None
""",
    """
class Stack(list):
    def __init__(self, size):
        self.size = size
    push = list.append
s = Stack(4); s.push(1); s.push(2); a = len(s); b = s.size; c = [x + 1 for x in s]; d = s + [5]; s += [6]; e = s[2]
""",
]


@pytest.mark.parametrize("source", DICTS + LISTS)
def test_is_as_python_has_it(source: str) -> None:
    variables, result = interpreted(source)
    assert not result.crashes
    assert not result.diagnostics
    real = run(source)
    assert wrong_claims(source, variables, real) == []
    assert all(name in variables for name in real if len(name) == 1)


@pytest.mark.parametrize("source", DICTS[:6] + LISTS)
def test_is_known(source: str) -> None:
    variables, _ = interpreted(source)
    assert [name for name, value in variables.items() if len(name) == 1 and isinstance(value, Unknown)] == []


def test_a_missing_key_is_told() -> None:
    _, result = interpreted("class C(dict):\n    __getattr__ = dict.__getitem__\nc = C(n=3)\nc.m\nC()['k']\n")
    assert [(m.line, m.is_certain) for m in result.diagnostics] == [(4, True), (5, True)]


def test_its_class_is_no_pytree() -> None:
    """A pytree is a `dict` itself, so that an instance is a leaf, which is no array."""
    _, result = interpreted(
        "import jax\nclass C(dict): pass\na = jax.tree.leaves(C(n=1.0))\njax.jit(lambda c: 1)(C(n=1.0))\n"
    )
    assert [m.line for m in result.diagnostics] == [4]


KEPT = """
import os
from collections import defaultdict
def first(a): return a * 2.0
def second(a, b): return a + b
def table(l, m):
    kept = defaultdict(lambda: {})
    def get(function, *indices):
        name = function.__name__
        if indices not in kept[name]:
            kept[name][indices] = function(*indices)
        return kept[name][indices]
    total = {}
    for j in range(0, m + 1, 2):
        for k in range(0, l - m + 1, 2):
            for p in range(0, k + 1, 2):
                for q in range(0, p + 1, 2):
                    total[j, k] = get(first, l) + get(second, l, m) + get(first, p) + get(second, k, q) * get(first, q)
    return total, kept
few = len(os.listdir(".")) % 3 + 1
total, kept = table(few + 3, few)
many = [defaultdict(list)]
for i in range(few + 2):
    many[0][f"k{i}"].append(i)
    many[0]["k0"].append(2.0)
last = many[0]["k0"]
"""


def test_a_container_that_a_factory_makes_is_one_of_many() -> None:
    known, result = interpreted(KEPT)
    assert wrong_claims(KEPT, known, run(KEPT)) == []
    assert result.interpreter.journal.spread < 2000
