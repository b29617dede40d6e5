"""JAX rebuilds dicts from their leaves with the keys sorted, within a transformation and in what it gives: as run."""

from __future__ import annotations

from flow_values import interpreted, is_known, run, wrong_claims

SOURCE = """
import collections
import jax
import jax.numpy as jnp
d = {"b": jnp.ones(2), "a": jnp.ones(3), "c": jnp.ones(())}
n = {"z": d, "y": (d, [d])}
o = collections.OrderedDict([("b", jnp.ones(2)), ("a", jnp.ones(3))])
def first(x): return list(x.values())[0]
r0 = jax.jit(first)(d)
r1 = jax.jit(lambda x: first(x["z"]))(n)
r2 = jax.jit(lambda x: first(x["y"][1][0]))(n)
r3 = jax.jit(first)(o)
r4 = first(jax.jit(lambda x: {"q": x["b"], "e": x["a"]})(d))
r5 = first(jax.grad(lambda x: x["c"] * x["a"].sum())(d))
r6 = first(jax.tree.map(lambda x: x, d))
r7 = first(jax.lax.cond(True, lambda x: {"q": x["b"], "e": x["a"]}, lambda x: {"q": x["b"], "e": x["a"]}, d))
r8 = jax.lax.scan(lambda c, _: (c, first(c)), d, None, length=4)[1]
r9 = jax.vmap(lambda x: first(x), in_axes=({"b": 0, "a": 0},))({"b": jnp.ones((2, 2)), "a": jnp.ones((2, 3))})
s0 = first(jax.eval_shape(lambda x: x, d))
s1 = jax.grad(lambda x: first(x).sum())({"b": jnp.ones(2), "a": jnp.ones(3)})
s2 = jax.lax.fori_loop(0, 3, lambda i, x: {k: v for k, v in x.items()}, d)
s3 = first(s2)
s4 = first(jax.vmap(lambda x: {"q": x, "e": x.sum()})(jnp.ones((2, 3))))
s5 = first(jax.tree.map(lambda x, y: x, o, o))
s6 = first(jax.jit(lambda x: x)(o))
s7 = tuple(jax.jit(lambda x: x)(d))
s8 = first(jax.value_and_grad(lambda x: (x["c"], {"q": x["b"], "e": x["a"]}), has_aux=True)(d)[0][1])
s9 = first(jax.checkpoint(lambda x: {"q": x["b"], "e": x["a"]})(d))
t0 = first(jax.lax.while_loop(lambda x: False, lambda x: x, d))
t1 = first(jax.jvp(lambda x: {"q": x["b"], "e": x["a"]}, (d,), (d,))[0])
t2 = first(jax.vjp(lambda x: {"q": x["b"], "e": x["a"]}, d)[0])
t3 = first(jax.device_put(d))
t4 = first(jax.tree.leaves(d) and d)
t5 = jax.tree.leaves(d)[0]
t6 = first(jax.jit(lambda x: x)(collections.defaultdict(int, {"b": jnp.ones(2), "a": jnp.ones(3)})))
t7 = jax.jit(first)(collections.defaultdict(int, {"b": jnp.ones(2), "a": jnp.ones(3)}))
"""


def test_keys_are_sorted_where_jax_makes_a_tree_anew() -> None:
    variables, result = interpreted(SOURCE)
    assert not [m for m in result.diagnostics if m.is_certain]
    real = {name: value for name, value in run(SOURCE).items() if len(name) == 2}
    assert len(real) > 25
    assert wrong_claims(SOURCE, {name: variables[name] for name in real}, real) == []
    assert all(is_known(variables[name]) for name in real)
