"""Instances of the program's classes: an instance has the fields that it was made with.

To mypy a field is what its class declares, or what `__init__` assigns for anybody's arguments.  Here an instance is
known by a tuple of its fields' types behind which the class stands, as mypy has a named tuple: two instances with
different fields are two types.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy.nodes import (
    ArgKind,
    AssignmentStmt,
    CallExpr,
    Context,
    Decorator,
    Expression,
    FloatExpr,
    FuncDef,
    IntExpr,
    MemberExpr,
    NameExpr,
    RefExpr,
    StrExpr,
    TupleExpr,
    TypeInfo,
    Var,
)
from mypy.plugin import FunctionContext, MethodContext
from mypy.typeops import function_type
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    LiteralType,
    TupleType,
    Type,
    TypeOfAny,
    get_proper_type,
)

from arraytyping_mypy.checker import type_again
from arraytyping_mypy.features.initializing import own_init
from arraytyping_mypy.features.instance_classes import assigned_in_setup, declared_node, is_linen
from arraytyping_mypy.features.instance_types import (
    fields,
    held,
    instance_info,
    is_text,
    mark_of,
    released,
    taken,
)

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["attribute", "default_of", "exact_class", "is_made_of", "is_same_class", "made", "method", "replaced"]

_NODE_METHOD: Final = "flax.struct.PyTreeNode.replace"
_COMPACT: Final = ("flax.linen.module.compact", "flax.linen.compact")


def _any() -> AnyType:
    return AnyType(TypeOfAny.special_form)


def is_made_of(info: TypeInfo, call: Context, session: Session) -> bool:
    """Whether a call makes an instance of this very class: by its name, or by that which a method of it was given."""
    callee = call.callee if isinstance(call, CallExpr) else None
    if not isinstance(callee, RefExpr):
        return False
    is_given = isinstance(callee.node, Var) and callee.node.is_cls and session.has_followed
    return callee.node is info or (is_given and session.following.is_active)


def made(ctx: FunctionContext, session: Session) -> Type | None:
    """The type of an instance that is made; None if nothing more is known of it than its class."""
    p = get_proper_type(ctx.default_return_type)
    call = ctx.context
    if not isinstance(p, Instance) or not isinstance(call, CallExpr) or not isinstance(call.callee, RefExpr):
        return None
    names = session.classes.fields_of(p.type) if is_made_of(p.type, call, session) else None
    if names is None:
        return None
    init = own_init(p.type)
    if init is not None:
        found = session.following.making.by_init(init, p, ctx)
        if found is None:
            return None
        items = [found.get(name, _any()) for name in names]
    else:
        if any(k.is_star() for ks in ctx.arg_kinds for k in ks):
            return None
        given = {
            name: session.following.function(es[0], types[0])
            for name, es, types in zip(ctx.callee_arg_names, ctx.args, ctx.arg_types)
            if name is not None and len(types) == 1
        }
        fields = [(name, given.get(name) or default_of(p.type, name, session)) for name in names]
        of_linen = is_linen(p.type)
        items = [_linen_field(p.type, n, t) if of_linen else _field(p.type, n, t) for n, t in fields]
    items = [held(p.type, name, t, session) for name, t in zip(names, items)]
    return TupleType([*items, *mark_of(p.type, session)] or [_any()], p)


def _linen_field(info: TypeInfo, name: str, given: Type | None) -> Type:
    """The type of a field of a module of linen, which makes tuples of lists, frozen dicts of dicts, and no leaves."""
    p = None if given is None else get_proper_type(given)
    if isinstance(p, TupleType) and p.partial_fallback.type.fullname == "builtins.tuple":
        return p if all(isinstance(get_proper_type(i), Instance | LiteralType) for i in p.items) else _any()
    found = get_proper_type(_field(info, name, given))
    is_plain = isinstance(found, Instance) and found.type.fullname not in ("builtins.list", "builtins.dict")
    return found if is_plain or isinstance(found, LiteralType) else _any()


def default_of(info: TypeInfo, name: str, session: Session) -> Type | None:
    """The type of a field's default as it is written; None if it has none, or a factory for it."""
    for base in info.mro:
        for statement in base.defn.defs.body if base.module_name == info.module_name else ():
            target = statement.lvalues[-1] if isinstance(statement, AssignmentStmt) else None
            if not isinstance(target, NameExpr) or target.name != name or not isinstance(statement, AssignmentStmt):
                continue
            value = statement.rvalue
            if isinstance(value, CallExpr) and "default" in value.arg_names:  # `field(default=3)`
                value = value.args[value.arg_names.index("default")]
            is_written = isinstance(value, IntExpr | FloatExpr | StrExpr | TupleExpr | NameExpr | MemberExpr)
            return session.following.function(value, type_again(session.api, value)) if is_written else None
    return None


def _field(info: TypeInfo, name: str, given: Type | None) -> Type:
    from arraytyping_mypy.followable import admits

    node = declared_node(info, name)
    declared = node.type if isinstance(node, Var) else None
    if given is None:
        return _any() if declared is None or admits(declared) else declared
    if declared is None or admits(declared) or is_same_class(declared, given) or _is_finer(declared, given):
        return given
    return declared


def _is_finer(declared: Type, given: Type) -> bool:
    """Whether a function is given where one is declared, of which less is said, or a tuple of numbers for any tuple."""
    d, g = get_proper_type(declared), get_proper_type(given)
    if isinstance(d, CallableType) and isinstance(g, CallableType):
        return not d.is_type_obj() and not g.is_type_obj()
    if not isinstance(d, Instance) or d.type.fullname != "builtins.tuple" or not isinstance(g, TupleType):
        return False
    item = get_proper_type(d.args[0]) if d.args else None
    items = list(map(get_proper_type, g.items))
    return isinstance(item, Instance) and all(isinstance(i, Instance) and i.type is item.type for i in items)


def is_same_class(declared: Type, given: Type) -> bool:
    """Whether an instance with known fields, or a number whose value is known, is what is declared."""
    d, g = get_proper_type(declared), get_proper_type(given)
    if not isinstance(d, Instance):
        return False
    info = instance_info(g)
    if info is not None:
        return info.has_base(d.type.fullname)
    if d.type.fullname in ("builtins.type", "builtins.object") and isinstance(g, Instance) and g.last_known_value:
        return True  # a dtype
    return isinstance(g, Instance) and g.type is d.type and not g.args


def replaced(ctx: FunctionContext | MethodContext, session: Session) -> Type | None:
    """What `dataclasses.replace(x, ...)` or `x.replace(...)` gives: the instance with some fields exchanged."""
    is_method = isinstance(ctx, MethodContext)
    given = ctx.type if isinstance(ctx, MethodContext) else ctx.arg_types[0][0] if any(ctx.arg_types[:1]) else None
    info = instance_info(given)
    p = None if given is None else get_proper_type(given)
    names = None if info is None else session.classes.fields_of(info)
    call = ctx.context
    if names is None or info is None or not isinstance(p, TupleType) or not isinstance(call, CallExpr):
        return None
    if is_method and not _is_added(info, call):
        return None
    if own_init(info) is not None or len(names) != len(fields(p)):
        return None
    known = {id(e): t for es, types in zip(ctx.args, ctx.arg_types) for e, t in zip(es, types)}
    items = list(p.items)
    rest = 0 if is_method else 1
    for e, kind, name in zip(call.args[rest:], call.arg_kinds[rest:], call.arg_names[rest:]):
        t = known.get(id(e))
        if kind is not ArgKind.ARG_NAMED or t is None:
            return None
        if name in names:
            found = _field(info, name, session.following.function(e, t))
            items[names.index(name)] = held(info, name, found, session)
    return p.copy_modified(items=items)


def _is_added(info: TypeInfo, call: CallExpr) -> bool:
    """Whether the method `replace` is called that a decorator has added."""
    symbol = info.get("replace")
    is_named = isinstance(call.callee, MemberExpr) and call.callee.name == "replace"
    is_added = symbol is not None and (symbol.plugin_generated or getattr(symbol.node, "fullname", "") == _NODE_METHOD)
    return is_named and is_added


def attribute(name: str, t: Type, session: Session) -> Type | None:
    """The type of a field of an instance; None if it is not known."""
    info = instance_info(t)
    p = get_proper_type(t)
    names = None if info is None else session.classes.fields_of(info)
    if info is not None and names is not None and name not in names and is_linen(info):
        return _set_up(name, p, info, session)
    if (
        info is None
        or names is None
        or name not in names
        or not isinstance(p, TupleType)
        or len(names) != len(fields(p))
    ):
        return None
    found = p.items[names.index(name)]
    if name in (session.classes.static_fields(info) or ()) and is_text(found):
        return released(found, session)
    return None if isinstance(get_proper_type(found), AnyType) else taken(found)


def _set_up(name: str, instance: Type, info: TypeInfo, session: Session) -> Type | None:
    """The type of an attribute that a module of linen assigns in `setup`, once; None if it is not known."""
    setup = declared_node(info, "setup")
    if not isinstance(setup, FuncDef) or setup.info.module_name != info.module_name:
        return None
    if session.classes.binds(name) or assigned_in_setup(info).count(name) != 1:
        return None
    made = session.following.making.by_setup(setup, instance)
    found = None if made is None else made.get(name)
    return None if found is None or isinstance(get_proper_type(found), AnyType) else found


def exact_class(owner: Expression, t: Type | None, session: Session) -> TypeInfo | None:
    """The very class of an instance, which nothing overrides; None if that is not known."""
    info = instance_info(t)
    p = None if t is None else get_proper_type(t)
    if info is not None or not isinstance(p, Instance):
        return info
    if isinstance(owner, NameExpr) and isinstance(owner.node, Var):
        if owner.node.is_self:
            return p.type if session.following.is_active else None  # the instance was one of its very class then
        value = session.bindings.only_value(owner.node)
        owner = owner if value is None else value
    return p.type if isinstance(owner, CallExpr) and is_made_of(p.type, owner, session) else None


def method(info: TypeInfo, name: str, session: Session) -> CallableType | None:
    """A method as the program has defined it, `self` included."""
    node = declared_node(info, name)
    if isinstance(node, Decorator) and node.func.is_property and len(node.decorators) == 0:
        node = node.func
    elif isinstance(node, Decorator) and all(
        isinstance(d, RefExpr) and d.fullname in _COMPACT for d in node.decorators
    ):
        node = node.func if not node.func.is_class and not node.func.is_static else node
    if not isinstance(node, FuncDef) or node.info.module_name != info.module_name:
        return None
    found = function_type(node, session.api.named_generic_type("builtins.function", []))
    return found if isinstance(found, CallableType) else None
