"""NumPy's functions for arrays of this package, under `jax.numpy`'s names and signatures."""

import arraytyping.runtime as _runtime  # noqa: F401 (first: it says which library is missing)

# isort: split
import sys as _sys

from arraytyping.numpy import (
    fft as fft,
    float0_arrays as float0_arrays,  # makes what it makes known
    linalg as linalg,
)
from arraytyping.numpy.arg_reductions import *  # noqa: F403
from arraytyping.numpy.arithmetic import *  # noqa: F403
from arraytyping.numpy.attributes import *  # noqa: F403
from arraytyping.numpy.bitwise import *  # noqa: F403
from arraytyping.numpy.choosing import *  # noqa: F403
from arraytyping.numpy.classes import ndarray as ndarray
from arraytyping.numpy.comparing import *  # noqa: F403
from arraytyping.numpy.constants import *  # noqa: F403
from arraytyping.numpy.contractions import *  # noqa: F403
from arraytyping.numpy.conversion import *  # noqa: F403
from arraytyping.numpy.covariances import *  # noqa: F403
from arraytyping.numpy.creation import *  # noqa: F403
from arraytyping.numpy.cumulative import *  # noqa: F403
from arraytyping.numpy.diagonals import *  # noqa: F403
from arraytyping.numpy.differences import *  # noqa: F403
from arraytyping.numpy.distinct import *  # noqa: F403
from arraytyping.numpy.division import *  # noqa: F403
from arraytyping.numpy.dtype_functions import *  # noqa: F403
from arraytyping.numpy.einsum_paths import *  # noqa: F403
from arraytyping.numpy.elementary import *  # noqa: F403
from arraytyping.numpy.equality import *  # noqa: F403
from arraytyping.numpy.files import *  # noqa: F403
from arraytyping.numpy.floats import *  # noqa: F403
from arraytyping.numpy.gradients import *  # noqa: F403
from arraytyping.numpy.histograms import *  # noqa: F403
from arraytyping.numpy.index_arrays import *  # noqa: F403
from arraytyping.numpy.joining import *  # noqa: F403
from arraytyping.numpy.means import *  # noqa: F403
from arraytyping.numpy.numbering import *  # noqa: F403
from arraytyping.numpy.packing import *  # noqa: F403
from arraytyping.numpy.padding import *  # noqa: F403
from arraytyping.numpy.parts import *  # noqa: F403
from arraytyping.numpy.permuting import *  # noqa: F403
from arraytyping.numpy.placing import *  # noqa: F403
from arraytyping.numpy.polynomials import *  # noqa: F403
from arraytyping.numpy.powers import *  # noqa: F403
from arraytyping.numpy.printing import *  # noqa: F403
from arraytyping.numpy.products import *  # noqa: F403
from arraytyping.numpy.quantiles import *  # noqa: F403
from arraytyping.numpy.ranges import *  # noqa: F403
from arraytyping.numpy.reductions import *  # noqa: F403
from arraytyping.numpy.reshaping import *  # noqa: F403
from arraytyping.numpy.rounding import *  # noqa: F403
from arraytyping.numpy.sampling import *  # noqa: F403
from arraytyping.numpy.scalar_types import *  # noqa: F403
from arraytyping.numpy.searching import *  # noqa: F403
from arraytyping.numpy.selecting import *  # noqa: F403
from arraytyping.numpy.set_operations import *  # noqa: F403
from arraytyping.numpy.slice_grids import *  # noqa: F403
from arraytyping.numpy.sorting import *  # noqa: F403
from arraytyping.numpy.special import *  # noqa: F403
from arraytyping.numpy.splitting import *  # noqa: F403
from arraytyping.numpy.stretching import *  # noqa: F403
from arraytyping.numpy.summation import *  # noqa: F403
from arraytyping.numpy.traces import *  # noqa: F403
from arraytyping.numpy.ufunc_reductions import *  # noqa: F403
from arraytyping.numpy.ufuncs import *  # noqa: F403
from arraytyping.numpy.variances import *  # noqa: F403
from arraytyping.numpy.vectorizing import *  # noqa: F403
from arraytyping.numpy.window_shapes import *  # noqa: F403
from arraytyping.runtime import whole as whole  # first: what follows computes with it
from arraytyping.runtime.interface.installing import NAMESPACE as _NAMESPACE
from arraytyping.scalars import *  # noqa: F403

_NAMESPACE[:] = [_sys.modules[__name__]]  # methods of arrays compute with these functions
