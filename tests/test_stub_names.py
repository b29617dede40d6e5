"""The generated stubs name nothing that is not there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from agreements import agreed, record
from kept_reports import question
from read_files import read_for
from shares import is_thorough
from warm_caches import lasting

STUBS = Path(__file__).parent.parent / "stubs"
EXPECTED_CODES = frozenset({"overload-overlap", "overload-cannot-match", "override"})
"""What mypy says of the encoding itself: overloads overlap on purpose, and `==` gives an array."""


@pytest.mark.parametrize("package", ["jax", "arraytyping"])
def test_names_are_there(package: str, tmp_path: Path) -> None:
    """Mypy finds every name that the stubs use: one that is not found would be `Any`, and match everything."""
    home = STUBS / f"{package}-stubs"
    (tmp_path / package).symlink_to(home, target_is_directory=True)
    files = [f"{package}/{f.relative_to(home).as_posix()}" for f in sorted(home.rglob("*.pyi"))]
    digest = question("mypy", read_for(tmp_path, files, []), ["names", package], Path(__file__))
    if agreed(digest) and not is_thorough():
        return
    cache = os.devnull if is_thorough() else lasting(f"names-{package}") or os.devnull
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(cache), package]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    lines = [m for m in done.stdout.splitlines() if ": error: " in m]
    assert lines, done.stdout + done.stderr
    others = [m for m in lines if (code := re.search(r"\[([\w-]+)\]$", m)) is None or code[1] not in EXPECTED_CODES]
    # `x < y` is tried before `y > x`, which says less of the shape where that of x is not known.
    others = [
        m for m in others if not re.search(r'"__([lg][te])__" of "Array" and .* unsafely overlapping  \[misc\]$', m)
    ]
    assert others == []
    record(digest)
