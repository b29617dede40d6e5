"""The types of dicts, lists and tuples as they are written, where mypy joins what is in them.

Of `{"w": w, "layers": [...]}` mypy says `dict[str, object]`.  Where nothing is put into containers later (`mutations`)
it is a dict with these keys, each with a type of its own: an anonymous `TypedDict`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy.nodes import (
    CallExpr,
    DictExpr,
    Expression,
    IntExpr,
    LambdaExpr,
    ListComprehension,
    ListExpr,
    NameExpr,
    RefExpr,
    StarExpr,
    StrExpr,
    TupleExpr,
    Var,
)
from mypy.types import (
    AnyType,
    Instance,
    LiteralType,
    ProperType,
    TupleType,
    Type,
    TypedDictType,
    UnionType,
    get_proper_type,
)

from arraytyping_mypy.checker import current_function
from arraytyping_mypy.names import ARRAYS

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["refined"]

_DEPTH: Final = 8
_WRITTEN: Final = (DictExpr, ListExpr, ListComprehension, CallExpr)


def refined(expression: Expression, t: Type, session: Session, depth: int = 0) -> Type:
    """The type of an expression, by how it is written where that says more."""
    if depth > _DEPTH or (not session.mutations.is_safe and not isinstance(expression, NameExpr)):
        return t
    p = get_proper_type(t)
    if isinstance(expression, NameExpr):
        node = expression.node
        number = session.bindings.initializer(node) if isinstance(node, Var) else None
        if isinstance(number, IntExpr) and isinstance(p, Instance) and p.type.fullname == "builtins.int":
            return p.copy_modified(last_known_value=LiteralType(number.value, p))
        value = session.bindings.only_value(node) if isinstance(node, Var) and session.mutations.is_safe else None
        is_kept = isinstance(node, Var) and session.mutations.is_safe and node not in session.mutations.growing
        last = session.straight_lines.value(expression) if value is None and is_kept else None
        if last is not None:
            return _last(last, t, session, depth)
        if not isinstance(node, Var) or not isinstance(value, _WRITTEN) or node in session.mutations.growing:
            return t
        if session.bindings.owner_of(node) not in (None, current_function(session.api)):
            return t
        return refined(value, t, session, depth + 1)
    if isinstance(expression, TupleExpr) and isinstance(p, TupleType) and len(p.items) == len(expression.items):
        return p.copy_modified(items=[refined(e, i, session, depth + 1) for e, i in zip(expression.items, p.items)])
    if isinstance(expression, DictExpr):
        return _dict(expression, t, session, depth)
    if isinstance(expression, CallExpr) and isinstance(expression.callee, RefExpr):
        return _call(expression, t, session, depth) if expression.callee.fullname == "builtins.dict" else t
    if isinstance(expression, ListExpr) and isinstance(p, Instance) and p.type.fullname == "builtins.list":
        return _list(p, [i for e in expression.items for i in _items(e, session, depth)])
    if isinstance(expression, ListComprehension) and isinstance(p, Instance) and p.type.fullname == "builtins.list":
        return _list(p, [_stored(expression.generator.left_expr, session, depth)])
    return t


def _last(value: Expression, t: Type, session: Session, depth: int) -> Type:
    """The type of what a variable was bound to last: mypy keeps to that of its first binding."""
    found = session.stored(value)
    known = None if found is None else get_proper_type(refined(value, found, session, depth + 1))
    return known if isinstance(known, TypedDictType) else t


def _items(expression: Expression, session: Session, depth: int) -> list[Type | None]:
    """The types of what one entry of a list puts there: of all that is unpacked, or of itself."""
    if not isinstance(expression, StarExpr):
        return [_stored(expression, session, depth)]
    found = _stored(expression.expr, session, depth)
    p = None if found is None else get_proper_type(found)
    if isinstance(p, TupleType):
        return list(p.items)
    is_listed = isinstance(p, Instance) and p.type.fullname in ("builtins.list", "builtins.tuple") and p.args
    return [p.args[0]] if isinstance(p, Instance) and is_listed else [None]


def _stored(expression: Expression, session: Session, depth: int) -> Type | None:
    found = session.stored(expression)
    if found is None or isinstance(expression, LambdaExpr):
        return None
    return refined(expression, found, session, depth + 1)


def _dict(expression: DictExpr, t: Type, session: Session, depth: int) -> Type:
    items: dict[str, Type] = {}
    for key, value in expression.items:
        found = _stored(value, session, depth)
        if key is None and found is not None:
            more = get_proper_type(found)
            if not isinstance(more, TypedDictType):
                return t
            items.update(more.items)
        elif isinstance(key, StrExpr) and found is not None:
            items[key.value] = found
        else:
            return t
    return _typed_dict(items, t, session)


def _typed_dict(items: dict[str, Type], t: Type, session: Session) -> Type:
    if not items:
        return t
    fallback = session.api.named_generic_type("typing._TypedDict", [])
    return TypedDictType(items, set(items), set(), fallback)


def _call(expression: CallExpr, t: Type, session: Session, depth: int) -> Type:
    """`dict(w=..., b=...)`."""
    items: dict[str, Type] = {}
    for name, value in zip(expression.arg_names, expression.args):
        found = _stored(value, session, depth)
        if name is None or found is None:
            return t
        items[name] = found
    return _typed_dict(items, t, session)


def _list(p: Instance, items: list[Type | None]) -> Type:
    known = [i for i in items if i is not None]
    if not known or len(known) < len(items) or any(isinstance(get_proper_type(i), AnyType) for i in known):
        return p
    different = {str(i): i for i in known}
    if len(different) == 1:
        return p.copy_modified(args=[known[0]])
    merged = _merged([get_proper_type(i) for i in different.values()])
    return p if merged is None else p.copy_modified(args=[merged])


def _merged(types: list[ProperType]) -> Type | None:
    """One dict for several with the same keys, or one array type for several."""
    first = types[0]
    dicts = [t for t in types if isinstance(t, TypedDictType)]
    if len(dicts) == len(types):
        if any(t.items.keys() != dicts[0].items.keys() for t in dicts):
            return None
        items = [_merged([get_proper_type(t.items[key]) for t in dicts]) for key in dicts[0].items]
        known = [i for i in items if i is not None]
        return dicts[0].copy_modified(item_types=known) if len(known) == len(items) else None
    if all(isinstance(t, Instance) and t.type.fullname in ARRAYS for t in types):
        return UnionType.make_union(list({str(t): t for t in types}.values()))
    if all(isinstance(t, Instance) and not t.args for t in types):
        classes = {t.type for t in types if isinstance(t, Instance)}
        if len(classes) == 1:
            return first.copy_modified(last_known_value=None) if isinstance(first, Instance) else None
    return first if len({str(t) for t in types}) == 1 else None
