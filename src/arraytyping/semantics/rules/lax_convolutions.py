"""Rules of the family: convolutions of `jax.lax`.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.conv_general_dilated.html;
`_conv_general_dilated_shape_rule` of https://github.com/jax-ml/jax/blob/main/jax/_src/lax/convolution.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arraytyping.scalars import KINDS, bits
from arraytyping.semantics.avals import UNKNOWN, Dim, NumPyArray, Shape, ShapedArray
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dot_general import check_out_sharding, check_precision
from arraytyping.semantics.rules.errors import DimError, DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.lax_operands import all_weak, same_dtype, shaped
from arraytyping.semantics.rules.operands import requested_dtype
from arraytyping.semantics.rules.shapes.convolutions import Layout, Padding, dilated, layout_of, padding_of, window_size
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import divide_dim, divides_never

Numbers = tuple[int | None, ...] | None


@rule("lax.conv_general_dilated")
def conv_general_dilated(
    cx: Context,
    lhs: Any,
    rhs: Any,
    window_strides: Any,
    padding: Any,
    lhs_dilation: Any = None,
    rhs_dilation: Any = None,
    dimension_numbers: Any = None,
    feature_group_count: Any = 1,
    batch_group_count: Any = 1,
    precision: Any = None,
    preferred_element_type: Any = None,
    out_sharding: Any = None,
) -> ShapedArray:
    """`jax.lax.conv_general_dilated`."""
    return _convolved(
        cx, "lax.conv_general_dilated", lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation,
        dimension_numbers, feature_group_count, batch_group_count, precision, preferred_element_type, out_sharding,
    )  # fmt: skip


@rule("lax.conv_with_general_padding")
def conv_with_general_padding(
    cx: Context,
    lhs: Any,
    rhs: Any,
    window_strides: Any,
    padding: Any,
    lhs_dilation: Any,
    rhs_dilation: Any,
    precision: Any = None,
    preferred_element_type: Any = None,
) -> ShapedArray:
    """`jax.lax.conv_with_general_padding`."""
    return _convolved(
        cx, "lax.conv_with_general_padding", lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation,
        None, 1, 1, precision, preferred_element_type, None,
    )  # fmt: skip


@rule("lax.conv")
def conv(
    cx: Context,
    lhs: Any,
    rhs: Any,
    window_strides: Any,
    padding: Any,
    precision: Any = None,
    preferred_element_type: Any = None,
) -> ShapedArray:
    """`jax.lax.conv`."""
    return _convolved(
        cx, "lax.conv", lhs, rhs, window_strides, padding, None, None,
        None, 1, 1, precision, preferred_element_type, None,
    )  # fmt: skip


def _convolved(
    cx: Context, operation: str, lhs: Any, rhs: Any, window_strides: Any, padding: Any, lhs_dilation: Any,
    rhs_dilation: Any, dimension_numbers: Any, feature_group_count: Any, batch_group_count: Any, precision: Any,
    preferred: Any, out_sharding: Any,
) -> ShapedArray:  # fmt: skip
    a, b = shaped(cx, lhs, operation), shaped(cx, rhs, operation)
    if a.shape is not None and b.shape is not None and len(a.shape) != len(b.shape):
        numbered = isinstance(dimension_numbers, tuple) and any(isinstance(d, tuple) for d in dimension_numbers)
        raise ShapeError(
            f"{operation} lhs and rhs must have the same number of dimensions, got {a} and {b}; reshape one of them",
            ValueError if numbered or dimension_numbers is UNKNOWN else TypeError,
        )
    rank = a.ndim if a.ndim is not None else b.ndim
    layout = None if rank is None else layout_of(operation, dimension_numbers, rank)
    check_out_sharding(operation, out_sharding)
    spread = () if lhs_dilation is None else _numbers(operation, "lhs_dilation", lhs_dilation)
    if isinstance(padding, str) and any(f is not None and f != 1 for f in spread or ()):
        raise RuleError(
            f"{operation}: a dilated array needs its padding in numbers, got {padding!r}; give pairs (low, high)",
            ValueError,
        )
    holes = () if rhs_dilation is None else _numbers(operation, "rhs_dilation", rhs_dilation)
    pads = padding_of(operation, padding)
    named = None if preferred is None else requested_dtype(cx, preferred, operation)
    check_precision(operation, precision)
    strides = _numbers(operation, "window_strides", window_strides)
    if rank is not None and rank < 2:
        raise DimError(f"{operation} takes arrays of at least two dimensions, got {a} and {b}", IndexError)
    shape: Shape | None = None
    if rank is not None and layout is not None:
        left, right = a.shape or (None,) * rank, b.shape or (None,) * rank
        batch, features = _batch_and_features(operation, left, right, layout, feature_group_count, batch_group_count)
        space = _space(operation, left, right, layout, strides, pads, spread, holes)
        found = dict(zip(layout.out, (batch, features, *space)))
        shape = tuple(found[i] for i in range(rank))
    elif rank is not None:
        shape = (None,) * rank
    dtype = same_dtype(operation, (a, b))
    if preferred is not None:
        _check_preferred(operation, dtype, named)
        dtype = named
    return ShapedArray(shape, dtype, all_weak((a, b)))


def _numbers(operation: str, name: str, value: Any) -> Numbers:
    """A sequence of integers, each None where unknown; None if it may be any.

    Raises:
        DimError: (TypeError) for what is no sequence.
    """
    if value is UNKNOWN or isinstance(value, ShapedArray | NumPyArray):
        return None
    if not isinstance(value, tuple | list):
        raise DimError(f"{operation}: {name} is a sequence of integers, got {value}; give a tuple", TypeError)
    return tuple(int(v) if isinstance(v, int) else None for v in value)


def _batch_and_features(
    operation: str, lhs: Shape, rhs: Shape, layout: Layout, feature_groups: Any, batch_groups: Any
) -> tuple[Dim, Dim]:
    """The batch and the features of the result.

    Raises:
        ShapeError: (ValueError) if the features of array and kernel do not go together, or the groups do not divide.
    """
    batch, features = lhs[layout.lhs[0]], lhs[layout.lhs[1]]
    output, taken = rhs[layout.rhs[0]], rhs[layout.rhs[1]]
    known = {}
    for name, count in (("feature_group_count", feature_groups), ("batch_group_count", batch_groups)):
        if isinstance(count, int):
            known[name] = count
            if count < 1:
                raise ShapeError(f"{operation}: {name} must be positive, got {count}", ValueError)
            if isinstance(output, int) and output % count:
                raise ShapeError(
                    f"{operation}: {name} is {count}, and does not divide the {output} output features", ValueError
                )
    groups, parts = known.get("feature_group_count"), known.get("batch_group_count")
    if groups is not None and parts is not None and groups > 1 and parts > 1:
        raise ShapeError(f"{operation}: feature_group_count is {groups}, batch_group_count {parts}: one must be 1",
                         ValueError)  # fmt: skip
    if isinstance(features, int) and groups is not None:
        if features % groups:
            raise ShapeError(f"{operation}: feature_group_count is {groups}, and does not divide {features} features",
                             ValueError)  # fmt: skip
        if isinstance(taken, int) and features // groups != taken:
            raise ShapeError(
                f"{operation}: the array has {features} features in {groups} groups, and the kernel takes {taken}; "
                "look at dimension_numbers, which say where the features are",
                ValueError,
            )
    if divides_never(parts, batch):
        raise ShapeError(f"{operation}: batch_group_count is {parts}, and does not divide a batch of {batch}",
                         ValueError)  # fmt: skip
    return divide_dim(batch, parts), output


def _space(
    operation: str, lhs: Shape, rhs: Shape, layout: Layout, strides: Numbers, pads: Padding, spread: Numbers,
    holes: Numbers,
) -> list[Dim]:  # fmt: skip
    """The sizes of the result in space.

    Raises:
        ShapeError: (ValueError) if the strides are not as many, or more is cut off than there is.
        DimError: (TypeError) if the padding is not as long, or a dilation is not positive.
    """
    count = len(lhs) - 2
    if strides is not None and len(strides) != count:
        raise ShapeError(
            f"{operation}: the arrays have {count} dimensions of space, and window_strides {len(strides)}; "
            "give one stride for each",
            ValueError,
        )
    for name, factors in (("lhs_dilation", spread), ("rhs_dilation", holes)):
        if any(f is not None and f < 1 for f in factors or ()):
            raise DimError(f"{operation}: {name} must be positive, got {factors}", TypeError)
    if isinstance(pads, Sequence) and not isinstance(pads, str) and len(pads) != count:
        raise DimError(
            f"{operation}: the arrays have {count} dimensions of space, and padding {len(pads)}; give a pair for each",
            TypeError,
        )
    sizes: list[Dim] = []
    for k in range(count):
        size = dilated(lhs[layout.lhs[k + 2]], _factor(spread, k, count))
        window = dilated(rhs[layout.rhs[k + 2]], _factor(holes, k, count))
        pad = pads if pads is None or isinstance(pads, str) else pads[k]
        sizes.append(window_size(operation, size, window, None if strides is None else strides[k], pad))
    return sizes


def _factor(factors: Numbers, k: int, count: int) -> int | None:
    """One of the dilations, 1 if none are given; None where it is not known."""
    if factors == ():
        return 1
    return None if factors is None or len(factors) != count else factors[k]


def _check_preferred(operation: str, dtype: str | None, preferred: str | None) -> None:
    """Refuse a dtype for the result that the operands' does not go over into.

    Raises:
        DtypeError: if it is of another kind, but for a float instead of an integer; or narrower.
    """
    if dtype is None or preferred is None:
        return
    given, wanted = KINDS[dtype], KINDS[preferred]
    to_float = given in "ui" and wanted == "f"
    other = {"u": "ui", "i": "i", "f": "f", "c": "c"}.get(given, wanted)
    if not to_float and wanted not in other:
        raise DtypeError(f"{operation}: the result of {dtype} cannot be {preferred}; name a dtype of the same kind")
    if max(bits(preferred) // 8, 1) < max(bits(dtype) // 8, 1):
        raise DtypeError(f"{operation}: the result of {dtype} cannot be {preferred}, which is narrower")
