"""Programs on our own runtime: flow knows of them what it knows of the same programs on jax, and no claim is wrong.

The oracles are the runs on the runtime, and flow on the program whose imports are not exchanged.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from exchanged_programs import exchanged_text
from flow_values import interpreted

from arraytyping.checker.audit import compare, run_program
from arraytyping.checker.claims import ExpressionClaims, Position
from arraytyping.checker.flow.start.program import Result, interpret
from arraytyping.checker.flow.state.showing import show

ROOT = Path(__file__).parent.parent
HEAD = "import arraytyping as jax\nimport arraytyping.numpy as jnp\n"
PROGRAMS = [
    *(ROOT / "tests" / "data" / "runtime_programs" / f"{name}.py" for name in ("pytrees", "quickstart", "stateful")),
    *(ROOT / "typecheck_cases" / "flow" / f"{name}.py" for name in ("kalman_filter", "stack_machine")),
]


def claims(result: Result) -> dict[Position, ExpressionClaims]:
    """What is claimed, by position."""
    return {e.position: e for file in result.claims.values() for e in file.expressions}


def shown(source: str) -> list[str]:
    """What is known of the variables whose names have one letter; the program has no certain mistake."""
    names, found = interpreted(HEAD + textwrap.dedent(source))
    assert not found.crashes, found.crashes
    assert not [m for m in found.diagnostics if m.is_certain], found.diagnostics
    return [show(value) for name, value in sorted(names.items()) if len(name) == 1]


def mistakes(source: str) -> list[str]:
    """The certain mistakes of a program."""
    _, found = interpreted(HEAD + textwrap.dedent(source))
    assert not found.crashes, found.crashes
    return [m.message for m in found.diagnostics if m.is_certain]


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_programs_are_known_as_on_jax(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is claimed is the same, and what comes when the program runs is as claimed."""
    program = tmp_path / path.name
    program.write_text(exchanged_text(path.read_text()))
    theirs, ours = claims(interpret(path)), interpret(program)
    assert not ours.crashes
    assert [str(m) for m in ours.diagnostics if m.is_certain] == []
    found = claims(ours)
    assert len(found) > 20
    assert {p: str(e) for p, e in found.items()} == {p: str(e) for p, e in theirs.items()}
    monkeypatch.chdir(tmp_path)
    run = run_program(program)
    assert run.exception is None, run.traceback
    audit = compare(ours.program, run.observations)
    assert [str(w) for w in audit.wrong] == []
    assert audit.statistics.fully_known > 0.9 * audit.statistics.arrays
