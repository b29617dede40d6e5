"""Padding: `jax.numpy.pad`, of which the widths are static.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.pad.html.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.semantics.avals import Dim, Scalar, ShapedArray
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, RuleError, ShapeError
from arraytyping.semantics.rules.operands import ANY_ARRAY, as_operand
from arraytyping.semantics.rules.shapes.repeating import Widths, nested_widths, pad_widths, padded
from arraytyping.semantics.rules.sizes import with_shape
from arraytyping.semantics.rules.static_arguments import as_size, is_unknown
from arraytyping.semantics.rules.table import rule

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


def _widths(pad_width: Any, rank: int) -> Widths | None:
    """The widths before and after each axis; None if unknown.

    Raises:
        RuleError: if they are no integers, are negative, or are not one, two, or two for each axis.
    """
    if is_unknown(pad_width):
        return None
    nested = nested_widths("pad", pad_width)
    if nested is None:
        return None
    shape, flat = nested
    # If there is nothing to pad, JAX does not look at the widths.
    return pad_widths("pad", shape, [None] * len(flat) if rank == 0 else list(map(_width, flat)), rank)


def _width(value: Any) -> Dim:
    """One width; None if unknown."""
    if isinstance(value, bool) or (isinstance(value, Scalar) and value.kind == "bool"):
        raise DimError("pad: a width is an integer, got a bool", TypeError)
    return as_size("pad", "a width", value)


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
    if shape is None:
        return with_shape(operand, None)
    for size, (before, after) in zip(shape, widths or ()):
        if size == 0 and mode in _REPEATING and any(isinstance(w, int) and w > 0 for w in (before, after)):
            raise ShapeError(f'pad: an axis of size 0 has nothing to be padded with in mode "{mode}"', ValueError)
    if 0 in shape and mode in ("maximum", "minimum"):
        raise ShapeError(f"pad: an axis of size 0 has no {mode} to be padded with", ValueError)
    if 0 in shape and mode in ("median", "linear_ramp"):
        raise ShapeError(f'pad: an axis of size 0 has nothing to be padded with in mode "{mode}"', TypeError)
    return with_shape(operand, padded(shape, widths))
