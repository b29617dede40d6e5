"""Classes that derive from Python's abstract containers, and from Flax's frozen dict, against their runs."""

from __future__ import annotations

import pytest
from flow_values import difference, interpreted, run

CONTAINERS = """
import abc
import collections.abc
import typing
from typing import Generic, Iterator, Mapping, MutableMapping, TypeVar

K = TypeVar("K")
V = TypeVar("V")

class Keys(collections.abc.KeysView):
    pass

class Values(collections.abc.ValuesView):
    pass

class Read(collections.abc.Mapping):
    def __init__(self, d): self.d = d
    def __getitem__(self, k): return self.d[k]
    def __iter__(self): return iter(self.d)
    def __len__(self): return len(self.d)
    def keys(self): return Keys(self)
    def values(self): return Values(self)

class Store(MutableMapping[K, V], Generic[K, V]):
    def __init__(self, **k): self.d = dict(k)
    def __getitem__(self, k): return self.d[k]
    def __setitem__(self, k, v): self.d[k] = v
    def __delitem__(self, k): del self.d[k]
    def __iter__(self): return iter(self.d)
    def __len__(self): return len(self.d)

class Row(collections.abc.Sequence):
    def __init__(self, x): self.x = x
    def __getitem__(self, i): return self.x[i]
    def __len__(self): return len(self.x)

class Count(Iterator[int]):
    def __init__(self): self.n = 0
    def __next__(self):
        self.n += 1
        if self.n > 3:
            raise StopIteration
        return self.n

class Some(collections.abc.Set):
    def __init__(self, x): self.x = list(x)
    def __contains__(self, k): return k in self.x
    def __iter__(self): return iter(self.x)
    def __len__(self): return len(self.x)

class Unfinished(Mapping):
    pass

class Abstract(metaclass=abc.ABCMeta):
    @abc.abstractmethod
    def f(self): ...

class Below(Abstract):
    pass

def made(cls):
    try:
        cls()
    except TypeError:
        return False
    return True

def options(**k):
    return k

m = Read({"a": 1, "b": 2})
a = [{**m}, {**m, "c": 3}, dict(m), dict(**m), options(**m)]
b = [list(m.keys()), sorted(m.keys()), "a" in m.keys(), len(m.keys()), list(m.values()), list(m.items())]
c = [m.get("q", 5), "a" in m, "z" in m, m == {"a": 1, "b": 2}]
d = Store(a=1, b=2)
d.update(c=3)
e = [d.pop("a"), d.setdefault("z", 9), sorted(d), list(d.items()), d.get("q", 5), "b" in d]
f = [isinstance(d, collections.abc.Mapping), isinstance(d, dict), isinstance(d, typing.MutableMapping)]
s = Row([1, 2, 3])
g = [len(s), s[0], list(reversed(s)), isinstance(s, collections.abc.Sequence), isinstance(s, list)]
h = [list(Count()), sorted(Some([1, 2]) | Some([3])), Some([1]) <= Some([1, 2])]
i = [made(Unfinished), made(Below), made(Count)]
d.clear()
j = len(d)
k = len(range(1 << 40)[:3])
"""


def test_methods_are_those_of_the_abstract_containers() -> None:
    variables, found = interpreted(CONTAINERS)
    real = run(CONTAINERS)
    assert not found.diagnostics
    assert not found.crashes
    names = "abcefghijk"
    assert not {name: text for name in names if (text := difference(variables[name], real[name]))}
    assert not [name for name in names if "Unknown" in str(variables[name])]


REGISTERED = """
import abc
class A(abc.ABC):
    pass
class B(metaclass=abc.ABCMeta):
    pass
class C:
    pass
@A.register
class D:
    pass
B.register(C)
B.register(int)
a = isinstance(C(), B)
b = isinstance(D(), A)
c = issubclass(D, A)
d = isinstance(3, B)
e = isinstance("x", int)
"""


def test_classes_that_are_registered_may_be_of_an_abstract_one() -> None:
    variables, found = interpreted(REGISTERED)
    real = run(REGISTERED)
    assert not found.diagnostics
    assert not {name: text for name in "abcde" if (text := difference(variables[name], real[name]))}
    assert variables["e"] is False


FROZEN = """
import jax, jax.numpy as jnp, numpy as np
from flax.core.frozen_dict import FrozenDict

class Dataset(FrozenDict):
    @classmethod
    def create(cls, **fields):
        return cls(fields)
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.size = max(jax.tree.leaves(jax.tree.map(len, self._dict)))
        self.ends = np.nonzero(self["ends"] > 0)[0]
    def sample(self, n):
        rows = np.random.randint(self.size, size=n)
        batch = jax.tree.map(lambda held: held[rows], self._dict)
        batch["next"] = self._dict["seen"][np.minimum(rows + 1, self.size - 1)]
        return batch

data = Dataset.create(seen=np.zeros((100, 3), np.float32), ends=np.zeros(100, np.int8), deep={"a": np.ones((100, 2))})
batch = data.sample(16)
a = jnp.asarray(batch["seen"])
b = jnp.asarray(batch["deep"]["a"])
c = jnp.asarray(batch["next"])
d = jnp.asarray(data.copy({"seen": np.ones((100, 5), np.float32)})["seen"])
e = sorted(data.keys())
f = len(data)
g = isinstance(data, FrozenDict)
rest, deep = data.pop("deep")
h = jnp.asarray(deep["a"])
i = len(rest)
j = jax.tree.leaves(data)[0] is data
"""


def test_classes_that_derive_from_frozen_dicts() -> None:
    pytest.importorskip("flax")
    variables, found = interpreted(FROZEN)
    assert not found.diagnostics
    assert [str(variables[name].aval) for name in "abcdh"] == [
        "float32[16, 3]", "float32[16, 2]", "float32[16, 3]", "float32[100, 5]", "float32[100, 2]",
    ]  # fmt: skip
    real = run(FROZEN)
    assert not {name: text for name in "abcdefghij" if (text := difference(variables[name], real[name]))}
