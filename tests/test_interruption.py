"""Ctrl-C, and SIGTERM where a time is up: what was found until then is shown and kept, and the exit code is 130."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from arraytyping.checker.cli import cli

QUICK = "import jax.numpy as jnp\nx = jnp.ones((3, 4))\ny = x + jnp.ones((3, 5))\n"
ENDLESS = """\
import jax.numpy as jnp


def f(n, x):
    return x if n == 0 else f(n - 1, x) + f(n - 1, x)


print(f(60, jnp.ones(3)))
"""


def may_be_interrupted() -> None:
    """Undo what a shell does to its background jobs, and so to their children: it makes them ignore SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("whole_group", [False, True], ids=["alone", "as a terminal does"])
def test_what_was_found_is_shown_and_kept(whole_group: bool, number: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a_quick.py").write_text(QUICK)
    (tmp_path / "b_endless.py").write_text(ENDLESS)
    process = subprocess.Popen(
        [sys.executable, "-m", "arraytyping", "check", "."],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=may_be_interrupted,
        env={k: v for k, v in os.environ.items() if k not in ("JAX_ENABLE_X64", "FORCE_COLOR", "MYPY_FORCE_COLOR")},
    )
    while not (kept := list((tmp_path / ".arraytyping_cache").glob("flow/*.json"))) and process.poll() is None:
        time.sleep(0.05)
    if whole_group:
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    out, err = process.communicate()
    assert len(kept) == 1
    assert out.startswith("a_quick.py:3:5: error: add: incompatible shapes for broadcasting: (3, 4) and (3, 5)")
    assert "Success" not in out
    assert "Traceback" not in err
    assert "arraytyping: not checked: b_endless.py: it was interrupted\n" in err
    assert err.endswith("arraytyping: interrupted: what had been found until then is shown\n")
    assert process.returncode == 130


@pytest.mark.parametrize("command", [["check", "."], ["explain", "int8", "int16"]])
def test_a_command_that_has_nothing_to_show_yet(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*args: Any, **kwargs: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(click.Command, "invoke", interrupted)
    done = CliRunner().invoke(cli, command)
    assert (done.exit_code, done.output) == (130, "arraytyping: interrupted\n")


def test_a_command_that_is_being_loaded(tmp_path: Path) -> None:
    (tmp_path / "rich_click.py").write_text("raise KeyboardInterrupt\n")
    command = [sys.executable, "-m", "arraytyping", "check"]
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "arraytyping: interrupted\n")
