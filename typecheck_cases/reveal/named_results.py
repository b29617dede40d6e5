"""Attributes of the named tuples that functions give: each is the item of the tuple."""

import jax
import jax.numpy as jnp
import jax.scipy.stats

x = jnp.ones((3, 3)) + jnp.eye(3)
batch = jnp.ones((4, 2, 3), jnp.bfloat16)
found = jnp.linalg.eigh(x)
reveal_type(found.eigenvalues)  # R: Array[float32, tuple[Literal[3]]]
reveal_type(found.eigenvectors)  # R: Array[float32, tuple[Literal[3], Literal[3]]]
reveal_type(jnp.linalg.eig(x).eigenvalues)  # R: Array[complex64, tuple[Literal[3]]]
reveal_type(jnp.linalg.slogdet(x).sign)  # R: Array[float32, tuple[()]]
reveal_type(jnp.linalg.slogdet(x).logabsdet * 2)  # R: Array[float32, tuple[()]]
reveal_type(jnp.linalg.qr(x[:, :2]).Q)  # R: Array[float32, tuple[Literal[3], Literal[2]]]
reveal_type(jnp.linalg.qr(x, "r"))  # R: Array[float32, tuple[Literal[3], Literal[3]]]
reveal_type(jnp.linalg.svd(x[:2]).S)  # R: Array[float32, tuple[Literal[2]]]
reveal_type(jnp.linalg.svd(x[:2]).Vh)  # R: Array[float32, tuple[Literal[3], Literal[3]]]
reveal_type(jnp.linalg.svd(x[:2], full_matrices=False).Vh)  # R: Array[float32, tuple[Literal[2], Literal[3]]]
reveal_type(jnp.linalg.svd(x, compute_uv=False))  # R: Array[float32, tuple[Literal[3]]]
reveal_type(jax.scipy.stats.mode(batch).mode)  # R: Array[bfloat16, tuple[Literal[2], Literal[3]]]
reveal_type(jax.scipy.stats.mode(batch, axis=1).count)  # R: Array[int32, tuple[Literal[4], Literal[3]]]


def logdet(matrix: jax.Array) -> jax.Array:
    known = jnp.linalg.slogdet(matrix[:2, :2].astype(jnp.float16).astype(jnp.float32))
    reveal_type(known.sign)  # R: Array[float32, Any]
    return known.logabsdet


logdet(x)
