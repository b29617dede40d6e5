"""Functions made at random, with loops over items of different types, growing lists, variables bound again, closures.

What is claimed of each call, and what is told, is held against what it gives.
"""

from __future__ import annotations

import random
import re
from typing import Any

import jax
import pytest
from claimed_values import describes
from mypy_runs import Mypy, Run, shared_caches

HEAD = """\
import operator
from functools import reduce

import jax
import jax.numpy as jnp

"""
GIVEN = (
    "(jnp.ones(2), jnp.ones(3, jnp.int32), jnp.ones((2, 2), jnp.int8))", "(jnp.ones((2, 3)), jnp.ones((3, 4)))",
    "[jnp.ones((2, 3)), jnp.ones((3, 2)), jnp.ones((2, 4), jnp.bfloat16)]", "(jnp.ones((4, 4)),)",
    "[jnp.ones(2), jnp.ones(2, jnp.int8)]", "(jnp.ones(3, bool), 2.0, jnp.ones((1, 3)))", "()",
)  # fmt: skip
LOOPS = (
    "for a in items:", "for a in items[1:]:", "for a in items[:-1]:", "for a in reversed(items):", "for a in out[:2]:",
    "for i, a in enumerate(items):", "for a, b in zip(items, items[1:]):", "for a in [x, *items]:", "for a in rest:",
    "for i in range(len(items)):", "for a in items[::2]:", "for a, b in zip(items, out):", "for i in range(2):",
    "for a in tuple(out) + tuple(items):",
)  # fmt: skip
STEPS = (
    "acc = acc + jnp.sum(a)", "acc = acc * 2", "out.append(a)", "out.append(jnp.sum(a))", "out += [a, acc]", "last = a",
    "last = jnp.sum(a) + jnp.sum(last)", "x = jnp.tanh(x @ a)", "x = x.astype(jnp.bfloat16)", "x = x[0]", "b = a * 2",
    "x = jnp.stack([x, x])", "functions.append(lambda: a)", "functions.append(lambda given=a: given)", "last = a, x",
    "made = [x]", "x = items[i % len(items)]", "acc = acc + i", "last = items[i]",
    "if jnp.ndim(a) == 2:\n    x = a", "if jnp.ndim(a) == 2:\n    return a", "if jnp.ndim(a) == 1:\n    break",
    "if jnp.ndim(a) == 2:\n    continue", "if acc > 3:\n    acc = acc.astype(jnp.int32)",
    "if acc > 1:\n    out.append(x)",
    "def within():\n    return x, last", "def within(v=x):\n    return v",
    "for c in items:\n    acc = acc + jnp.sum(c)",
    "for c in items:\n    out.append(c)", "while len(out) < 2:\n    out.append(acc)",
)  # fmt: skip
LINES = (
    "rest = [jnp.sum(a) + 1 for a in items]", "rest = tuple(a * 2 for a in items)",
    "acc = acc + sum(jnp.sum(a) for a in items)",
    "first, *rest = items", "*rest, last = items", "rest, sums = zip(*[(a, jnp.sum(a)) for a in items])",
    "acc = reduce(operator.add, [jnp.sum(a) for a in items])", "acc = reduce(jnp.maximum, [jnp.sum(a) for a in items])",
    "rest = [v.astype(jnp.int8) for v in out]", "rest = {'k': items}['k']", "rest = out + [x]", "rest = list(items)",
    "last = (lambda: x)()", "x = within()[0]", "x = jnp.stack(rest)", "out = [x]", "n = len(out)", "x = jnp.ones(n)",
    "rest = [(a, b) for a, b in zip(items, items[1:])]", "last = [f() for f in functions]",
    "rest = [g(x) for g in (jnp.sum, jnp.shape)]",
)  # fmt: skip
TURNING = ("out.reverse()", "out.pop()", "del out[0]", "out.sort(key=jnp.size)", "out[0] = x", "out.insert(0, x)")
RETURNS = (
    "acc", "x", "last", "out[0]", "out[-1]", "rest[0]", "rest[-1]", "functions[0]()", "functions[-1]()", "within()",
    "(x, acc)", "jnp.ones(len(out))", "out", "rest", "[x, last]", "{'x': x, 'out': out}", "jnp.concatenate([x, x])",
)  # fmt: skip


def body(rng: random.Random, turns: bool) -> list[str]:
    lines = [
        "acc = jnp.zeros(())",
        "x = jnp.ones((3, 3))",
        "out, functions, rest = [], [], ()",
        "last, n, i = acc, 1, 0",
        "a = x",
    ]
    lines += ["def within():\n    return x, acc"] * (rng.random() < 0.2)
    for _ in range(rng.randint(1, 5)):
        kind = rng.random()
        if kind < 0.5:
            steps = [rng.choice(STEPS) for _ in range(rng.randint(1, 3))]
            lines.append("\n".join([rng.choice(LOOPS), *("    " + s.replace("\n", "\n    ") for s in steps)]))
        elif kind < 0.65:
            step = rng.choice([s for s in STEPS if "break" not in s and "continue" not in s])
            lines.append(step)
        elif kind < 0.75 and turns:
            lines.append(rng.choice(TURNING))
        else:
            lines.append(rng.choice(LINES))
    return [*lines, f"return {rng.choice(RETURNS)}"]


def functions(seed: int, count: int, turns: bool) -> str:
    """A program of functions, each with one call; in some, lists are turned round and shortened."""
    rng = random.Random(seed)
    text = HEAD
    for number in range(count):
        inside = "\n".join("    " + line.replace("\n", "\n    ") for line in body(rng, turns))
        text += f"\ndef f{number}(items):\n{inside}\n\n\nreveal_type(f{number}({rng.choice(GIVEN)}))\n"
    return text


SEEDS = {"kept": (1, False), "turned": (2, True)}


@pytest.fixture(scope="module", params=list(SEEDS))
def checked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Run]:
    text = functions(SEEDS[request.param][0], 120, SEEDS[request.param][1])
    return text, Mypy(tmp_path_factory.mktemp(request.param), shared_caches(tmp_path_factory)).run(text)


def outcomes(text: str) -> tuple[dict[int, Any], set[int]]:
    """What each function gives, by the line of its call, and the lines of those that raise."""
    calls = {n: line[len("reveal_type(") : -1] for n, line in enumerate(text.splitlines(), 1) if "reveal_type" in line}
    space: dict[str, Any] = {}
    exec(compile(re.sub(r"^reveal_type\(.*", "", text, flags=re.M), "<program>", "exec", dont_inherit=True), space)
    values: dict[int, Any] = {}
    raising: set[int] = set()
    for line, call in calls.items():
        try:
            values[line] = eval(call, space)
        except (TypeError, ValueError, IndexError, AttributeError, NameError, ZeroDivisionError):
            raising.add(line)
    return values, raising


def test_what_a_call_gives_is_as_claimed(checked: tuple[str, Run]) -> None:
    text, run = checked
    values, _ = outcomes(text)
    claims = {m.line: m.revealed for m in run.messages if m.revealed}
    wrong = {
        line: (claims[line], jax.tree.map(jax.typeof, value))
        for line, value in values.items()
        if line in claims and not describes(claims[line] or "Any", value)
    }
    assert wrong == {}
    known = [line for line in values if line in claims and "Any" not in (claims[line] or "Any")]
    assert len(known) > len(values) / 4


def test_what_is_told_raises(checked: tuple[str, Run]) -> None:
    text, run = checked
    _, raising = outcomes(text)
    lines = text.splitlines()
    told = {
        next(n for n in range(m.line, len(lines) + 1) if "reveal_type" in lines[n - 1])
        for m in run.messages
        if m.severity == "error" and (m.code or "").startswith("array-")
    }
    assert told - raising == set()
