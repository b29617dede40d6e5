"""Calls of what is declared with named sizes: one name, one size, across the arguments and the result.

The names of a call get their sizes as jaxtyping binds them, by the code that flow has for it; what a name got from one
argument is held against the others, and put into the result.  Where a size or the annotation is not understood, the
result has an unknown one.

Source: https://docs.kidger.site/jaxtyping/api/array/#shape.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from mypy.nodes import (
    ArgKind,
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    MemberExpr,
    OverloadedFuncDef,
    RefExpr,
    TypeInfo,
    Var,
)
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    LiteralType,
    Overloaded,
    TupleType,
    Type,
    TypeOfAny,
    TypeType,
    UnionType,
    get_proper_type,
)

from arraytyping.semantics.avals import Dim, SymbolicDim
from arraytyping.semantics.sizes.dims import as_dim, known_dim
from arraytyping.semantics.sizes.polynomials import Size
from arraytyping_mypy.features.named_arguments import Matching
from arraytyping_mypy.features.transformations import bound_function
from arraytyping_mypy.features.type_variables import as_promised
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.named_annotations import (
    blur,
    dims_of,
    has_named_sizes,
    is_checked_here,
    is_plain_tuple,
    tokens_of,
)
from arraytyping_mypy.named_sizes import literal, token_of
from arraytyping_mypy.names import ARRAYS, LIBRARIES
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions
from arraytyping_mypy.wrappers import wrapped, wrapper_of
from arraytyping_mypy.written import Given, items_of

if TYPE_CHECKING:
    from arraytyping.checker.flow.contracts.bindings import Bindings

__all__ = ["apply", "call_jitted", "hook"]

_OTHERS: Final = LIBRARIES | sys.stdlib_module_names | {"attr", "attrs", "mypy_extensions", "typing_extensions"}
"""Where nothing is declared with named sizes; of some mypy itself asks its own hooks, which ours would stand before."""


def hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext | MethodContext], Type] | None:
    """The hook of a function, class or method of a program or of another library; None for those of Python and JAX."""
    return None if fullname.partition(".")[0] in _OTHERS else partial(_call, sessions)


def _call(sessions: Sessions, ctx: FunctionContext | MethodContext) -> Type:
    call = ctx.context
    session = sessions.of(ctx.api)
    if not session.is_active or not isinstance(call, CallExpr):
        return ctx.default_return_type
    declared = _declared(call.callee, session)
    return as_promised(_named(declared, session, ctx), declared)


def _named(declared: Type | None, session: Session, ctx: FunctionContext | MethodContext) -> Type:
    """The result with the sizes of the names in a declaration."""
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    is_variable = callee is not None and _is_declared_callable(callee, session)
    if isinstance(declared, CallableType) and is_variable and _has_names(declared):
        return _result(ctx.default_return_type, declared.ret_type, None, session)
    items = [declared] if isinstance(declared, CallableType) else []
    if isinstance(declared, Overloaded):
        items = [i for i in declared.items if list(i.arg_names)[-len(ctx.callee_arg_names) :] == ctx.callee_arg_names]
    return apply(items[0], session, ctx) if len(items) == 1 else ctx.default_return_type


def call_jitted(sessions: Sessions, ctx: MethodContext) -> Type:
    """A call of a jitted function, by the signature of the function."""
    session = sessions.of(ctx.api)
    wrapper = wrapper_of(ctx.type)
    function = None if wrapper is None else get_proper_type(wrapped(wrapper))
    if not session.is_active or not isinstance(function, CallableType) or function.variables:
        return ctx.default_return_type
    return apply(bound_function(function, ctx), session, ctx)


def _has_names(signature: CallableType) -> bool:
    return has_named_sizes(signature.ret_type) or any(map(is_checked_here, signature.arg_types))


def _is_declared_callable(callee: Expression, session: Session) -> bool:
    """Whether a variable is called that is declared a `Callable`: of what it holds nobody looks at the sizes."""
    node: object = callee.node if isinstance(callee, RefExpr) else None
    if node is None and isinstance(callee, MemberExpr):
        owner = _instance(session.stored(callee.expr))
        symbol = None if owner is None else owner.type.get(callee.name)
        node = None if symbol is None else symbol.node
    return isinstance(node, Var) and not node.is_inferred and isinstance(get_proper_type(node.type), CallableType)


def _declared(callee: Expression, session: Session) -> Type | None:
    """The type of a callable as it is declared: mypy's own has what it found for type variables, with other names."""
    node: object = callee.node if isinstance(callee, RefExpr) else None
    if node is None and isinstance(callee, MemberExpr):
        owner = _instance(session.stored(callee.expr))
        symbol = None if owner is None else owner.type.get(callee.name)
        node = None if symbol is None else symbol.node
    if isinstance(node, TypeInfo):
        found = session.stored(callee)
        return None if node.defn.type_vars or found is None else get_proper_type(found)
    if isinstance(node, Decorator):
        # What a decorator gives that keeps the signature has lost the names of the result on the way.
        node = node.func if str(node.var.type) == str(node.func.type) else node.var
    if isinstance(node, FuncDef | OverloadedFuncDef | Var) and node.type is not None:
        p = get_proper_type(node.type)
        if isinstance(p, FunctionLike):
            return p
        owner = _instance(p)
        method = None if owner is None else owner.type.get_method("__call__")
    else:
        found = session.stored(callee)  # of an instance that is called, mypy has put the method's type there
        bound = None if found is None else get_proper_type(found)
        definition = bound.definition if isinstance(bound, CallableType) else None
        method = definition if isinstance(definition, FuncDef) else None
    return None if method is None or method.type is None else get_proper_type(method.type)


def _instance(t: Type | None) -> Instance | None:
    p = None if t is None else get_proper_type(t)
    if isinstance(p, TypeType):
        p = p.item
    if isinstance(p, FunctionLike) and p.is_type_obj():  # a class, of which a method is called
        p = get_proper_type(p.items[0].ret_type)
    if isinstance(p, TupleType):
        p = p.partial_fallback
    return p if isinstance(p, Instance) else None


def apply(signature: CallableType, session: Session, ctx: FunctionContext | MethodContext) -> Type:
    """The result of a call with the sizes that its arguments give to the names; tells of sizes that differ."""
    if len(signature.arg_types) == len(ctx.arg_types) + 1:  # a method
        signature = signature.copy_modified(
            arg_types=signature.arg_types[1:], arg_kinds=signature.arg_kinds[1:], arg_names=signature.arg_names[1:]
        )
    if len(signature.arg_types) != len(ctx.arg_types):
        return ctx.default_return_type
    named = [i for i, t in enumerate(signature.arg_types) if is_checked_here(t)]
    if not named:
        return ctx.default_return_type
    bindings = _bound(signature, named, session, ctx)
    return _result(ctx.default_return_type, signature.ret_type, bindings, session)


def _result(made: Type, declared: Type, bindings: Bindings | None, session: Session) -> Type:
    """The type of a result with sizes in the place of the names that stand in its annotation."""
    p, d = get_finite_type(made), get_finite_type(declared)
    if isinstance(p, Instance) and isinstance(d, Instance) and p.type is d.type and len(p.args) == len(d.args):
        if p.type.fullname in ARRAYS:
            return _resolved(p, d, bindings, session)
        if p.args:
            return p.copy_modified(args=[_result(a, b, bindings, session) for a, b in zip(p.args, d.args)])
    elif isinstance(p, TupleType) and is_plain_tuple(d) and len(p.items) == len(d.items):
        return p.copy_modified(items=[_result(a, b, bindings, session) for a, b in zip(p.items, d.items)])
    elif isinstance(p, UnionType) and isinstance(d, UnionType) and len(p.items) == len(d.items):
        return UnionType.make_union([_result(a, b, bindings, session) for a, b in zip(p.items, d.items)])
    return made


def _bound(
    signature: CallableType, named: list[int], session: Session, ctx: FunctionContext | MethodContext
) -> Bindings | None:
    """The sizes that the arguments give to the names; None where they contradict each other, which is told."""
    matching = Matching(session)
    for i in named:
        for where, expression, given in _given(signature, i, session, ctx):
            if given is None:
                blur(signature.arg_types[i], matching.bindings)
                continue
            why = matching.match(signature.arg_types[i], given, where)
            if why is not None:
                session.fail(f"{_name(ctx.context)}: {why}", expression, "array-annotation", TypeError)
                return None
    return matching.bindings


def _given(
    signature: CallableType, i: int, session: Session, ctx: FunctionContext | MethodContext
) -> Iterator[tuple[str, Expression, Given | None]]:
    """What is given for a parameter, and what messages call it; None for what is unpacked and not known."""
    kind, name = signature.arg_kinds[i], signature.arg_names[i]
    what = "field" if _is_field(ctx.context, name) else "argument"
    number = 0
    for expression, t, given, keyword in zip(ctx.args[i], ctx.arg_types[i], ctx.arg_kinds[i], ctx.arg_names[i]):
        where = f"{what} {name or i + 1}"
        if kind is ArgKind.ARG_STAR2 and not given.is_star():
            yield f"{what} {keyword}", expression, Given(expression, t)
        elif kind is ArgKind.ARG_STAR and not given.is_star():
            yield f"{where}[{number}]", expression, Given(expression, t)
        elif kind is ArgKind.ARG_STAR and given is ArgKind.ARG_STAR and _alone(expression, ctx):
            items = items_of(Given(expression, t), session)
            parts = [] if items is None or items.empty else items.items
            yield from ((f"{where}[{number + n}]", expression, one) for n, (_, one) in enumerate(parts))
            if items is None or items.empty or not items.whole:
                yield where, expression, None
            number += len(parts)
        else:
            yield where, expression, None if given.is_star() else Given(expression, t)
        number += not given.is_star()


def _alone(expression: Expression, ctx: FunctionContext | MethodContext) -> bool:
    """Whether what is unpacked goes into one parameter only."""
    return sum(e is expression for es in ctx.args for e in es) == 1


def _is_field(call: object, name: str | None) -> bool:
    """Whether an argument is kept as a field of the instance that is made."""
    callee = call.callee if isinstance(call, CallExpr) else None
    info = callee.node if isinstance(callee, RefExpr) else None
    symbol = info.get(name) if isinstance(info, TypeInfo) and name is not None else None
    if not isinstance(info, TypeInfo) or symbol is None or not isinstance(symbol.node, Var):
        return False
    init = info.names.get("__init__")
    return info.is_named_tuple or (init is not None and init.plugin_generated)


def _name(call: object) -> str:
    callee = call.callee if isinstance(call, CallExpr) else None
    return getattr(callee, "name", "") or "the call"


def _resolved(array: Instance, declared: Instance, bindings: Bindings | None, session: Session) -> Type:
    if len(declared.args) != 2 or tokens_of(declared.args[1]) is None:
        return array
    dims = None if bindings is None else _sizes(declared, bindings)
    integer = session.api.named_generic_type("builtins.int", [])
    shape, named = get_proper_type(array.args[1]), get_proper_type(declared.args[1])
    if not isinstance(named, TupleType):
        made = AnyType(TypeOfAny.special_form) if dims is None else _tuple(dims, integer, session)
        return array.copy_modified(args=[array.args[0], made])
    if not isinstance(shape, TupleType) or len(shape.items) != len(named.items):
        return array
    known = [None] * len(shape.items) if dims is None else dims
    items = [i if token_of(n) is None else _type(d, integer) for i, n, d in zip(shape.items, named.items, known)]
    return array.copy_modified(args=[array.args[0], shape.copy_modified(items=items)])


def _tuple(dims: list[Dim], integer: Instance, session: Session) -> Type:
    return TupleType([_type(d, integer) for d in dims], session.api.named_generic_type("builtins.tuple", [integer]))


def _type(dim: Dim, integer: Instance) -> Type:
    if isinstance(dim, SymbolicDim):
        return literal(dim, integer)
    return integer if dim is None else LiteralType(dim, integer)


def _sizes(array: Instance, bindings: Bindings) -> list[Dim] | None:
    """The sizes of a result; None if not even their number is known."""
    from arraytyping.checker.flow.contracts.symbolic import evaluate

    dims: list[Dim] = []
    for spec in dims_of(array):
        if spec.variadic:
            bound = bindings.variadic.get(spec.text) if spec.kind == "named" else None
            if bound is None or bound[0] or spec.broadcastable or spec.by_leaf:
                return None
            dims += bound[1]
        elif spec.broadcastable or spec.by_leaf or spec.kind == "any":
            dims.append(None)
        elif spec.kind == "fixed":
            dims.append(spec.size)
        elif spec.kind == "named":
            dims.append(known_dim(d for d, _ in bindings.single.get(spec.text, ())))
        else:
            number = evaluate(spec.text, bindings, None)
            dims.append(as_dim(number) if isinstance(number, Size) else number if type(number) is int else None)
    return dims
