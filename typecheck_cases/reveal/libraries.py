"""Functions of `jax.nn`, `jax.random`, `jax.scipy`, `jax.numpy.linalg` and `jax.numpy.fft`."""

import jax
import jax.numpy as jnp
import jax.scipy.stats
from jax import random

x = jnp.ones((3, 4), jnp.bfloat16)
m = jnp.ones((2, 3, 3), jnp.float32)
key = random.key(0)
reveal_type(key)  # R: Array[Literal['key<fry>'], tuple[()]]
reveal_type(random.PRNGKey(0))  # R: Array[uint32, tuple[Literal[2]]]
reveal_type(random.key(0, impl="rbg"))  # R: Array[Literal['key<rbg>'], tuple[()]]
keys = random.split(key, 4)
reveal_type(keys)  # R: Array[Literal['key<fry>'], tuple[Literal[4]]]
reveal_type(keys[0])  # R: Array[Literal['key<fry>'], tuple[()]]
reveal_type(keys.reshape(2, 2))  # R: Array[Literal['key<fry>'], tuple[Literal[2], Literal[2]]]
reveal_type(jnp.stack([key, key]))  # R: Array[Literal['key<fry>'], tuple[Literal[2]]]
reveal_type(random.key_data(keys))  # R: Array[uint32, tuple[Literal[4], Literal[2]]]
first, second = random.split(key)
reveal_type(first)  # R: Array[Literal['key<fry>'], tuple[()]]
reveal_type(random.normal(first, (3, 2)))  # R: Array[float32, tuple[Literal[3], Literal[2]]]
reveal_type(random.randint(second, (5,), 0, 9))  # R: Array[int32, tuple[Literal[5]]]
reveal_type(random.categorical(key, x))  # R: Array[int32, tuple[Literal[3]]]
reveal_type(jax.nn.relu(x))  # R: Array[bfloat16, tuple[Literal[3], Literal[4]]]
reveal_type(jax.nn.silu(x))  # R: Array[bfloat16, tuple[Literal[3], Literal[4]]]
reveal_type(jax.nn.softmax(x))  # R: Array[bfloat16, tuple[Literal[3], Literal[4]]]
reveal_type(jax.nn.one_hot(jnp.arange(3), 5))  # R: Array[float32, tuple[Literal[3], Literal[5]]]
reveal_type(jax.scipy.special.logsumexp(m, axis=0))  # R: Array[float32, tuple[Literal[3], Literal[3]]]
reveal_type(jax.scipy.special.erf(m))  # R: Array[float32, tuple[Literal[2], Literal[3], Literal[3]]]
reveal_type(jax.scipy.linalg.expm(m))  # R: Array[float32, tuple[Literal[2], Literal[3], Literal[3]]]
reveal_type(jax.scipy.linalg.toeplitz(x[0], x[:, 0]))  # R: Array[bfloat16, tuple[Literal[4], Literal[3]]]
reveal_type(jax.scipy.linalg.sqrtm(m[0]))  # R: Array[complex64, tuple[Literal[3], Literal[3]]]
reveal_type(jax.scipy.linalg.funm(m[0], jnp.sin))  # R: Array[complex64, tuple[Literal[3], Literal[3]]]
reveal_type(jax.scipy.linalg.pascal(4))  # R: Array[float32, tuple[Literal[4], Literal[4]]]
reveal_type(jax.lax.linalg.symmetric_product(m, m))  # R: Array[float32, tuple[Literal[2], Literal[3], Literal[3]]]
reveal_type(jax.lax.linalg.qdwh(m[0])[1])  # R: Array[float32, tuple[Literal[3], Literal[3]]]
reveal_type(jax.scipy.stats.sem(x, axis=None))  # R: Array[bfloat16, tuple[()]]
reveal_type(jnp.linalg.inv(m))  # R: Array[float32, tuple[Literal[2], Literal[3], Literal[3]]]
reveal_type(jnp.linalg.det(m))  # R: Array[float32, tuple[Literal[2]]]
reveal_type(jnp.linalg.solve(m, jnp.ones((3, 1))))  # R: Array[float32, tuple[Literal[2], Literal[3], Literal[1]]]
values, vectors = jnp.linalg.eigh(m)
reveal_type(values)  # R: Array[float32, tuple[Literal[2], Literal[3]]]
reveal_type(vectors)  # R: Array[float32, tuple[Literal[2], Literal[3], Literal[3]]]
reveal_type(jnp.fft.rfft(m))  # R: Array[complex64, tuple[Literal[2], Literal[3], Literal[2]]]
reveal_type(jnp.fft.fftfreq(8))  # R: Array[float32, tuple[Literal[8]]]
