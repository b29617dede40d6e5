"""Calls of the program's own functions that are not declared to return anything: their bodies are followed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from mypy.nodes import (
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    IndexExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    TypeInfo,
    Var,
)
from mypy.operators import op_methods, reverse_op_methods
from mypy.plugin import FunctionContext, MethodContext
from mypy.typeops import function_type
from mypy.types import AnyType, CallableType, Instance, TupleType, Type, get_proper_type

from arraytyping_mypy.checker import is_checked, type_again
from arraytyping_mypy.features import chosen_functions, instances, named_signatures, named_tuples, ruled
from arraytyping_mypy.features.applied import applied, arrayed, by_rule, jitted, jitted_result
from arraytyping_mypy.features.instance_types import instance_info
from arraytyping_mypy.features.marks import is_mark
from arraytyping_mypy.features.partials import unwrapped
from arraytyping_mypy.features.transformations import bound_function
from arraytyping_mypy.features.type_variables import has_variable_result
from arraytyping_mypy.followable import definition_of
from arraytyping_mypy.frameworks import function_rule
from arraytyping_mypy.given import arguments
from arraytyping_mypy.looked_up import exact_instance, instance_of_method
from arraytyping_mypy.own_names import jax_name
from arraytyping_mypy.provenance import is_traceable
from arraytyping_mypy.refined import annotates_arrays, refined_annotation, without_foreign_names
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions
from arraytyping_mypy.wrappers import wrapped, wrapper_of

__all__ = ["call_jitted", "hook"]

_Context = FunctionContext | MethodContext


def hook(fullname: str, sessions: Sessions) -> Callable[[_Context], Type] | None:
    """The hook of a function or method of a program; None for those of Python and JAX."""
    if fullname == "dataclasses.replace":
        return partial(_replace, sessions)
    named = named_signatures.hook(fullname, sessions)
    return None if named is None else partial(_call, named, sessions)


def _call(named: Callable[[_Context], Type], sessions: Sessions, ctx: _Context) -> Type:
    made = named(ctx)
    session = sessions.of(ctx.api)
    call = ctx.context
    if not session.is_active or not is_checked(ctx.api):
        return made
    if isinstance(call, OpExpr) and isinstance(ctx, MethodContext):
        return _operate(call, ctx, session) or made
    if not isinstance(call, CallExpr):
        return made
    if not session.following.has(call):
        return made
    if isinstance(ctx, FunctionContext):
        instance = named_tuples.made(ctx, session) or instances.made(ctx, session)
    else:
        instance = named_tuples.replaced(ctx, session) or instances.replaced(ctx, session)
    if instance is not None:
        return instance
    function = session.stored(call.callee)
    called = _called_instance(call, ctx, session) if isinstance(ctx, MethodContext) else None
    info = instance_info(called)
    if info is not None and called is not None and isinstance(ctx, MethodContext):
        return _call_instance(called, info, ctx, session) or made
    if function is not None and isinstance(ctx, FunctionContext):
        function = session.following.function(call.callee, function)
    p = None if function is None else get_proper_type(function)
    found = _class_method(call, session)
    if found is not None and made is ctx.default_return_type:
        return _call_class_method(*found, call, ctx, session) or made
    if not isinstance(p, CallableType):
        return made
    if made is ctx.default_return_type and isinstance(ctx, FunctionContext) and isinstance(call.callee, NameExpr):
        session.following.site = call
        given = arguments(ctx, session) if chosen_functions.is_chosen_before(call.callee, session) else None
        if given is not None:
            return chosen_functions.call(call.callee, p, *given, session) or made
    if isinstance(ctx, FunctionContext):
        is_certain = is_traceable(call.callee, session.bindings)
    else:
        is_certain = _is_method(p) or _is_kept(call.callee, ctx.type, session)
    if not is_certain:
        return made
    handed = _of_jax(p)
    if handed is not None:
        return _call_by_rule(handed, ctx, session)
    definition = definition_of(p)
    if definition is None or (made is not ctx.default_return_type and not annotates_arrays(p.ret_type)):
        return made
    if has_variable_result(definition.type):
        return made  # its body knows its arguments as type variables, too
    session.following.site = call
    given = arguments(ctx, session)
    if given is None:
        session.following.cut_at(definition)
        return made
    positional, keywords = given
    if isinstance(ctx, MethodContext) and definition.info:
        if definition.is_static or definition.is_decorated or session.bindings.rebindings(definition):
            return made
        if instance_info(ctx.type) is None and not _is_exact(call, ctx.type, session):
            return made
        positional = [ctx.type, *positional]
    return _refined(made, session.following.result(p, positional, keywords), p, session)


def _is_method(function: CallableType) -> bool:
    """Whether it is a method that a class defines, and not a function that is kept in an attribute."""
    definition = function.definition
    definition = definition.func if isinstance(definition, Decorator) else definition
    return isinstance(definition, FuncDef) and bool(definition.info)


def _is_kept(callee: Expression, owner: Type, session: Session) -> bool:
    """Whether a function is called that an instance is known to have in an attribute.

    mypy goes by the first function that any method assigns to it.
    """
    if not isinstance(callee, MemberExpr):
        return False
    names = named_tuples.fields_of(owner)
    return callee.name in names if names is not None else instances.attribute(callee.name, owner, session) is not None


def _of_jax(function: CallableType) -> FuncDef | None:
    """The function of JAX that has a rule, and that a variable or an attribute holds."""
    definition = function.definition
    definition = definition.func if isinstance(definition, Decorator) else definition
    if not isinstance(definition, FuncDef) or definition.info or function.is_type_obj():
        return None
    return None if function_rule(jax_name(definition.fullname)) is None else definition


def _call_by_rule(definition: FuncDef, ctx: _Context, session: Session) -> Type:
    rule = function_rule(jax_name(definition.fullname))
    assert rule is not None
    if not any(kind.is_star() for kinds in ctx.arg_kinds for kind in kinds):
        return ruled.call(rule, [], session, ctx)
    given = arguments(ctx, session)
    found = None if given is None else by_rule(definition, *given, session)
    return ctx.default_return_type if found is None else found


def _refined(made: Type, found: Type | None, function: CallableType, session: Session) -> Type:
    """What a call gives by its annotation, whose names have sizes, and by what its body comes to."""
    if found is None or not annotates_arrays(function.ret_type):
        return found or made
    return refined_annotation(made, found, session) or without_foreign_names(found, session)


def _operate(operation: OpExpr, ctx: MethodContext, session: Session) -> Type | None:
    """What an operator gives that the program's class defines."""
    given = ctx.args[0][0] if ctx.args and ctx.args[0] else None
    name = op_methods.get(operation.op, "")
    owner = operation.left
    if given is not operation.right:
        owner, name = operation.right, reverse_op_methods.get(name, "")
    info = instances.exact_class(owner, ctx.type, session)
    function = None if info is None else instances.method(info, name, session)
    if function is None or given is None:
        return None
    session.following.site = operation
    return session.following.result(function, [ctx.type, session.following.function(given, ctx.arg_types[0][0])], {})


def _call_class_method(
    function: CallableType, first: list[Type], call: CallExpr, ctx: _Context, session: Session
) -> Type | None:
    definition = definition_of(function)
    session.following.site = call
    given = arguments(ctx, session) if definition is not None else None
    if given is None:
        if definition is not None:
            session.following.cut_at(definition)
        return None
    return session.following.result(function, [*first, *given[0]], given[1])


def _class_method(call: CallExpr, session: Session) -> tuple[CallableType, list[Type]] | None:
    """A class or static method that is called on its class by name, with the class as a class method is given it."""
    callee = call.callee
    info = callee.expr.node if isinstance(callee, MemberExpr) and isinstance(callee.expr, RefExpr) else None
    if not isinstance(callee, MemberExpr) or not isinstance(info, TypeInfo) or info.module_name != session.module:
        return None
    symbol = info.get(callee.name)
    node = None if symbol is None else symbol.node
    if not isinstance(node, Decorator) or node.decorators or not (node.func.is_class or node.func.is_static):
        return None
    function = function_type(node.func, session.api.named_generic_type("builtins.function", []))
    owner = session.stored(callee.expr)
    if not isinstance(function, CallableType) or owner is None:
        return None
    return function, [owner] if node.func.is_class else []


def _replace(sessions: Sessions, ctx: FunctionContext | MethodContext) -> Type:
    session = sessions.of(ctx.api)
    found = instances.replaced(ctx, session) if session.is_active and isinstance(ctx, FunctionContext) else None
    return ctx.default_return_type if found is None else found


def _called_instance(call: CallExpr, ctx: MethodContext, session: Session) -> Type | None:
    """The instance that is called; mypy has exchanged its type for that of `__call__`."""
    p = get_proper_type(ctx.type)
    if not isinstance(p, Instance) or session.classes.fields_of(p.type) is None:
        return None
    if not isinstance(call.callee, NameExpr | MemberExpr | IndexExpr | CallExpr):
        return None
    return type_again(ctx.api, call.callee)


def _call_instance(instance: Type, info: TypeInfo, ctx: MethodContext, session: Session) -> Type | None:
    """What an instance gives that is called."""
    function = instances.method(info, "__call__", session)
    given = arguments(ctx, session)
    if function is None or given is None:
        return None
    session.following.site = ctx.context if isinstance(ctx.context, CallExpr) else None
    return session.following.result(function, [instance, *given[0]], given[1])


def _is_exact(call: CallExpr, of: Type, session: Session) -> bool:
    """Whether a method is called on an instance of the very class that mypy says, not of one that overrides it."""
    p = get_proper_type(of)
    info = p.partial_fallback.type if isinstance(p, TupleType) else None
    if info is not None and info.is_named_tuple and info.module_name == session.module:
        return not session.hierarchy.is_subclassed(info)
    callee = call.callee
    return isinstance(callee, MemberExpr) and instances.exact_class(callee.expr, of, session) is not None


def call_jitted(sessions: Sessions, ctx: MethodContext) -> Type:
    """A call of a jitted function."""
    made = named_signatures.call_jitted(sessions, ctx)
    session = sessions.of(ctx.api)
    wrapper = wrapper_of(ctx.type)
    function = None if wrapper is None else get_proper_type(wrapped(wrapper))
    if session.is_active and function is not None and not isinstance(function, CallableType | AnyType):
        return _call_jitted_other(function, ctx, session) or made
    if not session.is_active or not isinstance(function, CallableType):
        return made
    if made is not ctx.default_return_type and not annotates_arrays(function.ret_type):
        return made
    if not is_checked(ctx.api) or not isinstance(ctx.context, CallExpr):
        return made
    first: list[Type] = []
    if bound_function(function, ctx) is not function:
        instance = exact_instance(ctx.context.callee, session)
        if instance is None:
            return made
        first = [instance]
    elif not is_traceable(ctx.context.callee, session.bindings):
        return made
    session.following.site = ctx.context
    given = arguments(ctx, session)
    if given is None:
        return made
    given = [*first, *given[0]], given[1]
    return _refined(made, jitted(function, *given, session), function, session)


def _call_jitted_other(function: Type, ctx: MethodContext, session: Session) -> Type | None:
    """What a jitted partial or instance gives: what is bound in it is no argument of the jitted function."""
    call = ctx.context
    if not is_checked(ctx.api) or not isinstance(call, CallExpr):
        return None
    if not is_traceable(call.callee, session.bindings) or instance_of_method(ctx) is not None:
        return None
    session.following.site = call
    given = arguments(ctx, session)
    jit = call.callee
    if isinstance(jit, NameExpr) and isinstance(jit.node, Var):
        jit = session.bindings.only_value(jit.node) or jit
    if given is None or not isinstance(jit, CallExpr) or len(jit.args) != 1:
        return None
    positional = [arrayed(t, session) for t in given[0]]
    named = {name: arrayed(t, session) for name, t in given[1].items()}
    inner, positional, named = unwrapped(function, positional, named)
    p = get_proper_type(inner)
    if isinstance(p, CallableType) and is_mark(p):
        return None
    found = applied(inner, positional, named, session)
    return None if found is None else jitted_result(found, session)
