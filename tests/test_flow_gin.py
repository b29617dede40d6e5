"""gin-config: what is bound in configurations is the argument that a call leaves out, as in runs of the library."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from flow_values import interpreted, is_known, run, wrong_claims

from arraytyping.checker.flow.libraries.gin_texts import gin_statements
from arraytyping.checker.flow.report.analysis import Analysis, analyze
from arraytyping.checker.flow.start.program import interpret
from arraytyping.checker.flow.state.showing import show
from arraytyping.checker.settings import Settings

FUNCTIONS = """
import gin, jax, functools, enum
import jax.numpy as jnp
from dataclasses import dataclass
gin.constant('K', 6)
@gin.constants_from_enum(module='enums')
class Color(enum.Enum):
    RED = 1
    BLUE = 2
gin.external_configurable(jnp.square, module='jnp')
@gin.configurable
def size(n=2): return n
@gin.configurable(module='mod.sub')
def make(shape=(1,), fn=None, value=1.0):
    x = jnp.ones(shape) * value
    return x if fn is None else fn(x)
@gin.configurable
def kw(a, *rest, b=1, **more):
    return jnp.ones((a, b, len(rest), more.get('c', 5)))
@gin.configurable
class Base:
    def __init__(self, n=1): self.n = n
    @gin.configurable
    def grow(self, by=1): return jnp.ones(self.n + by)
@gin.configurable
class Derived(Base):
    def __init__(self, k=1):
        super().__init__()
        self.k = k
class Inherits(Base): pass
@dataclass
class DD:
    w: int = 5
@gin.configurable
@dataclass
class DE(DD):
    h: int = 6
@dataclass
class DF(DE):
    z: int = 3
class Own(DE): pass
@gin.register
class Reg:
    def __init__(self, r=1): self.r = r
    @gin.register
    def go(self, q=1): return jnp.ones(q)
@gin.configurable
def uses(reg=None, color=None): return reg, color
gin.parse_config('''
import os
size.n = 4
sub.make.shape = (3, %K, @size(), @big/size())
big/size.n = 9
make.fn = @jnp.square
make.value = 2
kw.b = 7
kw.c = 8
Base.n = 10
Derived.k = 11
DE.w = 12
DE.h = 13
grow.by = 3
uses.reg = @Reg()
uses.color = %Color.BLUE
Reg.r = 21
Reg.go.q = 22
''')
a = make()
b = make(shape=(2, 2))
c = make((1,), fn=None)
d = kw(2)
e = kw(2, 1, 2, b=3)
f = Base().n
g = Derived().n, Derived().k, Derived(k=2).k
h = Inherits().n, Inherits(4).n
i = DE().w, DE().h, DE(1).h, DF().w, DF().h, DF().z, Own().w, Own(1).h
j = Base().grow()
k = uses()[0].r
k2 = uses()[1]
k3 = uses()[0].go()
k4 = Reg().r, Reg().go()
l = jax.jit(make, static_argnames=('shape', 'fn'))(shape=(5,), fn=None)
m = functools.partial(make, fn=None)()
n = gin.query_parameter('size.n')
with gin.config_scope('big'):
    o = size()
    with gin.config_scope('er'): p = size(), gin.current_scope(), gin.current_scope_str()
    with gin.config_scope(None): q = size()
gin.bind_parameter('size.n', 5)
r = size()
gin.bind_parameter(('big', 'size', 'n'), 15)
gin.finalize()
with gin.unlock_config():
    gin.bind_parameter('size.n', 6)
s = size(), gin.config_is_locked()
t = gin.get_bindings('size')
u = gin.get_configurable('big/size')()
gin.clear_config()
v = size(), gin.config_is_locked(), make()
try:
    gin.parse_config('nobody.x = 1')
    w = 1
except ValueError:
    w = 2
gin.parse_config('nobody.x = 1\\nsize.n = 3', skip_unknown=True)
x = size()
gin.parse_config_files_and_bindings(None, ['size.n = 30', 'make.shape = (1, 2)'], finalize_config=False)
y = size(), make()
"""
CLASSES = """
import gin, jax, functools, enum
import jax.numpy as jnp
import equinox as eqx
import flax.linen as nn
from flax import nnx
@gin.configurable
def sing(): return jnp.ones(3)
@gin.configurable
def two(a=None, b=None): return a is b
@gin.configurable
class E(eqx.Module):
    w: int = 3
    def __call__(self, x): return x * self.w
@gin.configurable
class E2(eqx.Module):
    lin: eqx.nn.Linear
    def __init__(self, key, width=4): self.lin = eqx.nn.Linear(2, width, key=key)
@gin.configurable
class MLP(nn.Module):
    width: int = 3
    act: object = nn.relu
    @nn.compact
    def __call__(self, x): return self.act(nn.Dense(self.width)(x))
class Outer(nn.Module):
    @nn.compact
    def __call__(self, x): return MLP(name='hi')(x) + MLP(width=1)(x)
@gin.configurable
class Sub(MLP):
    depth: int = 2
class Sub2(MLP):
    depth: int = 2
class Plain(MLP): pass
gin.external_configurable(nn.tanh, module='nn')
gin.external_configurable(nn.Dense)
@gin.configurable
class N(nnx.Module):
    def __init__(self, rngs, out=3): self.l = nnx.Linear(2, out, rngs=rngs)
@gin.configurable
def layer(cls=None): return cls
@gin.configurable(allowlist=['a'])
def only(a=1, b=2): return a, b
@gin.configurable
def needs(a=gin.REQUIRED, b=gin.REQUIRED): return jnp.ones((a, b))
gin.parse_config('''
two.a = @s/gin.singleton()
two.b = @s/gin.singleton()
s/gin.singleton.constructor = @sing
E.w = 5
E2.width = 6
MLP.width = 7
MLP:
  act = @nn.tanh
Sub.width = 8
Sub.depth = 9
N.out = 10
layer.cls = @Dense
Dense.features = 11
only.a = 4
needs.a = 2
needs.b = %m
m = %n
n = [1,
  2]
lists.x = {'a': [@sing(), %m], 'b': (%n,)}
''', skip_unknown=True)
x = jnp.ones((4, 2))
a = two()
b = E()(x), E(2).w, E().w
c = E2(jax.random.key(0)).lin.weight
d = MLP().init_with_output(jax.random.key(0), x)[0]
e = Outer().init_with_output(jax.random.key(0), x)
f = Sub().width, Sub().depth, Sub2().width, Plain().width
g = Sub().init_with_output(jax.random.key(0), x)[0]
h = N(nnx.Rngs(0)).l.kernel.value
i = layer()().init_with_output(jax.random.key(0), x)[0]
j = only(), only(b=5)
k = needs(b=3)
l = nn.vmap(MLP, variable_axes={'params': 0}, split_rngs={'params': True})().init_with_output(jax.random.key(0), x)[0]
m = MLP().clone(width=2).width, MLP(width=9).clone().width
n = isinstance(MLP(), MLP), isinstance(E(), E), issubclass(Sub, MLP)
"""
NOT_KNOWN = {"w"}
"""What hangs on whether a configuration is refused."""
DECORATED = """
import gin
import jax.numpy as jnp
import sys

@gin.configurable
def f(x, n=3, m=4):
    return jnp.ones((n, m))

@gin.configurable(denylist=["k"])
def kept(n=3, *, k=5):
    return jnp.ones(k), n
"""


@pytest.mark.parametrize("program", [FUNCTIONS, CLASSES], ids=["functions", "classes"])
def test_what_is_bound_is_what_a_run_is_given(program: str) -> None:
    pytest.importorskip("gin")
    pytest.importorskip("equinox")
    pytest.importorskip("flax")
    variables, result = interpreted(program)
    assert not result.crashes, result.crashes
    assert not result.diagnostics
    assert wrong_claims(program, variables, run(program)) == []
    left = {name for name, value in variables.items() if len(name) == 1 and name.islower() and not is_known(value)}
    assert left <= NOT_KNOWN


def shown(directory: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """What is claimed of `z` in a program whose configurations lie beside it."""
    (directory / "sub").mkdir(exist_ok=True)
    (directory / "base.gin").write_text("f.n = 8\ninclude 'sub/more.gin'\n")
    (directory / "sub/more.gin").write_text("f.m = 9\n")
    (directory / "sub/over.gin").write_text("f.m = %wide  # columns\nwide = 10\n")
    program = directory / "train.py"
    program.write_text(DECORATED + textwrap.dedent(text))
    monkeypatch.chdir(directory)
    result = interpret(program)
    assert not result.crashes, result.crashes
    assert not [m for m in result.diagnostics if m.is_certain]
    return show(result.interpreter.importer.modules["__main__"].frame.variables["z"])


READ = {
    "gin.parse_config_file('base.gin'); z = f(1)": "float32[8, 9]",
    "gin.parse_config_file('over.gin'); z = f(1)": "float32[?, ?]",
    "gin.add_config_file_search_path('sub'); gin.parse_config_file('over.gin'); z = f(1)": "float32[3, 10]",
    "gin.parse_config(open('sub/more.gin')); z = f(1)": "float32[3, 9]",
    "gin.parse_config_files_and_bindings(['base.gin'], ['f.m = 2']); z = f(1)": "float32[8, 2]",
    "gin.parse_config_files_and_bindings(None, None); z = f(1)": "float32[3, 4]",
    "gin.parse_config_files_and_bindings(sys.argv[1:], None); z = f(1)": "float32[3, 4]",
}


@pytest.mark.parametrize("text", READ)
def test_configurations_beside_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    assert shown(tmp_path, text, monkeypatch) == READ[text]


ANYTHING = "gin.parse_config(sys.stdin.read())\n"
OPEN = {
    ANYTHING + "z = f(1)": "float32[?, ?]",
    ANYTHING + "z = f(1, 2, m=5)": "float32[2, 5]",
    ANYTHING + "z = kept()[0]": "float32[5]",
    ANYTHING + "gin.bind_parameter('f.n', 6); z = f(1)": "float32[6, ?]",
    ANYTHING + "gin.bind_parameter('f.n', 6)\nwith gin.config_scope('s'): z = f(1)": "float32[?, ?]",
    "gin.bind_parameter('f.n', 6)\n" + ANYTHING + "z = f(1)": "float32[?, ?]",
    ANYTHING + "gin.clear_config(); z = f(1)": "float32[3, 4]",
    "gin.parse_config(['f.n = 6', sys.stdin.read()]); z = f(1)": "float32[?, ?]",
    "gin.parse_config(['f.n = 6', 'f.m ?']); z = f(1)": "float32[?, ?]",
    "if input(): gin.bind_parameter('f.n', 6)\nz = f(1, m=2)": "float32[?, 2]",
    "gin.bind_parameter('s/f.n', 6)\nwith gin.config_scope(input()): z = f(1)": "float32[?, ?]",
    "gin.bind_parameter('f.n', int(input())); z = f(1)": "float32[?, 4]",
    "gin.parse_config('import __gin__.dynamic_registration'); z = f(1)": "float32[?, ?]",
    "import t5x; gin.bind_parameter('f.n', 6); z = f(1, 2)": "float32[2, ?]",
    "gin.parse_config('f.n = @input()'); z = f(1, m=1)": "float32[?, 1]",
}


@pytest.mark.parametrize("text", OPEN)
def test_what_may_be_bound_is_not_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    assert shown(tmp_path, text, monkeypatch) == OPEN[text]


def analyzed(directory: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Analysis, set[str]]:
    """The analysis of a program, and what is claimed of `z`."""
    program = directory / "train.py"
    program.write_text(DECORATED + textwrap.dedent(text))
    monkeypatch.chdir(directory)
    found = analyze([Path("train.py")], Settings())
    lines = program.read_text().splitlines()
    claimed = [e for file in found.claims.files.values() for e in file.expressions]
    names = [e for e in claimed if lines[e.line - 1][e.column : e.end_column] == "z"]
    return found, {str(claim) for e in names for claim in e.claims}


def test_what_nothing_calls_may_be_called_with_other_configurations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = """
        gin.parse_config("f.n = 8")
        f(1)

        def later():
            z = f(1, m=2)
            return z
        """
    assert analyzed(tmp_path, text, monkeypatch)[1] == {"float32[?, 2]"}


def test_annotations_of_what_nothing_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = """
        from jaxtyping import Array, Float

        @gin.configurable
        def later(x: Float[Array, "b 3"], m: int = 2):
            z = x @ jnp.ones((3, m))
            return z
        """
    claims = analyzed(tmp_path, text, monkeypatch)[1]
    assert all(claim.startswith("float32[") and not claim.endswith(", 2]") for claim in claims)
    assert any(claim.startswith("float32[b, ") for claim in claims)


def test_a_configuration_that_must_be_given_is_one_beside_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = """
        from absl import app, flags
        flags.DEFINE_multi_string("gin_file", None, "")
        flags.mark_flag_as_required("gin_file")

        def main(argv):
            gin.parse_config_files_and_bindings(flags.FLAGS.gin_file, [])
            z = f(1)
            return z

        app.run(main)
        """
    pytest.importorskip("absl")
    (tmp_path / "train.gin").write_text("f.n = 8")
    found, claims = analyzed(tmp_path, text, monkeypatch)
    assert "float32[8, 4]" in claims
    assert "--gin_file=train.gin" in "".join(found.remarks)


TEXTS = [
    "a.b = 3\n", "x = 1", "a/b/c.d.e = -1e-4 # c\n", "a/m = 2\nb.c=%a/m\n", "f.x = - 3\n", "f.x = \\\n 3\n", "",
    "f:\n  a = 1\n\n  # c\n  b = [1,\n   2, # d\n 3]\ng.x = @f()\n",
    "f:\n # c\n  a = @b()  # d\n  c = %d\n\nx = 3\n", "f.x = {'a': 1, 'b': (1,), 'c': (2), 'd': ()}\n",
    "f.x = {\n  # c\n 'a':\n 1,\n}\n", "f.x = ('a'\n 'b')\n", "f.x = 'a' 'b'\n",
    "import a.b\nfrom a import b as c\ninclude 'x/y.gin'\nfrom __gin__ import dynamic_registration\n",
    "f.x = @a.b/c/fn()\nf.y = [@g, @h(), %m]\n f.z = None\n", "f.x = 1\n  g.y = 2\n", "f.x = (@a/b(),)",
    "f.x = b'a'\n", "f .x = 3\n", "f.x = 3 4\n", "f.x = \n", "f.x = [1 2]\n", "include = 3\n", "f.x = 1_000\n",
    "f.x = True\ng.x = foo\n", "f.x = @a\n", "\n\n# only\n", "f.x = @f ()\n", "f.x = {1: [(@a, %b.C)], 'c': {}}\n",
]  # fmt: skip


def _plain(value: tuple[str, object, bool]) -> object:
    what, inner, is_called = value
    if what in ("list", "tuple"):
        return {"list": list, "tuple": tuple}[what](map(_plain, inner))  # type: ignore[call-overload]
    if what == "dict":
        return {_plain(key): _plain(item) for key, item in inner}  # type: ignore[attr-defined]
    return inner if what == "literal" else (what, inner, is_called)


def _own(text: str) -> list[tuple[object, ...]] | None:
    try:
        return [(*s[:4], _plain(s[4])) if s[0] == "bind" else s for s in gin_statements(text)]
    except (ValueError, SyntaxError):
        return None


@pytest.mark.parametrize("text", TEXTS)
def test_statements_are_read_as_gin_reads_them(text: str) -> None:
    parser = pytest.importorskip("gin.config_parser")

    class Delegate(parser.ParserDelegate):  # type: ignore[name-defined, misc]
        def configurable_reference(self, name: str, is_called: bool) -> object:
            return "reference", name, is_called

        def macro(self, name: str) -> object:
            return "macro", name, True

    def theirs() -> list[tuple[object, ...]] | None:
        found: list[tuple[object, ...]] = []
        try:
            for s in parser.ConfigParser(text, Delegate()):
                if isinstance(s, parser.BindingStatement):
                    scope = s.scope if s.arg_name else ""
                    name = s.selector if s.arg_name or not s.scope else f"{s.scope}/{s.selector}"
                    found.append(("bind", scope, name, s.arg_name, s.value))
                elif isinstance(s, parser.ImportStatement):
                    found.append(("import", s.module))
                elif isinstance(s, parser.IncludeStatement):
                    found.append(("include", s.filename))
        except SyntaxError:
            return None
        return found

    assert _own(text) == theirs()
