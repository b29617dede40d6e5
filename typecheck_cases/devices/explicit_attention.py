"""Attention with explicit shardings: the heads lie on the devices along one axis, the batch along the other."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((2, 4), ("data", "heads"), axis_types=(jax.sharding.AxisType.Explicit,) * 2)


@jax.jit
def attention(x, wq, wk, wv, wo):
    q = jnp.einsum("btd,dhk->bthk", x, wq)
    k = jnp.einsum("btd,dhk->bthk", x, wk)
    v = jnp.einsum("btd,dhk->bthk", x, wv)
    scores = jnp.einsum("bthk,bshk->bhts", q, k)
    weights = jax.nn.softmax(scores, axis=-1)
    mixed = jnp.einsum("bhts,bshk->bthk", weights, v)
    return jnp.einsum("bthk,hkd->btd", mixed, wo, out_sharding=P("data"))  # mistake: return jnp.einsum("bthk,hkd->btd", mixed, wo) [array-sharding]


with jax.set_mesh(mesh):
    x = jax.device_put(jnp.ones((4, 6, 16)), P("data"))
    wq, wk, wv = (jax.device_put(jnp.ones((16, 8, 5)), P(None, "heads")) for _ in range(3))  # mistake: wq, wk, wv = (jax.device_put(jnp.ones((16, 6, 5)), P(None, "heads")) for _ in range(3)) [array-sharding]
    wo = jax.device_put(jnp.ones((8, 5, 16)), P("heads"))
    y = attention(x, wq, wk, wv, wo)
    z = y + x
    bad = z + jax.sharding.reshard(x, P("data"))  # mistake: bad = z + jax.sharding.reshard(x, P("heads")) [array-sharding]
    grads = jax.grad(lambda w: attention(x, w, wk, wv, wo).sum())(wq)
    print(jax.typeof(z), jax.typeof(grads))
