"""The precision of products and convolutions where none is named: `default_matmul_precision`, against jax."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax._src.config import config as jax_config

import arraytyping as at
import arraytyping.numpy as anp

LIBRARIES: tuple[tuple[Any, Any], ...] = ((at, anp), (jax, jnp))
PRECISIONS = (
    None,
    "default",
    "high",
    "highest",
    "bfloat16",
    "tensorfloat32",
    "float32",
    "BF16_BF16_F32_X3",
    "F32_F32_F32",
)
X = np.ones((2, 2), np.float32)


def precisions(library: Any, function: Any) -> list[str]:
    """The precisions in the jaxpr of a function."""
    text = str(library.make_jaxpr(function)(X))
    return [
        re.sub(r"\s+|Precision\.|DotAlgorithmPreset\.", "", found)
        for found in re.findall(r"precision=(\([^)]*\)|\S+)", text)
    ]


@pytest.mark.parametrize("precision", PRECISIONS)
def test_the_precision_of_a_context(precision: Any) -> None:
    found = []
    for library, np_like in LIBRARIES:
        m, lax = np_like, library.lax
        functions: list[Any] = [
            lambda x, m=m: m.dot(x, x), lambda x, m=m: m.einsum("ij,jk", x, x), lambda x: x @ x,
            lambda x, m=m: m.matmul(x, x, precision="high"), lambda x, m=m: m.convolve(x[0], x[0]),
            lambda x, lax=lax: lax.conv(x[None, None], x[None, None], (1, 1), "SAME"),
        ]  # fmt: skip
        with library.default_matmul_precision(precision):
            found.append([precisions(library, function) for function in functions])
    assert found[0] == found[1]
    assert precision is None or all(found[0])


def test_a_jitted_function_is_compiled_for_each() -> None:
    for library, _ in LIBRARIES:
        traced: list[int] = []

        def body(x: Any, traced: list[int] = traced) -> Any:
            traced.append(1)
            return x @ x

        product: Any = library.jit(body)
        for precision in ("highest", "float32", None, "highest"):
            with library.default_matmul_precision(precision):
                product(X)
        assert len(traced) == 3


def test_what_is_no_precision() -> None:
    for update in (at.config.update, jax_config.update):
        with pytest.raises(ValueError, match=r"None or"):
            update("jax_default_matmul_precision", "most")
    before = at.config.read("default_matmul_precision")
    at.config.update("jax_default_matmul_precision", "high")
    try:
        assert precisions(at, lambda x: x @ x) == ["(HIGH,HIGH)"]
    finally:
        at.config.update("default_matmul_precision", before)


def test_bodies_of_control_flow_are_traced_for_each_precision() -> None:
    for library in (at, jax):
        lax, seen = library.lax, list[Any]()

        def body(x: Any, _: Any = None, library: Any = library, seen: list[Any] = seen) -> Any:
            seen.append(library.numpy.dot(x, x).shape)
            return x, None

        x = np.ones((2, 2), np.float32)
        counts = []
        for precision in (None, None, "highest", "highest", "tensorfloat32", None):
            with library.default_matmul_precision(precision):
                lax.scan(body, x, None, length=2)
            counts.append(len(seen))
        assert counts == sorted(counts)
        assert [b > a for a, b in pairwise(counts)] == [False, True, False, True, False]
