"""Linear equations solved in Krylov spaces, under the names of `jax.scipy.sparse.linalg`."""

from arraytyping.runtime import whole as whole  # first: what follows computes with it
from arraytyping.scipy.conjugate_gradients import bicgstab as bicgstab, cg as cg
from arraytyping.scipy.minimal_residuals import gmres as gmres
