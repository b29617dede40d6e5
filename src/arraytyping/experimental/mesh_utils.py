"""Devices in the shape of a mesh, under the name of `jax.experimental.mesh_utils`.

Source: https://docs.jax.dev/en/latest/jax.experimental.mesh_utils.html.
"""

from arraytyping.runtime.meshes import create_device_mesh

__all__ = ["create_device_mesh"]
