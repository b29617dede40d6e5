"""Every line marked `# E:` is a mistake with this code, and raises (or, for array-x64, warns) when it runs."""

import jax.numpy as jnp

x = jnp.ones((3, 4), jnp.int8)
f = jnp.ones((3,), jnp.float32)
e = jnp.ones((3, 4), jnp.float8_e5m2)
h = jnp.ones((3, 4), jnp.float16)
s = jnp.int8(1)
x + jnp.ones((3,))  # E: array-shape
jnp.add(x, jnp.ones((5, 4)))  # E: array-shape
e + h  # E: array-dtype
h * e  # E: array-dtype
x @ x  # E: array-shape
x @ s  # E: array-dim
jnp.dot(x, x)  # E: array-shape
jnp.einsum("ij,ij->k", x, x)  # E: array-shape
jnp.reshape(x, (5, 5))  # E: array-shape
x.reshape(7, -1)  # E: array-shape
jnp.sum(x, axis=2)  # E: array-dim
x.mean(axis=-3)  # E: array-dim
x[0, 0, 0]  # E: array-dim
x[:, :, None, 0]  # E: array-dim
f & 1  # E: array-dtype
2.5 | x  # E: array-dtype
~f  # E: array-dtype
f << 1  # E: array-dtype
-(x > 0)  # E: array-dtype
(x > 0) - (x > 0)  # E: array-dtype
jnp.concatenate([x, jnp.ones((3, 5))])  # E: array-shape
jnp.stack([x, f])  # E: array-shape
jnp.where(x > 0, f, 0)  # E: array-shape
jnp.transpose(x, (0, 0))  # E: array-dim
jnp.squeeze(x, axis=0)  # E: array-shape
jnp.broadcast_to(x, (4, 3))  # E: array-shape
jnp.swapaxes(x, 0, 5)  # E: array-dim
jnp.zeros((-1, 3))  # E: array-shape
jnp.linspace(0, 1, -5)  # E: array-shape
jnp.zeros(3, jnp.float64)  # E: array-x64
x.astype("int64")  # E: array-x64
x.at[0].set(jnp.ones((3, 3), jnp.int8))  # E: array-shape
jnp.array([[1, 2], [3]])  # E: array-shape
jnp.promote_types(jnp.float8_e5m2, jnp.float16)  # E: array-dtype
x += jnp.ones((3,))  # E: array-shape
jnp.packbits(f)  # E: array-dtype
jnp.convolve(f, h)  # E: array-shape
jnp.linalg.multi_dot([h, h])  # E: array-shape
jnp.partition(f, 3)  # E: array-dim
