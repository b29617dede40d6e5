"""Arrays in files of NumPy's formats.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; https://numpy.org/doc/stable/reference/routines.io.html.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from arraytyping.numpy.conversion import asarray

__all__ = ["ComplexWarning", "fromfile", "load", "save", "savez"]

ComplexWarning: Final = np.exceptions.ComplexWarning
save: Final = np.save
savez: Final = np.savez


def load(file: Any, *args: Any, **kwargs: Any) -> Any:
    """`jax.numpy.load`: the array of a file that `save` has written; of one of several, what NumPy gives."""
    found = np.load(file, *args, **kwargs)
    return asarray(found) if isinstance(found, np.ndarray) else found


def fromfile(*args: Any, **kwargs: Any) -> Any:
    """`jax.numpy.fromfile`: not there, as in JAX.

    Raises:
        NotImplementedError: always.
    """
    raise NotImplementedError(
        "fromfile reads a file each time that the program is traced; write asarray(numpy.fromfile(...))"
    )
