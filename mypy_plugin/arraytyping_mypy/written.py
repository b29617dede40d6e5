"""What is in a list, tuple or dict, by how it is written: `[x, y]`, `{"w": w}`, `[f(i) for i in range(3)]`.

mypy's types say of a list neither how many items it has nor what each of them is.  A variable stands for what it is
bound to where nothing puts something into containers or takes something out of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from mypy.nodes import (
    CallExpr,
    DelStmt,
    DictExpr,
    DictionaryComprehension,
    Expression,
    IntExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OpExpr,
    RefExpr,
    StarExpr,
    StrExpr,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.types import TupleType, Type, TypedDictType, get_proper_type

from arraytyping.semantics.avals import Alternatives
from arraytyping_mypy.checker import current_function
from arraytyping_mypy.convert import value_of
from arraytyping_mypy.walk import nodes_of

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["Given", "Items", "items_of", "takes_out"]

_DEPTH: Final = 8
_WRITTEN: Final = (DictExpr, ListExpr, ListComprehension, DictionaryComprehension, TupleExpr, CallExpr, OpExpr)


@dataclass(frozen=True, slots=True)
class Given:
    """A value: how it is written, if that is known, and its type, if that is."""

    expression: Expression | None
    type: Type | None


@dataclass(frozen=True, slots=True)
class Items:
    """The items of a list, tuple or dict, each with how it is reached from the whole: `[0]`, `['w']`.

    There may be more if it is not `whole`, and none at all if it is `empty`.
    """

    kind: str
    items: list[tuple[str, Given]]
    whole: bool = True
    empty: bool = False
    """Whether there may be none of the items that stand here: those of a comprehension."""


def items_of(given: Given, session: Session, depth: int = 0) -> Items | None:
    """The items of a value; None if nothing is known of them."""
    if depth > _DEPTH:
        return None
    found = None if given.expression is None else _written(given.expression, session, depth)
    return found if found is not None or given.type is None else _typed(given.type)


def _typed(t: Type) -> Items | None:
    p = get_proper_type(t)
    if isinstance(p, TupleType):
        info = p.partial_fallback.type
        if any(type(get_proper_type(i)).__name__ == "UnpackType" for i in p.items):
            return None
        if info.is_named_tuple:
            found = [list(b.metadata["namedtuple"]["fields"]) for b in info.mro if "namedtuple" in b.metadata]
            names = found[0] if found and len(found[0]) == len(p.items) else range(len(p.items))
            return Items("named tuple", [(f".{name}", Given(None, i)) for name, i in zip(names, p.items)])
        if info.fullname in ("builtins.tuple", "builtins.list"):
            return Items(info.name, [(f"[{i}]", Given(None, item)) for i, item in enumerate(p.items)])
    if isinstance(p, TypedDictType):
        items = [(f"[{k!r}]", Given(None, item)) for k, item in p.items.items() if k in p.required_keys]
        return Items("dict", items, whole=len(items) == len(p.items))
    return None


def _written(expression: Expression, session: Session, depth: int) -> Items | None:
    match expression:
        case NameExpr():
            value = _bound(expression, session)
            return None if value is None else _written(value, session, depth + 1)
        case ListExpr() | TupleExpr():
            return _display(expression, session, depth)
        case DictExpr():
            return _dict(expression, session, depth)
        case ListComprehension():
            generator = expression.generator
            empty = any(generator.condlists) or not all(_has_items(s, session, depth) for s in generator.sequences)
            return Items("list", [("[0]", _given(generator.left_expr, session))], False, empty)
        case DictionaryComprehension():
            empty = any(expression.condlists) or not all(_has_items(s, session, depth) for s in expression.sequences)
            return Items("dict", [("[...]", _given(expression.value, session))], False, empty)
        case OpExpr():
            return _operation(expression, session, depth)
        case CallExpr():
            return _call(expression, session, depth)
    return None


def _given(expression: Expression, session: Session) -> Given:
    return Given(expression, session.stored(expression))


def _bound(name: NameExpr, session: Session) -> Expression | None:
    """The display that a variable is bound to, if what is in it is what was written there."""
    node = name.node
    value = session.bindings.only_value(node) if isinstance(node, Var) else None
    if not isinstance(node, Var) or not isinstance(value, _WRITTEN):
        return None
    if session.bindings.owner_of(node) not in (None, current_function(session.api)):
        return None
    if isinstance(value, TupleExpr):
        return value
    kind = "dict" if isinstance(value, DictExpr | DictionaryComprehension) else "list"
    is_kept = session.mutations.is_closed(kind) and not session.mutations.grows(node) and not session.takes_out
    return value if is_kept else None


def _display(expression: ListExpr | TupleExpr, session: Session, depth: int) -> Items:
    items: list[Given] = []
    whole = True
    for item in expression.items:
        if not isinstance(item, StarExpr):
            items.append(_given(item, session))
            continue
        inner = items_of(_given(item.expr, session), session, depth + 1)
        if inner is None or inner.kind == "dict" or not inner.whole:
            whole = False
            break
        items += [given for _, given in inner.items]
    return _numbered("list" if isinstance(expression, ListExpr) else "tuple", items, whole)


def _numbered(kind: str, items: list[Given], whole: bool = True) -> Items:
    return Items(kind, [(f"[{i}]", given) for i, given in enumerate(items)], whole)


def _dict(expression: DictExpr, session: Session, depth: int) -> Items:
    items: dict[str, Given] = {}
    whole = True
    for key, value in expression.items:
        if key is not None:
            # Two that may be the same key are both put in; so where one is not known, none is.
            whole = whole and isinstance(key, StrExpr | IntExpr)
            items[f"[{getattr(key, 'value', None)!r}]"] = _given(value, session)
            continue
        inner = items_of(_given(value, session), session, depth + 1)
        whole = whole and inner is not None and inner.kind == "dict" and inner.whole
        items.update(inner.items if inner is not None and whole else ())
    return Items("dict", list(items.items()), whole) if whole else Items("dict", [], False)


def _operation(expression: OpExpr, session: Session, depth: int) -> Items | None:
    """`[x] + [y]`, `[x] * 3`."""
    left = _written(expression.left, session, depth + 1)
    if left is None or left.kind not in ("list", "tuple"):
        return None
    if expression.op == "+":
        right = _written(expression.right, session, depth + 1)
        if right is None or right.kind != left.kind:
            return None
        if left.whole:
            items = left.items + ([] if right.empty else right.items)
            return _numbered(left.kind, [given for _, given in items], right.whole)
        if not right.whole:
            return left if right.empty else right
        from_end = [(f"[{i - len(right.items)}]", given) for i, (_, given) in enumerate(right.items)]
        return Items(left.kind, ([] if left.empty else left.items) + from_end, False)
    if expression.op == "*" and isinstance(expression.right, IntExpr) and expression.right.value > 0:
        return Items(left.kind, left.items, False, left.empty)
    return None


def _call(expression: CallExpr, session: Session, depth: int) -> Items | None:
    """`list(items)`, `dict(w=w)`."""
    name = expression.callee.fullname if isinstance(expression.callee, RefExpr) else ""
    if name == "builtins.dict" and all(expression.arg_names):
        found = zip(expression.arg_names, expression.args)
        return Items("dict", [(f"[{n!r}]", _given(value, session)) for n, value in found])
    if name not in ("builtins.list", "builtins.tuple") or len(expression.args) > 1:
        return None
    kind = name.removeprefix("builtins.")
    if not expression.args:
        return Items(kind, [])
    inner = items_of(_given(expression.args[0], session), session, depth + 1)
    if inner is None or inner.kind == "dict" or expression.arg_kinds[0].is_star():
        return None
    return Items(kind, inner.items, inner.whole, inner.empty)


def _has_items(sequence: Expression, session: Session, depth: int) -> bool:
    """Whether a loop over something goes through at least once."""
    if isinstance(sequence, CallExpr) and isinstance(sequence.callee, RefExpr):
        name = sequence.callee.fullname
        if name == "builtins.range" and 1 <= len(sequence.args) <= 2:
            first, *second = (_number(a, session) for a in sequence.args)
            low, high = (first, second[0]) if second else (0, first)
            return low is not None and high is not None and high > low
        if name in ("builtins.enumerate", "builtins.reversed", "builtins.zip") and sequence.args:
            return all(_has_items(a, session, depth + 1) for a in sequence.args)
        return False
    t = session.stored(sequence)
    items = items_of(Given(sequence, t), session, depth + 1)
    if items is not None:
        return bool(items.items) and not items.empty
    value = None if t is None else value_of(t, session)
    shapes: list[Any] = [
        getattr(v, "shape", None) for v in (value.values if isinstance(value, Alternatives) else (value,))
    ]
    return all(bool(s) and isinstance(s[0], int) and s[0] > 0 for s in shapes)


def _number(expression: Expression, session: Session) -> int | None:
    if isinstance(expression, IntExpr):
        return expression.value
    if isinstance(expression, UnaryExpr) and expression.op == "-":
        inner = _number(expression.expr, session)
        return None if inner is None else -inner
    t = session.stored(expression)
    value = None if t is None else value_of(t, session)
    return value if type(value) is int else None


_METHODS: Final = frozenset({"pop", "popitem", "popleft", "clear", "remove", "sort", "reverse", "rotate"})
_FUNCTIONS: Final = frozenset({"random.shuffle", "heapq.heappop", "heapq.heapify"})


def takes_out(tree: MypyFile) -> bool:
    """Whether a module takes something out of a container, or moves it in there."""
    return any(map(_takes, nodes_of(tree)))


def _takes(node: Node) -> bool:
    if isinstance(node, DelStmt):
        return not isinstance(node.expr, NameExpr | MemberExpr)
    if not isinstance(node, CallExpr):
        return False
    callee = node.callee
    if isinstance(callee, MemberExpr) and callee.name in _METHODS:
        return True
    return isinstance(callee, RefExpr) and callee.fullname in _FUNCTIONS
