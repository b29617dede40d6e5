"""Dicts and lists that get or lose items and are handed on: nothing is told of programs that run, and no wrong type.

Each way in which a dict or a list may change is tried with each way to read it, run, and compared with what the types
say of what is returned.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest
from answers import asked
from mypy_runs import Mypy, Run, shared_caches
from raising_programs import HEAD, told

CHANGES = {
    "spread in a loop": ("p", "for i in range(n):\n    p = {**p, 'd': jnp.ones(4)}"),
    "spread while": ("p", "i = 0\nwhile i < n:\n    p = {**p, 'd': jnp.ones(4)}\n    i += 1"),
    "spread behind continue": (
        "p",
        "for i in range(n):\n    if i == 0:\n        continue\n    p = {**p, 'd': jnp.ones(4)}",
    ),
    "merged in a loop": ("p", "for i in range(n):\n    p = p | {'d': jnp.ones(4), 'a': jnp.ones(2)}"),
    "under a condition": ("p", "if n > 1:\n    p = {**p, 'd': jnp.ones(4)}"),
    "by a conditional expression": ("p", "p = {**p, 'd': jnp.ones(4)} if n > 1 else p"),
    "by a walrus": ("p", "(p := {**p, 'd': jnp.ones(4)})"),
    "after an exception": ("p", "try:\n    int('x')\nexcept ValueError:\n    p = {**p, 'd': jnp.ones(4)}"),
    "swapped in a loop": ("p", "q = {'d': jnp.ones(4), 'a': jnp.ones(2)}\nfor i in range(n + 1):\n    p, q = q, p"),
    "through another name": ("p", "q = p\nq['d'] = jnp.ones(4)"),
    "through a list": ("p", "qs = [p]\nqs[0]['d'] = jnp.ones(4)"),
    "through an item": ("p", "p = {'in': p}\np['in']['d'] = jnp.ones(4)\np = p['in']"),
    "by a function": ("p", "def put(q):\n    q['d'] = jnp.ones(4)\nput(p)"),
    "by a function around it": ("p", "def put():\n    nonlocal p\n    p = {**p, 'd': jnp.ones(4)}\nput()"),
    "popped": ("p", "p['d'] = jnp.ones(4)\np.pop('a')"),
    "deleted": ("p", "p['d'] = jnp.ones(4)\ndel p['a']"),
    "deleted under a condition": ("p", "p['d'] = jnp.ones(4)\nif n > 1:\n    del p['a']"),
    "cleared": ("p", "p.clear()\np['d'] = jnp.ones(4)"),
    "by default": ("p", "p.setdefault('d', jnp.ones(4))"),
    "updated in place": ("p", "p |= {'d': jnp.ones(4)}"),
    "appended in a loop": ("xs", "for i in range(n):\n    xs.append(jnp.ones(4))"),
    "added in a loop": ("xs", "for i in range(n):\n    xs = xs + [jnp.ones(4)]"),
    "appended through another name": ("xs", "ys = xs\nys.append(jnp.ones(4))"),
    "appended before an exception": (
        "xs",
        "try:\n    xs.append(jnp.ones(4))\n    xs.append(jnp.ones(int('x')))\nexcept ValueError:\n    pass",
    ),
    "bound again within": ("xs", "def put():\n    nonlocal xs\n    xs = xs + [jnp.ones(4)]\nput()"),
    "popped in a loop": ("xs", "xs.append(jnp.ones(4))\nwhile len(xs) > 1:\n    xs.pop(0)"),
    "exchanged": ("xs", "xs[:] = [jnp.ones(4), jnp.ones(5)]"),
}
"""What happens to a dict `p` of one array of 3 under "a", or to a list `xs` of one."""

READS = {
    "p": (
        "return p['a'] * 1",
        "return p['d'] * 1",
        "if 'a' not in p:\n    return jnp.ones(8) * 1\nreturn p['a'] * 1",
        "return p.get('d', jnp.ones(9)) * 1",
        "out = jnp.zeros(3)\nfor k, v in p.items():\n    out = jnp.concatenate([out, v])\nreturn out * 1",
        "return jnp.concatenate(jax.tree.leaves(jax.tree.map(lambda v: v * 2, p))) * 1",
        "return jax.tree.leaves(p)[-1] * 1",
        "a, b = p.values()\nreturn b * 1",
        "return jnp.ones(len(p)) * 1",
    ),
    "xs": (
        "return xs[0] * 1",
        "return xs[-1] * 1",
        "a, b = xs\nreturn b * 1",
        "return jnp.concatenate(xs) * 1",
        "out = jnp.zeros(3)\nfor x in xs:\n    out = jnp.concatenate([out, x])\nreturn out * 1",
        "return jnp.ones(len(xs)) * 1",
    ),
}
MADE = {"p": "{'a': jnp.ones(3)}", "xs": "[jnp.ones(3)]"}
NAMES = {name: name.replace(" ", "_") for name in CHANGES}
_SHAPE = re.compile(r"Array\[.*, tuple\[(.*)\]\]")


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


def parts(change: str) -> Iterator[tuple[str, str]]:
    """The functions that read what was changed so, each for a program that runs, with their names."""
    variable, text = CHANGES[change]
    for (i, read), jit in product(enumerate(READS[variable]), ("", "@jax.jit\n")):
        if jit and i > 3:
            continue
        name = f"f{i}{'_jit' if jit else ''}"
        head = f"{jit}def {name}(z: jax.Array):\n    n = 2\n" if jit else f"def {name}(n: int):\n"
        source = f"def read_{name}({variable}):\n{indented(read)}\n{head}    {variable} = {MADE[variable]}\n"
        yield name, f"{source}{indented(text)}    return read_{name}({variable})\n"


def may_be(claimed: str, shape: tuple[int, ...]) -> bool:
    """Whether an array of this shape is one of this type, as mypy shows it."""
    match = _SHAPE.search(claimed)
    if match is None or "..." in match[1]:
        return claimed == "Any" or claimed.endswith("Array[Any, Any]") or (match is None and claimed.endswith(", Any]"))
    sizes = [] if match[1] == "()" else match[1].split(", ")
    return len(sizes) == len(shape) and all(c in ("int", f"Literal[{s}]") for c, s in zip(sizes, shape))


def argument(name: str) -> str:
    return "jnp.ones(2)" if name.endswith("_jit") else "2"


def shape_of(name: str, source: str) -> tuple[int, ...] | None:
    """The shape of what comes of it; None if it raises."""
    scope: dict[str, Any] = {"__name__": "case"}
    try:
        exec(compile(f"{HEAD}{source}came = {name}({argument(name)})\n", "<case>", "exec", dont_inherit=True), scope)
    except Exception:
        return None
    shape: tuple[int, ...] = scope["came"].shape
    return shape


def shapes_in(change: str) -> dict[str, Any]:
    """The shape of what comes of each function; None of those that raise."""
    shapes = {name: shape_of(name, source) for name, source in parts(change)}
    return {name: None if shape is None else np.array(shape, np.int64) for name, shape in shapes.items()}


Cases = Mapping[str, Sequence[tuple[str, str, tuple[int, ...]]]]


@pytest.fixture(scope="module")
def cases() -> Cases:
    """The functions that run, with what comes of them."""
    found: dict[str, list[tuple[str, str, tuple[int, ...]]]] = {}
    for change in CHANGES:
        shapes = asked(partial(shapes_in, change))
        running = ((name, source) for name, source in parts(change) if shapes[name] is not None)
        found[change] = [(name, source, tuple(shapes[name].values.tolist())) for name, source in running]
    return found


@pytest.fixture(scope="module")
def run(cases: Cases, tmp_path_factory: pytest.TempPathFactory) -> Run:
    mypy = Mypy(tmp_path_factory.mktemp("programs"), shared_caches(tmp_path_factory))
    return mypy.run({
        f"{NAMES[change]}.py": HEAD
        + "".join(source for _, source, _ in running)
        + "".join(f"reveal_type({name}({argument(name)}))\n" for name, _, _ in running)
        for change, running in cases.items()
    })  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_nothing_is_told_of_what_runs(change: str, run: Run, cases: Cases) -> None:
    assert len(cases[change]) > 4
    assert told(run, NAMES[change]) == []


@pytest.mark.parametrize("change", CHANGES)
def test_no_type_is_wrong(change: str, run: Run, cases: Cases) -> None:
    revealed = [m.text for m in run.messages if m.file == f"{NAMES[change]}.py" and "Revealed type" in m.text]
    assert len(revealed) == len(cases[change])
    for text, (name, _, shape) in zip(revealed, cases[change]):
        assert any(may_be(one, shape) for one in text.split('"')[1].split(" | ")), (name, text, shape)


def test_some_of_it_is_known(run: Run) -> None:
    assert sum(1 for m in run.messages if "Literal[" in m.text) > 20
