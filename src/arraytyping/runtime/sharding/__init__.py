"""How arrays lie over devices: meshes, specs, shardings, under the names of `jax.sharding`.

Source: https://docs.jax.dev/en/latest/jax.sharding.html.
"""

from __future__ import annotations

from arraytyping.runtime.sharding.layouts import NamedSharding, Sharding, SingleDeviceSharding
from arraytyping.runtime.sharding.mesh_axes import AbstractDevice, AbstractMesh, AxisType
from arraytyping.runtime.sharding.meshes import Mesh, get_mesh, set_mesh
from arraytyping.runtime.sharding.specs import PartitionSpec

__all__ = [
    "AbstractDevice",
    "AbstractMesh",
    "AxisType",
    "Mesh",
    "NamedSharding",
    "PartitionSpec",
    "Sharding",
    "SingleDeviceSharding",
    "get_mesh",
    "set_mesh",
]
