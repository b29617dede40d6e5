"""Solutions of iterative solvers, and sums over a named axis: what is like an argument."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.sparse import linalg

matrix = jnp.eye(3) * 2
right = jnp.ones(3)
reveal_type(linalg.cg(matrix, right)[0])  # R: Array[float32, tuple[Literal[3]]]
reveal_type(linalg.cg(lambda v: matrix @ v, right, tol=1e-3)[0])  # R: Array[float32, tuple[Literal[3]]]
reveal_type(linalg.bicgstab(lambda v: 2 * v, right.astype(jnp.bfloat16))[0])  # R: Array[bfloat16, tuple[Literal[3]]]
several, _ = linalg.gmres(lambda v: 2 * v, jnp.ones((3, 2)))
reveal_type(several)  # R: Array[float32, tuple[Literal[3], Literal[2]]]
reveal_type(linalg.cg(matrix, np.ones(3, np.float32), x0=right)[0])  # R: Any
reveal_type(linalg.cg(matrix, np.ones(3))[0])  # R: Array[float32, tuple[Literal[3]]]
tree, _ = jax.scipy.sparse.linalg.cg(lambda t: {"a": t["a"] * 2, "b": t["b"] * 3}, {"a": right, "b": jnp.ones((2, 2))})
reveal_type(tree["b"])  # R: Array[float32, tuple[Literal[2], Literal[2]]]


def solve(w, b):
    x, _ = linalg.cg(lambda v: w.T @ (w @ v) + v, b)
    return x @ w.T


reveal_type(solve(jnp.ones((4, 3)), right))  # R: Array[float32, tuple[Literal[4]]]


@partial(jax.vmap, axis_name="i")
def centred(x):
    return x - jax.lax.pmean(x, "i")


reveal_type(centred(jnp.ones((5, 3))))  # R: Array[float32, tuple[Literal[5], Literal[3]]]
total = jax.vmap(lambda x: jax.lax.psum({"a": x, "b": x[0]}, axis_name="i"), axis_name="i")(jnp.ones((5, 3)))
reveal_type(total["b"])  # R: Array[float32, tuple[Literal[5]]]
summed = jax.vmap(lambda x: jax.lax.psum(x, "i"), axis_name="i")(jnp.arange(5))
reveal_type(summed)  # R: Any
most = jax.vmap(lambda x: jax.lax.pmax(x, "i"), axis_name="i")(jnp.ones(5, jnp.float16))
reveal_type(most)  # R: Array[float16, tuple[Literal[5]]]
