"""How often Python looks for garbage while mypy checks with the plugin, and that it is as mypy has it elsewhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

_AS_MYPY_HAS_IT = 200_000
_PROGRAM = """\
import gc, sys
from mypy import api
for plugin in sys.argv[2:]:
    print(api.run([f"--config-file={sys.argv[1]}/{plugin}.ini", "--cache-dir=/dev/null", "-c", "x = 1"])[0])
    print("objects", gc.get_threshold()[0])
"""


def _thresholds(folder: Path, *builds: str) -> list[int]:
    """After how many objects garbage is looked for, after each of these builds in one process."""
    (folder / "plain.ini").write_text("[mypy]\n")
    (folder / "typed.ini").write_text("[mypy]\nplugins = arraytyping_mypy\n")
    command = [sys.executable, "-c", _PROGRAM, str(folder), *builds]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert run.stdout.count("Success") == len(builds), run.stdout + run.stderr
    return [int(line.split()[1]) for line in run.stdout.splitlines() if line.startswith("objects")]


def test_garbage_is_looked_for_seldom(tmp_path: Path) -> None:
    [of_plugin] = _thresholds(tmp_path, "typed")
    assert of_plugin == 10 * _AS_MYPY_HAS_IT


@pytest.mark.parametrize("builds", [("typed", "typed"), ("plain", "plain"), ("typed", "plain")])
def test_what_an_earlier_build_has_left_is_looked_for_as_mypy_does(tmp_path: Path, builds: tuple[str, str]) -> None:
    assert _thresholds(tmp_path, *builds)[-1] == _AS_MYPY_HAS_IT


def test_the_daemon_stays_and_collects(tmp_path: Path) -> None:
    (tmp_path / "typed.ini").write_text("[mypy]\nplugins = arraytyping_mypy\n")
    (tmp_path / "program.py").write_text("x = 1\n")
    program = """\
import gc
from mypy.dmypy_server import Server, process_start_options
server = Server(process_start_options(["--config-file=typed.ini"], False), "status")
print(server.cmd_check(["program.py"], False, False, 80))
print(gc.get_threshold()[0])
"""
    run = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    said, objects = run.stdout.splitlines()
    assert "Success" in said
    assert int(objects) == _AS_MYPY_HAS_IT
