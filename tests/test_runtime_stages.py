"""Checkpoints with policies, dead code, and functions that are lowered and compiled before they run."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest
from jax.ad_checkpoint import checkpoint_name as jax_name

import arraytyping
import arraytyping.numpy as anp
from arraytyping.ad_checkpoint import checkpoint_name
from arraytyping.runtime.jaxpr.dce import dce_jaxpr
from arraytyping.runtime.jaxpr.typecheck import typecheck_jaxpr

AT: Any = arraytyping

POLICIES: dict[str, Callable[[Any], Any]] = {
    "none": lambda p: None,
    "everything": lambda p: p.everything_saveable,
    "nothing": lambda p: p.nothing_saveable,
    "dots": lambda p: p.dots_saveable,
    "dots without batch": lambda p: p.dots_with_no_batch_dims_saveable,
    "dots, by their older name": lambda p: p.checkpoint_dots,
    "dots without batch, by their older name": lambda p: p.checkpoint_dots_with_no_batch_dims,
    "these names": lambda p: p.save_only_these_names("y"),
    "other names": lambda p: p.save_only_these_names("z"),
    "any names but": lambda p: p.save_any_names_but_these("z"),
    "anything except": lambda p: p.save_anything_except_these_names("y"),
    "both": lambda p: p.save_from_both_policies(p.dots_saveable, p.save_only_these_names("y")),
}


def loss_of(fw: Any, name: Callable[[Any, str], Any], policy: Any) -> Callable[[Any, Any], Any]:
    """Two layers, each checkpointed, one of them through a jitted function."""

    def layer(w: Any, x: Any) -> Any:
        y = name(fw.jit(lambda a, b: a @ b)(x, w), "y")
        return fw.numpy.sin(fw.numpy.tanh(y) * 2)

    again = fw.checkpoint(layer, policy=policy)
    return lambda w, x: (again(w, again(w, x)) ** 2).sum()


def counts(text: str) -> list[int]:
    return [len(re.findall(rf"= {name}\b", text)) for name in ("tanh", "dot_general", "sin", "cos")]


@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_says_what_is_computed_again(name: str) -> None:
    w, x = np.arange(9, dtype=np.float32).reshape(3, 3) / 10, np.ones((2, 3), np.float32)
    ours = loss_of(AT, checkpoint_name, POLICIES[name](AT.checkpoint_policies))
    theirs = loss_of(jax, jax_name, POLICIES[name](jax.checkpoint_policies))
    text = str(AT.make_jaxpr(AT.grad(ours))(w, x))
    assert counts(text) == counts(str(jax.make_jaxpr(jax.grad(theirs))(w, x)))
    typecheck_jaxpr(AT.make_jaxpr(AT.grad(ours))(w, x))
    plain: Any = AT.grad(lambda w, x: (layers(w, layers(w, x)) ** 2).sum())
    for gradient in (AT.grad(ours), AT.jit(AT.grad(ours))):
        np.testing.assert_allclose(gradient(w, x), plain(w, x), rtol=1e-5)


def layers(w: Any, x: Any) -> Any:
    return anp.sin(anp.tanh(x @ w) * 2)


def test_policies_under_second_derivatives_batches_and_loops() -> None:
    w, xs = anp.arange(9.0).reshape(3, 3) / 10, anp.ones((2, 3)) / 4
    policy = AT.checkpoint_policies.dots_saveable

    def chain(wrap: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
        step = wrap(layers)
        return lambda w, x: AT.lax.scan(lambda c, _: (step(w, c), None), x, None, length=3)[0].sum()

    kept, plain = chain(lambda f: AT.checkpoint(f, policy=policy)), chain(lambda f: f)
    ways: tuple[Callable[[Any], Any], ...] = (
        lambda f: AT.grad(f)(w, xs),
        lambda f: AT.grad(lambda w: (AT.grad(f)(w, xs) ** 2).sum())(w),
        lambda f: AT.vmap(AT.grad(f), (None, 0))(w, xs),
    )
    for way in ways:
        np.testing.assert_allclose(way(kept), way(plain), rtol=1e-4, atol=1e-6)


def test_a_policy_reaches_loops_and_functions_with_rules() -> None:
    def f(w: Any, x: Any) -> Any:
        carry, _ = AT.lax.scan(lambda c, _: (anp.tanh(c @ w), None), x, None, length=2)
        return AT.lax.cond(carry.sum() > 0, AT.nn.silu, AT.nn.relu, carry).sum()

    w, x = anp.arange(9.0).reshape(3, 3) / 10, anp.ones((2, 3)) / 4
    plain = AT.grad(f)(w, x)
    for policy in (None, AT.checkpoint_policies.dots_saveable, AT.checkpoint_policies.everything_saveable):
        gradient = AT.grad(AT.checkpoint(f, policy=policy))
        np.testing.assert_allclose(AT.jit(gradient)(w, x), plain, rtol=1e-5)
        typecheck_jaxpr(AT.make_jaxpr(gradient)(w, x))


def test_the_second_computation_is_behind_a_barrier() -> None:
    f = lambda x: anp.sin(anp.sin(x))  # noqa: E731
    texts = [AT.jit(AT.grad(AT.checkpoint(f, prevent_cse=prevent))).lower(1.0).as_text() for prevent in (True, False)]
    assert ["optimization_barrier" in text for text in texts] == [True, False]
    with pytest.raises(TypeError, match="takes a function as policy, such as those of checkpoint_policies, got 'dots'"):
        AT.checkpoint(f, policy="dots")
    a, b = AT.lax.optimization_barrier((anp.ones(2), 3))
    assert (a.shape, float(b)) == ((2,), 3)
    assert float(AT.grad(lambda x: AT.lax.optimization_barrier(x) ** 2)(3.0)) == 6
    assert AT.vmap(AT.lax.optimization_barrier)(anp.ones((2, 3))).shape == (2, 3)


def test_dead_code_is_left_out_of_inner_jaxprs_too() -> None:
    inner = AT.jit(lambda x, y: (anp.sin(x), anp.exp(y)))

    def f(x: Any, y: Any) -> Any:
        a, b = inner(x, y)
        _ = a * 3
        return a, b + 1

    closed = AT.make_jaxpr(f)(1.0, 2.0)
    jaxpr, used = dce_jaxpr(closed.jaxpr, [True, False])
    assert used == [True, False]
    assert [e.primitive.name for e in jaxpr.eqns] == ["jit"]
    assert [e.primitive.name for e in jaxpr.eqns[0].params["jaxpr"].eqns] == ["sin"]
    typecheck_jaxpr(jaxpr)
    assert dce_jaxpr(closed.jaxpr, [True, False], True)[1] == [True, True]
    with pytest.raises(ValueError, match="the jaxpr has 2 results, and used_outputs says of 1"):
        dce_jaxpr(closed.jaxpr, [True])


def test_a_function_is_lowered_and_compiled_before_it_runs() -> None:
    def f(x: Any, n: int = 2, *, k: Any = 1) -> Any:
        return {"a": anp.sin(x) * n + k}

    jitted = AT.jit(f, static_argnames="n")
    struct = AT.ShapeDtypeStruct((3,), np.float32)
    lowered = jitted.lower(struct, n=3, k=2.0)
    assert "stablehlo.sine" in lowered.as_text()
    assert lowered.out_info == {"a": struct} == jitted.eval_shape(struct, n=3, k=2.0)
    assert lowered.args_info[0] == (struct,)
    assert [e.primitive.name for e in jitted.trace(struct, n=3, k=2.0).jaxpr.eqns] == [
        "sin",
        "mul",
        "convert_element_type",
        "add",
    ]
    compiled = lowered.compile()
    x = anp.arange(3.0)
    np.testing.assert_array_equal(compiled(x, k=2.0)["a"], jitted(x, n=3, k=2.0)["a"])
    assert compiled.cost_analysis()["flops"] > 0
    assert compiled.memory_analysis().argument_size_in_bytes == 16
    assert "sine" in compiled.as_text()
    with pytest.raises(TypeError, match=r"Argument 'x' compiled with float32\[3\] and called with float32\[4\]"):
        compiled(anp.ones(4), k=2.0)
    for named in ({}, {"n": 3, "k": 2.0}):
        with pytest.raises(TypeError, match="does not match the input pytree"):
            compiled(x, **named)
    assert compiled.in_avals[0][0].shape == (3,)
    with pytest.raises(ValueError, match="lowered to the dialects stablehlo and hlo, got 'mhlo'"):
        lowered.as_text("mhlo")
    assert " sine(" in lowered.as_text("hlo")
    assert "metadata" not in lowered.as_text("hlo")
    assert "metadata" in lowered.as_text("hlo", debug_info=True)
    assert " sine(" in lowered.compiler_ir("hlo").as_hlo_text()
    donating = AT.jit(lambda x: x + 1, donate_argnums=0)
    run = donating.lower(struct).compile()
    given = anp.ones(3)
    assert run(given).shape == (3,)
    assert given.is_deleted()
    assert (run.donate_argnums, donating.lower(struct).donate_argnums) == ((0,), (0,))


@pytest.mark.parametrize("static", [{"static_argnums": 0}, {"static_argnums": (0, 2)}, {"static_argnames": "n"}])
def test_a_compiled_function_is_given_what_is_not_static(static: Any) -> None:
    def f(n: int, x: Any, k: int = 1) -> Any:
        return x * n * k

    for m in (jax, AT):
        compiled = m.jit(f, **static).lower(3, np.ones(2, "float32"), 2).compile()
        rest = [] if static.get("static_argnums") == (0, 2) else [2]
        np.testing.assert_array_equal(compiled(np.ones(2, "float32"), *rest), np.full(2, 6.0))
        with pytest.raises(TypeError, match="does not match the input pytree"):
            compiled(3, np.ones(2, "float32"), *rest)
