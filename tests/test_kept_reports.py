"""What is kept of checkers' reports: it is used while all that a checker reads is as it was, and not beyond."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import checkers
import kept_reports
import pytest
import read_files
from agreements import VARIABLE
from checkers import Report, Run
from read_files import read_for

PROGRAM = "import jax\nfrom arraytyping.typing import Array\nimport beside\n"


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The checkers that are really asked, as tests go on; each says something of what it was asked of before."""
    (tmp_path / "site" / "jax-stubs").mkdir(parents=True)
    stubs = tmp_path / "stubs" / "jax-stubs"
    (stubs / "numpy").mkdir(parents=True)
    for name in ("__init__.pyi", "numpy/__init__.pyi", "py.typed"):
        (stubs / name).write_text("")
    monkeypatch.setattr(read_files, "_STUBS", stubs.parent)
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "a.py").write_text(PROGRAM)
    (folder / "beside.py").write_text("x = 1\n")
    made: list[str] = []

    def said(checker: str, env: Path, folder: Path, *_: Any) -> Run:
        made.append(checker)
        reports = {"a.py": {2: Report(("int", "str")), 3: Report(errors=("import",))}}
        return Run(reports, 1.5, f"{folder}/a.py: {checkers.ROOT}/stubs: no\n")

    monkeypatch.setattr(checkers, "_asked", said)
    monkeypatch.setattr(checkers, "_site", lambda env: env / "site")
    monkeypatch.setattr(kept_reports, "FILE", tmp_path / "reports.txt")
    monkeypatch.setenv(VARIABLE, "record")
    kept_reports._kept.cache_clear()
    ask(tmp_path)
    monkeypatch.setenv(VARIABLE, "recorded")
    kept_reports._kept.cache_clear()
    made.clear()
    yield made
    kept_reports._kept.cache_clear()


def ask(tmp_path: Path, checker: str = "ty", **options: Any) -> Run:
    return checkers.run(checker, tmp_path, tmp_path / "programs", ["a.py"], **options)


def test_a_checker_is_not_asked_again(asked: list[str], tmp_path: Path) -> None:
    result = ask(tmp_path)
    assert asked == []
    assert result.reports == {"a.py": {2: Report(("int", "str")), 3: Report(errors=("import",))}}
    assert (result.seconds, result.output) == (1.5, "/a.py: /stubs: no\n")


def test_it_is_asked_where_a_program_or_what_lies_beside_it_is_another(asked: list[str], tmp_path: Path) -> None:
    for file in ("a.py", "beside.py"):
        path = tmp_path / "programs" / file
        text = path.read_text()
        path.write_text(text + "# a comment counts: it may be one for the checker\n")
        ask(tmp_path)
        path.write_text(text)
    assert asked == ["ty", "ty"]
    ask(tmp_path)
    assert asked == ["ty", "ty"]


def test_it_is_asked_where_a_stub_or_a_source_of_ours_is_another(
    asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.read_text
    for changed in ("jax-stubs/numpy/__init__.pyi", "arraytyping/typing/__init__.py", "jax-stubs/py.typed"):

        def read(path: Path, *args: Any, changed: str = changed, **options: Any) -> str:
            text = real(path, *args, **options)
            return f"{text}\n" if path.as_posix().endswith(changed) else text

        with monkeypatch.context() as patch:
            patch.setattr(Path, "read_text", read)
            ask(tmp_path)
    assert asked == ["ty"] * 3


def test_it_is_asked_where_releases_options_or_variables_are_others(
    asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(tmp_path, x64=True)
    ask(tmp_path, "zuban")
    with monkeypatch.context() as patch:
        patch.setenv("TY_OUTPUT_FORMAT", "full")
        ask(tmp_path)
    for name in ("ty", "jax", "numpy"):
        with monkeypatch.context() as patch:
            patch.setattr(kept_reports, "version", lambda n, name=name: "0" if n == name else "1")
            ask(tmp_path)
    assert asked == ["ty", "zuban", "ty", "ty", "ty", "ty"]


def test_mypy_with_the_plugin_and_live_runs_are_always_asked(
    asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(tmp_path, "mypy+plugin")
    monkeypatch.setenv(VARIABLE, "live")
    ask(tmp_path)
    assert asked == ["mypy+plugin", "ty"]


def test_what_is_read_is_found_as_a_checker_finds_it(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    for name, text in {
        "a.py": "from package import b\n",
        "package/__init__.py": "",
        "package/b.py": "def f():\n    from . import c\n    from .d import e\n",
        "package/c.py": "import jax.numpy, arraytyping.scalars\n",
        "package/d.pyi": "e: int\n",
        "package/d.py": "import package.f\n",
        "package/f.py": "",
    }.items():
        (tmp_path / name).write_text(text)
    found = set(read_for(tmp_path, ["a.py"], []))
    near = {"a.py", "package/__init__.py", "package/b.py", "package/c.py", "package/d.pyi"}
    assert {"src/arraytyping/__init__.py", "src/arraytyping/scalars.py"} < found
    assert {place for place in found if not place.startswith("src/")} == near
    with_stubs = set(read_for(tmp_path, ["a.py"], ["arraytyping-stubs"]))
    assert near < with_stubs
    assert "src/arraytyping/scalars.py" not in with_stubs
    assert {"arraytyping-stubs/scalars.pyi", "arraytyping-stubs/py.typed"} < with_stubs


def test_imports_of_the_stubs_are_found_by_their_lines() -> None:
    files = sorted((read_files.ROOT / "stubs").rglob("*.pyi"))
    assert len(files) > 100
    for file in files:
        rest = read_files._IMPORT.sub("", file.read_text(encoding="utf-8"))
        assert re.search(r"\bimport\b", rest) is None, file
