"""The whole tree is clean under ruff, mypy's strict mode and vulture, as pyproject.toml configures them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from shares import is_thorough
from warm_caches import lasting

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
    cache = tmp_path if is_thorough() else lasting("tree") or tmp_path
    options = ("--cache-dir", str(cache)) if command[0] == "mypy" else ()
    done = subprocess.run([sys.executable, "-m", *command, *options], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)} says:\n{done.stdout}{done.stderr}"
    assert done.stdout.strip(), "nothing was checked"


def test_nothing_is_left_over() -> None:
    done = subprocess.run([sys.executable, "-m", "vulture"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"vulture finds no use of:\n{done.stdout}{done.stderr}"


def test_what_is_left_over_is_found_out(tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text("def used() -> None: ...\ndef left_over() -> None: ...\nused()\n")
    done = subprocess.run([sys.executable, "-m", "vulture", str(tmp_path)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 3
    assert "left_over" in done.stdout
