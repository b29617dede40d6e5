"""Functions that nothing calls, and those that are defined in them: what is claimed there, against calls of them."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import pytest

from arraytyping.checker.claims import ExpressionClaims, FileClaims
from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.flow.sources.class_bindings import ProjectClasses
from arraytyping.checker.flow.sources.distributions import is_distributed
from arraytyping.checker.flow.sources.entry_points import EntryPoint, Libraries, with_rests
from arraytyping.checker.flow.sources.project import Project
from arraytyping.checker.flow.start.starting import start
from arraytyping.checker.settings import Settings

PROGRAM = """
import functools
import jax
import jax.numpy as jnp

def nested(x, n):
    def inner(c):
        return jnp.ones(2)
    other = lambda c: jnp.ones(3)
    class Local:
        def method(self, c):
            return jnp.ones(4)
    return [inner, other, Local().method]

def bound_again():
    n = 5
    def inner(c):
        return jnp.ones(n)
    n = 6
    return [inner]

def in_a_loop():
    made = []
    for n in (7, 8, 9):
        def inner(c, n=n):
            return jnp.ones(n)
        made.append(inner)
    return made

class Wrapped:
    @jax.jit
    def compiled(self, x):
        return jnp.ones(10)

@jax.custom_vjp
def custom(x):
    return jnp.ones(11)
"""


def claimed(tmp_path: Path) -> dict[int, ExpressionClaims]:
    """What is claimed of the calls of `jnp.ones`, by line."""
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    entry = EntryPoint("library", "import program", (("program", path),), (tmp_path,))
    report = start(entry, {path.resolve(): "program.py"}, Settings(), None, frozenset())
    assert not report.crashes
    assert not report.diagnostics
    lines = {i for i, line in enumerate(PROGRAM.split("\n"), 1) if "jnp.ones(" in line}
    calls = (e for e in report.claims[0]["program.py"].expressions if e.line in lines and e.claims[0].dtype)
    return {e.line: e for e in calls}


def test_what_nothing_calls_is_followed(tmp_path: Path) -> None:
    found = claimed(tmp_path)
    shapes = {shape for e in found.values() for shape in (c.shape for c in e.claims)}
    assert shapes >= {(2,), (3,), (4,), (10,), (11,)}


def lines_of(name: str) -> range:
    """The lines of a function of the program."""
    lines = PROGRAM.split("\n")
    begin = lines.index(next(line for line in lines if line.startswith(f"def {name}("))) + 1
    end = next(i for i in range(begin, len(lines)) if lines[i] and not lines[i].startswith(" "))
    return range(begin, end + 1)


@pytest.mark.parametrize("name", ["nested", "in_a_loop"])
def test_calls_of_inner_functions_give_what_is_claimed(name: str, tmp_path: Path) -> None:
    space: dict[str, Any] = {}
    exec(compile(PROGRAM, "program.py", "exec"), space)
    seen = {inner(0).shape for inner in (space[name](jnp.ones(1), 1) if name == "nested" else space[name]())}
    claims = {c.shape for line, e in claimed(tmp_path).items() if line in lines_of(name) for c in e.claims}
    assert claims, "they are followed"
    assert None in claims or seen <= claims


def test_what_is_bound_again_around_a_function_is_not_taken_for_the_same(tmp_path: Path) -> None:
    assert not [line for line in claimed(tmp_path) if line in lines_of("bound_again")]


UNMADE = """
import jax
import jax.numpy as jnp

class Agent:
    def __init__(self, n: int, size):
        self.n = n
        self.table = jnp.zeros((n, 3), jnp.bfloat16)
        self.rebound = jnp.zeros(4)
        self.from_outside = jnp.zeros(5)
        self.of_subclass = jnp.zeros(6)
        self.named = jnp.zeros(7)
        self.items = [jnp.zeros(8)]
        self.size = size
        self.act = jnp.tanh

    def use(self, x):
        a = jnp.exp(self.table)
        b = jnp.exp(self.rebound)
        c = jnp.exp(self.from_outside)
        d = jnp.exp(self.of_subclass)
        e = jnp.exp(self.named)
        f = jnp.exp(self.items[0])
        g = jnp.exp(self.size)
        h = jnp.exp(self.act(self.table))
        return a, b, c, d, e, f, g, h

    def change(self):
        self.rebound = self.rebound.astype(jnp.int32)

class Other(Agent):
    def __init__(self):
        super().__init__(3, 4)
        self.of_subclass = jnp.zeros(6, jnp.int32)

def change(agent):
    agent.from_outside = 3
    setattr(agent, "named", 4)
"""


def unmade_claims(tmp_path: Path, text: str) -> dict[str, ExpressionClaims]:
    """What is claimed of the values that variables of one letter are bound to."""
    path = tmp_path / "program.py"
    path.write_text(text)
    entry = EntryPoint("library", "import program", (("program", path),), (tmp_path,))
    report = start(entry, {path.resolve(): "program.py"}, Settings(), None, frozenset())
    assert not report.crashes, report.crashes
    assert not report.diagnostics
    lines = text.splitlines()
    found = {}
    for claims in report.claims:
        for e in claims["program.py"].expressions:
            name, _, value = lines[e.line - 1].strip().partition(" = ")
            if len(name) == 1 and e.end_column - e.column == len(value):
                found[name] = e
    return found


def unmade(tmp_path: Path, text: str) -> dict[str, str]:
    """These claims as they are shown."""
    return {name: str(e) for name, e in unmade_claims(tmp_path, text).items()}


def test_what_a_constructor_alone_binds_holds_for_each_instance(tmp_path: Path) -> None:
    found = unmade(tmp_path, UNMADE)
    assert {name for name, claim in found.items() if "?[" not in claim} == {"a", "h"}
    assert {found["a"], found["h"]} == {"bfloat16[?, 3]"}


def test_any_attribute_may_be_bound_by_a_name_that_is_not_known(tmp_path: Path) -> None:
    text = UNMADE + "\ndef put(agent, name):\n    setattr(agent, name, 3)\n"
    assert all("?[" in claim for claim in unmade(tmp_path, text).values())


RELATED = """
import jax.numpy as jnp

class Base:
    def __init__(self):
        self.x = jnp.zeros(3)

    def use(self):
        a = jnp.exp(self.x)

class Unrelated:
    def put(self):
        self.x = 4

{more}
"""


@pytest.mark.parametrize(
    ("more", "is_known"),
    [
        ("", True),
        ("class Derived(Base):\n    def put(self):\n        self.x = 4", False),
        ("Alias = Base\nclass Derived(Alias):\n    def put(self):\n        self.x = 4", False),
        ("class Middle(Base): pass\nclass Derived(Middle):\n    def put(self):\n        self.x = 4", False),
        ("class Other:\n    @staticmethod\n    def put(base):\n        base.x = 4", False),
        ("class Other:\n    def put(self, base):\n        base.x = 4", False),
        ("class Other:\n    def put(self, base):\n        setattr(base, 'y', 4)", True),
        ("class Other:\n    def put(self, base):\n        base.__dict__.update(x=4)", False),
    ],
)
def test_who_may_bind_an_attribute(tmp_path: Path, more: str, is_known: bool) -> None:
    found = unmade(tmp_path, RELATED.format(more=more))
    assert (found["a"] == "float32[3]") is is_known, found


OVERRIDDEN = """
import jax.numpy as jnp

class Base:
    def __init__(self):
        self.bound = jnp.zeros(3)
        self.act = self.decode
        self.kept = jnp.zeros(3)

    def decode(self):
        return jnp.zeros(3)

    def method(self):
        return jnp.zeros(3)

    def put(self):
        return jnp.zeros(3)

    @property
    def shown(self):
        return jnp.zeros(3)

    def own(self):
        return jnp.zeros(3)

    @classmethod
    def made(cls):
        return jnp.zeros(3)

    def use(self, Sub):
        a = jnp.exp(self.bound)
        b = jnp.exp(self.act())
        c = jnp.exp(self.method())
        d = jnp.exp(self.put())
        e = jnp.exp(self.shown)
        g = jnp.exp(type(self).made())
        x = jnp.zeros(3)
        if isinstance(self, Sub):
            x = jnp.zeros(4)
        h = jnp.exp(x)
        k = jnp.exp(self.own())
        l = jnp.exp(self.kept)
        return a, b, c, d, e, g, h, k, l

    @classmethod
    def use_class(cls):
        i = jnp.exp(cls.made())
        return i
"""
DERIVED = """
import jax.numpy as jnp

class Sub(Base):
    def __init__(self):
        super().__init__()
        self.bound = jnp.zeros(4)
        self.put = lambda: jnp.zeros(4)

    def decode(self):
        return jnp.zeros(4)

    def method(self):
        return jnp.zeros(4)

    @property
    def shown(self):
        return jnp.zeros(4)

    @classmethod
    def made(cls):
        return jnp.zeros(4)
"""
CALLED = """
import jax.numpy as jnp

class Base:
    def __call__(self):
        return jnp.zeros(3)

    def __len__(self):
        return 3

    def use(self):
        a = jnp.exp(self())
        b = jnp.zeros(len(self))
"""


def test_what_a_subclass_may_have_of_its_own_is_not_claimed_of_its_base(tmp_path: Path) -> None:
    names: dict[str, Any] = {}
    exec(OVERRIDDEN + DERIVED, names)
    assert [a.shape for a in names["Sub"]().use(names["Sub"])] == [(4,)] * 7 + [(3,)] * 2  # as it is run
    assert names["Sub"].use_class().shape == (4,)
    found = unmade(tmp_path, OVERRIDDEN + DERIVED)
    known = {name for name, claim in found.items() if claim == "float32[3]"}
    assert known == {"k", "l"}, found
    alone = unmade(tmp_path, OVERRIDDEN)
    assert {name for name, claim in alone.items() if claim == "float32[3]"} >= set("abcdeikl"), alone


@pytest.mark.parametrize(
    ("derived", "known"),
    [
        ("", {"a", "b"}),
        ("class Sub(Base):\n    def __call__(self): ...", {"b"}),
        ("class Sub(Base):\n    def __len__(self): ...", {"a"}),
        ("class Sub((lambda b: b)(Base)):\n    __call__ = __len__ = None", set()),
        (
            "from collections import namedtuple\nclass Error(namedtuple('A', 'b')):\n    __call__ = __len__ = None",
            {"a", "b"},
        ),
    ],
)
def test_subclasses_may_have_special_methods_of_their_own(tmp_path: Path, derived: str, known: set[str]) -> None:
    found = unmade(tmp_path, CALLED + derived)
    assert {name for name, claim in found.items() if claim == "float32[3]"} == known


@pytest.mark.parametrize("is_given", [True, False])
def test_subclasses_of_other_files_count_too(tmp_path: Path, is_given: bool) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.py").write_text(OVERRIDDEN)
    (tmp_path / "b.py").write_text("from a import Base\n" + DERIVED)
    project = Project([tmp_path], tmp_path)
    wanted = [s for s in project.sources.values() if is_given or s.name == "a"]
    (entry,) = Libraries(project).entry_points(wanted)
    report = start(entry, {p: p.name for p in project.sources}, Settings(), None, frozenset())
    claims = [e for by_file in report.claims for e in by_file.get("a.py", FileClaims()).expressions]
    lines = {e.line: str(e) for e in claims if e.column == len("        a = ")}
    at = {text.strip()[0]: n for n, text in enumerate(OVERRIDDEN.splitlines(), 1) if "jnp.exp" in text}
    assert "float32[3]" not in [lines.get(at[name]) for name in "abcdeghi"]
    assert [lines[at[name]] for name in "kl"] == ["float32[3]"] * 2


def test_edits_that_bind_nothing_new_leave_what_other_files_say_as_it_is() -> None:
    files = [("b.py", ast.parse(t)) for t in (DERIVED, "\n1\n" + DERIVED, DERIVED + "\n    q = 1")]
    of = [ProjectClasses([file]).beside([], is_closed=True) for file in files]
    assert of[0] == of[1] != of[2]


def test_what_is_beside_a_file_is_all_but_that() -> None:
    trees = {name: ast.parse(f"class {name.upper()}:\n    q = 1\n") for name in "abc"}
    whole = ProjectClasses(trees.items())
    for name in trees:
        others = ProjectClasses((n, tree) for n, tree in trees.items() if n != name)
        assert whole.beside([name], is_closed=True) == others.beside([], is_closed=True)
        assert whole.beside([name], is_closed=True) != whole.beside([], is_closed=True)


def test_what_is_beside_many_scripts_is_held_once(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    for name in "abc":
        (tmp_path / f"{name}.py").write_text(f"class {name.upper()}:\n    q = 1\n\ndef f(x):\n    return x\n")
    project = Project([tmp_path], tmp_path)
    entries = [EntryPoint("script", s.name, (("__main__", s.path),), ()) for s in project.sources.values()]
    rests = [entry.rest for entry in with_rests(project, entries)]
    assert len(rests) == 3
    held = [rest.classes for rest in rests if rest is not None]
    assert len({id(beside.files) for beside in held}) == 1
    assert sorted(path for beside in held for path in beside.own) == sorted(str(path) for path in project.sources)


def test_modules_of_flax_are_as_in_init(tmp_path: Path) -> None:
    text = """
import flax.linen as nn
import jax.numpy as jnp

class Layer(nn.Module):
    features: int

    def setup(self):
        self.w = self.param("w", nn.initializers.lecun_normal(), (5, self.features))
        self.b = self.param("b", nn.initializers.zeros, (4,), jnp.bfloat16)

    def __call__(self, x):
        a = jnp.exp(self.w)
        b = jnp.exp(self.b)
        c = jnp.exp(x @ self.w)

class Compact(nn.Module):
    @nn.compact
    def __call__(self, x):
        scale = self.param("scale", nn.initializers.ones, (3,))
        d = jnp.exp(scale)
        e = jnp.exp(x * scale)
"""
    found = unmade(tmp_path, text)
    assert found["a"].startswith("float32[5, ")
    assert (found["b"], found["d"]) == ("bfloat16[4]", "float32[3]")
    assert "?[" in found["c"]
    assert "?[" in found["e"]


def test_what_haiku_misses_at_the_end_of_a_function_is_no_internal_error(tmp_path: Path) -> None:
    """That it has not been told what becomes of a state, where what tells it is not followed."""
    text = """
import haiku as hk
import jax.numpy as jnp
import unknown

def forward(x):
    a = jnp.ones(3)
    inner = hk.transform_with_state(hk.Linear(3))
    init, updater = hk.lift_with_state(inner.init, name="inner")
    unknown.update(updater, x)
"""
    assert unmade(tmp_path, text)["a"] == "float32[3]"


def test_functions_that_nothing_transforms_are_as_in_init(tmp_path: Path) -> None:
    text = """
import haiku as hk
import jax
import jax.numpy as jnp

class Torso(hk.Module):
    def __init__(self, size: int, name=None):
        super().__init__(name=name)
        self.size = size

    def __call__(self, x):
        w = hk.get_parameter("w", (self.size, 3), init=jnp.zeros)
        a = jnp.exp(w)
        b = hk.Linear(self.size)(jnp.ones((4, 2)))
        c = jax.random.split(hk.next_rng_key())

def make(size: int):
    def forward(x):
        d = hk.nets.MLP([8, 5])(jnp.ones((2, 3)))
    return hk.transform(forward)
"""
    found = unmade(tmp_path, text)
    assert found["a"].startswith("float32[")
    assert found["a"].endswith(", 3]")
    assert found["b"].startswith("float32[4, ")
    assert "?[" in found["c"]
    assert found["d"] == "float32[2, 5]"


USES = """
from typing import NamedTuple
import chex
import flax.linen as nn
import jax
import jax.numpy as jnp

def of_keys(key, n):
    a, b = jax.random.split(key)
    c = jax.random.normal(a, (n, 3))
    return locals()

def of_arrays(x, y):
    d = jnp.mean(x, axis=0)
    e = jnp.sqrt(d + 1e-5)
    f = jnp.arange(x.shape[1])
    g = jnp.matmul(x, y)
    h = jnp.maximum(x, 0.5)
    i = x - d
    return locals()

def of_sizes(m, x: jax.Array):
    j = jnp.tril(jnp.ones((m, m))) * jnp.arange(m)
    b, t = x.shape
    k = jnp.zeros((t, b)) + jnp.eye(m).sum()
    return locals()

def of_layers(x):
    l = nn.Dense(4)(x)
    return locals()

class Observation(NamedTuple):
    grid: chex.Array
    count: int

def of_records(o: Observation, s: chex.Array):
    q = jnp.mean(o.grid, axis=0)
    r = jnp.sqrt(o.count)
    u = jnp.var(s)
    return locals()

def asked(n, x):
    if n is None:
        n = 3.5
    o = jnp.arange(n)
    if isinstance(x, list):
        x = x[0]
    p = jnp.mean(x, axis=0)
    return locals()
"""
MAKES_KEYS = """
def make():
    return jax.random.PRNGKey(0)
"""


def test_uses_say_what_arguments_are_as_calls_show(tmp_path: Path) -> None:
    """What is claimed holds for arrays of float32 and of ints; what is unknown for these may be either."""
    found = unmade(tmp_path, USES + MAKES_KEYS)
    space: dict[str, Any] = {}
    exec(compile(USES, "program.py", "exec"), space)
    key = space["jax"].random.PRNGKey(1)
    for dtype in (jnp.float32, jnp.int32, jnp.uint8, jnp.bool_):
        x = jnp.ones((2, 3)).astype(dtype)
        seen = (
            {**space["of_keys"](key, 5), **space["of_arrays"](x, x.T), **space["of_sizes"](6, x)}
            if (dtype != jnp.bool_)
            else space["of_sizes"](6, x)
        )
        for name in set(seen) & set(found):
            claimed = found[name].partition("[")[0]
            assert claimed in ("?", str(seen[name].dtype)), (name, dtype)
        seen = space["of_records"](space["Observation"](x, 3), x)
        assert {str(seen[name].dtype) for name in "qu"} == {"float32"}
    assert found["c"].startswith("float32[n")
    assert {name: found[name].partition("[")[0] for name in "qru"} == {"q": "float32", "r": "?", "u": "float32"}
    assert {name: found[name].partition("[")[0] for name in "defgijkl"} == {
        "d": "float32", "e": "float32", "f": "int32", "g": "?", "i": "float32", "j": "float32", "k": "float32",
        "l": "float32",
    }  # fmt: skip
    assert {found[name].partition("[")[0] for name in "op"} == {"?"}


WEAK = """
import flax.linen as nn
import jax.numpy as jnp

def f(x, y):
    n = x.shape, y.shape
    a = jnp.exp(x)
    b = x / 2
    c = jnp.mean(x)
    d = jnp.log(x + y)
    e = jnp.stack([x.mean(), y.mean()])
    g = nn.relu(x * 1.0)
    h = nn.softmax(x)
    i = nn.Dense(3)(x)
    j = a * jnp.zeros(3)
    return locals()
"""


def test_arrays_may_be_weakly_typed(tmp_path: Path) -> None:
    text = WEAK + MAKES_KEYS.replace("jax", "__import__('jax')")
    claims = unmade_claims(tmp_path, text)
    space: dict[str, Any] = {}
    exec(compile(WEAK.replace("nn.Dense(3)(x)", "x"), "program.py", "exec"), space)
    arrays = [jnp.full((3,), 1.5), jnp.ones(3), jnp.full((3,), 2), jnp.ones(3, int)]
    assert [x.weak_type for x in arrays] == [True, False] * 2
    for x in arrays:
        for y in arrays:
            seen = space["f"](x, y)
            for name in set("abcdeghj") & set(claims):
                for claim in claims[name].claims:
                    assert claim.dtype in (None, str(seen[name].dtype)), name
                    assert claim.weak_type in (None, seen[name].weak_type), name
    assert {n for n, e in claims.items() if e.claims[0].dtype == "float32"} == set("abcdeghij")
    assert {n for n, e in claims.items() if e.is_dtype_known} == set("ij") | known_of_weak(space, arrays)


def known_of_weak(space: dict[str, Any], arrays: list[Any]) -> set[str]:
    """The results that are as weak for all arrays."""
    seen = [space["f"](x, y) for x in arrays for y in arrays]
    return {name for name in "abcdegh" if len({each[name].weak_type for each in seen}) == 1}


CHANGED = """
import jax.numpy as jnp
import settings

SCALE = 3
SIZES = [3]
TABLE = {"n": 3}
KEPT = {"n": 3}

def set_scale(scale):
    global SCALE
    SCALE = scale

def add(size):
    def inner():
        SIZES.append(size)
    inner()
    KEPT = []
    KEPT.append(3)

def put(n):
    TABLE["n"] = n
    settings.depth = n
    settings.widths.update(n=n)
    return jnp.insert(n, 0, 1)

def use():
    a = jnp.zeros(SCALE)
    b = jnp.zeros(len(SIZES))
    c = jnp.zeros(TABLE["n"])
    d = jnp.zeros(settings.depth)
    e = jnp.zeros(settings.widths["n"])
    f = jnp.zeros(settings.height)
    g = jnp.zeros(KEPT["n"])
"""


def test_variables_of_modules_may_have_been_changed_by_functions_that_nothing_calls(tmp_path: Path) -> None:
    (tmp_path / "settings.py").write_text("depth = 3\nheight = 3\nwidths = {'n': 3}\n")
    claims = unmade_claims(tmp_path, CHANGED)
    assert {name for name, e in claims.items() if e.is_shape_known} == {"b", "f", "g"}
    assert "[n" in str(claims["b"].claims[0])  # as long as the list is, whatever was put into it


CHOSEN = """
import functools
import jax
import jax.numpy as jnp

@functools.partial(jax.vmap, in_axes=0)
def f(x):
    a = jax.lax.select(x <= 2, 0, 1)
    b = jax.lax.clamp(0, x, 3)
    return a
"""


def test_what_vmap_does_not_check_says_nothing_of_shapes(tmp_path: Path) -> None:
    space: dict[str, Any] = {}
    exec(CHOSEN, space)
    assert space["f"](jnp.ones((3, 1), int)).shape == (3, 1)
    claims = unmade_claims(tmp_path, CHOSEN)
    assert [(c.dtype, c.shape) for c in claims["a"].claims] == [("int32", None)]


def test_of_files_that_are_only_imported_nothing_is_claimed(tmp_path: Path) -> None:
    """Other callers of their functions are not known."""
    (tmp_path / "lib.py").write_text("import jax.numpy as jnp\ndef make(n):\n    return jnp.zeros(n)\n")
    (tmp_path / "user.py").write_text("import lib\ndef use():\n    return lib.make(3)\n")
    for names, known in ((["user.py"], {"user.py"}), (["user.py", "lib.py"], {"user.py", "lib.py"})):
        found = analyze([tmp_path / name for name in names], Settings())
        assert {Path(path).name for path in found.claims.files} == known
        claims = {Path(path).name: file.expressions for path, file in found.claims.files.items()}
        assert [e.is_shape_known for e in claims["user.py"]] == [True]
        assert not any(e.is_shape_known for e in claims.get("lib.py", ()))


RECORDS = """
import flax.struct
import jax
import jax.numpy as jnp

@flax.struct.dataclass
class State:
    x: jax.Array

    def size(self):
        return jnp.zeros(3)

def f(s: State):
    a = jnp.exp(s.size())
    b = jnp.mean(s.x)
    return a, b
"""


def test_records_may_be_of_a_subclass_that_has_methods_of_its_own(tmp_path: Path) -> None:
    more = "\n@flax.struct.dataclass\nclass Other(State):\n    y: jax.Array\n"
    for text, known in ((RECORDS, "ab"), (RECORDS + more, "ab"), (RECORDS + more + "    def size(self): ...", "")):
        found = unmade(tmp_path, text)
        assert {name for name, claim in found.items() if claim.startswith("float32")} >= set(known), found
        assert known or found["a"].startswith("?"), found


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("KEY = jax.random.key(0)", "ab"),
        ("DTYPE = jnp.bfloat16", "dei"),
        ("DTYPE = getattr(jnp, NAME)", "dei"),
        ("FACTOR = 1j", "dei"),
        ("def spectrum(x):\n    return jnp.fft.fft(x)", "dei"),
    ],
)
def test_what_the_program_makes_besides_may_be_given(tmp_path: Path, text: str, names: str) -> None:
    found = unmade(tmp_path, USES.replace("\ndef of_keys", f"\nNAME = 'int32'\n{text}\ndef of_keys") + MAKES_KEYS)
    assert all(found.get(name, "?[").startswith("?[") for name in names), found


DISTRIBUTIONS = {
    '[project]\nname = "p"\nversion = "1"\n': "pyproject.toml",
    "[build-system\n": "pyproject.toml",
    "[metadata]\nname = p\n": "setup.cfg",
    "": "setup.py",
}


@pytest.mark.parametrize("text", DISTRIBUTIONS)
def test_functions_of_what_others_install_may_be_given_anything(tmp_path: Path, text: str) -> None:
    (tmp_path / DISTRIBUTIONS[text]).write_text(text)
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "__init__.py").write_text(USES + MAKES_KEYS)
    project = Project([tmp_path / "p"], tmp_path)
    (entry,) = Libraries(project).entry_points(list(project.sources.values()))
    assert {"raw keys", "typed keys", "narrow floats"} <= entry.made
    assert is_distributed(tmp_path / "p")


@pytest.mark.parametrize(("name", "text"), [("pyproject.toml", "[tool.ruff]\n"), ("setup.cfg", "[flake8]\n")])
def test_settings_of_tools_make_no_distribution(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / name).write_text(text)
    (tmp_path / "program.py").write_text(USES + MAKES_KEYS)
    project = Project([tmp_path], tmp_path)
    (entry,) = Libraries(project).entry_points(list(project.sources.values()))
    assert entry.made == {"raw keys"}
