"""Rules of the family: contractions of `jax.lax`, whose dimensions are numbered and whose dtypes may differ.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.dot_general.html; `_dot_general_shape_rule` and
`_dot_general_dtype_rule` of https://github.com/jax-ml/jax/blob/main/jax/_src/lax/lax.py.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from arraytyping.semantics.avals import (
    UNKNOWN,
    Dim,
    NumPyArray,
    Scalar,
    Shape,
    ShapedArray,
    SymbolicDim,
    dim_str,
    shape_tuple_str,
)
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dot_general import (
    check_accumulation,
    check_out_sharding,
    check_precision,
    higher_dtype,
)
from arraytyping.semantics.rules.dtype_kinds import ANY_INTEGER
from arraytyping.semantics.rules.errors import DimError, DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.lax_operands import all_weak, shaped
from arraytyping.semantics.rules.operands import as_array, as_dtype, as_operand, requested_dtype
from arraytyping.semantics.rules.shapes.products import check_contracted
from arraytyping.semantics.rules.static_arguments import as_index
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import differ, known_dim

Numbers = tuple[int, ...] | None


class DotNumbers(NamedTuple):
    """The dimensions that are contracted and those that are batched, of each operand; None where unknown."""

    contracted: tuple[Numbers, Numbers]
    batched: tuple[Numbers, Numbers]


@rule("lax.dot")
def dot(
    cx: Context,
    lhs: Any,
    rhs: Any,
    *,
    dimension_numbers: Any = None,
    precision: Any = None,
    preferred_element_type: Any = None,
    out_sharding: Any = None,
) -> ShapedArray:
    """`jax.lax.dot`: a product of vectors and matrices, unless the dimensions are numbered."""
    return _dot(cx, "lax.dot", lhs, rhs, dimension_numbers, precision, preferred_element_type, out_sharding)


@rule("lax.dot_general")
def dot_general(
    cx: Context,
    lhs: Any,
    rhs: Any,
    dimension_numbers: Any,
    precision: Any = None,
    preferred_element_type: Any = None,
    *,
    out_sharding: Any = None,
) -> ShapedArray:
    """`jax.lax.dot_general`."""
    return _dot(cx, "lax.dot_general", lhs, rhs, dimension_numbers, precision, preferred_element_type, out_sharding)


@rule("lax.batch_matmul")
def batch_matmul(cx: Context, lhs: Any, rhs: Any, precision: Any = None) -> ShapedArray:
    """`jax.lax.batch_matmul`: a product of matrices for each of the leading dimensions, which must be equal."""
    operation = "lax.batch_matmul"
    a, b = shaped(cx, lhs, operation), shaped(cx, rhs, operation)
    ranks = [x.ndim for x in (a, b) if x.ndim is not None]
    if any(rank < 2 for rank in ranks):
        raise DimError(f"{operation} takes arrays of at least two dimensions, got {a} and {b}; reshape them first")
    if len(set(ranks)) > 1:
        raise DimError(f"{operation} takes arrays of one rank, got {a} and {b}; reshape one of them")
    numbers: Any = UNKNOWN
    if ranks:
        rank = ranks[0]
        batch = tuple(range(rank - 2))
        numbers = (((rank - 1,), (rank - 2,)), (batch, batch))
    return _dot(cx, operation, a, b, numbers, precision, None, None)


@rule("lax.ragged_dot")
def ragged_dot(
    cx: Context,
    lhs: Any,
    rhs: Any,
    group_sizes: Any,
    precision: Any = None,
    preferred_element_type: Any = None,
    group_offset: Any = None,
    out_sharding: Any = None,
) -> ShapedArray:
    """`jax.lax.ragged_dot`: each group of the rows of a matrix times the matrix of that group.

    Shapes `(m, k)`, `(g, k, n)` and `(g,)` give `(m, n)`: a contraction, of which the groups are no dimension.
    """
    operation = "lax.ragged_dot"
    a, b, sizes = [as_operand(cx, x, operation, i) for i, x in enumerate((lhs, rhs, group_sizes))]
    _check_groups(operation, a, b, sizes)
    if sizes.dtype is not None and sizes.dtype not in ANY_INTEGER:
        raise DtypeError(f"{operation}: group_sizes are integers, got {sizes}; convert them, with .astype(jnp.int32)")
    numbers = (((1,), (1,)), ((), ()))
    product = _dot(cx, operation, a, b, numbers, precision, preferred_element_type, out_sharding)
    shape = product.shape
    if shape is not None and a.shape is not None:
        groups = len(a.shape) - 1  # where they stand, behind what is left of the first operand
        shape = (*shape[:groups], *shape[groups + 1 :])
    return ShapedArray(shape, _accumulated(cx, product.dtype, preferred_element_type), all_weak((a, b, sizes)))


def _accumulated(cx: Context, dtype: str | None, preferred: Any) -> str | None:
    """The dtype of a ragged product; unknown where one of 64 bits is preferred and there is none.

    JAX traces such a product as one of 64 bits, and then fails to compile it.
    """
    if preferred is None or dtype is None or cx.x64:
        return dtype
    return dtype if as_dtype(preferred, "lax.ragged_dot") == dtype else None


def _check_groups(operation: str, a: ShapedArray, b: ShapedArray, sizes: ShapedArray) -> None:
    """Refuse sizes of groups that are no vector, or not as many as there are matrices.

    Raises:
        DimError: (TypeError) for operands without the dimension of the groups, or sizes that are no vector.
        ShapeError: (TypeError) if there are more or fewer sizes than matrices.
    """
    if a.ndim == 0 or b.ndim == 0:
        raise DimError(f"{operation} multiplies a matrix by one for each group of its rows, got {a} and {b}", TypeError)
    if sizes.ndim is not None and sizes.ndim != 1:
        raise DimError(f"{operation}: group_sizes is a vector, one size for each group, got {sizes}", TypeError)
    if b.shape is not None and sizes.shape is not None and differ(b.shape[0], sizes.shape[0]):
        raise ShapeError(
            f"{operation}: {dim_str(sizes.shape[0])} group_sizes for {dim_str(b.shape[0])} matrices, the first "
            f"dimension of {shape_tuple_str(b.shape)}; they must be equal",
            TypeError,
        )


def _dot(
    cx: Context, operation: str, lhs: Any, rhs: Any, numbers: Any, precision: Any, preferred: Any, out_sharding: Any
) -> ShapedArray:
    if numbers is None:
        _check_ranks_known_by_numpy(operation, lhs, rhs)
        known = _of_matrices(operation, as_array(cx, lhs, operation, 0), as_array(cx, rhs, operation, 1))
    else:
        known = _dot_numbers(operation, numbers)
    check_out_sharding(operation, out_sharding)
    named = None if preferred is None else requested_dtype(cx, preferred, operation)
    check_precision(operation, precision)
    a, b = as_operand(cx, lhs, operation, 0), as_operand(cx, rhs, operation, 1)
    shape = None if known is None else _dot_shape(operation, a, b, known)
    check_accumulation(operation, (a.dtype, a.weak_type), (b.dtype, b.weak_type), named, precision)
    dtype = named if preferred is not None else higher_dtype(a.dtype, b.dtype)
    return ShapedArray(shape, dtype, all_weak((a, b)))


def _check_ranks_known_by_numpy(operation: str, *operands: Any) -> None:
    """Refuse what has no dimensions to NumPy, which JAX asks before it asks for arrays.

    Raises:
        DimError: for None and strings.
    """
    if any(operand is None or isinstance(operand, str) for operand in operands):
        raise DimError(f"{operation} requires vectors or matrices, got {operands}; give arrays")


def _of_matrices(operation: str, a: ShapedArray, b: ShapedArray) -> DotNumbers | None:
    """The numbers of a plain product of vectors and matrices; None if a rank is unknown.

    Raises:
        DimError: if it is none.
    """
    for x in (a, b):
        if x.ndim is not None and not 1 <= x.ndim <= 2:
            raise DimError(
                f"{operation} multiplies vectors and matrices, got {x}; give dimension_numbers, or reshape it"
            )
    if a.shape is not None and b.shape is not None:
        inner, outer = a.shape[-1], b.shape[0]
        if differ(inner, outer):
            raise ShapeError(
                f"{operation}: contracted dimensions differ: {shape_tuple_str(a.shape)} ends with {inner}, "
                f"{shape_tuple_str(b.shape)} begins with {outer}; they must be equal",
                ValueError,
            )
        return DotNumbers(((len(a.shape) - 1,), (0,)), ((), ()))
    return None


def _pair(operation: str, value: Any) -> tuple[Any, Any] | None:
    """The two parts of a pair; None if they may be any.

    Raises:
        RuleError: for what is no pair: ValueError for another length, TypeError for what has none.
    """
    if value is UNKNOWN or isinstance(value, ShapedArray | NumPyArray):
        return None
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise RuleError(
            f"{operation}: dimension_numbers must be ((lhs_contracting, rhs_contracting), (lhs_batch, rhs_batch)), "
            f"and a part of it is {value!r}",
            ValueError if isinstance(value, tuple | list | str) else TypeError,
        )
    return value[0], value[1]


def _dot_numbers(operation: str, value: Any) -> DotNumbers | None:
    """The dimension numbers as they are given; None if they may be any.

    Raises:
        RuleError: for what is none.
    """
    parts = _pair(operation, value)
    if parts is None:
        return None
    pairs = [_pair(operation, part) for part in parts]
    contracted, batched = [
        (None, None) if pair is None else (_numbers(operation, pair[0]), _numbers(operation, pair[1])) for pair in pairs
    ]
    return DotNumbers(contracted, batched)


def _numbers(operation: str, value: Any) -> Numbers:
    """One dimension number or several; None if one is unknown.

    Raises:
        DimError: (TypeError) for what is no integer.
    """
    if isinstance(value, tuple | list):
        numbers = [as_index(operation, "a dimension number", v) if v is not UNKNOWN else None for v in value]
        known = tuple(n for n in numbers if n is not None)
        return known if len(known) == len(numbers) else None
    if value is UNKNOWN or isinstance(value, ShapedArray | NumPyArray | Scalar | SymbolicDim):
        return None
    number = as_index(operation, "a dimension number", value)
    return None if number is None else (number,)


def _dot_shape(operation: str, a: ShapedArray, b: ShapedArray, numbers: DotNumbers) -> Shape | None:
    """The batched dimensions, then those left of the first operand and of the second; None where too little is known.

    Raises:
        DimError: (TypeError) for a number that is no dimension of its operand, or is given twice.
        ShapeError: (TypeError) if batched or contracted sizes differ.
    """
    for i, (side, x) in enumerate((("lhs", a), ("rhs", b))):
        used = [n for part in (numbers.contracted[i], numbers.batched[i]) for n in part or ()]
        wrong = [n for n in used if n < 0 or (x.ndim is not None and n >= x.ndim)]
        if wrong or len(set(used)) < len(used):
            reason = f"{wrong[0]} is out of bounds" if wrong else "one is given twice"
            raise DimError(f"{operation}: dimension numbers {used} of {side}, which is {x}: {reason}", TypeError)
    for what, (left, right) in (("contracted", numbers.contracted), ("batch", numbers.batched)):
        if left is not None and right is not None and len(left) != len(right):
            raise DimError(
                f"{operation}: {len(left)} {what} dimensions of lhs against {len(right)} of rhs; name equally many",
                TypeError,
            )
    if a.shape is None or b.shape is None:
        return None
    if None not in numbers.contracted:
        check_contracted(
            operation, a.shape, b.shape, list(zip(numbers.contracted[0] or (), numbers.contracted[1] or ()))
        )
    batch: list[Dim] = []
    for i, j in zip(numbers.batched[0] or (), numbers.batched[1] or ()):
        p, q = a.shape[i], b.shape[j]
        if differ(p, q):
            raise ShapeError(
                f"{operation}: batch dimensions differ: dimension {i} of {shape_tuple_str(a.shape)} is {dim_str(p)}, "
                f"dimension {j} of {shape_tuple_str(b.shape)} is {dim_str(q)}; they must be equal"
            )
        batch.append(known_dim((p, q)))
    if None in numbers.contracted or None in numbers.batched:
        return None
    of_a = {*(numbers.contracted[0] or ()), *(numbers.batched[0] or ())}
    of_b = {*(numbers.contracted[1] or ()), *(numbers.batched[1] or ())}
    return (
        *batch,
        *(d for i, d in enumerate(a.shape) if i not in of_a),
        *(d for i, d in enumerate(b.shape) if i not in of_b),
    )
