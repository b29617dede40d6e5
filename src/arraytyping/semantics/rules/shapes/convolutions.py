"""Arithmetic of convolutions: which dimension is which, how much is padded, and the sizes of the result.

Source: `conv_dimension_numbers`, `conv_shape_tuple` of
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/convolution.py, and `padtype_to_pads` of lax.py beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, overload

from arraytyping.semantics.avals import UNKNOWN, Dim, NumPyArray, ShapedArray
from arraytyping.semantics.rules.errors import DimError, RuleError, ShapeError
from arraytyping.semantics.sizes.dims import (
    add_dims,
    at_least,
    divide_dim,
    exceeds,
    max_dim,
    multiply_dims,
    subtract_dims,
)

__all__ = ["Layout", "Padding", "dilated", "layout_of", "padding_of", "transposed_pads", "window_size"]

Padding = Sequence[tuple[int, int] | None] | str | None
"""How much is added before and after each dimension, None where unknown; or a rule, in capitals."""

_LABELS = (("N", "C"), ("O", "I"), ("N", "C"))


class Layout(NamedTuple):
    """The places of batch, feature and space in the array, the kernel (output, input, space) and the result."""

    lhs: tuple[int, ...]
    rhs: tuple[int, ...]
    out: tuple[int, ...]


def layout_of(operation: str, numbers: Any, rank: int) -> Layout | None:
    """The layout that `dimension_numbers` describes for arrays of this rank; None if unknown.

    Raises:
        DimError: (TypeError) for what describes none.
    """
    if numbers is UNKNOWN or isinstance(numbers, ShapedArray | NumPyArray):
        return None
    if numbers is None:
        plain = tuple(range(rank))
        return Layout(plain, plain, plain)
    if isinstance(numbers, tuple | list) and len(numbers) == 3:
        if any(isinstance(spec, tuple) for spec in numbers):  # as `jax.lax.ConvDimensionNumbers` are
            known = all(isinstance(spec, tuple) and all(isinstance(i, int) for i in spec) for spec in numbers)
            return Layout(*numbers) if known and all(sorted(spec) == [*range(rank)] for spec in numbers) else None
        if all(isinstance(spec, str) for spec in numbers):
            return _parsed(operation, numbers, rank)
        if any(spec is UNKNOWN for spec in numbers):
            return None
    raise DimError(
        f"{operation}: dimension_numbers must be None, three strings such as ('NHWC', 'HWIO', 'NHWC'), or what "
        f"jax.lax.conv_dimension_numbers gives, got {numbers!r}",
        TypeError,
    )


def _parsed(operation: str, specs: Sequence[str], rank: int) -> Layout:
    kernel = specs[1]
    for spec, labels in zip(specs, _LABELS):
        wrong = f"has {len(spec)} letters, and the arrays have {rank} dimensions" if len(spec) != rank else None
        if wrong is None and any(spec.count(label) != 1 for label in labels):
            wrong = f"must contain {labels[0]} and {labels[1]} exactly once"
        if wrong is None and len(set(spec)) < len(spec):
            wrong = "has a letter twice"
        if wrong is None and {*spec} - {*labels} != {*kernel} - {*_LABELS[1]}:
            wrong = f"has other letters for space than {kernel!r}"
        if wrong is not None:
            raise DimError(f"{operation}: dimension_numbers {tuple(specs)}: {spec!r} {wrong}", TypeError)

    def places(spec: str, labels: tuple[str, str]) -> tuple[int, ...]:
        space = [c for c in kernel if c not in _LABELS[1]]
        return tuple(spec.index(c) for c in (*labels, *space))

    return Layout(*(places(spec, labels) for spec, labels in zip(specs, _LABELS)))


def padding_of(operation: str, padding: Any) -> Padding:
    """A padding argument; None if it may be any.

    Raises:
        RuleError: for what is none: RuntimeError for another word, ValueError for what is no sequence of pairs.
    """
    if padding is UNKNOWN or isinstance(padding, ShapedArray | NumPyArray):
        return None
    if isinstance(padding, str):
        if padding.upper() not in ("VALID", "SAME", "SAME_LOWER"):
            raise RuleError(
                f"{operation}: padding is 'VALID', 'SAME' or 'SAME_LOWER', got {padding!r}, or pairs of numbers",
                RuntimeError,
            )
        return padding.upper()
    pairs: list[tuple[int, int] | None] = []
    for pair in padding if isinstance(padding, tuple | list) else (None,):
        if isinstance(pair, tuple | list) and len(pair) == 2 and all(map(_may_be_int, pair)):
            known = all(isinstance(p, int) for p in pair)
            pairs.append((int(pair[0]), int(pair[1])) if known else None)
        elif pair is UNKNOWN or isinstance(pair, ShapedArray | NumPyArray):
            pairs.append(None)
        else:
            raise RuleError(
                f"{operation}: padding must be a string or a sequence of pairs (low, high), got {padding!r}", ValueError
            )
    return pairs


def _may_be_int(value: Any) -> bool:
    return value is not None and not isinstance(value, float | complex | str | tuple | list)


@overload
def dilated(size: int, factor: int) -> int: ...
@overload
def dilated(size: Dim, factor: int | None) -> Dim: ...
def dilated(size: Dim, factor: int | None) -> Dim:
    """The size with holes put between the elements."""
    if factor == 1:
        return size
    return None if factor is None else max_dim(add_dims((multiply_dims((size, factor)), 1 - factor)), 0)


def window_size(operation: str, size: Dim, window: Dim, stride: int | None, pad: tuple[int, int] | str | None) -> Dim:
    """How many windows fit into a dimension of this size, padded.

    Raises:
        ShapeError: (ValueError) if more is cut off than there is.
    """
    if pad == "SAME" or pad == "SAME_LOWER":
        if stride is not None and stride > 0 and at_least(window, 1):
            return divide_dim(add_dims((size, stride - 1)), stride)  # as many as there are strides
        if not isinstance(size, int) or stride is None or stride < 1 or not isinstance(window, int):
            return None
        count = -(-size // stride)
        padded: Dim = size + max((count - 1) * stride + window - size, 0)
    elif isinstance(pad, str):
        padded = size
    elif pad is None:
        return None
    else:
        padded = add_dims((size, *pad))
        if exceeds(0, padded):
            raise ShapeError(
                f"{operation}: the padding {pad} cuts off more than a dimension of size {size} has", ValueError
            )
    if stride is None or stride < 1:
        return None
    return max_dim(divide_dim(add_dims((subtract_dims(padded, window), stride)), stride), 0)


def transposed_pads(reach: int, stride: int, padding: Any) -> tuple[int, int]:
    """The padding of a transposed convolution, from that of the convolution.

    Raises:
        ValueError: for an unknown word.
    """
    if padding == "SAME":
        total = reach + stride - 2
        before = reach - 1 if stride > reach - 1 else -(-total // 2)
    elif padding == "VALID":
        total, before = reach + stride - 2 + max(reach - stride, 0), reach - 1
    elif isinstance(padding, tuple):
        before = reach - padding[0] - 1
        total = before + reach - padding[1] - 1
    else:
        raise ValueError(f"Invalid padding mode: {padding}")
    return before, total - before
