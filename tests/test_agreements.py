"""Comparisons with JAX that are not made again: what makes them again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import agreements
import answers
import jax.numpy as jnp
import kept_reports
import kept_runs
import numpy as np
import oracle
import oracle_counts
import pytest
from oracle import Call, Raised, array, differences

CALLS = [Call("numpy.add", (array("float32", 2), array(dtype, 2))) for dtype in ("float32", "int8", "int32")]


def test_an_oracle_that_lies_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where JAX is asked, an answer that differs is a line."""
    monkeypatch.setenv(agreements.VARIABLE, "live")
    monkeypatch.setattr(oracle, "jax_says", lambda *_, **__: Raised(TypeError, "nonsense"))
    count, lines = differences(CALLS)
    assert (count, len(lines)) == (3, 3)
    assert "jax says TypeError: nonsense, the rule says float32[2]" in lines[0]


def test_what_differs_is_not_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(agreements.VARIABLE, "record")
    monkeypatch.setattr(agreements, "FILE", tmp_path / "agreements.txt")
    assert differences(CALLS) == (3, [])
    kept = agreements.FILE.read_text()
    assert len(kept.split()) == 1
    monkeypatch.setattr(oracle, "jax_says", lambda *_, **__: 1)
    assert len(differences(CALLS)[1]) == 3
    assert agreements.FILE.read_text() == kept


def test_jax_is_not_asked_what_is_recorded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(agreements, "FILE", tmp_path / "agreements.txt")
    monkeypatch.setenv(agreements.VARIABLE, "record")
    differences(CALLS)
    monkeypatch.setenv(agreements.VARIABLE, "recorded")
    monkeypatch.setattr(oracle, "jax_says", lambda *_, **__: pytest.fail("JAX was asked"))
    agreements._recorded.cache_clear()
    try:
        assert differences(CALLS) == (3, [])
    finally:
        agreements._recorded.cache_clear()


def test_the_digest_is_of_the_calls_the_releases_and_the_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def one(parts: tuple[str, ...]) -> str:
        return agreements.digest_of(parts)

    def other(parts: tuple[str, ...]) -> str:
        assert parts
        return agreements.digest_of(parts)

    assert one(("a", "b")) == one(("a", "b"))
    assert one(("f(<function neg at 0x7f12>, 1)",)) == one(("f(<function neg at 0x7e34>, 1)",)) != one(("f(", ", 1)"))
    digests = [one(("a", "b")), one(("ab",)), other(("a", "b"))]
    monkeypatch.setattr(agreements, "RELEASES", ("jax 0.1",))
    agreements._harness.cache_clear()
    digests.append(one(("a", "b")))
    changed = tmp_path / "oracle.py"
    changed.write_text(Path(oracle.__file__).read_text().replace("real != ours", "False"))
    monkeypatch.setattr(agreements, "_ORACLE", changed)
    agreements._harness.cache_clear()
    digests.append(one(("a", "b")))
    agreements._harness.cache_clear()
    assert len(set(digests)) == 5


def test_comments_and_layout_change_no_digest() -> None:
    source = 'def f(x):\n    """What f does."""\n    return x + 1\n'
    assert agreements.code_of(source) == agreements.code_of("    def f(x):  # a comment\n\n        return (x + 1)\n")
    assert agreements.code_of(source) != agreements.code_of("def f(x):\n    return x + 2\n")


# Answers that are kept (answers.py)


def times(factor: float) -> Callable[[Any], Any]:
    return lambda x: x * factor


PAIR = (lambda x: x + 1, lambda x: x + 2)
LIMIT = 3


def limited(x: Any) -> Any:
    return times(2)(x) + LIMIT


class Held:
    """A class with what it holds."""

    def __init__(self, values: Any) -> None:
        self.values = values

    def doubled(self) -> Any:
        return limited(self.values)


def test_a_question_is_the_code_with_all_that_it_reaches(monkeypatch: pytest.MonkeyPatch) -> None:
    def questions() -> list[str]:
        x = np.arange(3)
        asks: list[Callable[[], Any]] = [
            partial(limited, x), partial(limited, x + 1), partial(limited, x.astype(np.float32)), partial(times(2), x),
            partial(times(3), x), *(partial(f, x) for f in PAIR), Held(x).doubled, Held(x[:2]).doubled,
        ]  # fmt: skip
        return list(map(answers.digest_of, asks))

    before = questions()
    assert len(set(before)) == len(before)
    assert questions() == before
    monkeypatch.setattr(f"{__name__}.LIMIT", 4)
    assert [a == b for a, b in zip(questions(), before)] == [False] * 3 + [True] * 4 + [False] * 2
    monkeypatch.setattr(answers, "RELEASES", ("jax 0.1",))
    assert set(questions()).isdisjoint(before)
    with pytest.raises(TypeError, match="has no text that says all of it"):
        answers.digest_of(partial(limited, np.random.default_rng(0)))


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A file of answers of one's own, that are recorded from here on."""
    monkeypatch.setattr(answers, "FILE", tmp_path / "answers.txt")
    monkeypatch.setenv(agreements.VARIABLE, "record")
    answers._kept.cache_clear()
    yield
    answers._kept.cache_clear()


@pytest.mark.usefixtures("kept")
def test_arrays_come_back_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def ask() -> Any:
        calls.append(1)
        dtypes = ("float32", "bfloat16", "int4", "bool", "complex64", "float8_e5m2")
        return {d: (jnp.arange(6).astype(d).reshape(2, 3), None) for d in dtypes} | {"weak": jax_float()}

    monkeypatch.setattr(answers, "digest_of", lambda _: "digest")
    first = answers.asked(ask)
    monkeypatch.setenv(agreements.VARIABLE, "recorded")
    answers._kept.cache_clear()
    second = answers.asked(ask)
    assert len(calls) == 1
    for name, pair in list(first.items())[:-1]:
        array, none = second[name]
        assert (none, str(array.dtype), array.shape, array.weak_type) == (None, name, (2, 3), False)
        assert np.array_equal(array, pair[0])
    assert (second["weak"].weak_type, float(second["weak"].values), second["weak"].shape) == (True, 2.5, ())


def jax_float() -> Any:
    return jnp.asarray(2.5)


@pytest.mark.usefixtures("kept")
def test_what_has_no_text_is_asked_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(0)
    monkeypatch.setenv(agreements.VARIABLE, "recorded")
    assert answers.asked(partial(random.random, 2)).values[0] != answers.asked(partial(random.random, 2)).values[0]


@pytest.mark.usefixtures("kept")
def test_a_test_that_fails_by_what_was_kept_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    truth = [2.0]
    found = []

    class Item:
        def runtest(self) -> None:
            monkeypatch.setattr(answers, "digest_of", lambda _: "digest")
            found.append(float(answers.asked(lambda: np.float32(truth[0])).values))
            assert found[-1] == 3

    def run() -> None:
        steps = answers.pytest_runtest_call(Item())  # type: ignore[arg-type]
        next(steps)
        try:
            Item().runtest()
        except AssertionError as error:
            steps.throw(error)
        else:
            steps.send(None)

    with pytest.raises(AssertionError):  # nothing is kept yet: JAX has just been asked
        run()
    monkeypatch.setenv(agreements.VARIABLE, "recorded")
    answers._kept.cache_clear()
    truth[0] = 3
    with pytest.raises(StopIteration):
        run()
    assert found == [2, 2, 3]
    truth[0] = 4
    with pytest.raises(AssertionError):
        run()
    assert found == [2, 2, 3, 2, 4]


# What a run says of it (oracle_counts.py)


def test_a_run_says_how_often_jax_was_asked() -> None:
    kept, asked = Counter({"sets of comparisons": 1234, "arrays": 5}), Counter({"sets of comparisons": 2})
    assert oracle_counts.lines(kept, asked, "recorded") == [
        "oracle: 1,234 sets of comparisons were kept and 2 asked, 5 arrays were kept and 0 asked"
    ]
    assert oracle_counts.lines(Counter(), Counter(), "recorded") == []


def test_a_run_warns_of_a_file_that_is_void_as_a_whole() -> None:
    kept, asked = Counter({"sets of comparisons": 1234}), Counter({"arrays": 400, "runs of programs": 3})
    line, warning = oracle_counts.lines(kept, asked, "recorded")
    assert "0 arrays were kept and 400 asked" in line
    assert "none of 400 arrays is in tests/data/answers.txt" in warning
    assert len(oracle_counts.lines(kept, asked, "live")) == 1


def test_each_kept_file_is_named() -> None:
    named = {Path(__file__).with_name("data") / name for name in oracle_counts.KINDS.values()}
    assert named == {agreements.FILE, answers.FILE, kept_runs.FILE, kept_reports.FILE}


def test_what_workers_count_is_added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle_counts, "_kept", Counter(arrays=1))
    monkeypatch.setattr(oracle_counts, "_asked", Counter())
    worker = SimpleNamespace(config=SimpleNamespace(workeroutput={}))
    assert oracle_counts.counted("arrays", True)
    assert not oracle_counts.counted("arrays", False)
    oracle_counts.pytest_sessionfinish(cast(pytest.Session, worker))
    oracle_counts.pytest_testnodedown(worker.config)
    oracle_counts.pytest_testnodedown(SimpleNamespace())  # which died
    assert (oracle_counts._kept["arrays"], oracle_counts._asked["arrays"]) == (4, 2)
