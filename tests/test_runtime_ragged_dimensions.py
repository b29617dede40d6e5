"""`ragged_dot_general` against jax: each kind of ragged dimension, derivatives, refusals."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from answers import asked

import arraytyping
import arraytyping.numpy as anp

RNG = np.random.default_rng(0)
Case = tuple[tuple[int, ...], tuple[int, ...], Any, Any, list[int], list[int]]
CASES: dict[str, Case] = {
    "kept": ((5, 3), (2, 3, 4), [2, 3], (((1,), (1,)), ((), ())), [0], [0]),
    "kept, groups behind": ((5, 3), (3, 2, 4), [2, 2], (((1,), (0,)), ((), ())), [0], [1]),
    "contracted": ((5, 3), (5, 4), [2, 3], (((0,), (0,)), ((), ())), [0], []),
    "kept in a batch": ((2, 5, 3), (2, 2, 3, 4), [2, 3], (((2,), (2,)), ((0,), (0,))), [1], [1]),
    "kept, sizes of a batch": ((2, 5, 3), (2, 2, 3, 4), [[2, 3], [1, 4]], (((2,), (2,)), ((0,), (0,))), [1], [1]),
    "contracted in a batch": ((2, 5, 3), (2, 5, 4), [[2, 3], [1, 4]], (((1,), (1,)), ((0,), (0,))), [1], []),
    "batch": ((2, 5, 3), (2, 5, 4), [1, 1], (((1,), (1,)), ((0,), (0,))), [0], []),
    "kept behind others": (
        (4, 2, 5, 3), (2, 3, 6), RNG.integers(0, 3, (4, 2, 2)), (((3,), (1,)), ((), ())), [2], [0]
    ),
    "several contracted": (
        (2, 5, 4, 3), (5, 2, 3, 6), RNG.integers(0, 3, (2, 2)), (((1, 3), (0, 2)), ((0,), (1,))), [1], []
    ),
    "a batch in the middle": (
        (3, 2, 4, 5), (3, 2, 6), RNG.integers(0, 3, (2, 3, 4, 3)), (((), ()), ((1,), (1,))), [3], [0]
    ),
    "two ragged": ((5, 3), (2, 3, 4), [2, 3], (((1,), (1,)), ((), ())), [0, 1], [0]),
    "out of range": ((5, 3), (2, 3, 4), [2, 3], (((1,), (1,)), ((), ())), [7], [0]),
    "no group": ((5, 3), (2, 3, 4), [2, 3], (((1,), (1,)), ((), ())), [0], []),
    "group contracted": ((5, 3), (2, 3, 4), [2, 3], (((1,), (1,)), ((), ())), [0], [1]),
    "other groups": ((5, 3), (2, 3, 4), [2, 3, 4], (((1,), (1,)), ((), ())), [0], [0]),
    "a group too many": ((5, 3), (5, 4), [2, 3], (((0,), (0,)), ((), ())), [0], [0]),
    "sizes of another shape": ((2, 5, 3), (2, 2, 3, 4), [[2, 3]], (((2,), (2,)), ((0,), (0,))), [1], [1]),
}  # fmt: skip
REFUSED = {*list(CASES)[10:]}


def computed(framework: Any, numpy: Any, case: Case, dtype: str, sizes_dtype: str = "int32", **options: Any) -> Any:
    left, right, sizes, numbers, ragged, groups = case
    lax, rng = framework.lax, np.random.default_rng(1)
    x, y = (numpy.asarray(rng.normal(size=s) * 3).astype(dtype) for s in (left, right))
    given = lax.RaggedDotDimensionNumbers(numbers, ragged, groups)
    return lax.ragged_dot_general(x, y, numpy.asarray(sizes, sizes_dtype), given, **options)


@pytest.mark.parametrize("name", [n for n in CASES if n not in REFUSED])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int8"])
def test_each_kind(name: str, dtype: str) -> None:
    for options in ({}, {"preferred_element_type": "float32"}):
        ours = computed(arraytyping, anp, CASES[name], dtype, **options)
        theirs = asked(partial(computed, jax, jnp, CASES[name], dtype, **options))
        assert (ours.dtype, ours.weak_type, ours.shape) == (theirs.dtype, theirs.weak_type, theirs.shape)
        rtol = 2e-2 if dtype == "bfloat16" else 1e-5
        np.testing.assert_allclose(np.asarray(ours, "float64"), np.asarray(theirs, "float64"), rtol=rtol, atol=1e-4)


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_what_is_refused(name: str) -> None:
    texts = []
    for framework, numpy in ((arraytyping, anp), (jax, jnp)):
        with pytest.raises(TypeError) as told:
            computed(framework, numpy, CASES[name], "float32")
        texts.append(str(told.value).rstrip("."))
    assert texts[0] == texts[1]


def test_sizes_are_integers() -> None:
    for framework, numpy in ((arraytyping, anp), (jax, jnp)):
        with pytest.raises(TypeError, match=r"subtype of np\.integer"):
            computed(framework, numpy, CASES["kept"], "float32", "float32")


def derivatives(framework: Any, numpy: Any, case: Case) -> Any:
    """The gradient by the left operand alone, which JAX has in each case, and a jvp; the same of a batch."""
    left, right, sizes, numbers, ragged, groups = case
    lax, rng = framework.lax, np.random.default_rng(1)
    x, y = (numpy.asarray(rng.normal(size=s).astype("float32")) for s in (left, right))
    given = lax.RaggedDotDimensionNumbers(numbers, ragged, groups)

    def product(a: Any, b: Any) -> Any:
        return lax.ragged_dot_general(a, b, numpy.asarray(sizes), given)

    gradient = framework.grad(lambda a: (product(a, y) ** 2).sum())
    return gradient(x), framework.jvp(product, (x, y), (x, y)), framework.jit(product)(x, y)


@pytest.mark.parametrize("name", ["kept", "kept in a batch", "kept, sizes of a batch", "kept behind others"])
def test_derivatives(name: str) -> None:
    ours, theirs = derivatives(arraytyping, anp, CASES[name]), asked(partial(derivatives, jax, jnp, CASES[name]))
    gradient, (value, slope), compiled = theirs
    for mine, other in zip(jax.tree.leaves(ours), (gradient, value, slope, compiled), strict=True):
        np.testing.assert_allclose(np.asarray(mine), np.asarray(other), rtol=1e-4, atol=1e-4)


def test_of_a_contracted_dimension_by_both_operands() -> None:
    """JAX has no gradient here: it is compared with that of the products written out."""
    sizes = [2, 3]
    numbers = arraytyping.lax.RaggedDotDimensionNumbers((((0,), (0,)), ((), ())), [0], [])
    x, y = (anp.asarray(RNG.normal(size=s).astype("float32")) for s in ((5, 3), (5, 4)))

    def ragged(a: Any, b: Any) -> Any:
        return (arraytyping.lax.ragged_dot_general(a, b, anp.asarray(sizes), numbers) ** 2).sum()

    def plain(a: Any, b: Any) -> Any:
        return ((a[:2].T @ b[:2]) ** 2).sum() + ((a[2:].T @ b[2:]) ** 2).sum()

    for mine, other in zip(arraytyping.grad(ragged, (0, 1))(x, y), arraytyping.grad(plain, (0, 1))(x, y), strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-4)
