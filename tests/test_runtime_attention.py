"""`nn.dot_product_attention` and the logarithms beside it against JAX's: values, derivatives, mapped, mistakes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from answers import compiled

import arraytyping as at
import arraytyping.numpy as anp

RNG = np.random.default_rng(0)
Q, K, V, BIAS = (RNG.normal(size=s).astype("float32") for s in ((2, 5, 4, 8), (2, 6, 2, 8), (2, 6, 2, 8), (1, 4, 5, 6)))
MASK = RNG.random((2, 1, 5, 6)) > 0.3
LENGTHS = np.array([3, 5], np.int32)
OPTIONS: dict[str, dict[str, Any]] = {
    "alone": {}, "causal": {"is_causal": True}, "a bias": {"bias": BIAS}, "a bias for all heads": {"bias": BIAS[:, :1]},
    "a mask": {"mask": MASK}, "a mask for each head": {"mask": np.repeat(MASK, 4, 1), "scale": 0.3},
    "lengths": {"query_seq_lengths": LENGTHS, "key_value_seq_lengths": LENGTHS}, "a window": {"local_window_size": 1},
    "all": {"bias": BIAS, "mask": MASK, "is_causal": True, "query_seq_lengths": LENGTHS, "local_window_size": (3, 1)},
    "a residual": {"return_residual": True, "is_causal": True},
}  # fmt: skip


# float16 JAX does not run in `jit` on a CPU
def attended(framework: Any, numpy: Any, name: str, dtype: str, q: Any, k: Any, v: Any) -> Any:
    """The attention, of examples with and without a batch, mapped, and its derivatives."""
    options = OPTIONS[name]
    q, k, v = (numpy.asarray(x).astype(dtype) for x in (q, k, v))
    attention = partial(framework.nn.dot_product_attention, **options)
    found = {"values": attention(q, k, v)}
    if dtype == "float32":

        def total(*arrays: Any) -> Any:
            return sum((x**2).sum() for x in framework.tree.leaves(attention(*arrays)))

        found["derivatives"] = framework.grad(total, (0, 1, 2))(q, k, v)
        found["mapped"] = framework.vmap(attention, (0, None, 0))(numpy.stack([q, q + 1]), k, numpy.stack([v, v]))
    if not options:
        found["one example"] = attention(q[0], k[0], v[0])
    return found


def same(ours: Any, theirs: Any, tolerance: float) -> None:
    """Assert that two trees of arrays are equal to rounding, and in dtype and weak type."""
    for a, b in zip(at.tree.leaves(ours), jax.tree.leaves(theirs), strict=True):
        assert (a.dtype, a.shape, a.weak_type) == (b.dtype, b.shape, b.weak_type)
        np.testing.assert_allclose(np.asarray(a).astype(float), np.asarray(b).astype(float), tolerance, tolerance)


@pytest.mark.parametrize(("dtype", "tolerance"), [("float32", 1e-5), ("bfloat16", 2e-2)])
@pytest.mark.parametrize("name", OPTIONS)
def test_attention(name: str, dtype: str, tolerance: float) -> None:
    theirs = compiled(partial(attended, jax, jnp, name, dtype), Q, K, V)
    same(at.jit(partial(attended, at, anp, name, dtype))(Q, K, V), theirs, tolerance)


def logarithms(framework: Any, numpy: Any, x: Any) -> Any:
    """The logarithms and their derivatives."""
    nn = framework.nn
    return [
        nn.log1mexp(x), framework.vmap(framework.grad(nn.log1mexp))(x), nn.logmeanexp(x), nn.logmeanexp(x, where=x > 1),
        framework.grad(nn.logmeanexp)(x), nn.logmeanexp(x.reshape(3, 2), axis=1, keepdims=True), nn.log1mexp(2.0),
    ]  # fmt: skip


def test_logarithms() -> None:
    x = np.array([1e-6, 0.1, 0.6, 0.7, 3, 40], np.float32)
    same(at.jit(partial(logarithms, at, anp))(x), compiled(partial(logarithms, jax, jnp), x), 2e-6)


WRONG: dict[str, Callable[[Any], Any]] = {
    "heads": lambda nn: nn.dot_product_attention(Q[:, :, :3], K, V),
    "a dtype": lambda nn: nn.dot_product_attention(Q, K, V.astype("float16")),
    "a mask of numbers": lambda nn: nn.dot_product_attention(Q, K, V, mask=BIAS),
    "a bias of two heads": lambda nn: nn.dot_product_attention(Q, K, V, bias=BIAS[:, :2]),
    "lengths": lambda nn: nn.dot_product_attention(Q, K, V, query_seq_lengths=LENGTHS[:, None]),
    "an implementation": lambda nn: nn.dot_product_attention(Q, K, V, implementation="fast"),
}


@pytest.mark.parametrize("name", WRONG)
def test_mistakes(name: str) -> None:
    with pytest.raises((ValueError, TypeError, AssertionError)) as expected:
        WRONG[name](jax.nn)
    with pytest.raises(expected.type):
        WRONG[name](at.nn)
