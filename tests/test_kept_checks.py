"""Checks of programs and libraries that are not made again: what makes them again."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import agreements
import answers
import kept_checks
import numpy as np
import pytest
from kept_checks import hold
from kept_leaves import leaves_of_jax

BOUND = 3


def is_small(text: str) -> None:
    assert len(text) < BOUND


@pytest.fixture(autouse=True)
def empty(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Nothing is kept yet, and all that holds will be."""
    monkeypatch.setattr(agreements, "FILE", tmp_path / "agreements.txt")
    monkeypatch.setattr(answers, "FILE", tmp_path / "answers.txt")
    record(monkeypatch)
    yield
    agreements._recorded.cache_clear()
    answers._kept.cache_clear()


def record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(agreements.VARIABLE, "record")


def recall(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(agreements.VARIABLE, "recorded")
    agreements._recorded.cache_clear()
    answers._kept.cache_clear()


def refuse(*_: Any) -> None:
    raise AssertionError("the check was made")


def test_what_held_is_not_checked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    hold(made.append, "ab")
    recall(monkeypatch)
    hold(made.append, "ab")
    assert made == ["ab"]
    hold(made.append, "abc")
    assert made == ["ab", "abc"]


def test_what_fails_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    hold(is_small, "ab")
    kept = agreements.FILE.read_text()
    with pytest.raises(AssertionError):
        hold(is_small, "abc")
    assert agreements.FILE.read_text() == kept
    recall(monkeypatch)
    with pytest.raises(AssertionError):
        hold(is_small, "abc")


def test_a_check_is_made_again_where_what_it_reaches_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    hold(is_small, "ab")
    recall(monkeypatch)
    hold(is_small, "ab")
    monkeypatch.setitem(globals(), "BOUND", 1)
    with pytest.raises(AssertionError):
        hold(is_small, "ab")


@pytest.mark.parametrize(
    "change",
    [
        lambda patch: patch.setenv("JAX_ENABLE_X64", "1"),
        lambda patch: patch.setattr(kept_checks, "version", lambda name: "0.0"),
        lambda patch: patch.setattr(platform, "python_version_tuple", lambda: ("3", "99", "0")),
        lambda patch: patch.setattr(answers, "RELEASES", ("jax 0.0",)),
    ],
    ids=["environment", "library", "python", "jax"],
)
def test_a_check_is_another_under_other_releases(
    change: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    hold(is_small, "ab")
    change(monkeypatch)
    hold(is_small, "ab")
    assert len(set(agreements.FILE.read_text().split())) == 2


def test_a_test_of_flow_before_it_makes_no_check_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Flow has jax take the processor, in the process of the test; any other choice of jax's is another question."""
    made: list[str] = []
    monkeypatch.delenv("JAX_PLATFORMS", raising=False)
    hold(made.append, "ab")
    recall(monkeypatch)
    monkeypatch.setenv("JAX_PLATFORMS", "cpu")
    hold(made.append, "ab")
    assert made == ["ab"]
    monkeypatch.setenv("JAX_ENABLE_X64", "1")
    hold(made.append, "ab")
    assert made == ["ab", "ab"]


def test_a_program_that_names_this_project_is_always_run(monkeypatch: pytest.MonkeyPatch) -> None:
    program = "import arraytyping"
    with pytest.raises(AssertionError):
        hold(refuse, program)
    hold(print, program)
    recall(monkeypatch)
    with pytest.raises(AssertionError):
        hold(refuse, program)
    assert not agreements.FILE.exists()


def test_leaves_come_back_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaves(count: int) -> Any:
        if count < 0:
            return ValueError
        return [("float32", (2, k), False, np.ones((2, k), np.float32) * k) for k in range(count)]

    for ask in (partial(leaves, 3), partial(leaves, 0), partial(leaves, -1)):
        record(monkeypatch)
        first = leaves_of_jax(ask)
        recall(monkeypatch)
        again, now = leaves_of_jax(ask), ask()
        for found in (first, again):
            if now is ValueError:
                assert found is ValueError
                continue
            assert [leaf[:3] for leaf in found] == [leaf[:3] for leaf in now]
            assert all(np.array_equal(a[3], b[3]) for a, b in zip(found, now, strict=True))
    assert len(answers.FILE.read_text().splitlines()) == 3
