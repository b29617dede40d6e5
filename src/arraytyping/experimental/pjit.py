"""`pjit`, the older name of `jit`, under the name of `jax.experimental.pjit`.

Within `with mesh:` it runs where `jit` does; `with set_mesh(mesh):` has programs run on the devices of the mesh.

Source: https://docs.jax.dev/en/latest/jax.experimental.pjit.html.
"""

from arraytyping.runtime.transformations.jit import jit as pjit

__all__ = ["pjit"]
