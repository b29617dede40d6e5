"""What the functions of `jax.lax.linalg` ask of several operands: as many leading dimensions, and one dtype.

Source: `linalg_shape_rule` of https://github.com/jax-ml/jax/blob/main/jax/_src/lax/linalg.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from arraytyping.semantics.avals import Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.errors import ShapeError
from arraytyping.semantics.rules.lax_operands import all_weak, same_dtype
from arraytyping.semantics.rules.refusals import Refusal, refuse
from arraytyping.semantics.sizes.dims import any_differ

__all__ = ["of_one_dtype", "split"]


def split(
    operation: str, operands: Sequence[ShapedArray], ranks: Sequence[int]
) -> tuple[Shape | None, list[Shape | None]]:
    """The leading dimensions that all share, and the last ones of each, so many as its rank says.

    Raises:
        ShapeError: (TypeError) if an operand has fewer, or not as many leading ones; (ValueError) if these differ.
    """
    for i, (operand, rank) in enumerate(zip(operands, ranks)):
        if operand.shape is not None and len(operand.shape) < rank:
            raise ShapeError(f"{operation}: operand {i} has at least {rank} dimensions, got {operand}")
    leads = [None if x.shape is None else x.shape[: len(x.shape) - rank] for x, rank in zip(operands, ranks)]
    known = [lead for lead in leads if lead is not None]
    if len({len(lead) for lead in known}) > 1:
        shown = ", ".join(map(str, operands))
        raise ShapeError(f"{operation}: the operands have as many leading dimensions, got {shown}")
    if any(any_differ(sizes) for sizes in zip(*known)):
        shown = " and ".join(map(shape_tuple_str, dict.fromkeys(known)))
        raise ShapeError(f"{operation}: the leading dimensions differ: {shown}", ValueError)
    own = [None if x.shape is None else x.shape[len(x.shape) - rank :] for x, rank in zip(operands, ranks)]
    first = leads[0]
    return first if first is not None or not known else (None,) * len(known[0]), own


def of_one_dtype(
    operation: str, operands: Sequence[ShapedArray], refused: Refusal
) -> tuple[str | None, bool | None]:  # fmt: skip
    """The dtype of all operands, and whether all are weak.

    Raises:
        DtypeError: if one is refused, or two differ.
    """
    for operand in operands:
        refuse(operation, operand.dtype, (refused,))
    return same_dtype(operation, operands), all_weak(operands)
