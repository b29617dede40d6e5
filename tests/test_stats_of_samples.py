"""The statistics of samples of `jax.scipy.stats`, rules and runtime, against JAX itself."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

import jax
import numpy as np
import pytest
from answers import compiled
from oracle import Call, array, differences, elements, rule_says
from rule_families import a_few_of_each, parameters_of_both
from runtime_calls import unequal
from shares import spread

import arraytyping as at
import arraytyping.scipy.stats
from arraytyping.semantics.avals import UNKNOWN, NumPyArray, ShapedArray

importlib.import_module("jax.scipy.stats")
NAMES = ("scipy.stats.mode", "scipy.stats.rankdata", "scipy.stats.sem")
ARRAYS: tuple[Any, ...] = (
    array("float32", 3), array("int8", 4, 3), array("complex64", 2, 3), array("bool"), array("float32", 3, weak=True),
    array("int32", 0), array("float32", 0, 3), array("float32", 3, 0), [1.0, 2.0], 2.0, 3, None, "a",
    NumPyArray((3,), "float64"), array("float16", 2, 3, 4), array("int32", 2, weak=True), array("bool", 5),
)  # fmt: skip


def all_calls() -> Iterator[Call]:
    axes: tuple[Any, ...] = (0, 1, -1, None, 3, -2, (0,), (0, 1), 1.0, True)
    policies = ("propagate", "omit", "raise", "x", None)
    for a, axis, keepdims in product(ARRAYS, axes, (True, False)):
        yield Call("scipy.stats.sem", (a, axis), {"keepdims": keepdims})
        yield Call("scipy.stats.mode", (a, axis), {"keepdims": keepdims})
        yield Call("scipy.stats.sem", (a, axis), {"keepdims": keepdims, "nan_policy": "omit"})
    for name, a, axis in product(NAMES, ARRAYS[:4], ([0], "x")):
        yield Call(name, (a,), {"axis": axis})
    for a, axis in product(ARRAYS, axes):
        yield Call("scipy.stats.rankdata", (a,), {"axis": axis})
    for name, a, policy in product(NAMES, ARRAYS, policies):
        yield Call(name, (a,), {"nan_policy": policy})
    for a, method in product(ARRAYS, ("average", "min", "max", "dense", "ordinal", "x", None)):
        yield Call("scipy.stats.rankdata", (a, method))
        yield Call("scipy.stats.rankdata", (a, method), {"axis": 0})
    for a, ddof in product(ARRAYS, (0, 1.5, array("int32"), array("float32", 3))):
        yield Call("scipy.stats.sem", (a,), {"ddof": ddof})


def calls() -> tuple[Call, ...]:
    """Some calls of each rule: those that are tried with unknown parts."""
    return a_few_of_each(NAMES, all_calls())


@pytest.mark.parametrize("x64", [False, True])
def test_calls(x64: bool) -> None:
    count, lines = differences(all_calls(), x64=x64, at_once=True)
    print(f"{count} calls compared, {len(lines)} differ")
    assert lines == []
    assert count > 1000


@pytest.mark.parametrize("x64", [False, True])
def test_every_dtype(x64: bool) -> None:
    found = [Call(name, (ShapedArray((4, 3), *e),)) for name in NAMES for e in elements(x64)]
    count, lines = differences(found, x64=x64, at_once=True)
    assert lines == []
    assert count > 80


@pytest.mark.parametrize("name", NAMES)
def test_signature(name: str) -> None:
    ours, real = parameters_of_both(name)
    assert ours == real


def test_partly_known() -> None:
    some = ShapedArray((None, 3), "int8")
    assert rule_says(Call("scipy.stats.sem", (some,))) == ShapedArray((3,), "float32", False)
    assert rule_says(Call("scipy.stats.mode", (some,))) == (ShapedArray((3,), None, None), ShapedArray((3,), None))
    value, count = rule_says(Call("scipy.stats.mode", (some, 1)))
    assert (value, count) == (ShapedArray((None,), "int8"), ShapedArray((None,), "int32"))
    assert rule_says(Call("scipy.stats.mode", (some, UNKNOWN))) is UNKNOWN
    assert rule_says(Call("scipy.stats.rankdata", (some,))) == ShapedArray((None,), "float32")
    assert rule_says(Call("scipy.stats.rankdata", (some,), {"axis": 0})) == ShapedArray((None, 3), "float32")


RNG = np.random.default_rng(0)
X = RNG.normal(size=(5, 4)).astype("float32")
TIES = RNG.integers(0, 3, (6, 4))
NANS = np.where(RNG.random((5, 4)) < 0.2, np.nan, X)
SAMPLES = (X, TIES.astype("int8"), NANS, X.astype("float16"), (TIES > 1), (X[0] + 1j * X[1]), X[:0], X[:, :0], TIES[0])
COMPUTED: dict[str, Callable[[Any], Any]] = {
    "sem": lambda m: [m.sem(x, axis, nan_policy=p, keepdims=p == "omit") for x in (X, TIES, NANS, X + 1j * X[::-1])
                      for axis in (0, 1, None) for p in ("propagate", "omit")]
    + [m.sem(X, ddof=2), m.sem(3.0, None, 0)],
    "rankdata": lambda m: [m.rankdata(x, method, axis=axis) for x in SAMPLES if x.dtype.kind != "c"
                           for method in ("average", "min", "max", "dense", "ordinal") for axis in (None, 0)],
    "mode": lambda m: [m.mode(x, axis, keepdims=k) for x in SAMPLES for axis in (0, -1, None) for k in (True, False)]
    + [m.mode(3)],
}  # fmt: skip


@pytest.mark.parametrize("name", spread(COMPUTED, 3))
def test_values(name: str) -> None:
    function = COMPUTED[name]
    theirs = jax.tree.leaves(compiled(partial(function, jax.scipy.stats)))
    for ours in (function(at.scipy.stats), at.jit(lambda: function(at.scipy.stats))()):
        found = [unequal(a, b, 2e-3) for a, b in zip(theirs, at.tree.leaves(ours), strict=True)]
        assert found == [None] * len(theirs)


def test_transformed() -> None:
    def both(fw: Any) -> Any:
        stats = fw.scipy.stats
        return [
            fw.grad(lambda x: (stats.sem(x) ** 2).sum())(X), fw.vmap(stats.mode)(np.stack([TIES, TIES[::-1] + 1])),
            fw.vmap(stats.rankdata)(TIES), fw.jvp(stats.sem, (X,), (X + 1,)),
        ]  # fmt: skip

    theirs, ours = jax.tree.leaves(compiled(partial(both, jax))), at.tree.leaves(both(at))
    assert [unequal(a, b) for a, b in zip(theirs, ours, strict=True)] == [None] * len(theirs)


def test_named() -> None:
    ours, theirs = at.scipy.stats.mode(TIES[:, 0]), jax.scipy.stats.mode(TIES[:, 0])
    assert (int(ours.mode), int(ours.count)) == (int(theirs.mode), int(theirs.count))
