"""`jax.tree.flatten`, `structure` and `unflatten`: a tree taken apart, and one made of other leaves.

Source: `tree_flatten` and `tree_unflatten` in jax/_src/tree_util.py; the order of the leaves is jaxlib's, which sorts
the keys of dicts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from mypy.maptype import map_instance_to_supertype
from mypy.nodes import CallExpr, Context, Expression, MemberExpr, NameExpr, Var
from mypy.plugin import AttributeContext, FunctionContext, MethodContext
from mypy.types import (
    AnyType,
    Instance,
    LiteralType,
    TupleType,
    Type,
    TypeOfAny,
    UnboundType,
    get_proper_type,
)

from arraytyping_mypy.checker import functions_around, is_checked
from arraytyping_mypy.features.iteration import row_of
from arraytyping_mypy.fixed_lists import LONGEST, fixed_list, items_of
from arraytyping_mypy.names import TREE_DEFINITION
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions
from arraytyping_mypy.tree_leaves import leaves_of, with_leaves
from arraytyping_mypy.variants import joined

__all__ = ["attribute_hook", "function_hook", "method_hook"]


def _named(name: str) -> tuple[str, ...]:
    return f"jax._src.tree.{name}", f"jax.tree.{name}", f"jax._src.tree_util.tree_{name}", f"jax.tree_util.tree_{name}"


_FLATTEN: Final = _named("flatten")
_STRUCTURE: Final = _named("structure")
_UNFLATTEN: Final = _named("unflatten")
_LEAVES: Final = _named("leaves")


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of one of these functions, or None."""
    for names, hook in ((_FLATTEN, _flatten), (_STRUCTURE, _structure), (_UNFLATTEN, _unflatten), (_LEAVES, _leaves)):
        if fullname in names:
            return partial(hook, sessions)
    return None


def method_hook(fullname: str, sessions: Sessions) -> Callable[[MethodContext], Type] | None:
    """The hook of `treedef.unflatten`, or None."""
    return partial(_unflatten_method, sessions) if fullname == f"{TREE_DEFINITION}.unflatten" else None


def attribute_hook(fullname: str, sessions: Sessions) -> Callable[[AttributeContext], Type] | None:
    """The hook of `treedef.num_leaves`, or None."""
    return partial(_count, sessions) if fullname == f"{TREE_DEFINITION}.num_leaves" else None


def _tree(ctx: FunctionContext, session: Session) -> Type | None:
    """The tree that is given, and nothing else."""
    if not session.is_active or not ctx.args or len(ctx.args[0]) != 1 or any(ctx.args[1:]):
        return None
    if ctx.arg_kinds[0][0].is_star():
        return None
    return session.following.function(ctx.args[0][0], ctx.arg_types[0][0])


def _flatten(sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    default = ctx.default_return_type
    tree = _tree(ctx, session)
    p = get_proper_type(default)
    declared: list[Type] = p.items if isinstance(p, TupleType) and len(p.items) == 2 else [_any(), _any()]
    if tree is None or not (isinstance(p, TupleType | AnyType)):
        return default
    made = _list(tree, session) or session.api.named_generic_type("builtins.list", [_any()])
    fallback = session.api.named_generic_type("builtins.tuple", [_any()])
    return TupleType([made, _definition(tree, declared[1], session)], fallback)


def _structure(sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    tree = _tree(ctx, session)
    return ctx.default_return_type if tree is None else _definition(tree, ctx.default_return_type, session)


def _leaves(sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    tree = _tree(ctx, session)
    return (None if tree is None else _list(tree, session)) or ctx.default_return_type


def _list(tree: Type, session: Session) -> Type | None:
    """The list of a tree's leaves; None if they are not known, or there are none."""
    found = leaves_of(tree)
    if found is None or not found.types:
        return None
    is_followed = session.following.is_active and is_checked(session.api) and session.mutations.has_closed_lists
    if is_followed and found.are_all and 1 < len(found.types) <= LONGEST:
        return fixed_list(found.types, session)
    item = joined(found.types, session)
    return None if item is None else session.api.named_generic_type("builtins.list", [item])


def _definition(tree: Type, declared: Type, session: Session) -> Type:
    """The treedef of a tree, unless it is declared to be of a class that mypy knows."""
    info = session.class_named(TREE_DEFINITION)
    p = get_proper_type(declared)
    if info is None or not isinstance(p, AnyType | UnboundType):
        return declared
    return Instance(info, [tree])


def _unflatten(sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    given = dict(zip(ctx.callee_arg_names, zip(ctx.args, ctx.arg_types)))
    if not session.is_active or [len(given.get(n, ((), ()))[0]) for n in ("treedef", "leaves")] != [1, 1]:
        return ctx.default_return_type
    if any(kind.is_star() for kinds in ctx.arg_kinds for kind in kinds):
        return ctx.default_return_type
    (definition,), (of,) = given["treedef"]
    tree = _tree_of(definition, of, session)
    made = (
        None if tree is None else _unflattened(tree, given["leaves"][0][0], given["leaves"][1][0], ctx.context, session)
    )
    return made or ctx.default_return_type


def _unflatten_method(sessions: Sessions, ctx: MethodContext) -> Type:
    session = sessions.of(ctx.api)
    call = ctx.context
    is_plain = isinstance(call, CallExpr) and isinstance(call.callee, MemberExpr) and len(ctx.args) == 1
    if not session.is_active or not is_plain or len(ctx.args[0]) != 1 or ctx.arg_kinds[0][0].is_star():
        return ctx.default_return_type
    assert isinstance(call, CallExpr)
    assert isinstance(call.callee, MemberExpr)
    tree = _tree_of(call.callee.expr, ctx.type, session)
    made = None if tree is None else _unflattened(tree, ctx.args[0][0], ctx.arg_types[0][0], call, session)
    return made or ctx.default_return_type


def _count(sessions: Sessions, ctx: AttributeContext) -> Type:
    session = sessions.of(ctx.api)
    p = get_proper_type(ctx.default_attr_type)
    if not session.is_active or not isinstance(ctx.context, MemberExpr) or not isinstance(p, Instance):
        return ctx.default_attr_type
    tree = _tree_of(ctx.context.expr, ctx.type, session)
    found = None if tree is None else leaves_of(tree)
    if found is None or not found.are_all:
        return ctx.default_attr_type
    return p.copy_modified(last_known_value=LiteralType(len(found.types), p))


def _tree_of(e: Expression, t: Type, session: Session) -> Type | None:
    """The tree of a treedef; None where it may be another than mypy says.

    A treedef goes where any other is declared, so that only what a variable is bound to once is known.
    """
    p = get_proper_type(t)
    if not isinstance(p, Instance) or p.type.fullname != TREE_DEFINITION:
        return None
    if isinstance(e, NameExpr) and isinstance(e.node, Var):
        around = functions_around(session.api)
        function = around[-1] if around else None
        bindings = session.bindings
        if bindings.is_uncertain(e.node, function):
            return None
        if bindings.is_rebound(e.node) and bindings.owner_of(e.node) is not function:
            return None
    elif not isinstance(e, CallExpr):
        return None
    return None if isinstance(get_proper_type(p.args[0]), AnyType) else p.args[0]


def _unflattened(tree: Type, e: Expression, given: Type, context: Context, session: Session) -> Type | None:
    """The tree with other leaves; None if nothing is known of it."""
    leaves = session.following.function(e, given)
    each = items_of(leaves)
    known = leaves_of(tree)
    if each is not None and known is not None and known.are_all:
        if len(each) != len(known.types):
            sentence = f"unflatten: the treedef has {_count_of(len(known.types))}, and {len(each)} are given"
            session.fail(f"ValueError: {sentence}", context, "array-tree", ValueError)
            return None
        rest = iter(each)
        return with_leaves(tree, lambda: next(rest), session)
    item = _item(leaves, session) if each is None else joined(each, session)
    return with_leaves(tree, lambda: _any() if item is None else item, session)


def _item(t: Type, session: Session) -> Type | None:
    """What goes through an iterable gives."""
    row = row_of(t, session)
    p = get_proper_type(t)
    if row is not None or not isinstance(p, Instance):
        return row
    base = next((b for b in p.type.mro if b.fullname == "typing.Iterable"), None)
    if base is None or len(p.args) < 1 or p.type.fullname == "builtins.str":
        return None
    found = map_instance_to_supertype(p, base).args
    return found[0] if len(found) == 1 else None


def _count_of(leaves: int) -> str:
    return "1 leaf" if leaves == 1 else f"{leaves} leaves"


def _any() -> AnyType:
    return AnyType(TypeOfAny.special_form)
