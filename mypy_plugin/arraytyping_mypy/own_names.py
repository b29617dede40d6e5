"""The names of arraytyping's own arrays and functions as names of JAX, which say which rule is meant.

With its stubs a function is known under the module in which a program finds it, without them under the one that defines
it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

__all__ = ["OWN", "is_own", "jax_name"]

OWN: Final = "arraytyping."

_SPACES: Final = {
    "numpy.linalg.": "jax.numpy.linalg.",
    "numpy.fft.": "jax.numpy.fft.",
    "numpy.": "jax.numpy.",
    "lax.linalg.": "jax.lax.linalg.",
    "lax.": "jax.lax.",
    "runtime.lax.linalg.": "jax.lax.linalg.",
    "runtime.lax.": "jax.lax.",
    "nn.initializers.": "jax._src.nn.initializers.",
    "nn.": "jax.nn.",
    "image.": "jax.image.",
    "random.": "jax.random.",
    "scipy.linalg.": "jax.scipy.linalg.",
    "scipy.binomial_matrices.": "jax.scipy.linalg.",
    "scipy.factorizations.": "jax.scipy.linalg.",
    "scipy.matrix_equations.": "jax.scipy.linalg.",
    "scipy.matrix_functions.": "jax.scipy.linalg.",
    "scipy.matrices.": "jax.scipy.linalg.",
    "scipy.fft.": "jax.scipy.fft.",
    "scipy.cosine_transforms.": "jax.scipy.fft.",
    "scipy.signal.": "jax.scipy.signal.",
    "scipy.convolving.": "jax.scipy.signal.",
    "scipy.detrending.": "jax.scipy.signal.",
    "scipy.spectra.": "jax.scipy.signal.",
    "scipy.optimize.": "jax.scipy.optimize.",
    "scipy.sparse.linalg.": "jax.scipy.sparse.linalg.",
    "scipy.conjugate_gradients.": "jax.scipy.sparse.linalg.",
    "scipy.minimal_residuals.": "jax.scipy.sparse.linalg.",
    "scipy.samples.": "jax.scipy.stats.",
    "scipy.stats.": "jax.scipy.stats.",
    "scipy.": "jax.scipy.special.",
    "tree.": "jax.tree.",
    "runtime.tree.": "jax.tree.",
    "tree_util.": "jax.tree_util.",
    "basearray.": "jax._src.basearray.",
    "scalars.": "jax._src.numpy.scalar_types.",
    "flatten_util.": "jax.flatten_util.",
    "custom_jvp.": "jax.custom_jvp.",
    "custom_vjp.": "jax.custom_vjp.",
    "runtime.transformations.custom_functions.CustomFunction.": "jax.custom_jvp.",
    "runtime.transformations.jit.JitWrapped.": "jax._src.pjit.JitWrapped.",
    "runtime.transformations.": "jax.",
    "runtime.tracing.scopes.": "jax.",
}
"""Where JAX has what stands in a module here, or in one below it: the first that fits."""

_WHOLE: Final = ("basearray.", "scipy.stats.", "runtime.transformations.jit.JitWrapped.", "numpy._Ufunc_")
"""What keeps all that follows: methods of a class, functions of a distribution."""


_VOLUME: Final = re.compile(r"(?<=\.numpy|..\.lax)\._from_\w+\.")
"""The files in which our stubs have the functions of a large module."""


def is_own(fullname: str) -> bool:
    """Whether a full name is one of arraytyping's."""
    return fullname.startswith(OWN)


@lru_cache(maxsize=4096)
def jax_name(fullname: str) -> str:
    """The name of JAX for what has this full name; that of anything else is as it is."""
    if "._from_" in fullname:
        fullname = _VOLUME.sub(".", fullname)
    if not fullname.startswith(OWN):
        return fullname
    rest = fullname[len(OWN) :]
    for ours, theirs in _SPACES.items():
        if rest.startswith(ours):
            inner = rest[len(ours) :]
            return theirs + (inner if rest.startswith(_WHOLE) else inner.rpartition(".")[2])
    return f"jax.{rest}" if "." not in rest or rest.startswith("_") else fullname
