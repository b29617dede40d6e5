"""Keys that the checks of a test share: nothing is told of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.settings import Settings

_CHECKS = """
import unittest
import jax

def noise(key):
    return jax.random.normal(key, (2,))

class Checks(unittest.TestCase):
    def _compare(self, function):
        key = jax.random.key(0)
        assert function(key).shape == jax.jit(function)(key).shape

    def test_noise(self):
        self._compare(noise)

def compare(function):
    key = jax.random.key(0)
    assert function(key).shape == function(key).shape

def test_again():
    compare(noise)
"""
_PROGRAM = """
import jax
key = jax.random.key(0)
x = jax.random.normal(key)
y = jax.random.normal(key)
"""


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("test_noise.py", _CHECKS, []),
        ("noise_test.py", _CHECKS, []),
        ("noise.py", _PROGRAM, [5]),
        ("test_noise.py", _PROGRAM, [5]),  # what stands in no function serves all of the tests
        ("tests/checks.py", f"{_CHECKS}\ntest_again()\n", [18]),  # no file of tests by its name
    ],
)
def test_checks_may_share_a_key(name: str, text: str, lines: list[int], tmp_path: Path) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    found = analyze([path], Settings(), root=tmp_path).diagnostics
    assert [(d.line, d.code) for d in found] == [(line, "array-key") for line in lines]
