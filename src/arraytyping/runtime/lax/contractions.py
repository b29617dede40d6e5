"""Products over numbered dimensions: `dot_general`, `dot`, `batch_matmul`.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.dot_general.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.cut_types import CutArray
from arraytyping.runtime.lax.bilinear import bilinear
from arraytyping.runtime.lax.dtype_arguments import canonical_dtype
from arraytyping.runtime.lax.precisions import canonical_precision
from arraytyping.runtime.lax.structure import transpose
from arraytyping.runtime.tracing.batching import Axis
from arraytyping.runtime.tracing.transposing import is_linear
from arraytyping.semantics.operations import OPERATIONS
from arraytyping.semantics.rules.named import named

__all__ = ["DotDimensionNumbers", "batch_matmul", "dot", "dot_general", "dot_general_p"]

Dims = tuple[int, ...]
DotDimensionNumbers = tuple[tuple[Dims, Dims], tuple[Dims, Dims]]

dot_general_p: Final = Primitive("dot_general", named("lax.dot_general"))


def _cotangent(
    ct: Any, x: Any, y: Any, dimension_numbers: DotDimensionNumbers, params: dict[str, Any], *, is_right: bool
) -> Any:
    """The cotangent of `x`, which has the dimension numbers on the left; it is the right operand if `is_right`."""
    (x_contracted, y_contracted), (x_batch, y_batch) = dimension_numbers
    x_kept = [d for d in range(len(x.aval.shape)) if d not in x_contracted and d not in x_batch]
    y_kept = [d for d in range(len(y.aval.shape)) if d not in y_contracted and d not in y_batch]
    n = len(x_batch)
    start = n if is_right else n + len(x_kept)  # where the kept dimensions of y stand in the result
    result_y = tuple(range(start, start + len(y_kept)))
    numbers = ((result_y, tuple(y_kept)), (tuple(range(n)), tuple(y_batch)))
    if type(ct.aval) is CutArray or type(y.aval) is CutArray:
        ct, y = OPERATIONS.on_auto_axes(ct), OPERATIONS.on_auto_axes(y)  # how the result is cut the operand says
    product = dot_general_p.bind(ct, y, dimension_numbers=numbers, **params)
    # what is left of y are its contracted dimensions, in ascending order
    by_y = [x_contracted[i] for i in sorted(range(len(y_contracted)), key=y_contracted.__getitem__)]
    order = [*x_batch, *x_kept, *by_y]
    placed = transpose(product, sorted(range(len(order)), key=order.__getitem__))
    return convert_to(placed, x.aval.dtype, bool(x.aval.weak_type)) if placed.aval.dtype != x.aval.dtype else placed


def _transpose(ct: Any, x: Any, y: Any, *, dimension_numbers: DotDimensionNumbers, **params: Any) -> list[Any]:
    (x_contracted, y_contracted), (x_batch, y_batch) = dimension_numbers
    if is_linear(x):
        return [_cotangent(ct, x, y, dimension_numbers, params, is_right=False), None]
    swapped = ((y_contracted, x_contracted), (y_batch, x_batch))
    return [None, _cotangent(ct, y, x, swapped, params, is_right=True)]


def _moved(dims: Dims, batch: int | None) -> Dims:
    """Dimensions of an example as those of the batch, which stands at `batch`."""
    return dims if batch is None else tuple(d + (d >= batch) for d in dims)


def _batch(
    axis: Axis,
    args: Sequence[Any],
    dims: Sequence[int | None],
    *,
    dimension_numbers: DotDimensionNumbers,
    **params: Any,
) -> tuple[Any, int]:
    (x, y), (dx, dy) = args, dims
    (x_contracted, y_contracted), (x_batch, y_batch) = dimension_numbers
    moved_contracted = _moved(x_contracted, dx), _moved(y_contracted, dy)
    xb, yb = _moved(x_batch, dx), _moved(y_batch, dy)
    if dx is not None and dy is not None:
        numbers = (moved_contracted, ((dx, *xb), (dy, *yb)))
        place = 0
    else:
        numbers = (moved_contracted, (xb, yb))
        left = [d for d in range(len(x.aval.shape)) if d not in moved_contracted[0] and d not in xb]
        right = [d for d in range(len(y.aval.shape)) if d not in moved_contracted[1] and d not in yb]
        if dx is not None:
            place = len(xb) + left.index(dx)
        else:
            assert dy is not None
            place = len(xb) + len(left) + right.index(dy)
    return dot_general_p.bind(x, y, dimension_numbers=numbers, **params), place


bilinear(dot_general_p)
dot_general_p.transpose_rule = _transpose
dot_general_p.batching_rule = _batch


def _dims(dims: Any) -> Dims:
    return tuple(map(int, dims)) if isinstance(dims, tuple | list) else (int(dims),)


def contracted(x: Any, y: Any, dimension_numbers: Any, precision: Any, preferred_element_type: Any) -> Any:
    """The contraction, of numbers and a precision as they are given."""
    (xc, yc), (xb, yb) = dimension_numbers
    preferred = None if preferred_element_type is None else canonical_dtype(preferred_element_type, "lax.dot_general")
    return dot_general_p.bind(
        x,
        y,
        dimension_numbers=((_dims(xc), _dims(yc)), (_dims(xb), _dims(yb))),
        precision=canonical_precision(precision),
        preferred_element_type=preferred,
    )


@operation("lax.dot_general", "lhs", "rhs", how="inline")
def dot_general(
    lhs: Any, rhs: Any, dimension_numbers: Any, precision: Any = None, preferred_element_type: Any = None, *,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.lax.dot_general`: the product over contracted dimensions, for each place of the batch dimensions."""
    return contracted(lhs, rhs, dimension_numbers, precision, preferred_element_type)


@operation("lax.dot", "lhs", "rhs", how="inline")
def dot(
    lhs: Any, rhs: Any, *, dimension_numbers: Any = None, precision: Any = None, preferred_element_type: Any = None,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.lax.dot`: the product of vectors and matrices, unless the dimensions are numbered."""
    numbers = dimension_numbers or (((len(lhs.aval.shape) - 1,), (0,)), ((), ()))
    return contracted(lhs, rhs, numbers, precision, preferred_element_type)


@operation("lax.batch_matmul", "lhs", "rhs", how="inline")
def batch_matmul(lhs: Any, rhs: Any, precision: Any = None) -> Any:
    """`jax.lax.batch_matmul`: a product of matrices for each place of the leading dimensions."""
    rank = len(lhs.aval.shape)
    batch = tuple(range(rank - 2))
    return contracted(lhs, rhs, (((rank - 1,), (rank - 2,)), (batch, batch)), precision, None)
