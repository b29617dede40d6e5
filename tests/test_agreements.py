"""Comparisons with JAX that are not made again: what makes them again."""

from __future__ import annotations

from pathlib import Path

import agreements
import oracle
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
    digests = [one(("a", "b")), one(("ab",)), other(("a", "b"))]
    monkeypatch.setattr(agreements, "_RELEASES", ("jax 0.1",))
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
