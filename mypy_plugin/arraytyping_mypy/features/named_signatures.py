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
from typing import TYPE_CHECKING, Final, TypeGuard

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
    NoneType,
    Overloaded,
    TupleType,
    Type,
    TypeOfAny,
    TypeType,
    UnionType,
    get_proper_type,
)

from arraytyping.semantics.avals import Dim, Shape, SymbolicDim
from arraytyping.semantics.sizes.dims import as_dim, known_dim
from arraytyping.semantics.sizes.polynomials import Size
from arraytyping_mypy.arguments import read
from arraytyping_mypy.convert import value_of
from arraytyping_mypy.features.transformations import bound_function
from arraytyping_mypy.named_sizes import literal, text_of_any, token_of
from arraytyping_mypy.names import ARRAY, LIBRARIES, OWN_ARRAY
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions
from arraytyping_mypy.statics import shape_in
from arraytyping_mypy.wrappers import wrapped, wrapper_of

if TYPE_CHECKING:
    from arraytyping.checker.flow.contracts.bindings import Bindings
    from arraytyping.checker.flow.contracts.grammar import DimSpec

__all__ = ["apply", "call_jitted", "dims_of", "hook", "is_plain_tuple", "named_arrays"]

_ARRAYS: Final = frozenset({ARRAY, OWN_ARRAY})
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
    named = [i for i, t in enumerate(signature.arg_types) if any(True for _ in named_arrays(t))]
    if not named:
        return ctx.default_return_type
    bindings = _bound(signature, named, session, ctx)
    return _result(ctx.default_return_type, signature.ret_type, bindings, session)


def _result(made: Type, declared: Type, bindings: Bindings | None, session: Session) -> Type:
    """The type of a result with sizes in the place of the names that stand in its annotation."""
    p, d = get_proper_type(made), get_proper_type(declared)
    if isinstance(p, Instance) and isinstance(d, Instance) and p.type is d.type and len(p.args) == len(d.args):
        if p.type.fullname in _ARRAYS:
            return _resolved(p, d, bindings, session)
        if p.args:
            return p.copy_modified(args=[_result(a, b, bindings, session) for a, b in zip(p.args, d.args)])
    elif isinstance(p, TupleType) and is_plain_tuple(d) and len(p.items) == len(d.items):
        return p.copy_modified(items=[_result(a, b, bindings, session) for a, b in zip(p.items, d.items)])
    elif isinstance(p, UnionType) and isinstance(d, UnionType) and len(p.items) == len(d.items):
        return UnionType.make_union([_result(a, b, bindings, session) for a, b in zip(p.items, d.items)])
    return made


def named_arrays(t: Type) -> Iterator[Instance]:
    """The arrays with named sizes of which a value of this type certainly consists, in the order of its parts."""
    p = get_proper_type(t)
    if isinstance(p, Instance) and p.type.fullname in _ARRAYS:
        if len(p.args) == 2 and _tokens(p.args[1]) is not None:
            yield p
    elif isinstance(p, UnionType) or is_plain_tuple(p):
        for item in p.items:
            yield from named_arrays(item)


def is_plain_tuple(t: Type) -> TypeGuard[TupleType]:
    """Whether it is a tuple, and no named one, whose names are those of its class."""
    return isinstance(t, TupleType) and t.partial_fallback.type.fullname == "builtins.tuple"


def _tokens(shape: Type) -> str | None:
    """The dimension string of an annotation with names; what mypy compares by itself stands for anything in it."""
    text = text_of_any(shape)
    if text is not None:
        return text
    p = get_proper_type(shape)
    if not isinstance(p, TupleType):
        return None
    tokens = [token_of(i) for i in p.items]
    return None if all(t is None for t in tokens) else " ".join(t or "_" for t in tokens)


def _bound(
    signature: CallableType, named: list[int], session: Session, ctx: FunctionContext | MethodContext
) -> Bindings | None:
    """The sizes that the arguments give to the names; None where they contradict each other, which is told."""
    from arraytyping.checker.flow.contracts.bindings import Bindings  # not needed in most programs

    bindings = Bindings()
    call = ctx.context
    name = _name(call)
    for i in named:
        kind = signature.arg_kinds[i]
        where = f"argument {signature.arg_names[i] or i + 1}"
        for expression, t, given in zip(ctx.args[i], ctx.arg_types[i], ctx.arg_kinds[i]):
            if given.is_star() or kind is ArgKind.ARG_STAR2:
                _blur(signature.arg_types[i], bindings)
                continue
            value = read(expression, t, session)
            why = _match(signature.arg_types[i], value, t, bindings, where, session)
            if why is not None:
                session.fail(f"{name}: {why}", expression, "array-annotation", TypeError)
                return None
    return bindings


def _name(call: object) -> str:
    callee = call.callee if isinstance(call, CallExpr) else None
    return getattr(callee, "name", "") or "the call"


def _match(expected: Type, value: object, t: Type, bindings: Bindings, where: str, session: Session) -> str | None:
    """Hold an argument against its annotation, and bind names; why it cannot be, or None."""
    p = get_proper_type(expected)
    given = get_proper_type(t)
    if is_plain_tuple(p) and isinstance(given, TupleType) and len(p.items) == len(given.items):
        for number, (item, one) in enumerate(zip(p.items, given.items)):
            part = value[number] if isinstance(value, tuple) and len(value) == len(p.items) else value_of(one, session)
            why = _match(item, part, one, bindings, f"{where}[{number}]", session)
            if why is not None:
                return why
        return None
    arrays = list(named_arrays(p))
    if not arrays:
        return None
    shape = shape_in(value)
    is_one = isinstance(p, Instance) or (isinstance(p, UnionType) and sum(map(_is_arrayish, p.items)) == 1)
    if shape is None or len(arrays) != 1 or not is_one:
        if not isinstance(given, NoneType):
            _blur(expected, bindings)
        return None
    return _held(arrays[0], shape, bindings, where)


def _is_arrayish(t: Type) -> bool:
    """Whether an array may be meant by a member of a union."""
    p = get_proper_type(t)
    return not isinstance(p, NoneType) and not (
        isinstance(p, Instance)
        and p.type.fullname in ("builtins.int", "builtins.float", "builtins.str", "builtins.bool")
    )


def _held(array: Instance, shape: Shape, bindings: Bindings, where: str) -> str | None:
    from arraytyping.checker.flow.contracts.dimensions import FITS, Mismatch, Place, check_shape

    dims = dims_of(array)
    if all(not d.variadic for d in dims) and len(dims) != len(shape):
        _blur(array, bindings)  # mypy itself compares the number of dimensions
        return None
    before = bindings.copy()
    verdict = check_shape(dims, shape, bindings, Place(where, f"by {where}"))
    if isinstance(verdict, Mismatch):
        bindings.take(before)
        text = f"{where} is {_sizes_text(shape)}: " if not verdict.reason.startswith("'") else ""
        return f"{text}{verdict.reason}" + (f"; {verdict.advice}" if verdict.advice else "")
    if verdict is not FITS:
        _blur(array, bindings)
    return None


def _sizes_text(shape: Shape) -> str:
    return f"[{', '.join('?' if d is None else str(d) for d in shape)}]"


def dims_of(array: Instance) -> tuple[DimSpec, ...]:
    """The dimensions that the annotation of an array names."""
    from arraytyping.checker.flow.contracts.grammar import parse_dims

    return parse_dims(_tokens(array.args[1]) or "...")


def _blur(expected: Type, bindings: Bindings) -> None:
    for array in named_arrays(expected):
        for spec in dims_of(array):
            if spec.kind == "named" and not spec.by_leaf:
                bindings.blur(spec.text, spec.variadic)


def _resolved(array: Instance, declared: Instance, bindings: Bindings | None, session: Session) -> Type:
    if len(declared.args) != 2 or _tokens(declared.args[1]) is None:
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
