"""The whole tree is clean under ruff and under mypy's strict mode, as pyproject.toml configures both."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    "command",
    [
        ("ruff", "check", "--no-cache", "--output-format", "concise"),
        ("ruff", "format", "--no-cache", "--check"),
        ("mypy", "--no-pretty"),
    ],
    ids=["ruff check", "ruff format", "mypy"],
)
def test_the_tree_is_clean(command: tuple[str, ...], tmp_path: Path) -> None:
    options = ("--cache-dir", str(tmp_path)) if command[0] == "mypy" else ()
    done = subprocess.run([sys.executable, "-m", *command, *options], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)} says:\n{done.stdout}{done.stderr}"
    assert done.stdout.strip(), "nothing was checked"
