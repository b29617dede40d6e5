"""What is told of a module that mypy checks again since what it imports has changed: the same as at first."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import mypy.build
import pytest
from arraytyping_mypy import hooks
from arraytyping_mypy.read_again import tell_of_trees
from mypy.modulefinder import BuildSource
from mypy.nodes import MypyFile
from mypy.options import Options

USES = """import jax.numpy as jnp
from jaxtyping import Array, Float
from given import X

def f(x):
    return x @ jnp.ones((4, 2))

def g(x: Float[Array, "n m"]) -> Float[Array, "m n"]:
    return x

y = f(jnp.ones((2, 3)))
a, b, c = jnp.ones((2, 3))
"""


def check(folder: Path, *options: str) -> list[str]:
    """What mypy says of the two modules."""
    (folder / "mypy.ini").write_text("[mypy]\nplugins = arraytyping_mypy\n")
    (folder / "uses.py").write_text(USES)
    command = [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "--cache-dir", "cache", *options]
    done = subprocess.run([*command, "given.py", "uses.py"], cwd=folder, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return [*done.stdout.splitlines(), *done.stderr.splitlines()]


def test_a_module_is_told_of_again_when_what_it_imports_changes(tmp_path: Path) -> None:
    (tmp_path / "given.py").write_text("X = 1\n")
    first = check(tmp_path)
    assert [line.rpartition("[")[2] for line in first if ": error: " in line] == [
        "array-shape]",
        "array-annotation]",
        "array-call]",
    ]
    (tmp_path / "given.py").write_text('X = ""\n')
    assert check(tmp_path) == first
    assert check(tmp_path) == first


def test_a_comment_in_a_cycle_changes_no_interface(tmp_path: Path) -> None:
    (tmp_path / "given.py").write_text("import uses\nX = 1\n")
    first = check(tmp_path)
    (tmp_path / "given.py").write_text("import uses\nX = 1\n# a comment\n")
    said = check(tmp_path, "-v")
    assert [line for line in said if line in first] == first
    assert any("uses has same interface" in line for line in said)


def test_workers_are_told_of_what_they_read(tmp_path: Path) -> None:
    (tmp_path / "given.py").write_text("X = 1\n")
    alone = check(tmp_path)
    shutil.rmtree(tmp_path / "cache")
    workers = ("-n", "2")
    assert check(tmp_path, *workers) == alone
    (tmp_path / "given.py").write_text('X = ""\n')
    assert check(tmp_path, *workers) == alone
    assert check(tmp_path, *workers) == alone
    assert check(tmp_path) == alone


def test_there_is_nothing_to_be_told_of_where_nothing_was_in_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[bool] = []
    managers: list[mypy.build.BuildManager | None] = []

    def noted(
        modules: dict[str, MypyFile], told: Callable[[MypyFile], object], begun: mypy.build.BuildManager | None
    ) -> bool:
        managers.append(begun)
        found.append(tell_of_trees(modules, told))
        return found[-1]

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(hooks, "tell_of_trees", noted)
    (tmp_path / "mypy.ini").write_text("[mypy]\nplugins = arraytyping_mypy\n")
    (tmp_path / "uses.py").write_text("from given import X\n")

    def build(given: str) -> mypy.build.BuildManager:
        (tmp_path / "given.py").write_text(given)
        options = Options()
        options.config_file, options.plugins = "mypy.ini", ["arraytyping_mypy"]
        options.incremental, options.cache_dir = True, "cache"
        sources = [BuildSource("given.py", "given"), BuildSource("uses.py", "uses")]
        return mypy.build.build(sources, options).manager

    build("X = 1\n")
    assert found == []
    manager = build("X = ''\n")
    assert found == [True]
    assert managers == [manager]
