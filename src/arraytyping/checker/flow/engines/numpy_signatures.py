"""Which parameters of NumPy's functions are arrays whose elements decide neither the shape nor the dtype.

All others (axes, shapes, dtypes, modes) must be known to ask NumPy.  A function that is not here is asked only if
its arguments are known to the last element.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any, Final

__all__ = ["ARRAYS", "MUTATING", "REFUSED", "SIZED_BY_ELEMENTS", "function_names", "signature_of"]

_GROUPS: Final = {
    "a": """argmax argmin argsort sort cumsum cumprod nancumsum nancumprod copy count_nonzero diagonal repeat
        nanargmax nanargmin nanmedian median ravel reshape expand_dims squeeze swapaxes transpose permute_dims moveaxis
        rollaxis trace argpartition partition roll around round zeros_like ones_like empty_like iscomplexobj
        isrealobj ptp shape ndim size linalg.cholesky linalg.det linalg.eigh linalg.eigvalsh
        linalg.inv linalg.matrix_power linalg.qr linalg.slogdet linalg.svd linalg.tensorinv fft.fft fft.fft2 fft.fftn
        fft.hfft fft.ifft fft.ifft2 fft.ifftn fft.ihfft fft.irfft fft.irfft2 fft.irfftn fft.rfft fft.rfft2 fft.rfftn
        packbits unpackbits resize""",
    "a where": "all any",
    "a initial where": "sum prod amax amin max min nansum nanprod nanmax nanmin",
    "a where mean": "mean std var nanmean nanstd nanvar",
    "a q weights": "percentile quantile nanpercentile nanquantile",
    "a weights": "average",
    "a b": "allclose isclose cross dot inner vdot kron outer tensordot linalg.solve",
    "a rtol rcond": "linalg.pinv",
    "a1 a2": "array_equal array_equiv polyadd polysub polymul",
    "x1 x2": """matmul vecdot matvec vecmat linalg.matmul linalg.outer linalg.tensordot linalg.vecdot linalg.cross""",
    "x": """astype fix i0 iscomplex isreal isneginf isposinf sinc matrix_transpose cumulative_sum cumulative_prod
        unstack linalg.cond linalg.diagonal linalg.matrix_norm linalg.matrix_transpose linalg.norm linalg.svdvals
        linalg.trace linalg.vector_norm fft.fftshift fft.ifftshift vander""",
    "A": "tile",
    "A tol rtol": "linalg.matrix_rank",
    "a fill_value": "full_like",
    "a a_min a_max min max": "clip",
    "fill_value": "full",
    "arr values": "append",
    "arr": "diag_indices_from tril_indices_from triu_indices_from",
    "arr indices": "take_along_axis",
    "a indices": "take",
    "a v sorter": "searchsorted",
    "a v": "convolve correlate",
    "object": "array",
    "arrays": "concatenate concat stack linalg.multi_dot block",
    "tup": "vstack hstack dstack column_stack row_stack",
    "arys": "atleast_1d atleast_2d atleast_3d",
    "ary": "split array_split hsplit vsplit dsplit",
    "array": "pad broadcast_to",
    "args": "broadcast_arrays",
    "xi": "meshgrid",
    "condition x y": "where",
    "condlist choicelist default": "select",
    "a choices": "choose",
    "val": "real imag",
    "z": "angle",
    "m": "flip fliplr flipud rot90 tril triu",
    "m y fweights aweights": "cov",
    "x y": "corrcoef",
    "v": "diag diagflat",
    "a prepend append": "diff",
    "ary to_end to_begin": "ediff1d",
    "f": "gradient",
    "x xp fp left right period": "interp",
    "x bins": "digitize",
    "x nan posinf neginf": "nan_to_num",
    "element test_elements": "isin",
    "y x dx": "trapezoid",
    "p": "unwrap polyder polyint",
    "p x": "polyval",
    "x y w": "polyfit",
    "start stop": "linspace geomspace logspace",
    "multi_index": "ravel_multi_index",
    "indices": "unravel_index",
    "keys": "lexsort",
    "prototype": "empty_like",
    "operands": "einsum",
    "a dtype": "asarray asanyarray ascontiguousarray asfortranarray require asarray_chkfinite",
}

ARRAYS: Final[dict[str, frozenset[str]]] = {
    name: frozenset(parameters.split()) - {"dtype"} for parameters, names in _GROUPS.items() for name in names.split()
} | {
    "empty_like": frozenset({"prototype"}),
    "histogram": frozenset({"a", "weights"}),
    "histogram2d": frozenset({"x", "y", "weights"}),
    "histogram_bin_edges": frozenset({"a"}),
}
"""The parameters of each function that dummies may stand for."""

SIZED_BY_ELEMENTS: Final = {
    "unique": frozenset({"ar"}),
    "unique_values": frozenset({"x"}),
    "union1d": frozenset({"ar1", "ar2"}),
    "setdiff1d": frozenset({"ar1", "ar2"}),
    "setxor1d": frozenset({"ar1", "ar2"}),
    "intersect1d": frozenset({"ar1", "ar2"}),
    "trim_zeros": frozenset({"filt"}),
    "linalg.lstsq": frozenset({"a", "b"}),
}
"""The arrays of functions whose results are as long as the elements say: they are asked for the dtype only."""

_REFUSED_NAMES: Final = """
    save savez savez_compressed savetxt load loadtxt genfromtxt fromfile fromregex memmap open_memmap seterr
    seterrcall setbufsize set_printoptions info test show_config show_runtime frombuffer from_dlpack
    nested_iters busday_count busday_offset is_busday fromstring einsum_path shares_memory may_share_memory
    get_include getbufsize geterr geterrcall bmat asmatrix linalg.test fft.test mask_indices array2string
"""
REFUSED: Final = frozenset(_REFUSED_NAMES.split())
"""Functions that touch files, the process or memory, and others that nobody asks about: never called."""

MUTATING: Final = {
    "copyto": "dst",
    "put": "a",
    "place": "arr",
    "putmask": "a",
    "put_along_axis": "arr",
    "fill_diagonal": "a",
}
"""Functions that write into this argument."""

_WITHOUT_SIGNATURE: Final[dict[str, Any]] = {
    "matmul": lambda x1, x2, /: None,
    "vecdot": lambda x1, x2, /: None,
    "matvec": lambda x1, x2, /: None,
    "vecmat": lambda x1, x2, /: None,
    "concatenate": lambda arrays, /, axis=0, out=None, *, dtype=None, casting="same_kind": None,
    "dot": lambda a, b, out=None: None,
    "where": lambda condition, x=None, y=None, /: None,
    "inner": lambda a, b, /: None,
    "vdot": lambda a, b, /: None,
    "array": lambda object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, like=None: None,
    "asarray": lambda a, dtype=None, order=None, *, device=None, copy=None, like=None: None,
    "asanyarray": lambda a, dtype=None, order=None, *, device=None, copy=None, like=None: None,
    "ascontiguousarray": lambda a, dtype=None, *, like=None: None,
    "zeros": lambda shape, dtype=None, order="C", *, device=None, like=None: None,
    "empty": lambda shape, dtype=None, order="C", *, device=None, like=None: None,
    "empty_like": lambda prototype, /, dtype=None, order="K", subok=True, shape=None, *, device=None: None,
    "bincount": lambda x, /, weights=None, minlength=0: None,
    "lexsort": lambda keys, axis=-1: None,
    "ravel_multi_index": lambda multi_index, dims, mode="raise", order="C": None,
    "unravel_index": lambda indices, shape, order="C": None,
}
"""Functions written in C, which older releases give no signature."""


@functools.cache
def function_names() -> dict[int, str]:
    """The name of each function of NumPy that has one here, by its identity."""
    import numpy as np

    names: dict[int, str] = {}
    for module, prefix in ((np, ""), (np.linalg, "linalg."), (np.fft, "fft.")):
        # What is not there yet are modules that NumPy loads when they are asked for, which takes long.
        for name, found in sorted(vars(module).items()):
            if not name.startswith("_") and callable(found) and not isinstance(found, type):
                names.setdefault(id(found), prefix + name)
    return names


@functools.cache
def signature_of(function: Any, name: str) -> inspect.Signature | None:
    """The parameters of a function of NumPy; None if they are not known."""
    try:
        return inspect.signature(function)
    except (ValueError, TypeError):
        stand_in = _WITHOUT_SIGNATURE.get(name)
        return None if stand_in is None else inspect.signature(stand_in)
