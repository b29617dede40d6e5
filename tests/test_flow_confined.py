"""What a worker may not do changes nothing of what is known: programs followed in workers and without."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from arraytyping.checker.flow.report.analysis import Analysis, analyze
from arraytyping.checker.flow.report.reporting import FlowReport, report_on
from arraytyping.checker.settings import Settings

pytest.importorskip("jax")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are confined on Linux alone")

CASES = Path(__file__).parent.parent / "typecheck_cases" / "flow"
PROGRAMS = ("flax_linen_optax.py", "equinox_optax.py")
SEEDED = """\
import random
import jax.numpy as jnp, numpy as np

rng, old, own = np.random.default_rng(0), np.random.RandomState(0), random.Random(0)
np.random.seed(3)
random.seed(3)
sizes = [int(rng.integers(2, 9)), int(old.randint(2, 9)), own.randint(2, 9)]
sizes += [np.random.randint(2, 9), random.randint(2, 9)]
for size in sizes:
    x = jnp.ones(size)
"""


def claimed(analysis: Analysis | FlowReport) -> list[Any]:
    """What is claimed, by file."""
    return [file.to_json() for file in analysis.claims.files.values()]


@pytest.mark.parametrize("name", [*PROGRAMS, "seeded"])
def test_programs(name: str, tmp_path: Path) -> None:
    program = CASES / name
    if name == "seeded":
        program = tmp_path / "seeded.py"
        program.write_text(SEEDED, encoding="utf-8")
    confined = report_on([program], uses_cache=False)
    assert confined.not_checked == []
    assert all(is_complete for _, _, is_complete in confined.entry_points)
    assert claimed(confined) != []
    assert claimed(confined) == claimed(analyze([program], Settings()))
