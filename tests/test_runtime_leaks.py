"""`checking_leaks`: functions whose traced values are kept are refused when they are traced, others are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("jaxlib", reason="the runtime needs jaxlib")

import jax

import arraytyping as at
import arraytyping.lax
import arraytyping.nn
import arraytyping.numpy

GIVEN = np.arange(3.0, dtype="float32")


def _kept(m: Any, kept: list[Any]) -> list[Callable[[], Any]]:
    def keep(x: Any) -> Any:
        kept.append(x)
        return x + 1

    def inner(x: Any) -> Any:
        here: list[Any] = []
        made = m.jit(lambda y: (y, here.append(y))[0])(x)  # type: ignore[func-returns-value]
        return made + len(here)

    return [
        lambda: m.jit(keep)(GIVEN),
        lambda: m.lax.scan(lambda c, x: (m.numpy.sin(keep(c)), None), 1.0, GIVEN),
        lambda: m.jit(inner)(GIVEN),
    ]


@pytest.mark.parametrize("number", range(3))
def test_what_is_kept_is_refused(number: int) -> None:
    for m in (jax, at):
        with m.checking_leaks(), pytest.raises(Exception, match="Leaked trace"):
            _kept(m, [])[number]()
    _kept(at, [])[number]()  # without the check nobody minds


def _fine(m: Any) -> dict[str, Callable[[], Any]]:
    f: Any = lambda x: m.numpy.sin(x) * x.sum()  # noqa: E731
    return {
        "jit": lambda: m.jit(f)(GIVEN),
        "gradient": lambda: m.grad(m.jit(lambda x: f(x).sum()))(GIVEN),
        "batch": lambda: m.vmap(m.jit(f))(np.ones((2, 3), "float32")),
        "scan": lambda: m.lax.scan(lambda c, x: (c * m.numpy.sin(x), c), 1.0, GIVEN),
        "cond": lambda: m.jit(lambda x: m.lax.cond(x[0] > 0, f, lambda y: y, x))(GIVEN),
        "while": lambda: m.lax.while_loop(lambda c: c.sum() < 9, lambda c: c + 1, GIVEN),
        "closure": lambda: m.jit(lambda x: m.jit(lambda y: y * x)(x) + m.checkpoint(f)(x))(GIVEN),
        "hessian": lambda: m.hessian(lambda x: f(x).sum())(GIVEN),
        "custom": lambda: m.jit(m.grad(lambda x: m.nn.relu(x).sum()))(GIVEN),
        "linearize": lambda: m.linearize(m.jit(f), GIVEN)[1](GIVEN),
        "make_jaxpr": lambda: m.make_jaxpr(f)(GIVEN),
        "pmap": lambda: m.pmap(f)(GIVEN[None]),
    }


@pytest.mark.parametrize("case", _fine(at))
def test_other_functions_are_not(case: str) -> None:
    with at.checking_leaks():
        _fine(at)[case]()
