"""What the plugin remembers by arguments: what is another argument has another number."""

from __future__ import annotations

import os
from itertools import combinations
from typing import Any

import pytest
from arraytyping_mypy.memo import LIMIT, Memo
from arraytyping_mypy.names import is_bystander, is_installed

from arraytyping.semantics.avals import Alternatives, Scalar, ShapedArray

DIFFERENT: list[Any] = [
    0, 0.0, False, None, "0", (0,), [0], (0.0,), (False,), slice(0, None), slice(0.0, None), slice(None, 0),
    ShapedArray((), "int32", True, 1), ShapedArray((), "int32", True, True), ShapedArray((), "int32", True),
    ShapedArray((1,), "int32"), (ShapedArray((1,), "int32"),), Scalar("int"),
    Alternatives((Scalar("int"), Scalar("bool"))),
]  # fmt: skip


def test_what_is_equal_to_python_is_another_argument_all_the_same() -> None:
    memo = Memo(())
    for one, other in combinations(DIFFERENT, 2):
        assert memo.number(one) != memo.number(other), (one, other)


def test_a_value_that_is_kept_has_the_number_of_its_equals() -> None:
    memo = Memo(())
    before = memo.number(ShapedArray((3, 4), "float32"))
    kept = ShapedArray((3, 4), "float32")
    memo.keep(kept)
    assert memo.number(kept) == memo.number(ShapedArray((3, 4), "float32")) == before


def test_what_cannot_be_hashed_has_no_number() -> None:
    with pytest.raises(TypeError):
        Memo(()).number({})


def test_a_memo_does_not_grow_without_bound() -> None:
    memo = Memo(())
    kept = ShapedArray((3,), "float32")
    memo.keep(kept)
    for n in range(LIMIT + 1):
        memo.number(n)
    memo.trim()
    # Nothing old is left that could be another's number by now.
    assert memo.number("first") != memo.number(kept)


@pytest.mark.parametrize(
    ("path", "installed"),
    [
        ("env/lib/python3.11/site-packages/rich/text.py", True),
        ("site-packages/rich.py", True),
        ("typeshed/stdlib/os.pyi", True),
        ("rich/text.py", False),
        ("my-site-packages/rich.py", False),
        ("rich.py", False),
    ],
)
def test_a_package_without_arrays_is_one_that_is_installed(path: str, installed: bool) -> None:
    path = path.replace("/", os.sep)
    assert is_installed(path) is installed
    assert is_bystander("rich.text", path) is installed
    assert not is_bystander("flax.text", path)
