"""`composite`, `dce_sink`, `einsum_path`, and values that `checkpoint` keeps, against jax."""

from __future__ import annotations

import re
from typing import Any

import jax
import jax.ad_checkpoint
import jax.numpy as jnp
import numpy as np
import pytest

import arraytyping
import arraytyping.numpy as anp
from arraytyping.runtime.jaxpr import typecheck_jaxpr

BOTH = ((arraytyping, anp), (jax, jnp))
X = np.array([1.0, 2.0, -3.0], "float32")


def named(framework: Any) -> Any:
    def decomposed(x: Any, *, axis: int = 0, scale: float = 1.5, **attributes: Any) -> Any:
        return framework.nn.softmax(x * scale, axis)

    return framework.lax.composite(decomposed, "my.softmax", version=3)


def computed(framework: Any, x: Any) -> Any:
    weights = np.arange(3, dtype="float32")
    return named(framework)(x, axis=0, scale=2.0, name="t", flags=(1, 2.5, True), w=weights, nothing=None)


def test_a_composite_is_said_to_the_compiler() -> None:
    texts, values = [], []
    for framework, _ in BOTH:
        jitted = framework.jit(lambda x, framework=framework: computed(framework, x))
        texts.append([line.strip() for line in jitted.lower(X).as_text().splitlines() if "composite" in line])
        values += [np.asarray(jitted(X)), np.asarray(computed(framework, X))]
    assert texts[0] == texts[1]
    assert len(texts[0]) == 1
    for value in values[1:]:
        np.testing.assert_allclose(value, values[0], rtol=1e-6)
    closed = arraytyping.make_jaxpr(lambda x: computed(arraytyping, x))(X)
    typecheck_jaxpr(closed)


def test_a_composite_of_a_batch() -> None:
    batch = anp.stack([X, X + 1])
    found = arraytyping.vmap(lambda x: computed(arraytyping, x))(batch)
    np.testing.assert_allclose(found, arraytyping.nn.softmax(batch * 2, 1), rtol=1e-6)


@pytest.mark.parametrize("what", ["grad", "closure", "attribute"])
def test_what_a_composite_refuses(what: str) -> None:
    errors = []
    for framework, _ in BOTH:
        lax = framework.lax
        calls: dict[str, Any] = {
            "grad": lambda framework=framework: framework.grad(lambda x: computed(framework, x).sum())(X),
            "closure": lambda framework=framework, lax=lax: framework.jit(
                lambda y: lax.composite(lambda a: a + y, "q")(X)
            )(X),
            "attribute": lambda framework=framework, lax=lax: framework.jit(
                lambda y: lax.composite(lambda a, *, k: a + k, "q")(X, k=y)
            )(X),
        }
        with pytest.raises(Exception) as told:  # noqa: PT011 (compared below)
            calls[what]()
        errors.append(told.value)
    assert type(errors[0]).__name__ == type(errors[1]).__name__
    assert str(errors[0])[:60] == str(errors[1])[:60]


def test_what_a_sink_keeps() -> None:
    for framework, numpy in BOTH:

        def kept(x: Any, framework: Any = framework, numpy: Any = numpy) -> Any:
            framework.lax.dce_sink({"a": numpy.sin(x)})
            return x

        assert [type(e).__name__ for e in framework.make_jaxpr(kept)(X).effects] == ["NoDCEEffect"]
        assert "sine" in framework.jit(kept).lower(X).as_text()
        np.testing.assert_array_equal(framework.grad(lambda x, kept=kept: kept(x).sum())(X), np.ones(3))
        np.testing.assert_array_equal(framework.vmap(kept)(X), X)


@pytest.mark.parametrize("optimize", ["auto", "greedy", True, False, [(0, 1), (0, 1), (0, 1)]])
def test_paths_of_einsum(optimize: Any) -> None:
    operands = [np.ones(s) for s in ((4, 2), (2, 8), (8, 1, 3), (3, 4))]
    ours = anp.einsum_path("ij,jk,klm,mn", *operands, optimize=optimize)
    theirs = jnp.einsum_path("ij,jk,klm,mn", *operands, optimize=optimize)
    assert ours[0] == theirs[0]
    assert str(ours[1]) == str(theirs[1])
    listed = anp.einsum_path(np.ones((2, 3)), [0, 1], np.ones((3, 4)), [1, 2])
    assert listed[0] == jnp.einsum_path(np.ones((2, 3)), [0, 1], np.ones((3, 4)), [1, 2])[0]


ROUNDED = r"reduce_precision\[\s*exponent_bits=(\d+)\s+mantissa_bits=(\d+)"


def test_what_checkpoint_keeps_is_rounded_to_its_dtype() -> None:
    found = []
    for framework, numpy in BOTH:
        keep = framework.ad_checkpoint.checkpoint_name
        policy = framework.checkpoint_policies.save_only_these_names("kept")

        def f(x: Any, numpy: Any = numpy, keep: Any = keep) -> Any:
            return numpy.sin(keep(numpy.sin(x), "kept")).sum()

        gradient = framework.grad(framework.checkpoint(f, policy=policy))
        for dtype in ("bfloat16", "float16", "float32"):
            found.append(set(re.findall(ROUNDED, str(framework.make_jaxpr(gradient)(numpy.ones(3, dtype))))))
        expected = np.cos(np.sin(1.0)) * np.cos(1.0)
        np.testing.assert_allclose(gradient(numpy.ones(3)), np.full(3, expected), rtol=1e-5)
    assert found[:3] == found[3:] == [{("8", "7")}, {("5", "10")}, {("8", "23")}]
