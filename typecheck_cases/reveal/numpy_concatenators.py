"""`np.r_` and `np.c_`: arrays, numbers and ranges that are joined, as JAX takes the result."""

import jax.numpy as jnp
import numpy as np

f = np.ones(3, np.float32)
d = np.ones((3, 2))


def joined(a, b):
    return jnp.asarray(np.c_[a, b])


reveal_type(jnp.asarray(np.c_[f, f]))  # R: Array[float32, tuple[Literal[3], Literal[2]]]
reveal_type(joined(f.astype(np.float16), d.astype(np.int8)))  # R: Array[float16, tuple[Literal[3], Literal[3]]]
reveal_type(jnp.asarray(np.r_[f, 1.0]))  # R: Array[float32, tuple[Literal[4]]]
reveal_type(jnp.asarray(np.r_[np.ones(2, np.int8), 3]))  # R: Array[int8, tuple[Literal[3]]]
reveal_type(jnp.asarray(np.r_[np.arange(3), 1.5]))  # R: Array[Any, Any]
reveal_type(jnp.asarray(np.r_[1:4, f]))  # R: Array[float32, tuple[Literal[6]]]
reveal_type(jnp.asarray(np.r_[1:8:2]))  # R: Array[int32, tuple[Literal[4]]]
reveal_type(jnp.asarray(np.r_["0,2", f, f]))  # R: Array[Any, Any]
