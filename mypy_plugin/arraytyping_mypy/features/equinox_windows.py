"""The layers of equinox that move a window over an array: convolutions, and what pools.

Of a convolution the weights are kept, of either how the window moves, as a text.

Source: equinox/nn/_conv.py and _pool.py.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from mypy.types import LiteralType, NoneType, Type, get_proper_type

from arraytyping.semantics.avals import ShapedArray
from arraytyping_mypy.calls import answer
from arraytyping_mypy.convert import array_type, value_of
from arraytyping_mypy.features.linen_layers import pooled
from arraytyping_mypy.session import Session

__all__ = ["WINDOWS_CALLED", "WINDOWS_MADE"]

_Make = Callable[[Mapping[str, Any], str, Session], list[Type] | None]
_Call = Callable[[Sequence[Type], Sequence[Type], Session], Type | None]
_MARK: Final = "exactly moved by "
"""How a text begins that no transformation of trees takes for a leaf."""
_NAMED_PADDING: Final = ("SAME", "SAME_LOWER", "VALID")


def _text(value: object, session: Session) -> Type:
    return LiteralType(_MARK + repr(value), session.api.named_generic_type("builtins.str", []))


def _read(t: Type) -> Any:
    p = get_proper_type(t)
    is_text = isinstance(p, LiteralType) and isinstance(p.value, str) and p.value.startswith(_MARK)
    return ast.literal_eval(str(p.value)[len(_MARK) :]) if is_text and isinstance(p, LiteralType) else None


def _numbers(value: Any, count: int) -> tuple[int, ...] | None:
    """So many sizes, all of which are one if one is given."""
    if type(value) is int:
        return (value,) * count
    if not isinstance(value, tuple | list) or len(value) != count or not all(type(n) is int for n in value):
        return None
    return tuple(value)


def _padding(value: Any, count: int) -> str | tuple[tuple[int, int], ...] | None:
    """What is added on both sides of each dimension; None if that is not known."""
    if isinstance(value, str):
        return value.upper() if value.upper() in _NAMED_PADDING else None
    if type(value) is int:
        return ((value, value),) * count
    if not isinstance(value, tuple | list) or len(value) != count:
        return None
    pairs = [(p, p) if type(p) is int else _numbers(p, 2) for p in value]
    is_mixed = len({type(p) is int for p in value}) > 1
    return None if is_mixed or any(p is None for p in pairs) else tuple((p[0], p[1]) for p in pairs if p is not None)


def _convolution(rank: int | None) -> _Make:
    def make(given: Mapping[str, Any], dtype: str, session: Session) -> list[Type] | None:
        count = given.get("num_spatial_dims") if rank is None else rank
        entering, leaving, groups = given.get("in_channels"), given.get("out_channels"), given.get("groups", 1)
        has_bias, mode = given.get("use_bias", True), given.get("padding_mode", "ZEROS")
        if not (type(count) is int and type(entering) is int and type(leaving) is int and type(groups) is int):
            return None
        if type(has_bias) is not bool or not isinstance(mode, str) or mode.upper() != "ZEROS":
            return None
        window, padding = _numbers(given.get("kernel_size"), count), _padding(given.get("padding", 0), count)
        steps, spread = (_numbers(given.get(name, 1), count) for name in ("stride", "dilation"))
        if window is None or padding is None or steps is None or spread is None or groups < 1 or entering % groups:
            return None
        weight = array_type([ShapedArray((leaving, entering // groups, *window), dtype, False)], session)
        bias = array_type([ShapedArray((leaving, *(1,) * count), dtype, False)], session) if has_bias else NoneType()
        return [weight, bias, _text((steps, padding, spread, groups), session)]

    return make


def _convolve(items: Sequence[Type], given: Sequence[Type], session: Session) -> Type | None:
    moves = _read(items[2]) if len(items) == 3 and len(given) == 1 else None
    if moves is None:
        return None
    steps, padding, spread, groups = moves
    x, weight = value_of(given[0], session), value_of(items[0], session)
    if not isinstance(x, ShapedArray) or x.shape is None or len(x.shape) != len(steps) + 1:
        return None
    batch = ShapedArray((1, *x.shape), x.dtype, x.weak_type)
    operands = [batch, weight, steps, padding, None, spread]
    made = answer("lax.conv_general_dilated", operands, {"feature_group_count": groups}, session)
    value = None if made is None or made.error is not None else made.value
    if not isinstance(value, ShapedArray) or value.shape is None:
        return None
    value = ShapedArray(value.shape[1:], value.dtype, value.weak_type)
    if not isinstance(get_proper_type(items[1]), NoneType):
        made = answer("Array.__add__", [value, value_of(items[1], session)], {}, session)
        value = None if made is None or made.error is not None else made.value
    return array_type([value], session) if isinstance(value, ShapedArray) else None


def _pooling(rank: int) -> _Make:
    def make(given: Mapping[str, Any], dtype: str, session: Session) -> list[Type] | None:
        window, steps = (_numbers(given.get(name, 1), rank) for name in ("kernel_size", "stride"))
        padding = _padding(given.get("padding", 0), rank)
        if window is None or steps is None or padding is None or isinstance(padding, str):
            return None
        if given.get("use_ceil", False) is not False or any(max(p) > n for p, n in zip(padding, window)):
            return None
        return [_text((window, steps, padding), session)]

    return make


def _pool(items: Sequence[Type], given: Sequence[Type], session: Session) -> Type | None:
    moves = _read(items[0]) if len(items) == 1 and len(given) == 1 else None
    x = value_of(given[0], session) if given else None
    if moves is None or not isinstance(x, ShapedArray) or x.shape is None or len(x.shape) != len(moves[0]) + 1:
        return None
    window, steps, padding = moves
    last = ShapedArray((*x.shape[1:], x.shape[0]), x.dtype, x.weak_type)
    made = pooled(last, {"window_shape": window, "strides": steps, "padding": padding})
    if made is None or made.shape is None:
        return None
    return array_type([ShapedArray((made.shape[-1], *made.shape[:-1]), made.dtype, made.weak_type)], session)


_CONVOLUTIONS: Final = {f"equinox.nn._conv.Conv{n}d": n for n in (1, 2, 3)} | {"equinox.nn._conv.Conv": None}
_POOLS: Final = {f"equinox.nn._pool.{kind}Pool{n}d": n for kind in ("Max", "Avg") for n in (1, 2, 3)}
WINDOWS_MADE: Final[dict[str, _Make]] = {
    **{name: _convolution(rank) for name, rank in _CONVOLUTIONS.items()},
    **{name: _pooling(rank) for name, rank in _POOLS.items()},
}
"""What is kept of a layer that is made with these arguments, for parameters of a dtype."""
WINDOWS_CALLED: Final[dict[str, _Call]] = {
    **dict.fromkeys(_CONVOLUTIONS, _convolve),
    **dict.fromkeys(_POOLS, _pool),
}
"""What a layer gives of which this is kept, for positional arguments."""
