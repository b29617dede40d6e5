"""Loops in the copy of a function that are written out, once for each item, where the items have different types.

mypy goes through a loop's body with one type for all that the loop takes.  Of `for w, b in layers: x = f(x @ w + b)`
that says nothing of the shapes; written out, each round has its own.  So are comprehensions, and slices of lists of
which each item is known.  A loop is named by the node of the program and by the rounds of the loops around it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from mypy.nodes import (
    LDEF,
    ArgKind,
    AssignmentStmt,
    Block,
    CallExpr,
    Context,
    DictExpr,
    DictionaryComprehension,
    Expression,
    ExpressionStmt,
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
    RefExpr,
    SetComprehension,
    StarExpr,
    Statement,
    StrExpr,
    TempNode,
    TupleExpr,
    Var,
    WhileStmt,
)
from mypy.treetransform import TransformVisitor
from mypy.types import TupleType, Type

from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.left_loops import can_be_straight, is_branching, without_continue
from arraytyping_mypy.round_texts import computed_texts, text_of, values_of
from arraytyping_mypy.tree_copies import settled
from arraytyping_mypy.walk import children, nodes_of, parts_of

if TYPE_CHECKING:
    from arraytyping_mypy.mutations import Mutations

__all__ = ["Place", "Rounds", "can_be_written_out", "write_out"]

Place = tuple[Node, tuple[tuple[Node, int], ...]]
"""A node of the program, and in which round of which loops around it."""

Rounds = Mapping[Place, Sequence[Type]]
"""What each loop takes one after another that is to be written out."""

_N = TypeVar("_N", bound=Context)

_TAKING: Final = frozenset(
    f"builtins.{name}" for name in ("tuple", "list", "sum", "max", "min", "zip", "any", "all", "sorted", "dict")
) | {"functools.reduce", "_functools.reduce"}
"""What goes through a generator at once."""


def can_be_written_out(node: Node, parent: Node | None) -> bool:
    """Whether a loop, comprehension or slice has a form that can be written out."""
    if isinstance(node, ForStmt):
        return not node.is_async and can_be_straight(node) and _is_plain_target(node.index)
    if isinstance(node, AssignmentStmt):  # `*hidden, last = layers`
        return len(node.lvalues) == 1 and _star(node.lvalues[0]) is not None
    if isinstance(node, ListComprehension):
        return _is_plain(node.generator)
    if isinstance(node, DictionaryComprehension):
        return len(_made(node)) == 2 and _is_plain(node)
    if isinstance(node, GeneratorExpr):
        return isinstance(parent, CallExpr) and _takes(parent) and _is_plain(node)
    if isinstance(node, CallExpr):  # `columns = zip(*rows)`
        name = node.callee.fullname if isinstance(node.callee, RefExpr) else ""
        is_taken = isinstance(parent, AssignmentStmt) and isinstance(parent.lvalues[0], TupleExpr)
        is_taken = is_taken or (isinstance(parent, CallExpr) and _takes(parent)) or isinstance(parent, ForStmt)
        return is_taken and name == "builtins.zip" and node.arg_kinds == [ArgKind.ARG_STAR]
    return isinstance(node, IndexExpr)


def write_out(
    function: FuncDef, places: MutableMapping[Node, Place], rounds: Rounds, mutations: Mutations
) -> list[Block]:
    """Write out loops of a copied function, of whose nodes `places` says of what they are copies.

    The rounds of loops that are left by `break`, those of inner loops first, in which it still stands.
    """
    writer = _Writer(function, places, rounds, mutations)
    if rounds:
        writer.statements(function.body)
    return writer.left


class _Writer:
    def __init__(
        self, function: FuncDef, places: MutableMapping[Node, Place], rounds: Rounds, mutations: Mutations
    ) -> None:
        self.left: list[Block] = []
        self._mutations = mutations
        self._function = function
        self._places = places
        self._rounds = rounds

    def statements(self, block: Block) -> None:
        """Write out what stands in a block."""
        made: list[Statement] = []
        for statement in block.body:
            before: list[Statement] = []
            items = self._items(statement)
            self._expressions(statement, before)
            made += before
            if isinstance(statement, ForStmt) and items is not None:
                made += self._loop(statement, items)
                continue
            if isinstance(statement, AssignmentStmt) and items is not None:
                made += _unpacked(statement, items)
                continue
            for inner in _blocks(statement):
                self.statements(inner)
            made.append(statement)
        block.body[:] = made

    def _items(self, node: Node) -> Sequence[Type] | None:
        place = self._places.get(node)
        return None if place is None else self._rounds.get(place)

    def _loop(self, loop: ForStmt, items: Sequence[Type]) -> Iterator[Statement]:
        first = ExpressionStmt(loop.expr)
        yield _set(first, loop)
        local = _local(loop, self._function)
        if not items:
            self._define_later(loop)
        leaves = is_branching(loop)
        without_continue(loop)
        rounds: list[Statement] = []
        for i, item in enumerate(items):
            taken = list(_taken(loop.index, item, loop))
            round_ = Block([*taken, *loop.body.body])
            copied = self._copied(_set(round_, loop), local, loop, i)
            _begin(copied, [t.rvalue for t in taken])
            self.statements(copied)
            rounds.append(copied)
        if loop.else_body is not None:
            self.statements(loop.else_body)
            rounds.append(loop.else_body)
        if leaves:
            whole = _set(Block(rounds), loop)
            self.left.append(whole)
            rounds = [whole]
        yield from rounds

    def _define_later(self, loop: ForStmt) -> None:
        """Have what a loop would define first be defined where it is bound after that."""
        within = set(nodes_of(loop))
        defined = {n.node for n in within if isinstance(n, NameExpr) and n.is_inferred_def}
        for statement in nodes_of(self._function.body):
            if isinstance(statement, AssignmentStmt) and statement not in within:
                for target in statement.lvalues:
                    if any(v in defined for v in _targets(target)):
                        _define(target)

    def _copied(self, block: Block, local: frozenset[Var], loop: Node, number: int) -> Block:
        """A round of a loop, with variables of its own for those that no other one sees."""
        wrapped = FuncDef("", [], block)
        originals = list(nodes_of(block))
        transform = _transform(originals, local)
        copied = transform.visit_func_def(wrapped).body
        again = settled(originals, copied, transform, frozenset(transform.var_map))
        here, _ = self._places[loop]
        for variable, copy in transform.var_map.items():
            if variable is not copy:
                self._mutations.note_copy(variable, copy)
        for old, new in zip(originals, again):
            if isinstance(old, MemberExpr) and isinstance(new, MemberExpr):
                new.def_var, new.is_new_def, new.is_inferred_def = old.def_var, old.is_new_def, old.is_inferred_def
            if old in self._places:
                node, path = self._places[old]
                self._places[new] = node, (*path, (here, number))
        return _set(copied, block)

    def _expressions(self, statement: Node, before: list[Statement]) -> None:
        """Write out what stands in the expressions of a statement; what has to be done first goes before it."""
        if isinstance(statement, WhileStmt):
            return
        blocks = _blocks(statement)
        for child in children(statement):
            if child not in blocks:
                self._expression(child, statement, before)

    def _expression(self, node: Node, parent: Node, before: list[Statement]) -> None:
        if isinstance(node, FuncDef | LambdaExpr | Block):
            return
        items = self._items(node)
        made = None if items is None else self._written(node, items, before)
        if made is not None:
            _replace(parent, node, made)
            node = made
        elif isinstance(node, GeneratorExpr | ListComprehension | SetComprehension | DictionaryComprehension):
            return  # what it takes is bound in it alone
        for child in children(node):
            self._expression(child, node, before)

    def _first(self, e: Expression, before: list[Statement]) -> None:
        """Have an expression evaluated before the statement."""
        statement = _set(ExpressionStmt(e), e)
        self._expressions(statement, before)
        before.append(statement)

    def _written(self, node: Node, items: Sequence[Type], before: list[Statement]) -> Expression | None:
        if isinstance(node, IndexExpr):
            if not isinstance(node.base, NameExpr):
                self._first(node.base, before)
            return _set(ListExpr([_set(TempNode(t), node) for t in items]), node)
        if isinstance(node, CallExpr):
            self._first(node.args[0], before)
            return _set(TupleExpr([_set(TempNode(t), node) for t in items]), node)
        if isinstance(node, DictionaryComprehension):
            return self._written_dict(node, items, before)
        generator = node.generator if isinstance(node, ListComprehension) else node
        if not isinstance(generator, GeneratorExpr):
            return None
        made = self._each(node, generator, [generator.left_expr], items, before)
        return _set(ListExpr([e for (e,) in made]), node)

    def _written_dict(
        self, node: DictionaryComprehension, items: Sequence[Type], before: list[Statement]
    ) -> Expression:
        texts = [text_of(_made(node)[0], values_of(node.indices[0], item)) for item in items]
        pairs: list[tuple[Expression | None, Expression]] = []
        for (key, value), text in zip(self._each(node, node, _made(node), items, before), texts):
            pairs.append((key if text is None else _set(StrExpr(text), key), value))
        return _set(DictExpr(pairs), node)

    def _each(
        self,
        loop: Node,
        node: GeneratorExpr | DictionaryComprehension,
        parts: Sequence[Expression],
        items: Sequence[Type],
        before: list[Statement],
    ) -> list[list[Expression]]:
        """What a comprehension makes in each round, each of which begins with a statement of its own."""
        self._first(node.sequences[0], before)
        target, made = node.indices[0], list[list[Expression]]()
        for i, item in enumerate(items):
            taken = list(_taken(target, item, node))
            round_ = _set(Block([*taken, *(_set(ExpressionStmt(e), node) for e in parts)]), node)
            copied = self._copied(round_, frozenset(_targets(target)), loop, i)
            _begin(copied, [t.rvalue for t in taken])
            before += copied.body[: len(taken)]
            made.append([s.expr for s in copied.body[len(taken) :]])  # type: ignore[attr-defined]
        return made


def _taken(target: Expression, item: Type, like: Node) -> Iterator[AssignmentStmt]:
    """What a round takes, bound to the targets of its loop one by one."""
    p = get_finite_type(item)
    if isinstance(target, TupleExpr) and isinstance(p, TupleType) and len(p.items) == len(target.items):
        for inner, t in zip(target.items, p.items):
            yield from _taken(inner, t, like)
    else:
        yield _set(AssignmentStmt([target], TempNode(item)), like)


def _begin(round_: Block, taken: Sequence[Expression]) -> None:
    """Have mypy infer the types of what a round takes anew, and put texts that are computed of it there as they are."""
    values: dict[Var, int | str] = {}
    for statement, given in zip(round_.body, taken):
        if isinstance(statement, AssignmentStmt) and isinstance(given, TempNode):
            _define(statement.lvalues[0])
            values |= values_of(statement.lvalues[0], given.type)
    for parent, old, new in list(computed_texts(round_, values)):
        _replace(parent, old, new)


def _star(target: Expression) -> int | None:
    """Where a tuple of targets has the one star that takes all the others; None if it has none, or not only names."""
    if not isinstance(target, TupleExpr):
        return None
    places = [i for i, item in enumerate(target.items) if isinstance(item, StarExpr)]
    names = [item.expr if isinstance(item, StarExpr) else item for item in target.items]
    return places[0] if len(places) == 1 and all(map(_is_plain_target, names)) else None


def _unpacked(statement: AssignmentStmt, items: Sequence[Type]) -> Iterator[Statement]:
    """One assignment for each target, the starred one of a list."""
    target = statement.lvalues[0]
    place = _star(target)
    if not isinstance(target, TupleExpr) or place is None or len(items) < len(target.items) - 1:
        yield statement
        return
    yield _set(ExpressionStmt(statement.rvalue), statement)
    rest = len(target.items) - place - 1
    values: list[Expression] = [TempNode(t) for t in items[:place]]
    values.append(ListExpr([_set(TempNode(t), statement) for t in items[place : len(items) - rest]]))
    values += [TempNode(t) for t in items[len(items) - rest :]]
    for one, value in zip(target.items, values):
        name = one.expr if isinstance(one, StarExpr) else one
        yield _set(AssignmentStmt([name], _set(value, statement)), statement)


def _transform(nodes: Sequence[Node], local: frozenset[Var]) -> TransformVisitor:
    """What copies a round of a loop, in which only these variables, and those of functions in it, become others."""
    own = set(local)
    for node in nodes:
        if isinstance(node, FuncDef | LambdaExpr):
            inner = [n for n in nodes_of(node) if isinstance(n, NameExpr)]
            own |= {n.node for n in inner if isinstance(n.node, Var) and (n.is_new_def or n.is_inferred_def)}
            own |= {a.variable for n in nodes_of(node) if isinstance(n, FuncDef | LambdaExpr) for a in n.arguments}
        elif isinstance(node, GeneratorExpr):
            own |= {v for index in node.indices for v in _targets(index)}
    transform = TransformVisitor()
    for node in nodes:
        if isinstance(node, RefExpr) and isinstance(node.node, Var) and node.node not in own:
            transform.var_map[node.node] = node.node
    return transform


def _local(loop: ForStmt, function: FuncDef) -> frozenset[Var]:
    """The variables that a loop's round binds first, and nothing else sees: neither another round nor a function."""
    inside = list(nodes_of(loop))
    within = set(inside)
    bound = {*_targets(loop.index)}
    for statement in loop.body.body:
        if isinstance(statement, AssignmentStmt):
            read = {n.node for n in nodes_of(statement.rvalue) if isinstance(n, NameExpr)}
            for target in statement.lvalues:
                bound |= {v for v in _targets(target) if v not in read and _is_first(v, target, inside)}
    seen = {n.node for n in nodes_of(function) if isinstance(n, NameExpr) and n not in within}
    for node in inside:
        if isinstance(node, FuncDef | LambdaExpr):
            seen |= {n.node for n in nodes_of(node) if isinstance(n, NameExpr)}
    arguments = {a.variable for a in function.arguments}
    return frozenset(v for v in bound if v not in seen and v not in arguments)


def _is_first(variable: Var, target: Node, inside: Sequence[Node]) -> bool:
    """Whether a variable occurs in this target before it does anywhere else in a loop."""
    place = next((n for n in inside if isinstance(n, NameExpr) and n.node is variable), None)
    return place is not None and any(n is place for n in nodes_of(target))


def _define(target: Node) -> None:
    """Have mypy infer the type of what a loop takes anew."""
    for node in nodes_of(target):
        if isinstance(node, NameExpr):
            node.is_inferred_def = True


def _targets(target: Node) -> Iterator[Var]:
    for node in nodes_of(target):
        if isinstance(node, NameExpr) and isinstance(node.node, Var):
            yield node.node


def _takes(call: CallExpr) -> bool:
    """Whether a call goes through its argument at once."""
    return isinstance(call.callee, RefExpr) and call.callee.fullname in _TAKING


def _is_plain(generator: GeneratorExpr | DictionaryComprehension) -> bool:
    """Whether it is one loop without a condition, of which no function keeps what it takes."""
    if len(generator.sequences) != 1 or any(generator.condlists) or any(generator.is_async):
        return False
    keeps = any(isinstance(n, LambdaExpr) for e in _made(generator) for n in nodes_of(e))
    return _is_plain_target(generator.indices[0]) and not keeps


def _made(generator: GeneratorExpr | DictionaryComprehension) -> list[Expression]:
    """What a comprehension makes in a round: one item, or a key and a value."""
    if isinstance(generator, GeneratorExpr):
        return [generator.left_expr]
    return [generator.value] if generator.key is None else [generator.key, generator.value]


def _is_plain_target(target: Node) -> bool:
    if isinstance(target, TupleExpr):
        return all(map(_is_plain_target, target.items))
    return isinstance(target, NameExpr) and target.kind == LDEF and isinstance(target.node, Var)


def _blocks(statement: Node) -> list[Block]:
    return [c for c in children(statement) if isinstance(c, Block)] if not isinstance(statement, FuncDef) else []


def _set(node: _N, like: Node) -> _N:
    node.set_line(like)
    return node


def _replace(parent: Node, old: Node, new: Expression) -> None:
    """Put another expression where one stands below a node."""
    for name in parts_of(parent):
        setattr(parent, name, _exchanged(getattr(parent, name), old, new))
    if isinstance(parent, CallExpr) and isinstance(parent.analyzed, DictExpr):
        parent.analyzed.items = _exchanged(parent.analyzed.items, old, new)


def _exchanged(value: Any, old: Node, new: Expression) -> Any:
    if value is old:
        return new
    if isinstance(value, list | tuple) and not isinstance(value, str):
        return type(value)(_exchanged(v, old, new) for v in value)
    return value
