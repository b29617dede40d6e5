"""Functions that are followed: what is claimed inside of them, and where nothing may be.

What calls of them give is in `typecheck_cases/reveal/followed.py`, which is run.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mypy_runs import command_cache
from test_cli import Command

from arraytyping.checker.claims import ProgramClaims

PROGRAM = """\
import jax
import jax.numpy as jnp


def doubled(v):
    return v * 2


def used(v):
    return v + 1


kept = []
kept.append(used)
doubled(jnp.ones(3))
jax.vmap(doubled)(jnp.ones((3, 2), jnp.int8))
used(jnp.ones(3))
"""


@pytest.fixture
def arraytyping(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Command:
    return Command(tmp_path, command_cache(tmp_path_factory))


def inside(arraytyping: Command, line: int, **files: str) -> list[str]:
    """What is claimed of the one expression in this line of the program."""
    named = [f"{name}.py" for name in files]
    done = arraytyping(
        "coverage",
        "program.py",
        *named,
        "--json",
        "--no-flow",
        files={"program.py": PROGRAM, **{f"{name}.py": text for name, text in files.items()}},
    )
    assert done.status == 0, done.err
    found = ProgramClaims.from_json(json.loads(done.out)).files["program.py"].expressions
    return [str(claim) for e in found if e.line == line for claim in e.claims]


def test_inside_of_a_function_all_of_its_calls_are_claimed(arraytyping: Command) -> None:
    assert sorted(inside(arraytyping, 6)) == ["float32[3]", "int8[2]"]


def test_a_function_that_goes_elsewhere_may_be_given_anything(arraytyping: Command) -> None:
    assert inside(arraytyping, 10) == []


def test_a_function_that_another_module_has_may_be_given_anything(arraytyping: Command) -> None:
    assert len(inside(arraytyping, 6)) == 2
    assert inside(arraytyping, 6, other="from program import doubled\n") == []  # the program is in mypy's cache
