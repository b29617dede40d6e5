"""How often Python looks for garbage while mypy checks with the plugin, and through what; as mypy has it elsewhere."""

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


def test_types_of_arrays_are_found_without_what_was_there_before_arrays(tmp_path: Path) -> None:
    (tmp_path / "typed.ini").write_text("[mypy]\nplugins = arraytyping_mypy\n")
    (tmp_path / "program.py").write_text(
        "import jax\nimport jax.numpy as jnp\nx = jax.jit(jnp.sin)(jnp.zeros(3))\ny: int = 'n'\n"
    )
    program = """\
import gc
from arraytyping_mypy.result_classes import class_in
from arraytyping_mypy.taken_back import TakenBack
from mypy import api
from mypy.build import BuildManager
from mypy.types import Instance
find = TakenBack.manager
def manager(self, modules):
    frozen = gc.get_freeze_count()
    all_of_it = len(gc.get_objects()) + frozen
    found = find(self, modules)
    gc.unfreeze()
    classes = [class_in(modules, n) for n in ("jax._src.basearray.Array", "jax._src.pjit.JitWrapped")]
    there = [one for one in gc.get_referrers(*classes) if isinstance(one, Instance)]
    there = [one for one in there if one.type in classes and one.args]
    builds = [one for one in gc.get_referrers(modules) if isinstance(one, BuildManager)]
    missing = {id(one) for one in there} - {id(one) for one in self._instances}
    print("frozen", frozen / all_of_it > 0.8, "types", len(there) > 1000, "missing", len(missing), builds == [found])
    return found
TakenBack.manager = manager
print(api.run(["--config-file=typed.ini", "--cache-dir=cache", "program.py"])[0])
"""
    run = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "frozen True types True missing 0 True" in run.stdout, run.stdout
    assert "Incompatible types in assignment" in run.stdout


def test_what_was_frozen_for_a_build_goes_with_the_next_one(tmp_path: Path) -> None:
    (tmp_path / "typed.ini").write_text("[mypy]\nplugins = arraytyping_mypy\n")
    (tmp_path / "program.py").write_text("import jax\n")
    program = """\
import gc
from mypy import api
def check(what):
    print(api.run(["--config-file=typed.ini", "--cache-dir=cache", *what])[0], gc.get_freeze_count() > 0)
check(["program.py"])
check(["-c", "x = 1"])
"""
    run = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert [line.strip() for line in run.stdout.splitlines() if line.strip() in ("True", "False")] == ["True", "False"]
