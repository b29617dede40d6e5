"""What is kept for the backward pass, under the names of `jax.ad_checkpoint`."""

import arraytyping.runtime as _runtime  # noqa: F401 (first: it says which library is missing)

# isort: split
from arraytyping.runtime import whole as whole  # first: what follows computes with it
from arraytyping.runtime.transformations.checkpoint_policies import checkpoint_name, checkpoint_policies
from arraytyping.runtime.transformations.staging_out import checkpoint, checkpoint as remat

__all__ = ["checkpoint", "checkpoint_name", "checkpoint_policies", "remat"]
