"""What is read from a list, tuple or dict that is declared with named sizes: `xs[0]`, `for x, y in zip(xs, ys)`.

An item has the sizes that the annotation of the whole names, in the function whose call they belong to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy.nodes import (
    CallExpr,
    DictionaryComprehension,
    Expression,
    ForStmt,
    GeneratorExpr,
    IndexExpr,
    IntExpr,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    RefExpr,
    SliceExpr,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.types import NoneType, TupleType, Type, UnionType, get_proper_type

from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.named_annotations import is_plain_tuple, several
from arraytyping_mypy.walk import nodes_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from arraytyping_mypy.session import Session

__all__ = ["Declared", "Loops", "declared_item"]

_DEPTH: Final = 8
_SAME: Final = frozenset(f"builtins.{name}" for name in ("list", "tuple", "reversed", "iter", "sorted"))
"""What gives an iterable of the items of its one argument."""

Declared = tuple[Type, str]
"""A type with named sizes, and the mark of the function, or of the instance in a variable, whose names these are."""
Items = Declared | list["Items | None"] | None
"""What is declared of a value; of a pair that `zip` gives what is declared of each."""


class Loops:
    """What each variable of a loop or comprehension goes through."""

    def __init__(self, tree: MypyFile) -> None:
        self._found: dict[Var, list[tuple[Expression, tuple[int, ...]]]] = {}
        for node in nodes_of(tree):
            if isinstance(node, ForStmt):
                self._note(node.index, node.expr, ())
            elif isinstance(node, GeneratorExpr | DictionaryComprehension):
                for index, sequence in zip(node.indices, node.sequences):
                    self._note(index, sequence, ())

    def _note(self, target: Expression, sequence: Expression, path: tuple[int, ...]) -> None:
        if isinstance(target, NameExpr) and isinstance(target.node, Var):
            self._found.setdefault(target.node, []).append((sequence, path))
        elif isinstance(target, TupleExpr | ListExpr):
            for number, item in enumerate(target.items):
                self._note(item, sequence, (*path, number))

    def of(self, variable: Var) -> list[tuple[Expression, tuple[int, ...]]]:
        """What a variable goes through in each of its loops, and where in each item of it it stands."""
        return self._found.get(variable, [])


def declared_item(expression: Expression, session: Session, named: Callable[[Expression], Declared | None]) -> Items:
    """What is declared of what an expression reads; `named` says it of variables and fields."""
    return _Reader(session, named).of(expression, 0)


class _Reader:
    def __init__(self, session: Session, named: Callable[[Expression], Declared | None]) -> None:
        self._session = session
        self._named = named

    def of(self, expression: Expression, depth: int) -> Items:
        """What is declared of an expression."""
        if depth > _DEPTH:
            return None
        if isinstance(expression, NameExpr) and isinstance(expression.node, Var) and expression.node.is_inferred:
            return self._inferred(expression.node, depth)
        if isinstance(expression, NameExpr | MemberExpr):
            return self._named(expression)
        if isinstance(expression, IndexExpr):
            return _indexed(self.of(expression.base, depth + 1), expression.index, self._session)
        if isinstance(expression, CallExpr) and _name(expression) in _SAME and len(expression.args) == 1:
            return self.of(expression.args[0], depth + 1)
        return None

    def _inferred(self, variable: Var, depth: int) -> Items:
        bindings = self._session.bindings
        value = bindings.only_value(variable)
        if isinstance(value, NameExpr | MemberExpr | IndexExpr | CallExpr):
            return self.of(value, depth + 1)
        item = bindings.only_item(variable)
        if item is not None:
            return _part(self.of(item.whole, depth + 1), item.index, item.count, self._session)
        loops = self._session.loops.of(variable)
        if not loops or len(bindings.values(variable)) != len(loops):
            return None
        found = [self._in_loop(*loop, depth + 1) for loop in loops]
        return found[0] if all(f == found[0] for f in found) else None

    def _in_loop(self, sequence: Expression, path: tuple[int, ...], depth: int) -> Items:
        found = self._each(sequence, depth)
        for index in path:
            found = _part(found, index, None, self._session)
        return found

    def _each(self, sequence: Expression, depth: int) -> Items:
        """What is declared of each item of what a loop goes through."""
        if depth > _DEPTH:
            return None
        if isinstance(sequence, CallExpr):
            name = _name(sequence)
            positional = not any(kind.is_star() for kind in sequence.arg_kinds)
            if name == "builtins.zip" and positional:
                return [self._each(a, depth + 1) for a, n in zip(sequence.args, sequence.arg_names) if n is None]
            if name == "builtins.enumerate" and sequence.args and positional:
                return [None, self._each(sequence.args[0], depth + 1)]
            if isinstance(sequence.callee, MemberExpr) and not sequence.args:
                values = _indexed(self.of(sequence.callee.expr, depth + 1), None, self._session, ("dict",))
                if sequence.callee.name == "values":
                    return values
                return [None, values] if sequence.callee.name == "items" else None
        return _indexed(self.of(sequence, depth + 1), None, self._session, ("list", "tuple"))


def _name(call: CallExpr) -> str:
    return call.callee.fullname if isinstance(call.callee, RefExpr) else ""


def _part(whole: Items, index: int, count: int | None, session: Session) -> Items:
    """One of the items that something is unpacked into."""
    if isinstance(whole, list):
        return whole[index] if index < len(whole) else None
    if whole is None:
        return None
    p = get_proper_type(whole[0])
    if isinstance(p, TupleType):
        fits = is_plain_tuple(p) and index < len(p.items) and count in (None, len(p.items))
        return (p.items[index], whole[1]) if fits else None
    return _indexed(whole, None, session, ("list", "tuple"))


def _indexed(whole: Items, index: Expression | None, session: Session, kinds: tuple[str, ...] = ()) -> Items:
    """What is declared of one item; of any where there is no index."""
    if whole is None or isinstance(whole, list):
        return None
    t, mark = whole
    p = get_finite_type(t)
    if isinstance(p, UnionType):
        members = [m for m in p.items if not isinstance(get_finite_type(m), NoneType)]
        return _indexed((members[0], mark), index, session, kinds) if len(members) == 1 else None
    if is_plain_tuple(p):
        number = _number(index)
        return (p.items[number], mark) if number is not None and -len(p.items) <= number < len(p.items) else None
    container = several(p)
    if container is None or (kinds and not set(kinds) & set(container.kinds)):
        return None
    if not all(map(session.mutations.is_closed, container.kinds)):
        return None  # something else may have been put in
    if isinstance(index, SliceExpr):
        return None if container.kinds == ("dict",) else whole
    return container.item, mark


def _number(index: Expression | None) -> int | None:
    if isinstance(index, IntExpr):
        return index.value
    if isinstance(index, UnaryExpr) and index.op == "-" and isinstance(index.expr, IntExpr):
        return -index.expr.value
    return None
