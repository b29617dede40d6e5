"""The types of dicts, lists and tuples as they are written, where mypy joins what is in them.

Of `{"w": w, "layers": [...]}` mypy says `dict[str, object]`.  Where nothing is put into containers later (`mutations`)
it is a dict with these keys, each with a type of its own: an anonymous `TypedDict`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from mypy.nodes import (
    CallExpr,
    DictExpr,
    Expression,
    FloatExpr,
    IndexExpr,
    IntExpr,
    LambdaExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    StarExpr,
    StrExpr,
    TupleExpr,
    UnaryExpr,
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
    TypeOfAny,
    UnionType,
    get_proper_type,
)

from arraytyping.scalars import NAMES
from arraytyping_mypy.arguments import read
from arraytyping_mypy.checker import functions_around
from arraytyping_mypy.choices import of_any_choice
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.fixed_lists import LONGEST, fixed_list, is_fixed_list, items_of
from arraytyping_mypy.names import ARRAYS, SCALAR_META

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["refined", "typed_dict"]

_DEPTH: Final = 8
_DTYPES: Final = (SCALAR_META, "numpy.dtype")
_COMPUTED: Final = (OpExpr, CallExpr, IndexExpr, UnaryExpr)
"""What may give a number that can be read off, where mypy keeps no more than that it is one."""
_PLAIN: Final = ("builtins.int", "builtins.float", "builtins.complex", "builtins.bool", "builtins.str")
_WRITTEN: Final = (DictExpr, ListExpr, ListComprehension, CallExpr, OpExpr)


def refined(expression: Expression, t: Type, session: Session, depth: int = 0) -> Type:
    """The type of an expression, by how it is written where that says more."""
    if depth > _DEPTH:
        return t
    mutations = session.mutations
    p = get_proper_type(of_any_choice(expression, t, session))
    t = t if p is get_proper_type(t) else p
    written = expression.expr if isinstance(expression, UnaryExpr) and expression.op in "+-" else expression
    if isinstance(written, FloatExpr) and isinstance(p, Instance) and p.type.fullname == "builtins.float":
        value = -written.value if isinstance(expression, UnaryExpr) and expression.op == "-" else written.value
        return p.copy_modified(last_known_value=LiteralType(value, p))  # a `float` of which no more is known may be 1
    if isinstance(expression, MemberExpr | NameExpr) and isinstance(p, Instance) and p.type.fullname in _DTYPES:
        return _dtype(expression, p, session)
    if isinstance(expression, _COMPUTED) and isinstance(p, Instance) and p.type.fullname == "builtins.int":
        found = None if p.last_known_value is not None else read(expression, p, session)
        return p.copy_modified(last_known_value=LiteralType(found, p)) if type(found) is int else p
    if isinstance(expression, NameExpr):
        node = expression.node
        number = session.bindings.initializer(node) if isinstance(node, Var) else None
        if isinstance(number, FloatExpr):
            return refined(number, t, session, depth + 1)
        if isinstance(number, IntExpr) and isinstance(p, Instance) and p.type.fullname == "builtins.int":
            return p.copy_modified(last_known_value=LiteralType(number.value, p))
        bound = session.bindings.only_value(node) if isinstance(node, Var) else None
        if isinstance(p, TupleType) and p.partial_fallback.type.is_named_tuple:
            return _with_numbers(expression, p, bound, session)
        is_kept = isinstance(node, Var) and mutations.has_closed_dicts and not mutations.grows(node)
        last = session.straight_lines.value(expression) if bound is None and is_kept else None
        if last is not None:
            return _last(last, t, session, depth)
        if not isinstance(node, Var) or not isinstance(bound, _WRITTEN) or node in mutations.growing:
            return t
        if session.bindings.owner_of(node) not in (None, *functions_around(session.api)):
            return t
        if (node, None) in mutations.nested:
            return t
        return _grown(node, bound, refined(bound, t, session, depth + 1), session)
    if isinstance(expression, TupleExpr) and isinstance(p, TupleType) and len(p.items) == len(expression.items):
        return p.copy_modified(items=[refined(e, i, session, depth + 1) for e, i in zip(expression.items, p.items)])
    if isinstance(expression, DictExpr):
        return _dict(expression, t, session, depth) if mutations.has_closed_dicts else t
    if isinstance(expression, OpExpr) and expression.op == "|" and mutations.has_closed_dicts:
        return _merged_dicts(expression, t, session, depth)
    if isinstance(expression, CallExpr) and isinstance(expression.callee, RefExpr):
        is_dict = expression.callee.fullname == "builtins.dict" and mutations.has_closed_dicts
        return _call(expression, t, session, depth) if is_dict else t
    if not mutations.has_closed_lists:
        return t
    if isinstance(expression, OpExpr) and expression.op == "+" and isinstance(p, Instance) and len(p.args) == 1:
        return _joined_lists(expression, p, session, depth)
    if isinstance(expression, ListExpr) and isinstance(p, Instance) and p.type.fullname == "builtins.list":
        entries = [_items(e, session, depth) for e in expression.items]
        is_counted = all(is_whole for _, is_whole in entries)
        return _list(p, [i for items, _ in entries for i in items], session if is_counted else None)
    if isinstance(expression, ListComprehension) and isinstance(p, Instance) and p.type.fullname == "builtins.list":
        return _list(p, [_stored(expression.generator.left_expr, session, depth)], None)
    return t


def _with_numbers(name: NameExpr, p: TupleType, bound: Expression | None, session: Session) -> Type:
    """A named tuple with the numbers that it was made with, which mypy forgets where it is bound to a variable."""
    bound = session.straight_lines.value(name) if bound is None else bound
    found = None if bound is None else session.stored(bound)
    made = None if bound is None or found is None else get_proper_type(of_any_choice(bound, found, session))
    is_same = isinstance(made, TupleType) and made.partial_fallback.type is p.partial_fallback.type
    return made if isinstance(made, TupleType) and is_same and len(made.items) == len(p.items) else p


def _dtype(expression: Expression, p: Instance, session: Session) -> Type:
    """A dtype with its name, which mypy has no type for: `jnp.float32`, `x.dtype`."""
    found = read(expression, p, session)
    name = NAMES.get(found) if isinstance(found, type) else None
    return p if name is None else p.copy_modified(last_known_value=LiteralType(name, p))


def _grown(variable: Var, value: Expression, t: Type, session: Session) -> Type:
    """The type of a dict with those of the lists that grow in it."""
    p = get_proper_type(t)
    keys = {key for of, key in session.mutations.nested if of is variable and key is not None}
    if not keys or not isinstance(p, TypedDictType) or not isinstance(value, DictExpr):
        return t
    made = {key.value: item for key, item in value.items if isinstance(key, StrExpr)}
    items = {
        key: session.grown.within(variable, key, made[key], found) if key in keys & made.keys() else found
        for key, found in p.items.items()
    }
    return p.copy_modified(item_types=list(items.values()))


def _last(value: Expression, t: Type, session: Session, depth: int) -> Type:
    """The type of what a variable was bound to last: mypy keeps to that of its first binding."""
    found = session.stored(value)
    known = None if found is None else get_proper_type(refined(value, found, session, depth + 1))
    return known if isinstance(known, TypedDictType) else t


def _items(expression: Expression, session: Session, depth: int) -> tuple[list[Type | None], bool]:
    """The types of what one entry of a list puts there, and whether these are as many as it puts.

    Of what is unpacked these are the types of all in it, or one for each where their number is known.
    """
    if isinstance(expression, LambdaExpr):
        found = session.stored(expression) if session.is_following else None
        return [None if found is None else session.following.function(expression, found)], True
    if not isinstance(expression, StarExpr):
        return [_stored(expression, session, depth)], True
    found = _stored(expression.expr, session, depth)
    items = None if found is None else items_of(found)
    if items is not None:
        return list(items), True
    p = None if found is None else get_proper_type(found)
    is_listed = isinstance(p, Instance) and p.type.fullname in ("builtins.list", "builtins.tuple") and p.args
    return [p.args[0]] if isinstance(p, Instance) and is_listed else [None], False


def _stored(expression: Expression, session: Session, depth: int) -> Type | None:
    found = session.stored(expression)
    if found is None or isinstance(expression, LambdaExpr):
        return None
    return refined(expression, session.grown.type_of(expression, found), session, depth + 1)


def _dict(expression: DictExpr, t: Type, session: Session, depth: int) -> Type:
    made = Keyed()
    for key, value in expression.items:
        found = _stored(value, session, depth)
        if key is None and found is not None:
            more = get_proper_type(found)
            if not isinstance(more, TypedDictType):
                return t
            made.update(more)
        elif isinstance(key, StrExpr) and found is not None:
            made.put(key.value, found)
        else:
            return t
    return typed_dict(made.items, session, made.required) if made.items else t


def _merged_dicts(expression: OpExpr, t: Type, session: Session, depth: int) -> Type:
    """`a | b`: what is under a key of both is what it is in the second."""
    sides = [_stored(e, session, depth) for e in (expression.left, expression.right)]
    known = [p for side in sides if side is not None and isinstance(p := get_proper_type(side), TypedDictType)]
    if len(known) < 2:
        return t
    made = Keyed()
    for side in known:
        made.update(side)
    return typed_dict(made.items, session, made.required)


class Keyed:
    """What a dict is made of, one entry after the other."""

    def __init__(self) -> None:
        self.items: dict[str, Type] = {}
        self.required: set[str] = set()
        """The keys that the dict has for certain."""

    def put(self, key: str, t: Type) -> None:
        """Put something under a key."""
        self.items[key] = t
        self.required.add(key)

    def update(self, other: TypedDictType) -> None:
        """Put in all of another dict; what that may lack may be what was there before."""
        for key, t in other.items.items():
            if key in other.required_keys:
                self.put(key, t)
            else:
                self.items[key] = AnyType(TypeOfAny.special_form) if key in self.items else t


def _joined_lists(expression: OpExpr, p: Instance, session: Session, depth: int) -> Type:
    """`xs + [x]`."""
    sides = [_stored(e, session, depth) for e in (expression.left, expression.right)]
    lists = [side for side in map(get_proper_type, filter(None, sides)) if isinstance(side, Instance)]
    fixed = [items_of(side) for side in sides if side is not None and is_fixed_list(side)]
    if p.type.fullname == "builtins.list" and len(fixed) == 2:
        return _list(p, [i for items in fixed for i in items or ()], session)
    is_both = p.type.fullname == "builtins.list" and len(lists) == 2 and all(side.type is p.type for side in lists)
    return _list(p, [side.args[0] for side in lists], None) if is_both else p


def typed_dict(items: dict[str, Type], session: Session, required: Collection[str] | None = None) -> TypedDictType:
    """A dict with these keys, but for what something else may be put in place of.

    It has the required ones for certain (all if that is None), and may have others that the module puts into some dict
    by a name that is not known to be that of another one: so its keys are all known if all of them are required.
    """
    mutations = session.mutations
    made = {key: AnyType(TypeOfAny.special_form) if key in mutations.keys else t for key, t in items.items()}
    certain = set() if mutations.may_lose_keys else made.keys() & (made.keys() if required is None else set(required))
    for key in sorted(mutations.keys - made.keys()):
        made[key] = AnyType(TypeOfAny.special_form)
    fallback = session.api.named_generic_type("typing._TypedDict", [])
    return TypedDictType(made, certain, set(), fallback)


def _call(expression: CallExpr, t: Type, session: Session, depth: int) -> Type:
    """`dict(w=..., b=...)`."""
    items: dict[str, Type] = {}
    for name, value in zip(expression.arg_names, expression.args):
        found = _stored(value, session, depth)
        if name is None or found is None:
            return t
        items[name] = found
    return typed_dict(items, session) if items else t


def _list(p: Instance, items: list[Type | None], session: Session | None) -> Type:
    """A list of these items, each of which is kept in a function that is followed (with a session)."""
    known = [i for i in items if i is not None]
    is_followed = session is not None and session.is_following
    is_short = 1 < len(known) == len(items) <= LONGEST
    if session is not None and is_followed and is_short and session.mutations.keeps_order and _are_kept(known):
        return fixed_list(known, session)
    if not known or len(known) < len(items) or any(isinstance(get_proper_type(i), AnyType) for i in known):
        return p
    different = {str(i): i for i in known}
    if len(different) == 1:
        return p.copy_modified(args=[known[0]])
    merged = _merged([get_proper_type(i) for i in different.values()])
    return p if merged is None else p.copy_modified(args=[merged])


def _are_kept(items: list[Type]) -> bool:
    """Whether items are no numbers and texts alone: of what is in a list of numbers the rules read."""
    return not all(isinstance(p, Instance) and p.type.fullname in _PLAIN for p in map(get_proper_type, items))


def _merged(types: list[ProperType]) -> Type | None:
    """One dict for several with the same keys, or one array type for several."""
    first = types[0]
    dicts = [t for t in types if isinstance(t, TypedDictType)]
    if len(dicts) == len(types):
        if any(t.items.keys() != dicts[0].items.keys() or t.required_keys != dicts[0].required_keys for t in dicts):
            return None
        items = [_merged([get_finite_type(t.items[key]) for t in dicts]) for key in dicts[0].items]
        known = [i for i in items if i is not None]
        return dicts[0].copy_modified(item_types=known) if len(known) == len(items) else None
    if all(isinstance(t, Instance) and t.type.fullname in ARRAYS for t in types):
        return UnionType.make_union(list({str(t): t for t in types}.values()))
    if all(isinstance(t, Instance) and not t.args for t in types):
        classes = {t.type for t in types if isinstance(t, Instance)}
        if len(classes) == 1:
            return first.copy_modified(last_known_value=None) if isinstance(first, Instance) else None
    return first if len({str(t) for t in types}) == 1 else None
