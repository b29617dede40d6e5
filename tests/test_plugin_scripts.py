"""The top level of modules, followed as a function is: programs made at random, held against their runs."""

from __future__ import annotations

import contextlib
import io
import random
import runpy
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from answers import asked
from arraytyping_mypy.building import Outcome, check
from kept_runs import run_or_recall
from mypy_runs import command_cache
from test_plugin_written_out import GIVEN, HEAD, body

from arraytyping.checker.audit import Observations, compare


def section(rng: random.Random) -> str:
    """Statements in a row, with loops, that go through items."""
    lines = body(rng, turns=False)[:-1]
    lines += ["print(jnp.sum(x), acc, last, [jnp.sum(v) for v in out])"]
    if rng.random() < 0.2:
        lines.insert(5, "def put(v):\n    out.append(v)\nput(x)")
    text = "\n".join([f"items = {rng.choice(GIVEN)}", *lines])
    guarded = "\n".join("    " + line for line in text.splitlines())
    return f'if __name__ == "__main__":\n{guarded}' if rng.random() < 0.2 else text


def program(seed: int, count: int) -> str:
    """A program whose top level has some sections one after the other, all of which run; that they do is kept."""
    return str(asked(partial(made_program, seed, count)).values)


def made_program(seed: int, count: int) -> Any:
    """Such a program, of the sections that run when they are tried."""
    rng = random.Random(seed)
    made: list[str] = []
    while len(made) < count:
        candidate = section(rng)
        if "return" in candidate.replace("    return x, ", "").replace("    return v", ""):
            continue
        try:
            exec("\n".join([HEAD, *made, candidate]), {"__name__": "__main__", "print": lambda *_: None})
        except (TypeError, ValueError, IndexError, AttributeError, NameError, ZeroDivisionError):
            continue
        made.append(candidate)
    return np.array("\n".join([HEAD, *made, ""]))


def checked(paths: list[Path], cache: Path) -> Outcome:
    arguments = ("--check-untyped-defs", "--cache-dir", str(cache))
    # Where no configuration is, as where the cache was made; files elsewhere are told by their absolute paths.
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        return check([str(p) for p in paths], arguments, stdout=io.StringIO(), stderr=sys.stderr, program="scripts")


def contradicted(paths: list[Path], cache: Path) -> tuple[list[str], list[str], int]:
    """The claims that a run contradicts, the mistakes that are told, and how many claims say all."""
    outcome = checked(paths, cache)
    assert outcome.claims is not None
    runs = run_or_recall(paths)
    assert [r.message for r in runs.values() if r.exception] == []
    files = {file: found for run in runs.values() for file, found in run.observations.files.items()}
    places = {file: found for run in runs.values() for file, found in run.observations.positions.items()}
    audit = compare(outcome.claims, Observations(files, places))
    told = [m for m in outcome.messages if "[array-" in m]
    return [str(w) for w in audit.wrong], told, audit.statistics.fully_known


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return command_cache(tmp_path_factory, "scripts")


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    directory = tmp_path_factory.mktemp("scripts")
    paths = [directory / f"script_{seed}.py" for seed in range(4)]
    for seed, path in enumerate(paths):
        path.write_text(program(seed, 2), encoding="utf-8")
    return paths


def test_what_is_claimed_of_a_top_level_holds(programs: list[Path], cache: Path) -> None:
    wrong, told, known = contradicted(programs, cache)
    assert wrong == []
    assert told == []
    assert known > 15


def test_loops_and_lists_of_a_top_level_are_known_by_their_items(tmp_path: Path, cache: Path) -> None:
    text = """\
import jax.numpy as jnp


def layer(x, w):
    return jnp.tanh(x @ w)


x = jnp.ones((7, 2))
for w in [jnp.ones((2, 3)), jnp.ones((3, 4)), jnp.ones((4, 5))]:
    x = layer(x, w)
result = x * 2
for x, w in [(jnp.ones(3), jnp.ones((3, 2))), (jnp.ones(3), jnp.ones((4, 2)))]:
    result = layer(x, w)
"""
    path = tmp_path / "script.py"
    path.write_text(text, encoding="utf-8")
    outcome = checked([path], cache)
    assert outcome.claims is not None
    found = {e.position[:2]: str(e) for file in outcome.claims.files.values() for e in file.expressions}
    assert found[11, 9] == "float32[7, 5]"
    assert [m for m in outcome.messages if "contracted dimensions differ" in m]


def test_lists_that_functions_and_instances_keep_are_known_by_their_items(tmp_path: Path, cache: Path) -> None:
    text = """\
import jax.numpy as jnp


class Layer:
    def __init__(self, n, m):
        self.w = jnp.ones((n, m))

    def __call__(self, x):
        return x @ self.w


class Net:
    def __init__(self):
        self.layers = [Layer(3, 8), Layer(8, 2)]

    def __call__(self, x):
        for layer in self.layers[:-1]:
            x = jnp.tanh(layer(x))
        return self.layers[-1](x)


def init(n):
    return [(jnp.ones((n, 4)), jnp.ones(4)), (jnp.ones((4, 5)), jnp.ones(5))]


def last(params, x):
    return x @ params[-1][0]


net, params = Net(), init(3)
out = net(jnp.ones((7, 3))) + 1
result = last(params, jnp.ones(4)) * 2
failing = net(jnp.ones(2))
"""
    path = tmp_path / "kept_lists.py"
    path.write_text(text, encoding="utf-8")
    outcome = checked([path], cache)
    assert outcome.claims is not None
    found = {e.position[:2]: str(e) for file in outcome.claims.files.values() for e in file.expressions}
    assert found[31, 6] == "float32[7, 2]"
    assert found[32, 9] == "float32[5]"
    assert [m for m in outcome.messages if "contracted dimensions differ" in m]


def test_attributes_that_a_class_assigns_again_hold_what_it_assigns(tmp_path: Path, cache: Path) -> None:
    text = """\
import jax.numpy as jnp


class Wide:
    def __init__(self, n):
        self.w = jnp.ones((n, 4))
        self.ws = [jnp.ones((n, 4)), jnp.ones((4, 2))]
        self.pair = (jnp.ones(n), {"a": jnp.ones(3)})

    def last(self):
        return self.ws[-1]

    def reset(self):
        self.pair = (jnp.ones((5, 5)), {"a": jnp.ones(9)})


class Summed(Wide):
    def __init__(self, n):
        super().__init__(n)
        self.w = self.w.sum(0)
        self.ws = [jnp.ones(n), *self.ws]

    def last(self):
        return self.ws[0]


for made in [Wide(3), Summed(3)]:
    print(made.last() + 1, made.w * 2)
print(Summed(4).last() * 2, Wide(2).last() * 2, Summed(4).w + 1)
wide = Wide(6)
wide.reset()
print(wide.pair[0] + 1, wide.pair[1]["a"] * 2)
"""
    path = tmp_path / "assigned_again.py"
    path.write_text(text, encoding="utf-8")
    wrong, told, _ = contradicted([path], cache)
    assert wrong == []
    assert told == []


def test_what_a_dict_and_a_list_of_alike_items_hold_is_known(tmp_path: Path, cache: Path) -> None:
    text = """\
import jax
import jax.numpy as jnp


def pay(option, x):
    return x @ option


def member(key):
    return {"w": jax.random.normal(key, (3, 8)), "rate": 0.1}


book = {"a": jnp.ones((3, 2)), "b": jnp.ones((3, 4)), "c": jnp.ones(3)}
results = {name: pay(option, jnp.ones(3)) for name, option in book.items()}
for name, result in results.items():
    print(name, result * 2)
members = [member(jax.random.key(seed)) for seed in range(4)]
stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *members)
print(stacked["w"] + 1, results["b"] + 1)


def main() -> None:
    x = jnp.ones((7, 2))
    for w in [jnp.ones((2, 3)), jnp.ones((3, 4))]:
        x = x @ w
    print(x + 1)


if __name__ == "__main__":
    main()
"""
    path = tmp_path / "script.py"
    path.write_text(text, encoding="utf-8")
    wrong, told, _ = contradicted([path], cache)
    assert (wrong, told) == ([], [])
    claims = checked([path], cache).claims
    assert claims is not None
    found = {e.position[:2]: str(e) for file in claims.files.values() for e in file.expressions}
    assert found[16, 16] == "float32[2] | float32[4] | float32[]"
    assert found[19, 6] == "float32[4, 3, 8]"
    assert found[26, 10] == "float32[7, 4]"


def test_a_list_that_a_function_lets_grow_is_not_known_by_its_items(tmp_path: Path, cache: Path) -> None:
    text = """\
import jax.numpy as jnp

out = [jnp.ones(2), jnp.ones((2, 3))]


def put(v):
    out.append(v)


put(jnp.ones(4))
for v in out:
    v = v * 2
sizes = [v.sum() for v in out]
last = out[-1] * 2
"""
    path = tmp_path / "script.py"
    path.write_text(text, encoding="utf-8")
    wrong, told, _ = contradicted([path], cache)
    assert (wrong, told) == ([], [])


GROWN = {
    "method": "push = a.append\npush(x)",
    "mapped": "any(map(a.append, [x]))",
    "in a list": "for put in [a.append]:\n    put(x)",
    "getattr": "getattr(a, 'append')(x)",
    "iadd": "a.__iadd__([x])",
    "operator": "import operator\noperator.iadd(a, [x])",
    "other name": "more = [x]\nb = a\nb += more",
    "parameter": "def grow(xs, ys):\n    xs += ys\ngrow(a, [x])",
    "field": "class C:\n    def add(self, ys):\n        self.xs += ys\nc = C()\nc.xs = a\nc.add([x])",
    "loop target": "for a[0] in [x]:\n    pass",
}
"""What puts `x` into the list `a`."""
UPDATED = {
    "method": "put = d.update\nput(more)",
    "class": "dict.update(d, more)",
    "ior": "dict.__ior__(d, more)",
    "operator": "import operator\noperator.ior(d, more)",
    "other name": "e = d\ne |= more",
    "loop target": "for d['a'] in [x]:\n    pass",
}
"""What puts `x` into the dict `d`, under the key "a"."""
BOUND = {
    "exec": "exec('n = 4; x = jnp.ones(4)')",
    "globals": "for k, v in {'n': 4, 'x': jnp.ones(4)}.items():\n    globals()[k] = v",
    "update": "globals().update(n=4, x=jnp.ones(4))",
    "handed on": "exec('n = 4; x = jnp.ones(4)', globals())",
    "module": "import sys\nsetattr(sys.modules[__name__], 'n', 4)\nsetattr(sys.modules[__name__], 'x', jnp.ones(4))",
    "its name": "import sys\nme = sys.modules[__name__]\nme.n, me.x = 4, jnp.ones(4)",
}
"""What binds `n` to 4 and `x` to an array of four, by their names."""
REORDERED = {
    "another name": "from random import seed, shuffle as mix\n\n    seed(1)\n    mix(a)",
    "numpy": "import numpy as np\n\n    np.random.seed(1)\n    np.random.shuffle(a)",
    "getattr": "getattr(a, 'reverse')()",
    "methodcaller": "import operator\n\n    operator.methodcaller('pop')(a)",
}
"""What changes which item of `a` is the last, in a function."""
READ_LATE = {
    "lambda": "f = lambda: x * 1\nx = jnp.ones(4)",
    "name": "f = lambda: x\nx = jnp.ones(4)",
    "in a list": "f, g = [lambda: x, 1]\nx = jnp.ones(4)",
}
"""What binds `x` again before the function is called that reads it."""
PLAIN = {
    "list": "b = a",
    "dict": "e = d",
    "name": "print(globals()['n'], [k for k in globals().keys()])",
    "order": "b = a",
    "late": "f = lambda: x * 1",
}
"""What changes nothing."""
_LAST = """\
def main() -> None:
    a = [jnp.ones(2), jnp.ones(3), jnp.ones(4), jnp.ones(5), jnp.ones(7)]
    {}
    for v in a:
        v = v * 1
    print((v * 2).shape)


main()
"""
PROGRAMS = {
    "list": "{}\nfor v in a:\n    print((v * 2).shape)\n",
    "dict": "{}\nfor k, v in d.items():\n    print((v * 2).shape)\n",
    "name": "{}\nprint((jnp.ones(n) + x).shape)\n",
    "order": _LAST,
    "late": "{}\nprint((f() * 2).shape)\n",
}


def printed_by(source: str) -> Any:
    """What a program prints as a module."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "changed.py")
        path.write_text(source, encoding="utf-8")
        runpy.run_path(str(path))
    return np.array(printed.getvalue())


def test_what_changes_a_container_or_a_name_unseen_is_not_overlooked(tmp_path: Path, cache: Path) -> None:
    start = "import jax.numpy as jnp\n\nx, n = jnp.ones(7), 7\nmore = {'a': x}\n"
    start += "a = [jnp.ones(2), jnp.ones(3)]\nd = {'a': jnp.ones(2), 'b': jnp.ones(3)}\n"
    changes = {"list": GROWN, "dict": UPDATED, "name": BOUND, "order": REORDERED, "late": READ_LATE}
    made = [(kind, name, text) for kind, found in changes.items() for name, text in found.items()]
    made += [(kind, "plain", text) for kind, text in PLAIN.items()]
    paths = [tmp_path / f"changed_{i}.py" for i in range(len(made))]
    for path, (kind, name, text) in zip(paths, made):
        source = start + PROGRAMS[kind].format(text)
        path.write_text(source, encoding="utf-8")
        # What is put in has a shape of its own; in another order another item is the last.
        is_changed = ("(7,)" in str(asked(partial(printed_by, source)).values)) == (kind in ("list", "dict"))
        assert is_changed == (name != "plain"), text
    claims = checked(paths, cache).claims
    assert claims is not None
    known: dict[str, set[str]] = {kind: set() for kind in changes}
    for path, (kind, name, _) in zip(paths, made):
        found = claims.files[str(path)].expressions
        last = max(e.position[0] for e in found)
        of_last = [str(e) for e in found if e.position[0] == last]
        if any(("[2]" if kind in ("list", "dict") else "[7]") in claim for claim in of_last):
            known[kind].add(name)
    assert known == {kind: {"plain"} for kind in changes}
