"""The layers of Flax's nnx: what `nnx.Linear(n, m, rngs=rngs)(x)` gives, and its dtype.

Their parameters may be replaced at any time, so that only of those something is known that nothing holds but what
calls them.

Source: flax/nnx/nn/linear.py, normalization.py, stochastic.py and attention.py, flax/nnx/helpers.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from mypy.nodes import ArgKind, CallExpr, Expression, MemberExpr, NameExpr, RefExpr, Var
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import CallableType, Instance, LiteralType, TupleType, Type, get_proper_type

from arraytyping.semantics.avals import UNKNOWN, ShapedArray
from arraytyping_mypy.arguments import read
from arraytyping_mypy.calls import answer, report
from arraytyping_mypy.checker import type_again
from arraytyping_mypy.convert import array_type
from arraytyping_mypy.features.linen_layers import Fields, dtype_of, kept_fields, result_of, written_fields
from arraytyping_mypy.features.linen_windows import FLOATS, arrays_in
from arraytyping_mypy.frameworks import function_rule
from arraytyping_mypy.own_names import jax_name
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions

__all__ = ["function_hook", "method_hook"]


class _Kind(NamedTuple):
    """A class of layers: the layer of linen that computes the same, its arguments by position, and others by name."""

    linen: str
    positional: tuple[str, ...]
    named: tuple[str, ...] = ()


_LINEAR: Final = ("in_features", "out_features")
_CONVOLVING: Final = (*_LINEAR, "kernel_size", "strides")
_PARAMETERS: Final = ("use_bias", "dtype", "param_dtype", "precision", "kernel_init", "bias_init", "rngs")
_NORM: Final = (
    "epsilon", "dtype", "param_dtype", "use_bias", "use_scale", "bias_init", "scale_init", "reduction_axes",
    "feature_axes", "use_fast_variance", "rngs",
)  # fmt: skip
_SEQUENTIAL: Final = "flax.nnx.helpers.Sequential"
_EMBED: Final = "flax.nnx.nn.linear.Embed"
_KINDS: Final = {
    "flax.nnx.nn.linear.Linear": _Kind("Dense", _LINEAR, _PARAMETERS),
    "flax.nnx.nn.linear.LinearGeneral": _Kind("DenseGeneral", _LINEAR, (*_PARAMETERS, "axis")),
    "flax.nnx.nn.linear.Conv": _Kind(
        "Conv", _CONVOLVING,
        (*_PARAMETERS, "padding", "input_dilation", "kernel_dilation", "feature_group_count"),
    ),
    "flax.nnx.nn.linear.ConvTranspose": _Kind(
        "ConvTranspose", _CONVOLVING, (*_PARAMETERS, "padding", "kernel_dilation", "transpose_kernel")
    ),
    "flax.nnx.nn.linear.Einsum": _Kind(
        "Einsum", ("einsum_str", "kernel_shape", "bias_shape"),
        ("dtype", "param_dtype", "precision", "kernel_init", "bias_init", "rngs"),
    ),
    _EMBED: _Kind("Embed", ("num_embeddings", "features"), ("dtype", "param_dtype", "embedding_init", "rngs")),
    "flax.nnx.nn.normalization.LayerNorm": _Kind("LayerNorm", ("num_features",), _NORM),
    "flax.nnx.nn.normalization.RMSNorm": _Kind("RMSNorm", ("num_features",), _NORM),
    "flax.nnx.nn.normalization.GroupNorm": _Kind("GroupNorm", ("num_features", "num_groups", "group_size"), _NORM),
    "flax.nnx.nn.normalization.BatchNorm": _Kind(
        "BatchNorm", ("num_features",), (*_NORM, "use_running_average", "axis", "momentum")
    ),
    "flax.nnx.nn.stochastic.Dropout": _Kind(
        "Dropout", ("rate",), ("broadcast_dims", "deterministic", "rng_collection", "rngs")
    ),
    "flax.nnx.nn.attention.MultiHeadAttention": _Kind(
        "MultiHeadAttention", ("num_heads", "in_features", "qkv_features", "out_features"),
        ("dtype", "param_dtype", "broadcast_dropout", "dropout_rate", "deterministic", "precision", "kernel_init",
         "out_kernel_init", "bias_init", "out_bias_init", "use_bias", "decode", "normalize_qk", "rngs"),
    ),
}  # fmt: skip
"""The layers; one that is given something else is unknown, such as what promotes dtypes in another way."""
_TAKES_MORE: Final = ("LayerNorm", "RMSNorm", "GroupNorm", "BatchNorm", "Dropout", "MultiHeadAttention")
"""Those whose further arguments change no type."""
_OF_UNKNOWN_DTYPE: Final = ("BatchNorm", "MultiHeadAttention")
"""Those that compute in a dtype that hangs on more than the parameters, unless they name one."""
_SCALING: Final = {
    "LayerNorm": ("use_scale", "use_bias"),
    "GroupNorm": ("use_scale", "use_bias"),
    "RMSNorm": ("use_scale",),
}
"""What says whether a layer has parameters that may have none."""
_NAMES: Final = {"out_features": "features", "kernel_shape": "shape"}
"""What linen calls some of the arguments."""
_INITIALIZERS: Final = ("jax._src.nn.initializers.", "jax.nn.initializers.")
_OWN_INITIALIZERS: Final = ("flax.nnx.nn.initializers.zeros_init", "flax.nnx.nn.initializers.ones_init")


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of a class of layers, or None."""
    if fullname == _SEQUENTIAL:
        return partial(_put_together, sessions)
    return partial(_make, fullname, sessions) if fullname in _KINDS else None


def method_hook(fullname: str, sessions: Sessions) -> Callable[[MethodContext], Type] | None:
    """The hook of a call of a layer, or None."""
    layer, _, method = fullname.rpartition(".")
    if layer == _SEQUENTIAL and method == "__call__":
        return partial(_call_all, sessions)
    is_known = layer in _KINDS and (method == "__call__" or (method == "attend" and layer == _EMBED))
    return partial(_call, layer, method, sessions) if is_known else None


def _make(layer: str, sessions: Sessions, ctx: FunctionContext) -> Type:
    """A layer that is made in a function that is followed, known by its fields."""
    session = sessions.of(ctx.api)
    p = get_proper_type(ctx.default_return_type)
    if not session.is_active or not session.is_following or not isinstance(ctx.context, CallExpr):
        return ctx.default_return_type
    fields = _given(layer, ctx.context, session)
    if fields is None or not isinstance(p, Instance):
        return ctx.default_return_type
    text = LiteralType(written_fields(fields), session.api.named_generic_type("builtins.str", []))
    return TupleType([text], p)


def _call(layer: str, method: str, sessions: Sessions, ctx: MethodContext) -> Type:
    session = sessions.of(ctx.api)
    call = ctx.context
    if not session.is_active or not isinstance(call, CallExpr) or not ctx.args or len(ctx.args[0]) != 1:
        return ctx.default_return_type
    kind = "attend" if method == "attend" else _KINDS[layer].linen
    if ctx.arg_kinds[0][0].is_star() or (kind not in _TAKES_MORE and len(call.args) != 1):
        return ctx.default_return_type
    called: Expression = call.callee
    if method == "attend":
        if not isinstance(called, MemberExpr):
            return ctx.default_return_type
        called = called.expr
    fields = _fields(layer, called, session)
    if fields is None and session.is_following:
        fields = kept_fields(type_again(ctx.api, called))
    given = arrays_in(read(ctx.args[0][0], ctx.arg_types[0][0], session))
    if fields is None or not given or not all(_fits(kind, x, fields, call, session) for x in given):
        return ctx.default_return_type
    made = [_result(kind, x, fields, session) for x in given]
    known = [a for a in made if a is not None]
    return array_type(known, session) if len(known) == len(made) else ctx.default_return_type


def _put_together(sessions: Sessions, ctx: FunctionContext) -> Type:
    """`nnx.Sequential` in a function that is followed, known by what it calls."""
    session = sessions.of(ctx.api)
    p = get_proper_type(ctx.default_return_type)
    call = ctx.context
    if not session.is_active or not session.is_following or not isinstance(call, CallExpr):
        return ctx.default_return_type
    types = [t for given in ctx.arg_types for t in given]
    is_plain = _is_unshared(call, session) and all(kind is ArgKind.ARG_POS for kind in call.arg_kinds)
    return TupleType(types, p) if is_plain and types and isinstance(p, Instance) else ctx.default_return_type


def _call_all(sessions: Sessions, ctx: MethodContext) -> Type:
    session = sessions.of(ctx.api)
    call = ctx.context
    given = [t for types in ctx.arg_types for t in types]
    if not session.is_active or not isinstance(call, CallExpr) or call.arg_kinds != [ArgKind.ARG_POS]:
        return ctx.default_return_type
    made = _made(call.callee, session)
    if made is not None and isinstance(made.callee, RefExpr) and made.callee.fullname == _SEQUENTIAL:
        is_plain = _is_unshared(made, session) and all(kind is ArgKind.ARG_POS for kind in made.arg_kinds)
        parts = [_part(e, session) for e in made.args] if is_plain else []
    elif session.is_following:
        p = get_proper_type(type_again(ctx.api, call.callee))
        parts = [_part_of(t) for t in p.items] if isinstance(p, TupleType) else []
    else:
        return ctx.default_return_type
    arrays: list[ShapedArray | None] = [*arrays_in(read(call.args[0], given[0], session))]
    for part in parts:
        arrays = [None if x is None or part is None else _through(part, x, session) for x in arrays]
    known = [x for x in arrays if x is not None]
    return array_type(known, session) if parts and known and len(known) == len(arrays) else ctx.default_return_type


_Part = tuple[str, Fields] | str
"""A layer, as the one of linen that computes the same and its fields, or the name of a function of JAX."""


def _part(e: Expression, session: Session) -> _Part | None:
    """What `nnx.Sequential` calls, as it was given."""
    name = e.callee.fullname if isinstance(e, CallExpr) and isinstance(e.callee, RefExpr) else ""
    if isinstance(e, CallExpr) and name in _KINDS:
        fields = _given(name, e, session)
        return None if fields is None else (_KINDS[name].linen, fields)
    return function_rule(jax_name(e.fullname)) if isinstance(e, RefExpr) else None


def _part_of(t: Type) -> _Part | None:
    """The same of its type."""
    p = get_proper_type(t)
    kind = _KINDS.get(p.partial_fallback.type.fullname) if isinstance(p, TupleType) else None
    if kind is not None:
        fields = kept_fields(t)
        return None if fields is None else (kind.linen, fields)
    definition = p.definition if isinstance(p, CallableType) else None
    return None if definition is None else function_rule(jax_name(definition.fullname))


def _through(part: _Part, x: ShapedArray, session: Session) -> ShapedArray | None:
    if not isinstance(part, str):
        return _result(part[0], x, part[1], session)
    found = answer(part, [x], {}, session)
    value = UNKNOWN if found is None or found.error is not None else found.value
    return value if isinstance(value, ShapedArray) else None


def _made(e: Expression, session: Session) -> CallExpr | None:
    """The call that has made a layer, where it is seen."""
    if isinstance(e, NameExpr) and isinstance(e.node, Var):
        e = session.bindings.only_value(e.node) or e
    return e if isinstance(e, CallExpr) else None


def _is_unshared(made: CallExpr, session: Session) -> bool:
    """Whether nothing holds what a call has made but what calls it."""
    original = session.following.original_call(made) if session.has_followed else made
    return original in session.unshared_calls


def _fields(layer: str, called: Expression, session: Session) -> Fields | None:
    """The fields of the layer that is called, where it is seen how it was made."""
    made = _made(called, session)
    if made is None or not isinstance(made.callee, RefExpr) or made.callee.fullname != layer:
        return None
    return _given(layer, made, session)


def _given(layer: str, made: CallExpr, session: Session) -> Fields | None:
    """The fields that a layer is made with that nothing else holds; None if it is not understood."""
    if not _is_unshared(made, session):
        return None
    kind, found = _KINDS[layer], Fields()
    for i, (e, how, name) in enumerate(zip(made.args, made.arg_kinds, made.arg_names)):
        if how is ArgKind.ARG_POS and i < len(kind.positional):
            name = kind.positional[i]
        if how.is_star() or name not in (*kind.positional, *kind.named):
            return None
        if name.endswith("_init") and not _is_plain_initializer(e):
            return None
        if name.endswith("_init") or name == "rngs":
            continue
        is_same = kind.linen == "MultiHeadAttention"  # which has both names in linen
        found[name if is_same else _NAMES.get(name, name)] = read(e, None, session)
    return found


def _is_plain_initializer(e: Expression) -> bool:
    """Whether it draws arrays of the shape and the dtype that it is asked for."""
    made = e.callee if isinstance(e, CallExpr) else e
    name = made.fullname if isinstance(made, RefExpr) else ""
    return name.startswith(_INITIALIZERS) or name in _OWN_INITIALIZERS


def _fits(kind: str, x: ShapedArray, fields: Fields, call: CallExpr, session: Session) -> bool:
    """Whether a linear layer takes an array; it is told where it does not."""
    size = fields.get("in_features")
    if kind != "Dense" or x.shape is None or type(size) is not int:
        return True
    features = fields.get("features")
    kernel = ShapedArray((size, features if type(features) is int else None), "float32", False)
    dimensions = (((len(x.shape) - 1,), (0,)), ((), ()))
    found = answer("lax.dot_general", [ShapedArray(x.shape, "float32", False), kernel, dimensions], {}, session)
    if found is None or found.error is None:
        return True
    report(found, call, session)
    return False


def _result(kind: str, x: ShapedArray, fields: Fields, session: Session) -> ShapedArray | None:
    made = result_of(kind, x, fields, session)
    if made is None or kind == "Dropout":
        return made
    dtype = _dtype(kind, x, fields, session)
    return replace(made, dtype=dtype, weak_type=None if dtype is None else False)


def _dtype(kind: str, x: ShapedArray, fields: Fields, session: Session) -> str | None:
    """The dtype of what a layer gives: the one that it names, or that of the argument and the parameters together."""
    if fields.get("dtype") is not None:
        return dtype_of(kind, fields, session)[0]
    given = fields.get("param_dtype", "float32")
    of_parameters = dtype_of("Dense", {"dtype": given}, session)[0]
    if kind in _OF_UNKNOWN_DTYPE or of_parameters is None:
        return None
    if kind in ("Embed", "attend"):  # the dtype of the parameters is that of the layer
        return of_parameters
    uses = [fields.get(name, True) for name in _SCALING.get(kind, ())]
    if uses and not any(use is True for use in uses):
        return x.dtype if uses == [False] * len(uses) and x.dtype in FLOATS else None
    if x.dtype is None:
        return None
    operands = [ShapedArray((), x.dtype, x.weak_type), ShapedArray((), of_parameters, False)]
    found = answer("Array.__mul__", operands, {}, session)
    value = UNKNOWN if found is None or found.error is not None else found.value
    return value.dtype if isinstance(value, ShapedArray) and value.dtype in FLOATS else None
