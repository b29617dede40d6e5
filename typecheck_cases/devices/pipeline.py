"""A pipeline: each device has a stage, and activations move on to the next by ppermute."""

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec as P

STAGES = 8
mesh = jax.make_mesh((STAGES,), ("stage",), axis_types=(AxisType.Auto,))


def stage(w, x):
    return jnp.tanh(x @ w)


def run(w, batches):
    w = w[0]
    index = jax.lax.axis_index("stage")  # mistake: index = jax.lax.axis_index("stages") [array-sharding]
    count, rows, width = batches.shape
    ring = [(i, (i + 1) % STAGES) for i in range(STAGES)]

    def tick(held, t):
        fed = jnp.where(index == 0, batches[jnp.minimum(t, count - 1)], held)
        out = stage(w, fed)
        return jax.lax.ppermute(out, "stage", ring), out

    start = jax.lax.pcast(jnp.zeros((rows, width)), ("stage",), to="varying")  # mistake b: start = jnp.zeros((rows, width)) [array-sharding]
    _, outs = jax.lax.scan(tick, start, jnp.arange(count + STAGES - 1))  # shows b
    last = jnp.where(index == STAGES - 1, outs[STAGES - 1 :], 0.0)
    return jax.lax.psum(last, "stage")


pipelined = jax.jit(jax.shard_map(run, mesh=mesh, in_specs=(P("stage"), P()), out_specs=P()))
weights = jnp.ones((STAGES, 6, 6))
result = pipelined(weights, jnp.ones((4, 2, 6)))  # mistake: result = pipelined(weights[:7], jnp.ones((4, 2, 6))) [array-sharding]
print(result.shape)
