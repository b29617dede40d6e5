"""What a function returns, and what it binds to annotated variables, against the names of its own annotations.

In the body a name is rigid: it stands for any size, so that what is returned as `n m` must not have `m` rows.  mypy
asks no plugin about `return`; so a module that uses jaxtyping gets an expression behind its last definition, and when
mypy comes there, its functions are looked through.

Where a function looks at sizes itself, with `assert` or `raise`, two names may be known to be equal; only what differs
for all sizes is told there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from mypy.nodes import (
    ArgKind,
    AssertStmt,
    AssignmentStmt,
    CallExpr,
    ClassDef,
    ConditionalExpr,
    Expression,
    FuncDef,
    FuncItem,
    LambdaExpr,
    MypyFile,
    NameExpr,
    Node,
    RaiseStmt,
    ReturnStmt,
    Var,
)
from mypy.types import CallableType, Instance, Type, UnionType

from arraytyping.semantics.avals import Dim, Shape, SymbolicDim
from arraytyping.semantics.sizes.dims import of_dim
from arraytyping.semantics.sizes.polynomials import Size
from arraytyping_mypy.checker import inside
from arraytyping_mypy.features.named_parts import (
    contradiction,
    leaves_of,
    members_of,
    parts_of,
    shape_given,
    sizes_text,
)
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.named_annotations import dims_of, dims_of_all, is_plain_tuple, named_array, several
from arraytyping_mypy.named_sizes import is_called_only, owner_mark, plain_text, symbol
from arraytyping_mypy.named_trees import tree_of
from arraytyping_mypy.session import Session
from arraytyping_mypy.walk import children
from arraytyping_mypy.written import Given, items_of

if TYPE_CHECKING:
    from arraytyping.checker.flow.contracts.bindings import Bindings
    from arraytyping.checker.flow.contracts.grammar import DimSpec

__all__ = ["check_bodies"]

_SAME: Final = re.compile(r"(\S+) = (.+)")
"""A size as it is written in the annotation, and as it is computed."""

_LOOKS: Final = ("assert", "check", "error", "ensure", "raise", "broadcast_shapes")
"""Parts of the names of functions that look at sizes and may raise."""


def check_bodies(tree: MypyFile, session: Session) -> None:
    """Tell what contradicts the annotations of the functions of a module that mypy has gone through."""
    stack: list[tuple[Node, tuple[FuncItem, ...]]] = [(tree, ())]
    while stack:
        node, around = stack.pop()
        if isinstance(node, FuncDef | LambdaExpr):
            around = (*around, node)
            if isinstance(node, FuncDef) and isinstance(node.type, CallableType) and is_called_only(node):
                with inside(session.api, around):
                    _Body(node, node.type, session).check()
        stack += [(child, around) for child in children(node)]


class _Body:
    """One function, and the sizes that its parameters give to names."""

    def __init__(self, function: FuncDef, signature: CallableType, session: Session) -> None:
        self.function = function
        self.session = session
        self.mark = owner_mark(session.module, function)
        self.looks = False
        self.result = signature.ret_type
        self.names = {
            spec.text
            for t, kind in zip(signature.arg_types, signature.arg_kinds)
            if kind in (ArgKind.ARG_POS, ArgKind.ARG_NAMED)
            for array in _certain(t)
            for spec in dims_of(array)
            if _is_rigid(spec)
        }
        self.possible = [
            {spec.text for spec in dims if _is_rigid(spec)} for t in signature.arg_types for dims in dims_of_all(t)
        ]
        """The names of each array that parameters may hold: one in a list, which may be empty, an optional one."""

    def check(self) -> None:
        """Look at what is returned, and at annotated variables."""
        is_generator = self.function.is_generator or self.function.is_coroutine
        returns = not is_generator and any(True for _ in dims_of_all(self.result))
        statements = list(_own(self.function.body))
        self.looks = any(map(_may_look, statements))
        for statement in statements:
            if returns and isinstance(statement, ReturnStmt) and statement.expr is not None:
                self._hold_expression(self.result, statement.expr, f"{self.function.name}: the returned value")
            elif isinstance(statement, AssignmentStmt) and statement.type is not None and len(statement.lvalues) == 1:
                target = statement.lvalues[0]
                if isinstance(target, NameExpr) and isinstance(target.node, Var) and target.node.type is not None:
                    self._hold_expression(target.node.type, statement.rvalue, f"{target.name}: the value")

    def _hold_expression(self, expected: Type, given: Expression, what: str) -> None:
        self._hold(expected, Given(given, self.session.stored(given)), what, given)

    def _hold(self, expected: Type, given: Given, what: str, context: Expression, is_loose: bool = False) -> None:
        """Tell what of a value is not as its annotation names it."""
        p = get_finite_type(expected)
        tree = tree_of(p)
        if isinstance(given.expression, ConditionalExpr):
            for branch in (given.expression.if_expr, given.expression.else_expr):
                self._hold(p, Given(branch, self.session.stored(branch)), what, branch, is_loose)
        elif isinstance(p, UnionType):
            members = members_of(p, given, self.session)
            if len(members) == 1:
                self._hold(members[0], given, what, context, is_loose)
        elif tree is not None:
            for path, leaf in leaves_of(given, self.session):
                if leaf is not None and tree.dims:
                    self._hold_array(tree.dims, leaf, f"{what}{path}", context)
        elif is_plain_tuple(p) or several(p) is not None:
            items = items_of(given, self.session)
            is_loose = is_loose or several(p) is not None
            for item, path, one in (None if items is None else parts_of(p, items)) or ():
                self._hold(item, one, f"{what}{path}", context, is_loose)
        elif is_loose and (why := contradiction(p, given, what, self.session)) is not None:
            self.session.fail(why, given.expression or context, "array-annotation", TypeError)
        elif (array := named_array(p)) is not None:
            self._hold_array(dims_of(array), given, what, context)

    def _hold_array(self, dims: tuple[DimSpec, ...], given: Given, what: str, context: Expression) -> None:
        shape = shape_given(given, self.session)
        why = None if shape is None else self._why(dims, shape)
        if why is not None and shape is not None:
            message = f"{what} has the shape {sizes_text(shape)}: {why}; change the value or the annotation"
            self.session.fail(message, given.expression or context, "array-annotation", TypeError)

    def _why(self, dims: tuple[DimSpec, ...], shape: Shape) -> str | None:
        from arraytyping.checker.flow.contracts.bindings import Bindings
        from arraytyping.checker.flow.contracts.dimensions import Mismatch, Place, check_shape

        if any(d.variadic for d in dims):
            if len(shape) < len(dims) - 1:
                return None
        elif len(dims) != len(shape):
            return None  # mypy itself compares the number of dimensions
        bindings = Bindings()
        names = self.names | self._seen(shape)
        bindings.single = {n: ((symbol(n, self.mark), "the parameters"),) for n in names}
        verdict = check_shape(dims, shape, bindings, Place("the value", "here"))
        if isinstance(verdict, Mismatch):
            return _SAME.sub(lambda m: m[2] if m[1] == m[2].replace(" ", "") else m[0], plain_text(verdict.reason))
        if self.looks:
            return None
        found = (self._rigid(i, spec, size, names, bindings) for i, spec, size in _pairs(dims, shape))
        return next((why for why in found if why is not None), None)

    def _seen(self, shape: Shape) -> set[str]:
        """The names that have sizes for certain, since a shape is computed of them or of those beside them."""
        found: set[str] = set()
        for name in {name for names in self.possible for name in names}:
            if _occurs(symbol(name, self.mark), shape):
                found |= set.intersection(*(names for names in self.possible if name in names))
        return found

    def _rigid(self, index: int, spec: DimSpec, size: Dim, names: set[str], bindings: Bindings) -> str | None:
        """Why a size is not what the names of the parameters make of it, whatever they stand for."""
        from arraytyping.checker.flow.contracts.symbolic import evaluate

        if spec.broadcastable or not isinstance(size, SymbolicDim):
            return None
        if spec.kind == "named":
            wanted = of_dim(symbol(spec.text, self.mark)) if spec.text in names else None
        else:
            number = evaluate(spec.text, bindings, None) if spec.kind == "symbolic" else None
            wanted = number if isinstance(number, Size) else None
        given = of_dim(size)
        if given is None or wanted is None:
            return None
        rigid = {symbol(n, self.mark).name for n in names}
        difference = given - wanted
        if difference.operations or not difference.symbols or not {s.name for s in difference.symbols} <= rigid:
            return None
        return f"its dimension {index} is {plain_text(str(size))}, not {spec.text}"


def _pairs(dims: tuple[DimSpec, ...], shape: Shape) -> Iterator[tuple[int, DimSpec, Dim]]:
    """The dimensions with their sizes, but those that stand for several."""
    behind = len(shape) - len(dims)
    shift = 0
    for i, spec in enumerate(dims):
        if spec.variadic:
            shift = behind
        else:
            yield i + shift, spec, shape[i + shift]


def _is_rigid(spec: DimSpec) -> bool:
    return spec.kind == "named" and not (spec.variadic or spec.broadcastable or spec.by_leaf)


def _occurs(name: SymbolicDim, shape: Shape) -> bool:
    """Whether a size of a shape is computed of this one, so that there was an array that had it."""
    sizes = (of_dim(d) for d in shape if isinstance(d, SymbolicDim))
    return any(s.name == name.name for size in sizes if size is not None for s in size.symbols)


def _certain(t: Type) -> Iterator[Instance]:
    """The arrays that a parameter certainly holds."""
    p = get_finite_type(t)
    array = named_array(p)
    if array is not None:
        yield array
    elif is_plain_tuple(p):
        for item in p.items:
            yield from _certain(item)


def _own(node: Node) -> Iterator[Node]:
    """The nodes of a body, without those of functions in it."""
    yield node
    if not isinstance(node, FuncDef | LambdaExpr | ClassDef):
        for child in children(node):
            yield from _own(child)


def _may_look(node: Node) -> bool:
    """Whether a statement may look at sizes and go no further."""
    if isinstance(node, CallExpr):
        name = getattr(node.callee, "name", "")
        return isinstance(name, str) and any(part in name.lower() for part in _LOOKS)
    return isinstance(node, AssertStmt | RaiseStmt)
