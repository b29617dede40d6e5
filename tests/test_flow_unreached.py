"""Functions that nothing calls, and those that are defined in them: what is claimed there, against calls of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax.numpy as jnp
import pytest

from arraytyping.checker.claims import ExpressionClaims
from arraytyping.checker.flow.sources.entry_points import EntryPoint
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
