"""The digest of our own sources, by which mypy's cache is known to be out of date: kept, never of an earlier text."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from arraytyping_mypy import own_sources

import arraytyping


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package in the place of ours, whose files need not have been there for a while."""
    folder = tmp_path / "package"
    for name in ("semantics", "checker", "checker/flow", "runtime"):
        (folder / name).mkdir(parents=True)
        (folder / name / "a.py").write_text("x = 1\n")
    (tmp_path / "cache").mkdir()
    monkeypatch.setattr(arraytyping, "__path__", [str(folder)])
    monkeypatch.setattr(own_sources, "FRESH", -1 << 62)
    return folder


def digest(package: Path) -> str:
    """The digest at the start of another process."""
    own_sources.look_of_sources.cache_clear()
    return own_sources.own_sources.__wrapped__(str(package.parent / "cache"))


def test_what_is_kept_is_not_read_again(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing has changed the files are only looked at."""
    found = digest(package)
    monkeypatch.setattr(own_sources, "_digest", lambda: pytest.fail("the sources were read again"))
    assert digest(package) == found


def test_a_change_that_leaves_size_and_time(package: Path) -> None:
    """A text of the same length with its time set back is another one, and the first text the first again."""
    file = package / "checker" / "flow" / "a.py"
    before, times = digest(package), file.stat()
    file.write_text("x = 2\n")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert digest(package) != before
    file.write_text("x = 1\n")
    assert digest(package) == before


def test_files_that_come_and_go(package: Path) -> None:
    """A new file counts, where the plugin may import it."""
    before = digest(package)
    (package / "runtime" / "b.py").write_text("")
    assert digest(package) == before
    for folder in (package, package / "semantics"):
        (folder / "b.py").write_text("")
        assert digest(package) != before
        (folder / "b.py").unlink()
        assert digest(package) == before


def test_a_file_written_just_now(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be written once more within the tick of the clock, so nothing is kept; nor where there is no cache."""
    monkeypatch.setattr(own_sources, "FRESH", 1 << 62)
    assert digest(package) == digest(package)
    assert not list((package.parent / "cache").iterdir())
    monkeypatch.setattr(own_sources, "FRESH", -1 << 62)
    assert own_sources.own_sources.__wrapped__(os.devnull) == digest(package)
    assert [f.name for f in (package.parent / "cache").iterdir()] == ["arraytyping-sources"]
