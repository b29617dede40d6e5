"""Integrals of samples, under the name of `jax.scipy.integrate`."""

from arraytyping.numpy.sampling import trapezoid
from arraytyping.runtime import whole as whole

__all__ = ["trapezoid"]
