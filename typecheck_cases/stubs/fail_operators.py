"""Mistakes that every checker finds with the stubs: each marked line, and no other."""

import jax.numpy as jnp

x = jnp.zeros((3,), jnp.float8_e4m3fn)
y = jnp.zeros((3,), jnp.int4)
z = jnp.zeros((3,))
x + y  # mistake
z & z  # mistake
z << 1  # mistake
~z  # mistake
z + "a"  # mistake
z @ 2  # mistake
jnp.arctan2(x, y)  # mistake
z.no_such_method()  # mistake
z.sum(axes=0)  # mistake
jnp.sin(z, z)  # mistake
