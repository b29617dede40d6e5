"""The audit: programs behave as they do without it, what it records is so, and wrong claims are found."""

from __future__ import annotations

import ast
import copy
import inspect
import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from mypy_runs import command_cache
from program_runs import Program, Result, run_programs

from arraytyping.checker.audit import (
    ArrayObservation,
    Observations,
    WrongClaim,
    compare,
    observe,
    run_module,
    run_program,
)
from arraytyping.checker.audit.instrumenting import compile_instrumented, instrument
from arraytyping.checker.claims import Claim, ExpressionClaims, FileClaims, Position, ProgramClaims
from arraytyping.semantics.avals import SymbolicDim

# Programs behave as before.  Each prints what could have changed.

BEHAVIOUR = {
    "docstrings and future imports": '''
        """The docstring."""
        from __future__ import annotations
        def f(x: not_evaluated = 1) -> nor_this:
            "f's"
            y: neither = x
            return y
        class C:
            """C's"""
            x: unknown_name = 1
        print(__doc__, f.__doc__, C.__doc__, f.__annotations__, C.__annotations__, f())
    ''',
    "what a module is": '''
        import sys
        print(__name__, __file__ == sys.argv[0] or __file__, __package__, __spec__, type(__builtins__).__name__)
        print(sys.modules["__main__"].__dict__ is globals(), sys.argv[1:], __file__.startswith(sys.path[0]))
        print(sorted(n for n in globals() if n not in ("__loader__", "__warningregistry__", "__file__")))
        print([n for n in dir() if "@" in n])
    ''',
    "walrus and scopes of comprehensions": '''
        def f(values):
            kept = [y for x in values if (y := x * 2) > 2]
            total = [[(last := (a, b)) for a in range(2)] for b in range(3)]
            return kept, y, last, {k: v for k, v in zip("ab", values)}, {x for x in values}, sorted(locals())
        print(f([1, 2, 3]))
        if (n := 10) > 5 and (m := n + 1): print(n, m)
        class C:
            z = 3
            zs = [z for z in range(z)]
            ws = [i for i in range(3) if i]
            print(sorted(locals()))
        print(C.zs, C.ws, [x for x in (lambda: range(3))()], list(x + y for x in range(2) for y in range(x)))
    ''',
    "names of classes": '''
        class A:
            __private = 1
            __slots__ = ("__x", "y")
            def __init__(self, __p=2): self.__x = __p; self.y = self.__x + A.__private
            def __m(self): return self.__x, __class__, self.__private
            def n(self): return self.__m()
        class B(A):
            def n(self, *a): return super().n(), super(B, self).n(), __class__.__name__
            @classmethod
            def k(cls): return super().__new__(cls).__class__
            @property
            def p(self): return [super(B, self).y for _ in range(1)]
        print(B().n(), B.k(), sorted(vars(A)), B().p, A._A__private)
        class M(type):
            def __call__(cls, *a, **k): return super().__call__(*a, **k), cls
            def __prepare__(name, bases, **k): return {"made": k}
            def __new__(m, *a, **k): return super().__new__(m, *a)
            def __init__(cls, *a, **k): super(M, cls).__init__(*a)
        class D(A, metaclass=M, extra=3):
            def __new__(cls, *a, **k): return object.__new__(cls)
            def __init__(self, **k): pass
        print(type(D()[0]).__name__, D.made)
    ''',
    "global and nonlocal": '''
        count = 0
        def outer():
            n = 0
            def inner():
                nonlocal n
                global count, made
                n += 1; count += n; made = [n]
                return n
            inner(); inner()
            return n, inner.__closure__[0].cell_contents
        print(outer(), count, made)
        try:
            def g(): print(u); u = 1
            g()
        except UnboundLocalError as e: print(e)
        try: undefined_name
        except NameError as e: print(e, e.name)
        try: (1).nothing
        except AttributeError as e: print(e, e.name, e.obj)
    ''',
    "generators": '''
        def g():
            x = 0
            while True:
                try: x = yield x
                except KeyError as e: x = ("caught", e.args)
                finally: pass
        it = g(); print(next(it), it.send(3), it.throw(KeyError("k")), it.close())
        def h(): r = yield from (i for i in range(2)); got = (yield), (yield r); return got
        it = h(); print(next(it), next(it), next(it), it.send(1))
        try: it.send(2)
        except StopIteration as e: print(e.value)
        lam = lambda: (yield 1)
        print(list(lam()), it.gi_frame, it.gi_yieldfrom)
        import asyncio, contextlib
        class A:
            async def __aenter__(self): return 1
            async def __aexit__(self, *a): return True
            def __aiter__(self): self.n = 0; return self
            async def __anext__(self):
                self.n += 1
                if self.n > 3: raise StopAsyncIteration
                return self.n
        async def ag():
            for i in range(3): yield i
        async def main():
            async with A() as a, A(): print(a)
            async for x in A(): print(x)
            return [x async for x in ag()], [await asyncio.sleep(0, x) for x in (1, 2)], {k: 1 async for k in ag()}
        print(asyncio.run(main()))
    ''',
    "order of evaluation": '''
        def t(x): print(x, end=" "); return x
        class O(dict):
            def __setitem__(self, k, v): print("set", k, v, end=" "); dict.__setitem__(self, k, v)
            def __getitem__(self, k): print("get", k, end=" "); return dict.get(self, k, 1)
        o = O()
        o[t("a")] = t(1); o[t("a")] += t(2); o[t("b")], o[t("c")] = t(3), t(4)
        print(t(1) < t(5) < t(3) < t(9), t(0) or t(2) and t(3), t(1) if t(0) else t(2))
        def f(*a, k=t("default"), **kw): return a, k, kw
        print(f(t(1), *[t(2), t(3)], t(4), k=t(5), **{t("z"): t(6)}, **{"y": 1}))
        print({t(1): t(2), **{t(3): t(4)}}, [*t([1]), t(2)], (*t("ab"), t(3)), {*t("q")})
        del o[t("b")]; print(o, t(slice(1)), [1, 2, 3][t(0):t(2):t(1)])
    ''',
    "subscripts": '''
        class S:
            def __getitem__(self, k): return k
            def __setitem__(self, k, v): print(k, v)
            def __delitem__(self, k): print("del", k)
            def __class_getitem__(cls, k): return k
        s, n, a = S(), 2, (1, 2)
        print(s[1], s[n], s[n, n], s[n:], s[:, n:n+1, ::n], s[..., None], s[(n, n):], s[()], s[n,], s[*a], s[0, *a, 1])
        print(S[int], S[n:n])
        s[n:, 1] = n; del s[n:], s[n]; s[n] = s[n:1] = 5
        (s[0], [s[1], *s[2]]), x = (1, [2, 3, 4]), 5
        for s[n] in range(2): pass
        from contextlib import nullcontext
        with nullcontext(7) as s[n], nullcontext((1, 2)) as (p, q): print(p, q)
    ''',
    "match": '''
        import enum
        from dataclasses import dataclass
        class E(enum.Enum): RED = 1; BLUE = 2
        @dataclass
        class P: x: int; y: int = 0
        def f(v, limit=3):
            match v:
                case 0 | -1 | 1 + 2j | None | "s": return "constant"
                case E.RED: return "red"
                case int(n) if n > limit: return "big", n
                case P(x=0, y=yy) | P(1, yy): return "point", yy
                case [1, *rest] | (2, *rest): return "sequence", rest
                case {"k": [a, b], E.BLUE: c, **others}: return "mapping", a, b, c, others
                case str() as text: return text
                case _: return "other"
        print([f(v) for v in (0, -1, 1 + 2j, E.RED, 9, P(0, 4), P(1, 5), [1, 2], (2,), "t", 2, P(7))])
        print(f({"k": [1, 2], E.BLUE: 3, 4: 5}))
        match 1, [2]:
            case x, [y]: print(x, y)
    ''',
    "exceptions": '''
        import traceback, sys
        def inner(a, b):
            return (a +
                    b)[0] / (a
                             - 1)
        def outer(f, *args):
            try: return f(*args)
            except (TypeError, ZeroDivisionError) as e: print(traceback.format_exc()); raise ValueError("outer") from e
            finally: print("finally", sys.exc_info()[0])
        for args in ((1, 2), (1, "x"), (1,)):
            try: outer(inner, *args)
            except ValueError as e: print(traceback.format_exc())
        try: raise ExceptionGroup("g", [KeyError(1), TypeError(2)])
        except* KeyError as g: print(g.exceptions)
        except* TypeError as g: print(g.exceptions)
        def deep(n): return deep(n + 1)
        try: deep(0)
        except RecursionError as e: print(type(e))
        try: assert (1 == 2), [n for n in "ab"]
        except AssertionError as e: print(e)
        import warnings
        with warnings.catch_warnings(record=True) as w:
            warnings.simplefilter("always")
            def warn(): warnings.warn("here", stacklevel=2)
            warn()
            [warn() for _ in range(1)]
        print([(x.lineno, str(x.message)) for x in w])
        try: exec("1 +")
        except SyntaxError as e: print(e)
        print(eval("args[0] + 1"), eval("[n for n in args]"))
    ''',
    "frames and sources": '''
        import inspect, sys
        def where(): f = sys._getframe(1); return f.f_code.co_name, f.f_lineno, sorted(f.f_locals)
        def f(x, y=[1], *, z=2):
            return where(), inspect.stack()[0].function
        class C:
            def m(self): return where()
            n = (lambda self:
                 where())
        print(f(1), C().m(), C().n(), [where() for _ in range(1)])
        print(inspect.getsource(f), inspect.signature(f), inspect.getsource(C.n))
        print(f.__code__.co_varnames, f.__code__.co_firstlineno)
        print(list(f.__code__.co_lines())[0][2], f.__qualname__, C.n.__qualname__, f.__defaults__, f.__kwdefaults__)
        import pickle
        print(pickle.loads(pickle.dumps(C)) is C, pickle.loads(pickle.dumps(f)) is f)
    ''',
    "strings": '''
        x, w, d = 3.14159, 10, {"k": [1, 2]}
        print(f"{x:{w}.{w - 7}f}|{x!r:>{w}}|{d['k'][0]}|{x=}|{x = :.2f}|{ {1: 2}[1]}|{(lambda: 3)()}|{f'{w}'}")
        print(f"""{
            x
        } {w
        + 1} {w}{w}""", "%s" % w, "a" "b" f"{w}")
    ''',
    "identities and lifetimes": '''
        import weakref, sys, gc
        class T: pass
        def made(): t = T(); weakref.finalize(t, print, "gone"); return t
        made(); print("after")
        t = made(); r = weakref.ref(t); u = [t]; print(u[0] is t, (t, t)[1] is t, sys.getrefcount(t))
        del t, u; print(r())
        def f(x): del x; return "f"
        print(f(made()), "end")
        x = 1000; y = x; print(x is y, [x][0] is x, (lambda: x)() is x)
    ''',
    "hostile values": '''
        class M(type):
            def __eq__(cls, other): raise TypeError("metaclass compared")
            __hash__ = None
            def __instancecheck__(cls, o): raise TypeError("instance checked")
            @property
            def __mro__(cls): raise TypeError("mro")
        class H(metaclass=M):
            def __getattr__(self, n): print("asked for", n); raise AttributeError(n)
            def __bool__(self): raise TypeError("bool")
            def __eq__(self, o): print("eq"); return self
            def __len__(self): raise TypeError("len")
            def __repr__(self): return "H"
            @property
            def __class__(self): raise TypeError("class")
            def __iter__(self): raise TypeError("iter")
        h = H(); g = h; print([g, h], (h == h), h is g)
        class L(list):
            def __getitem__(self, k): print("item", k); return 1
            def __iter__(self): print("iter"); return iter((1, 2))
            def __len__(self): print("len"); return 5
        class Tu(tuple):
            __getitem__, __iter__, __len__ = L.__getitem__, L.__iter__, L.__len__
        l = L([h, h]); t = Tu((h, [h])); print(type(l), type(t), l[0])
        cycle = []; cycle.append(cycle); cycle.append((cycle, cycle)); print(cycle[0] is cycle)
        class Lazy:
            def __getattribute__(self, n): print("lazy", n); return 1
        z = Lazy(); [z, z]; print(z.aval)
    ''',
    "decorators and defaults": '''
        import functools, dataclasses, typing, contextlib, abc
        log = []
        def deco(*a): log.append(a); return lambda f: f
        @deco(1, *[2])
        @functools.lru_cache
        @(lambda f: f)
        def f(x, /, y=len(log), *a: int, k=[], **kw) -> "str": return x, y, a, k, kw
        @dataclasses.dataclass(frozen=True, order=True)
        class D: x: int; y: list = dataclasses.field(default_factory=list); z: typing.ClassVar[int] = 4
        class N(typing.NamedTuple): a: int; b: str = "b"
        class Ty(typing.TypedDict, total=False): a: int
        @contextlib.contextmanager
        def cm():
            try: yield 1
            except KeyError: print("swallowed")
        with cm() as one: raise KeyError
        @functools.singledispatch
        def g(x): return "any"
        @g.register
        def _(x: int): return "int"
        @functools.partial(lambda n, f: (n, f(1)), 3)
        def h(x): return x + 1
        print(log, f(1), D(1), N(1), N(1)._replace(b=2), Ty(a=1), g(1), g(""), h)
        print(typing.get_type_hints(D), f.__wrapped__.__annotations__)
        T = typing.TypeVar("T")
        class G(typing.Generic[T]): pass
        print(G[int], list[int] | None, typing.Callable[[int, ...], T] if 0 else typing.Callable[..., T])
    ''',
}  # fmt: skip

BEHAVIOUR_OF_3_12 = {
    "type parameters": '''
        class G[T: (int, str), *Ts, **P](list[T]):
            type Own = dict[str, T]
            def m[U](self, x: U) -> tuple[T, U]: return x
        type Alias[K] = dict[K, "later"] | later_defined
        def f[T: undefined_bound](x: T, d=len([1])) -> T: return x
        print(G.__type_params__, G.__orig_bases__, f(1), f.__type_params__, Alias.__name__, G.Own)
        later_defined = int
        print(Alias[int].__value__)
        n = 3; names = {"a": 1}
        print(f"{names["a"]} {f"{n + f"{n}".__len__()}"} {"\\n".join(["x"])!r} {
            n  # a comment
        }")
        class C:
            xs = [1, 2]
            ys = [x + 1 for x in xs]
            print([k for k in locals() if k[0] != "_"])
        def g():
            x = "outer"
            inner = [x for x in "ab"], [locals().get("x") for _ in [0]]
            return x, inner
        print(g())
    '''
}  # fmt: skip
BEHAVIOUR_OF_3_13 = {
    "defaults of type parameters": '''
        class G[T = int, **P = [int]]: pass
        class H[*Ts = *tuple[int, ...]]: pass
        print([p.__default__ for p in G.__type_params__])
        def f():
            x = 1
            d = locals(); x = 2
            return d, locals()
        print(f())
    '''
}  # fmt: skip


def behaviour() -> Iterator[Any]:
    versions = (((3, 11), BEHAVIOUR), ((3, 12), BEHAVIOUR_OF_3_12), ((3, 13), BEHAVIOUR_OF_3_13))
    for version, programs in versions:
        skip = pytest.mark.skipif(sys.version_info < version, reason=f"syntax of Python {version}")
        for name, text in programs.items():
            yield pytest.param(textwrap.dedent(text).lstrip("\n"), id=name, marks=skip)


@pytest.mark.parametrize("text", list(behaviour()))
def test_a_program_behaves_as_before(text: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(text)
    plain = subprocess.run([sys.executable, program, "x"], capture_output=True, text=True, cwd=tmp_path)
    assert plain.returncode == 0, plain.stderr
    shown = StringIO()
    with redirect_stdout(shown):
        run = run_program(program, ["x"])
    assert run.exception is None, run.traceback
    assert shown.getvalue() == plain.stdout
    assert run.observations.files[program]
    # What could not be recorded: only where the stack was full.
    assert any("?" in e.others for e in run.observations.files[program]) is ("RecursionError" in text)


class _Unwrapping(ast.NodeTransformer):
    def visit(self, node: ast.AST) -> Any:
        self.generic_visit(node)
        is_wrapper = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "@seen"
        return node.args[0] if isinstance(node, ast.Call) and is_wrapper else node


def sources() -> list[Path]:
    """Sources of many kinds: ours, and modules of the standard library with unusual syntax."""
    library = Path(inspect.getfile(os)).parent
    names = ("dataclasses", "typing", "enum", "asyncio/base_events", "asyncio/tasks", "ast", "inspect", "functools",
             "contextlib", "collections/__init__", "test/test_grammar", "test/test_patma", "test/test_fstring",
             "test/test_named_expressions", "test/test_generators", "test/test_scope", "test/test_type_params",
             "test/test_super")  # fmt: skip
    found = [library / f"{name}.py" for name in names]
    return [path for path in found if path.exists()] + [Path(__file__), Path(inspect.getfile(compare))]


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.stem)
def test_nothing_but_the_wrapping_is_changed(path: Path) -> None:
    source = path.read_bytes()
    tree, positions = ast.parse(source), list[Position]()

    def number(position: Position) -> int:
        positions.append(position)
        return len(positions)

    instrumented = instrument(copy.deepcopy(tree), "@seen", number)
    compile(instrumented, path.name, "exec", dont_inherit=True)
    assert len(positions) == len(set(positions)) > 50
    stripped = _Unwrapping().visit(instrumented)
    assert ast.dump(stripped, include_attributes=True) == ast.dump(tree, include_attributes=True)


def test_what_is_nested_too_deep_runs_as_it_stands() -> None:
    source = f"x = {' + '.join(['1'] * 900)}\ny = {'(' * 90}{')' * 90}\n"
    names: dict[str, Any] = {"@seen": lambda value, number: value}
    exec(compile_instrumented(source, "deep.py", "@seen", lambda position: 1), names)
    assert names["x"] == 900


def test_syntax_errors_and_warnings_are_pythons(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("def f(:\n")
    run = run_program(program)
    assert isinstance(run.exception, SyntaxError)
    assert (run.exception.filename, run.exception.lineno, run.exit_code) == (str(program), 1, 1)
    program.write_text("assert (1, 'always')\n")
    with pytest.warns(SyntaxWarning) as warned:
        run_program(program)
    assert [Path(w.filename).name for w in warned] == ["program.py"]


# Programs of several files, how they are found and how they end


def test_the_programs_own_modules_are_observed(tmp_path: Path) -> None:
    files = {
        "program.py": "import pkg.a, beside, installed\nprint(pkg.a.f([1])[0])\n",
        "pkg/__init__.py": "from . import b\n",
        "pkg/a.py": "from .b import g\ndef f(x):\n    return g(x)\n",
        "pkg/b.py": "def g(x):\n    return x\n",
        "pkg/__main__.py": "import sys\nfrom . import a\nprint(a.f(sys.argv[1:]), __package__, __spec__.name)\n",
        "beside.py": "x = [[1]]\n",
        "site-packages/installed.py": "y = [[1]]\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    installed = str(tmp_path / "site-packages")
    sys.path.append(installed)
    try:
        before = sys.path[:], set(sys.modules), sys.argv, sys.meta_path[:]
        with redirect_stdout(StringIO()):
            found = observe(tmp_path / "program.py")
            narrow = observe(tmp_path / "program.py", roots=[tmp_path / "pkg"])
        assert (sys.path, sys.argv, sys.meta_path) == (before[0], before[2], before[3])
        assert set(sys.modules) - before[1] == {"installed", "beside"}
    finally:
        sys.path.remove(installed)
        for name in ("installed", "beside"):
            sys.modules.pop(name, None)
    names = ["beside.py", "pkg/__init__.py", "pkg/a.py", "pkg/b.py", "program.py"]
    assert [str(path.relative_to(tmp_path)) for path in found.positions] == names
    assert [path.name for path in narrow.positions] == ["__init__.py", "a.py", "b.py", "program.py"]
    with redirect_stdout(StringIO()):
        runs = run_program(tmp_path / "pkg", ["1"]), run_module("pkg", ["1"], directory=tmp_path)
    for run in runs:
        assert run.exception is None
        assert {path.name for path in run.observations.files} == {"__init__.py", "a.py", "b.py", "__main__.py"}
    assert not list((tmp_path / "pkg").rglob("*.pyc"))  # no bytecode is kept of what is recorded


def test_how_a_program_ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "program.py"

    def run(text: str) -> Any:
        program.write_text(text)
        return run_program(program)

    assert [run(f"import sys\nsys.exit({code})\n").exit_code for code in ("", "0", "3", "'text'")] == [0, 0, 3, 1]
    assert capsys.readouterr().err == "text\n"
    failed = run("def f(x):\n    return [\n        1,\n        x / 0]\n\nf(\n    1)\n")
    assert [(f.file, f.line, f.function) for f in failed.frames] == [(program, 6, "<module>"), (program, 4, "f")]
    assert failed.traceback.startswith(f'Traceback (most recent call last):\n  File "{program}", line 6, in <module>\n')
    assert "arraytyping" not in failed.traceback
    assert isinstance(failed.exception, ZeroDivisionError)
    with pytest.raises(ZeroDivisionError):
        observe(program)
    assert isinstance(run_module("no_such_module", directory=tmp_path).exception, ImportError)
    changed = run_program(program, sources={program: "x = 1\n\nx.y\n"})
    assert [f.line for f in changed.frames] == [3]
    assert "    x.y\n" in changed.traceback


# What is recorded

POSITIONS = """\
a = {"k": [1.5, 2.5]}
é = a["k"]; b = é[0]; c = "é", é[1] + b
def f(x, *, k=b): return (x
    .real)
d = f(*[b], k=-b) if b < c[1] else [y for y in é]
"""


def test_positions_are_those_of_ast(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(POSITIONS, encoding="utf-8")
    lines = POSITIONS.encode().splitlines(keepends=True)

    def text(e: Any) -> str:
        inner = [*lines[e.line - 1 : e.end_line]]
        inner[-1] = inner[-1][: e.end_column]
        inner[0] = inner[0][e.column :]
        return b"".join(inner).decode()

    shown = [text(e) for e in observe(program).files[program]]
    assert shown == [
        'a["k"]', "a", "é[0]", "é", '"é", é[1] + b', "é[1] + b", "é[1]", "é", "b",
        "b", "x\n    .real", "x",
        "f(*[b], k=-b) if b < c[1] else [y for y in é]", "f(*[b], k=-b)", "[b]", "b", "-b", "b", "b < c[1]", "b",
        "c[1]", "c",
    ]  # fmt: skip


ARRAYS = """\
import jax, jax.numpy as jnp, numpy as np
from functools import partial
from typing import NamedTuple
class P(NamedTuple):
    w: object
    n: int
x = jnp.ones((2, 3)); w = jnp.asarray(2); one = jnp.float32(1)
(x, w, one * 2, w * 2.0, x > 0, x.T, x.astype(jnp.bfloat16), x.at[0].set(1), x[:, None], x.shape)  # strong and weak
n = np.arange(3); (n, n * 1.5, n[0], n.astype(jnp.int4), np.array(["a"]), n.shape)  # numpy
keys = jax.random.split(jax.random.key(0), 4); raw = jax.random.PRNGKey(1)
(keys, keys[0], raw, jax.random.key_data(keys))  # keys
p = P(x, 3); (p, [x, [n, (w,)]], [1, [2]], ((((x,),),),), [x] * 20)  # containers
def f(a, b=1.0):
    c = a * b
    return c
f(x); jax.jit(f)(one, 2); jax.vmap(f)(x); jax.vmap(jax.vmap(f), in_axes=1)(x)  # one position, many arrays
g = jax.grad(lambda v: f(v).sum())(x); g
def step(carry, t):
    return carry + t, carry
last, all_ = jax.lax.scan(step, one, x[0]); (last, all_)
@partial(jax.jit, donate_argnums=0)
def give(v):
    return v + 1
y = jnp.zeros(5); give(y); y
def many(v):
    return v
for i in range(300): many(jax.ShapeDtypeStruct((i,), "int8") and jnp.empty(i, "int8"))
r = jax.ref.new_ref(x) if hasattr(jax, "ref") else None; r
jax.grad(lambda v: v.sum() * 0 + x.sum(), allow_int=True)(w); jax.vjp(lambda i: i * 1.0, 2)[1](1.0)[0]
"""

FAILING = """\
import warnings
import jax, jax.numpy as jnp
@jax.jit
def f(x):
    return jnp.dot(x,
                   jnp.ones(4))
def g(x):
    warnings.warn("careful")
    print("shown")
    return jax.lax.scan(lambda c, t: (f(c), t), x, jnp.arange(2))
g(jnp.ones(3))
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Result]:
    """The programs above, run in one go."""
    directory = tmp_path_factory.mktemp("programs").resolve()
    texts = {"arrays": ARRAYS, "failing": FAILING, "ends": "import os\nos._exit(3)\n"}
    programs = {name: Program(directory / f"{name}.py") for name in texts}
    for name, program in programs.items():
        program.path.write_text(texts[name])
    programs["mended"] = replace(
        programs["failing"], source=FAILING.replace("ones(4)", "ones(3)").replace("(c)", "(c) + c")
    )
    found = run_programs(programs.values())
    return {name: found[program] for name, program in programs.items()}


def recorded(result: Result, line: int, text: str, source: str = ARRAYS) -> str:
    """What came at the last expression of a line that is written so."""
    [found] = result.observations.files.values()
    column = source.splitlines()[line - 1].rindex(text)
    e = next(e for e in found if (e.line, e.column, e.end_column) == (line, column, column + len(text)))
    return "; ".join(f"{'.'.join(map(str, a.item))}: {a}" if a.item else str(a) for a in e.arrays)


def test_arrays_of_jax(runs: dict[str, Result]) -> None:
    result = runs["arrays"]
    assert result.exception is None, result.traceback
    [lines] = [ARRAYS.splitlines()]

    def at(marker: str, text: str) -> str:
        [line] = [n for n, code in enumerate(lines, 1) if marker in code]
        return recorded(result, line, text)

    first = "jnp.asarray(2)"
    assert at(first, "jnp.ones((2, 3))") == "float32[2, 3]"
    assert at(first, first) == "int32[] (weak)"
    marker = "# strong and weak"
    shown = {
        "one * 2": "float32[]", "w * 2.0": "float32[] (weak)", "x > 0": "bool[2, 3]", "x.T": "float32[3, 2]",
        "x.astype(jnp.bfloat16)": "bfloat16[2, 3]", "x.at[0].set(1)": "float32[2, 3]", "x[:, None]": "float32[2, 1, 3]",
        "x.shape": "", "jnp": "", "x.at[0]": "",
    }  # fmt: skip
    shown.pop("x.at[0]")
    assert {text: at(marker, text) for text in shown} == shown
    assert at("# numpy", "n * 1.5") == "numpy float64[3]"
    assert at("# numpy", "n[0]") == "numpy int64[]"
    assert at("# numpy", "n.astype(jnp.int4)") == "numpy int4[3]"
    assert at("# keys", "keys[0]") == at("PRNGKey", "jax.random.key(0)") == "key<fry>[]"
    assert at("# keys", "jax.random.key_data(keys)") == "uint32[4, 2]"
    assert at("# keys", "(keys, keys[0], raw, jax.random.key_data(keys))") == (
        "0: key<fry>[4]; 1: key<fry>[]; 2: uint32[2]; 3: uint32[4, 2]"
    )


def test_containers(runs: dict[str, Result]) -> None:
    [line] = [n for n, code in enumerate(ARRAYS.splitlines(), 1) if "# containers" in code]
    at = {
        text: recorded(runs["arrays"], line, text)
        for text in ("P(x, 3)", "[x, [n, (w,)]]", "[1, [2]]", "((((x,),),),)", "[x] * 20")
    }
    assert at == {
        "P(x, 3)": "0: float32[2, 3]",
        "[x, [n, (w,)]]": "0: float32[2, 3]; 1.0: numpy int64[3]; 1.1.0: int32[] (weak)",
        "[1, [2]]": "",
        "((((x,),),),)": "",
        "[x] * 20": "; ".join(f"{i}: float32[2, 3]" for i in range(8)),
    }


def test_tracers(runs: dict[str, Result]) -> None:
    result, lines = runs["arrays"], ARRAYS.splitlines()
    body = lines.index("    c = a * b") + 1
    assert recorded(result, body, "a") == "float32[2, 3]; float32[]; float32[3]"
    assert recorded(result, body, "b") == "int32[] (weak)"  # and 1.0
    assert recorded(result, body, "a * b") == "float32[2, 3]; float32[]; float32[3]"
    step = lines.index("    return carry + t, carry") + 1
    assert recorded(result, step, "carry + t") == "float32[]"
    assert recorded(result, step + 1, "(last, all_)") == "0: float32[]; 1: float32[3]"
    donated = lines.index("y = jnp.zeros(5); give(y); y") + 1
    assert recorded(result, donated, "y") == "float32[5]"
    assert recorded(result, len(lines), "(w)"[1:-1]) == "int32[] (weak)"


def test_there_is_an_end_to_what_is_kept(runs: dict[str, Result]) -> None:
    [found] = runs["arrays"].observations.files.values()
    kept = [len(e.arrays) for e in found if not e.is_complete]
    assert kept == [200] * 4
    assert max(len(e.arrays) for e in found if e.is_complete) < 20


def test_runs_of_many_programs(runs: dict[str, Result]) -> None:
    failing = runs["failing"]
    assert (failing.exception, failing.exit_code) == ("TypeError", 1)
    assert "(3,)" in failing.message
    [path] = failing.observations.files
    assert [(f.file, f.line, f.function) for f in failing.frames] == [
        (path, 11, "<module>"), (path, 10, "g"), (path, 10, "<lambda>"), (path, 5, "f")
    ]  # fmt: skip
    assert failing.output == "shown\n"
    assert failing.warnings == ("failing.py:8: UserWarning: careful",)
    assert recorded(failing, 5, "x", FAILING) == "float32[3]"
    assert (runs["mended"].exception, runs["mended"].frames) == (None, ())
    assert (runs["ends"].exception, runs["ends"].exit_code) == ("SystemExit", 3)


def test_a_program_that_takes_too_long(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("print('begun', flush=True)\nwhile 1: pass\n")
    result = run_programs([program], timeout=1, preload=())[program]
    assert (result.exception, result.output) == ("TimeoutError", "begun\n")


# Claims


def claims_for(observations: Observations) -> ProgramClaims:
    """Claims that say of every array of JAX's just what came."""
    files = {
        str(path): FileClaims.of(
            ExpressionClaims(
                *e.position,
                tuple(Claim(a.dtype, a.weak_type, a.shape, a.item) for a in e.arrays if a.library == "jax"),  # type: ignore[arg-type]
                layer="flow",
            )
            for e in found
            if any(a.library == "jax" for a in e.arrays)
        )
        for path, found in observations.files.items()
    }
    return ProgramClaims(files)


def test_right_claims_are_right(runs: dict[str, Result]) -> None:
    observations = runs["arrays"].observations
    audit = compare(claims_for(observations), observations)
    counts = audit.statistics
    assert (audit.wrong, audit.not_fully_known) == ((), ())
    assert counts.arrays == counts.dtype_known == counts.fully_known > 70
    assert (counts.wrong, counts.unclaimed, counts.other, counts.unreached, counts.misplaced) == (0, 0, 0, 0, 0)
    nothing = compare(ProgramClaims(), observations).statistics
    assert (nothing.arrays, nothing.unclaimed, nothing.dtype_known) == (counts.arrays, counts.arrays, 0)


def test_every_wrong_claim_is_found(runs: dict[str, Result]) -> None:
    observations = runs["arrays"].observations
    [(path, file)] = claims_for(observations).files.items()
    changed = 0
    for e in (e for e in file.expressions if len(e.claims) < 10):
        for claim in e.claims:
            wrong = [replace(claim, dtype="uint16"), replace(claim, shape=(*(claim.shape or ()), 1))]
            wrong += [replace(claim, weak_type=not claim.weak_type)] if claim.dtype != "bool" else []
            wrong += [replace(claim, shape=(7, *claim.shape[1:]))] if claim.shape else []
            for other in wrong:
                claims = tuple(other if c is claim else c for c in e.claims)
                found = compare(ProgramClaims({path: FileClaims((replace(e, claims=claims),))}), observations).wrong
                assert [(w.line, w.column, w.end_column) for w in found] == [(e.line, e.column, e.end_column)]
                changed += 1
    assert changed > 300


OBSERVED = ArrayObservation("jax", "float32", False, (2, 3))


@pytest.mark.parametrize(
    ("claim", "is_described", "is_told"),
    [
        (Claim("float32", False, (2, 3)), True, True),
        (Claim("float32", False, (2, SymbolicDim("n"))), True, False),
        (Claim("float32", False, (2, None)), True, False),
        (Claim("float32", False, None), True, False),
        (Claim("float32", None, (2, 3)), True, False),
        (Claim(), True, False),
        (Claim("float32", True, (2, 3)), False, False),
        (Claim("float64", False, (2, 3)), False, False),
        (Claim("float32", False, (2, 3, 1)), False, False),
        (Claim("float32", False, (SymbolicDim("n"), 4)), False, False),
    ],
)
def test_what_a_claim_describes(claim: Claim, is_described: bool, is_told: bool) -> None:
    assert (OBSERVED.is_described_by(claim), OBSERVED.is_told_by(claim)) == (is_described, is_told)


def test_how_a_wrong_claim_reads() -> None:
    weak, other = Claim("float64", True, ()), Claim("int8", None, (None,), (0, 1))
    assert str(WrongClaim("a.py", 3, 4, 3, 5, (weak, weak), ArrayObservation("jax", "float32", True, ()), "flow")) == (
        "a.py:3:4: wrong: claimed weak float64[], observed weak float32[]"
    )
    observed = ArrayObservation("jax", "key<fry>", False, (2,), (0, 1))
    assert str(WrongClaim("a.py", 3, 4, 3, 5, (other, Claim()), observed, "flow")) == (
        "a.py:3:4: wrong: claimed int8[?] | ?[...], observed key<fry>[2] as item 0.1"
    )


def test_a_bools_weak_type_and_sizes_that_are_no_numbers() -> None:
    assert ArrayObservation("jax", "bool", True, ()).is_told_by(Claim("bool", False, ()))
    assert ArrayObservation("jax", "bool", True, ()).is_told_by(Claim("bool", None, ()))
    assert ArrayObservation("jax", "int8", False, ("n + 1", 2)).is_described_by(Claim("int8", False, (5, 2)))
    assert not ArrayObservation("jax", "int8", False, ("n + 1", 2)).is_described_by(Claim("int8", False, (5, 3)))


# The command

COMMAND = "from arraytyping.checker.cli.audit import audit; audit(prog_name='arraytyping audit')"
PROGRAM = """\
import atexit, sys, threading
print("jax" in sys.modules, "mypy" in sys.modules, sys.argv)
import jax.numpy as jnp
x = jnp.ones(len(sys.argv) + 1)
y = x * 2
atexit.register(print, "at exit")
threading.Timer(0.1, print, ("a thread",)).start()
"""


def command(directory: Path, *args: str, **variables: str) -> tuple[int, str, str]:
    environ = {**os.environ, "JAX_PLATFORMS": "cpu", **variables}
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *args], cwd=directory, capture_output=True, text=True, env=environ
    )
    return done.returncode, done.stdout, done.stderr


def write_claims(file: Path, *lengths: int) -> None:
    expressions = [
        ExpressionClaims(line, 4, line, end, (Claim("float32", False, (n,)),), "flow")
        for (line, end), n in zip(((4, 31), (5, 9), (6, 4)), lengths)
    ]
    file.write_text(json.dumps(ProgramClaims({"program.py": FileClaims(tuple(expressions))}).to_json()))


def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    write_claims(tmp_path / "claims.json", 4, 5)
    status, out, err = command(tmp_path, "--claims", "claims.json", "program.py", "--json", "-m")
    assert (status, err) == (1, "")
    assert out.splitlines() == [
        "False False ['program.py', '--json', '-m']",
        "a thread",
        "at exit",
        "program.py:5:4: wrong: claimed float32[5], observed float32[4]",
        "arraytyping: 3 expressions made arrays: dtype and weak type known for 1 (33.3%), "
        "every value fully known for 1 (33.3%); 1 wrong, 1 without a claim, 0 claimed and not reached",
    ]


def test_the_commands_json_and_an_exception(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(f"{PROGRAM}y.dot(jnp.ones(9))\n")
    write_claims(tmp_path / "claims.json", 2, 2, 2)
    status, out, err = command(tmp_path, "--json", "--claims", "claims.json", "-m", "program")
    assert status == 1
    found = json.loads(out)
    assert found["wrong"] == []
    assert found["exception"].startswith("TypeError: ")
    assert {n: found["statistics"][n] for n in ("arrays", "fully_known", "misplaced")} == {
        "arrays": 5, "fully_known": 2, "misplaced": 1
    }  # fmt: skip
    assert "at exit" in err
    trace = err[err.index("Traceback") :]
    assert trace.splitlines()[1].endswith(f'File "{tmp_path / "program.py"}", line 8, in <module>')


def test_the_commands_exit_codes(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import sys\nsys.exit(int(sys.argv[1]))\n")
    (tmp_path / "claims.json").write_text('{"files": {}}')
    status, out, _ = command(tmp_path, "--claims", "claims.json", "program.py", "5")
    assert (status, out) == (5, "arraytyping: no array came\n")
    (tmp_path / "claims.json").write_text('{"files": 3}')
    status, out, err = command(tmp_path, "--claims", "claims.json", "program.py", "0")
    assert (status, out) == (2, "")
    assert "claims.json holds no claims" in err
    for args, says in (((), "Missing argument"), (("missing.py",), "neither a file nor a directory")):
        status, _, err = command(tmp_path, *args)
        assert status == 2
        assert says in " ".join(err.split())


def test_the_command_with_the_layer_of_types(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    (tmp_path / "program.py").write_text("import jax.numpy as jnp\nx = jnp.ones((2, 3))\nprint((x @ x.T + 1).shape)\n")
    cache = str(command_cache(tmp_path_factory))
    status, out, err = command(tmp_path, "--layer", "types", "program.py", MYPY_CACHE_DIR=cache)
    assert (status, err) == (0, "")
    assert out.splitlines()[0] == "(2, 2)"
    assert "0 wrong" in out
