"""Patterns of einops against einops itself, on arrays of all shapes, and with sizes that are not known."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator

import einops
import numpy as np
import pytest

from arraytyping.checker.flow.engines.jax import Refused
from arraytyping.checker.flow.engines.refusals import code_of
from arraytyping.semantics.avals import Dim, Shape
from arraytyping.semantics.rules.errors import RuleError
from arraytyping.semantics.rules.shapes.einops import Arranged, arranged
from arraytyping.semantics.sizes.dims import SymbolicDim

NAMES = "abcd"


def side(axes: list[str], rng: random.Random) -> str:
    """Axes in groups, here and there with one of size 1."""
    parts: list[str] = []
    while axes:
        count = rng.choice((1, 1, 1, 2, 3))
        group, axes = axes[:count], axes[count:]
        parts.append(f"({' '.join(group)})" if count > 1 or rng.random() < 0.1 else group[0])
        if rng.random() < 0.1:
            parts.append(rng.choice(("1", "()")))
    return " ".join(parts)


def patterns(seed: int) -> Iterator[tuple[str, str, tuple[int, ...], dict[str, int]]]:
    """Operations with a pattern, a shape and sizes, most of which fit."""
    rng = random.Random(seed)
    for _ in range(1500):
        operation = rng.choice(("rearrange", "repeat", "reduce"))
        left = rng.sample(NAMES, rng.randint(0, 4))
        if rng.random() < 0.3:
            left.insert(rng.randint(0, len(left)), "...")
        right = rng.sample(left, len(left))
        if operation == "reduce" or rng.random() < 0.05:
            right = right[: rng.randint(0, len(right))]
        if operation == "repeat" or rng.random() < 0.05:
            right.insert(rng.randint(0, len(right)), rng.choice(("e", "2", "e")))
        given = {n: rng.choice((1, 2, 2, 3)) for n in (*left, "e") if n != "..." and rng.random() < 0.5}
        groups = side(left, rng)
        sizes: list[int] = []
        for part in re.findall(r"\([^)]*\)|\S+", groups):
            if part == "...":
                sizes += rng.choices((1, 2, 3), k=rng.randint(0, 2))
            else:
                axes = part.strip("()").split()
                open_axes = [n for n in axes if n not in given and n != "1"]
                sizes.append(math.prod(given.get(n, 1) for n in axes) * (rng.choice((0, 1, 2, 5)) if open_axes else 1))
        if rng.random() < 0.2:
            sizes = rng.choices((0, 1, 2, 3, 4, 6), k=rng.randint(0, 4))
        yield operation, f"{groups} -> {side(right, rng)}", tuple(sizes), given


def shown(operation: str, pattern: str, shape: tuple[int, ...], given: dict[str, int]) -> Shape | str:
    """What einops gives, or the last line of its error."""
    sizes: dict[str, int] = given
    function = getattr(einops, operation)
    try:
        made = function(np.zeros(shape), pattern, *(("sum",) if operation == "reduce" else ()), **sizes)
    except einops.EinopsError as error:
        return str(error).splitlines()[-1].strip()
    return tuple(made.shape)


def said(operation: str, pattern: str, shape: Shape | None, given: dict[str, Dim]) -> Arranged | str:
    """What the rule says, or its message."""
    try:
        return arranged(operation, pattern, shape, given)
    except RuleError as error:
        return error.message


def describes(known: Shape | None, true: Shape) -> bool:
    """Whether a shape is of an array of that one."""
    return known is None or (len(known) == len(true) and all(a in (None, b) for a, b in zip(known, true)))


@pytest.mark.parametrize("seed", range(4))
def test_patterns_give_what_einops_gives(seed: int) -> None:
    fitting = 0
    for operation, pattern, shape, given in patterns(seed):
        expected = shown(operation, pattern, shape, given)
        found = said(operation, pattern, shape, dict(given))
        if isinstance(expected, str):
            assert isinstance(found, str), (operation, pattern, shape, given, expected)
            sentence = (
                expected.replace(pattern, "")
                .replace(pattern.strip(), "")
                .partition("{")[0]
                .rstrip(" .:")
                .replace("reduce sum", "reduce")
            )
            assert sentence in found
        else:
            fitting += 1
            assert isinstance(found, Arranged), (operation, pattern, shape, given, found)
            assert found.result == expected, (operation, pattern, shape, given)
    assert fitting > 250


@pytest.mark.parametrize("seed", range(4))
def test_what_is_not_known_makes_nothing_wrong(seed: int) -> None:
    rng = random.Random(seed)
    for operation, pattern, shape, given in patterns(seed):
        expected = shown(operation, pattern, shape, given)
        if isinstance(expected, str):
            continue
        hidden = None if rng.random() < 0.3 else tuple(None if rng.random() < 0.5 else d for d in shape)
        sizes: dict[str, Dim] = {n: None if rng.random() < 0.5 else s for n, s in given.items()}
        found = said(operation, pattern, hidden, sizes)
        assert isinstance(found, Arranged), (operation, pattern, hidden, sizes, found)
        assert describes(found.result, expected), (operation, pattern, hidden, sizes)
        exact = arranged(operation, pattern, shape, dict(given))
        assert found.is_reduced in (None, exact.is_reduced)
        assert found.elementary is None or describes(found.elementary, exact.elementary or ())


def test_sizes_that_have_names_are_divided() -> None:
    n = SymbolicDim("n")
    found = arranged("rearrange", "b (h d) -> (b d) h", (n, 12), {"h": 4})
    assert str(found.result) == str((arranged("rearrange", "b d -> (b d)", (n, 3), {}).result or ())[:1] + (4,))


def test_flow_says_by_the_same_code_what_einops_refuses() -> None:
    with pytest.raises(einops.EinopsError) as caught:
        einops.rearrange(np.zeros((2, 3)), "a (b c) -> a b c", b=2)
    assert code_of(Refused(caught.value, is_concreteness=False)) == "array-shape"
