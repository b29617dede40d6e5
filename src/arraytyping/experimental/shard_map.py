"""`shard_map` with the signature that it had in `jax.experimental.shard_map`.

Source: https://github.com/jax-ml/jax/blob/main/jax/experimental/shard_map.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arraytyping.runtime.sharding import Mesh
from arraytyping.runtime.transformations import shard_mapping

__all__ = ["shard_map"]


def shard_map(
    f: Callable[..., Any], mesh: Mesh, in_specs: Any, out_specs: Any, check_rep: bool = True
) -> Callable[..., Any]:
    """`jax.shard_map`, whose `check_vma` is `check_rep` here."""
    return shard_mapping.shard_map(f, mesh=mesh, in_specs=in_specs, out_specs=out_specs, check_vma=check_rep)
