"""Linear algebra, under `jax.numpy.linalg`'s names and signatures.

Source: https://docs.jax.dev/en/latest/jax.numpy.linalg.html.
"""

from arraytyping.numpy.decompositions import *  # noqa: F403
from arraytyping.numpy.eigenvalues import *  # noqa: F403
from arraytyping.numpy.matrix_products import *  # noqa: F403
from arraytyping.numpy.norms import *  # noqa: F403
from arraytyping.numpy.solving import *  # noqa: F403
