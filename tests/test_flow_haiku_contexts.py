"""Context managers of Haiku, which change the keys, names and parameters that its functions give: against runs."""

from __future__ import annotations

import pytest
from flow_values import interpreted, is_known, run, wrong_claims

_STACKED = """
import haiku as hk, jax, jax.numpy as jnp
count = 3
def creator(next_creator, shape, dtype, init, context):
    def multi_init(shape, dtype):
        assert shape[0] == count
        key = hk.maybe_next_rng_key()
        def one(i):
            return init(shape[1:], dtype)
        return jax.vmap(one)(jnp.arange(count))
    return next_creator((count,) + tuple(shape), dtype, multi_init)
def getter(next_getter, value, context):
    t = len(context.original_shape) + 1
    s = jax.lax.index_in_dim(value, index=0, axis=value.ndim - t, keepdims=False)
    return next_getter(s)
def f(x):
    with hk.experimental.custom_creator(creator), hk.experimental.custom_getter(getter):
        return hk.Linear(4, name="l")(x)
t = hk.transform(f)
p = t.init(jax.random.PRNGKey(0), jnp.ones((2, 4)))
found_1 = p["l"]["w"]
found_2 = t.apply(p, None, jnp.ones((2, 4)))
"""
_SCOPES = """
import haiku as hk, jax, jax.numpy as jnp
def f(x):
    k = hk.next_rng_key()
    with hk.with_rng(jax.random.PRNGKey(3)):
        a = hk.next_rng_key()
        b = hk.dropout(hk.next_rng_key(), 0.5, x)
    with hk.name_scope("outer"):
        y = hk.Linear(3)(b)
    with hk.experimental.custom_getter(lambda nxt, v, c: nxt(v.astype(jnp.bfloat16))):
        z = hk.Linear(2, name="z")(x.astype(jnp.bfloat16))
    def method_interceptor(nxt, args, kwargs, ctx):
        out = nxt(*args, **kwargs)
        return out.astype(jnp.float16) if ctx.method_name == "__call__" else out
    with hk.intercept_methods(method_interceptor):
        w = hk.Linear(2, name="w")(x)
    return y, z, w, a, hk.Linear(2, name="q")(x)
t = hk.transform(f)
p = t.init(jax.random.PRNGKey(0), jnp.ones((2, 4)))
found_1 = p
found_2 = t.apply(p, jax.random.PRNGKey(0), jnp.ones((2, 4)))
"""
_OVER = """
import haiku as hk, jax, jax.numpy as jnp
def getter(nxt, v, c):
    return nxt(v * 2)
def g(x):
    halved = hk.experimental.custom_creator(lambda n, s, d, i, c: n(s, jnp.bfloat16, i))
    with halved, hk.experimental.custom_getter(getter):
        a = hk.Linear(3)(x)
    return a, hk.Linear(3)(x)
t = hk.transform(g)
p = t.init(jax.random.PRNGKey(0), jnp.ones((2, 4)))
found_3 = p
"""


@pytest.mark.parametrize("source", [_STACKED, _SCOPES, _OVER], ids=["parameters in a stack", "scopes", "what is over"])
def test_what_is_in_them_and_after_them_is_known(source: str) -> None:
    """They hold to the end of their block, and no longer."""
    told, result = interpreted(source)
    real = run(source)
    names = [name for name in real if name.startswith("found_")]
    assert [name for name in names if not is_known(told[name])] == []
    assert wrong_claims(source, {n: told[n] for n in names}, {n: real[n] for n in names}) == []
    assert result.diagnostics == []
