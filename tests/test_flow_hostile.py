"""Hostile and damaged programs: what follows them ends, within its bounds, and says so where it was stopped."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import fuzz_mutants
import pytest
from hostile_programs import HOSTILE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are limited on Linux alone")

SECONDS = 1.0
GIGABYTES = 1.0

_FOLLOW = f"""\
import json, resource, sys
from pathlib import Path
from arraytyping.checker.flow.report import workers
from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.flow.state.limits import Limits
from arraytyping.checker.settings import Settings

workers._IDLE = 2.0
limits = Limits()
limits.seconds = {SECONDS}
found = analyze(sorted(Path().glob("*.py")), Settings(memory={GIGABYTES}), limits=limits, confined=True)
print(json.dumps({{
    "crashes": found.crashes,
    "stopped": [r.stopped for r in found.entry_points],
    "seconds": [r.seconds for r in found.entry_points if not r.stopped],
    "memory": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024,
    "diagnostics": [[m.path, m.message] for m in found.diagnostics],
}}))
"""


def test_hostile_programs_end_within_their_bounds(tmp_path: Path) -> None:
    for number, text in enumerate(HOSTILE.values()):
        (tmp_path / f"hostile_{number:02}.py").write_text(text)
    (tmp_path / "good.py").write_text("import jax.numpy as jnp\nx = jnp.ones((3, 4)) @ jnp.ones(3)\n")
    before = sorted(tmp_path.iterdir())
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", _FOLLOW],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "JAX_PLATFORMS": "cpu"},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["crashes"] == {}
    whys = {why for why in found["stopped"] if why}
    assert not [why for why in whys if "internal error" in why]
    # The interpreter looks at the time between two statements, and the system at that of the process.
    assert max(found["seconds"]) <= (SECONDS + 2) * 1.25
    assert found["memory"] <= GIGABYTES * 1e9 * 1.25
    assert after.ru_utime - used.ru_utime <= (len(HOSTILE) + 1) * 2 * (SECONDS + 2) * 1.25
    assert any(path == "good.py" for path, _ in found["diagnostics"])
    assert sorted(tmp_path.iterdir()) == before


def test_damaged_programs_give_no_internal_error(tmp_path: Path) -> None:
    assert fuzz_mutants.wrong(seed=2, count=25, keep=tmp_path / "kept") == []


@pytest.mark.usefixtures("warm_mypy")
def test_modules_of_the_program_are_not_taken_for_those_of_python(tmp_path: Path) -> None:
    """`python -m arraytyping` is started where the program lies, of which a file may have the name of any module."""
    for name in ("nt", "ntpath", "tomllib", "pathlib", "mypy", "rich_click"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'executed')!r}, 'a').write({name!r})\n")
    (tmp_path / "train.py").write_text("import jax.numpy as jnp\nx = jnp.ones((2, 3)) @ jnp.ones((2, 3))\n")
    command = [sys.executable, "-m", "arraytyping", "check", "train.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "contracted dimensions differ" in done.stdout, done.stdout + done.stderr
    assert not (tmp_path / "executed").exists(), (tmp_path / "executed").read_text()
