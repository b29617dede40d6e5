"""Whether programs enable x64 is kept in mypy's cache, and found out anew when a file or a folder has changed."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from arraytyping_mypy.kept_code import KeptCode
from arraytyping_mypy.kept_x64 import kept_decision
from arraytyping_mypy.project_look import ProjectLook
from warm_caches import usual_copy

from arraytyping.checker.flow.sources import x64_programs
from arraytyping.checker.flow.sources.live_code import FileCode, read_code
from arraytyping.checker.flow.sources.x64_programs import decide_x64
from arraytyping.checker.flow.sources.x64_switches import ProgramsX64

FILES = {
    "pyproject.toml": "",
    "pkg/__init__.py": "",
    "pkg/wide.py": "import jax\njax.config.update('jax_enable_x64', True)\n",
    "pkg/inner/deep.py": "x = 1\n",
    "run.py": "import pkg.wide\nif __name__ == '__main__':\n    print(1)\n",
    "other.py": "import jax\nif __name__ == '__main__':\n    print(2)\n",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "project"
    for name, text in FILES.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
        os.utime(place / name, (1e9, 1e9))
    (tmp_path / "cache").mkdir()
    monkeypatch.chdir(place)
    monkeypatch.setattr(ProjectLook, "is_settled", True)  # when a file was changed cannot be set
    return place


def decided(project: Path) -> tuple[ProgramsX64, bool]:
    """The decision, and whether it had to be found out."""
    asked = []

    def decide() -> ProgramsX64:
        asked.append(1)
        return decide_x64([project])

    return kept_decision(str(project.parent / "cache"), ProjectLook([project], None, ()), decide), bool(asked)


def test_it_is_kept(project: Path) -> None:
    (first, is_new), (second, is_new_again) = decided(project), decided(project)
    assert is_new
    assert not is_new_again
    assert str(first) == str(second)
    assert first.everywhere == second.everywhere
    assert first.by_file == second.by_file
    assert first.by_program == second.by_program
    assert first.fingerprint == second.fingerprint
    assert {str(f): second.of(str(f)) for f in project.rglob("*.py")} == {
        str(f): first.of(str(f)) for f in project.rglob("*.py")
    }


CHANGES: dict[str, Callable[[Path], object]] = {
    "an edit": lambda p: (p / "pkg/inner/deep.py").write_text("import pkg.wide\n"),
    "an edit of as many characters": lambda p: (p / "pkg/inner/deep.py").write_text("x = 2\n"),
    "a new file": lambda p: (p / "pkg/inner/new.py").write_text(""),
    "a new folder": lambda p: (p / "pkg" / "data").mkdir(),
    "a file that goes": lambda p: (p / "pkg/inner/deep.py").unlink(),
    "a file that has another name": lambda p: (p / "other.py").rename(p / "another.py"),
    "a configuration": lambda p: (p / "pyproject.toml").write_text("[tool.pytest.ini_options]\npythonpath = 'pkg'\n"),
    "a sign of a project within": lambda p: (p / "pkg" / "setup.cfg").write_text(""),
    "a configuration that goes": lambda p: (p / "pyproject.toml").unlink(),
    "a cache that is no JSON": lambda p: (p.parent / "cache/arraytyping-x64").write_text("{"),
    "a cache of another release": lambda p: (p.parent / "cache/arraytyping-x64").write_text('{"look": 3}'),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_changes_is_decided_anew(project: Path, change: str) -> None:
    decided(project)
    CHANGES[change](project)
    found, is_new = decided(project)
    assert is_new
    assert str(found) == str(decide_x64([project]))


def test_what_lies_elsewhere_is_not_kept(project: Path) -> None:
    shutil.copytree(project / "pkg", project.parent / "elsewhere")
    (project / "linked").symlink_to(project.parent / "elsewhere", target_is_directory=True)
    assert ProjectLook([project], None, ()).digest == ""
    assert [decided(project)[1] for _ in range(2)] == [True, True]


def test_what_was_just_written_is_not_kept(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.chdir(project)
    (project / "run.py").write_text("import pkg.wide\n")
    assert not ProjectLook([project], None, ()).is_settled


def test_mypy_has_the_decision_that_is_right_now(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    (project.parent / "cache").rmdir()
    usual_copy(project.parent / "cache")
    (project / "pyproject.toml").write_text('[tool.mypy]\nplugins = ["arraytyping_mypy"]\n')
    (project / "run.py").write_text("import pkg.wide\nimport jax.numpy as jnp\nreveal_type(jnp.ones(3, float))\n")
    (project / "other.py").unlink()

    def revealed() -> str:
        command = [sys.executable, "-m", "mypy", "run.py", "pkg", "--cache-dir", str(project.parent / "cache")]
        done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
        return next(line for line in done.stdout.splitlines() if "Revealed" in line)

    assert "float64" in revealed()
    (project / "pkg/wide.py").write_text("import jax\njax.config.update('jax_enable_x64', False)\n")
    assert "float32" in revealed()


TESTED = {
    "pkg/__init__.py": "",
    "pkg/a/__init__.py": "from .inner import f\n",
    "pkg/a/inner.py": "def f(): return 1\n",
    "pkg/b/__init__.py": "from .inner import f\n",
    "pkg/b/inner.py": "import jax\ndef f(): return jax.numpy.ones(3)\n",
    "tests/test_it.py": (
        "import jax\njax.config.update('jax_enable_x64', True)\nfrom pkg import a, b\ndef test_it(): b.f()\n"
    ),
}


def test_files_are_taken_apart_again_where_they_have_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[ast.Module] = []

    def counted(tree: ast.Module) -> FileCode:
        taken.append(tree)
        return read_code(tree)

    monkeypatch.setattr(x64_programs, "read_code", counted)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "cache").mkdir()
    for name, text in TESTED.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    def decide() -> tuple[ProgramsX64, int]:
        taken.clear()
        known = KeptCode(str(tmp_path / "cache"))
        found = decide_x64([tmp_path / "pkg"], root=tmp_path, known=known)
        known.save()
        count = len(taken)
        plain = decide_x64([tmp_path / "pkg"], root=tmp_path)
        assert (found.by_file, found.by_program) == (plain.by_file, plain.by_program)
        return found, count

    (first, count), (_, count_again) = decide(), decide()
    assert first.of(str(tmp_path / "pkg/b/inner.py")).value is None
    assert (count, count_again) == (5, 0), "two of the files have the same content"
    (tmp_path / "pkg/a/inner.py").write_text("def f(): return 2\n")
    assert decide()[1] == 1
    (tmp_path / "cache/arraytyping-code").write_text("{")
    assert decide()[1] == 5
