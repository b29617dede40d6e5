"""Windows that layers of Flax's linen move over an array: the shapes of convolutions, what `max_pool` gives.

Source: flax/linen/linear.py and pooling.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import prod
from typing import Any, Final

from mypy.plugin import FunctionContext
from mypy.types import Type

from arraytyping.semantics.avals import UNKNOWN, Alternatives, NumPyArray, Shape, ShapedArray
from arraytyping.semantics.rules.shapes.convolutions import dilated, transposed_pads
from arraytyping_mypy.arguments import read
from arraytyping_mypy.calls import answer
from arraytyping_mypy.convert import array_type
from arraytyping_mypy.features.windows import sizes_of
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions

__all__ = ["FLOATS", "arrays_in", "convolved", "function_hook", "pooled", "transposed"]

FLOATS: Final = frozenset({"float16", "bfloat16", "float32", "float64"})
_POOLING: Final = frozenset(
    {f"{space}.{name}" for space in ("flax.linen.pooling", "flax.linen") for name in ("max_pool", "avg_pool")}
)


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of a function that pools, or None."""
    return partial(_pool, sessions) if fullname in _POOLING else None


def arrays_in(value: Any) -> list[ShapedArray]:
    """The arrays that an argument may be; none if it may be anything else."""
    values = value.values if isinstance(value, Alternatives) else (value,)
    if isinstance(value, NumPyArray):
        return [ShapedArray(value.shape, None)]
    return list(values) if all(isinstance(v, ShapedArray) for v in values) else []


def _steps(value: Any, count: int) -> tuple[int, ...] | None:
    """How far a window is moved, or spread, along each of its dimensions: by one where nothing is said."""
    return sizes_of(1 if value is None else value, count)


def _window(fields: Mapping[str, Any], x: ShapedArray) -> tuple[Any, ...] | None:
    """The window that is moved over an array; None if it is not known to fit into it."""
    kernel = fields.get("kernel_size")
    window = (kernel,) if type(kernel) is int else tuple(kernel) if isinstance(kernel, tuple | list) else None
    return None if window is None or x.shape is None or len(x.shape) < len(window) + 1 else window


def _pads(padding: Any, window: Sequence[Any], settings: Sequence[tuple[int, ...] | None]) -> Any:
    """What a convolution adds on both sides, as `lax.conv_general_dilated` takes it; None if that is not known."""
    if padding in ("SAME", "VALID"):
        return padding
    if type(padding) is int:
        return ((padding, padding),) * len(window)
    if padding in ("CIRCULAR", "REFLECT", "CAUSAL"):
        spread, between = settings[1], settings[2]
        if spread is None or between is None or set(spread) != {1} or not all(type(n) is int for n in window):
            return None
        wide = [(n - 1) * step for n, step in zip(window, between)]
        if padding == "CAUSAL":
            return ((wide[0], 0),) if len(wide) == 1 else None
        return tuple((n // 2, (n + 1) // 2) for n in wide)
    if not isinstance(padding, tuple | list) or len(padding) != len(window):
        return None
    pairs = tuple((p, p) if type(p) is int else p for p in padding)
    return pairs if all(map(_is_pair, pairs)) else None


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _is_pair(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(type(n) is int for n in value)


def convolved(x: ShapedArray, fields: Mapping[str, Any], session: Session) -> Shape | None:
    """The shape of a convolution, of which the last dimensions are known in any case."""
    window, features = _window(fields, x), fields.get("features")
    if window is None or x.shape is None:
        return None if x.shape is None else (None,) * len(x.shape)
    rank = len(window)
    outer, inner = x.shape[: len(x.shape) - rank - 1], x.shape[len(x.shape) - rank - 1 :]
    unknown = (*outer, *(None,) * rank, features if type(features) is int else None)
    settings = [_steps(fields.get(n), rank) for n in ("strides", "input_dilation", "kernel_dilation")]
    padding = _pads(fields.get("padding", "SAME"), window, settings)
    groups = fields.get("feature_group_count", 1)
    channels = inner[-1]
    if None in settings or type(groups) is not int or type(channels) is not int or type(features) is not int:
        return unknown
    if not all(type(n) is int for n in window) or groups < 1 or padding is None:
        return unknown
    letters = "DHW"[-rank:]
    lhs = ShapedArray((1, *inner), "float32")
    rhs = ShapedArray((*window, channels // groups, features), "float32")
    made = answer(
        "lax.conv_general_dilated",
        [lhs, rhs, settings[0], padding, settings[1], settings[2], (f"N{letters}C", f"{letters}IO", f"N{letters}C")],
        {"feature_group_count": groups},
        session,
    )
    value = UNKNOWN if made is None or made.error is not None else made.value
    if not isinstance(value, ShapedArray) or value.shape is None:
        return unknown
    return (*outer, *value.shape[1:])


def pooled(x: ShapedArray, given: Mapping[str, Any]) -> ShapedArray | None:
    """An array of floats, pooled; None if that is not known."""
    window = given.get("window_shape")
    if x.shape is None or not isinstance(window, tuple | list) or not all(type(n) is int and n > 0 for n in window):
        return None
    rank = len(window)
    strides, padding = _steps(given.get("strides"), rank), given.get("padding", "VALID")
    pairs = padding if isinstance(padding, tuple | list) else ((0, 0),) * rank
    if len(x.shape) < rank + 1 or strides is None or prod(strides) < 1 or len(pairs) != rank:
        return None
    if not all(map(_is_pair, map(_as_tuple, pairs))) or not (pairs is padding or padding in ("SAME", "VALID")):
        return None
    outer, inner, last = x.shape[: len(x.shape) - rank - 1], x.shape[len(x.shape) - rank - 1 : -1], x.shape[-1:]
    sizes = tuple(
        None if not isinstance(d, int) else max(-(-d // s) if padding == "SAME" else (d + sum(p) - w) // s + 1, 0)
        for d, w, s, p in zip(inner, window, strides, pairs)
    )
    is_kept = x.dtype in FLOATS and x.weak_type is False
    return ShapedArray((*outer, *sizes, *last), x.dtype if is_kept else None, False if is_kept else None)


def transposed(x: ShapedArray, fields: Mapping[str, Any], session: Session) -> Shape | None:
    """The shape of a transposed convolution, of which the last dimensions are known in any case."""
    window, features = _window(fields, x), fields.get("features")
    if window is None or x.shape is None:
        return None if x.shape is None else (None,) * len(x.shape)
    rank = len(window)
    outer, space = x.shape[: len(x.shape) - rank - 1], x.shape[len(x.shape) - rank - 1 : -1]
    last = features if type(features) is int else None
    steps, between = (_steps(fields.get(name), rank) for name in ("strides", "kernel_dilation"))
    padding = fields.get("padding", "SAME")
    pads = padding if padding in ("SAME", "VALID", "CIRCULAR") else _pads(padding, window, [steps, None, between])
    if pads is None or steps is None or between is None or not all(type(n) is int for n in (*window, *space)):
        return (*outer, *(None,) * rank, last)
    sizes = []
    for n, (size, k, step, hole) in enumerate(zip(space, window, steps, between)):
        assert isinstance(size, int)
        reach = dilated(k, hole)
        around = (
            transposed_pads(reach, step, "SAME" if pads == "CIRCULAR" else pads) if isinstance(pads, str) else pads[n]
        )
        sizes.append((size - 1) * step + sum(around) + 2 - reach)
    return (*outer, *(n if n > 0 else None for n in sizes), last)


def _pool(sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    if not session.is_active or any(k.is_star() for kinds in ctx.arg_kinds for k in kinds):
        return ctx.default_return_type
    given = {
        name: read(es[0], types[0], session)
        for name, es, types in zip(ctx.callee_arg_names, ctx.args, ctx.arg_types)
        if len(es) == 1 and name is not None
    }
    made = [pooled(x, given) for x in arrays_in(given.get("inputs"))]
    known = [a for a in made if a is not None]
    return array_type(known, session) if known and len(known) == len(made) else ctx.default_return_type
