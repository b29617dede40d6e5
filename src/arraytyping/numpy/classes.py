"""The class of arrays under NumPy's name.

Source: JEP 12049, https://docs.jax.dev/en/latest/jep/12049-type-annotations.html.
"""

from __future__ import annotations

from arraytyping.basearray import Array

__all__ = ["ndarray"]

ndarray = Array
