"""Numbers that have names, and NumPy's settings for printing.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

import numpy as np

__all__ = ["e", "euler_gamma", "get_printoptions", "inf", "nan", "newaxis", "pi", "printoptions", "set_printoptions"]

e = np.e
euler_gamma = np.euler_gamma
inf = np.inf
nan = np.nan
newaxis = None
pi = np.pi

get_printoptions, set_printoptions, printoptions = np.get_printoptions, np.set_printoptions, np.printoptions
