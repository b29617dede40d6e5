"""Rules of `jax.numpy.linalg` that are composed of others: least squares, condition numbers, tensor equations.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/linalg.py.
"""

from __future__ import annotations

import string
from itertools import pairwise
from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, Dim, NumPyArray, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.compositions import on_abstract_values
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, RuleError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.refusals import TINY, refuse
from arraytyping.semantics.rules.sizes import is_empty, size_dim, with_shape
from arraytyping.semantics.rules.static_arguments import as_flag, as_index, is_constant
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import differ, known_dim, min_dim

__all__: list[str] = []

WIDE: Final = (None, "int64", "uint64", "float64", "complex128")


@rule("numpy.linalg.eig")
def eig(cx: Context, a: Any) -> Any:
    """`jax.numpy.linalg.eig`: eigenvalues and eigenvectors, complex."""
    ops = on_abstract_values(cx)
    return tuple(ops("lax.linalg.eig", *ops.inexact("linalg.eig", a), compute_left_eigenvectors=False))


@rule("numpy.linalg.eigvals")
def eigvals(cx: Context, a: Any) -> Any:
    """`jax.numpy.linalg.eigvals`: complex."""
    return eig(cx, a)[0]


@rule("numpy.linalg.lstsq")
def lstsq(cx: Context, a: Any, b: Any, rcond: Any = None, *, numpy_resid: Any = False) -> Any:
    """`jax.numpy.linalg.lstsq`: the solution, squared distances, the rank, and the singular values."""
    ops = on_abstract_values(cx)
    left, right = (as_operand(cx, x, "linalg.lstsq", i) for i, x in enumerate((a, b)))
    left, right = ops.inexact("linalg.lstsq", left, right)
    for array in (left, right):
        if array.shape == ():
            raise DimError("linalg.lstsq takes matrices, got a number", IndexError)
    if left.shape is None or right.shape is None:
        return UNKNOWN
    if differ(left.shape[0], right.shape[0]):
        raise ShapeError(
            f"linalg.lstsq: both sides must have as many rows, got {left.shape[0]} and {right.shape[0]}", ValueError
        )
    if len(left.shape) != 2:
        raise ShapeError(f"linalg.lstsq: the left side is a matrix, got shape {shape_tuple_str(left.shape)}")
    if len(right.shape) > 2:
        raise ShapeError(f"linalg.lstsq: the right side has 1 or 2 dimensions, got {shape_tuple_str(right.shape)}")
    rows, columns = left.shape
    many: tuple[Dim, ...] = right.shape[1:]
    rank = ShapedArray((), cx.default("int"), False)
    empty = is_empty(left.shape)
    if empty is None and left.weak_type is not False:
        left, right = (ShapedArray(x.shape, x.dtype, None) for x in (left, right))
    whole = as_flag(numpy_resid) is False
    residuals = many if many else (1,)
    if empty:
        values = ShapedArray((0,), left.dtype, False)
        solution = ShapedArray((columns, *many), left.dtype, False)
    else:
        refuse("linalg.lstsq", left.dtype, (TINY.raising(ValueError if rcond is None else TypeError),))
        u, values, v = ops("numpy.linalg.svd", left, False)
        conj = [ops("numpy.conj", m) for m in (u, v)]
        column = with_shape(right, (rows, many[0] if many else 1))
        projected = ops("numpy.matmul", _transposed(conj[0]), column)
        safe = ShapedArray((), left.dtype, False)
        inverse = ops("numpy.where", ShapedArray((), "bool", False), ops("numpy.true_divide", 1, safe), 0)
        solution = ops("numpy.matmul", _transposed(conj[1]), ops("numpy.multiply", inverse, projected))
        solution = with_shape(solution, (columns, *many))
        values = with_shape(values, (min_dim(rows, columns),)) if isinstance(values, ShapedArray) else values
    estimate = with_shape(ops("numpy.matmul", left, with_shape(solution, (columns, 1))), ())
    distance = ops("numpy.linalg.norm", ops("numpy.subtract", with_shape(right, (1,)), estimate), axis=0)
    distance = ops("numpy.power", distance, 2)
    if not whole:
        distance = ShapedArray(None, None)
    return solution, with_shape(distance, residuals if whole else None), rank, values


def _transposed(x: ShapedArray) -> ShapedArray:
    return with_shape(x, None if x.shape is None else x.shape[::-1])


@rule("numpy.linalg.cond")
def cond(cx: Context, x: Any, p: Any = None) -> Any:
    """`jax.numpy.linalg.cond`: by singular values, or by another norm of the matrix and of its inverse."""
    check_hashable("linalg.cond", p=p)
    ops = on_abstract_values(cx)
    array = as_operand(cx, x, "linalg.cond")
    shape = array.shape
    if shape is None or not is_constant(p):
        return UNKNOWN
    if len(shape) < 2:
        raise ShapeError(f"linalg.cond takes matrices, got shape {shape_tuple_str(shape)}", ValueError)
    if 0 in shape[-2:]:
        raise ShapeError(f"linalg.cond: a matrix without items has no condition number, got {array}", ValueError)
    lead = shape[:-2]
    if p is None or p == 2 or p == -2:
        values = ops("numpy.linalg.svdvals", array)
        quotient = ops("numpy.true_divide", with_shape(values, lead), with_shape(values, lead))
        if p != -2:
            return quotient
    else:
        if differ(*shape[-2:]):
            raise ShapeError(
                f"linalg.cond: by norm {p!r} matrices are square, got {shape_tuple_str(shape)}", ValueError
            )
        whole = ops("numpy.linalg.norm", array, ord=p, axis=(-2, -1))
        inverse = ops("numpy.linalg.norm", ops("numpy.linalg.inv", array), ord=p, axis=(-2, -1))
        quotient = ops("numpy.multiply", whole, inverse)
    ops("numpy.isnan", array)
    return ops("numpy.where", ShapedArray(lead, "bool", False), float("inf"), quotient)


@rule("numpy.linalg.multi_dot")
def multi_dot(cx: Context, arrays: Any, *, precision: Any = None) -> Any:
    """`jax.numpy.linalg.multi_dot`: the first and the last may be vectors."""
    if arrays is UNKNOWN:
        return UNKNOWN
    if isinstance(arrays, NumPyArray | ShapedArray):
        return UNKNOWN
    if not isinstance(arrays, tuple | list):
        raise RuleError(f"linalg.multi_dot takes a sequence of arrays, got {arrays!r}")
    operands = [as_operand(cx, x, "linalg.multi_dot", i) for i, x in enumerate(arrays)]
    if len(operands) == 1:  # JAX takes its rows for the arrays
        (only,) = operands
        if not only.shape or not isinstance(only.shape[0], int):
            return UNKNOWN
        operands = [with_shape(only, only.shape[1:])] * only.shape[0]
    count = len(operands)
    if count < 2:
        raise ShapeError(f"linalg.multi_dot takes at least two arrays, got {count}", ValueError)
    for i, one in enumerate(operands):
        if one.shape is not None and len(one.shape) not in ((1, 2) if i in (0, count - 1) else (2,)):
            raise ShapeError(
                f"linalg.multi_dot: array {i} has shape {shape_tuple_str(one.shape)}; it takes matrices, and vectors "
                "first and last",
                ValueError,
            )
    for one, other in pairwise(operands):
        if one.shape is not None and other.shape is not None and differ(one.shape[-1], other.shape[0]):
            raise ShapeError(
                f"linalg.multi_dot: {shape_tuple_str(one.shape)} and {shape_tuple_str(other.shape)} do not go together",
                ValueError,
            )
    joined, _ = cx.join("linalg.multi_dot", operands)
    # A product of wide integers in a narrower float JAX refuses or not, as it comes to multiply two of them first.
    narrow = joined not in WIDE and any(one.dtype in ("int64", "uint64") for one in operands)
    if any(one.shape is None for one in operands) or count > 50 or (count > 2 and narrow):
        return UNKNOWN
    letters = string.ascii_letters
    terms = [letters[i : i + 2] for i in range(count)]
    if operands[0].ndim == 1:
        terms[0] = terms[0][1:]
    if operands[-1].ndim == 1:
        terms[-1] = terms[-1][:1]
    kept = (letters[0] if operands[0].ndim == 2 else "") + (letters[count] if operands[-1].ndim == 2 else "")
    return on_abstract_values(cx)("numpy.einsum", f"{','.join(terms)}->{kept}", *operands, precision=precision)


@rule("numpy.linalg.tensorinv")
def tensorinv(cx: Context, a: Any, ind: Any = 2) -> Any:
    """`jax.numpy.linalg.tensorinv`: as a matrix the first `ind` dimensions are rows."""
    array = as_operand(cx, a, "linalg.tensorinv")
    number = as_index("linalg.tensorinv", "ind", ind)
    if number is not None and number <= 0:
        raise RuleError(f"linalg.tensorinv: ind is a positive integer, got {number}", ValueError)
    shape = array.shape
    if shape is None or number is None:
        return UNKNOWN
    rows, columns = size_dim(shape[:number]), size_dim(shape[number:])
    if differ(rows, columns):
        raise ShapeError(
            f"linalg.tensorinv: as a matrix {shape_tuple_str(shape)} has {rows} rows and {columns} columns; it must be "
            "square",
            ValueError,
        )
    inverse = on_abstract_values(cx)("numpy.linalg.inv", with_shape(array, (rows, rows)))
    return with_shape(inverse, (*shape[number:], *shape[:number]))


@rule("numpy.linalg.tensorsolve")
def tensorsolve(cx: Context, a: Any, b: Any, axes: Any = None) -> Any:
    """`jax.numpy.linalg.tensorsolve`: the first dimensions of the left side are those of the right one."""
    ops = on_abstract_values(cx)
    left, right = (as_operand(cx, x, "linalg.tensorsolve", i) for i, x in enumerate((a, b)))
    if axes is UNKNOWN or left.shape is None or right.shape is None:
        return UNKNOWN
    if axes is not None:
        if not isinstance(axes, tuple | list):
            raise RuleError(f"linalg.tensorsolve: axes are a tuple, got {axes!r}")
        left = ops("numpy.moveaxis", left, axes, (len(left.shape) - 1,) * len(axes))
    rank = len(right.shape)
    if left.shape is None:
        return UNKNOWN
    lead, rest = left.shape[:rank], left.shape[rank:]
    if len(lead) != rank or any(map(differ, lead, right.shape)):
        raise ShapeError(
            f"linalg.tensorsolve: {shape_tuple_str(left.shape)} must begin with {shape_tuple_str(right.shape)}",
            ValueError,
        )
    size, other = size_dim(right.shape), size_dim(rest)
    if differ(size, other):
        raise ShapeError(
            f"linalg.tensorsolve: the left side has {size} equations for {other} unknowns; it must have as many",
            ValueError,
        )
    known = known_dim((size, other))
    return with_shape(ops("numpy.linalg.solve", with_shape(left, (known, known)), with_shape(right, (known,))), rest)
