"""Products of matrices whose rows are of groups, against JAX's: values, derivatives, batches, mistakes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import numpy as np
import pytest
from answers import compiled
from runtime_calls import unequal

import arraytyping as at

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(5, 4)).astype("float32"), RNG.normal(size=(3, 4, 2)).astype("float32")
SIZES = ([2, 0, 3], [1, 1, 1], [3, 3, 3], [0, 0, 0], [5, 0, 0], [-1, 3, 2], [100, 100, 100])
"""Groups of all rows, of fewer and of more, and sizes whose sum is beyond that of int8."""
DTYPES = ("bool", "int8", "uint8", "int32", "bfloat16", "float16", "float32", "complex64")


def values(dtype: str, of_sizes: str, framework: Any) -> list[Any]:
    x, y = [np.round(2 * a).astype(dtype) for a in (X, Y)]
    sizes = [np.array(s).astype(of_sizes) for s in SIZES]
    return [framework.lax.ragged_dot(x, y, framework.numpy.asarray(s)) for s in sizes]


@pytest.mark.parametrize("of_sizes", ["int8", "uint8", "int32", "uint32"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_values(dtype: str, of_sizes: str) -> None:
    theirs = compiled(partial(values, dtype, of_sizes, jax))
    for ours in (values(dtype, of_sizes, at), at.jit(partial(values, dtype, of_sizes, at))()):
        assert [unequal(a, b) for a, b in zip(theirs, ours, strict=True)] == [None] * len(SIZES)


S = np.array([2, 0, 3], "int32")


def squares(framework: Any, x: Any, y: Any) -> Any:
    return (framework.lax.ragged_dot(x, y, framework.numpy.asarray(S)) ** 2).sum()


TRANSFORMED: dict[str, Callable[[Any], Any]] = {
    "grad": lambda fw: fw.grad(partial(squares, fw), (0, 1))(X, Y),
    "jvp": lambda fw: fw.jvp(partial(squares, fw), (X, Y), (X + 1, 2 * Y)),
    "vmap": lambda fw: [fw.vmap(fw.lax.ragged_dot)(np.stack([X, -X]), np.stack([Y, Y + 1]), np.stack([S, S[::-1]]))],
    "preferred": lambda fw: [
        fw.lax.ragged_dot(fw.numpy.asarray(X, "bfloat16"), fw.numpy.asarray(Y, "bfloat16"), S, "highest", "float32")
    ],
}


@pytest.mark.parametrize("name", TRANSFORMED)
def test_transformed(name: str) -> None:
    ours, theirs = at.tree.leaves(TRANSFORMED[name](at)), compiled(partial(TRANSFORMED[name], jax))
    assert [unequal(a, b) for a, b in zip(jax.tree.leaves(theirs), ours, strict=True)] == [None] * len(ours)


@pytest.mark.parametrize("mapped", [(0, None, None), (None, 0, None), (None, None, 0), (None, 0, 0)])
def test_mapped_over_some_operands(mapped: tuple[int | None, ...]) -> None:
    """JAX maps over all three operands alone."""
    theirs: Any = jax.lax.ragged_dot
    pairs = [np.stack([a, a[::-1]]) for a in (X, Y, S)]
    given = [pair if axis == 0 else pair[0] for pair, axis in zip(pairs, mapped)]
    with pytest.raises(NotImplementedError):
        jax.vmap(theirs, mapped)(*given)
    ours = np.asarray(at.vmap(at.lax.ragged_dot, mapped)(*given))
    for i, row in enumerate(ours):
        x, y, sizes = [a[i] if axis == 0 else a for a, axis in zip(given, mapped)]
        assert unequal(theirs(x, y, sizes), row) is None


WRONG: tuple[Callable[[Any], Any], ...] = (
    lambda fw: fw.lax.ragged_dot(X, Y, S[:2]), lambda fw: fw.lax.ragged_dot(X[:, :3], Y, S),
    lambda fw: fw.lax.ragged_dot(X, Y, X[0, :3]), lambda fw: fw.lax.ragged_dot(X, Y, S[None]),
    lambda fw: fw.lax.ragged_dot(X, Y[0], S), lambda fw: fw.lax.ragged_dot(X, Y, S, group_offset=1),
    lambda fw: fw.lax.ragged_dot(X, Y, S, "precise"),
)  # fmt: skip


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_mistakes(number: int) -> None:
    with pytest.raises((TypeError, ValueError, NotImplementedError)) as expected:
        WRONG[number](jax)
    with pytest.raises(expected.type):
        WRONG[number](at)
