"""The layers of equinox that move a window over an array: convolutions, and what pools.

Of a convolution the weights are kept, of either how the window moves.

Source: equinox/nn/_conv.py and _pool.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from mypy.types import NoneType, Type

from arraytyping.semantics.avals import ShapedArray
from arraytyping_mypy.features.equinox_calls import Call, Layer, Made, is_none, text_of, value_in
from arraytyping_mypy.features.linen_windows import pooled
from arraytyping_mypy.features.windows import sizes_of

__all__ = ["WINDOWS"]

_NAMED_PADDING: Final = ("SAME", "SAME_LOWER", "VALID")


def _padding(value: Any, count: int) -> str | tuple[tuple[int, int], ...] | None:
    """What is added on both sides of each dimension; None if that is not known."""
    if isinstance(value, str):
        return value.upper() if value.upper() in _NAMED_PADDING else None
    if type(value) is int:
        return ((value, value),) * count
    if not isinstance(value, tuple | list) or len(value) != count:
        return None
    pairs = [(p, p) if type(p) is int else sizes_of(p, 2) for p in value]
    is_mixed = len({type(p) is int for p in value}) > 1
    return None if is_mixed or any(p is None for p in pairs) else tuple((p[0], p[1]) for p in pairs if p is not None)


def _convolution(rank: int | None) -> Callable[[Made], list[Type] | None]:
    def make(made: Made) -> list[Type] | None:
        moved = _moved(made, rank)
        padding = None if moved is None else _padding(made.get("padding", 0), len(moved[1]))
        if moved is None or padding is None:
            return None
        items, steps, spread, groups = moved
        return [*items, text_of((steps, padding, None, spread, groups), made.session)]

    return make


def _moved(made: Made, rank: int | None) -> tuple[list[Type], tuple[int, ...], tuple[int, ...], int] | None:
    """The weights and biases, how the window moves, and how it is spread; None if that is not known."""
    count = made.size("num_spatial_dims") if rank is None else rank
    entering, leaving, groups = made.size("in_channels"), made.size("out_channels"), made.get("groups", 1)
    has_bias, mode = made.flag("use_bias", True), made.get("padding_mode", "ZEROS")
    if count is None or entering is None or leaving is None or type(groups) is not int or groups < 1:
        return None
    if made.dtype is None or has_bias is None or not isinstance(mode, str) or mode.upper() != "ZEROS":
        return None
    window = sizes_of(made.get("kernel_size"), count)
    steps, spread = (sizes_of(made.get(name, 1), count) for name in ("stride", "dilation"))
    if window is None or steps is None or spread is None:
        return None
    weight = made.array(leaving, entering // groups, *window)
    bias = made.array(leaving, *(1,) * count) if has_bias else NoneType()
    return [weight, bias], steps, spread, groups


def _transposed(rank: int | None) -> Callable[[Made], list[Type] | None]:
    """`ConvTranspose`: a convolution of what is dilated by the steps."""

    def make(made: Made) -> list[Type] | None:
        moved = _moved(made, rank)
        if moved is None:
            return None
        items, steps, spread, groups = moved
        count = len(steps)
        padding, more = _padding(made.get("padding", 0), count), sizes_of(made.get("output_padding", 0), count)
        window = sizes_of(made.get("kernel_size"), count)
        if padding is None or more is None or window is None or any(a >= s for a, s in zip(more, steps)):
            return None
        wide = [d * (k - 1) for d, k in zip(spread, window)]
        pairs = [(padding[n] if isinstance(padding, tuple) else (0, 0), a) for n, a in enumerate(more)]
        if isinstance(padding, str) and padding != "VALID":
            pairs = [_same_size(w - s + a + 1, padding == "SAME_LOWER") for w, s, a in zip(wide, steps, more)]
        added = tuple((w - low, w - high + a) for w, ((low, high), a) in zip(wide, pairs))
        return [*items, text_of(((1,) * count, added, steps, spread, groups), made.session)]

    return make


def _same_size(added: int, is_lower: bool) -> tuple[tuple[int, int], int]:
    """What a convolution that keeps sizes adds on both sides, and what its transpose adds behind."""
    low = (max(added, 0) + is_lower) // 2
    return (low, max(added, 0) - low), max(-added, 0)


def _convolve(items: Sequence[Type], given: Sequence[Type], call: Call) -> Type | None:
    moves = value_in(items[2]) if len(items) == 3 and len(given) == 1 else None
    if moves is None:
        return None
    steps, padding, dilated, spread, groups = moves
    x, weight = call.array(given[0]), call.array(items[0])
    if x is None or x.shape is None:
        return None
    if len(x.shape) != len(steps) + 1:
        call.refuse(f"the layer takes {len(steps) + 1} dimensions, and is given {x}")
        return None
    batch = ShapedArray((1, *x.shape), x.dtype, x.weak_type)
    made = call.of(
        "lax.conv_general_dilated", batch, weight, steps, padding, feature_group_count=groups, lhs_dilation=dilated,
        rhs_dilation=spread,
    )  # fmt: skip
    if made is None or made.shape is None:
        return None
    made = ShapedArray(made.shape[1:], made.dtype, made.weak_type)
    return call.type_of(made if is_none(items[1]) else call.of("Array.__add__", made, call.array(items[1])))


def _pooling(rank: int) -> Callable[[Made], list[Type] | None]:
    def make(made: Made) -> list[Type] | None:
        window, steps = (sizes_of(made.get(name, 1), rank) for name in ("kernel_size", "stride"))
        padding = _padding(made.get("padding", 0), rank)
        ceil = made.flag("use_ceil", False)
        if window is None or steps is None or padding is None or isinstance(padding, str) or ceil is None:
            return None
        return [text_of((window, steps, padding, ceil), made.session)]

    return make


def _pool(items: Sequence[Type], given: Sequence[Type], call: Call) -> Type | None:
    moves = value_in(items[0]) if len(items) == 1 and len(given) == 1 else None
    x = call.array(given[0]) if given else None
    if moves is None or x is None or x.shape is None or len(x.shape) != len(moves[0]) + 1:
        return None
    window, steps, padding, ceil = moves
    if ceil:
        padding = _rounded_up(x.shape[1:], padding, window, steps)
    if padding is None or any(max(p) > n for p, n in zip(padding, window)):  # which equinox refuses
        return None
    last = ShapedArray((*x.shape[1:], x.shape[0]), x.dtype, x.weak_type)
    made = pooled(last, {"window_shape": window, "strides": steps, "padding": padding})
    if made is None or made.shape is None:
        return None
    return call.type_of(ShapedArray((made.shape[-1], *made.shape[:-1]), made.dtype, made.weak_type))


def _rounded_up(
    sizes: Sequence[Any], padding: Sequence[tuple[int, int]], window: Sequence[int], steps: Sequence[int]
) -> list[tuple[int, int]] | None:
    """What is added so that no window that begins within the array is left out; None if the sizes are not known."""
    if not all(type(n) is int for n in sizes):
        return None
    return [
        (low, high if (n + low + high - k) % step == 0 else high + step)
        for n, (low, high), k, step in zip(sizes, padding, window, steps)
    ]


def _adaptive(rank: int) -> Callable[[Made], list[Type] | None]:
    def make(made: Made) -> list[Type] | None:
        sizes = sizes_of(made.get("target_shape"), rank)
        return None if sizes is None or min(sizes) < 1 else [text_of(sizes, made.session)]

    return make


def _adapt(items: Sequence[Type], given: Sequence[Type], call: Call) -> Type | None:
    """Pooling to sizes that are given, of an array that is at least as large."""
    sizes = value_in(items[0]) if len(items) == 1 and len(given) == 1 else None
    x = call.floats(given[0]) if given else None
    if sizes is None or x is None or x.shape is None or len(x.shape) != len(sizes) + 1:
        return None
    if not all(type(n) is int and n >= m for n, m in zip(x.shape[1:], sizes)):
        return None
    return call.type_of(ShapedArray((x.shape[0], *sizes), x.dtype, False))


_RANKS: Final = ((1, "1d"), (2, "2d"), (3, "3d"))
_PARAMETERS: Final = ("weight", "bias")
WINDOWS: Final = {
    **{
        f"equinox.nn._conv.Conv{end}": Layer(_convolution(n), _convolve, _PARAMETERS)
        for n, end in (*_RANKS, (None, ""))
    },
    **{
        f"equinox.nn._conv.ConvTranspose{end}": Layer(_transposed(n), _convolve, _PARAMETERS)
        for n, end in (*_RANKS, (None, ""))
    },
    **{f"equinox.nn._pool.{kind}Pool{end}": Layer(_pooling(n), _pool) for kind in ("Max", "Avg") for n, end in _RANKS},
    **{
        f"equinox.nn._pool.Adaptive{kind}Pool{end}": Layer(_adaptive(n), _adapt)
        for kind in ("Max", "Avg")
        for n, end in _RANKS
    },
}
"""The layers, by their full names."""
