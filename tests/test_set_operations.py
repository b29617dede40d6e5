"""The rules of arrays as sets, against JAX: traced where a size is given, on arrays where the values decide it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import Any

import pytest
from agreements import agreed, digest_of, record
from oracle import Call, Raised, array, describes, differences_of_whole, fingerprint, jax_says, rule_says, show

from arraytyping.semantics.avals import UNKNOWN, NumPyArray, ShapedArray

F, I = "float32", "int32"
PAIRS = ("numpy.union1d", "numpy.setdiff1d", "numpy.setxor1d", "numpy.intersect1d")
ALONE = ("numpy.unique_values", "numpy.unique_counts", "numpy.unique_inverse", "numpy.unique_all")
OPERANDS: tuple[Any, ...] = (
    array(F, 3),
    array(I, 2, 2),
    array(I),
    array(F, 0),
    array(I, 0),
    array(F, 3, weak=True),
    array(I, 2, weak=True),
    array("complex64", 2, weak=True),
    array("bfloat16", 2),
    array("bool", 3),
    array(F, 2, 0),
    2,
    2.5,
    NumPyArray((3,), "float64"),
    NumPyArray((2, 2), "int8"),
)
FEW = OPERANDS[:2] + OPERANDS[3:4] + OPERANDS[6:8] + OPERANDS[9:10] + OPERANDS[-2:]
ODD: tuple[Any, ...] = (None, "x", [1, 2])


def sized() -> Iterator[Call]:
    """Calls with a size."""
    size: Any
    fill: Any
    for name, x, y in product(PAIRS, OPERANDS, OPERANDS):
        for size, fill in ((2, None), (5, 0), (3, 1.5), (0, None), (0, 0)):
            yield Call(name, (x, y), {"size": size, "fill_value": fill})
        if name != "numpy.union1d":
            yield Call(name, (x, y, True), {"size": 3})
        if name == "numpy.intersect1d":
            yield Call(name, (x, y), {"size": 3, "return_indices": True})
            yield Call(name, (x, y, True, True), {"size": 3, "fill_value": 1})
    x = array(I, 3)
    for name, size in product(PAIRS, (-1, 1.5, "x")):
        yield Call(name, (x, x), {"size": size})
    for name, fill in product(PAIRS, (array(I), array(F), array(F, 2), array(F, 1), NumPyArray((), "float32"), 1j)):
        yield Call(name, (x, x), {"size": 2, "fill_value": fill})
    for name, odd in product(PAIRS, ODD):
        yield Call(name, (x, odd), {"size": 2})
        yield Call(name, (odd, x), {"size": 2})
    for name, x, size, fill in product(ALONE, (*OPERANDS, *ODD), (0, 2), (None, 0, 1.5)):
        yield Call(name, (x,), {"size": size, "fill_value": fill})


def of_values() -> Iterator[Call]:
    """Calls in which the values decide the size."""
    for name, x, y in product(PAIRS, FEW, FEW):
        yield Call(name, (x, y))
        if name != "numpy.union1d":
            yield Call(name, (x, y, True))
        if name == "numpy.intersect1d":
            yield Call(name, (x, y, False, True))
            yield Call(name, (x, y, True, True))
    for name, x in product(ALONE, OPERANDS):
        yield Call(name, (x,))


def calls() -> Iterator[Call]:
    """Some of them, for the other tests of rules."""
    yield from islice(sized(), 0, None, 40)
    yield from islice(of_values(), 0, None, 10)


@pytest.mark.parametrize("x64", [False, True])
def test_with_a_size(x64: bool) -> None:
    n, lines = differences_of_whole(sized(), x64=x64)
    print(f"{n} calls compared, {len(lines)} differ")
    assert lines == []
    assert n > 4000


@pytest.mark.parametrize("x64", [False, True])
def test_where_the_values_decide(x64: bool) -> None:
    """What a rule says is true of the values that there are here, and dtype and rank are known."""
    asked = [(call, rule_says(call, x64=x64)) for call in of_values()]
    wholes = [p for _, ours in asked for p in (ours if isinstance(ours, tuple) else (ours,))]
    known = sum(isinstance(p, ShapedArray) and p.dtype is not None and p.shape is not None for p in wholes)
    assert known > 0.9 * len(wholes) > 400
    digest = digest_of((f"sets by values {x64}", *(f"{call!r} {fingerprint(ours)}" for call, ours in asked)))
    if agreed(digest):
        return
    lines = []
    for call, ours in asked:
        real = jax_says(call, x64=x64, eager=True)
        if isinstance(real, Raised) or isinstance(ours, Raised):
            if real != ours:
                lines.append(f"{call} [x64={x64}]: jax says {show(real)}, the rule says {show(ours)}")
            continue
        if not describes(ours, real):
            lines.append(f"{call} [x64={x64}]: jax says {show(real)}, the rule says {show(ours)}")
    print(f"{len(asked)} calls compared, {len(lines)} differ")
    assert lines == []
    record(digest)


def test_what_is_not_known_stays_unknown() -> None:
    x, unknown = ShapedArray((None,), F, False), ShapedArray(None, None)
    for name in PAIRS:
        assert rule_says(Call(name, (x, unknown), {"size": UNKNOWN})).shape in ((None,), None)
    assert rule_says(Call("numpy.setdiff1d", (x, unknown))) == ShapedArray((None,), F, False)
    assert rule_says(Call("numpy.intersect1d", (x, x, False, UNKNOWN))) is UNKNOWN
    assert rule_says(Call("numpy.union1d", (x, x), {"size": 4, "fill_value": 0})).dtype == F
