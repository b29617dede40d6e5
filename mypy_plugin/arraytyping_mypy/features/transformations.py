"""Functions that take functions: `jit` keeps a signature; `vmap` and the loops must not keep what they change.

JAX's own annotations say that `vmap(f)` has f's type and that a loop's carry keeps its type: true of a plain
`Array`, but not of what is known of one (a batch dimension, a weak type that becomes strong).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from mypy.nodes import ArgKind, CallExpr, LambdaExpr, MemberExpr
from mypy.plugin import FunctionContext, FunctionSigContext, MethodContext, MethodSigContext
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    Parameters,
    TupleType,
    Type,
    TypeOfAny,
    TypeVarId,
    TypeVarType,
    get_proper_type,
)

from arraytyping_mypy.checker import call_of_partial, is_checked
from arraytyping_mypy.convert import value_of
from arraytyping_mypy.features.applied import by_rule
from arraytyping_mypy.features.carried import carried
from arraytyping_mypy.features.instance_types import instance_info
from arraytyping_mypy.features.marks import is_mark
from arraytyping_mypy.features.partials import is_kept, kept_keywords, unwrapped
from arraytyping_mypy.features.stepping import iterated, repeated, scanned
from arraytyping_mypy.features.transformed import mapped_function, of_partial
from arraytyping_mypy.followable import definition_of
from arraytyping_mypy.generalize import generalize, is_unknown, map_arrays, without_never, without_scalars
from arraytyping_mypy.given import arguments
from arraytyping_mypy.looked_up import instance_of_method, is_field
from arraytyping_mypy.own_names import jax_name
from arraytyping_mypy.provenance import is_traceable
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions
from arraytyping_mypy.wrappers import can_wrap, rewrapped, wrapped, wrapper_of, wrapping

__all__ = [
    "bound_function",
    "mapped",
    "signature_hook",
    "function_hook",
    "method_hook",
    "signature_of_call",
]

_JIT: Final = frozenset({"jax._src.api.jit", "jax.jit"})
_VMAP: Final = frozenset({"jax._src.api.vmap", "jax.vmap"})
_CHANGING: Final = frozenset({
    "jax._src.api.vjp", "jax.vjp", "jax._src.api.named_call",
    "jax._src.lax.control_flow.loops.scan", "jax._src.lax.control_flow.loops.while_loop",
    "jax._src.lax.control_flow.loops.fori_loop", "jax.lax.scan", "jax.lax.while_loop", "jax.lax.fori_loop",
    "functools.reduce", "_functools.reduce",
})  # fmt: skip
"""Functions whose annotated result would carry over more of an array than what they return has."""

_CHECKPOINT: Final = frozenset({
    "jax._src.ad_checkpoint.checkpoint", "jax._src.ad_checkpoint.checkpoint_wrapper", "jax.checkpoint", "jax.remat",
})  # fmt: skip
_CARRIES: Final = ("init", "init_val")

_GUARDS: Final = ("NoDType", "NumPyLike", "UpperBound")
"""What only the first overloads of our stubs name."""

_LOOPS: Final = frozenset(name for name in _CHANGING if name.endswith(("scan", "while_loop", "fori_loop")))


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of a function that takes functions, or None."""
    if fullname in _JIT:
        return partial(_jit, sessions)
    if fullname in _CHECKPOINT:
        return partial(_checkpointed, sessions)
    if fullname in _LOOPS:
        return partial(_loop_result, sessions)
    return _changing if fullname in _CHANGING else None


def _jit(sessions: Sessions, ctx: FunctionContext) -> Type:
    default = get_proper_type(ctx.default_return_type)
    given = wrapper_of(ctx.arg_types[0][0]) if ctx.arg_types and ctx.arg_types[0] else None
    if given is not None:
        return given  # what was transformed or jitted already is called in the same way
    wrapper = wrapper_of(default)
    if wrapper is not None:
        function = get_proper_type(ctx.arg_types[0][0]) if ctx.arg_types and ctx.arg_types[0] else None
        session = sessions.of(ctx.api)
        if (
            isinstance(function, CallableType)
            and isinstance(ctx.args[0][0], LambdaExpr | MemberExpr)
            and session.is_active
        ):
            named = get_proper_type(session.following.function(ctx.args[0][0], function))
            if isinstance(named, CallableType):
                function = named.copy_modified(ret_type=function.ret_type)
        is_known = function is not None and (is_kept(function) or instance_info(function) is not None)
        return (
            rewrapped(wrapper, function) if function and (isinstance(function, CallableType) or is_known) else default
        )
    if isinstance(default, CallableType):  # `jax.jit(static_argnames=...)`, to be called with the function
        result = wrapper_of(default.ret_type)
        if result is not None and len(default.arg_types) == 1:
            own = TypeVarType(
                "F",
                "F",
                id=TypeVarId.new(meta_level=0),
                values=[],
                upper_bound=default.arg_types[0],
                default=AnyType(TypeOfAny.from_omitted_generics),
            )
            return default.copy_modified(
                arg_types=[own],
                ret_type=rewrapped(result, own),
                variables=[own],
                arg_kinds=[ArgKind.ARG_POS],
            )
    return default


def _is_kept(function: Type) -> bool:
    """Whether it is a partial, or an instance that is called, of which more is known than its class."""
    return is_kept(function) or instance_info(function) is not None


def signature_of_call(ctx: MethodSigContext) -> FunctionLike:
    """A jitted function is called as the function itself; it also takes what JAX makes an array of."""
    wrapper = get_proper_type(ctx.type)
    if not isinstance(wrapper, Instance) or wrapper_of(wrapper) is None:
        return ctx.default_signature
    function = get_proper_type(wrapped(wrapper))
    if is_mark(function):
        return _of_mark(function, ctx.default_signature)
    if len(wrapper.args) == 3:  # of stubs: the parameters and the result
        return _of_stubs(wrapper, ctx.default_signature)
    if not isinstance(function, CallableType) or function.variables or function.is_ellipsis_args:
        return ctx.default_signature
    return _relaxed(function if instance_of_method(ctx) is None else _bound(function))


def _of_mark(mark: Type, default: CallableType) -> FunctionLike:
    """The signature of a mapped function is that of the function, of arrays with a dimension more; else it is any."""
    inner = mapped_function(mark)
    return default if inner is None else _relaxed(_batched(inner))  # type: ignore[arg-type]


def bound_function(function: CallableType, ctx: MethodContext) -> CallableType:
    """The signature of a jitted function as it is called here, where it may be a method."""
    return function if instance_of_method(ctx) is None else _bound(function)


def _bound(method: CallableType) -> CallableType:
    if not method.arg_kinds or not method.arg_kinds[0].is_positional():
        return method
    return method.copy_modified(
        arg_types=method.arg_types[1:], arg_kinds=method.arg_kinds[1:], arg_names=method.arg_names[1:]
    )


def _of_stubs(wrapper: Instance, default: CallableType) -> CallableType:
    """The signature of each of the overloads that our stubs have; the last takes anything, which we do not."""
    parameters, result, _ = map(get_proper_type, wrapper.args)
    if not isinstance(parameters, Parameters) or any(name in str(parameters) for name in _GUARDS):
        return default  # nothing is known of it, or it is itself overloaded
    return _relaxed(
        default.copy_modified(
            arg_types=parameters.arg_types,
            arg_kinds=parameters.arg_kinds,
            arg_names=parameters.arg_names,
            ret_type=result,
        )
    )


def _relaxed(function: CallableType) -> CallableType:
    relaxed: list[Type] = [map_arrays(a, _anything_if_unknown) for a in function.arg_types]
    return function.copy_modified(arg_types=relaxed)


def _anything_if_unknown(array: Instance) -> Type:
    return AnyType(TypeOfAny.special_form) if is_unknown(array) else array


def signature_hook(fullname: str) -> Callable[[FunctionSigContext], FunctionLike] | None:
    """The hook of a loop's signature, or None."""
    return _loop if fullname in _LOOPS else None


def _loop(ctx: FunctionSigContext) -> FunctionLike:
    """A loop's function need not return what mypy knows of the first carry: a weak type may become strong."""
    signature = ctx.default_signature
    if not isinstance(signature, CallableType):
        return signature
    any_type = AnyType(TypeOfAny.special_form)
    types: list[Type] = []
    for t in signature.arg_types:
        p = get_proper_type(t)
        if isinstance(p, CallableType):
            types.append(
                p.copy_modified(
                    arg_types=[any_type, any_type],
                    arg_kinds=[ArgKind.ARG_STAR, ArgKind.ARG_STAR2],
                    arg_names=[None, None],
                    ret_type=any_type,
                    is_ellipsis_args=True,
                )
            )
        else:
            types.append(t)
    return signature.copy_modified(arg_types=types)


def _loop_result(sessions: Sessions, ctx: FunctionContext) -> Type:
    """What a loop gives: its carry comes out as it went in, but for weak types."""
    made = without_never(without_scalars(generalize(ctx.default_return_type)))
    session = sessions.of(ctx.api)
    carries = [t for name, types in zip(ctx.callee_arg_names, ctx.arg_types) if name in _CARRIES for t in types]
    if not session.is_active or len(carries) != 1:
        return made
    carry = carried(carries[0], session)
    found = _followed(ctx, session)
    if found is not None:
        return found
    p = get_proper_type(made)
    if "init_val" in ctx.callee_arg_names:
        return carry
    return p.copy_modified(items=[carry, p.items[1]]) if isinstance(p, TupleType) and len(p.items) == 2 else made


def _followed(ctx: FunctionContext, session: Session) -> Type | None:
    """What a loop gives whose function is followed; None if nothing is known of that."""
    if not is_checked(ctx.api) or not isinstance(ctx.context, CallExpr):
        return None
    session.following.site = ctx.context
    given = {
        name: session.following.function(e[0], types[0])
        for name, e, types, kinds in zip(ctx.callee_arg_names, ctx.args, ctx.arg_types, ctx.arg_kinds)
        if len(types) == 1 and not kinds[0].is_star()
    }
    if "f" in given and "init" in given:
        length = value_of(given["length"], session) if "length" in given else None
        known = length if type(length) is int else None
        return scanned(given["f"], given["init"], given.get("xs"), known, ctx.context, session)
    if "body_fun" not in given or "init_val" not in given:
        return None
    if "cond_fun" in given:
        return iterated(given["cond_fun"], given["body_fun"], given["init_val"], ctx.context, session)
    bounds = [given[name] for name in ("lower", "upper") if name in given]
    if len(bounds) != 2:
        return None
    return repeated(given["body_fun"], bounds, given["init_val"], ctx.context, session)


def _checkpointed(sessions: Sessions, ctx: FunctionContext) -> Type:
    """The function, whose arguments are arrays on the inside as those of a jitted one are."""
    given = ctx.arg_types[0][0] if ctx.arg_types and ctx.arg_types[0] else None
    session = sessions.of(ctx.api)
    info = session.jit_wrapped
    if given is None or wrapper_of(given) is not None:
        return given or ctx.default_return_type
    function = get_proper_type(session.following.function(ctx.args[0][0], given)) if session.is_active else given
    if not isinstance(function, CallableType):
        return ctx.default_return_type
    return wrapping(info, function) if info is not None and can_wrap(info) and session.is_active else function


def mapped(ctx: FunctionContext) -> Type:
    """What `vmap` gives: the function's signature, whatever overload of our stubs mypy has chosen, and any arrays."""
    function = get_proper_type(ctx.arg_types[0][0]) if ctx.arg_types and ctx.arg_types[0] else None
    return _batched(function if isinstance(function, CallableType) else ctx.default_return_type)


def _batched(function: Type) -> Type:
    made = generalize(function)
    p = get_proper_type(made)
    if wrapper_of(p) is not None:
        return AnyType(TypeOfAny.special_form)  # it says how one row is mapped
    # What is declared to return a float gives an array of them; the body tells of one row alone.
    return (
        p.copy_modified(ret_type=without_scalars(p.ret_type), definition=None) if isinstance(p, CallableType) else made
    )


def method_hook(fullname: str, sessions: Sessions) -> Callable[[MethodContext], Type] | None:
    """The hook of a call of `functools.partial(jax.vmap, in_axes=...)`, or None."""
    return partial(_called_partial, sessions) if fullname == "functools.partial.__call__" else None


def _called_partial(sessions: Sessions, ctx: MethodContext) -> Type:
    function, result = call_of_partial(ctx)
    found = _of_partial(sessions, ctx)
    if found is not None:
        return found
    definition = None if function is None else function.definition
    name = "" if definition is None else jax_name(definition.fullname)
    transformed = _transformed(name, sessions, ctx)
    if transformed is not None:
        return transformed
    wrapper = get_proper_type(result)
    if name in _VMAP:
        return _batched(result)
    if name in _CHANGING:
        return generalize(result)
    if isinstance(wrapper, Instance) and wrapper_of(wrapper) is not None:
        return _wrapping(ctx, wrapper)  # partial(jax.jit, static_argnames=...)
    return result


def _transformed(name: str, sessions: Sessions, ctx: MethodContext) -> Type | None:
    """What a partial of a transformation makes of a function; None if that is not known."""
    session = sessions.of(ctx.api)
    given = [(e, t) for es, types in zip(ctx.args, ctx.arg_types) for e, t in zip(es, types)]
    keywords = kept_keywords(ctx.type)
    if not session.is_active or len(given) != 1 or keywords is None:
        return None
    return of_partial(name, keywords, session.following.function(*given[0]), session)


def _of_partial(sessions: Sessions, ctx: MethodContext) -> Type | None:
    """What a partial gives of a function that is followed, or of one of JAX that has a rule."""
    session = sessions.of(ctx.api)
    if not session.is_active or not is_checked(ctx.api) or not isinstance(ctx.context, CallExpr):
        return None
    callee = ctx.context.callee
    if not is_traceable(callee, session.bindings) and not is_field(callee, session):
        return None
    given = arguments(ctx, session)
    if given is None:
        return None
    target, positional, keywords = unwrapped(ctx.type, *given)
    p = get_proper_type(target)
    session.following.site = ctx.context
    found = session.following.result(p, positional, keywords) if isinstance(p, CallableType) else None
    definition = definition_of(p) if isinstance(p, CallableType) and found is None else None
    return found if definition is None else by_rule(definition, positional, keywords, session)


def _wrapping(ctx: MethodContext, wrapper: Instance) -> Type:
    """What `partial(jax.jit, ...)` makes of a function, which is called as before."""
    given = [t for types in ctx.arg_types for t in types]
    function = get_proper_type(given[0]) if len(given) == 1 else None
    if function is not None and wrapper_of(function) is not None:
        return function
    return rewrapped(wrapper, function) if isinstance(function, CallableType) else wrapper


def _changing(ctx: FunctionContext) -> Type:
    return generalize(ctx.default_return_type)
