"""The layers of Flax's linen: the shape of what `nn.Dense(n)(x)` gives, and its dtype where the layer names one.

Parameters are whatever `apply` is given, in whatever dtype; so a layer without a `dtype` gives one that is not known.

Source: flax/linen/linear.py, normalization.py, stochastic.py and pooling.py.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import prod
from typing import Any, Final

from mypy.nodes import ArgKind, CallExpr, Expression, NameExpr, RefExpr, Var
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import Instance, LiteralType, TupleType, Type, get_proper_type

from arraytyping.scalars import NAMES, SCALARS
from arraytyping.semantics.avals import UNKNOWN, Alternatives, NumPyArray, Shape, ShapedArray, SymbolicDim
from arraytyping_mypy.arguments import read
from arraytyping_mypy.calls import answer
from arraytyping_mypy.checker import type_again
from arraytyping_mypy.convert import array_type
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions

__all__ = ["function_hook", "method_hook", "pooled"]

_DENSE: Final = ("features", "use_bias", "dtype", "param_dtype", "precision", "kernel_init", "bias_init")
_CONV: Final = (
    "features", "kernel_size", "strides", "padding", "input_dilation", "kernel_dilation", "feature_group_count",
    "use_bias", "mask", "dtype", "param_dtype", "precision", "kernel_init", "bias_init",
)  # fmt: skip
_EMBED: Final = ("num_embeddings", "features", "dtype", "param_dtype", "embedding_init")
_NORMS: Final = ("LayerNorm", "RMSNorm", "GroupNorm", "BatchNorm", "InstanceNorm")
_FIELDS: Final = {
    "flax.linen.linear.Dense": _DENSE,
    "flax.linen.linear.Conv": _CONV,
    "flax.linen.linear.Embed": _EMBED,
    "flax.linen.stochastic.Dropout": ("rate", "broadcast_dims", "deterministic", "rng_collection"),
    **{f"flax.linen.normalization.{name}": () for name in _NORMS},
}
"""The fields of the layers that are understood, in order; a layer with another one is unknown."""
_OF_NORMS: Final = frozenset({
    "epsilon", "dtype", "param_dtype", "use_bias", "use_scale", "bias_init", "scale_init", "num_groups", "group_size",
    "momentum", "use_running_average", "axis", "use_fast_variance", "force_float32_reductions",
})  # fmt: skip
_FLOATS: Final = frozenset({"float16", "bfloat16", "float32", "float64"})
_POOLING: Final = {
    f"{space}.{name}": name for space in ("flax.linen.pooling", "flax.linen") for name in ("max_pool", "avg_pool")
}

_Fields = dict[str, Any]


_MADE: Final = "made with "
"""What stands before the fields in the type of a layer that is made in a function that is followed."""


def method_hook(fullname: str, sessions: Sessions) -> Callable[[MethodContext], Type] | None:
    """The hook of a call of a layer, or None."""
    layer, _, method = fullname.rpartition(".")
    return partial(_apply, layer, sessions) if method == "__call__" and layer in _FIELDS else None


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of a function that pools, or of a class of layers, or None."""
    if fullname in _FIELDS:
        return partial(_make, fullname, sessions)
    name = _POOLING.get(fullname)
    return None if name is None else partial(_pool, sessions)


def _make(layer: str, sessions: Sessions, ctx: FunctionContext) -> Type:
    """A layer that is made, known by its fields: it may be kept in an attribute or a list before it is called."""
    session = sessions.of(ctx.api)
    p = get_proper_type(ctx.default_return_type)
    call = ctx.context
    if not session.is_active or not session.has_followed or not session.following.is_active:
        return ctx.default_return_type
    fields = _given(layer, call, session) if isinstance(call, CallExpr) else None
    if fields is None or not isinstance(p, Instance):
        return ctx.default_return_type
    text = LiteralType(_MADE + repr(_written(fields)), session.api.named_generic_type("builtins.str", []))
    return TupleType([text], p)


def _written(fields: _Fields) -> list[tuple[str, Any]]:
    """The fields as they are kept in a type: the value in a list, the name of a dtype, None for what is not known."""
    found: list[tuple[str, Any]] = []
    for name, value in sorted(fields.items()):
        kept = [value] if _is_plain(value) else NAMES.get(value) if isinstance(value, type) else None
        found.append((name, kept))
    return found


def _is_plain(value: Any) -> bool:
    if isinstance(value, tuple | list):
        return all(map(_is_plain, value))
    return value is None or type(value) in (bool, int, float, str)


def _kept(t: Type) -> _Fields | None:
    """The reverse of `_written`, of the type of a layer; None where it has no fields."""
    p = get_proper_type(t)
    text = get_proper_type(p.items[0]) if isinstance(p, TupleType) and len(p.items) == 1 else None
    if not isinstance(text, LiteralType) or not isinstance(text.value, str) or not text.value.startswith(_MADE):
        return None
    fields = dict(ast.literal_eval(text.value[len(_MADE) :]))
    return {
        name: value[0] if isinstance(value, list) else UNKNOWN if value is None else SCALARS[value]
        for name, value in fields.items()
    }


def _apply(layer: str, sessions: Sessions, ctx: MethodContext) -> Type:
    session = sessions.of(ctx.api)
    fields = _fields(layer, ctx.context, session) if session.is_active else None
    if fields is None and session.is_active and session.has_followed and isinstance(ctx.context, CallExpr):
        fields = _kept(type_again(ctx.api, ctx.context.callee)) if session.following.is_active else None
    if fields is None or not ctx.args or len(ctx.args[0]) != 1 or ctx.arg_kinds[0][0].is_star():
        return ctx.default_return_type
    given = read(ctx.args[0][0], ctx.arg_types[0][0], session)
    made = [_result(layer.rpartition(".")[2], a, fields, session) for a in _arrays(given)]
    known = [a for a in made if a is not None]
    return array_type(known, session) if known and len(known) == len(made) else ctx.default_return_type


def _arrays(value: Any) -> list[ShapedArray]:
    """The arrays that an argument may be; none if it may be anything else."""
    values = value.values if isinstance(value, Alternatives) else (value,)
    if isinstance(value, NumPyArray):
        return [ShapedArray(value.shape, None)]
    return list(values) if all(isinstance(v, ShapedArray) for v in values) else []


def _fields(layer: str, call: object, session: Session) -> _Fields | None:
    """The fields of the layer that is called, as far as it is seen where it was made; None if it is not understood."""
    made = call.callee if isinstance(call, CallExpr) else None
    if isinstance(made, NameExpr) and isinstance(made.node, Var):
        made = session.bindings.only_value(made.node)
    if not isinstance(made, CallExpr) or not isinstance(made.callee, RefExpr) or made.callee.fullname != layer:
        return None
    return _given(layer, made, session)


def _given(layer: str, made: CallExpr, session: Session) -> _Fields | None:
    """The fields that a layer is made with; None if it is not understood."""
    names, found = _FIELDS[layer], _Fields()
    allowed = (*names, "name") if names else (*_OF_NORMS, "name")
    for i, (e, kind, name) in enumerate(zip(made.args, made.arg_kinds, made.arg_names)):
        if kind is ArgKind.ARG_POS and i < len(names):
            name = names[i]
        if name not in allowed or kind.is_star():
            if not (kind is ArgKind.ARG_POS and not names):
                return None
            continue  # of a normalization, whose first fields change no shape; `dtype` is never among them
        found[name] = _value(e, session)
    return found


def _value(e: Expression, session: Session) -> Any:
    return read(e, None, session)


def _result(layer: str, x: ShapedArray, fields: _Fields, session: Session) -> ShapedArray | None:
    """What a layer gives for an array; None if that is not known."""
    if layer == "Dropout":
        is_kept = x.dtype in _FLOATS and x.weak_type is False and type(fields.get("rate")) in (int, float)
        return replace(x, value=None) if is_kept else ShapedArray(x.shape, None)
    shape: Shape | None
    if layer in _NORMS:
        shape = x.shape
    elif layer == "Conv":
        shape = _convolved(x, fields, session)
    else:
        features = fields.get("features")
        size = features if type(features) is int or isinstance(features, SymbolicDim) else None
        if layer == "Dense":
            if x.shape == ():
                return None
            shape = None if x.shape is None else (*x.shape[:-1], size)
        else:
            shape = None if x.shape is None else (*x.shape, size)
    return ShapedArray(shape, *_dtype(layer, fields, session))


def _dtype(layer: str, fields: _Fields, session: Session) -> tuple[str | None, bool | None]:
    """The dtype of what a layer gives that names one."""
    asked = fields.get("dtype")
    if not isinstance(asked, type | str):
        return None, None
    found = answer("numpy.zeros", [(), asked], {}, session)
    value = UNKNOWN if found is None or found.error is not None else found.value
    if not isinstance(value, ShapedArray) or value.dtype is None or (layer != "Embed" and value.dtype not in _FLOATS):
        return None, None
    return value.dtype, False


def _numbers(value: Any, count: int) -> tuple[int, ...] | None:
    """So many sizes, all of which are one if one is given."""
    if value is None:
        value = 1
    if type(value) is int:
        return (value,) * count
    if not isinstance(value, tuple | list) or len(value) != count or not all(type(n) is int for n in value):
        return None
    return tuple(value)


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


def _convolved(x: ShapedArray, fields: _Fields, session: Session) -> Shape | None:
    """The shape of a convolution, of which the last dimensions are known in any case."""
    kernel = fields.get("kernel_size")
    window = (kernel,) if type(kernel) is int else tuple(kernel) if isinstance(kernel, tuple | list) else None
    features = fields.get("features")
    if window is None or x.shape is None or len(x.shape) < len(window) + 1:
        return None if x.shape is None else (None,) * len(x.shape)
    rank = len(window)
    outer, inner = x.shape[: len(x.shape) - rank - 1], x.shape[len(x.shape) - rank - 1 :]
    unknown = (*outer, *(None,) * rank, features if type(features) is int else None)
    settings = [_numbers(fields.get(n), rank) for n in ("strides", "input_dilation", "kernel_dilation")]
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


def _pool(sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    if not session.is_active or any(k.is_star() for kinds in ctx.arg_kinds for k in kinds):
        return ctx.default_return_type
    given = {
        name: read(es[0], types[0], session)
        for name, es, types in zip(ctx.callee_arg_names, ctx.args, ctx.arg_types)
        if len(es) == 1 and name is not None
    }
    made = [pooled(x, given) for x in _arrays(given.get("inputs"))]
    known = [a for a in made if a is not None]
    return array_type(known, session) if known and len(known) == len(made) else ctx.default_return_type


def pooled(x: ShapedArray, given: _Fields) -> ShapedArray | None:
    """An array of floats, pooled; None if that is not known."""
    window = given.get("window_shape")
    if x.shape is None or not isinstance(window, tuple | list) or not all(type(n) is int and n > 0 for n in window):
        return None
    rank = len(window)
    strides, padding = _numbers(given.get("strides"), rank), given.get("padding", "VALID")
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
    is_kept = x.dtype in _FLOATS and x.weak_type is False
    return ShapedArray((*outer, *sizes, *last), x.dtype if is_kept else None, False if is_kept else None)
