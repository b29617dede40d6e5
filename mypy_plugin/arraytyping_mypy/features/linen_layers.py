"""The layers of Flax's linen: the shape of what `nn.Dense(n)(x)` gives, and its dtype where the layer names one.

Parameters are whatever `apply` is given, in whatever dtype; so a layer without a `dtype` gives one that is not known.

Of `nn.Sequential` and `nn.WeightNorm` the layers are kept that they call.

Source: flax/linen/linear.py, attention.py, combinators.py, normalization.py and stochastic.py.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from mypy.nodes import ArgKind, CallExpr, Expression, MemberExpr, NameExpr, RefExpr, Var
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import Instance, LiteralType, TupleType, Type, get_proper_type

from arraytyping.scalars import NAMES, SCALARS
from arraytyping.semantics.avals import UNKNOWN, Shape, ShapedArray, SymbolicDim
from arraytyping_mypy.arguments import read
from arraytyping_mypy.calls import answer
from arraytyping_mypy.checker import type_again
from arraytyping_mypy.convert import array_type, value_of
from arraytyping_mypy.features.equinox_calls import Apply
from arraytyping_mypy.features.linen_windows import FLOATS, arrays_in, convolved, transposed
from arraytyping_mypy.features.stacking import is_plain_array
from arraytyping_mypy.fixed_lists import items_of
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions

__all__ = [
    "Fields", "called", "dtype_of", "function_hook", "kept_fields", "method_hook", "result_of", "written_fields",
]  # fmt: skip

_DENSE: Final = ("features", "use_bias", "dtype", "param_dtype", "precision", "kernel_init", "bias_init")
_CONV: Final = (
    "features", "kernel_size", "strides", "padding", "input_dilation", "kernel_dilation", "feature_group_count",
    "use_bias", "mask", "dtype", "param_dtype", "precision", "kernel_init", "bias_init",
)  # fmt: skip
_GENERAL: Final = (
    "features", "axis", "batch_dims", "use_bias", "dtype", "param_dtype", "kernel_init", "bias_init", "precision",
)  # fmt: skip
_TRANSPOSED: Final = (
    "features", "kernel_size", "strides", "padding", "kernel_dilation", "use_bias", "mask", "dtype", "param_dtype",
    "precision", "kernel_init", "bias_init", "transpose_kernel",
)  # fmt: skip
_ATTENTION: Final = (
    "num_heads", "dtype", "param_dtype", "qkv_features", "out_features", "broadcast_dropout", "dropout_rate",
    "deterministic", "precision", "kernel_init", "out_kernel_init", "bias_init", "out_bias_init", "use_bias",
)  # fmt: skip
_ATTENDING: Final = ("MultiHeadDotProductAttention", "MultiHeadAttention", "SelfAttention")
_SEQUENTIAL: Final = "flax.linen.combinators.Sequential"
_NORMALIZED: Final = "flax.linen.normalization.WeightNorm"
_EINSUM: Final = ("shape", "einsum_str", "use_bias", "dtype", "param_dtype", "precision", "kernel_init", "bias_init")
_EMBED: Final = ("num_embeddings", "features", "dtype", "param_dtype", "embedding_init")
_NORMS: Final = ("LayerNorm", "RMSNorm", "GroupNorm", "BatchNorm", "InstanceNorm")
_FIELDS: Final = {
    "flax.linen.linear.Dense": _DENSE,
    "flax.linen.linear.Conv": _CONV,
    "flax.linen.linear.Embed": _EMBED,
    "flax.linen.linear.DenseGeneral": _GENERAL,
    "flax.linen.linear.ConvTranspose": _TRANSPOSED,
    "flax.linen.linear.Einsum": _EINSUM,
    **{f"flax.linen.attention.{name}": _ATTENTION for name in _ATTENDING},
    "flax.linen.stochastic.Dropout": ("rate", "broadcast_dims", "deterministic", "rng_collection"),
    **{f"flax.linen.normalization.{name}": () for name in _NORMS},
}
"""The fields of the layers that are understood, in order; a layer with another one is unknown."""
_OF_NORMS: Final = frozenset({
    "epsilon", "dtype", "param_dtype", "use_bias", "use_scale", "bias_init", "scale_init", "num_groups", "group_size",
    "momentum", "use_running_average", "axis", "use_fast_variance", "force_float32_reductions",
})  # fmt: skip
_OPTIONS: Final = ("name", "normalize_qk", "force_fp32_for_softmax")
"""What is given by name, and changes no type."""
Fields = dict[str, Any]
"""What a layer is made with."""


_CALLING: Final = (_SEQUENTIAL, _NORMALIZED)
"""Layers that call others."""
_EMBEDDING: Final = "flax.linen.linear.Embed"
_ATTENDED: Final = f"{_EMBEDDING}.attend"
_MADE: Final = "made with "
"""What stands before the fields in the type of a layer that is made in a function that is followed."""


def method_hook(fullname: str, sessions: Sessions, apply: Apply) -> Callable[[MethodContext], Type] | None:
    """The hook of a call of a layer, or None; `apply` calls what a layer calls."""
    layer, _, method = fullname.rpartition(".")
    if layer == _EMBEDDING and method == "attend":
        return partial(_apply, _ATTENDED, sessions)
    if method != "__call__":
        return None
    if layer in _CALLING:
        return partial(_call_all, sessions, apply)
    return partial(_apply, layer, sessions) if layer in _FIELDS else None


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of a class of layers, or None."""
    if fullname in _CALLING:
        return partial(_put_together, fullname, sessions)
    return partial(_make, fullname, sessions) if fullname in _FIELDS else None


def _make(layer: str, sessions: Sessions, ctx: FunctionContext) -> Type:
    """A layer that is made, known by its fields: it may be kept in an attribute or a list before it is called."""
    session = sessions.of(ctx.api)
    p = get_proper_type(ctx.default_return_type)
    call = ctx.context
    if not session.is_active or not session.is_following:
        return ctx.default_return_type
    fields = _given(layer, call, session) if isinstance(call, CallExpr) else None
    if fields is None or not isinstance(p, Instance):
        return ctx.default_return_type
    text = LiteralType(written_fields(fields), session.api.named_generic_type("builtins.str", []))
    return TupleType([text], p)


def _put_together(layer: str, sessions: Sessions, ctx: FunctionContext) -> Type:
    """`nn.Sequential` and `nn.WeightNorm`, known by the layers and functions that they call."""
    session = sessions.of(ctx.api)
    p = get_proper_type(ctx.default_return_type)
    if not session.is_active or not session.is_following:
        return ctx.default_return_type
    given = ctx.arg_types[0] if ctx.arg_types else []
    first = session.following.function(ctx.args[0][0], given[0]) if len(given) == 1 else None
    layers = items_of(first) if layer == _SEQUENTIAL and first is not None else None
    if layer == _NORMALIZED and first is not None and isinstance(get_proper_type(first), TupleType):
        layers = [first]
    return TupleType(list(layers), p) if layers and isinstance(p, Instance) else ctx.default_return_type


def _call_all(sessions: Sessions, apply: Apply, ctx: MethodContext) -> Type:
    session = sessions.of(ctx.api)
    call = ctx.context
    if not session.is_active or not session.is_following:
        return ctx.default_return_type
    given = [t for types in ctx.arg_types for t in types]
    if not isinstance(call, CallExpr) or call.arg_kinds != [ArgKind.ARG_POS] or len(given) != 1:
        return ctx.default_return_type
    session.following.site = call
    return called(type_again(ctx.api, call.callee), given, session, apply) or ctx.default_return_type


def called(layer: Type, given: Sequence[Type], session: Session, apply: Apply) -> Type | None:
    """What a layer gives that is known by how it was made; None if it is none."""
    p = get_proper_type(layer)
    name = p.partial_fallback.type.fullname if isinstance(p, TupleType) else ""
    if isinstance(p, TupleType) and name in _CALLING and len(given) == 1:
        x: Type | None = given[0]
        for part in p.items:  # a tuple or a dict would be given as several arguments
            x = None if x is None or not is_plain_array(x) else apply(part, [x], {}, session)
        return x
    fields = kept_fields(p) if name in _FIELDS and given else None
    return None if fields is None else _given_by(name, value_of(given[0], session), fields, session)


def _given_by(layer: str, given: Any, fields: Fields, session: Session) -> Type | None:
    """What a layer gives for an argument; None if that is not known."""
    made = [result_of(layer.rpartition(".")[2], a, fields, session) for a in arrays_in(given)]
    known = [a for a in made if a is not None]
    return array_type(known, session) if known and len(known) == len(made) else None


def written_fields(fields: Fields) -> str:
    """The fields as they are kept in a type: the value in a list, the name of a dtype, None for what is not known."""
    found: list[tuple[str, Any]] = []
    for name, value in sorted(fields.items()):
        kept = [value] if _is_plain(value) else NAMES.get(value) if isinstance(value, type) else None
        found.append((name, kept))
    return _MADE + repr(found)


def _is_plain(value: Any) -> bool:
    if isinstance(value, tuple | list):
        return all(map(_is_plain, value))
    return value is None or type(value) in (bool, int, float, str)


def kept_fields(t: Type) -> Fields | None:
    """The reverse of `written_fields`, of the type of a layer; None where it has no fields."""
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
    call = ctx.context
    called = call.callee if isinstance(call, CallExpr) else None
    if layer == _ATTENDED:
        called = called.expr if isinstance(called, MemberExpr) else None
    fields = _fields(layer, called, session) if session.is_active else None
    if fields is None and session.is_active and session.is_following and called is not None:
        fields = kept_fields(type_again(ctx.api, called))
    if fields is None or not ctx.args or len(ctx.args[0]) != 1 or ctx.arg_kinds[0][0].is_star():
        return ctx.default_return_type
    if layer.endswith(".Einsum") and (not isinstance(call, CallExpr) or len(call.args) != 1):
        return ctx.default_return_type
    given = read(ctx.args[0][0], ctx.arg_types[0][0], session)
    return _given_by(layer, given, fields, session) or ctx.default_return_type


def _fields(layer: str, made: Expression | None, session: Session) -> Fields | None:
    """The fields of the layer that is called, as far as it is seen where it was made; None if it is not understood."""
    layer = _EMBEDDING if layer == _ATTENDED else layer
    if isinstance(made, NameExpr) and isinstance(made.node, Var):
        made = session.bindings.only_value(made.node)
    if not isinstance(made, CallExpr) or not isinstance(made.callee, RefExpr) or made.callee.fullname != layer:
        return None
    return _given(layer, made, session)


def _given(layer: str, made: CallExpr, session: Session) -> Fields | None:
    """The fields that a layer is made with; None if it is not understood."""
    names, found = _FIELDS[layer], Fields()
    allowed = (*(names or _OF_NORMS), *_OPTIONS)
    for i, (e, kind, name) in enumerate(zip(made.args, made.arg_kinds, made.arg_names)):
        if kind is ArgKind.ARG_POS and i < len(names):
            name = names[i]
        if name is None or name not in allowed or kind.is_star():
            if not (kind is ArgKind.ARG_POS and not names):
                return None
            continue  # of a normalization, whose first fields change no shape; `dtype` is never among them
        found[name] = _value(e, session)
    return found


def _value(e: Expression, session: Session) -> Any:
    return read(e, None, session)


def result_of(layer: str, x: ShapedArray, fields: Fields, session: Session) -> ShapedArray | None:
    """What a layer gives for an array; None if that is not known."""
    if layer == "Dropout":
        is_kept = x.dtype in FLOATS and x.weak_type is False and type(fields.get("rate")) in (int, float)
        return replace(x, value=None) if is_kept else ShapedArray(x.shape, None)
    shape: Shape | None
    if layer in _NORMS:
        shape = x.shape
    elif layer == "Conv":
        shape = convolved(x, fields, session)
    elif layer == "ConvTranspose":
        shape = transposed(x, fields, session)
    elif layer == "DenseGeneral":
        shape = _general(x.shape, fields)
    elif layer in _ATTENDING:
        shape = _attended(x.shape, fields)
    elif layer == "Einsum":
        shape = _summed(x, fields, session)
    elif layer == "attend":
        shape = _without_last(x.shape, fields.get("num_embeddings"))
    else:
        features = fields.get("features")
        if layer == "Dense":
            shape = _without_last(x.shape, features)
        else:
            shape = None if x.shape is None else (*x.shape, _size(features))
    if x.shape == () and layer in ("Dense", "attend"):
        return None
    return ShapedArray(shape, *dtype_of(layer, fields, session))


def _size(value: Any) -> int | SymbolicDim | None:
    return value if type(value) is int or isinstance(value, SymbolicDim) else None


def _without_last(shape: Shape | None, size: Any) -> Shape | None:
    """The shape with another last size."""
    return None if shape is None else (*shape[:-1], _size(size))


def _summed(x: ShapedArray, fields: Fields, session: Session) -> Shape | None:
    """The shape of an `einsum` with a kernel of a known shape."""
    sizes, letters = fields.get("shape"), fields.get("einsum_str")
    if not isinstance(letters, str) or not isinstance(sizes, tuple | list) or not all(type(n) is int for n in sizes):
        return None
    kernel = ShapedArray(tuple(sizes), "float32")
    found = answer("numpy.einsum", [letters, ShapedArray(x.shape, "float32"), kernel], {}, session)
    value = UNKNOWN if found is None or found.error is not None else found.value
    return value.shape if isinstance(value, ShapedArray) else None


def _general(shape: Shape | None, fields: Fields) -> Shape | None:
    """The shape of what is multiplied along some axes, in the place of which the features stand behind the others."""
    features, axes = (fields.get(name, -1) for name in ("features", "axis"))
    features, axes = ((n,) if type(n) is int else n for n in (features, axes))
    if shape is None or "batch_dims" in fields or not isinstance(axes, tuple | list) or None in axes:
        return None
    if not isinstance(features, tuple | list) or not all(type(n) is int for n in (*features, *axes)):
        return None
    if not all(-len(shape) <= n < len(shape) for n in axes):
        return None
    taken = {n % len(shape) for n in axes}
    return (*(size for n, size in enumerate(shape) if n not in taken), *features)


def _attended(shape: Shape | None, fields: Fields) -> Shape | None:
    """The shape of the queries, in which other features may stand for those that they have."""
    features = fields.get("out_features")
    if shape is None or len(shape) < 2 or not (features is None or type(features) is int):
        return None if shape is None else (*shape[:-1], None)
    return shape if features is None else (*shape[:-1], features)


def dtype_of(layer: str, fields: Fields, session: Session) -> tuple[str | None, bool | None]:
    """The dtype of what a layer gives that names one."""
    asked = fields.get("dtype")
    if not isinstance(asked, type | str):
        return None, None
    found = answer("numpy.zeros", [(), asked], {}, session)
    value = UNKNOWN if found is None or found.error is not None else found.value
    if not isinstance(value, ShapedArray) or value.dtype is None or (layer != "Embed" and value.dtype not in FLOATS):
        return None, None
    return value.dtype, False
