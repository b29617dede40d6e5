"""Flow on Python itself: small programs are interpreted and run, and what flow says of each variable is compared."""

from __future__ import annotations

import pytest
from flow_python_programs import MISTAKES, OF_TRACERS, PROGRAMS, UNKNOWN_INPUTS, WITHOUT_MISTAKES
from flow_values import interpreted, is_known, run, wrong_claims


def _named(programs: str) -> list[str]:
    return [p.strip("\n") for p in programs.split("\n---\n") if p.strip()]


@pytest.mark.parametrize("source", _named(PROGRAMS))
def test_is_concrete(source: str) -> None:
    """Of a program without unknown inputs every variable is known, and is what it really is."""
    variables, result = interpreted(source)
    assert not result.crashes
    assert not result.diagnostics
    assert wrong_claims(source, variables, run(source)) == []
    open_ = [name for name, value in variables.items() if not is_known(value)]
    assert open_ == [name for name in open_ if name.endswith("_")], "a variable that may be open ends in an underscore"


@pytest.mark.parametrize("source", _named(UNKNOWN_INPUTS))
def test_describes(source: str) -> None:
    """Of a program with unknown inputs what flow says describes every run."""
    variables, result = interpreted(source)
    assert not result.crashes
    assert not result.diagnostics
    for _ in range(6):
        variables, result = interpreted(source)
        assert wrong_claims(source, variables, run(source)) == []


@pytest.mark.parametrize("source", _named(MISTAKES))
def test_finds_the_mistake(source: str) -> None:
    """A program that raises has a mistake in the line that raises; its last one."""
    with pytest.raises(Exception):  # noqa: B017, PT011
        run(source)
    _, result = interpreted(source)
    assert not result.crashes
    assert [m.line for m in result.diagnostics] == [len(source.splitlines())]


@pytest.mark.parametrize("source", _named(WITHOUT_MISTAKES))
def test_keeps_quiet(source: str) -> None:
    """A program that runs has no mistake."""
    run(source)
    _, result = interpreted(source)
    assert not result.crashes
    assert not result.diagnostics


@pytest.mark.parametrize("statement", _named(OF_TRACERS))
def test_tracers(statement: str) -> None:
    """What Python refuses of a tracer is a mistake there."""
    before = "import jax, math\nimport jax.numpy as jnp\n@jax.jit\ndef f(y):\n"
    source = f"{before}    {statement}\n    return y\nf(jnp.ones(3))"
    with pytest.raises(Exception):  # noqa: B017, PT011
        run(source)
    _, result = interpreted(source)
    assert not result.crashes
    assert [m.line for m in result.diagnostics] == [5]
