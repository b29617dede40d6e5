"""The digest of our own sources, by which mypy's cache is known to be out of date: kept, never of an earlier text."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import cast

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
    have_settled(monkeypatch, after=-1 << 62)
    return folder


def have_settled(patch: pytest.MonkeyPatch, after: int) -> None:
    """Have files tell what is in them so long after they were written."""
    for name in ("FRESH", "TICK"):
        patch.setattr(own_sources, name, after)


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
    have_settled(monkeypatch, after=1 << 62)
    assert digest(package) == digest(package)
    assert not list((package.parent / "cache").iterdir())
    have_settled(monkeypatch, after=-1 << 62)
    assert own_sources.own_sources.__wrapped__(os.devnull) == digest(package)
    assert [f.name for f in (package.parent / "cache").iterdir()] == ["arraytyping-sources"]


def test_times_that_are_kept_to_less_than_a_millisecond_tell_sooner(tmp_path: Path) -> None:
    class Found:
        def __init__(self, written: int, changed: int) -> None:
            self.st_mtime_ns, self.st_ctime_ns = written, changed

    def waits(written: int, changed: int) -> int:
        found = cast("os.stat_result", Found(written, changed))
        return own_sources.settled_at(found) - max(written, changed)

    second = 1_000_000_000
    assert waits(7 * second, 7 * second) == own_sources.FRESH
    assert waits(7 * second, 9 * second + 123_456_789) == own_sources.TICK
    assert waits(9 * second, 7 * second + 123_456_789) == own_sources.FRESH
    # the file system here keeps them to less, or it takes the longer of the two
    file = tmp_path / "a.py"
    looks: set[tuple[int, int]] = set()
    for i in range(3):
        file.write_text(f"x = {i}\n")
        found = file.stat()
        looks.add((found.st_mtime_ns, found.st_ctime_ns))
        time.sleep(max(0, own_sources.settled_at(found) - time.time_ns()) / 1e9)
    assert len(looks) == 3
