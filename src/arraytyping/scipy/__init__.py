"""Functions of `jax.scipy`, in the modules that there are."""

from arraytyping.scipy import (
    cluster as cluster,
    integrate as integrate,
    linalg as linalg,
    ndimage as ndimage,
    special as special,
    stats as stats,
)
