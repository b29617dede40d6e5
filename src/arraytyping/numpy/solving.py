"""Systems of linear equations, inverses and determinants: `jax.numpy.linalg.solve` and its kin.

The derivatives are those of the equations, not of the steps of the factorization.

Source: https://docs.jax.dev/en/latest/jax.numpy.linalg.html; `jax/_src/numpy/linalg.py`.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from arraytyping.numpy.arithmetic import add, divide, multiply, subtract
from arraytyping.numpy.choosing import where
from arraytyping.numpy.contractions import matmul
from arraytyping.numpy.creation import eye
from arraytyping.numpy.diagonals import diagonal_of
from arraytyping.numpy.elementary import exp, log
from arraytyping.numpy.parts import abs as absolute, real_part, sign as sign_of
from arraytyping.numpy.promoting import is_complex, promoted_inexact
from arraytyping.numpy.reductions import any as any_of, count_nonzero, prod, sum as total
from arraytyping.numpy.stretching import spread
from arraytyping.numpy.traces import trace
from arraytyping.runtime.array_likes import array_from, concrete_int, convert_to
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.creation import full_of, iota_of, zeros_of
from arraytyping.runtime.lax.linalg import lu
from arraytyping.runtime.lax.linalg.lu import permuted_rows
from arraytyping.runtime.lax.linalg.matrices import identity
from arraytyping.runtime.lax.linalg.triangular import solve_triangular
from arraytyping.runtime.lax.structure import broadcast_to, reshape
from arraytyping.runtime.np_dtypes import np_dtype
from arraytyping.runtime.transformations.custom_rules import custom_jvp
from arraytyping.runtime.transformations.jit import jit
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes

__all__ = [
    "det", "inv", "matrix_power", "slogdet", "solve", "tensorinv", "tensorsolve",
]  # fmt: skip


def _is_square(x: Any) -> bool:
    shape = x.aval.shape
    return len(shape) >= 2 and shape[-1] == shape[-2]


def _check_square(name: str, x: Any) -> None:
    """Check that these are square matrices.

    Raises:
        ValueError: if not.
    """
    if not _is_square(x):
        raise ValueError(f"{name}: square matrices are required, of shape [..., n, n], got {x.aval}")


def _by_factors(a: Any, b: Any) -> Any:
    """The solution x of a x = b, of one leading shape."""
    factors, _, permutation = lu(a)
    y = solve_triangular(factors, permuted_rows(b, permutation), left_side=True, lower=True, unit_diagonal=True)
    return solve_triangular(factors, y, left_side=True, lower=False)


@custom_jvp
def _solution(a: Any, b: Any) -> Any:
    return _by_factors(a, b)


@_solution.defjvp
def _solution_jvp(primals: Any, tangents: Any) -> tuple[Any, Any]:
    (a, b), (da, db) = primals, tangents
    x = _solution(a, b)
    return x, _by_factors(a, subtract(db, matmul(da, x, precision="highest")))


@jit
def solve(a: Any, b: Any) -> Any:
    """The x for which a @ x is b, for each place of the leading dimensions: `jax.numpy.linalg.solve`.

    Raises:
        ValueError: for what are no square matrices, or do not go together.
    """
    a, b = promoted_inexact(a, b)
    _check_square("solve", a)
    n, rank = a.aval.shape[-1], len(b.aval.shape)
    if rank == 0:
        raise ValueError(f"solve: the right side has at least 1 dimension, got {b.aval}")
    vector = rank == 1
    size = b.aval.shape[-1 if vector else -2]
    if size != n:
        raise ValueError(
            f"solve: {a.aval} and {b.aval} do not go together; the right side is a vector, or has matrices of {n} rows"
        )
    right = reshape(b, (n, 1)) if vector else b
    lead = broadcast_shapes("solve", a.aval.shape[:-2], right.aval.shape[:-2])
    assert lead is not None
    columns = right.aval.shape[-1]
    if not columns or not n:
        x = zeros_of(ShapedArray((*lead, n, columns), a.aval.dtype, False))
    else:
        x = _solution(spread(a, (*lead, n, n)), spread(right, (*lead, n, columns)))  # type: ignore[arg-type]
    x = convert_to(x, a.aval.dtype, bool(a.aval.weak_type))
    return reshape(x, x.aval.shape[:-1]) if vector else x


@jit
def inv(a: Any) -> Any:
    """The inverses of square matrices: `jax.numpy.linalg.inv`.

    Raises:
        ValueError: for what are none.
    """
    _check_square("inv", a)
    (x,) = promoted_inexact(a)
    return solve(convert_to(x, x.aval.dtype), identity(x.aval.dtype, x.aval.shape))


class SlogdetResult(NamedTuple):
    """The sign of a determinant and the logarithm of its absolute value."""

    sign: Any
    logabsdet: Any


def _number_of_exchanges(pivots: Any) -> Any:
    """How many rows were exchanged with another one."""
    places = iota_of(pivots.aval.dtype, pivots.aval.shape, len(pivots.aval.shape) - 1)
    return count_nonzero(pivots != places, axis=-1)


def _sign_and_log(a: Any) -> tuple[Any, Any]:
    rank = len(a.aval.shape)
    dtype = a.aval.dtype
    if a.aval.shape[-1] == 1:
        only = reshape(a, a.aval.shape[:-2])
        return sign_of(only), log(absolute(only))
    factors, pivots, _ = lu(a)
    diagonal = diagonal_of(factors, 0, rank - 2, rank - 1)
    is_zero = any_of(diagonal == 0, axis=-1)
    parity = _number_of_exchanges(pivots)
    size = absolute(diagonal)
    if is_complex(a):
        sign = prod(divide(diagonal, convert_to(size, dtype)), axis=-1)
    else:
        sign = convert_to(array_from(1.0), dtype)
        parity = add(parity, count_nonzero(diagonal < 0, axis=-1))
    turned = convert_to(subtract(1, multiply(2, parity % 2)), dtype)
    sign = where(is_zero, convert_to(array_from(0.0), dtype), multiply(sign, turned))
    logarithm = total(log(size), axis=-1)
    return sign, where(is_zero, convert_to(array_from(-math.inf), logarithm.aval.dtype), logarithm)


@custom_jvp
def _slogdet(a: Any) -> tuple[Any, Any]:
    return _sign_and_log(a)


@_slogdet.defjvp
def _slogdet_jvp(primals: Any, tangents: Any) -> tuple[Any, Any]:
    (a,), (da,) = primals, tangents
    sign, logarithm = _slogdet(a)
    change = trace(solve(a, da), axis1=-1, axis2=-2)
    if not is_complex(a):
        return (sign, logarithm), (zeros_of(sign.aval), change)
    real = real_part(change)
    return (sign, logarithm), (multiply(subtract(change, convert_to(real, change.aval.dtype)), sign), real)


@jit(static_argnames=("method",))
def slogdet(a: Any, *, method: str | None = None) -> SlogdetResult:
    """The sign of determinants and the logarithm of their absolute value: `jax.numpy.linalg.slogdet`.

    Raises:
        ValueError: for what are no square matrices, and for an unknown method.
        NotImplementedError: for the method `qr`.
    """
    (x,) = promoted_inexact(a)
    _check_square("slogdet", x)
    if method == "qr":
        raise NotImplementedError("slogdet: method 'qr' is not implemented; use 'lu'")
    if method not in (None, "lu"):
        raise ValueError(f"slogdet: the method is 'lu', got {method!r}")
    return SlogdetResult(*_slogdet(convert_to(x, x.aval.dtype)))


def _cofactor_products(a: Any, b: Any) -> tuple[Any, Any]:
    """The determinants of a, and their products with the solutions of a x = b, also where a is singular by one.

    Source: `_cofactor_solve` of `jax/_src/numpy/linalg.py`.
    """
    n, lead = a.aval.shape[-1], a.aval.shape[:-2]
    if n == 1:
        return a[..., 0, 0], b
    factors, pivots, permutation = lu(a)
    rank = len(a.aval.shape)
    diagonal = diagonal_of(factors, 0, rank - 2, rank - 1)
    from arraytyping.numpy.cumulative import cumprod

    sign = convert_to(subtract(1, multiply(2, _number_of_exchanges(pivots) % 2)), a.aval.dtype)
    partial = multiply(cumprod(diagonal, axis=-1), sign[..., None])
    factors = factors.at[..., -1, -1].set(divide(1.0, partial[..., -2]))
    ones = full_of(1, ShapedArray((*lead, n, 1), a.aval.dtype, False))
    probe = solve_triangular(factors, ones, left_side=True, lower=False)
    from arraytyping.numpy.comparing import isfinite, logical_not

    singular = any_of(logical_not(isfinite(probe)), axis=(-2, -1), keepdims=True)
    x = where(singular, zeros_of(b.aval), b)
    x = solve_triangular(factors, permuted_rows(x, permutation), left_side=True, lower=True, unit_diagonal=True)
    x = x.at[..., :-1, :].multiply(partial[..., -1, None, None])
    x = solve_triangular(factors, x, left_side=True, lower=False)
    return partial[..., -1], where(singular, zeros_of(x.aval), x)


@custom_jvp
def _determinant(a: Any) -> Any:
    sign, logarithm = slogdet(a)
    return multiply(sign, convert_to(exp(logarithm), sign.aval.dtype))


@_determinant.defjvp
def _determinant_jvp(primals: Any, tangents: Any) -> tuple[Any, Any]:
    value, products = _cofactor_products(primals[0], tangents[0])
    return value, trace(products, axis1=-1, axis2=-2)


def _by_leibniz(a: Any) -> Any:
    """The determinant of 2 x 2 and 3 x 3 matrices, as the sum of its products."""
    if a.aval.shape[-1] == 2:
        return a[..., 0, 0] * a[..., 1, 1] - a[..., 0, 1] * a[..., 1, 0]
    even = [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    odd = [(2, 1, 0), (0, 2, 1), (1, 0, 2)]
    products = [a[..., 0, i] * a[..., 1, j] * a[..., 2, k] for i, j, k in (*even, *odd)]
    return products[0] + products[1] + products[2] - products[3] - products[4] - products[5]


@jit
def det(a: Any) -> Any:
    """The determinants of square matrices: `jax.numpy.linalg.det`.

    Raises:
        ValueError: for what are none.
    """
    (x,) = promoted_inexact(a)
    _check_square("det", x)
    return _by_leibniz(x) if x.aval.shape[-1] in (2, 3) else _determinant(convert_to(x, x.aval.dtype))


@jit(static_argnames=("n",))
def matrix_power(a: Any, n: int) -> Any:
    """Square matrices multiplied by themselves, the inverse for negative powers: `jax.numpy.linalg.matrix_power`.

    Raises:
        TypeError: for what are no square matrices, and for a power that is no integer.
    """
    if not _is_square(a):
        raise TypeError(f"matrix_power: square matrices are required, of shape [..., n, n], got {a.aval}")
    times = concrete_int(n, "the power")
    if times == 0:
        return broadcast_to(eye(a.aval.shape[-1], dtype=np_dtype(a.aval.dtype)), a.aval.shape)
    if times < 0:
        a, times = inv(a), -times
    if times <= 3:
        return a if times == 1 else a @ a if times == 2 else a @ a @ a
    result, power = None, a
    while True:
        if times % 2:
            result = power if result is None else result @ power
        times //= 2
        if not times:
            return result
        power = power @ power


@operation("numpy.linalg.tensorinv", "a")
def tensorinv(a: Any, ind: int = 2) -> Any:
    """The inverse of `tensordot` with an array: `jax.numpy.linalg.tensorinv`."""
    x, count = a, concrete_int(ind, "ind")
    first, rest = x.aval.shape[:count], x.aval.shape[count:]
    return reshape(inv(reshape(x, (math.prod(first), math.prod(rest)))), (*rest, *first))


@operation("numpy.linalg.tensorsolve", "a", "b")
def tensorsolve(a: Any, b: Any, axes: tuple[int, ...] | None = None) -> Any:
    """The x whose `tensordot` with an array is b: `jax.numpy.linalg.tensorsolve`."""
    from arraytyping.numpy.permuting import moveaxis

    x, right = a, b
    if axes is not None:
        x = moveaxis(x, axes, (len(x.aval.shape) - 1,) * len(axes))
    own, shape = x.aval.shape, right.aval.shape
    rest = own[len(shape) :]
    size = math.prod(shape)
    return reshape(solve(reshape(x, (size, size)), reshape(right, (size,))), rest)
