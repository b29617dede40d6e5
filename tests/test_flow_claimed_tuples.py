"""Claims for tuples are those for named ones, too: an expression may see both."""

from __future__ import annotations

from pathlib import Path

import pytest
from kept_runs import run_or_recall

from arraytyping.checker.audit import compare
from arraytyping.checker.flow.start.program import interpret

pytest.importorskip("jax")

PROGRAM = """\
from collections import namedtuple
from typing import NamedTuple
import jax, jax.numpy as jnp

class State(NamedTuple):
    i: int
    a: jax.Array

Pair = namedtuple("Pair", ["one", "other"])

def same(s):
    return s

def loop(s):
    return jax.lax.fori_loop(0, 3, lambda i, s: s, s)

for f in (same, loop):
    f((jnp.ones(3), jnp.ones(2)))
    f(State(0, jnp.ones(4)))
    f((Pair(jnp.ones(5), True), jnp.ones(6)))
"""


def test_named_tuples(tmp_path: Path) -> None:
    path = tmp_path / "tuples.py"
    path.write_text(PROGRAM, encoding="utf-8")
    result, run = interpret(path), run_or_recall([path])[path]
    assert run.exception is None, run.traceback
    assert compare(result.program, run.observations).wrong == ()
    line = PROGRAM.splitlines().index("    return s") + 1
    claims = {(c.item, str(c)) for e in result.claims[str(path)].expressions if e.line == line for c in e.claims}
    assert {item for item, _ in claims} == {(0,), (1,), (0, 0)}, claims
