"""`jax.tree_util.Partial`, a function that is a pytree: in transformations, in trees, as a result, against a run."""

from __future__ import annotations

from pathlib import Path

import pytest
from kept_runs import run_or_recall

from arraytyping.checker.audit import compare
from arraytyping.checker.flow.start.program import interpret

pytest.importorskip("jax")

PROGRAM = """\
import functools
import jax, jax.numpy as jnp
from jax.tree_util import Partial, tree_structure

class Model:
    def scaled(self, a, b, n=2): return a * b * n

def times(a, x): return a * x

a, i = jnp.ones(3), jnp.arange(3)
p, model = Partial(times, a), Model()
jitted = jax.jit(lambda q, x: q(x))(p, i)
scanned = jax.lax.scan(lambda c, x: (c, c(x)), p, i)[1]
rows = jax.vmap(lambda q, x: q(x))(p, i)
narrow = jax.tree.map(lambda v: v.astype(jnp.bfloat16), p)(i)
leaf = jax.tree.leaves(p)[0]
result = jax.jit(lambda x: Partial(times, x))(a)
called, held = result(i), result.args[0]
chosen = jax.lax.cond(a[0] > 0, lambda: Partial(times, a), lambda: Partial(times, 2 * a))(i)
gradient = jax.grad(lambda q: q(a).sum())(p).args[0]
kinds = jnp.ones(2 if isinstance(p, Partial) and isinstance(p, functools.partial) and callable(p) else 3)
shapes = jnp.ones(jax.eval_shape(lambda x: Partial(times, x), a).args[0].shape)
mapped = jax.vmap(lambda x: Partial(times, x))(a).args[0]
summed = jax.tree.map(lambda u, v: u + v, p, Partial(times, a))(i)
same = jnp.ones(2 if tree_structure(p) == tree_structure(Partial(times, i)) else 3)
other = jnp.ones(2 if tree_structure(p) == tree_structure(Partial(model.scaled, a)) else 3)
grown = jax.lax.fori_loop(0, 3, lambda k, q: Partial(times, q.args[0] * 2), p)(i)
put = jax.device_put(p)(i)
by_name = jax.jit(lambda q: q(2.0))(Partial(times, x=a))
as_condition = jax.lax.while_loop(lambda q: q.args[0][0] < 9, lambda q: Partial(times, q.args[0] * 2), p).args[0]
tangent = jax.jvp(lambda q: q(i * 1.0), (p,), (p,))
method = Partial(model.scaled, a, n=3)
of_method = [method(a), jax.jit(method)(a), jax.vmap(method)(jnp.ones((4, 3))), functools.partial(method, a)()]
of_partial = [Partial(method)(a), Partial(functools.partial(model.scaled, a))(a), Partial(jnp.sin)(i)]
as_body = jax.lax.scan(Partial(lambda k, c, x: (c + k, x), 1.0), a, jnp.ones((4, 2)))
path = jnp.ones(len(jax.tree_util.keystr(jax.tree_util.tree_leaves_with_path(p)[0][0])))
method.extra = 3
extra = jnp.ones(method.extra)
"""
MISTAKES = {
    "jax.jit(lambda q: 1.0)(Partial(times, 'a'))": "array-call",
    "Partial(times, a)(jnp.ones(4))": "array-shape",
    "jax.lax.scan(lambda c, x: (Partial(lambda u, v: u, a), x), Partial(times, a), i)": "array-tree",
    "jax.lax.cond(a[0] > 0, lambda: Partial(jnp.sin, a), lambda: Partial(jnp.cos, a))": "array-tree",
    "jax.lax.cond(a[0] > 0, lambda: Partial(jnp.sin, a), lambda: a)": "array-tree",
}


def test_claims_hold_in_a_run(tmp_path: Path) -> None:
    path = tmp_path / "partials.py"
    path.write_text(PROGRAM, encoding="utf-8")
    result, run = interpret(path), run_or_recall([path])[path]
    assert run.exception is None, run.traceback
    assert [str(m) for m in result.diagnostics] == []
    assert not compare(result.program, run.observations).wrong
    coverage = result.program.coverage
    assert coverage.dtypes >= 0.95 * coverage.expressions


@pytest.mark.parametrize("call", MISTAKES)
def test_mistakes(call: str, tmp_path: Path) -> None:
    path = tmp_path / "partials.py"
    text = f"{PROGRAM.partition('p, model')[0]}y = {call}\n"
    path.write_text(text, encoding="utf-8")
    with pytest.raises((TypeError, ValueError)):
        exec(text, {"__name__": "partials"})
    found = interpret(path).diagnostics
    assert [m.code for m in found] == [MISTAKES[call]]
    assert "Node" not in found[0].message
