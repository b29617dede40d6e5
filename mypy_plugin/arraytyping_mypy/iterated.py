"""Which loops of a followed function are to be written out: their items are known, and have different types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from mypy.nodes import (
    ArgKind,
    AssignmentStmt,
    CallExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    ForStmt,
    FuncDef,
    GeneratorExpr,
    IndexExpr,
    LambdaExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    RefExpr,
    SliceExpr,
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
    TypeOfAny,
    UnionType,
    get_proper_type,
)

from arraytyping.semantics.avals import ShapedArray
from arraytyping_mypy.arguments import read
from arraytyping_mypy.convert import arrays_of
from arraytyping_mypy.copies import Copy
from arraytyping_mypy.features.iteration import row_of
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.fixed_lists import LONGEST, is_fixed_list, items_of
from arraytyping_mypy.unrolled import Place, can_be_written_out
from arraytyping_mypy.variants import key_of, without_floats
from arraytyping_mypy.walk import children, nodes_of

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["open_rounds"]

_LARGEST: Final = 4_000
"""How many nodes a loop may come to that is written out."""
_COPYING: Final = ("builtins.list", "builtins.tuple", "builtins.iter")


class _Iterated:
    """The items of sequences, by the types of expressions."""

    def __init__(self, types: Mapping[Expression, Type], session: Session) -> None:
        self._types = types
        self._session = session

    def items(self, e: Expression) -> list[Type] | None:
        """What is taken one after another; None if that is not known, or too much."""
        found = self._called(e) if isinstance(e, CallExpr) and isinstance(e.callee, RefExpr) else None
        display = self._display(e)
        if display is not None:
            found = self._displayed(display)
        if found is None and e in self._types:
            t = self._session.following.function(e, self._types[e])
            found = items_of(t)
            found = self._rows(e, get_finite_type(t)) if found is None else found
        return found if found is not None and len(found) <= LONGEST else None

    def _display(self, e: Expression) -> ListExpr | TupleExpr | None:
        """The list or tuple as it is written, also that which a variable keeps."""
        if isinstance(e, ListExpr | TupleExpr):
            return e
        mutations, variable = self._session.mutations, e.node if isinstance(e, NameExpr) else None
        if not isinstance(variable, Var) or mutations.grows(variable):
            return None
        value = self._session.bindings.only_value(variable)
        if isinstance(value, ListExpr) and not (mutations.has_closed_lists and mutations.keeps_order):
            return None
        return value if isinstance(value, ListExpr | TupleExpr) else None

    def _displayed(self, e: ListExpr | TupleExpr) -> list[Type] | None:
        return None if any(isinstance(i, StarExpr) for i in e.items) else self._each(e.items)

    def _each(self, expressions: Iterable[Expression]) -> list[Type] | None:
        found = [(e, self._types.get(e)) for e in expressions]
        known = [self._session.following.function(e, t) for e, t in found if t is not None]
        return known if len(known) == len(found) else None

    def columns(self, e: Expression) -> list[Type] | None:
        """What `zip(*rows)` gives."""
        rows = self.items(e)
        parts = [items_of(row) for row in rows or ()]
        known = [p for p in parts if p is not None]
        if not rows or len(known) < len(parts):
            return None
        return [self._tuple(column) for column in zip(*known)]

    def _entries(self, call: CallExpr) -> list[Type] | None:
        """What `d.items()`, `d.values()` or `d.keys()` gives of a dict as it is written, which nothing changes."""
        callee, mutations = call.callee, self._session.mutations
        if not isinstance(callee, MemberExpr) or callee.name not in ("items", "values", "keys") or call.args:
            return None
        variable = callee.expr.node if isinstance(callee.expr, NameExpr) else None
        if not isinstance(variable, Var) or mutations.grows(variable):
            return None
        display = self._session.bindings.only_value(variable)
        if not isinstance(display, DictExpr) or not (mutations.is_closed("dict") and mutations.keeps_keys):
            return None
        keys = [key.value for key, _ in display.items if isinstance(key, StrExpr)]
        values = self._each(value for _, value in display.items)
        if values is None or len(set(keys)) < len(display.items):
            return None
        if callee.name == "values":
            return values
        names: list[Type] = [self._text(key) for key in keys]
        return names if callee.name == "keys" else [self._tuple(pair) for pair in zip(names, values)]

    def _called(self, call: CallExpr) -> list[Type] | None:
        entries = self._entries(call)
        if entries is not None:
            return entries
        name = call.callee.fullname if isinstance(call.callee, RefExpr) else ""
        if _is_of_columns(call):
            return self.columns(call.args[0])
        if not call.args or any(kind is not ArgKind.ARG_POS for kind in call.arg_kinds):
            return None
        if name == "builtins.range":
            return self._range(call)
        if name == "builtins.zip":
            parts = [self.items(a) for a in call.args]
            known = [p for p in parts if p is not None]
            return [self._tuple(each) for each in zip(*known)] if len(known) == len(parts) else None
        if len(call.args) != 1:
            return None
        if name == "builtins.enumerate":
            items = self.items(call.args[0])
            return None if items is None else [self._tuple([self._int(i), t]) for i, t in enumerate(items)]
        if name == "builtins.reversed":
            items = self.items(call.args[0])
            return None if items is None else items[::-1]
        return self.items(call.args[0]) if name in _COPYING else None

    def _range(self, call: CallExpr) -> list[Type] | None:
        numbers = [read(a, self._types.get(a), self._session) for a in call.args]
        if not all(type(n) is int for n in numbers) or (len(numbers) == 3 and numbers[2] == 0):
            return None
        made = range(*numbers)
        return [self._int(i) for i in made] if len(made) <= LONGEST else None

    def _rows(self, e: Expression, p: ProperType) -> list[Type] | None:
        """The rows of an array, if their number is known."""
        row = row_of(p, self._session)
        value = None if row is None else read(e, p, self._session)
        if row is None or not isinstance(value, ShapedArray) or not value.shape or type(value.shape[0]) is not int:
            return None
        return [row] * value.shape[0] if value.shape[0] <= LONGEST else None

    def _tuple(self, items: Sequence[Type]) -> TupleType:
        any_one = AnyType(TypeOfAny.special_form)
        return TupleType(list(items), self._session.api.named_generic_type("builtins.tuple", [any_one]))

    def _text(self, value: str) -> Instance:
        p = self._session.api.named_generic_type("builtins.str", [])
        return p.copy_modified(last_known_value=LiteralType(value, p))

    def _int(self, value: int) -> Instance:
        p = self._session.api.named_generic_type("builtins.int", [])
        return p.copy_modified(last_known_value=LiteralType(value, p))


def open_rounds(copy: Copy, types: Mapping[Expression, Type], session: Session) -> dict[Place, Sequence[Type]]:
    """The loops, comprehensions and slices of a checked copy that are to be written out, with what they take."""
    found: dict[Place, Sequence[Type]] = {}
    iterated = _Iterated(types, session)
    stack: list[tuple[Node, Node | None]] = [(copy.function.body, None)]
    while stack:
        node, parent = stack.pop()
        if isinstance(node, FuncDef | LambdaExpr):
            continue
        if node in copy.places and can_be_written_out(node, parent):
            items = _rounds(node, iterated, types, session)
            if items is not None and len(items) * sum(1 for _ in nodes_of(node)) <= _LARGEST:
                found[copy.places[node]] = items
        stack.extend((child, node) for child in children(node))
    return found


def _rounds(
    node: Node, iterated: _Iterated, types: Mapping[Expression, Type], session: Session
) -> Sequence[Type] | None:
    """What a loop takes, if it is worth to be written out, or what a slice of a list holds."""
    if isinstance(node, IndexExpr):
        return _sliced(node, types, session)
    if isinstance(node, ForStmt):
        items = iterated.items(node.expr)
        if items is None:
            return None
        is_worth_it = len(items) < 2 or _grows(node.body) or _differ(node.expr, node.index, items, node.body)
        is_worth_it = is_worth_it or _is_kept_list(node.expr, types)
        return items if is_worth_it or _changes(node.body, types, session) else None
    if isinstance(node, AssignmentStmt):
        return iterated.items(node.rvalue)
    if isinstance(node, CallExpr):
        return iterated.columns(node.args[0])
    if isinstance(node, DictionaryComprehension):
        items = iterated.items(node.sequences[0])
        # Of a dict whose keys are known nothing is known under a key that is computed.
        differ = len({key_of(without_floats(_without_texts(t))) for t in items or ()}) > 1
        return items if differ and items and _differ(node.sequences[0], node.indices[0], items, node) else None
    generator = node.generator if isinstance(node, ListComprehension) else node
    if not isinstance(generator, GeneratorExpr):
        return None
    sequence = generator.sequences[0]
    items = iterated.items(sequence)
    is_worth_it = (
        _is_of_columns(sequence)
        or _is_kept_list(sequence, types)
        or _differ(sequence, generator.indices[0], items or (), generator.left_expr)
    )
    return items if items and is_worth_it else None


def _is_kept_list(e: Expression, types: Mapping[Expression, Type]) -> bool:
    """Whether it is a field with a list of which each item is known, and of which mypy says nothing."""
    return isinstance(e, MemberExpr) and e in types and is_fixed_list(types[e])


def _is_of_columns(e: Expression) -> bool:
    """Whether it is `zip(*rows)`, of whose items mypy says nothing."""
    if not isinstance(e, CallExpr) or not isinstance(e.callee, RefExpr):
        return False
    return e.callee.fullname == "builtins.zip" and e.arg_kinds == [ArgKind.ARG_STAR]


def _sliced(node: IndexExpr, types: Mapping[Expression, Type], session: Session) -> Sequence[Type] | None:
    base = types.get(node.base)
    if not isinstance(node.index, SliceExpr) or base is None:
        return None
    whole = session.following.function(node.base, base)
    items = items_of(whole) if is_fixed_list(whole) else None
    if items is None:
        return None
    parts = (node.index.begin_index, node.index.end_index, node.index.stride)
    ends = [None if e is None else read(e, types.get(e), session) for e in parts]
    if not all(end is None or type(end) is int for end in ends) or ends[2] == 0:
        return None
    return items[slice(*ends)]


def _differ(sequence: Expression, target: Node, items: Sequence[Type], body: Node) -> bool:
    """Whether a loop takes what has different types, or numbers that its body takes for indices or sizes."""
    name = sequence.callee.fullname if isinstance(sequence, CallExpr) and isinstance(sequence.callee, RefExpr) else ""
    if name == "builtins.range":
        variable = target.node if isinstance(target, NameExpr) else None
        places = [n for n in nodes_of(body) if isinstance(n, IndexExpr | CallExpr)]
        inside = [n for place in places for part in children(place) for n in nodes_of(part)]
        return any(isinstance(n, NameExpr) and n.node is variable for n in inside)
    if name == "builtins.enumerate":
        items = [p.items[1] for p in map(get_proper_type, items) if isinstance(p, TupleType)]
    return len({key_of(without_floats(t)) for t in items}) > 1


def _changes(body: Node, types: Mapping[Expression, Type], session: Session) -> bool:
    """Whether an array comes into a round of a loop in other shapes than into the round before."""
    nodes = list(nodes_of(body))
    targets = [t for n in nodes if isinstance(n, AssignmentStmt) for t in n.lvalues if isinstance(t, NameExpr)]
    bound = {t.node for t in targets}
    read = (n for n in nodes if isinstance(n, NameExpr) and n.node in bound and n not in targets and n in types)
    unions = (types[n] for n in read if isinstance(get_proper_type(types[n]), UnionType))
    return any(len({a.shape for a in arrays_of(t, session)}) > 1 for t in unions)


def _without_texts(t: Type) -> Type:
    """The type of an item without the texts in it."""
    p = get_finite_type(t)
    if isinstance(p, TupleType):
        return p.copy_modified(items=[_without_texts(i) for i in p.items])
    is_text = isinstance(p, Instance) and p.type.fullname == "builtins.str"
    return p.copy_modified(last_known_value=None) if is_text and isinstance(p, Instance) else p


def _grows(body: Node) -> bool:
    """Whether something is put at the end of a list."""
    for node in nodes_of(body):
        if isinstance(node, CallExpr) and isinstance(node.callee, MemberExpr) and node.callee.name == "append":
            return True
        if isinstance(node, OperatorAssignmentStmt) and node.op == "+" and isinstance(node.rvalue, ListExpr):
            return True
    return False
