"""What the plugin adds to plain mypy's own errors is nothing but errors of arrays, in each way of running mypy."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from mypy_runs import Message, Mypy, of_modules, parse, shared_caches

START = """from typing import Any, Callable, Generic, Optional, Protocol, TypeVar
from dataclasses import dataclass
from functools import partial
import functools
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jaxtyping import Array, Float, Float32, Int, Int32
"""

CLEAN = {
    "scan": """
def step(c, x):
    return c + x, x
def run(xs: jax.Array) -> jax.Array:
    _, ys = lax.scan(step, jnp.zeros(3), xs)
    (a, b), zs = lax.scan(lambda c, x: ((c[0] + x, c[1]), x), (jnp.zeros(3), 0), xs)
    return ys + zs
""",
    "a loop": """
def run(xs: jax.Array):
    best = None
    for x in xs:
        if best is None or x.sum() > best:
            best = x.sum()
    out = []
    total = 0.0
    for i in range(3):
        total = total + xs[i].mean()
        out.append(total)
    return best, jnp.stack(out), total.shape
""",
    "a dtype as an annotation": """
def cast(x: jax.Array, dtype: jnp.float32, other: jnp.bfloat16 = jnp.bfloat16) -> jax.Array:
    return x.astype(dtype).astype(other)
""",
    "claims that overlap": """
def take(n: Int32[Array, "n"], x: Float32[Array, "a b"]) -> Float32[Array, "..."]:
    return x
def give(n: Int[Array, "m"], x: Float[Array, "..."]) -> Float32[Array, "p q"]:
    take(n, x)
    return take(n, x=x)
""",
    "items of containers": """
def collect(xs: "list[Float[Array, 'n']]", named: "dict[str, Float32[Array, '3']]") -> None: ...
def fill(n: Float32[Array, "n"]) -> None:
    parts = [jnp.ones(3), jnp.ones((2, 2)), 1.0]
    parts.append("text")
    collect([n, n], {"a": n})
    pair: tuple[jax.Array, list[jax.Array]] = n, [jnp.ones(3), jnp.ones(4)]
    table: dict[str, list[jax.Array]] = {"a": [jnp.ones(3)]}
    table["b"] = [jnp.zeros((2, 2))]
""",
    "attributes": """
class Model:
    def __init__(self) -> None:
        self.x = jnp.ones(3)
        self.parts = [jnp.ones(3)]
        self.best = None
    def grow(self) -> None:
        self.x = jnp.ones((4, 4))
        self.parts = [jnp.ones((4, 4), jnp.int8)]
    @jax.jit
    def both(self, a: Float32[Array, "3"], b: Float32[Array, "4"]) -> jax.Array:
        return a
    @partial(jax.jit, static_argnums=0)
    def of_class(self, a: jax.Array) -> jax.Array:
        return a
    def use(self) -> None:
        self.both(jnp.ones(3), jnp.ones(4))
        self.of_class(jnp.ones(3))
""",
    "generic classes": """
T = TypeVar("T")
class Box(Generic[T]):
    def __init__(self, value: T) -> None:
        self.value = value
    def put(self, value: T) -> None:
        self.value = value
def use() -> None:
    box = Box(jnp.ones(3))
    box.put(jnp.ones((4, 4)))
    box.value = jnp.ones(5)
def choose(a: T, b: T) -> "list[T]":
    return [a, b]
choose(jnp.ones(3), jnp.ones(4, jnp.int8)).append(jnp.ones(5))
""",
    "functions": """
def apply(f: Callable[[Float32[Array, "3"]], Float32[Array, "4"]], x: jax.Array) -> jax.Array:
    return f(x)
def double(x: Float[Array, "n"]) -> Float[Array, "n"]:
    return 2 * x
apply(double, jnp.ones(3))
apply(lambda x: x + 1, jnp.ones(3))
class Net(Protocol):
    def __call__(self, x: jax.Array) -> jax.Array: ...
net: Net = double
class Base:
    def call(self, x: Float[Array, "n"]) -> jax.Array: return x
class Derived(Base):
    def call(self, x: Float32[Array, "n"]) -> Float32[Array, "n"]: return x
""",
    "vmap of a function that returns a float": """
def cost(x: jax.Array) -> float: ...
def use(x: jax.Array):
    costs = jax.vmap(cost)(x)
    return jnp.moveaxis(costs, -1, 0), jnp.mean(costs, axis=-1)
""",
    "a partial of vmap, of a function that returns a float": """
@functools.partial(jax.vmap, in_axes=[1, 1])
@functools.partial(jax.vmap, in_axes=[0, 0])
def cost(x: jax.Array, y: jax.Array) -> float: ...
def use(x: jax.Array):
    return jnp.mean(cost(x, x), axis=-1)
""",
    "bound again": """
def run(x: Optional[jax.Array], flag: bool):
    if x is None:
        x = jnp.ones(3)
    scale = 1
    if flag:
        scale = x.sum()
    for _ in range(2):
        scale = scale * 2
        x = x if flag else np.ones(3)
    return (scale.dtype, scale.shape) if flag else x.shape
""",
}
WRONG = {
    "an argument": ("f(jnp.ones((2, 3)))", 1),
    "an argument by name": ("f(a=jnp.ones((2, 4), jnp.int8))", 1),
    "a result": ('def g() -> Float32[Array, "4"]:\n    return jnp.ones(3)', 1),
    "a variable": ('y: Float32[Array, "3"] = jnp.ones(4)', 1),
    "a variable, later": ('z: Float32[Array, "3"]\nz = jnp.ones(4)', 1),
    "a tuple": ('def g() -> tuple[Float32[Array, "4"], int]:\n    return jnp.ones(3), 1', 1),
    "a jitted function": ("jax.jit(f)(jnp.ones((2, 3)))", 1),
    "a dataclass": ('@dataclass\nclass D:\n    x: Float32[Array, "3"]\nD(jnp.ones(4))', 1),
    "a method": ("C().m(jnp.ones(3))", 1),
    "ignored": ("f(jnp.ones((2, 3)))  # type: ignore[array-annotation]", 0),
    "handled": ("try:\n    f(jnp.ones((2, 3)))\nexcept Exception:\n    pass", 0),
}
DECLARED = """
def f(a: Float32[Array, "2 4"]) -> jax.Array: return a
class C:
    def m(self, a: Float32[Array, "4"]) -> None: ...
"""
OWN = "x = jnp.ones(3)\nnumber: int = 'a'\nlen(3)\n"


def program() -> dict[str, str]:
    """All of the programs, each a file."""
    files = {f"clean{i}.py": START + text for i, text in enumerate(CLEAN.values())}
    files |= {f"wrong{i}.py": START + DECLARED + text + "\n" for i, (text, _) in enumerate(WRONG.values())}
    return {**files, "own.py": START + OWN}


SETTINGS = of_modules(program(), "check_untyped_defs = true\nwarn_unused_ignores = true")


def places(messages: list[Message]) -> set[tuple[str, int, str | None]]:
    """The errors by file, line and code."""
    return {(m.file, m.line, m.code) for m in messages if m.severity == "error"}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Message], list[Message], Mypy]:
    """What plain mypy says of all of the programs, what mypy with the plugin says, and where it was run."""
    mypy = Mypy(tmp_path_factory.mktemp("own"), shared_caches(tmp_path_factory))
    ours = mypy.run(program(), mypy_settings=SETTINGS).errors()
    bare = Mypy(mypy.directory, mypy.caches, mypy.cache / "plain")
    plain = bare.run({}, mypy_settings=SETTINGS, plugin=False, check=list(program()))
    return plain.errors(), ours, mypy


@pytest.mark.parametrize("name", CLEAN)
def test_nothing_is_added(name: str, runs: tuple[list[Message], list[Message], Mypy]) -> None:
    plain, ours, _ = runs
    file = f"clean{list(CLEAN).index(name)}.py"
    assert not [m for m in ours if m.file == file and (m.file, m.line, m.code) not in places(plain)]


@pytest.mark.parametrize("name", WRONG)
def test_arrays_that_contradict_an_annotation_are_reported_with_our_code(
    name: str, runs: tuple[list[Message], list[Message], Mypy]
) -> None:
    _, count = WRONG[name]
    found = [m for m in runs[1] if m.file == f"wrong{list(WRONG).index(name)}.py"]
    assert [m.code for m in found] == ["array-annotation"] * count


def test_the_message_says_what_was_given_and_expected(runs: tuple[list[Message], list[Message], Mypy]) -> None:
    found = [m.text for m in runs[1] if m.file == "wrong0.py"]
    assert found == [
        'argument 1 to "f" is float32[2, 3], but float32[2, 4] is expected; change the value or the annotation'
    ]


def test_errors_of_plain_mypy_stay(runs: tuple[list[Message], list[Message], Mypy]) -> None:
    plain, ours, _ = runs
    assert places([m for m in ours if m.file == "own.py"]) == places([m for m in plain if m.file == "own.py"])
    assert len([m for m in ours if m.file == "own.py"]) == 2


def test_a_changed_file_and_a_warm_cache_say_the_same(runs: tuple[list[Message], list[Message], Mypy]) -> None:
    _, ours, mypy = runs
    files = program()
    assert places(mypy.run(files, mypy_settings=SETTINGS).errors()) == places(ours)
    changed = {name: files[name] + "\n" for name in ("clean0.py", "wrong0.py", "own.py")}
    assert places(mypy.run(files | changed, mypy_settings=SETTINGS).errors()) == places(ours)


def run_other(mypy: Mypy, *command: str) -> tuple[list[Message], str]:
    done = subprocess.run([sys.executable, "-m", *command], cwd=mypy.directory, capture_output=True, text=True)
    return parse(done.stdout), done.stdout + done.stderr


NAMES = ("clean0.py", "clean1.py", "wrong0.py", "wrong3.py", "own.py")


@pytest.mark.thorough
def test_workers_say_the_same(runs: tuple[list[Message], list[Message], Mypy], tmp_path: Path) -> None:
    _, ours, mypy = runs
    found, output = run_other(mypy, "mypy", "--check-untyped-defs", "-n", "2", "--cache-dir", str(mypy.cache), *NAMES)
    assert places(found) == {p for p in places(ours) if p[0] in NAMES}, output


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the daemon needs fork")
def test_the_daemon_says_the_same(runs: tuple[list[Message], list[Message], Mypy]) -> None:
    _, ours, mypy = runs
    status = ["mypy.dmypy", "--status-file", "status.json"]
    options = ["--check-untyped-defs", "--cache-dir", str(mypy.cache)]
    expected = {p for p in places(ours) if p[0] in NAMES}
    try:
        first, output = run_other(mypy, *status, "run", "--", *options, *NAMES)
        assert places(first) == expected, output
        for name in NAMES:
            path = mypy.directory / name
            path.write_text(path.read_text() + "\n")
        second, output = run_other(mypy, *status, "run", "--", *options, *NAMES)
        assert places(second) == expected, output
    finally:
        run_other(mypy, *status, "stop")
