"""A model of equinox: its arrays and the batch are put where they lie by filter_shard."""

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((8,), ("batch",), axis_types=(AxisType.Auto,))
rows = NamedSharding(mesh, P("batch"))
whole = NamedSharding(mesh, P())

model = eqx.nn.MLP(4, 2, 16, 2, key=jax.random.key(0))
optimizer = optax.adam(1e-3)
state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))


@eqx.filter_jit
def step(model, state, x, y):
    model, state = eqx.filter_shard((model, state), whole)
    x, y = eqx.filter_shard((x, y), rows)

    @eqx.filter_value_and_grad
    def loss(model):
        return jnp.mean((jax.vmap(model)(x) - y) ** 2)

    value, grads = loss(model)
    updates, state = optimizer.update(grads, state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), state, value


x, y = jnp.ones((32, 4)), jnp.ones((32, 2))
x = jax.device_put(x, rows)  # mistake: x = jax.device_put(x[:31], rows) [array-sharding]
y = eqx.filter_shard(y, rows)  # mistake: y = eqx.filter_shard(y[:9], rows) [array-sharding]
model, state, value = step(model, state, x, y)
print(value.shape, x.shape)
