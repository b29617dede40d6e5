"""The layers of Flax's linen: the shape of what `nn.Dense(n)(x)` gives, and its dtype where the layer names one.

Parameters are whatever `apply` is given, in whatever dtype; so a layer without a `dtype` gives one that is not known.

Source: flax/linen/linear.py, normalization.py, stochastic.py and pooling.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import prod
from typing import Any, Final

from mypy.nodes import ArgKind, CallExpr, Expression, NameExpr, RefExpr, Var
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import Type

from arraytyping.semantics.avals import UNKNOWN, Alternatives, NumPyArray, Shape, ShapedArray, SymbolicDim
from arraytyping_mypy.arguments import read
from arraytyping_mypy.calls import answer
from arraytyping_mypy.convert import array_type
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions

__all__ = ["function_hook", "method_hook"]

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


def method_hook(fullname: str, sessions: Sessions) -> Callable[[MethodContext], Type] | None:
    """The hook of a call of a layer, or None."""
    layer, _, method = fullname.rpartition(".")
    return partial(_apply, layer, sessions) if method == "__call__" and layer in _FIELDS else None


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of a function that pools, or None."""
    name = _POOLING.get(fullname)
    return None if name is None else partial(_pool, sessions)


def _apply(layer: str, sessions: Sessions, ctx: MethodContext) -> Type:
    session = sessions.of(ctx.api)
    fields = _fields(layer, ctx.context, session) if session.is_active else None
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
    padding = fields.get("padding", "SAME")
    groups = fields.get("feature_group_count", 1)
    channels = inner[-1]
    if None in settings or type(groups) is not int or type(channels) is not int or type(features) is not int:
        return unknown
    if not all(type(n) is int for n in window) or groups < 1 or padding not in ("SAME", "VALID"):
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
    made = [_pooled(x, given) for x in _arrays(given.get("inputs"))]
    known = [a for a in made if a is not None]
    return array_type(known, session) if known and len(known) == len(made) else ctx.default_return_type


def _pooled(x: ShapedArray, given: _Fields) -> ShapedArray | None:
    """An array of floats, pooled; None if that is not known."""
    window = given.get("window_shape")
    if x.shape is None or not isinstance(window, tuple | list) or not all(type(n) is int and n > 0 for n in window):
        return None
    rank = len(window)
    strides, padding = _numbers(given.get("strides"), rank), given.get("padding", "VALID")
    if len(x.shape) < rank + 1 or strides is None or prod(strides) < 1 or padding not in ("SAME", "VALID"):
        return None
    outer, inner, last = x.shape[: len(x.shape) - rank - 1], x.shape[len(x.shape) - rank - 1 : -1], x.shape[-1:]
    sizes = tuple(
        None if not isinstance(d, int) else max(-(-d // s) if padding == "SAME" else (d - w) // s + 1, 0)
        for d, w, s in zip(inner, window, strides)
    )
    is_kept = x.dtype in _FLOATS and x.weak_type is False
    return ShapedArray((*outer, *sizes, *last), x.dtype if is_kept else None, False if is_kept else None)
