"""Functions of `jax.numpy` of which the rules are composed of others'."""

import jax.numpy as jnp

x = jnp.linspace(0.0, 1.0, 8)
halves = x.astype(jnp.bfloat16)
table = jnp.ones((3, 8), jnp.int8)
reveal_type(jnp.polyval(jnp.array([1, 2, 3]), halves))  # R: Array[bfloat16, tuple[Literal[8]]]
reveal_type(jnp.polymul(x, jnp.ones(3)))  # R: Array[float32, tuple[Literal[10]]]
three = jnp.ones(3)
reveal_type(jnp.polydiv(x, three))  # R: tuple[Array[float32, tuple[Literal[6]]], Array[float32, tuple[Literal[8]]]]
reveal_type(jnp.polyder(table[0], 2))  # R: Array[float32, tuple[Literal[6]]]
reveal_type(jnp.polyfit(x, x, 2))  # R: Array[float32, tuple[Literal[3]]]
reveal_type(jnp.cov(table))  # R: Array[float32, tuple[Literal[3], Literal[3]]]
reveal_type(jnp.corrcoef(halves))  # R: Array[bfloat16, tuple[()]]
reveal_type(jnp.packbits(table, axis=1))  # R: Array[uint8, tuple[Literal[3], Literal[1]]]
reveal_type(jnp.unpackbits(jnp.packbits(table), count=20))  # R: Array[uint8, tuple[Literal[20]]]
reveal_type(jnp.convolve(x, jnp.ones(3), mode="same"))  # R: Array[float32, tuple[Literal[8]]]
reveal_type(jnp.interp(table, x, x))  # R: Array[float32, tuple[Literal[3], Literal[8]]]
reveal_type(jnp.gradient(table, axis=1))  # R: Array[float32, tuple[Literal[3], Literal[8]]]
reveal_type(jnp.tril_indices(4)[0])  # R: Array[int32, tuple[Literal[10]]]
reveal_type(jnp.unravel_index(jnp.arange(5), (3, 8))[1])  # R: Array[int32, tuple[Literal[5]]]
reveal_type(jnp.histogram(x, 5)[0])  # R: Array[float32, tuple[Literal[5]]]
reveal_type(jnp.partition(table, 2))  # R: Array[int8, tuple[Literal[3], Literal[8]]]
reveal_type(jnp.linalg.eig(table[:, :3])[1])  # R: Array[complex64, tuple[Literal[3], Literal[3]]]
reveal_type(jnp.linalg.lstsq(jnp.ones((8, 3)), x)[0])  # R: Array[float32, tuple[Literal[3]]]
reveal_type(jnp.array_equal(x, halves))  # R: Array[bool_, tuple[()]]
