"""Flow on whole programs: audited against runs, with planted mistakes, mutated, dangerous to run, and no programs at all.

The figures that must be reached are constants here.
"""

from __future__ import annotations

import random
import textwrap
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import mutations
import planted
import pytest
from mutations import Judgement, flow_on, programs
from program_runs import run_programs

from arraytyping.audit import Statistics, compare
from arraytyping.flow.interpreter import Limits
from arraytyping.flow.program import Result, interpret

# Of the expressions that make arrays: dtype and weak type known, and every value fully known.
DTYPE_KNOWN = 0.89
FULLY_KNOWN = 0.85
# Of the planted mistakes, those found at their line.
PLANTED_FOUND = 0.90
# Of a sample of the mutants that raise, those found at the innermost line of the traceback.
MUTANTS = 250
MUTANTS_FOUND = 0.80
RERUN = 10

# ------------------------------------------------------------------------------------------- programs, audited


@pytest.fixture(scope="module")
def flows() -> dict[Path, Result]:
    """Flow on every program."""
    return {path.resolve(): flow_on(path.resolve(), {}) for path in programs()}


def test_programs_have_no_mistakes(flows: dict[Path, Result]) -> None:
    """They all run: whatever is certain of them is false."""
    for path, result in flows.items():
        assert [str(m) for m in result.mistakes if m.is_certain and not m.is_warning] == [], path.name
        assert not result.crashes, path.name
        assert not result.errors, path.name
        assert result.is_complete, path.name


def test_programs_are_as_claimed(flows: dict[Path, Result]) -> None:
    """No claim is wrong of what comes when they run, and most is known."""
    runs = run_programs(flows)
    total = Statistics()
    for path, result in flows.items():
        assert runs[path].exception is None, runs[path].traceback
        audit = compare(result.program, runs[path].observations)
        assert [str(w) for w in audit.wrong] == [], path.name
        total += audit.statistics
    print(total)
    assert total.dtype_known / total.arrays >= DTYPE_KNOWN, total
    assert total.fully_known / total.arrays >= FULLY_KNOWN, total


# ------------------------------------------------------------------------------------------- planted mistakes


def test_planted_mistakes() -> None:
    """The clean programs have no certain mistake; of their twins nearly all have one at the line."""
    missed: list[str] = []
    for path in planted.files():
        cases = planted.cases_of(path)
        clean = interpret(path, source=cases[0].clean_source)
        assert [str(m) for m in clean.mistakes if m.is_certain and not m.is_warning] == [], path.name
        assert not clean.crashes, path.name
        for case in cases:
            result = interpret(path, source=case.mistaken_source)
            if not any(m.line == case.shows_line and m.is_certain for m in result.mistakes):
                missed.append(f"{case.name}: {case.code}")
    number = len(planted.cases())
    assert (number - len(missed)) / number >= PLANTED_FOUND, "\n".join(missed)


# ------------------------------------------------------------------------------------------- mutants


@pytest.fixture(scope="module")
def sample() -> list[Judgement]:
    """Flow on some of the mutants, judged by what is known of running them."""
    mutants, truth = mutations.all_mutants(), mutations.known_truth()
    chosen = random.Random(0).sample(mutants, MUTANTS)
    return [mutations.judge(mutant, truth[mutant.id]) for mutant in chosen]


def test_mutants(sample: list[Judgement]) -> None:
    """Those that run have no error but true ones; of those that raise nearly all have one at the line."""
    print(mutations.table(sample))
    assert [mutations.show(j) for j in sample if j.verdict == "false"] == []
    assert [mutations.show(j) for j in sample if j.result.crashes] == []
    counts = Counter(j.verdict for j in sample if j.truth.exception)
    knowable = counts.total() - counts["unknowable"]
    assert counts["found"] / knowable >= MUTANTS_FOUND, "\n".join(
        mutations.show(j) for j in sample if j.verdict in ("missed", "elsewhere", "possible")
    )


def test_mutants_do_what_is_kept_of_them() -> None:
    """Some mutants are run anew."""
    truth = mutations.known_truth()
    mutants = random.Random(1).sample(mutations.all_mutants(), RERUN)
    assert mutations.run(mutants) == {mutant.id: truth[mutant.id] for mutant in mutants}


# ------------------------------------------------------------------------------------------- nothing is run

# Whatever runs any part of these leaves a trace: a file is gone, or there.
DANGEROUS = {
    "module": "touch('module')",
    "import of a module of its own": "import helper",
    "from-import of a module of its own": "from package.deep import name",
    "decorator": """
        def decorate(f):
            touch('decorator')
            return f
        @decorate
        def f(): touch('decorated')
        f()
    """,
    "class body": """
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
    """,
    "class creation": """
        class Base:
            def __init_subclass__(cls): touch('subclass')
            def __set_name__(self, owner, name): touch('name')
        class Meta(type):
            def __new__(cls, *args): touch('meta'); return super().__new__(cls, *args)
            def __prepare__(*args): touch('prepare'); return {}
        class A(Base, metaclass=Meta):
            field = Base()
    """,
    "special methods": """
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
    """,
    "callbacks": """
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
    """,
    "pytrees": """
        import jax
        class C: pass
        def flatten(c): touch('flatten'); return (1,), None
        def unflatten(aux, children): touch('unflatten'); return C()
        jax.tree_util.register_pytree_node(C, flatten, unflatten)
        jax.tree.leaves(C()); jax.jit(lambda c: c)(C()); jax.tree.map(lambda x: x, C())
    """,
    "code as text": """
        eval("touch('eval')"); exec("touch('exec')"); compile("1", "", "exec")
        __import__("helper"); import importlib; importlib.import_module("helper"); importlib.import_module("package.deep")
        import runpy; runpy.run_path(HERE + "/helper.py")
        import os, subprocess, sys; os.system(f"touch {HERE}/system"); subprocess.run(["touch", HERE + "/subprocess"])
        subprocess.Popen([sys.executable, "-c", f"open({HERE!r} + '/popen', 'w')"]).wait()
    """,
    "files": """
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
    """,
    "ways around": """
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
        np.apply_along_axis(lambda x: open(HERE + "/along", "w"), 0, np.ones(3)); np.fromfunction(lambda i: open(HERE + "/fn", "w"), (3,))
    """,
    "configuration": """
        import jax, numpy as np, random, os, sys, warnings, gc, locale, decimal
        jax.config.update("jax_enable_x64", True); jax.config.update("jax_numpy_rank_promotion", "raise")
        np.seterr(all="raise"); np.random.seed(3); random.seed(3); np.set_printoptions(precision=2)
        warnings.simplefilter("error"); sys.stdout = None; sys.stdin.close(); gc.disable(); sys.path.clear()
        jax.numpy.sum = None; np.sum = None; del jax.grad; decimal.getcontext().prec = 3; sys.argv.append("x")
        sys.setswitchinterval(1.0); os.umask(0); sys.settrace(lambda *a: None); jax.lax.dtype = 3
        class C(np.ndarray): pass
        np.ndarray.sum = 3; setattr(np, "mean", 3); sys.modules.pop("jax"); vars(np)["mean"] = 3; np.__dict__["std"] = 3
        sys.modules["numpy"].var = 1; jax.clear_caches(); jax.distributed.shutdown
    """,
    "ends": """
        import os, sys, signal
        if HERE == "x": os._exit(3)
        try: os.kill(os.getpid(), signal.SIGKILL)
        finally: os.abort()
    """,
    "entry": """
        def main(): touch('main')
        if __name__ == "__main__": main()
    """,
}  # fmt: skip

PRELUDE = '''
def touch(name):
    """Leaves a trace."""
    open(f"{HERE}/{name}", "w").close()
    import os
    os.remove(f"{HERE}/victim")
'''


@pytest.mark.parametrize("source", DANGEROUS.values(), ids=DANGEROUS)
def test_nothing_of_the_program_is_run(source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file is made, changed or removed, and neither the process nor a library is changed."""
    monkeypatch.chdir(tmp_path)
    prelude = f"HERE = {str(tmp_path)!r}\n" + PRELUDE
    Path("victim").write_text("alive")
    Path("helper.py").write_text(prelude + "touch('helper')\n")
    Path("package").mkdir()
    Path("package/__init__.py").write_text(prelude + "touch('package')\n")
    Path("package/deep.py").write_text(prelude + "name = touch('deep')\n")
    Path("program.py").write_text(prelude + textwrap.dedent(source))
    before, state = _contents(tmp_path), _state()
    result = interpret(Path("program.py").resolve())
    assert _contents(tmp_path) == before
    assert _state() == state
    assert not result.errors
    assert not result.crashes


def _contents(directory: Path) -> dict[str, bytes | None]:
    return {str(p): p.read_bytes() if p.is_file() else None for p in directory.rglob("*")}


def _state() -> list[object]:
    """What programs may change of a process and its libraries."""
    import builtins
    import decimal
    import gc
    import os
    import sys
    import threading
    import warnings

    import jax
    import numpy as np

    # Libraries import modules of their own when they are first asked for something.
    kept = [name for name in sys.modules if name in ("jax", "numpy", "math", "helper", "package", "package.deep")]
    return [
        sorted(kept), *(id(sys.modules[k]) for k in sorted(kept)), sys.path[:], sys.argv[:], sys.stdout, sys.stdin.closed,
        sys.getrecursionlimit(), sys.gettrace(), sys.getswitchinterval(), gc.isenabled(), dict(os.environ), Path.cwd(),
        builtins.len, builtins.open, warnings.filters[:], np.geterr(), np.get_printoptions(), decimal.getcontext().prec,
        np.random.get_state(legacy=True)[1].tobytes(),  # type: ignore[index,union-attr]
        random.getstate(), jax.config.jax_enable_x64, jax.config.jax_numpy_rank_promotion, hasattr(jax, "grad"),
        jax.numpy.sum, np.sum, np.mean, np.std, np.var, np.ndarray.sum, threading.active_count(),
    ]  # fmt: skip


# ------------------------------------------------------------------------------------------- no programs, and monsters


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
    "parentheses": (_nested("(", ")").encode(), ""),
    "unclosed": (b"x = [\n" * 1000, ""),
    "return outside": (b"return 1\n", "'return' outside function"),
    "break outside": (b"break\n", ""),
    "digits": (b"x = " + b"9" * 5000 + b"\n", ""),
}

ODD: dict[str, str | Callable[[], str]] = {
    "empty": "",
    "comment": "# nothing\n",
    "missing module": "import no_such_module\nfrom no_such import thing\nfrom .relative import x\ny = thing(no_such_module.f)",
    "missing name": "from jax import no_such_name",
    "star import": "from no_such_module import *\nx = anything(1)\n",
    "circular import": "import program\nfrom program import x\n",
    "lists": lambda: "x = " + _nested("[", "]", depth=90),
    "nested lists made": "x = []\nfor i in range(10000): x = [x]\nprint(x)\nimport jax; jax.tree.leaves(x)\n",
    "additions": lambda: "x = " + " + ".join(["1"] * 3000),
    "attributes": lambda: "import jax\nx = jax" + ".numpy" * 2000,
    "calls": lambda: "f = lambda: f\nx = f" + "()" * 1500,
    "strings": lambda: "x = " + " ".join(['"a"'] * 20000),
    "functions": lambda: _functions(90),
    "ifs": lambda: "".join(" " * i + f"if x{i}:\n" for i in range(95)) + " " * 95 + "pass\n",
    "branches": lambda: "".join(f"if unknown(): x{i} = {i}\nelse: x{i} = 'a'\n" for i in range(500)),
    "elifs": lambda: "x = input()\nif x == '': y = 0\n" + "".join(f"elif x == '{i}': y = {i}\n" for i in range(800)),
    "endless": "while True: pass",
    "endless with work": "import jax.numpy as jnp\nx = jnp.ones(3)\nwhile True: x = x + 1",
    "endless growth": "x = [1]\nwhile True: x.append(x[-1] + 1)",
    "growing as it is looked at": "x = [1]\nfor i in x: x.append(i)",
    "growing array": "import jax.numpy as jnp\nx = jnp.ones(1)\nwhile True: x = jnp.concatenate([x, x])",
    "doubling text": "s = 'a'\nwhile True: s = s + s",
    "doubling list": "s = [1]\nfor i in range(100): s = s + s",
    "doubling tuple of tuples": "s = (1,)\nfor i in range(60): s = (s, s)\nimport jax; jax.tree.leaves(s); print(s == s, s)",
    "squaring": "x = 3\nfor i in range(64): x = x * x",
    "recursion": "def f(x): return f(x + 1)\ny = f(0)",
    "plain recursion": "def f(): return f()\ny = f()",
    "mutual recursion": "def f(x): return g([x])\ndef g(x): return f((x,)) + 1\ny = f(0)",
    "recursion in two": "def f(n): return f(n - 1) + f(n - 2)\ny = f(400)",
    "recursion that ends": "def f(n): return n if n < 2 else f(n - 1) + f(n - 2)\ny = f(35)",
    "ackermann": "def a(m, n): return n + 1 if m == 0 else a(m - 1, 1) if n == 0 else a(m - 1, a(m, n - 1))\ny = a(4, 4)",
    "recursion through classes": "class C:\n    def __init__(self): self.x = C()\nc = C()",
    "recursion through attributes": "class C:\n    def __getattr__(self, n): return getattr(self, n + 'x')\ny = C().a",
    "recursion through properties": "class C:\n    @property\n    def p(self): return self.p\ny = C().p",
    "recursion through jax": "import jax\n@jax.jit\ndef f(x): return f(x) + jax.grad(f)(x)\ny = f(1.0)",
    "recursion through vmap": "import jax, jax.numpy as jnp\ndef f(x): return jax.vmap(f)(x)\ny = f(jnp.ones((2,) * 20))",
    "Y": "Y = lambda f: (lambda x: f(lambda v: x(x)(v)))(lambda x: f(lambda v: x(x)(v)))\n"
    "f = Y(lambda g: lambda n: g(n + 1))(0)",
    "omega": "(lambda x: x(x))(lambda x: x(x))",
    "generator": "def g():\n    i = 0\n    while True:\n        yield i\n        i += 1\nx = list(g())",
    "generators in turn": "import itertools\nx = sum(itertools.count())\ny = list(itertools.cycle([1]))\nz = max(iter(int, 1))",
    "generator of itself": "def g(): yield from g()\nx = list(g())",
    "permutations": "import itertools\nx = list(itertools.permutations(range(20)))\ny = list(itertools.product(range(99), repeat=9))",
    "long loop": "import jax.numpy as jnp\nt = jnp.zeros(())\nfor i in range(10**9): t = t + i",
    "nested loops": "t = 0\nfor a in range(60):\n for b in range(60):\n  for c in range(60):\n   for d in range(60): t += a",
    "nested comprehensions": "t = [[[[a for a in range(60)] for b in range(60)] for c in range(60)] for d in range(60)]",
    "huge range": "x = list(range(10**9))\ny = sum(range(10**12))\nz = tuple(range(10**15))\nw = [i for i in range(10**10)]",
    "huge arrays": "import jax.numpy as jnp, numpy as np\nx = jnp.zeros((10**6, 10**6))\ny = np.zeros((10**6, 10**6))\n"
    "z = np.arange(10**12)\nw = jnp.arange(10**9)\nv = x @ x\nu = y + y.T\nt = np.ones(10**11).sum()\ns = np.eye(10**6)",
    "huge more": "import numpy as np\na = np.full((10**5, 10**5), 1.0)\nb = np.linspace(0, 1, 10**10)\n"
    "c = np.random.default_rng(0).normal(size=(10**5, 10**6))\nd = np.random.rand(10**6, 10**6)\n"
    "e = np.tile(np.ones(10**4), (10**4, 10**4))\nf = np.broadcast_to(1.0, (10**6, 10**6)).copy()\n"
    "g = np.indices((10**4, 10**4, 10))\nh = np.meshgrid(np.arange(10**5), np.arange(10**5))\n"
    "i = np.kron(np.ones((10**3, 10**3)), np.ones((10**3, 10**3)))\nj = np.repeat(np.ones(10), 10**10)",
    "huge containers": "a = [0] * 10**9\nb = (0,) * 10**10\nc = 'a' * 10**10\nd = b'a' * 10**10\ne = bytes(10**10)\nf = bytearray(10**10)\n"
    "g = 'x'.ljust(10**10)\nh = f'{1:{10**9}}'\ni = '%*d' % (10**9, 1)\nj = 'a'.join([c] * 10**6)\nk = '{:1000000000}'.format(1)\n"
    "l = 'a'.center(10**10).encode()\nm = 'ab'.replace('a', 'a' * 10**9)\nn = 'a'.zfill(10**10)\no = '\\t'.expandtabs(10**10)",
    "huge numbers": "a = 10**10**8\nb = 1 << 10**11\nc = 2**2**40\nd = pow(7, 10**12)\ne = 7 ** -(10**12)\nf = 10.0 ** 10**9\n"
    "import math\ng = math.factorial(10**7)\nh = math.comb(10**7, 5 * 10**6)\ni = str(3**10**6)\nj = int('9' * 10**6)\n"
    "k = math.perm(10**7)\nl = math.prod(range(1, 10**8))\nm = round(1, -10**10)\nn = (1 << 10**6) ** 10**5\no = math.lcm(*range(1, 10**6))",
    "huge patterns": "import re\na = re.match(r'(a+)+$', 'a' * 64 + 'b')\nb = re.sub('a', 'b' * 10**6, 'a' * 10**6)",
    "huge fractions": "from fractions import Fraction\nfrom decimal import Decimal\na = Fraction(1, 3) ** 10**9\nb = Decimal(10) ** 10**9\n"
    "import time\ntime.sleep(1000)\ninput()",
    "holds itself": "a = []\na.append(a)\nd = {}\nd['d'] = d\nprint(a, d)\nb = a + a\nx = a == a[0]\nimport copy\nc = copy.deepcopy(a)\n"
    "class C: pass\no = C()\no.o = o\nimport jax\njax.tree.leaves(a)\njax.tree.map(lambda x: x, d)\nt = (a, [a])\nprint(t, sorted(a))",
    "holds itself in branches": "a, b = [], []\na.append(b); b.append(a)\nif input(): a.append(1)\nelse: b.append(a)\nwhile input(): a, b = b, [a]",
    "holds itself in loops": "a = []\nfor i in range(200): a = [a, a]\nwhile input(): a = [a, a]\nd = {'x': a}\nwhile input(): d = {'x': d}",
    "odd classes": "class A(A if False else object): pass\nclass B(B0 := type('B0', (), {})): pass\n"
    "class C(metaclass=lambda *a: 3): pass\nx = type('D', (int,), {})(3) + 1\nclass E(int, str): pass",
    "odd names": "__class__ = 3\n__builtins__ = {}\nprint = 3\nlen = int\nint = len\n__name__ = 4\nx = len(3)\ndel len\ndel x\nx",
    "odd deletes": "import jax\ndel jax\nx = [1]\ndel x[:], x\nx\n",
    "await": "async def f():\n    async for x in g(): await x\n    async with f() as y: return [z async for z in y]\nimport asyncio\nasyncio.run(f())",
    "match": "match input():\n    case [x, *_, {'a': int(y), **z}] | (x, {'b': y, **z}, _): pass\n    case str() as s if s > 'a': pass",
    "10,000 lines": lambda: "import jax.numpy as jnp\nx = jnp.ones((4, 8))\n" + "".join(_BODY.format(i) for i in range(1700)),
}  # fmt: skip

BOUND = 5
"""Seconds for each."""


@pytest.mark.parametrize(("content", "message"), UNREADABLE.values(), ids=UNREADABLE)
def test_what_is_no_python_makes_one_line(content: bytes, message: str, tmp_path: Path) -> None:
    """As the program, and as a module that it imports."""
    path = tmp_path / "broken.py"
    path.write_bytes(content)
    result = interpret(path)
    assert len(result.errors) == 1
    assert message in result.errors[0].message
    assert "\n" not in result.errors[0].message
    assert not result.crashes
    main = tmp_path / "main.py"
    main.write_text("import broken\nx = 1\n")
    assert len(interpret(main).errors) == 1


@pytest.mark.parametrize("source", ODD.values(), ids=ODD)
def test_odd_programs_end_in_time(source: str | Callable[[], str], tmp_path: Path) -> None:
    """Whatever a program does, flow neither hangs nor fails."""
    path = tmp_path / "program.py"
    path.write_text(source if isinstance(source, str) else source())
    limits = Limits()
    limits.seconds = BOUND
    result = interpret(path, limits=limits)
    assert not result.crashes
    assert not result.errors
    assert result.seconds < BOUND + 3


def test_missing_files(tmp_path: Path) -> None:
    """A file that is not there, and a directory."""
    for path in (tmp_path / "missing.py", tmp_path):
        result = interpret(path)
        assert len(result.errors) == 1
        assert not result.crashes
