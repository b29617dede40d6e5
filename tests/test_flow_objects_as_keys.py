"""Dicts whose keys are objects of the program, through functions that are followed once for equal arguments."""

from __future__ import annotations

from pathlib import Path

import pytest
from flow_values import difference, interpreted, run

from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.settings import Settings

_GROUPS = """
import functools
import jax
import jax.numpy as jnp

@functools.total_ordering
class Group:
    def __init__(self, shape):
        self.shape = shape
    def __lt__(self, other):
        return id(self) < id(other)

@{jit}
def most(beliefs):
    return {{group: jnp.argmax(b, -1) for group, b in beliefs.items()}}
"""
_JITS = ("jax.jit", "functools.partial(jax.jit)", "jax.checkpoint")


@pytest.mark.parametrize("jit", _JITS)
def test_the_keys_are_those_that_are_given(jit: str) -> None:
    program = f"""{_GROUPS.format(jit=jit)}
first, second = Group((2,)), Group((2,))
a = most({{first: jnp.ones((2, 3))}})
b = most({{second: jnp.ones((2, 3))}})
r = first in a, second in b, first in b, [g.shape for g in b]
"""
    told, result = interpreted(program)
    assert not result.diagnostics
    assert difference(told["r"], run(program)["r"]) is None


def test_what_a_test_leaves_is_in_no_other(tmp_path: Path) -> None:
    path = tmp_path / "test_groups.py"
    tests = "".join(
        f"def test_{i}():\n    group = Group((2,))\n    (found,) = most({{group: jnp.ones((2, 3))}})\n"
        "    assert found.shape == (2,)\n"
        for i in range(2)
    )
    path.write_text(f"{_GROUPS.format(jit='jax.jit')}\n{tests}")
    assert [str(d) for d in analyze([path], Settings(), root=tmp_path).diagnostics] == []
