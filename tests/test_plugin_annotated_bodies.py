"""Annotated functions that are followed for their calls: what is claimed and told, against jax and jaxtyping."""

from __future__ import annotations

import random
import re
from typing import Any

import jax
import pytest
from jaxtyping import TypeCheckError, jaxtyped
from jaxtyping._typeguard import typechecked
from mypy_runs import Mypy, Run, shared_caches
from test_typecheck_cases import admits

HEAD = """\
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, BFloat16, Complex64, Float, Float32, Int, Int32, Num, UInt8

"""
FUNCTION = """
def f{number}(x: {x}[Array, "n m"], y: {y}[Array, "{dims}"], gain) -> {annotation}:
    {statement}
    return {value}
reveal_type({call})
"""
CALLS = ("f{}({})", "jax.jit(f{})({})")
GIVEN = (
    ("jnp.ones((2, 3))", "jnp.ones(3)", "2"), ("jnp.ones((4, 4))", "jnp.ones(4, jnp.int8)", "1.5"),
    ("jnp.ones((1, 3), jnp.bfloat16)", "jnp.ones(3)", "jnp.float32(2)"),
    ("jnp.ones((2, 2), jnp.bfloat16)", "jnp.ones(2, jnp.bfloat16)", "2.0"),
)  # fmt: skip
VALUES = (
    "x", "y * gain", "x * gain", "x @ y", "x @ y * 2", "x.T", "x.sum(0) + y", "x.astype(jnp.bfloat16)", "x.round()",
    "jnp.fft.rfft(y)", "jnp.abs(jnp.fft.rfft(x.astype(jnp.float32), axis=0))", "jnp.concatenate([x, x])", "x > 0",
    "jnp.concatenate([y, y[:1]])", "x.argmax(1)", "x.argmax(1).astype(jnp.uint8)", "made", "made * gain", "x + made",
)  # fmt: skip
KINDS = ("Float", "Float32", "BFloat16", "Int", "Int32", "Num", "UInt8", "Complex64")
DIMS = ("n m", "m n", "n", "m", "m+1", "2*n m", "2*m", "*b", "*b m", "n k", "k", "#n m", "3", "n 3", "")


def functions(seed: int, count: int) -> str:
    """A program of annotated functions, each with one call."""
    rng = random.Random(seed)
    text = HEAD
    for number in range(count):
        given = rng.choice(GIVEN)
        one, other = rng.choice(VALUES), rng.choice(VALUES)
        annotations = [f'{rng.choice(KINDS)}[Array, "{rng.choice(DIMS)}"]' for _ in range(2)]
        is_pair = rng.random() < 0.25
        made = rng.choice(VALUES[:-3])
        declared = f': {rng.choice(KINDS)}[Array, "{rng.choice(DIMS)}"]' if rng.random() < 0.3 else ""
        text += FUNCTION.format(
            number=number,
            x=rng.choice(("Float", "Num")),
            y=rng.choice(("Num", "Num", "Float")),
            dims=rng.choice(("m", "m", "*c", "q")),
            annotation=f"tuple[{', '.join(annotations)}]" if is_pair else annotations[0],
            value=f"{one}, {other}" if is_pair else one,
            statement=f"made{declared} = {made}",
            call=rng.choice(CALLS).format(number, ", ".join(given)),
        )
    return text


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Run]:
    text = functions(3, 160)
    return text, Mypy(tmp_path_factory.mktemp("annotated"), shared_caches(tmp_path_factory)).run(text)


def outcomes(text: str) -> tuple[dict[int, Any], set[int]]:
    """What each function gives, by the line of its call, and the lines of those that jaxtyping or jax refuses."""
    calls = {n: line[len("reveal_type(") : -1] for n, line in enumerate(text.splitlines(), 1) if "reveal_type" in line}
    source = re.sub(r"^reveal_type\(.*", "", text, flags=re.M)
    plain: dict[str, Any] = {}
    exec(compile(source, "<plain>", "exec", dont_inherit=True), plain)
    asserted = re.sub(r"^    made: (.*?\]) = .*", r"\g<0>\n    assert isinstance(made, \1)", source, flags=re.M)
    checked: dict[str, Any] = {}
    exec(compile(asserted, "<checked>", "exec", dont_inherit=True), checked)
    checked |= {n: jaxtyped(typechecker=typechecked)(f) for n, f in checked.items() if re.fullmatch(r"f\d+", n)}
    values: dict[int, Any] = {}
    refused: set[int] = set()
    for line, call in calls.items():
        try:
            values[line] = eval(call, plain)
            eval(call, checked)
        except (AssertionError, TypeCheckError, TypeError, ValueError):
            refused.add(line)
    return values, refused


def test_what_is_told_of_a_call_jaxtyping_refuses(checked: tuple[str, Run]) -> None:
    text, run = checked
    _, refused = outcomes(text)
    lines = text.splitlines()
    told = {
        next(n for n in range(m.line, len(lines) + 1) if "reveal_type" in lines[n - 1])
        for m in run.messages
        if m.severity == "error" and (m.code or "").startswith("array-")
    }
    assert told - refused == set()
    assert len(told) > len(refused) * 0.8


def test_what_a_call_gives_is_as_claimed(checked: tuple[str, Run]) -> None:
    text, run = checked
    values, refused = outcomes(text)
    claims = {m.line: m.revealed for m in run.messages if m.revealed}
    wrong = {
        line: (claims[line], jax.tree.map(jax.typeof, value))
        for line, value in values.items()
        if line not in refused and not admits(claims[line] or "Any", value, {})
    }
    assert wrong == {}
    exact = [line for line in values if "Any" not in (claims[line] or "Any") and " int" not in (claims[line] or "")]
    assert len(exact) > len(values) * 0.8
