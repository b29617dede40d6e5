"""Calls of NumPy's functions made by chance from small shapes and odd arguments, and what may be unknown of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from arraytyping.checker.flow.values import ListValue, NumPyValue, ScalarValue
from arraytyping.semantics.sizes.dims import as_dim
from arraytyping.semantics.sizes.polynomials import symbol

SHAPES: Final = (
    (),
    (0,),
    (1,),
    (3,),
    (2, 3),
    (1, 3),
    (3, 3),
    (0, 3),
    (2, 0),
    (3, 1),
    (2, 1, 3),
    (2, 3, 4),
    (2, 2, 1, 2),
)


@dataclass(frozen=True)
class Array:
    """An array as an argument, by its shape and dtype."""

    shape: tuple[int, ...]
    dtype: str = "float64"


def _arrays(*shapes: tuple[int, ...], dtype: str = "float64") -> tuple[Any, ...]:
    return tuple(Array(s, dtype) for s in shapes or SHAPES)


_ARRAY = _arrays()
_VECTORS = _arrays((0,), (1,), (3,), (4,), (), (2, 3))
_MATRICES = _arrays((2, 2), (3, 3), (1, 1), (2, 3), (3, 2), (0, 0), (0, 3), (3,), (), (2, 3, 3), (2, 2, 3), (1, 2, 2))
_INDICES = (0, 1, -1, *_arrays((), (0,), (2,), (2, 2), (1, 3), (2, 3), dtype="int64"), [0, 1], [[0], [1]], [])
_SEQUENCES: Final = tuple(
    kind(Array(s) for s in shapes)
    for kind in (list, tuple)
    for shapes in (
        [], [(3,)], [(3,), (3,)], [(2, 3), (2, 3)], [(2, 3), (1, 3)], [(2, 3), (2, 1)], [(), ()], [(3,), (2,)],
        [(2, 3), (3,)], [(2, 3, 4), (2, 3, 4)], [(0,), (3,)], [(1,), (1, 1)], [(2, 3)], [(3,), (3,), (3,)],
    )
)  # fmt: skip
_AXIS = (None, 0, 1, -1, 2, -2, -3, 5, (0,), (0, 1), (1, 0), (0, -1), (0, 0), (), [0], True, 1.0, np.int8(1))
_ONE_AXIS = (0, 1, -1, 2, -2, -3, 5, None, (0,), True, 1.0, np.int64(0), "x")
_FLAG = (True, False, 1, 0, None)
_COUNT = (0, 1, 2, 3, 5, -1, np.int64(2), 2.0, True, None)
_OFFSET = (0, 1, -1, 3, -4, np.int8(1), True, 1.5)
_SIZES = ((), 0, 3, (2,), (2, 3), [1, 2], (0, 2), -1, (3, -1), (2, 3, 4), (-1, -1), 6, (1, 3, 2), None, 2.0, (2, 0, -1))

POOLS: Final[dict[str, tuple[Any, ...]]] = {
    "array": _ARRAY,
    "ints": _arrays((), (0,), (3,), (2, 3), dtype="int64"),
    "bools": _arrays((), (0,), (3,), (2, 3), (2,), dtype="bool"),
    "same": (*_arrays((3,), (2, 3), (1, 3), ()), 1.0, [1.0, 2.0, 3.0]),
    "vector": _VECTORS,
    "matrix": _MATRICES,
    "indices": _INDICES,
    "arrays": _SEQUENCES + _arrays((2, 3), (3,), (2, 1, 3), (0, 3), ()),
    "axis": _AXIS,
    "one_axis": _ONE_AXIS,
    "axes": (None, (1, 0), (0, 1, 2), (2, 0, 1), (-1, 0), (0, 0), (0,), (), [1, 0], (0, 5), 0, (3, 0, 2, 1)),
    "flag": _FLAG,
    "count": _COUNT,
    "offset": _OFFSET,
    "sizes": _SIZES,
    "size": (0, 1, 3, 5, -1, np.int64(2), 2.5, True),
    "q": (0.5, 50, 1, [0.25, 0.75], *_arrays((), (2,), (2, 2), (0,))),
    "sections": (
        1, 2, 3, 0, -1, 5, [1], [1, 2], (0, 2), [2, 1], [], [7], 2.0, None, [-1], np.int64(2), "x",
        Array((2,), "int64"),
    ),
    "repeats": (
        0, 1, 2, 3, -1, [1, 2], [2], [1, 2, 3], (0, 1), 2.0, np.int64(2),
        *_arrays((2,), (), (1,), dtype="int64"),
    ),
    "reps": (0, 2, (2,), (2, 3), (), [1, 2], (2, 1, 2), -1, np.int64(2), 1.5, *_arrays((2,), dtype="int64")),
    "pads": (
        0, 1, 2, -1, (1, 2), [(1, 2)], ((1, 2), (0, 3)), ((1,), (2,)), [[1, 1]], (), (1,), [0, 1, 2],
        ((0, 1),) * 3, 1.5,
    ),
    "tensor_axes": (
        0, 1, 2, 3, -1, (0, 0), (1, 0), ([0], [0]), ([1], [0]), ([0, 1], [0, 1]), ((-1,), (0,)),
        ([0], [0, 1]),
    ),
    "indexing": ("xy", "ij", "zz"),
    "mode": ("full", "same", "valid", "odd"),
    "qr": ("reduced", "complete", "r", "raw", "odd"),
    "order": (None, 1, 2, -1, "fro", "nuc", np.inf, 0, 3, "odd"),
    "any": (
        0, 1, -1, 2.5, True, "x", None, (), [], (1, 2), [[1, 2], [3]], {}, ..., slice(1), 1j,
        np.float32(1), *_ARRAY[:6],
    ),
    "key": (
        0, 1, -1, 5, slice(1), slice(None, None, 2), [0, 1], [], [0, 0],
        *_arrays((2,), (0,), dtype="int64"), Array((3,), "bool"),
    ),
    "decimals": (0, 2, -1),
    "number": (0, 1, 2.5, -1, 10, np.float32(3)),
    "bins": (1, 5, 0, -1, [0.0, 1.0, 2.0], "auto", *_arrays((3,), (0,), ())),
    "subscripts": (
        "ij,jk->ik", "ij->ji", "ii->i", "ij,j", "i,i->", "ij,ij", "i,j->ij", "ijk->ki", "ij", "...i->...",
        "->", "i,->i",
        "ij->k", "i", "ii", "ij,jk", "ji", "ab,bc->ca", "ij->", "ij,kj->ik", "ij...->j",
    ),
}  # fmt: skip

# A name of a pool, or `parameter=pool` for one given by name; in brackets: perhaps.
SPECS: Final = """
all any | array [axis=axis] [keepdims=flag]
sum prod max min amax amin nansum nanprod nanmax nanmin | array [axis=axis] [keepdims=flag]
mean std var nanmean nanstd nanvar median nanmedian ptp | array [axis=axis] [keepdims=flag]
argmax argmin nanargmax nanargmin | array [axis=one_axis] [keepdims=flag]
count_nonzero | array [axis=axis] [keepdims=flag]
average | array [axis=axis] [weights=same] [returned=flag] [keepdims=flag]
percentile quantile nanpercentile nanquantile | array q [axis=axis] [keepdims=flag]
linalg.norm | array [ord=order] [axis=axis] [keepdims=flag]
linalg.vector_norm | array [axis=axis] [keepdims=flag] [ord=order]
linalg.matrix_norm | matrix [keepdims=flag] [ord=order]
linalg.cond linalg.det linalg.matrix_rank | matrix
trace | array [offset=offset] [axis1=one_axis] [axis2=one_axis]
linalg.trace | array [offset=offset]
cumsum cumprod nancumsum nancumprod | array [axis=one_axis]
cumulative_sum cumulative_prod | array [axis=one_axis] [include_initial=flag]
diff | array [n=count] [axis=one_axis] [prepend=same] [append=same]
trapezoid | array [x=same] [axis=one_axis]
gradient | array [axis=axis]
sort argsort | array [axis=one_axis]
flip | array [axis=axis]
fliplr flipud i0 isneginf isposinf unwrap | array
roll | array repeats [axis=axis]
fft.fftshift fft.ifftshift | array [axes=axis]
partition argpartition | array size [axis=one_axis]
linalg.inv linalg.cholesky linalg.eigh linalg.slogdet linalg.eigvalsh linalg.svdvals linalg.pinv | matrix
linalg.eig linalg.eigvals | matrix
linalg.matrix_power | matrix count
linalg.svd | matrix [full_matrices=flag] [compute_uv=flag]
linalg.qr | matrix [mode=qr]
linalg.solve linalg.lstsq | matrix matrix
tril triu | array [k=offset]
diag diagflat | array [k=offset]
diagonal | array [offset=offset] [axis1=one_axis] [axis2=one_axis]
linalg.diagonal | array [offset=offset]
searchsorted | vector array
digitize | array vector
interp | array vector vector
polyval | vector array
isin | array array
array_equal array_equiv allclose | array array
lexsort | arrays [axis=one_axis]
take_along_axis | array indices [axis=one_axis]
take | array indices [axis=one_axis]
select | arrays arrays
zeros_like ones_like empty_like | array [shape=sizes]
full_like | array number [shape=sizes]
copy | array
reshape | array sizes
ravel matrix_transpose linalg.matrix_transpose | array
transpose | array [axes]
permute_dims | array [axes]
swapaxes | array one_axis one_axis
moveaxis | array axis axis
rollaxis | array one_axis [one_axis]
expand_dims | array axis
squeeze | array [axis=axis]
broadcast_to | array sizes
broadcast_arrays | array [array] [array]
atleast_1d atleast_2d atleast_3d | array [array]
tile | array reps
repeat | array repeats [axis=one_axis]
pad | array pads
meshgrid | vector [vector] [vector] [indexing=indexing] [sparse=flag]
rot90 | array [k=count] [axes=axes]
cross | array array [axis=one_axis] [axisa=one_axis] [axisc=one_axis]
linalg.cross | array array [axis=one_axis]
append | array array [axis=one_axis]
concatenate | arrays [axis=one_axis]
concat | arrays [axis=one_axis]
stack | arrays [axis=one_axis]
vstack hstack dstack column_stack | arrays
split array_split | array sections [axis=one_axis]
hsplit vsplit dsplit | array sections
unstack | array [axis=one_axis]
matmul linalg.matmul dot inner vdot vecdot outer linalg.outer kron matvec vecmat | array array
linalg.vecdot | array array [axis=one_axis]
tensordot linalg.tensordot | array array [axes=tensor_axes]
einsum | subscripts array [array]
fft.fft fft.ifft fft.rfft fft.irfft fft.hfft fft.ihfft | array [n=size] [axis=one_axis]
fft.fft2 fft.ifft2 fft.fftn fft.ifftn | array [s=sizes] [axes=axis]
fft.fftfreq fft.rfftfreq | size
cov corrcoef | array [rowvar=flag]
convolve correlate | array array [mode=mode]
polyfit | vector vector count
vander | vector [N=size]
linalg.multi_dot | arrays
zeros ones empty | sizes
full | sizes number
eye tri | size [M=size] [k=offset]
identity | size
arange | number [number] [number]
linspace logspace geomspace | same same [num=size] [axis=one_axis]
linspace | same same [num=size] [retstep=flag]
indices | sizes [sparse=flag]
hanning hamming blackman bartlett | size
tril_indices triu_indices | size [k=offset] [m=size]
tril_indices_from triu_indices_from diag_indices_from | array
diag_indices | size [ndim=count]
unique | array [return_index=flag] [return_inverse=flag] [return_counts=flag] [axis=one_axis]
unique_values trim_zeros flatnonzero argwhere nonzero | array
union1d setdiff1d setxor1d intersect1d | array array
where | bools
bincount | ints
compress | bools array [axis=one_axis]
extract | bools array
delete | array key [axis=one_axis]
insert | array key same [axis=one_axis]
histogram histogram_bin_edges | array [bins=bins]
resize | array sizes
unravel_index | indices sizes
ravel_multi_index | arrays sizes
ix_ | indices [indices]
"""


@dataclass(frozen=True)
class Call:
    """A call of a function of NumPy."""

    name: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    def __str__(self) -> str:
        named = [f"{k}={v}" for k, v in self.kwargs.items()]
        return f"{self.name}({', '.join([*map(str, self.args), *named])})"


def function_of(name: str) -> Any:
    """The function of NumPy of this name; None where the release has none."""
    found: Any = np
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def specs() -> Iterator[tuple[str, list[str]]]:
    """Each name with the pools of its arguments."""
    for line in SPECS.strip().splitlines():
        names, _, pools = line.partition("|")
        for name in names.split():
            if function_of(name) is not None:
                yield name, pools.split()


def calls(seed: int, each: int) -> Iterator[Call]:
    """So many calls of each function."""
    rng = random.Random(seed)
    for name, pools in specs():
        for _ in range(each):
            args: list[Any] = []
            kwargs: dict[str, Any] = {}
            for pool in pools:
                if pool.startswith("[") and rng.random() < 0.5:
                    continue
                parameter, _, chosen = pool.strip("[]").rpartition("=")
                value = rng.choice(POOLS["any" if rng.random() < 0.04 else chosen])
                if parameter:
                    kwargs[parameter] = value
                else:
                    args.append(value)
            yield Call(name, tuple(args), kwargs)


def real(value: Any, fill: int) -> Any:
    """The value with arrays in it, whose elements are made from the number."""
    if isinstance(value, Array):
        size = int(np.prod(value.shape))
        if value.dtype == "int64":
            return (np.arange(size) % 2).reshape(value.shape)
        if value.dtype == "bool":
            return (np.arange(size) % 2 == fill % 2).reshape(value.shape)
        return np.sin(np.arange(1, size + 1) * (1.7 + fill)).reshape(value.shape) + (fill == 2)
    if isinstance(value, list | tuple):
        return type(value)(real(v, fill) for v in value)
    return value


HOWS: Final = ("known", "some", "none", "rank", "symbols", "statics", "all")
"""What is unknown: nothing, some sizes, all, ranks; sizes are named; numbers are unknown; some of everything."""


def abstract(value: Any, how: str, rng: random.Random) -> Any:
    """The value of flow that describes this argument, with something unknown."""
    if how == "all":
        how = rng.choice(HOWS[:-1])
    if isinstance(value, Array):
        return NumPyValue(_sizes(value.shape, how, rng), value.dtype, False)
    if isinstance(value, list):
        return ListValue([abstract(v, how, rng) for v in value])
    if isinstance(value, tuple):
        return tuple(abstract(v, how, rng) for v in value)
    if how == "statics" and type(value) is int and rng.random() < 0.7:
        if rng.random() < 0.3 and value >= 0:
            return ScalarValue(int, size=symbol(f"D{value}", 0))
        return ScalarValue(int)
    if isinstance(value, np.generic):
        array = np.asarray(value)
        return NumPyValue((), array.dtype.name, True, array if how != "statics" else None)
    if isinstance(value, dict):
        return ScalarValue(str)
    return value


def _sizes(shape: tuple[int, ...], how: str, rng: random.Random) -> Any:
    if how == "some":
        return tuple(None if rng.random() < 0.5 else d for d in shape)
    if how == "none":
        return (None,) * len(shape)
    if how == "rank":
        return None
    if how == "symbols":
        return tuple(as_dim(symbol(f"D{d}", 0)) if rng.random() < 0.8 else d for d in shape)
    return shape


SIZES: Final = {f"D{d}": d for d in range(12)}
"""What the symbols are."""
