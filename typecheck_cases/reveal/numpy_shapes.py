"""Where nothing is known of a shape, mypy takes NumPy's functions to give arrays without dimensions: it is not known."""

import jax
import jax.numpy as jnp
import numpy as np


def of_same_shape(x: np.ndarray, y: jax.Array) -> None:
    reveal_type(y @ np.ones(x.shape))  # R: Array[Any, Any]
    reveal_type(jnp.asarray(np.ones(x.shape)))  # R: Array[float32, Any]
    reveal_type(jnp.ones((3, 4)) * np.full(x.shape, 1.0, np.float64))  # R: Array[float32, Any]
    reveal_type(jnp.sum(np.reshape(x, (*x.shape, 1)), axis=0))  # R: Array[Any, Any]


of_same_shape(np.ones((3, 4)), jnp.ones((4, 3)))
