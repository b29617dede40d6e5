"""Which algorithm a decomposition is asked to use, of which LAPACK on the CPU has some.

Source: https://docs.jax.dev/en/latest/jax.lax.html#module-jax.lax.linalg.
"""

from __future__ import annotations

import enum

__all__ = ["EigImplementation", "EighImplementation", "SvdAlgorithm"]


class EigImplementation(enum.Enum):
    """Of `eig`."""

    CUSOLVER = "cusolver"
    MAGMA = "magma"
    LAPACK = "lapack"


class EighImplementation(enum.Enum):
    """Of `eigh`."""

    QR = "qr"
    JACOBI = "jacobi"
    QDWH = "qdwh"


class SvdAlgorithm(enum.Enum):
    """Of `svd`."""

    DEFAULT = "default"
    QR = "QR"
    JACOBI = "Jacobi"
    POLAR = "polar"
    DIVIDE_AND_CONQUER = "divide_and_conquer"
