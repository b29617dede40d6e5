"""Rules of `jax.scipy.fft`: cosine transforms, of the dtype of the real parts of Fourier transforms.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/scipy/fft.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import UNKNOWN, Dim, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_COMPLEX, to_complex, to_real
from arraytyping.semantics.rules.errors import RuleError, ShapeError
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.static_arguments import as_size
from arraytyping.semantics.rules.table import register

__all__: list[str] = []


def _check(name: str, type_: Any, norm: Any) -> None:
    if type(type_) in (int, float, str, type(None)) and type_ != 2:  # a size in symbols may be 2
        raise RuleError(f"{name}: the transform of type 2 is there alone, got {type_!r}", NotImplementedError)
    if norm is not UNKNOWN and norm not in (None, "backward", "ortho"):
        raise RuleError(f"{name}: norm is None, 'backward' or 'ortho', got {norm!r}", ValueError)


def _dtype(dtype: str | None) -> str | None:
    if dtype is None:
        return None
    return to_complex(dtype) if dtype in ANY_COMPLEX else to_real(to_complex(dtype))


def _result(name: str, array: ShapedArray, sizes: dict[int, Dim], axes: list[int]) -> ShapedArray:
    """The array with other sizes along some axes.

    Raises:
        ShapeError: for no numbers along an axis that is transformed.
    """
    assert array.shape is not None
    shape = tuple(sizes.get(i, n) for i, n in enumerate(array.shape))
    for i in axes:
        if isinstance(n := shape[i], int) and n <= 0:
            told = f"{name}: there are numbers to transform along axis {i}, got shape {shape_tuple_str(shape)}"
            raise ShapeError(told, ValueError if n else TypeError)
    dtype = _dtype(array.dtype)
    return ShapedArray(shape, dtype, None if dtype is None else False)


def _register_one(name: str) -> None:
    def along_one(cx: Context, x: Any, type: Any = 2, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
        array = as_operand(cx, x, name)
        _check(name, type, norm)
        number = None if array.shape is None else canonicalize_axis(name, axis, len(array.shape))
        if array.shape is None or n is UNKNOWN or number is None:
            dtype = _dtype(array.dtype)
            return ShapedArray(None, dtype, None if dtype is None else False)
        return _result(name, array, {} if n is None else {number: as_size(name, "n", n)}, [number])

    register(f"scipy.fft.{name}", along_one)


def _chosen(name: str, axes: Any, rank: int, count: int | None) -> list[int] | None:
    if axes is None:
        return [*range(rank - (rank if count is None else count), rank)]
    axes = [axes] if type(axes) is int else axes
    if not isinstance(axes, tuple | list) or not all(type(axis) is int for axis in axes):
        return None
    found = [canonicalize_axis(name, axis, rank) for axis in axes]
    if len(set(found)) != len(found):
        raise RuleError(f"{name}: an axis is named twice in {tuple(axes)}", ValueError)
    return [axis for axis in found if axis is not None]


def _register_several(name: str) -> None:
    def along_several(cx: Context, x: Any, type: Any = 2, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
        array = as_operand(cx, x, name)
        _check(name, type, norm)
        if array.shape is None or (s is not None and not isinstance(s, tuple | list)):
            return UNKNOWN
        sizes = None if s is None else [as_size(name, "a size", n) for n in s]
        rank = len(array.shape)
        if sizes is not None and len(sizes) > rank:
            raise ShapeError(f"{name}: there are {len(sizes)} sizes for {rank} dimensions", ValueError)
        chosen = _chosen(name, axes, rank, None if sizes is None else len(sizes))
        if chosen == [] and array.dtype not in (None, *ANY_COMPLEX):
            return array
        if not chosen or (sizes is not None and len(sizes) != len(chosen)):
            return UNKNOWN
        return _result(name, array, dict(zip(chosen, sizes or ())), chosen)

    register(f"scipy.fft.{name}", along_several)


for _name in ("dct", "idct"):
    _register_one(_name)
for _name in ("dctn", "idctn"):
    _register_several(_name)
