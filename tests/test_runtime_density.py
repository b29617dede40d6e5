"""`scipy.stats.gaussian_kde` against JAX's: values, samples, derivatives, mistakes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.scipy.stats
import numpy as np
import pytest
from answers import compiled
from runtime_calls import unequal

import arraytyping as at

RNG = np.random.default_rng(0)
ONE, TWO = RNG.normal(size=20).astype("float32"), RNG.normal(size=(2, 15)).astype("float32")
WEIGHTS = RNG.uniform(1, 3, 15).astype("float32")
POINTS = RNG.normal(size=(2, 6)).astype("float32")

MADE: dict[str, Callable[[Any], Any]] = {
    "one": lambda m: m.gaussian_kde(ONE),
    "two": lambda m: m.gaussian_kde(TWO),
    "weighted": lambda m: m.gaussian_kde(TWO, weights=WEIGHTS),
    "silverman": lambda m: m.gaussian_kde(ONE, "silverman"),
    "by number": lambda m: m.gaussian_kde(TWO, 0.3),
    "by function": lambda m: m.gaussian_kde(ONE, lambda k: k.neff ** (-1 / 3)),
    "integers": lambda m: m.gaussian_kde(np.array([1, 5, 2, 7])),
}


def computed(framework: Any, name: str) -> Any:
    kde = MADE[name](framework.scipy.stats)
    points = POINTS[: kde.d]
    other = MADE["two" if kde.d == 2 else "silverman"](framework.scipy.stats)
    found = [
        kde.neff, kde.dataset, kde.weights, kde.covariance, kde.inv_cov, kde(points), kde.pdf(points),
        kde.logpdf(points),
        kde.integrate_gaussian(points[:, 0], np.eye(kde.d) * 0.5), kde.integrate_kde(other), other.integrate_kde(kde),
        kde.evaluate(points[:, 0]), framework.grad(lambda x: kde.logpdf(x).sum())(points), *framework.tree.leaves(kde),
        kde.resample(framework.random.key(0), (4,)), kde.resample(framework.random.key(1)),
        framework.jit(lambda k, x: k.pdf(x))(kde, points),
    ]  # fmt: skip
    if kde.d == 1:
        found += [kde.integrate_box_1d(-1, 0.5), kde.integrate_box_1d(0.0, np.inf), kde(0.5), kde.logpdf(3)]
    return found


@pytest.mark.parametrize("name", MADE)
def test_values(name: str) -> None:
    theirs, ours = compiled(partial(computed, jax, name)), computed(at, name)
    assert [unequal(a, b, 1e-3) for a, b in zip(theirs, ours, strict=True)] == [None] * len(theirs)


def test_by_samples() -> None:
    """The density may be made of what is traced, and differentiated by it."""

    def total(framework: Any, samples: Any) -> Any:
        return framework.scipy.stats.gaussian_kde(samples).logpdf(POINTS).sum()

    theirs, ours = (fw.jit(fw.grad(partial(total, fw)))(TWO) for fw in (jax, at))
    assert unequal(theirs, ours, 1e-3) is None


def test_samples_of_several_dimensions() -> None:
    """The samples stand behind the dimensions whatever their shape; in jax they do so for one dimension alone."""
    kde = at.scipy.stats.gaussian_kde(TWO, 0.01)
    samples = np.asarray(kde.resample(at.random.key(0), (5, 3)))
    assert samples.shape == (2, 5, 3)
    apart = np.abs(samples[..., None] - TWO[:, None, None, :]).max(0).min(-1)
    assert apart.max() < 0.1  # each lies at one that was given


WRONG: tuple[Callable[[Any], Any], ...] = (
    lambda m: m.gaussian_kde([1.0, 2.0]), lambda m: m.gaussian_kde(1.0), lambda m: m.gaussian_kde(ONE + 1j),
    lambda m: m.gaussian_kde(ONE, "x"), lambda m: m.gaussian_kde(ONE, weights=ONE[:3]),
    lambda m: m.gaussian_kde(ONE, ()),
    lambda m: m.gaussian_kde(TWO, weights=TWO), lambda m: m.gaussian_kde(TWO)(POINTS[:1]),
    lambda m: m.gaussian_kde(TWO)(POINTS * 1j), lambda m: m.gaussian_kde(TWO).integrate_box_1d(0, 1),
    lambda m: m.gaussian_kde(ONE).integrate_box_1d(ONE, 1), lambda m: m.gaussian_kde(ONE).integrate_box(0, 1),
    lambda m: m.gaussian_kde(ONE).set_bandwidth("scott"), lambda m: m.gaussian_kde(ONE).integrate_gaussian(ONE, 1),
    lambda m: m.gaussian_kde(ONE).integrate_kde(m.gaussian_kde(TWO)),
)  # fmt: skip


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_mistakes(number: int) -> None:
    with pytest.raises((TypeError, ValueError, NotImplementedError)) as expected:
        WRONG[number](jax.scipy.stats)
    with pytest.raises(expected.type):
        WRONG[number](at.scipy.stats)
