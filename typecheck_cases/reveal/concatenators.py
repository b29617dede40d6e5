"""Subscripts that join arrays, numbers and ranges."""

import jax
import jax.numpy as jnp

x = jnp.ones(3)
i = jnp.arange(4, dtype=jnp.int8)
m = jnp.ones((3, 2))
w = jnp.full((3,), 2)
reveal_type(jnp.c_[x, x])  # R: Array[float32, tuple[Literal[3], Literal[2]]]
reveal_type(jnp.c_[x, m])  # R: Array[float32, tuple[Literal[3], Literal[3]]]
reveal_type(jnp.c_[m, m, x])  # R: Array[float32, tuple[Literal[3], Literal[5]]]
reveal_type(jnp.c_[x])  # R: Array[float32, tuple[Literal[3], Literal[1]]]
reveal_type(jnp.c_[i, i.astype(bool)])  # R: Array[int8, tuple[Literal[4], Literal[2]]]
reveal_type(jnp.c_[1:4, x])  # R: Array[float32, tuple[Literal[3], Literal[2]]]
reveal_type(jnp.c_[2.0, 3])  # R: Array[float, tuple[Literal[1], Literal[2]]]
reveal_type(jnp.r_[x, i])  # R: Array[float32, tuple[Literal[7]]]
reveal_type(jnp.r_[x, 1, 2.5])  # R: Array[float32, tuple[Literal[5]]]
reveal_type(jnp.r_[1:5])  # R: Array[int32, tuple[Literal[4]]]
reveal_type(jnp.r_[1:5, 7])  # R: Array[int32, tuple[Literal[5]]]
reveal_type(jnp.r_[:5:2, i])  # R: Array[int32, tuple[Literal[7]]]
reveal_type(jnp.r_[0.0:1.0:0.25])  # R: Array[float32, tuple[Literal[4]]]
reveal_type(jnp.r_[m, m])  # R: Array[float32, tuple[Literal[6], Literal[2]]]
reveal_type(jnp.r_[w, w])  # R: Array[int, tuple[Literal[6]]]
reveal_type(jnp.r_[w, True])  # R: Array[int, tuple[Literal[4]]]
reveal_type(jnp.r_[w, i])  # R: Array[int8, tuple[Literal[7]]]
reveal_type(jnp.c_[w, w])  # R: Array[int, tuple[Literal[3], Literal[2]]]
reveal_type(jnp.r_[w])  # R: Array[int, tuple[Literal[3]]]
reveal_type(jnp.r_[jnp.asarray(2.0), 1])  # R: Array[float, tuple[Literal[2]]]
long1 = jnp.c_[jnp.ones((2, 3, 4)), jnp.ones((2, 3, 1))]
reveal_type(long1)  # R: Array[float32, tuple[Literal[2], Literal[3], Literal[5]]]
reveal_type(jnp.r_[5:1, 3])  # R: Array[int32, tuple[Literal[1]]]
reveal_type(jnp.r_[True, False])  # R: Array[bool_, tuple[Literal[2]]]
reveal_type(jax.jit(lambda a: jnp.c_[a, a])(x))  # R: Array[float32, tuple[Literal[3], Literal[2]]]
