"""Rules that a program gives its functions for derivatives, followed by flow: against the runs of the programs."""

from __future__ import annotations

from pathlib import Path

import pytest
from flow_values import interpreted, run, wrong_claims
from raising_programs import program, raising_line
from test_plugin_custom_rules import RIGHT, WRONG

from arraytyping.checker.flow.start.program import interpret


def told(text: str, tmp_path: Path) -> set[int]:
    found = interpret(tmp_path / "program.py", source=program(text)).diagnostics
    return {d.line for d in found if d.is_shown and not d.is_warning}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_refused_is_told_where_it_raises_or_not_at_all(name: str, tmp_path: Path) -> None:
    assert told(WRONG[name], tmp_path) <= {raising_line(program(WRONG[name]))}


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_told_of_what_runs(name: str, tmp_path: Path) -> None:
    assert told(RIGHT[name], tmp_path) == set()


def test_jvp_goes_by_the_rule(tmp_path: Path) -> None:
    text = """
        @jax.custom_jvp
        def f(x): return jnp.sin(x)
        @f.defjvp
        def f_jvp(primals, tangents): return jnp.sin(primals[0]), jnp.ones(7)
        jax.jvp(lambda x: f(x) * 2, (jnp.ones(3),), (jnp.ones(3),))
        """
    line = raising_line(program(text))
    assert line is not None
    assert told(text, tmp_path) == {line}


SAID = {
    "fwd": (
        "@jax.custom_vjp\ndef f(x): return x * 2\ndef fwd(x): return x * 2\ndef bwd(r, g): return (g,)\n"
        "f.defvjp(fwd, bwd)\njax.grad(lambda x: f(x).sum())(jnp.ones(3))",
        "array-tree",
        "TypeError: custom_vjp: the rule fwd of f has to give a pair of the result and the residuals, and gives an "
        "array",
    ),
    "bwd": (
        "@jax.custom_vjp\ndef f(x, y): return x * y\ndef fwd(x, y): return x * y, x\ndef bwd(r, g): return (g,)\n"
        "f.defvjp(fwd, bwd)\njax.grad(lambda x: f(x, x).sum())(jnp.ones(3))",
        "array-tree",
        "TypeError: custom_vjp: the backward rule bwd of f has to give a tuple of 2 cotangents, one for each argument "
        "that is differentiated, and gives a tuple of 1 item",
    ),
    "cotangent": (
        "@jax.custom_vjp\ndef f(x, y): return x * y\ndef fwd(x, y): return x * y, x\n"
        "def bwd(r, g): return g, jnp.ones(7)\nf.defvjp(fwd, bwd)\njax.grad(lambda x: f(x, x).sum())(jnp.ones(3))",
        "array-shape",
        "ValueError: custom_vjp: the backward rule bwd of f gives float32[7] for the argument y, which is float32[3]; "
        "both must have the same shape",
    ),
    "pair": (
        "@jax.custom_jvp\ndef f(x): return x * 2\n@f.defjvp\ndef rule(p, t): return p[0] * 2\n"
        "jax.grad(lambda x: f(x).sum())(jnp.ones(3))",
        "array-tree",
        "TypeError: custom_jvp: the rule rule of f has to give a pair of the result and its tangent, and gives an "
        "array",
    ),
    "tangent": (
        "@jax.custom_jvp\ndef f(x): return x * 2\n@f.defjvp\ndef rule(p, t): return p[0] * 2, jnp.ones(7)\n"
        "jax.jvp(f, (jnp.ones(3),), (jnp.ones(3),))",
        "array-shape",
        "TypeError: custom_jvp: the rule rule of f gives float32[3] with the tangent float32[7]; both must have the "
        "same structure, shape and dtype",
    ),
    "tangent_dtype": (
        "@jax.custom_jvp\ndef f(x): return x * 2\n@f.defjvp\n"
        "def rule(p, t): return p[0] * 2, t[0].astype(jnp.bfloat16)\njax.jvp(f, (jnp.ones(3),), (jnp.ones(3),))",
        "array-dtype",
        "TypeError: custom_jvp: the rule rule of f gives float32[3] with the tangent bfloat16[3]; both must have the "
        "same structure, shape and dtype",
    ),
}


@pytest.mark.parametrize("name", SAID)
def test_flow_says_what_the_plugin_says(name: str, tmp_path: Path) -> None:
    text, code, message = SAID[name]
    found = [d for d in interpret(tmp_path / "program.py", source=program(text)).diagnostics if d.is_shown]
    assert [(d.line, d.code, d.message) for d in found] == [(raising_line(program(text)), code, message)]


_OF_DATA = """
import os
import jax, jax.numpy as jnp
count = int(os.environ.get("COUNT", "8"))
size = sum(range(count)) // max(count - 1, 1)
x = jnp.zeros((4, 8))
@jax.custom_vjp
def f(w): return w * 2
f.defvjp(lambda w: (f(w), None), lambda r, g: (g * 2,))
def loss(w):
    return (f(w) * x.reshape(size, -1)).sum() + jnp.broadcast_to(f(w), (size,)).sum()
gradient = jax.grad(loss)(1.0)
"""


def test_a_size_that_is_not_known_is_no_tracer_of_the_program() -> None:
    """Where jax traces each operation, a tracer stands for such a number: what it says of that is not told."""
    variables, result = interpreted(_OF_DATA)
    assert not result.diagnostics
    assert str(variables["gradient"].aval).startswith("float32[]")


def test_a_rule_that_refuses_does_so_when_the_function_of_vjp_is_called() -> None:
    program = """
import functools
import jax
import jax.numpy as jnp

@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def f(k, x):
    return x * 2

def forward(k, x):
    return f(k, x), (x,)

def backward(k, kept, g):
    if k == 0:
        raise ValueError("k is 0")
    return (g * 2,)

f.defvjp(forward, backward)
out, pull = jax.vjp(functools.partial(f, 0), jnp.ones(3))
try:
    pull(jnp.ones(3))
except ValueError:
    refused = True
"""
    values, result = interpreted(program)
    assert not result.diagnostics
    assert not wrong_claims(program, values, run(program))
    assert str(values["out"].aval) == "float32[3]"
