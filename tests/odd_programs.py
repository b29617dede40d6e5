"""Programs that would do harm if they were run, texts that are no programs, and programs that never end or are huge.

Those that are written out begin with a line of three dashes and their name.
"""

from __future__ import annotations


def _named(programs: str) -> dict[str, str]:
    parts = [part.partition("\n") for part in programs.split("\n--- ")[1:]]
    return {name: source for name, _, source in parts}


# Whatever runs any part of these leaves a trace: a file is gone, or there.
DANGEROUS = _named(r"""
--- module
touch('module')
--- libraries that write
import jax, numpy as np, jax.numpy as jnp, equinox as eqx
x = np.ones(3)
jnp.save(f"{HERE}/a.npy", x); jnp.savez(f"{HERE}/b.npz", x=x); np.save(f"{HERE}/c.npy", x); np.savetxt(f"{HERE}/d", x)
x.tofile(f"{HERE}/e"); x.dump(f"{HERE}/f"); np.memmap(f"{HERE}/g", mode="w+", shape=3)
eqx.tree_serialise_leaves(f"{HERE}/h", {"x": x})
eqx.tree_serialise_leaves(f"{HERE}/i", eqx.nn.Linear(2, 3, key=jax.random.key(0)))
jax.profiler.save_device_memory_profile(f"{HERE}/j"); jax.profiler.start_trace(f"{HERE}/k"); jax.profiler.stop_trace()
import pathlib, shutil, os, pickle, json, csv, sqlite3, tempfile
pathlib.Path(HERE, "l").write_text("x"); pathlib.Path(HERE, "victim").unlink(); os.makedirs(f"{HERE}/m/n")
shutil.copy(f"{HERE}/victim", f"{HERE}/o"); json.dump({}, open(f"{HERE}/p", "w")); sqlite3.connect(f"{HERE}/q")
tempfile.mkdtemp(dir=HERE); os.system(f"touch {HERE}/r"); np.DataSource(HERE).open("http://localhost/s")
--- import of a module of its own
import helper
--- from-import of a module of its own
from package.deep import name
--- decorator
def decorate(f):
    touch('decorator')
    return f
@decorate
def f(): touch('decorated')
f()
--- class body
class C:
    touch('body')
    value = touch('value')
    def __init__(self): touch('init')
    def __call__(self): touch('call')
    def __getattr__(self, name): touch('getattr')
    def __del__(self): touch('del')
    @property
    def p(self): touch('property')
c = C(); c(); c.p; c.missing; del c
--- class creation
class Base:
    def __init_subclass__(cls): touch('subclass')
    def __set_name__(self, owner, name): touch('name')
class Meta(type):
    def __new__(cls, *args): touch('meta'); return super().__new__(cls, *args)
    def __prepare__(*args): touch('prepare'); return {}
class A(Base, metaclass=Meta):
    field = Base()
--- special methods
import jax.numpy as jnp, numpy as np
class C:
    def __array__(self, *a, **k): touch('array')
    def __jax_array__(self): touch('jax_array'); return jnp.zeros(3)
    def __array_ufunc__(self, *a): touch('ufunc')
    def __len__(self): touch('len'); return 3
    def __iter__(self): touch('iter'); return iter([1])
    def __add__(self, other): touch('add'); return 1
    __radd__ = __eq__ = __lt__ = __getitem__ = __contains__ = __add__
    def __bool__(self): touch('bool'); return True
    def __repr__(self): touch('repr'); return ''
    def __hash__(self): touch('hash'); return 1
    def __index__(self): touch('index'); return 1
    def __float__(self): touch('float'); return 1.0
    def __format__(self, spec): touch('format'); return ''
    def __enter__(self): touch('enter')
    def __exit__(self, *a): touch('exit')
    def __reduce__(self): touch('reduce')
    def __deepcopy__(self, memo): touch('deepcopy')
    dtype = property(lambda self: touch('dtype'))
    shape = property(lambda self: touch('shape'))
c = C()
for f in (jnp.sum, jnp.asarray, np.sum, np.asarray, jnp.zeros, len, list, repr, str, hash, float, sorted, print):
    f(c)
jnp.zeros(3) + c; np.zeros(3) + c; c + jnp.zeros(3); c == c; 1 in c; [1, 2][c]; f'{c}'; {c: 1}
import copy, pickle, json
copy.deepcopy(c); pickle.dumps(c); json.dumps(c, default=lambda o: touch('json'))
with c: pass
--- callbacks
import functools, itertools, jax, jax.numpy as jnp
def f(x): touch('callback'); return x
x = jnp.ones(3)
jax.jit(f)(x); jax.vmap(f)(x); jax.grad(lambda x: f(x).sum())(x); jax.eval_shape(f, x); jax.make_jaxpr(f)(x)
jax.lax.scan(lambda c, x: (f(c), x), x, x); jax.lax.cond(True, f, f, x); jax.lax.map(f, x)
jax.lax.while_loop(lambda x: f(x).sum() < 3, f, x); jax.lax.fori_loop(0, 3, lambda i, x: f(x), x)
jax.tree.map(f, [x]); jax.checkpoint(f)(x); jax.custom_vjp(f)(x); jax.jvp(f, (x,), (x,)); jax.vjp(f, x)[1](x)
jax.pure_callback(f, x, x); jax.debug.callback(f, x); jax.experimental.io_callback(f, x, x)
jnp.vectorize(f)(x); jnp.apply_along_axis(f, 0, x); jnp.piecewise(x, [x > 0], [f, f]); jax.hessian(f)(x)
list(map(f, [1])); sorted([1, 2], key=f); functools.reduce(lambda a, b: f(a), [1, 2]); max([1, 2], key=f)
list(filter(f, [1])); list(itertools.accumulate([1, 2], lambda a, b: f(a))); functools.partial(f, 1)()
functools.cache(f)(1); functools.lru_cache(f)(2)
--- pytrees
import jax
class C: pass
def flatten(c): touch('flatten'); return (1,), None
def unflatten(aux, children): touch('unflatten'); return C()
jax.tree_util.register_pytree_node(C, flatten, unflatten)
jax.tree.leaves(C()); jax.jit(lambda c: c)(C()); jax.tree.map(lambda x: x, C())
--- code as text
eval("touch('eval')"); exec("touch('exec')"); compile("1", "", "exec")
__import__("helper"); import importlib; importlib.import_module("helper"); importlib.import_module("package.deep")
import runpy; runpy.run_path(HERE + "/helper.py")
import os, subprocess, sys; os.system(f"touch {HERE}/system"); subprocess.run(["touch", HERE + "/subprocess"])
subprocess.Popen([sys.executable, "-c", f"open({HERE!r} + '/popen', 'w')"]).wait()
--- files
import os, pathlib, shutil, json, pickle, numpy as np, jax.numpy as jnp, tempfile, logging, sqlite3
open(HERE + "/open", "w").write("x"); pathlib.Path(HERE, "path").write_text("x"); pathlib.Path(HERE, "p").touch()
np.save(HERE + "/npy", np.ones(3)); np.savetxt(HERE + "/txt", np.ones(3)); jnp.save(HERE + "/jnp", np.ones(3))
np.ones(3).tofile(HERE + "/tofile"); np.ones(3).dump(HERE + "/dump"); np.savez(HERE + "/npz", np.ones(3))
np.memmap(HERE + "/memmap", mode="w+", shape=3); np.lib.format.open_memmap(HERE + "/m2", mode="w+", shape=(3,))
os.mkdir(HERE + "/directory"); os.makedirs(HERE + "/a/b"); os.remove(HERE + "/victim"); os.rmdir(HERE)
os.unlink(HERE + "/victim"); pathlib.Path(HERE, "victim").unlink(); shutil.rmtree(HERE, ignore_errors=True)
os.rename(HERE + "/victim", HERE + "/renamed"); os.open(HERE + "/osopen", os.O_CREAT | os.O_WRONLY)
os.symlink(HERE, HERE + "/link"); os.truncate(HERE + "/victim", 0); shutil.copy(HERE + "/victim", HERE + "/copy")
logging.basicConfig(filename=HERE + "/log"); sqlite3.connect(HERE + "/db"); os.environ["FLOW_WAS_HERE"] = "1"
os.chdir(HERE); os.putenv("FLOW_WAS_HERE", "1"); tempfile.mkdtemp(dir=HERE); tempfile.NamedTemporaryFile(dir=HERE)
import jax; jax.profiler.start_trace(HERE + "/trace"); np.DataSource(HERE).open("x", "w")
--- ways around
f = getattr(__builtins__, "open", open); f(HERE + "/getattr", "w")
[g(HERE + "/listed", "w") for g in [open]]
import functools; functools.partial(open, HERE + "/partial", "w")(); list(map(open, [HERE + "/map"], ["w"]))
import operator, os; operator.methodcaller("remove", HERE + "/victim")(os)
operator.attrgetter("remove")(os)(HERE + "/victim"); vars(os)["remove"](HERE + "/victim")
import io; io.open(HERE + "/io", "w"); io.FileIO(HERE + "/fileio", "w"); os.__dict__["remove"](HERE + "/victim")
import atexit, threading, signal, sys; atexit.register(open, HERE + "/atexit", "w")
threading.Thread(target=open, args=(HERE + "/thread", "w")).start(); sys.path.insert(0, HERE)
from concurrent.futures import ThreadPoolExecutor; ThreadPoolExecutor().submit(open, HERE + "/pool", "w")
import builtins; builtins.len = lambda x: 7; sys.setrecursionlimit(50); sys.modules["math"] = None
import jax, numpy as np; jax.pure_callback(open, None, HERE + "/cb", "w"); np.vectorize(open)([HERE + "/v"], "w")
np.frompyfunc(open, 2, 1)(HERE + "/u", "w"); jax.tree.map(open, [HERE + "/tree"], ["w"])
jax.jit(open, static_argnums=(0, 1))(HERE + "/jit", "w"); jax.tree_util.Partial(open, HERE + "/pa", "w")()
np.apply_along_axis(lambda x: open(HERE + "/along", "w"), 0, np.ones(3))
np.fromfunction(lambda i: open(HERE + "/fn", "w"), (3,))
--- configuration
import jax, numpy as np, random, os, sys, warnings, gc, locale, decimal
jax.config.update("jax_enable_x64", True); jax.config.update("jax_numpy_rank_promotion", "raise")
np.seterr(all="raise"); np.random.seed(3); random.seed(3); np.set_printoptions(precision=2)
warnings.simplefilter("error"); sys.stdout = None; sys.stdin.close(); gc.disable(); sys.path.clear()
jax.numpy.sum = None; np.sum = None; del jax.grad; decimal.getcontext().prec = 3; sys.argv.append("x")
sys.setswitchinterval(1.0); os.umask(0); sys.settrace(lambda *a: None); jax.lax.dtype = 3
class C(np.ndarray): pass
np.ndarray.sum = 3; setattr(np, "mean", 3); sys.modules.pop("jax"); vars(np)["mean"] = 3; np.__dict__["std"] = 3
sys.modules["numpy"].var = 1; jax.clear_caches(); jax.distributed.shutdown
--- ends
import os, sys, signal
if HERE == "x": os._exit(3)
try: os.kill(os.getpid(), signal.SIGKILL)
finally: os.abort()
--- entry
def main(): touch('main')
if __name__ == "__main__": main()
""")


def _nested(opening: str, closing: str, inner: str = "1", depth: int = 200) -> str:
    return opening * depth + inner + closing * depth


def _functions(depth: int) -> str:
    lines = [" " * i + f"def f{i}(x):" for i in range(depth)] + [" " * depth + "return x"]
    return "\n".join([*lines, *(" " * i + f"return f{i}(x)" for i in reversed(range(1, depth))), "y = f0(1)"])


_BODY = """
def block_{0}(x, w):
    h = jnp.tanh(x @ w)
    s = h.mean(axis=-1, keepdims=True)
    return h - s
x = block_{0}(x, jnp.ones((8, 8)))
"""


UNREADABLE: dict[str, tuple[bytes, str]] = {
    "syntax": (b"x = 1\ndef f(:\n    pass\n", "syntax error"),
    "indentation": (b"if True:\nx = 1\n", "syntax error"),
    "tabs": (b"if 1:\n        x = 1\n\ty = 2\n", "syntax error"),
    "not UTF-8": (b"x = '\xff\xfe'\n", ""),
    "no such encoding": (b"# coding: nonsense\nx = 1\n", ""),
    "null bytes": (b"x = 1\0\n", ""),
    "binary": (bytes(range(256)) * 8, ""),
    "parentheses": (_nested("(", ")", depth=300).encode(), "too many nested parentheses"),
    "unclosed": (b"x = [\n" * 1000, ""),
    "return outside": (b"return 1\n", "'return' outside function"),
    "break outside": (b"break\n", ""),
    "digits": (b"x = " + b"9" * 5000 + b"\n", ""),
}

"""The bytes, and what the message says."""

ODD = _named(r"""
--- empty

--- comment
# nothing
--- missing module
import no_such_module
from no_such import thing
from .relative import x
y = thing(no_such_module.f)
--- missing name
from jax import no_such_name
--- star import
from no_such_module import *
x = anything(1)
--- circular import
import program
from program import x
--- nested lists made
x = []
for i in range(10000): x = [x]
print(x)
import jax; jax.tree.leaves(x)
--- endless
while True: pass
--- endless with work
import jax.numpy as jnp
x = jnp.ones(3)
while True: x = x + 1
--- endless growth
x = [1]
while True: x.append(x[-1] + 1)
--- growing as it is looked at
x = [1]
for i in x: x.append(i)
--- growing array
import jax.numpy as jnp
x = jnp.ones(1)
while True: x = jnp.concatenate([x, x])
--- doubling text
s = 'a'
while True: s = s + s
--- doubling list
s = [1]
for i in range(100): s = s + s
--- doubling tuple of tuples
s = (1,)
for i in range(60): s = (s, s)
import jax; jax.tree.leaves(s); print(s == s, s)
--- squaring
x = 3
for i in range(64): x = x * x
--- recursion
def f(x): return f(x + 1)
y = f(0)
--- plain recursion
def f(): return f()
y = f()
--- mutual recursion
def f(x): return g([x])
def g(x): return f((x,)) + 1
y = f(0)
--- recursion in two
def f(n): return f(n - 1) + f(n - 2)
y = f(400)
--- recursion that ends
def f(n): return n if n < 2 else f(n - 1) + f(n - 2)
y = f(35)
--- ackermann
def a(m, n): return n + 1 if m == 0 else a(m - 1, 1) if n == 0 else a(m - 1, a(m, n - 1))
y = a(4, 4)
--- recursion through classes
class C:
    def __init__(self): self.x = C()
c = C()
--- recursion through attributes
class C:
    def __getattr__(self, n): return getattr(self, n + 'x')
y = C().a
--- recursion through properties
class C:
    @property
    def p(self): return self.p
y = C().p
--- recursion through jax
import jax
@jax.jit
def f(x): return f(x) + jax.grad(f)(x)
y = f(1.0)
--- recursion through vmap
import jax, jax.numpy as jnp
def f(x): return jax.vmap(f)(x)
y = f(jnp.ones((2,) * 20))
--- Y
Y = lambda f: (lambda x: f(lambda v: x(x)(v)))(lambda x: f(lambda v: x(x)(v)))
f = Y(lambda g: lambda n: g(n + 1))(0)
--- omega
(lambda x: x(x))(lambda x: x(x))
--- generator
def g():
    i = 0
    while True:
        yield i
        i += 1
x = list(g())
--- generators in turn
import itertools
x = sum(itertools.count())
y = list(itertools.cycle([1]))
z = max(iter(int, 1))
--- generator of itself
def g(): yield from g()
x = list(g())
--- permutations
import itertools
x = list(itertools.permutations(range(20)))
y = list(itertools.product(range(99), repeat=9))
--- long loop
import jax.numpy as jnp
t = jnp.zeros(())
for i in range(10**9): t = t + i
--- nested loops
t = 0
for a in range(60):
 for b in range(60):
  for c in range(60):
   for d in range(60): t += a
--- nested comprehensions
t = [[[[a for a in range(60)] for b in range(60)] for c in range(60)] for d in range(60)]
--- huge range
x = list(range(10**9))
y = sum(range(10**12))
z = tuple(range(10**15))
w = [i for i in range(10**10)]
--- huge arrays
import jax.numpy as jnp, numpy as np
x = jnp.zeros((10**6, 10**6))
y = np.zeros((10**6, 10**6))
z = np.arange(10**12)
w = jnp.arange(10**9)
v = x @ x
u = y + y.T
t = np.ones(10**11).sum()
s = np.eye(10**6)
--- huge more
import numpy as np
a = np.full((10**5, 10**5), 1.0)
b = np.linspace(0, 1, 10**10)
c = np.random.default_rng(0).normal(size=(10**5, 10**6))
d = np.random.rand(10**6, 10**6)
e = np.tile(np.ones(10**4), (10**4, 10**4))
f = np.broadcast_to(1.0, (10**6, 10**6)).copy()
g = np.indices((10**4, 10**4, 10))
h = np.meshgrid(np.arange(10**5), np.arange(10**5))
i = np.kron(np.ones((10**3, 10**3)), np.ones((10**3, 10**3)))
j = np.repeat(np.ones(10), 10**10)
--- huge containers
a = [0] * 10**9
b = (0,) * 10**10
c = 'a' * 10**10
d = b'a' * 10**10
e = bytes(10**10)
f = bytearray(10**10)
g = 'x'.ljust(10**10)
h = f'{1:{10**9}}'
i = '%*d' % (10**9, 1)
j = 'a'.join([c] * 10**6)
k = '{:1000000000}'.format(1)
l = 'a'.center(10**10).encode()
m = 'ab'.replace('a', 'a' * 10**9)
n = 'a'.zfill(10**10)
o = '\t'.expandtabs(10**10)
--- huge numbers
a = 10**10**8
b = 1 << 10**11
c = 2**2**40
d = pow(7, 10**12)
e = 7 ** -(10**12)
f = 10.0 ** 10**9
import math
g = math.factorial(10**7)
h = math.comb(10**7, 5 * 10**6)
i = str(3**10**6)
j = int('9' * 10**6)
k = math.perm(10**7)
l = math.prod(range(1, 10**8))
m = round(1, -10**10)
n = (1 << 10**6) ** 10**5
o = math.lcm(*range(1, 10**6))
--- huge patterns
import re
a = re.match(r'(a+)+$', 'a' * 64 + 'b')
b = re.sub('a', 'b' * 10**6, 'a' * 10**6)
--- huge fractions
from fractions import Fraction
from decimal import Decimal
a = Fraction(1, 3) ** 10**9
b = Decimal(10) ** 10**9
import time
time.sleep(1000)
input()
--- holds itself
a = []
a.append(a)
d = {}
d['d'] = d
print(a, d)
b = a + a
x = a == a[0]
import copy
c = copy.deepcopy(a)
class C: pass
o = C()
o.o = o
import jax
jax.tree.leaves(a)
jax.tree.map(lambda x: x, d)
t = (a, [a])
print(t, sorted(a))
--- holds itself in branches
a, b = [], []
a.append(b); b.append(a)
if input(): a.append(1)
else: b.append(a)
while input(): a, b = b, [a]
--- holds itself in loops
a = []
for i in range(200): a = [a, a]
while input(): a = [a, a]
d = {'x': a}
while input(): d = {'x': d}
--- odd classes
class A(A if False else object): pass
class B(B0 := type('B0', (), {})): pass
class C(metaclass=lambda *a: 3): pass
x = type('D', (int,), {})(3) + 1
class E(int, str): pass
--- odd names
__class__ = 3
__builtins__ = {}
print = 3
len = int
int = len
__name__ = 4
x = len(3)
del len
del x
x
--- odd deletes
import jax
del jax
x = [1]
del x[:], x
x
--- await
async def f():
    async for x in g(): await x
    async with f() as y: return [z async for z in y]
import asyncio
asyncio.run(f())
--- match
match input():
    case [x, *_, {'a': int(y), **z}] | (x, {'b': y, **z}, _): pass
    case str() as s if s > 'a': pass
""") | {
    "parentheses": "x = " + _nested("(", ")"),
    "lists": "x = " + _nested("[", "]", depth=90),
    "additions": "x = " + " + ".join(["1"] * 3000),
    "attributes": "import jax\nx = jax" + ".numpy" * 2000,
    "calls": "f = lambda: f\nx = f" + "()" * 1500,
    "strings": "x = " + " ".join(['"a"'] * 20000),
    "functions": _functions(90),
    "ifs": "".join(" " * i + f"if x{i}:\n" for i in range(95)) + " " * 95 + "pass\n",
    "branches": "".join(f"if unknown(): x{i} = {i}\nelse: x{i} = 'a'\n" for i in range(500)),
    "elifs": "x = input()\nif x == '': y = 0\n" + "".join(f"elif x == '{i}': y = {i}\n" for i in range(800)),
    "10,000 lines": "import jax.numpy as jnp\nx = jnp.ones((4, 8))\n" + "".join(_BODY.format(i) for i in range(1700)),
}
