"""The rule of `jax.lax.reduce_window`, and the shape that windows give.

Sums, maxima and minima from their identity on are primitives of their own, which keep a weak type and do not look at
the dtype of the initial value; of a reduction by any other function neither holds.

Source: `_reduce_window` and `_common_reduce_window_shape_rule` of
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/windowed_reductions.py;
https://openxla.org/stablehlo/spec#reduce_window.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import UNKNOWN, Dim, NumPyArray, Scalar, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import integer_limits
from arraytyping.semantics.rules.errors import DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.lax_dimensions import as_ints
from arraytyping.semantics.rules.lax_operands import same_dtype
from arraytyping.semantics.rules.operands import as_array, as_operand, is_python_scalar
from arraytyping.semantics.rules.refusals import BOOL, refuse
from arraytyping.semantics.rules.shapes.convolutions import dilated, window_size
from arraytyping.semantics.rules.static_arguments import as_size
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import add_dims, exceeds, max_dim

__all__ = ["windowed_shape"]

Pads = Sequence[tuple[Dim, Dim]]

_PADDINGS: Final = ("VALID", "SAME", "SAME_LOWER")
_MONOIDS: Final = ("add", "max", "min")
_SPACES: Final = ("jax.lax", "jax._src.lax", "arraytyping.lax", "arraytyping.runtime.lax")
"""The modules of which functions of these names are sums, maxima and minima."""


def windowed_shape(
    operation: str,
    shape: Shape | None,
    window: Shape | None,
    strides: Shape | None,
    pads: Pads | None,
    base_dilation: Shape | None,
    window_dilation: Shape | None,
) -> Shape | None:
    """The number of places of a window along each dimension; None if the rank is unknown.

    Raises:
        ShapeError: (TypeError) if there is not one of everything for each dimension, or a size, a stride or a dilation
            is not positive; (ValueError) if there are not as many pads.
    """
    given = (shape, window, strides, base_dilation, window_dilation)
    ranks = {len(g) for g in given if g is not None}
    if len(ranks) > 1:
        names = ("dimensions", "sizes of the window", "strides", "dilations of the base", "dilations of the window")
        raise ShapeError(
            f"{operation} takes one of each for every dimension, got "
            + ", ".join(f"{len(g)} {name}" for g, name in zip(given, names) if g is not None)
        )
    for dims in given[1:]:
        if dims is not None and any(isinstance(d, int) and d < 1 for d in dims):
            raise ShapeError(
                f"{operation}: a window, its strides and dilations must have every element be positive, got "
                f"{shape_tuple_str(dims)}"
            )
    if not ranks:
        return None if pads is None else (None,) * len(pads)
    rank = ranks.pop()
    if pads is not None and len(pads) != rank:
        raise ShapeError(
            f"{operation}: {len(pads)} pairs of padding for {rank} dimensions; give one for each", ValueError
        )
    if pads is None:
        pads = ((None, None),) * rank
    unknown = (None,) * rank
    return tuple([_places(operation, *dims) for dims in zip(*[unknown if g is None else g for g in given], pads)])


def _places(
    operation: str, size: Dim, window: Dim, stride: Dim, base_dilation: Dim, window_dilation: Dim, pads: tuple[Dim, Dim]
) -> Dim:
    """The number of places of a window along one dimension; none where more is cut off than there is."""
    base, reach = dilated(size, _known(base_dilation)), dilated(window, _known(window_dilation))
    padded = base if pads == (0, 0) else add_dims((base, *pads))
    if exceeds(0, padded):
        return 0
    if reach == stride == 1:
        return max_dim(padded, 0)
    return window_size(operation, padded, reach, _known(stride), (0, 0))


def _known(dim: Dim) -> int | None:
    return dim if isinstance(dim, int) else None


def _pads(operation: str, padding: Any, shape: Shape | None, window: Shape | None, strides: Any) -> Pads | None:
    """The padding before and after each dimension; None if unknown.

    Raises:
        ShapeError: for what is no padding (RuntimeError, TypeError or ValueError).
    """
    if padding is UNKNOWN:
        return None
    if isinstance(padding, str):
        if padding.upper() not in _PADDINGS:
            raise ShapeError(
                f"{operation}: padding is one of {', '.join(_PADDINGS)} or pairs of widths, got {padding!r}",
                RuntimeError,
            )
        if padding.upper() == "VALID":
            return None if shape is None else ((0, 0),) * len(shape)
        if strides is None and shape is not None and len(shape) > 1:
            raise _needs_strides(operation)
        steps = None if strides is None else as_ints(operation, "a stride", strides)
        return _same_pads(operation, shape, window, steps, lower=padding.upper() != "SAME")
    if not isinstance(padding, tuple | list):
        as_ints(operation, "a pair of widths", padding)
        return None
    pads: list[tuple[Dim, Dim]] = []
    for pair in padding:
        if not isinstance(pair, tuple | list):
            as_ints(operation, "a width", pair)
            pads.append((None, None))
            continue
        if len(pair) != 2:
            raise ShapeError(f"{operation}: two widths for each dimension, got {len(pair)}", ValueError)
        low, high = (as_size(operation, "a width", w) for w in pair)
        pads.append((low, high))
    return pads


def _check_dilated(operation: str, window: Shape | None, dilation: Shape | None) -> None:
    """Check that there are not more dilations than sizes of a window, where JAX dilates it to find the padding.

    Raises:
        ShapeError: (ValueError) if not, unless all are 1.
    """
    if window is None or dilation is None or len(window) >= len(dilation):
        return
    if all(isinstance(d, int) and d > 0 for d in dilation) and any(d != 1 for d in dilation):
        raise ShapeError(
            f"{operation}: {len(window)} sizes of the window and {len(dilation)} dilations of it; give one for each",
            ValueError,
        )


def _needs_strides(operation: str) -> ShapeError:
    return ShapeError(f"{operation}: with padding 'SAME' JAX takes no strides for strides of 1; give them", ValueError)


def _same_pads(
    operation: str, shape: Shape | None, window: Shape | None, strides: Shape | None, *, lower: bool
) -> Pads | None:
    """The padding with which there are as many places as strides in the shape."""
    if shape is None or window is None or strides is None:
        return None
    if len({len(shape), len(window), len(strides)} - {1}) > 1:
        raise ShapeError(
            f"{operation}: {len(shape)} dimensions, {len(window)} sizes and {len(strides)} strides", ValueError
        )
    pads: list[tuple[Dim, Dim]] = []
    for size, reach, stride in zip(shape, window, strides):
        if stride == 1 and isinstance(reach, int):
            width = max(0, reach - 1)
        elif isinstance(size, int) and isinstance(reach, int) and isinstance(stride, int) and stride > 0:
            width = max(0, (math.ceil(size / stride) - 1) * stride + reach - size)
        else:
            pads.append((None, None))
            continue
        less, more = width // 2, width - width // 2
        pads.append((more, less) if lower else (less, more))
    return pads


@rule("lax.reduce_window")
def reduce_window(
    cx: Context,
    operand: Any,
    init_value: Any,
    computation: Any,
    window_dimensions: Any,
    window_strides: Any = None,
    padding: Any = "VALID",
    base_dilation: Any = None,
    window_dilation: Any = None,
) -> Any:
    """`jax.lax.reduce_window` of one array; of several, nothing is known."""
    operation = "lax.reduce_window"
    if operand is None or isinstance(operand, tuple | list | dict):
        if operand is not None and (init_value is UNKNOWN or type(init_value) is type(operand)):
            return UNKNOWN
        raise RuleError(f"{operation}: the operands and the initial values are nested alike", ValueError)
    if isinstance(padding, str) and is_python_scalar(operand):
        raise DtypeError(f"{operation} requires an array, got {operand}; make one of it first", AttributeError)
    if init_value is None or isinstance(init_value, tuple | list | dict):
        raise RuleError(f"{operation}: the operands and the initial values are nested alike", ValueError)
    array, init = as_operand(cx, operand, operation), as_array(cx, init_value, operation, 1)
    window = as_ints(operation, "a size of the window", window_dimensions)
    ones = None if window is None else (1,) * len(window)
    dilation = ones if window_dilation is None else as_ints(operation, "a dilation", window_dilation)
    reach = None if window is None or dilation is None else tuple(map(dilated, window, map(_known, dilation)))
    if isinstance(padding, str) and window_dilation is not None:
        _check_dilated(operation, window, dilation)
    pads = _pads(operation, padding, array.shape, reach, window_strides)
    strides = ones if window_strides is None else as_ints(operation, "a stride", window_strides)
    base = ones if base_dilation is None else as_ints(operation, "a dilation", base_dilation)
    monoid = _monoid(cx, computation, init_value, init)
    if _name(computation) == "add":
        refuse(operation, array.dtype, (BOOL,))
    if monoid is False:
        same_dtype(operation, (array, init))
        if init.ndim not in (None, 0):
            raise ShapeError(
                f"{operation}: reduce_window expected init_values to be scalars but init_values have shapes "
                f"[{shape_tuple_str(init.shape or ())}]."
            )
    shape = windowed_shape(operation, array.shape, window, strides, pads, base, dilation)
    if window_strides is None and isinstance(padding, str) and padding.upper() != "VALID" and array.shape:
        raise _needs_strides(operation)
    weak = array.weak_type
    return ShapedArray(shape, array.dtype, weak if monoid or not weak else None if monoid is None else False)


def _name(computation: Any) -> str | None:
    """The name of a function of `lax`, which tells what it computes."""
    module, name = getattr(computation, "__module__", None), getattr(computation, "__name__", None)
    known = isinstance(module, str) and any(f"{module}.".startswith(f"{space}.") for space in _SPACES)
    return name if known else None


def _monoid(cx: Context, computation: Any, init_value: Any, init: ShapedArray) -> bool | None:
    """Whether the reduction is a sum, maximum or minimum from its identity on; None if unknown."""
    if computation is UNKNOWN:
        return None
    name = _name(computation)
    if name not in _MONOIDS or init.ndim not in (None, 0):
        return False
    value = init.value
    if value is None or init.dtype is None or isinstance(init_value, NumPyArray | Scalar):
        return None
    if name == "add":
        return value == 0
    return not isinstance(value, complex) and bool(value == _extreme(init.dtype, lowest=name == "max"))


def _extreme(dtype: str, *, lowest: bool) -> float:
    """The lowest or highest number of a dtype."""
    if KINDS[dtype] == "b":
        return not lowest
    if KINDS[dtype] == "f":
        return -math.inf if lowest else math.inf
    return integer_limits(dtype)[0 if lowest else 1]
