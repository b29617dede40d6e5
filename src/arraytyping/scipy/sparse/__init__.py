"""Linear equations of which only the product with the matrix is known, under the name of `jax.scipy.sparse`."""

from arraytyping.scipy.sparse import linalg as linalg
