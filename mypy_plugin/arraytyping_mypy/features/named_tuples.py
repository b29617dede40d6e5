"""Named tuples with fields that are declared to be any arrays, or numbers: an instance has those that it was made with.

mypy has the types of the items in that of the instance, and uses them where it is unpacked; an attribute it reads by
its declaration, and what a variable is bound to has lost the values of numbers (`displays.refined` looks them up).
"""

from __future__ import annotations

from mypy.nodes import ArgKind, CallExpr, MemberExpr
from mypy.plugin import AttributeContext, FunctionContext, MethodContext
from mypy.types import AnyType, Instance, TupleType, Type, TypeOfAny, get_proper_type

from arraytyping_mypy.displays import refined
from arraytyping_mypy.features.instances import default_of, is_made_of
from arraytyping_mypy.followable import admits
from arraytyping_mypy.session import Session

__all__ = ["attribute", "fields_of", "made", "replaced"]


def fields_of(t: Type) -> list[str] | None:
    """The names of the fields of a named tuple; None for any other type."""
    p = get_proper_type(t)
    if not isinstance(p, TupleType) or not p.partial_fallback.type.is_named_tuple:
        return None
    for info in p.partial_fallback.type.mro:
        found = info.metadata.get("namedtuple")
        if found is not None:
            names = list(found["fields"])
            return names if len(names) == len(p.items) else None
    return None


def made(ctx: FunctionContext, session: Session) -> Type | None:
    """The type of an instance that is made; None if it is no named tuple, or nothing more is known."""
    p = get_proper_type(ctx.default_return_type)
    names = fields_of(p)
    if names is None or not isinstance(p, TupleType) or any(k.is_star() for ks in ctx.arg_kinds for k in ks):
        return None
    if not is_made_of(p.partial_fallback.type, ctx.context, session):
        return None  # a function with a parameter of that name
    given = {
        name: session.following.function(es[0], types[0])
        for name, es, types in zip(ctx.callee_arg_names, ctx.args, ctx.arg_types)
        if name is not None and len(types) == 1
    }
    for name in names:
        if name not in given:
            found = default_of(p.partial_fallback.type, name, session)
            given |= {} if found is None else {name: found}
    items = [_kept(t, given.get(name)) for name, t in zip(names, p.items)]
    return p.copy_modified(items=items)


def _kept(declared: Type, given: Type | None) -> Type:
    """The type of a field: what it was given where that is an array, or the number that is declared."""
    if given is None:
        return declared
    d, g = get_proper_type(declared), get_proper_type(given)
    is_number = isinstance(d, Instance) and isinstance(g, Instance) and d.type is g.type and has_value(g)
    return given if admits(declared) or is_number else declared


def has_value(t: Type) -> bool:
    """Whether it is the type of a number or a text of which the value is known."""
    p = get_proper_type(t)
    return isinstance(p, Instance) and p.last_known_value is not None


def replaced(ctx: MethodContext, session: Session) -> Type | None:
    """What `_replace` gives: the instance with some fields exchanged; None if it is no named tuple."""
    p = get_proper_type(ctx.type)
    names = fields_of(p)
    is_replace = isinstance(ctx.context, CallExpr) and getattr(ctx.context.callee, "name", "") == "_replace"
    if names is None or not isinstance(p, TupleType) or not is_replace:
        return None
    items = list(p.items)
    for es, types, kinds, given in zip(ctx.args, ctx.arg_types, ctx.arg_kinds, ctx.arg_names):
        for e, t, kind, name in zip(es, types, kinds, given):
            if kind is not ArgKind.ARG_NAMED or name not in names:
                return None
            items[names.index(name)] = session.following.function(e, t)
    return p.copy_modified(items=items)


def attribute(name: str, ctx: AttributeContext, session: Session) -> Type | None:
    """The type of a field, by the instance; None if it is none."""
    names = fields_of(ctx.type)
    p = get_proper_type(ctx.type)
    if names is None or name not in names or not isinstance(p, TupleType) or not isinstance(ctx.context, MemberExpr):
        return None
    if ctx.is_lvalue or not session.is_active:
        return None
    p = get_proper_type(refined(ctx.context.expr, p, session))
    item = get_proper_type(p.items[names.index(name)]) if isinstance(p, TupleType) else AnyType(TypeOfAny.special_form)
    if has_value(item):
        return item
    declared = get_proper_type(ctx.default_attr_type)
    if isinstance(item, AnyType) or (
        isinstance(declared, Instance)
        and isinstance(item, Instance)
        and not admits(declared)
        and declared.type is item.type
    ):
        return None
    return item
