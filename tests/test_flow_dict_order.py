"""Dicts of which it is not known in which order their items are: what hangs on the order is not claimed."""

from __future__ import annotations

import pytest
from flow_values import interpreted

from arraytyping.checker.flow.state.showing import show

_LOOP = """
import os
import jax, jax.numpy as jnp
p = {"w": jnp.ones((3, 2)), "b": jnp.ones(2), "a": jnp.ones((2, 4))}
for _ in range(int(os.environ.get("STEPS", "0"))):
    p = jax.tree.map(lambda x: x * 2, p)  # of which jax sorts the keys
"""


def _shown(source: str) -> dict[str, str]:
    variables, result = interpreted(source)
    assert not result.diagnostics, result.diagnostics
    assert not result.crashes
    return {name: show(value) for name, value in variables.items() if not name.startswith("_")}


@pytest.mark.parametrize(
    "text",
    [
        "first = list(p.values())[0]",
        "first = next(iter(p.items()))[1]",
        "first = p[list(p)[0]]",
        "first = [v for v in p.values()][0]",
        "for first in p.values():\n    break",
        "q = dict(p)\nfirst = list(q.values())[0]",
        "q = {**p}\nfirst = list(q.values())[0]",
        "q = p | {'z': jnp.ones(1)}\nfirst = list(q.values())[0]",
        "q = p.copy()\nfirst = list(q.values())[0]",
        "q = {k: v for k, v in p.items()}\nfirst = list(q.values())[0]",
        "first = p.popitem()[1]",
        "first, *_ = p.values()",
    ],
)
def test_what_comes_first_is_not_claimed(text: str) -> None:
    """Without a step it is of shape (3, 2), with one of (2, 4)."""
    shown = _shown(_LOOP + text + "\n")
    assert "[3, 2]" not in shown["first"]
    assert "[2, 4]" not in shown["first"]
    assert "[2]" not in shown["first"]


def test_what_hangs_on_no_order_is_known() -> None:
    """Items by their keys, those that are sorted, and trees."""
    shown = _shown(
        _LOOP
        + "w, n, least = p['w'], len(p), p[sorted(p)[0]]\n"
        + "q = {k: v * 2 for k, v in p.items()}\n"
        + "b = q['b']\n"
        + "last = sorted(p.items())[-1][1]\n"
        + "leaves = tuple(jax.tree.leaves(p))\n"
        + "after = jax.tree.map(lambda x: x + 1, p)\n"
        + "first = list(after.values())[0]\n"
    )
    assert shown["w"] == shown["last"] == "float32[3, 2]"
    assert (shown["n"], shown["b"]) == ("the Python int 3", "float32[2]")
    assert shown["least"] == "float32[2, 4]"
    assert shown["leaves"] == "the tuple (float32[2, 4], float32[2], float32[3, 2])"
    assert shown["first"] == "float32[2, 4]"


def test_a_loop_that_surely_goes_round_leaves_the_order_of_jax() -> None:
    shown = _shown(_LOOP.replace('int(os.environ.get("STEPS", "0"))', "3") + "first = list(p.values())[0]\n")
    assert shown["first"] == "float32[2, 4]"
