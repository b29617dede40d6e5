"""Small programs whose marked line has a mistake that is certain, or possible only, or none since it is handled.

In each `x @ y` is a mistake, on the line that ends with `# !`.  `RUNS` says what Python does: "raises" at that line,
"runs", or "either", where it hangs on the data, or on where the program runs.
"""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = ["PROGRAMS", "Program"]


class Program(NamedTuple):
    """A program: what flow says of its marked line, what Python does, and the source."""

    name: str
    said: str
    runs: str
    source: str


PREAMBLE: Final = """\
import contextlib, json, os, platform, sys, time, unittest
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Number, Real
from typing import Protocol, runtime_checkable
import jax, jax.numpy as jnp
import numpy as np
import pytest
x, y = jnp.ones((3, 4)), jnp.ones(5)
class A:
    size = 3
    def go(self): return 1
class B(A): pass
class C:
    pass
@runtime_checkable
class Goes(Protocol):
    size: int
    def go(self): ...
unknown = json.loads(os.environ.get("NO_SUCH_VARIABLE", "{}"))
def one(v): return v
def two(v): return v
"""

_TABLE: Final = """
== data: a branch, certain either
if x.sum() > 0:
    x @ y  # !
== data: the other branch, certain either
if float(x.mean()) > 0:
    pass
else:
    x @ y  # !
== data: a number of an array, certain either
n = int(x.argmax())
if n == 3:
    x @ y  # !
== data: arithmetic on it, certain either
n = round(abs(float(x.sum())) * 2 + 1)
if n % 2 and not n < 3:
    x @ y  # !
== data: a random number, certain either
import random
if random.random() < 2:
    x @ y  # !
== data: a random array of NumPy, certain either
if np.random.default_rng().normal() > 0:
    x @ y  # !
== data: a number that NumPy draws, certain either
import numpy as np
if np.random.randint(0, 4) * 2 == 6:
    x @ y  # !
== sizes: what NumPy computes of them, possible either
import numpy as np
n = len(os.environ.get("NO_SUCH_NAME", ""))
if n * np.prod((3, 3)) == 12:
    x @ y  # !
== sizes: a comparison by NumPy, possible either
import numpy as np
n = len(os.environ.get("NO_SUCH_NAME", ""))
if not np.equal(np.prod((n, 3)), 12) and np.sum((n, 2)) > 3:
    x @ y  # !
== data: what leaves, certain either
def f():
    if x.sum() < 0:
        return 0
    x @ y  # !
f()
== data: a loop, certain either
while x.sum() > 0:
    x @ y  # !
== data: the best so far, certain either
best = 0.0
for i in range(1000):
    loss = float((x * i).sum())
    if loss > best:
        best = loss
    elif best > 3:
        x @ y  # !
== data: a conditional expression, certain either
z = x @ y if x.sum() > 0 else None  # !
== data: and, certain either
x.sum() > 0 and x @ y  # !
== data: a comprehension's condition, certain either
[x @ y for v in [1, 2] if x.sum() > v]  # !
== data: any, certain either
if any(float(v) > 0 for v in x[0]):
    x @ y  # !
== data: a choice between numbers, certain either
n = 3 if x.sum() > 0 else 4
if n == 3:
    x @ y  # !
== data: match on a number, certain either
match int(x.sum()):
    case 12:
        x @ y  # !
== data: a guard, certain either
match x:
    case v if v.sum() > 3:
        x @ y  # !
== data: membership of a number, certain either
if int(x.sum()) in (3, 12):
    x @ y  # !
== data: max of numbers, certain either
if max(0.0, float(x.sum())) > 1:
    x @ y  # !
== data: a counter of a long loop, certain either
total = 0
for i in range(100_000):
    if i == 99_999:
        x @ y  # !
== data: an assertion before, certain either
assert x.sum() > 0
x @ y  # !
== data: an exception before, certain either
def f():
    if x.sum() < 0:
        raise ValueError
    x @ y  # !
f()
== data: paths that meet, certain raises
if x.sum() > 0:
    z = 1
else:
    z = 2
x @ y  # !
== environment: sys.path, possible either
if len(sys.path) == 5:
    x @ y  # !
== environment: a variable, possible either
if os.environ.get("NO_SUCH_VARIABLE") == "1":
    x @ y  # !
== environment: whether there is a variable, possible either
if "NO_SUCH_VARIABLE" in os.environ:
    x @ y  # !
== environment: a file, possible either
if os.path.exists("no such file"):
    x @ y  # !
== environment: a path, possible either
import pathlib
if pathlib.Path("no such file").exists():
    x @ y  # !
== environment: the backend, possible either
if jax.default_backend() == "tpu":
    x @ y  # !
== environment: the devices, possible either
if jax.local_device_count() > 8:
    x @ y  # !
== environment: the kind of a device, possible either
if jax.devices()[0].platform == "gpu":
    x @ y  # !
== environment: the platform, possible either
if sys.platform == "win32":
    x @ y  # !
== environment: the system, possible either
if platform.system() == "Windows":
    x @ y  # !
== environment: os.name, possible either
if os.name == "nt":
    x @ y  # !
== environment: what there is of os, possible either
if not hasattr(os, "fork"):
    x @ y  # !
== environment: a module that was imported, possible either
if "no_such_library_of_mine" in sys.modules:
    x @ y  # !
== environment: a setting of jax, possible either
if jax.config.jax_platforms == "tpu":
    x @ y  # !
== environment: all of it, possible either
if not os.environ:
    x @ y  # !
== environment: the time, possible either
if time.time() < 3:
    x @ y  # !
== environment: the date, possible either
import datetime
if datetime.datetime.now().year < 1990:
    x @ y  # !
== environment: the name of the program, possible either
if sys.argv[0] == "no such program":
    x @ y  # !
== environment: the command line, possible either
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("mode")
if parser.parse_args().mode == "no such mode":
    x @ y  # !
== environment: processors, possible either
if os.cpu_count() == 1000:
    x @ y  # !
== environment: a loop on it, possible either
while os.path.exists("no such file"):
    x @ y  # !
== environment: what leaves, possible either
def f():
    if not os.path.exists("no such file"):
        return
    x @ y  # !
f()
== environment: what raises, possible either
def f():
    if not os.path.exists("no such file"):
        raise FileNotFoundError
    x @ y  # !
f()
== environment: what continues, possible either
for v in range(3):
    if not os.path.exists("no such file"):
        continue
    x @ y  # !
== environment: what breaks, possible either
for v in range(3):
    if not os.path.exists("no such file"):
        break
    x @ y  # !
== environment: behind the loop again, certain raises
for v in range(3):
    if not os.path.exists("no such file"):
        break
x @ y  # !
== environment: behind the function again, certain raises
def f():
    if not os.path.exists("no such file"):
        return 1
    return 2
f()
x @ y  # !
== environment: a jitted function that is called again, certain raises
@jax.jit
def f(v):
    return v @ y  # !
if os.path.exists("no such file"):
    f(x)
f(x)
== environment: what leaves a function in a loop, possible either
def f():
    for i in range(3):
        if not os.path.exists("no such file"):
            return
    x @ y  # !
f()
== environment: a generator that ends, possible either
def f():
    if not os.path.exists("no such file"):
        return
    yield 1
    x @ y  # !
list(f())
== environment: a loop without an end that breaks, certain raises
while True:
    if not os.path.exists("no such file"):
        break
x @ y  # !
== environment: paths that meet, certain raises
if os.path.exists("no such file"):
    z = 1
x @ y  # !
== environment: an assertion, possible either
def f():
    assert os.path.exists("no such file")
    x @ y  # !
f()
== environment: a number of it, possible either
n = 3 if os.path.exists("no such file") else 4
if n == 3:
    x @ y  # !
== environment: a number that only it changes, possible either
n = 3
if os.path.exists("no such file"):
    n = 4
if n == 4:
    x @ y  # !
== environment: a conditional expression, possible either
z = x @ y if os.path.exists("no such file") else None  # !
== environment: or, possible either
not os.path.exists("no such file") or x @ y  # !
== environment: a comprehension's condition, possible either
[x @ y for v in [1, 2] if os.path.exists("no such file")]  # !
== environment: an exception that may come, possible either
def f():
    try:
        os.environ["NO_SUCH_VARIABLE"]
    except KeyError:
        return
    x @ y  # !
f()
== environment: an exception's handler, possible either
try:
    int(os.environ.get("HOME", "1"))
except OverflowError:
    x @ y  # !
== environment: data under it, possible either
if os.path.exists("no such file"):
    if x.sum() > 0:
        x @ y  # !
== environment: it under data, possible either
if x.sum() > 0:
    if os.path.exists("no such file"):
        x @ y  # !
== not understood: a library, possible either
import no_such_library_of_mine as lib
if lib.flag:
    x @ y  # !
== not understood: a key of a dict, possible either
if unknown.get("mode") == "train":
    x @ y  # !
== not understood: a loop that raises, possible either
def f(options):
    for name in options:
        raise TypeError(name)
    x @ y  # !
f(unknown)
== size: one that is not known, possible either
def f(v):
    if len(v) == 2:
        x @ y  # !
f(x[x.sum(axis=1) > 0])
== type: a mapping, nothing runs
for v in (x, A(), [1], 3, None, np.ones(2), one, A, (1,), jax.random.key(0), iter([1]), jax.jit(one)):
    if isinstance(v, Mapping):
        x @ y  # !
== type: a sequence, nothing runs
for v in (x, A(), {}, 3, None, np.ones(2), one, A, jax.random.key(0), set(), float(x.sum())):
    if isinstance(v, Sequence):
        x @ y  # !
== type: sequences, certain raises
if all(isinstance(v, Sequence) for v in ([1], (1,), "a", range(3))):
    x @ y  # !
== type: a number, nothing runs
for v in (x, A(), {}, None, one, "a"):
    if isinstance(v, Number | Real):
        x @ y  # !
== type: numbers, certain raises
if isinstance(float(x.sum()), Real) and isinstance(3, Number):
    x @ y  # !
== type: callables, certain raises
if all(isinstance(v, Callable) for v in (one, A, A().go, jax.jit(one), len)):
    x @ y  # !
== type: no callables, nothing runs
for v in (x, A(), 3, None, [1], np.ones(2)):
    if isinstance(v, Callable):
        x @ y  # !
== type: what iterates, certain raises
class Items:
    def __iter__(self): return iter(())
if isinstance(Items(), Iterable) and isinstance(x, Iterable) and not isinstance(A(), Iterable):
    x @ y  # !
== type: a union of a program's class, certain raises
if isinstance(B(), A | dict) and not isinstance(x, A | dict | None):
    x @ y  # !
== type: a protocol that holds, certain raises
if isinstance(A(), Goes) and isinstance(B(), Goes):
    x @ y  # !
== type: a protocol that does not, nothing runs
for v in (C(), x, 3):
    if isinstance(v, Goes):
        x @ y  # !
== type: a subclass, certain raises
if issubclass(B, A) and not issubclass(C, (A, Mapping)):
    x @ y  # !
== type: of what is not known, possible either
if isinstance(unknown, dict):
    x @ y  # !
== type: a class that is not followed, possible either
import no_such_library_of_mine as lib
if isinstance(A(), lib.Thing):
    x @ y  # !
== type: type(), certain raises
if type(B()) is B and type(3) is int:
    x @ y  # !
== identity: classes, nothing runs
if A is B or A is C:
    x @ y  # !
== identity: functions, nothing runs
if one is two or jnp.sin is jnp.cos or one is jnp.sin:
    x @ y  # !
== identity: the same, certain raises
registry = {"one": one}
if registry["one"] is one and None is not x:
    x @ y  # !
== identity: of what is not known, possible either
if unknown is None:
    x @ y  # !
== member: a known name, nothing runs
if "three" in {"one": one, "two": two}:
    x @ y  # !
== member: a name that is not known, possible either
if os.environ.get("NO_SUCH_VARIABLE", "") in {"one": one, "two": two}:
    x @ y  # !
== member: of nothing, nothing runs
if os.environ.get("NO_SUCH_VARIABLE", "") in {}:
    x @ y  # !
== attribute: known, certain raises
if hasattr(A(), "go") and not hasattr(x, "no_such_name"):
    x @ y  # !
== attribute: of what is not known, possible either
if hasattr(unknown, "items"):
    x @ y  # !
== pattern: a text for a number, nothing runs
n = len(sys.path)
match n:
    case "float32" | "int32" as name:
        x @ y  # !
== pattern: of what is not known, possible either
n = len(sys.path)
match n:
    case 500:
        x @ y  # !
== pattern: a class, possible either
match unknown:
    case [first, *rest]:
        x @ y  # !
== pattern: behind one that leaves, possible either
def f(n):
    match n:
        case 500:
            pass
        case _:
            return
    x @ y  # !
f(len(sys.path))
== decided: a text, certain raises
if "a".upper() == "A":
    x @ y  # !
== decided: never, nothing runs
if x.shape == (4, 3):
    x @ y  # !
== handled: try, nothing runs
try:
    x @ y  # !
except TypeError:
    pass
== handled: a tuple of classes, nothing runs
try:
    x @ y  # !
except (KeyError, TypeError):
    pass
== handled: a base class, nothing runs
try:
    x @ y  # !
except Exception:
    pass
== handled: anything, nothing runs
try:
    x @ y  # !
except:
    pass
== handled: by the caller, nothing runs
def f(g):
    try:
        return g()
    except TypeError:
        return None
f(lambda: x @ y)  # !
== handled: suppress, nothing runs
with contextlib.suppress(ValueError, TypeError):
    x @ y  # !
== handled: a stack of managers, nothing runs
with contextlib.ExitStack() as stack:
    stack.enter_context(contextlib.suppress(TypeError))
    x @ y  # !
== handled: a manager of the program, nothing runs
class Quiet:
    def __enter__(self): return self
    def __exit__(self, kind, value, trace): return kind is TypeError
with Quiet():
    x @ y  # !
== handled: a generator as a manager, nothing runs
@contextlib.contextmanager
def quiet():
    try:
        yield
    except TypeError:
        pass
with quiet():
    x @ y  # !
== handled: pytest, nothing runs
with pytest.raises(TypeError):
    x @ y  # !
== handled: pytest calls, nothing runs
pytest.raises(TypeError, lambda: x @ y)  # !
== handled: a framework that is not installed, nothing either
import no_such_library_of_mine as framework
with framework.raises(TypeError):
    x @ y  # !
== handled: a framework that is not installed calls, nothing either
import no_such_library_of_mine as framework
framework.raises(TypeError, lambda: x @ y)  # !
== handled: unittest, nothing runs
class Case(unittest.TestCase):
    def test(self):
        with self.assertRaises(TypeError):
            x @ y  # !
unittest.TextTestRunner(stream=open(os.devnull, "w")).run(Case("test"))
== handled: NumPy, nothing runs
with np.testing.assert_raises(TypeError):
    x @ y  # !
== handled: by what may be another class, possible either
try:
    x @ x
except KeyError:
    x @ y  # !
== handled: arguments that are checked as the program runs, possible runs
import beartype
@beartype.beartype
def f(v: int): return v
@beartype.beartype
class F:
    def go(self, v: int): return v
for call in (f, F().go):
    try:
        call("a")
    except Exception:
        pass
    else:
        x @ y  # !
== handled: by any class, certain raises
try:
    x @ x
except Exception:
    x @ y  # !
== handled: by a base of a class of the program, certain raises
class Wrong(ValueError):
    pass
class Worse(Wrong):
    pass
try:
    raise Worse("a")
except (KeyError, Wrong):
    x @ y  # !
== not handled: a manager that lets it go on, certain raises
class Loud:
    def __enter__(self): return self
    def __exit__(self, kind, value, trace): return False
with Loud():
    x @ y  # !
== not handled: finally, certain raises
try:
    x @ y  # !
finally:
    pass
== not handled: behind what is, certain raises
try:
    {}["a"]
except KeyError:
    pass
x @ y  # !
== not handled: in the handler, certain raises
try:
    {}["a"]
except KeyError:
    x @ y  # !
== not asked for: any, nothing runs
z = any(k > 3 or x @ y for k in [5, 1])  # !
== not asked for: all, nothing runs
z = all(k < 3 or x @ y is None for k in [5] if k < 3)  # !
== asked for: any, certain raises
z = any(k > 3 or x @ y is None for k in [1, 5])  # !
== not asked for: any of map, nothing runs
z = any(map(lambda k: k > 3 or x @ y, [5, 1]))  # !
== not asked for: any of a generator, possible runs
def g():
    yield True
    x @ y  # !
z = any(g())
== hangs on data: any, certain either
z = any(bool(k > 0) or x @ y is None for k in jax.random.normal(jax.random.key(0), (2,)))  # !
== not asked for: next, possible runs
z = next(k > 3 or x @ y for k in [5, 1])  # !
== asked for: next, certain raises
z = next(k > 3 or x @ y for k in [1, 5])  # !
== not asked for: next of filter, possible runs
z = next(filter(lambda k: k > 3, (k if k > 3 else x @ y for k in [5, 1])))  # !
== not asked for: for, possible runs
for z in (k > 3 or x @ y for k in [5, 1]):  # !
    break
== not asked for: for over enumerate, possible runs
for i, z in enumerate(k > 3 or x @ y for k in [5, 1]):  # !
    if i == 0: break
== asked for: for, certain raises
for z in (k > 3 or x @ y for k in [5, 1]):  # !
    pass
== not asked for: for over a generator, possible runs
def g():
    yield 1
    x @ y  # !
for z in g(): break
== not asked for: yield from, possible runs
def g():
    yield 1
    x @ y  # !
def h():
    yield from g()
for z in h(): break
== asked for: a generator, certain raises
def g():
    yield 1
    x @ y  # !
z = list(g())
== not asked for: zip, possible runs
z = list(zip([1], (k > 3 or x @ y for k in [5, 1])))  # !
== asked for: zip, certain raises
z = list(zip([1, 2], (k > 3 or x @ y for k in [5, 1])))  # !
== not asked for: islice, possible runs
import itertools
z = list(itertools.islice((k > 3 or x @ y for k in [5, 1]), 1))  # !
== not asked for: in, possible runs
z = True in (k > 3 or x @ y for k in [5, 1])  # !
== not asked for: nested, possible runs
z = next(k for k in (k > 3 or x @ y for k in [5, 1]))  # !
== not asked for: the environment, possible either
w = [-1 if os.environ.get("NO_SUCH_NAME") is None else 0, None]
z = all(k >= 0 if k is not None else x @ y for k in w)  # !
"""


def _programs() -> list[Program]:
    found = []
    for part in _TABLE.split("\n== ")[1:]:
        title, _, source = part.partition("\n")
        name, _, expected = title.rpartition(", ")
        said, runs = expected.split()
        found.append(Program(name, said, runs, PREAMBLE + source + "\n"))
    return found


PROGRAMS: Final = _programs()
