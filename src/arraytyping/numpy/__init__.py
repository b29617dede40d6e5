"""NumPy's functions for arrays of this package, under `jax.numpy`'s names and signatures."""

from arraytyping import runtime as runtime  # first: what follows computes with it
from arraytyping.basearray import Array as ndarray
from arraytyping.numpy.constants import *  # noqa: F403
from arraytyping.numpy.conversion import *  # noqa: F403
from arraytyping.numpy.dtype_functions import *  # noqa: F403
from arraytyping.numpy.scalar_types import *  # noqa: F403
from arraytyping.numpy.arithmetic import *  # noqa: F403
