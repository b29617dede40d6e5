"""Functions with their own rules for batches, under the names of `jax.custom_batching`."""

import arraytyping.runtime as _runtime  # noqa: F401 (first: it says which library is missing)

# isort: split
from arraytyping.runtime import whole as whole  # first: what follows computes with it
from arraytyping.runtime.transformations.custom_batching import custom_vmap, sequential_vmap

__all__ = ["custom_vmap", "sequential_vmap"]
