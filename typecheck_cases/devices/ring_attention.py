"""Attention over a sequence that is cut over the devices: keys and values go round the ring."""

from functools import partial

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec as P

mesh = jax.make_mesh((2, 4), ("batch", "seq"), axis_types=(AxisType.Auto, AxisType.Auto))
spec = P("batch", None, "seq", None)  # mistake a: spec = P("batch", None, "seq", None, None) [array-sharding]


@partial(jax.shard_map, mesh=mesh, in_specs=(spec, spec, spec), out_specs=spec)
def attend(q, k, v):
    size = jax.lax.axis_size("seq")
    ring = [(i, (i + 1) % size) for i in range(size)]

    def turn(carry, _):
        k, v, top, norm, out = carry
        scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / jnp.sqrt(q.shape[-1])
        new_top = jnp.maximum(top, scores.max(-1))
        scale = jnp.exp(top - new_top)
        weights = jnp.exp(scores - new_top[..., None])
        norm = norm * scale + weights.sum(-1)
        out = out * scale[..., None] + jnp.einsum("bhqk,bhkd->bhqd", weights, v)
        k, v = (jax.lax.ppermute(t, "seq", ring) for t in (k, v))  # mistake: k, v = (jax.lax.ppermute(t, "sequence", ring) for t in (k, v)) [array-sharding]
        return (k, v, new_top, norm, out), None

    top = jnp.full_like(q[..., 0], -1e30)
    start = (k, v, top, jnp.zeros_like(top), jnp.zeros_like(q))  # mistake b: start = (k, v, top, jnp.zeros(top.shape), jnp.zeros_like(q)) [array-sharding]
    (_, _, _, norm, out), _ = jax.lax.scan(turn, start, None, length=size)  # shows b
    return out / norm[..., None]


q = jnp.ones((4, 2, 32, 8))
out = jax.jit(attend)(q, q, q)  # shows a  # mistake: out = jax.jit(attend)(q[:, :, :30], q, q) [array-sharding]
print(out.shape)
