"""Functions of `jax.scipy`: those of `cluster`, `integrate`, `linalg`, `special` and `stats` that there are."""

from arraytyping.scipy import (
    cluster as cluster,
    integrate as integrate,
    linalg as linalg,
    special as special,
    stats as stats,
)
