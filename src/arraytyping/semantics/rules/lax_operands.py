"""What the functions of `jax.lax` ask of their arrays: one dtype, one rank or none, which dtypes at all.

They promote nothing: arrays of two dtypes are a mistake, and a Python scalar is a weak array of the default dtype.
Of arrays that must agree, what is known of one is known of all.

Source: `naryop_dtype_rule`, `unop_dtype_rule` and `broadcasting_shape_rule` of
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/lax.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.scalars import DTYPES
from arraytyping.semantics.avals import UNKNOWN, NumPyArray, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_COMPLEX, ANY_FLOAT, ANY_INEXACT, ANY_INTEGER
from arraytyping.semantics.rules.errors import DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.operands import as_operand, requested_dtype
from arraytyping.semantics.rules.reduction_arguments import broadcast_equal_ranks
from arraytyping.semantics.rules.refusals import Refusal
from arraytyping.semantics.sizes.dims import differ, known_dim

__all__ = [
    "NOT_COMPLEX",
    "NOT_FLOAT",
    "NOT_FLOAT32",
    "NOT_INEXACT",
    "NOT_INTEGER",
    "all_weak",
    "broadcast_ranks",
    "equal_shapes",
    "named_dtype",
    "same_dtype",
    "shaped",
]


def _refusing_all_but(dtypes: frozenset[str], advice: str) -> Refusal:
    return Refusal(frozenset(DTYPES) - dtypes, advice)


NOT_FLOAT: Final = _refusing_all_but(ANY_FLOAT, "it takes floats: convert first, with x.astype(jnp.float32)")
NOT_INEXACT: Final = _refusing_all_but(
    ANY_INEXACT, "it takes floats and complex numbers: convert first, with x.astype(jnp.float32)"
)
NOT_INTEGER: Final = _refusing_all_but(ANY_INTEGER, "it takes integers: convert first, with x.astype(jnp.int32)")
NOT_COMPLEX: Final = _refusing_all_but(ANY_COMPLEX, "it takes complex numbers; that of jax.numpy takes others too")
NOT_FLOAT32: Final = _refusing_all_but(
    frozenset(("float32", "float64")), "it takes float32 and float64: convert first, with x.astype(jnp.float32)"
)


def same_dtype(operation: str, operands: Sequence[ShapedArray]) -> str | None:
    """The one dtype of all operands; None if that of each is unknown.

    Raises:
        DtypeError: if two of them differ, naming all.
    """
    found = None
    for operand in operands:
        dtype = operand.dtype
        if dtype is None or dtype == found:
            continue
        if found is not None:
            raise DtypeError(
                f"{operation} requires arguments to have the same dtypes, got {', '.join(map(str, operands))}; "
                f"it promotes nothing: convert one of them, with .astype({found!r}), or use the function of jax.numpy"
            )
        found = dtype
    return found


def all_weak(operands: Sequence[ShapedArray]) -> bool | None:
    """Whether all operands are weak, as a result of theirs is then; None if unknown."""
    known: bool | None = True
    for operand in operands:
        if operand.weak_type is False:
            return False
        if operand.weak_type is None:
            known = None
    return known


def broadcast_ranks(operation: str, *shapes: Shape | None) -> Shape | None:
    """The shape that shapes of one rank, or of rank 0, broadcast to; None if even its rank is unknown.

    Raises:
        ShapeError: if two ranks other than 0 differ, or two sizes that are not 1.
    """
    first = shapes[0]
    if all(shape == first for shape in shapes):
        return first
    known = [shape for shape in shapes if shape is not None]
    result: Shape = ()
    for shape in known:
        broadcast = broadcast_equal_ranks(operation, result, shape)
        assert broadcast is not None
        result = broadcast
    if len(known) == len(shapes):
        return result
    # One of unknown rank has this rank too, or none; where the size is 1, its size is the result's.
    return tuple(d if differ(d, 1) else None for d in result) if result else None


def equal_shapes(operation: str, *shapes: Shape | None) -> Shape | None:
    """The one shape of all, with what each tells of it; None if that of each is unknown.

    Raises:
        ShapeError: if two of them differ.
    """
    common: Shape | None = None
    for shape in shapes:
        if shape is None or shape == common:
            continue
        if common is None:
            common = shape
            continue
        if len(shape) != len(common) or any(map(differ, shape, common)):
            raise ShapeError(
                f"{operation} requires equal shapes, got {shape_tuple_str(common)} and {shape_tuple_str(shape)}; "
                "it broadcasts nothing: give one shape to both, with jnp.broadcast_to"
            )
        common = tuple(map(known_dim, zip(common, shape)))
    return common


def shaped(cx: Context, value: Any, operation: str) -> ShapedArray:
    """The array of an argument of which JAX reads the shape before anything else.

    Raises:
        DtypeError: (AttributeError at run time) for what has no shape, such as a Python scalar.
    """
    if isinstance(value, ShapedArray):
        return value
    if value is not UNKNOWN and not isinstance(value, NumPyArray):
        shown = "None" if value is None else type(value).__name__
        raise DtypeError(
            f"{operation} requires an array, got {shown}; make one of it first, with jnp.asarray", AttributeError
        )
    return as_operand(cx, value, operation)


def named_dtype(cx: Context, value: Any, operation: str) -> str | None:
    """The dtype that a `dtype` argument names, which must be there; None if unknown.

    Raises:
        RuleError: (ValueError) if it is None.
        DtypeError: if it names no dtype.
    """
    if value is None:
        raise RuleError(f"{operation}: a dtype must be named, got None; give one such as jnp.float32", ValueError)
    return requested_dtype(cx, value, operation)
