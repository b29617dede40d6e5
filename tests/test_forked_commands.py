"""A command that is forked does what one that is started does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import forked_commands
import pytest

MISTAKE = "import jax.numpy as jnp\n\nx = jnp.ones((3, 4))\nx @ x\n"
CHECK = ("-m", "arraytyping", "check", "--no-types")


def started(*command: str, cwd: Path, input: str = "") -> tuple[int, str, str]:
    done = subprocess.run([sys.executable, *command], cwd=cwd, input=input, capture_output=True, encoding="utf-8")
    return done.returncode, done.stdout, done.stderr


def forked(*command: str, cwd: Path, input: str = "") -> tuple[int, str, str]:
    done = forked_commands.run(*command, cwd=cwd, input=input)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    "command",
    [
        (*CHECK, "train.py"),
        (*CHECK, "missing.py"),
        (*CHECK, "-", "--stdin-filename", "other.py"),
        ("-P", *CHECK, "."),
        ("-m", "mypy", "plain.py"),
        ("-m", "mypy", "--no-such-option"),
        ("-m", "site", "--user-base"),
        ("-m", "raises"),
    ],
    ids=" ".join,
)
def test_it_prints_and_ends_alike(command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(MISTAKE)
    (tmp_path / "plain.py").write_text("x: int = 'a'\n")
    (tmp_path / "raises.py").write_text("import sys\n\nsys.exit(f'{sys.argv[1:]} {sys.path[0]}')\n")
    monkeypatch.setenv("MYPY_CACHE_DIR", os.devnull)
    given = MISTAKE.replace("(3, 4)", "(5, 4)")
    assert forked(*command, cwd=tmp_path, input=given) == started(*command, cwd=tmp_path, input=given)


def test_what_imports_read_is_as_it_would_be(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(MISTAKE)
    done = forked_commands.run(*CHECK, "train.py", cwd=tmp_path, env={**os.environ, "JAX_ENABLE_X64": "1"})
    assert "x64: on (environment variable JAX_ENABLE_X64=1)" in done.stdout
    off = forked_commands.run(*CHECK, "train.py", cwd=tmp_path)
    assert "x64: off (JAX's default: nothing switches it on)" in off.stdout


def test_what_it_takes_is_counted(tmp_path: Path) -> None:
    before = forked_commands.seconds()
    (tmp_path / "busy.py").write_text("import time\n\nwhile time.process_time() < 0.3:\n    pass\n")
    forked("-m", "busy", cwd=tmp_path)
    assert forked_commands.seconds() - before > 0.05
