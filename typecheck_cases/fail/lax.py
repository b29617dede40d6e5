"""Every line marked `# E:` is a mistake with this code, and raises when it runs: `jax.lax` converts nothing."""

import jax.numpy as jnp
from jax import lax

f = jnp.ones((3, 4), jnp.float32)
h = jnp.ones((3, 4), jnp.bfloat16)
i = jnp.ones((3, 4), jnp.int32)
v = jnp.ones((4,), jnp.float32)
lax.add(f, 1.0)
lax.add(f, 1)  # E: array-dtype
lax.add(f, i)  # E: array-dtype
lax.mul(f, h)  # E: array-dtype
lax.sub(f, v)  # E: array-shape
lax.max(f, jnp.ones((3, 5)))  # E: array-shape
lax.sin(i)  # E: array-dtype
lax.neg(f > 0)  # E: array-dtype
lax.bitwise_and(f, f)  # E: array-dtype
lax.pow(i, i)  # E: array-dtype
lax.integer_pow(i, -1)  # E: array-dtype
lax.clamp(0, f, 1)  # E: array-dtype
lax.select(f > 0, f, 0.0)  # E: array-shape
lax.select(f, f, f)  # E: array-dtype
lax.bitcast_convert_type(h, jnp.float32)  # E: array-shape
lax.reduce_sum(f, (-1,))  # E: array-dim
lax.reduce_max(f, (0, 0))  # E: array-dim
lax.reduce_or(f, (0,))  # E: array-dtype
lax.argmax(f, 2, jnp.int32)  # E: array-dim
lax.argmax(f, 0, jnp.float32)  # E: array-dtype
lax.cumsum(f, axis=-1)  # E: array-dim
lax.sort((f, v))  # E: array-shape
lax.broadcasted_iota(jnp.int32, (2, 3), 2)  # E: array-dim
lax.dot(f, f)  # E: array-shape
lax.dot_general(f, f, (((1,), (0,)), ((), ())))  # E: array-shape
lax.dot_general(f, f, (((2,), (0,)), ((), ())))  # E: array-dim
lax.batch_matmul(v, v)  # E: array-dim
lax.conv_general_dilated(jnp.ones((1, 8, 8, 3)), jnp.ones((3, 3, 3, 5)), (1, 1), "SAME")  # E: array-shape
