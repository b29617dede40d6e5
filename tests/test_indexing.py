"""Indexing and functional updates, against JAX."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from oracle import Call, Raised, array, describes, differences, elements, jax_says, rule_says, show

from arraytyping.semantics.avals import NumPyArray, ShapedArray

F = "float32"
SHAPES: tuple[tuple[int, ...], ...] = ((), (4,), (0,), (2, 3), (3, 0), (2, 3, 4), (2, 1, 3, 2))


def i(*shape: int) -> ShapedArray:
    """An index array."""
    return array("int32", *shape)


ENTRIES: tuple[Any, ...] = (
    0, -1, 7, None, ..., slice(None), slice(1, None), slice(None, None, -1), slice(None, None, 2), slice(2, 0, -1),
    slice(-2, 100), True, False, i(), i(2), i(2, 1), i(0), [0, 1], (0,),
)  # fmt: skip
"""What may stand in a key."""

REFUSED: tuple[Any, ...] = (
    1.0, 1j, "a", {}, array(F), array(F, 2), [1.0, 2], slice(None, None, 0), slice(1.0, None), slice("a", None),
    NumPyArray((), F), NumPyArray((2,), "float64"), ([0, 1], [2]),
)  # fmt: skip


def keys() -> Iterator[Any]:
    """Keys of one entry, all of two, and some of three and four."""
    yield from ENTRIES
    yield ()
    yield from product(ENTRIES, repeat=2)
    some = (0, None, ..., slice(1, None), i(2), True)
    yield from product(some, repeat=3)
    yield from product(
        (0, ..., slice(None, None, -2), i(2), i(3, 1), i()),
        (None, slice(0, 1)),
        (i(), i(2), 0),
        (i(1), ..., slice(None)),
    )
    yield [0, 1]
    yield [slice(None)]
    yield from REFUSED
    yield from ((slice(None), e) for e in REFUSED)
    yield from (
        NumPyArray((), "int64"),
        (NumPyArray((2,), "uint8"), 0),
        [[True, False], 0],
        ([], 0),
        ([[0, 1], [1, 0]], i(2)),
    )


def indexed() -> Iterator[Call]:
    for key in keys():
        for shape in ((2, 3, 4), (2, 3), (4,), (3, 0)) if isinstance(key, tuple) else SHAPES:
            yield Call("Array.__getitem__", (array(F, *shape), key))


def test_keys() -> None:
    n, lines = differences(indexed())
    print(f"{n} calls compared, {len(lines)} differ")
    assert lines == []
    assert n > 2500


UPDATES = ("set", "add", "subtract", "multiply", "mul", "divide", "power", "min", "max")


def by_dtype(x64: bool) -> Iterator[Call]:
    for dtype, weak in elements(x64):
        x = ShapedArray((3, 2), dtype, weak)
        for key in (0, slice(1, None), i(2), None, (..., 0), (slice(None), i()), True):
            yield Call("Array.__getitem__", (x, key))
        yield Call("Array.at.get", (x, i(2)))
        yield Call("Array.__getitem__", (array(F, 3, 2), ShapedArray((2,), dtype, weak) if dtype != "bool" else 0))
        for method in UPDATES:
            yield Call(f"Array.at.{method}", (x, 0, ShapedArray((), dtype, weak)))
            for value in (1, 300, -1, 2.5, 1j, True):
                yield Call(f"Array.at.{method}", (x, 0, value))


@pytest.mark.parametrize("x64", [False, True])
def test_every_dtype(x64: bool) -> None:
    n, lines = differences(by_dtype(x64), x64=x64)
    print(f"{n} calls compared, {len(lines)} differ")
    assert lines == []
    assert n > 2000


@pytest.mark.parametrize(
    ("method", "x64", "mode"),
    [
        ("set", False, "standard"),
        ("set", True, "standard"),
        ("set", False, "strict"),
        ("add", True, "standard"),
        ("divide", True, "standard"),
        ("power", False, "standard"),
    ],
)
def test_every_pair_of_dtypes(method: str, x64: bool, mode: Any) -> None:
    every = elements(x64)
    pairs = (
        Call(f"Array.at.{method}", (ShapedArray((2,), *a), slice(None), ShapedArray((), *b)))
        for a, b in product(every, every)
    )
    n, lines = differences(pairs, x64=x64, mode=mode)
    print(f"at[].{method}: {n} calls compared, {len(lines)} differ")
    assert lines == []
    assert n == len(every) ** 2 > 900


def updated() -> Iterator[Call]:
    values = (
        1,
        array("int8"),
        array(F, 1),
        array(F, 3),
        array(F, 4),
        array(F, 2, 1),
        array(F, 2, 3),
        array(F, 1, 1, 1, 1),
    )
    somekeys = (
        0,
        slice(1, None),
        ...,
        (),
        None,
        i(2),
        (i(2), i(2)),
        (0, i(2)),
        (None, i(2)),
        (True, 0),
        False,
        7,
        (0, 0, 0, 0, 0),
        "a",
        [0],
        slice(0, 0),
    )
    for shape, key, value in product(SHAPES, somekeys, values):
        yield Call("Array.at.set", (array(F, *shape), key, value))
    for shape, key in product(SHAPES, somekeys):
        yield Call("Array.at.get", (array(F, *shape), key))
        for method in ("add", "divide", "power", "max"):
            yield Call(f"Array.at.{method}", (array("int8", *shape), key, array(F, 3)))
        for mode in ("fill", "drop", "clip", "promise_in_bounds", "foo"):
            yield Call("Array.at.set", (array(F, *shape), key, 1), {"mode": mode})
            if mode != "foo" or key not in (..., (), None, slice(1, None)):
                yield Call("Array.at.get", (array(F, *shape), key), {"mode": mode})
        if 0 not in shape or key not in (0, 7):  # else it is the index that JAX refuses, or the dtype
            yield Call("Array.at.set", (array(F, *shape), key, array("float8_e5m2")))
    for value in (None, "a", [1.0, 2.0, 3.0], 2**40):
        yield Call("Array.at.set", (array(F, 2, 3), 0, value))


def test_updates() -> None:
    n, lines = differences(updated())
    print(f"{n} calls compared, {len(lines)} differ")
    assert lines == []
    assert n > 1500


def masked() -> Iterator[Call]:
    """Masks: how many elements they select is known at run time alone."""

    def mask(*shape: int) -> NumPyArray:
        return NumPyArray(shape, "bool")

    for shape in SHAPES:
        for key in (
            mask(4), mask(2), mask(0), mask(2, 3), mask(3, 0), mask(2, 3, 4), (mask(2), 0), (0, mask(3)),
            (mask(2), i(1)), (mask(2), mask(3)), (..., mask(4)), (None, mask(2)), (slice(None), mask(3)),
            (mask(2), slice(None), i(2, 1)),
            mask(5),
        ):  # fmt: skip
            yield Call("Array.__getitem__", (array(F, *shape), key))
            yield Call("Array.at.set", (array(F, *shape), key, 1))
            yield Call("Array.at.add", (array(F, *shape), key, array(F, 2, 2, 2, 2, 2)))


def test_masks() -> None:
    n, exact = 0, 0
    for call in masked():
        real, ours = jax_says(call), rule_says(call)
        n += 1
        exact += real == ours
        if isinstance(real, Raised) and not isinstance(ours, Raised):
            assert "broadcast" in real.message, f"{call}: jax says {real}, the rule says {show(ours)}"
        else:
            assert describes(ours, real), f"{call}: jax says {show(real)}, the rule says {show(ours)}"
    print(f"{n} calls compared, {n - exact} not known exactly")
    assert n > exact > 150


def calls() -> Iterator[Call]:
    """Representative calls of the family."""
    yield from list(indexed())[::12]
    yield from list(updated())[::20]
    yield from list(by_dtype(False))[::37]
    yield from list(masked())[::3]
