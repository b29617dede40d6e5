"""Power looks at a known exponent; where tracing changes the answer, both are claimed."""

import jax
import jax.numpy as jnp

x = jnp.ones((3,), jnp.int8)
reveal_type(x**2)  # R: Array[int8, tuple[Literal[3]]]
reveal_type(x**2.0)  # R: Array[float, tuple[Literal[3]]]
reveal_type(2**x)  # R: Array[int8, tuple[Literal[3]]]
reveal_type(x ** jnp.ones((3,), jnp.int32))  # R: Array[int32, tuple[Literal[3]]]
reveal_type(jnp.int8(2) ** jnp.int32(3))  # R: Array[int8 | int32, tuple[()]]
reveal_type(jax.jit(lambda: jnp.int8(2) ** jnp.int32(3))())  # R: Array[int8 | int32, tuple[()]]
