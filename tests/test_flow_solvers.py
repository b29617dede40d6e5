"""Solvers of Diffrax, Lineax and Optimistix: what is claimed of what they give, against runs.

They are the real ones, which call the program's functions back; from their source a call of one was too much to follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flow_values import interpreted, run, wrong_claims

from arraytyping.checker.flow.values import ArrayValue, walk
from arraytyping.semantics.avals import ShapedArray

_IMPORTS = """
import os
import diffrax, equinox as eqx, jax, jax.numpy as jnp, lineax, numpy as np, optimistix
"""
_EQUATIONS = """
def decay(t, y, args):
    return jax.tree.map(lambda leaf: -args * leaf, y)
terms = diffrax.ODETerm(decay)
end = diffrax.diffeqsolve(terms, diffrax.Euler(), 0.0, 1.0, 0.5, {"a": jnp.ones(2), "b": jnp.ones(())}, 2.0).ys
at = diffrax.SaveAt(ts=jnp.linspace(0.0, 1.0, 5), fn=lambda t, y, args: (t, y[:1]))
saved = diffrax.diffeqsolve(terms, diffrax.Heun(), 0.0, 1.0, 0.5, jnp.ones(3), 1.0, saveat=at).ys
dense = diffrax.diffeqsolve(terms, diffrax.Heun(), 0, 1, 0.5, jnp.ones(3), 1.0, saveat=diffrax.SaveAt(dense=True))
between = dense.evaluate(0.3)
steps = diffrax.diffeqsolve(terms, diffrax.Heun(), 0, 1, 0.5, jnp.ones(2), 1.0).stats["num_steps"]
"""
_MODULE = """
class Field(eqx.Module):
    layer: eqx.nn.Linear
    def __call__(self, t, y, args):
        return jnp.tanh(self.layer(y))
class Solved(eqx.Module):
    field: Field
    def __call__(self, ts, y0):
        terms, saveat = diffrax.ODETerm(self.field), diffrax.SaveAt(ts=ts)
        return diffrax.diffeqsolve(terms, diffrax.Euler(), ts[0], ts[-1], 0.5, y0, saveat=saveat).ys
solved = Solved(Field(eqx.nn.Linear(2, 2, key=jax.random.key(0))))
ts = jnp.linspace(0.0, 1.0, 4)
one = solved(ts, jnp.ones(2))
many = jax.vmap(solved, in_axes=(None, 0))(ts, jnp.ones((3, 2)))
@eqx.filter_value_and_grad
def loss(model):
    return jnp.mean(model(ts, jnp.ones(2)) ** 2)
value, gradient = loss(solved)
weight = gradient.field.layer.weight
"""
_ROOTS = """
root = optimistix.root_find(lambda y, args: (jnp.cos(y[0]) - y[0], y[1] - 1), optimistix.Newton(1e-3, 1e-3),
                            (jnp.array(0.5), jnp.zeros(2))).value
least = optimistix.least_squares(lambda p, x: p["a"] * x - 1, optimistix.LevenbergMarquardt(1e-3, 1e-3),
                                 {"a": jnp.array(2.0)}, args=jnp.ones(4)).value
low = optimistix.minimise(lambda y, args: jnp.sum(y**2), optimistix.BFGS(1e-3, 1e-3), jnp.ones(3)).value
fixed = optimistix.fixed_point(lambda y, args: jnp.cos(y), optimistix.FixedPointIteration(1e-3, 1e-3),
                               jnp.array(1.0)).value
"""
_LINEAR = """
matrix = jnp.eye(4) * 2.0
operator = lineax.MatrixLinearOperator(matrix, lineax.positive_semidefinite_tag)
by_lu = lineax.linear_solve(operator, jnp.ones(4)).value
by_cg = lineax.linear_solve(operator, jnp.ones(4), lineax.CG(1e-3, 1e-3)).value
product = lineax.FunctionLinearOperator(lambda x: matrix @ x, jax.eval_shape(lambda: jnp.ones(4))).mv(jnp.ones(4))
least = jax.jit(lambda a, b: lineax.linear_solve(lineax.MatrixLinearOperator(a), b, lineax.QR()).value)(
    jnp.ones((5, 2)) + jnp.eye(5, 2), jnp.ones(5))
"""


@pytest.fixture(autouse=True)
def _without_compilation_cache() -> Iterator[None]:
    """A program that runs may have turned it on: with it jax fails where a primitive runs others as it is lowered."""
    import jax
    from jax.experimental.compilation_cache import compilation_cache

    config: Any = jax.config
    before = config.jax_enable_compilation_cache
    config.update("jax_enable_compilation_cache", False)
    compilation_cache.reset_cache()
    yield
    config.update("jax_enable_compilation_cache", before)
    compilation_cache.reset_cache()


@pytest.mark.parametrize(
    ("source", "names"),
    [
        (_EQUATIONS, ["end", "saved", "between", "steps"]),
        (_MODULE, ["one", "many", "value", "weight"]),
        (_ROOTS, ["root", "least", "low", "fixed"]),
        (_LINEAR, ["by_lu", "by_cg", "product", "least"]),
    ],
    ids=["equations", "module", "roots", "linear"],
)
def test_what_a_solver_gives_is_known(source: str, names: list[str]) -> None:
    """All of it, shapes included: nothing that is given is unknown."""
    import jax

    source = _IMPORTS + source
    told, result = interpreted(source)
    real = run(source)
    assert wrong_claims(source, {name: told[name] for name in names}, {name: real[name] for name in names}) == []
    for name in names:
        arrays = [str(leaf.aval) for leaf in _arrays(told[name])]
        assert arrays == [str(ShapedArray(a.shape, str(a.dtype), a.weak_type)) for a in jax.tree.leaves(real[name])]
    assert result.diagnostics == []


def _arrays(value: object) -> list[ArrayValue]:
    """The arrays in a value, in the order of the leaves."""
    return [v for v in walk(value) if isinstance(v, ArrayValue)]


_OPEN = """
n = int(os.environ.get("N", "2"))
terms = diffrax.ODETerm(lambda t, y, args: -y * args)
control = diffrax.PIDController(rtol=1e-2, atol=1e-2)  # which takes the root of a size
sized = diffrax.diffeqsolve(terms, diffrax.Heun(), 0.0, 1.0, 0.5, jnp.ones((n, 3)), 1.0, stepsize_controller=control).ys
at = diffrax.SaveAt(ts=jnp.linspace(0.0, 1.0, n + 1))
timed = diffrax.diffeqsolve(terms, diffrax.Euler(), 0.0, 1.0, 0.5, jnp.ones(3), 1.0, saveat=at).ys
of_some_rank = jnp.asarray(np.zeros([2] * n), jnp.bfloat16)
ranked = diffrax.diffeqsolve(terms, diffrax.Euler(), 0.0, 1.0, 0.5, of_some_rank, 1.0).ys
solution = lineax.linear_solve(lineax.MatrixLinearOperator(jnp.eye(n)), jnp.ones(n)).value
"""


def test_of_sizes_that_are_not_known_the_dtype_is_known() -> None:
    """Sizes and ranks are not: what is put in their place says nothing of them."""
    source = _IMPORTS + _OPEN
    told, result = interpreted(source)
    names = {"sized": "float32[?, ?, ?]", "timed": "float32[?, ?]", "ranked": "float32[...]", "solution": "float32[?]"}
    real = run(source)
    assert wrong_claims(source, {n: told[n] for n in names}, {n: real[n] for n in names}) == []
    assert {name: str(told[name].aval) for name in names} == names
    assert result.diagnostics == []


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("lineax.linear_solve(lineax.MatrixLinearOperator(jnp.eye(4)), jnp.ones(3))", "structures do not match"),
        (
            "terms = diffrax.ODETerm(lambda t, y, args: jnp.zeros(5))\n"
            "diffrax.diffeqsolve(terms, diffrax.Euler(), 0, 1, 0.5, jnp.ones(2))",
            "Incompatible types for broadcasting",
        ),
    ],
)
def test_what_a_solver_refuses_is_told(line: str, sentence: str) -> None:
    """With its own sentence, as when it runs."""
    _, result = interpreted(_IMPORTS + line)
    with pytest.raises(ValueError, match=sentence):
        run(_IMPORTS + line)
    assert [sentence in m.message for m in result.diagnostics] == [True]
