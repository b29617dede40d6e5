"""A small share of the fuzz of straight-line programs, by a fixed seed; `fuzz_jax_numpy.py` is the command for more."""

from __future__ import annotations

from collections import Counter

import jax.numpy as jnp
import pytest
from fuzz_jax_numpy import admits, differences
from mypy_runs import Mypy


def test_programs(mypy: Mypy) -> None:
    counts: Counter[str] = Counter()
    wrong = differences(5, 100, 50, mypy, counts)
    print(", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    assert wrong == []
    assert counts["types: known"] > 0.5 * counts["types: values"] > 0
    assert counts["flow: known"] > 0.5 * counts["flow: values"] > 0


@pytest.mark.parametrize(
    ("claim", "is_true"),
    [
        ("Array[float32, tuple[Literal[2]]]", True),
        ("Array[int, tuple[Literal[2]]]", False),
        ("Array[float32, tuple[Literal[3]]]", False),
        ("Array[float32, tuple[()]]", False),
        ("Array[int32 | float32, tuple[int]]", True),
        ("Array[Any, Any]", True),
        ("Array[int32, Any] | Array[float32, tuple[Literal[2]]]", True),
        ("Array[int32, Any] | bool", False),
        ("bool", False),
        ("Any", True),
        ("tuple[Array[float32, Any], Any]", False),
    ],
)
def test_admits(claim: str, is_true: bool) -> None:
    """A claim of what is no array is wrong of an array."""
    assert admits(claim, jnp.ones(2)) == is_true
