"""Rules of `jax.scipy.linalg`: the forms of Schur and Hessenberg, and functions of matrices.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/scipy/linalg.py and
https://github.com/jax-ml/jax/blob/main/jax/_src/third_party/scipy/linalg.py.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, Alternatives, Dim, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_INEXACT, to_real
from arraytyping.semantics.rules.errors import DimError, DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.named import named
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes
from arraytyping.semantics.rules.static_arguments import as_flag, is_constant
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import at_least, differ, known_dim

__all__ = ["to_complex"]

_asarray: Final = named("numpy.asarray")
_expm: Final = named("scipy.linalg.expm")
_lax_hessenberg: Final = named("lax.linalg.hessenberg")
_lax_schur: Final = named("lax.linalg.schur")


def to_complex(dtype: str | None) -> str | None:
    """The complex dtype that holds the eigenvalues of real matrices."""
    if dtype is None:
        return None
    return "complex128" if dtype in ("int64", "uint64", "float64", "complex128") else "complex64"


def _as_complex(cx: Context, operation: str, a: Any) -> ShapedArray:
    """The array that `a.astype` of a complex dtype gives.

    Raises:
        DtypeError: (AttributeError) for what has no such method.
    """
    if a is None or isinstance(a, list | tuple):
        raise DtypeError(f"{operation} requires an array; make one of it first, with jnp.asarray", AttributeError)
    array = as_operand(cx, a, operation)
    return ShapedArray(array.shape, to_complex(array.dtype), False)


@rule("scipy.linalg.schur")
def schur(cx: Context, a: Any, output: Any = "real") -> Any:
    """`jax.scipy.linalg.schur`: the form, and the unitary matrix that transforms to it; of no real integers."""
    if is_constant(output) and output not in ("real", "complex"):
        raise RuleError(f"schur: output is 'real' or 'complex', got {output!r}", ValueError)
    if not isinstance(output, str):
        return UNKNOWN
    return _lax_schur(cx, _as_complex(cx, "schur", a) if output == "complex" else as_operand(cx, a, "schur"))


@rule("scipy.linalg.sqrtm")
def sqrtm(cx: Context, A: Any, blocksize: Any = 1) -> ShapedArray:
    """`jax.scipy.linalg.sqrtm`: the square root of a matrix, which is complex."""
    if isinstance(blocksize, int | float) and blocksize > 1:
        raise RuleError(f"sqrtm: blocksize is 1, got {blocksize}", NotImplementedError)
    form, _ = _lax_schur(cx, _as_complex(cx, "sqrtm", A))
    if form.ndim not in (None, 2):
        raise DimError(f"sqrtm: one matrix is required, got shape {shape_tuple_str(form.shape)}", ValueError)
    _check_elements("sqrtm", form)
    return ShapedArray((None, None) if form.shape is None else form.shape, form.dtype, False)


def _check_elements(operation: str, matrix: ShapedArray) -> None:
    """Refuse a matrix without elements, of which JAX asks for the first.

    Raises:
        ShapeError: (IndexError) for one.
    """
    if matrix.shape is not None and 0 in matrix.shape:
        raise ShapeError(f"{operation}: a matrix with elements is required, got {matrix}", IndexError)


@rule("scipy.linalg.funm")
def funm(cx: Context, A: Any, func: Any, disp: Any = True) -> Any:
    """`jax.scipy.linalg.funm`: a function of a matrix, which is complex, and an estimate of the error unless `disp`."""
    array = _asarray(cx, A)
    if array.shape is not None and (len(array.shape) != 2 or differ(*array.shape)):
        raise ShapeError(f"funm: a square matrix is required, got {array}", ValueError)
    form, _ = _lax_schur(cx, array)
    _check_elements("funm", form)
    dtype = to_complex(form.dtype)
    value = ShapedArray((None, None) if form.shape is None else form.shape, dtype, False)
    error = ShapedArray((), None if dtype is None else to_real(dtype), False)
    flag = as_flag(disp)
    return Alternatives.of((value, (value, error))) if flag is None else value if flag else (value, error)


def _square_shape(operation: str, name: str, shape: Shape | None) -> None:
    if shape is not None and (len(shape) < 2 or differ(shape[-1], shape[-2])):
        raise ShapeError(
            f"{operation}: square matrices {name} are required, got shape {shape_tuple_str(shape)}", ValueError
        )


@rule("scipy.linalg.rsf2csf")
def rsf2csf(cx: Context, T: Any, Z: Any, check_finite: Any = True) -> tuple[ShapedArray, ShapedArray]:
    """`jax.scipy.linalg.rsf2csf`: the complex form of Schur of the real one, and its vectors."""
    form, vectors = _asarray(cx, T), _asarray(cx, Z)
    _square_shape("rsf2csf", "T", form.shape)
    _square_shape("rsf2csf", "Z", vectors.shape)
    dtype, weak = cx.join("rsf2csf", [form, vectors])
    if form.shape is None or vectors.shape is None:
        size, lead = known_dim((form.shape or vectors.shape or (None,))[-2:]), None
    else:
        if differ(form.shape[-1], vectors.shape[-1]):
            raise ShapeError(f"rsf2csf: matrices of one size are required, got {form} and {vectors}", ValueError)
        size = known_dim((*form.shape[-2:], *vectors.shape[-2:]))
        lead = broadcast_shapes("rsf2csf", form.shape[:-2], vectors.shape[:-2], exception=ValueError)
    if size == 0:
        raise ShapeError(f"rsf2csf: matrices with elements are required, got {form} and {vectors}", IndexError)
    result = ShapedArray(None if lead is None else (*lead, size, size), to_complex(dtype), weak and dtype != "bool")
    return result, result


@rule("scipy.linalg.hessenberg")
def hessenberg(cx: Context, a: Any, *, calc_q: Any = False, overwrite_a: Any = False, check_finite: Any = True) -> Any:
    """`jax.scipy.linalg.hessenberg`: the form, and the unitary matrix that transforms to it if `calc_q`."""
    check_hashable("hessenberg", calc_q=calc_q, check_finite=check_finite, overwrite_a=overwrite_a)
    if a is None:
        raise DimError("hessenberg: matrices are required, got None", IndexError)
    array = as_operand(cx, a, "hessenberg")
    shape = array.shape
    if shape == ():
        raise DimError("hessenberg: matrices are required, got a number", IndexError)
    size: Dim = None if shape is None else shape[-1]
    form = matrix = array  # as it is where the size is 0, whatever the dtype and the other size
    if at_least(size, 1):
        form, _ = _lax_hessenberg(cx, array)
        matrix = ShapedArray(form.shape, form.dtype, False)
    elif size != 0:
        matrix = ShapedArray(form.shape, form.dtype, False if form.weak_type is False else None)
    flag = as_flag(calc_q)
    return Alternatives.of((form, (form, matrix))) if flag is None else (form, matrix) if flag else form


@rule("scipy.linalg.expm_frechet")
def expm_frechet(cx: Context, A: Any, E: Any, *, method: Any = None, compute_expm: Any = True) -> Any:
    """`jax.scipy.linalg.expm_frechet`: the exponential, unless it is not asked for, and its derivative in a direction.

    Raises:
        ShapeError: (ValueError) for matrices that are not square, and for several whose number is not their size.
    """
    check_hashable("expm_frechet", method=method, compute_expm=compute_expm)
    array, direction = _asarray(cx, A), _asarray(cx, E)
    shape = array.shape
    if shape is not None and (len(shape) < 2 or differ(shape[-2], shape[1])):
        raise ShapeError(f"expm_frechet: a square matrix is required, got {array}", ValueError)
    _square_shape("expm_frechet", "E", direction.shape)
    other = direction.shape
    if shape is not None and other is not None and (len(shape) != len(other) or any(map(differ, shape, other))):
        raise ShapeError(f"expm_frechet: arrays of one shape are required, got {array} and {direction}", ValueError)
    if array.dtype is not None and direction.dtype not in (None, array.dtype):
        raise DtypeError(f"expm_frechet: the direction is of the dtype of the matrix, got {array} and {direction}")
    dtype = array.dtype or direction.dtype
    if dtype is not None and dtype not in ANY_INEXACT:
        raise DtypeError(f"expm_frechet: floats or complex numbers are required, got {dtype}")
    common = shape or other
    if shape is not None and other is not None:
        common = tuple(map(known_dim, zip(shape, other)))
    value = _expm(cx, ShapedArray(common, dtype, False))
    flag = as_flag(compute_expm)
    return Alternatives.of(((value, value), value)) if flag is None else (value, value) if flag else value
