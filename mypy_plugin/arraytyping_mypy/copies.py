"""A copy of a function's syntax tree, to be checked for the types of one call.

mypy keeps what it infers of a variable in the variable, and of an expression by the expression; so each call has a copy
of its own.  Variables and functions from outside of the function stay the same objects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from mypy.nodes import (
    LDEF,
    MDEF,
    Argument,
    AssignmentExpr,
    Block,
    ClassDef,
    Decorator,
    Expression,
    ExpressionStmt,
    FuncDef,
    FuncItem,
    GlobalDecl,
    Import,
    ImportAll,
    ImportFrom,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    Node,
    NonlocalDecl,
    RefExpr,
    ReturnStmt,
    Statement,
    TupleExpr,
    Var,
    YieldExpr,
    YieldFromExpr,
)
from mypy.treetransform import TransformVisitor
from mypy.types import AnyType, TypeOfAny

from arraytyping_mypy.bindings import Bindings
from arraytyping_mypy.left_loops import straighten, without_breaks
from arraytyping_mypy.mutations import Mutations
from arraytyping_mypy.outgrown import leave_outgrown
from arraytyping_mypy.renamed import rename
from arraytyping_mypy.tree_copies import settled
from arraytyping_mypy.unrolled import Place, Rounds, write_out
from arraytyping_mypy.walk import children, nodes_of

__all__ = ["Copy", "can_be_copied", "copy_function"]

_REFUSED: Final = (
    GlobalDecl, NonlocalDecl, ClassDef, Import, ImportFrom, ImportAll, YieldFromExpr, AssignmentExpr,
)  # fmt: skip
"""What binds names outside of the function, or in a way that a copy would not keep apart."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A copied function, the expressions that it returns, and what its expressions are copies of."""

    function: FuncDef
    returned: tuple[Expression | None, ...]
    """What stands behind each `return`."""
    yielded: tuple[Expression | None, ...] | None
    """What stands behind each `yield` of a generator; None for other functions."""
    end: Expression
    """What is reached where the function comes to its end without one."""
    nodes: tuple[tuple[Node, Node], ...]
    """The nodes of the function, each with its copy, or its copies in the rounds of a loop."""
    places: Mapping[Node, Place]
    """Of what each node is a copy, and in which rounds of loops."""
    is_left: bool
    """Whether loops are written out that `break` leaves."""
    is_straight: bool
    """Whether it is known of all of these where they are left; if not, they are as if they never were."""

    @property
    def pairs(self) -> list[tuple[Expression, Expression]]:
        """The expressions of the function, each with its copy."""
        return [(a, b) for a, b in self.nodes if isinstance(a, Expression) and isinstance(b, Expression)]

    @property
    def functions(self) -> list[tuple[FuncItem, FuncItem]]:
        """The functions in it, itself included, each with its copy."""
        return [(a, b) for a, b in self.nodes if isinstance(a, FuncItem) and isinstance(b, FuncItem)]


def can_be_copied(function: FuncDef) -> bool:
    """Whether nothing in a function reaches outside of it."""
    if function.is_coroutine or function.is_async_generator:
        return False
    return not any(isinstance(node, _REFUSED) for node in nodes_of(function.body))


def copy_function(
    function: FuncDef,
    bindings: Bindings,
    mutations: Mutations,
    rounds: Rounds = MappingProxyType({}),
    settle: Callable[[FuncDef], None] | None = None,
) -> Copy:
    """The copy, in which no type of a local variable is inferred yet, and some loops are written out.

    Copies of variables that grow are noted in `mutations`.  `settle` puts into the copy what is known of its
    conditions, by which it is known where loops are left.
    """
    originals = list(nodes_of(function))
    transform = TransformVisitor()
    own = frozenset(_own_variables(originals))
    for node in originals:
        if isinstance(node, RefExpr):
            target = node.node.var if isinstance(node.node, Decorator) else node.node
            if isinstance(target, Var) and target not in own:
                transform.var_map[target] = target
    made = transform.visit_func_def(function)
    made.set_line(function)
    made.is_property = False
    made.is_decorated = True  # so that mypy does not look at `self` once more
    for old, new in transform.var_map.items():
        if old is not new:
            mutations.note_copy(old, new)
    copied = settled(originals, made, transform, own)
    _settle_references(copied, bindings)
    places: dict[Node, Place] = {new: (old, ()) for old, new in zip(originals, copied)}
    left = write_out(made, places, rounds, mutations)
    if settle is not None:
        settle(made)
    is_straight = settle is not None and all(straighten(loop) for loop in left)
    for loop in [] if is_straight else left:
        without_breaks(loop)
    nodes = tuple(zip(originals, copied))
    if rounds:
        nodes = tuple((places[node][0], node) for node in nodes_of(made) if node in places)
    leave_outgrown(made.body, AnyType(TypeOfAny.special_form))  # each binding is a variable of its own below
    rename(made, function, bindings, mutations)
    returned = _without_returns(made)
    end = TupleExpr([])
    end.set_line(function)
    last = ExpressionStmt(end)
    last.set_line(function)
    made.body.body.append(last)
    bindings.add(made)
    yielded = tuple(node.expr for _, node in nodes if isinstance(node, YieldExpr)) if function.is_generator else None
    return Copy(made, returned, yielded, end, nodes, places, bool(left), is_straight or not left)


def _own_variables(nodes: list[Node]) -> set[Var]:
    """The variables that a function or one inside of it binds."""
    own: set[Var] = set()
    for node in nodes:
        if isinstance(node, Argument):
            own.add(node.variable)
        elif isinstance(node, Decorator):
            own.add(node.var)
        elif (
            isinstance(node, NameExpr)
            and node.kind == LDEF
            and isinstance(node.node, Var)
            and (node.is_new_def or node.is_inferred_def)
        ):
            own.add(node.node)
    return own


def _settle_references(nodes: list[Node], bindings: Bindings) -> None:
    """Leave the attributes of other objects as they are, and say nothing of module variables that are bound again."""
    for node in nodes:
        if isinstance(node, MemberExpr):
            node.def_var = None
            node.is_new_def = node.is_inferred_def = False
        elif (
            isinstance(node, NameExpr)
            and isinstance(node.node, Var)
            and node.kind not in (LDEF, MDEF)
            and bindings.is_rebound(node.node)
        ):
            any_one = Var(node.name, AnyType(TypeOfAny.special_form))
            any_one.is_ready = True
            node.node = any_one


def _without_returns(made: FuncDef) -> tuple[Expression | None, ...]:
    """Put what the function returns into statements of its own, where no expected type stands behind it."""
    returned: list[Expression | None] = []
    stack: list[Node] = [made.body]
    while stack:
        node = stack.pop()
        if isinstance(node, FuncDef | LambdaExpr | ClassDef):
            continue
        if isinstance(node, Block):
            statements: list[Statement] = []
            for statement in node.body:
                if isinstance(statement, ReturnStmt):
                    returned.append(statement.expr)
                    if statement.expr is not None:
                        alone = ExpressionStmt(statement.expr)
                        alone.set_line(statement)
                        statements.append(alone)
                    bare = ReturnStmt(None)
                    bare.set_line(statement)
                    statements.append(bare)
                else:
                    statements.append(statement)
            node.body[:] = statements
        stack.extend(children(node))
    return tuple(returned)
