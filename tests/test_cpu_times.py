"""What is known of the tests' time, and the order and the quick selection that go by it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cpu_times
import pytest


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Two files of which the seconds are kept."""
    monkeypatch.setattr(cpu_times, "FILE", tmp_path / "seconds.txt")
    cpu_times.FILE.write_text("test_long.py 100.0\ntest_short.py 1.5\n")
    monkeypatch.setattr(cpu_times, "kept_seconds", cpu_times.kept_seconds.__wrapped__)


@pytest.mark.usefixtures("known")
def test_files_that_take_long_come_first_and_a_files_tests_keep_their_order() -> None:
    items: list[Any] = [
        SimpleNamespace(path=Path(f"tests/{file}"), name=name)
        for file, name in (("test_short.py", "b"), ("test_new.py", "c"), ("test_long.py", "z"), ("test_short.py", "a"))
    ]
    cpu_times.longest_first(items)
    assert [(i.path.name, i.name) for i in items] == [
        ("test_long.py", "z"), ("test_new.py", "c"), ("test_short.py", "b"), ("test_short.py", "a"),
    ]  # fmt: skip


@pytest.mark.usefixtures("known")
def test_the_quick_selection_is_of_the_files_that_take_least(monkeypatch: pytest.MonkeyPatch) -> None:
    files = ("test_long.py", "test_short.py", "test_new.py")
    assert cpu_times.quickest(files) == {"test_short.py", "test_new.py"}
    monkeypatch.setattr(cpu_times, "QUICK", 1.0)
    assert cpu_times.quickest(files) == frozenset()


def test_the_table_has_the_greatest_first_and_what_was_started() -> None:
    seconds = {"test_a.py": [1.0, 0.5], "test_b.py": [2.0, 8.0], "test_c.py": [0.25, 0.0]}
    programs = {name: Counter({"mypy": 3}) if name == "test_b.py" else Counter[str]() for name in seconds}
    lines = cpu_times.table(seconds, programs, rows=2).splitlines()
    assert [line.split() for line in lines] == [
        ["file", "all", "itself", "others", "programs", "started"],
        ["test_b.py", "10.0", "2.0", "8.0", "3", "mypy"],
        ["test_a.py", "1.5", "1.0", "0.5"],
        ["1", "more", "files", "0.2"],
        ["all", "11.8", "3.2", "8.5"],
        ["started:", "3", "mypy"],
    ]


def test_programs_are_named() -> None:
    assert cpu_times.program_of(["/usr/bin/python3", "-m", "mypy", "a.py"]) == "mypy"
    assert cpu_times.program_of(["/usr/bin/python3", "-P", "-c", "pass"]) == "-c"
    assert cpu_times.program_of("git") == "git"
