"""Functions of jax whose arguments are given by their names: they give what they give by position."""

from __future__ import annotations

import pytest
from flow_values import interpreted, run, wrong_claims

_HEAD = """
import jax, jax.numpy as jnp
from jax import lax, random
x = jnp.ones(3)
f = lambda a: a * 2
s = lambda a: (a ** 2).sum()
t = {"a": x, "b": (x, x)}
leaves, treedef = jax.tree.flatten(tree=t)
key = random.key(seed=0)
"""
_CALLS = [
    "jax.vmap(fun=f)(x)",
    "jax.grad(fun=s)(x)",
    "jax.value_and_grad(fun=s)(x)",
    "jax.checkpoint(fun=f)(x)",
    "jax.jvp(fun=f, primals=(x,), tangents=(x,))",
    "jax.hessian(fun=s)(x)",
    "jax.jacfwd(fun=f)(x)",
    "lax.scan(f=lambda c, y: (c + y, c), init=0.0, xs=x)",
    "lax.while_loop(cond_fun=lambda c: c.sum() < 3, body_fun=lambda c: c + 1, init_val=x)",
    "lax.fori_loop(lower=0, upper=3, body_fun=lambda i, c: c + i, init_val=x)",
    "lax.map(f=f, xs=x)",
    "lax.associative_scan(fn=jnp.add, elems=x)",
    "jax.tree.map(f=f, tree=t)",
    "jax.tree_util.tree_map(f=f, tree=t, is_leaf=lambda v: isinstance(v, int))",
    "jax.tree_util.tree_map(f, tree=t)",
    "jax.tree.leaves(tree=t)",
    "jax.tree.reduce(function=jnp.add, tree=t)",
    "jax.tree.all(tree={'a': True})",
    "jax.tree.unflatten(treedef=treedef, leaves=leaves)",
    "jax.tree_util.tree_map_with_path(f=lambda path, a: a * 2, tree=t)",
    "[leaf for _, leaf in jax.tree_util.tree_leaves_with_path(tree=t)]",
    "random.split(key=key, num=3)",
    "random.fold_in(key=key, data=3)",
    "random.normal(key=key, shape=(2,))",
    "jax.pure_callback(callback=lambda a: a, result_shape_dtypes=jax.ShapeDtypeStruct((3,), jnp.float32), a=x)[:2]",
]


@pytest.mark.parametrize("call", _CALLS)
def test_arguments_by_name(call: str) -> None:
    source = f"{_HEAD}found = {call}\n"
    variables, result = interpreted(source)
    assert not result.diagnostics
    assert not result.crashes
    assert wrong_claims(source, {"found": variables["found"]}, {"found": run(source)["found"]}) == []
    assert "Unknown" not in repr(variables["found"])
