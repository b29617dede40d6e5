"""Padding: `jax.numpy.pad`, of which the widths are static.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.pad.html.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, Dim, NumPyArray, Scalar, ShapedArray, shape_tuple_str, size_of
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, RuleError, ShapeError
from arraytyping.semantics.rules.operands import ANY_ARRAY, as_operand
from arraytyping.semantics.rules.sizes import with_shape
from arraytyping.semantics.rules.static_arguments import as_size, is_unknown
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import add_dims

__all__ = ["pad"]

_STATISTICS: Final = ("maximum", "mean", "median", "minimum")
_REPEATING: Final = ("edge", "wrap", "reflect", "symmetric")
_ARGUMENTS: Final = {
    "empty": (),
    "edge": (),
    "wrap": (),
    "constant": ("constant_values",),
    "linear_ramp": ("end_values",),
    **dict.fromkeys(_STATISTICS, ("stat_length",)),
    "reflect": ("reflect_type",),
    "symmetric": ("reflect_type",),
}
"""The modes, and the arguments that each takes besides."""

MOST: Final = 64
"""The most widths of unknown value that are told apart."""

Widths = list[tuple[Dim, Dim]]


def _widths(pad_width: Any, rank: int) -> Widths | None:
    """The widths before and after each axis; None if unknown.

    Raises:
        RuleError: if they are no integers, are negative, or are not one, two, or two for each axis.
    """
    if is_unknown(pad_width):
        return None
    nested = _nested(pad_width)
    if nested is None:
        return None
    shape, flat = nested
    if shape not in ((rank, 2), (1, 2), (2,), (1,), ()):
        raise ShapeError(
            f"pad: pad_width of shape {shape_tuple_str(shape)} does not go with an array of {rank} dimensions; "
            "give one integer, a pair, or a pair for each dimension",
            ValueError,
        )
    if rank == 0:  # there is nothing to pad, so JAX does not look at the widths
        return []
    widths = [_width(w) for w in flat]
    if any(isinstance(w, int) and w < 0 for w in widths):
        raise ShapeError(f"pad: widths are not negative, got {pad_width!r}", ValueError)
    if shape == (rank, 2):
        return list(zip(widths[::2], widths[1::2]))
    return [(widths[0], widths[-1])] * rank


def _width(value: Any) -> Dim:
    """One width; None if unknown."""
    if isinstance(value, bool) or (isinstance(value, Scalar) and value.kind == "bool"):
        raise DimError("pad: a width is an integer, got a bool", TypeError)
    return as_size("pad", "a width", value)


def _nested(value: Any) -> tuple[tuple[int, ...], list[Any]] | None:
    """The shape of nested sequences, and what is in the innermost; None if unknown."""
    if is_unknown(value):
        return None
    if isinstance(value, tuple | list):
        made = [_nested(v) for v in value]
        inner = [m for m in made if m is not None]
        if len({shape for shape, _ in inner}) > 1:
            raise ShapeError("pad: entries of pad_width differ in length; give a pair for each dimension", TypeError)
        if len(inner) < len(made):
            return None
        return (len(value), *(inner[0][0] if inner else ())), [d for _, flat in inner for d in flat]
    if isinstance(value, ShapedArray | NumPyArray) and value.shape != ():
        shape = value.shape
        known = tuple(d for d in shape or () if isinstance(d, int))
        if shape is None or len(known) < len(shape) or (size_of(known) or 0) > MOST:
            return None
        return known, [UNKNOWN] * (size_of(known) or 0)
    return (), [value]


@rule("numpy.pad")
def pad(cx: Context, array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> ShapedArray:
    """`jax.numpy.pad`."""
    operand = as_operand(cx, array, "pad")
    shape = operand.shape
    widths = None if shape is None else _widths(pad_width, len(shape))
    if is_unknown(mode) or not isinstance(mode, str):  # a function may give any shape
        return ANY_ARRAY
    if mode not in _ARGUMENTS:
        raise RuleError(f"pad: there is no mode {mode!r}; the modes are {', '.join(_ARGUMENTS)}", NotImplementedError)
    for argument in kwargs:
        if argument not in _ARGUMENTS[mode]:
            raise RuleError(f'pad: mode "{mode}" takes no argument {argument}', ValueError)
    if shape is None or widths is None:
        return with_shape(operand, None if shape is None else (None,) * len(shape))
    for size, (before, after) in zip(shape, widths):
        if size == 0 and mode in _REPEATING and any(isinstance(w, int) and w > 0 for w in (before, after)):
            raise ShapeError(f'pad: an axis of size 0 has nothing to be padded with in mode "{mode}"', ValueError)
    if 0 in shape and mode in ("maximum", "minimum"):
        raise ShapeError(f"pad: an axis of size 0 has no {mode} to be padded with", ValueError)
    if 0 in shape and mode in ("median", "linear_ramp"):
        raise ShapeError(f'pad: an axis of size 0 has nothing to be padded with in mode "{mode}"', TypeError)
    return with_shape(operand, tuple(add_dims((size, *pair)) for size, pair in zip(shape, widths)))
