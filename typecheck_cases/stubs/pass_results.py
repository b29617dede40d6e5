"""Options that make something else of a result than an array."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy import linalg, special

x = jnp.asarray([1.0, 2.0, 3.0])
flag: bool = x.shape[0] > 2
unknown: Any = True
unknown_number: Any = 1
unknown_dtype: Any = None

points: tuple[jax.Array, jax.Array] = jnp.linspace(0, 1, 5, retstep=True)
places, step = jnp.linspace(0, 1, 5, True, True)
either: Any = jnp.linspace(0, 1, retstep=flag)
spaced: jax.Array = jnp.linspace(0.0, 1.0, retstep=False)
sparse: tuple[jax.Array, ...] = jnp.indices((2, 3), sparse=True)
rows, columns = jnp.indices((2, 3), jnp.int32, True)
dense: jax.Array = jnp.indices((2, 3))
counted: tuple[jax.Array, jax.Array] = jnp.unique(x, return_counts=True)
values, first, inverse = jnp.unique(x, return_index=True, return_inverse=True)
values, first, inverse, counts = jnp.unique(x, True, True, True)
weighed: tuple[jax.Array, jax.Array] = jnp.average(x, returned=True)
signed: tuple[jax.Array, jax.Array] = special.logsumexp(x, return_sign=True)
again: tuple[jax.Array, jax.Array] = jax.nn.logsumexp(x, return_sign=unknown)
again = jax.nn.logsumexp(x, return_sign=flag)

made: jax.Array = lax.empty((2, 3), jnp.float32)
named: jax.Array = lax.empty(3, dtype="int32")
like: jax.Array = lax.full_like(jax.ShapeDtypeStruct((3,), jnp.float32), 0)
largest: list[jax.Array] = lax.top_k(x, 2)
lower, upper, pivots = lax.linalg.lu(jnp.eye(3))
both: tuple[jax.Array, jax.Array] = linalg.funm(jnp.eye(3), jnp.sin, disp=False)
function: jax.Array = linalg.funm(jnp.eye(3), jnp.sin)
matrix: jax.Array = linalg.hadamard(2, jnp.bfloat16)
sorted_pair: tuple[jax.Array, ...] = lax.sort((x, x))
stopped: tuple[jax.Array, float] = lax.stop_gradient((x, 1.0))
host: np.ndarray[Any, Any] = jnp.reshape(np.ones(3, np.float32), (3,))
lines: jax.Array = jnp.linspace(0, unknown_number, 3)
pair: tuple[jax.Array, jax.Array] = jnp.fromfunction(lambda i: (i, i), (3,))

key = jax.random.key(0)
normal = jax.random.normal(key, (2, 3)) + jnp.zeros((2, 3))
half = jax.random.uniform(key, shape=[2], dtype=jnp.float16, minval=-1)
whole = jax.random.randint(key, (3,), 0, 10) << 1
coins = jax.random.bernoulli(key, 0.5, (3,)) & jax.random.bernoulli(key, shape=(3,))
exponents = jax.random.exponential(key, (2,), "bfloat16") + jax.random.normal(
    jax.random.PRNGKey(0), dtype=unknown_dtype
)
