"""How arrays lie over devices: meshes, specs, shardings, under the names of `jax.sharding`.

Source: https://docs.jax.dev/en/latest/jax.sharding.html.
"""

from __future__ import annotations

from arraytyping.runtime.sharding.layouts import NamedSharding, Sharding, SingleDeviceSharding
from arraytyping.runtime.sharding.meshes import AxisType, Mesh, get_mesh, set_mesh
from arraytyping.runtime.sharding.specs import PartitionSpec

__all__ = [
    "AxisType",
    "Mesh",
    "NamedSharding",
    "PartitionSpec",
    "Sharding",
    "SingleDeviceSharding",
    "get_mesh",
    "set_mesh",
]
