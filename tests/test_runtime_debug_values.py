"""`debug_nans` and `debug_infs`: what is refused, and in whose name, against JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("jaxlib", reason="the runtime needs jaxlib")

import jax

import arraytyping as at
import arraytyping.lax
import arraytyping.numpy

GIVEN = np.array([-1.0, 0.0, 1.0], "float32")

CASES: dict[str, Callable[[Any], Any]] = {
    "log": lambda m: m.numpy.log(m.numpy.asarray(GIVEN)),
    "log_of_positive": lambda m: m.numpy.log(m.numpy.asarray(GIVEN[2:])),
    "infinite": lambda m: m.numpy.log(m.numpy.asarray(GIVEN[1:])),
    "quotient": lambda m: m.numpy.asarray(GIVEN) / m.numpy.asarray(GIVEN),
    "jit": lambda m: m.jit(lambda v: m.numpy.log(v) * 2 + 1)(GIVEN),
    "jit_again": lambda m: [f := m.jit(lambda v: m.numpy.log(v) * 2 + 1), f(GIVEN[2:]), f(GIVEN)],
    "hidden_in_jit": lambda m: m.jit(lambda v: m.numpy.where(v > 0, m.numpy.log(v), 0.0))(GIVEN),
    "jit_in_jit": lambda m: m.jit(lambda v: m.jit(lambda w: m.numpy.sqrt(w) + 1)(v) * 2)(GIVEN),
    "gradient": lambda m: m.grad(lambda v: m.numpy.sqrt(v).sum() * 0)(GIVEN[1:]),
    "integers": lambda m: m.numpy.arange(3) + 1,
    "half": lambda m: m.numpy.log(m.numpy.asarray(GIVEN).astype("bfloat16")),
    "complex": lambda m: m.lax.complex(GIVEN, GIVEN) / 0,
    "batch": lambda m: m.vmap(m.numpy.log)(GIVEN),
}


def _came(module: Any, case: str, option: str) -> str:
    with getattr(module, option)(True):
        try:
            CASES[case](module)
        except FloatingPointError as error:
            return str(error)
    return "nothing"


@pytest.mark.parametrize("option", ["debug_nans", "debug_infs"])
@pytest.mark.parametrize("case", CASES)
def test_what_is_refused(case: str, option: str) -> None:
    assert _came(at, case, option) == _came(jax, case, option)


def test_what_was_compiled_before_and_after() -> None:
    f = at.jit(lambda v: at.numpy.log(v) + 1)
    for _ in range(3):
        assert np.isnan(np.asarray(f(GIVEN))).any()
    with at.debug_nans(True), pytest.raises(FloatingPointError, match="log"):
        f(GIVEN)
    at.config.update("jax_debug_nans", True)
    try:
        with pytest.raises(FloatingPointError, match="log"):
            f(GIVEN)
    finally:
        at.config.update("jax_debug_nans", False)
    assert np.isnan(np.asarray(f(GIVEN))).any()


def test_a_donated_argument() -> None:
    f = at.jit(lambda v: at.numpy.log(v) + 1, donate_argnums=0)
    with at.debug_nans(True), pytest.raises(FloatingPointError, match=r"invalid value \(nan\) encountered in <lambda>"):
        f(at.numpy.asarray(GIVEN))


def test_a_loop() -> None:
    with at.debug_nans(True), pytest.raises(FloatingPointError, match=r"invalid value \(nan\) encountered in scan"):
        at.lax.scan(lambda c, v: (at.numpy.log(v), c), 0.0, GIVEN[:1])
