"""What `jax.dtypes` has: questions about dtypes, and the dtypes that are no scalar types.

Source: https://docs.jax.dev/en/latest/jax.dtypes.html.
"""

from __future__ import annotations

import arraytyping.runtime as _runtime  # noqa: F401 (first: it says which library is missing)

# isort: split
from ml_dtypes import bfloat16, finfo, iinfo

from arraytyping.numpy.dtype_functions import issubdtype, result_type
from arraytyping.random.key_types import extended, prng_key
from arraytyping.runtime.np_dtypes import canonicalize_dtype, float0, itemsize_bits, scalar_type_of

__all__ = [
    "bfloat16",
    "canonicalize_dtype",
    "extended",
    "finfo",
    "float0",
    "iinfo",
    "issubdtype",
    "itemsize_bits",
    "prng_key",
    "result_type",
    "scalar_type_of",
]
