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
    Expression,
    FuncDef,
    FuncItem,
    LambdaExpr,
    MypyFile,
    NameExpr,
    Node,
    RaiseStmt,
    ReturnStmt,
    TupleExpr,
    Var,
)
from mypy.types import CallableType, Instance, Type, get_proper_type

from arraytyping.semantics.avals import Dim, Shape, SymbolicDim
from arraytyping.semantics.sizes.dims import of_dim
from arraytyping.semantics.sizes.polynomials import Size
from arraytyping_mypy.arguments import read
from arraytyping_mypy.checker import inside
from arraytyping_mypy.features.named_annotations import dims_of, dims_of_all, is_plain_tuple, named_array
from arraytyping_mypy.named_sizes import is_called_only, owner_mark, plain_text, symbol
from arraytyping_mypy.session import Session
from arraytyping_mypy.statics import shape_in
from arraytyping_mypy.walk import children

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
            if spec.kind == "named" and not (spec.variadic or spec.broadcastable or spec.by_leaf)
        }

    def check(self) -> None:
        """Look at what is returned, and at annotated variables."""
        is_generator = self.function.is_generator or self.function.is_coroutine
        returns = not is_generator and any(True for _ in dims_of_all(self.result))
        statements = list(_own(self.function.body))
        self.looks = any(map(_may_look, statements))
        for statement in statements:
            if returns and isinstance(statement, ReturnStmt) and statement.expr is not None:
                self._hold(self.result, statement.expr, f"{self.function.name}: the returned value")
            elif isinstance(statement, AssignmentStmt) and statement.type is not None and len(statement.lvalues) == 1:
                target = statement.lvalues[0]
                if isinstance(target, NameExpr) and isinstance(target.node, Var) and target.node.type is not None:
                    self._hold(target.node.type, statement.rvalue, f"{target.name}: the value")

    def _hold(self, expected: Type, given: Expression, what: str) -> None:
        p = get_proper_type(expected)
        if is_plain_tuple(p) and isinstance(given, TupleExpr) and len(given.items) == len(p.items):
            for number, (item, one) in enumerate(zip(p.items, given.items)):
                self._hold(item, one, f"{what}[{number}]")
            return
        array = named_array(p)
        if array is None:
            return
        shape = shape_in(read(given, None, self.session))
        why = None if shape is None else self._why(dims_of(array), shape)
        if why is not None and shape is not None:
            shown = ", ".join("?" if d is None else str(d) for d in shape)
            message = f"{what} has the shape [{shown}]: {why}; change the value or the annotation"
            self.session.fail(message, given, "array-annotation", TypeError)

    def _why(self, dims: tuple[DimSpec, ...], shape: Shape) -> str | None:
        from arraytyping.checker.flow.contracts.bindings import Bindings
        from arraytyping.checker.flow.contracts.dimensions import Mismatch, Place, check_shape

        if any(d.variadic for d in dims):
            if len(shape) < len(dims) - 1:
                return None
        elif len(dims) != len(shape):
            return None  # mypy itself compares the number of dimensions
        bindings = Bindings()
        bindings.single = {n: ((symbol(n, self.mark), "the parameters"),) for n in self.names}
        verdict = check_shape(dims, shape, bindings, Place("the value", "here"))
        if isinstance(verdict, Mismatch):
            return _SAME.sub(lambda m: m[2] if m[1] == m[2].replace(" ", "") else m[0], plain_text(verdict.reason))
        if self.looks or any(d.variadic for d in dims):
            return None
        found = (self._rigid(i, spec, size, bindings) for i, (spec, size) in enumerate(zip(dims, shape)))
        return next((why for why in found if why is not None), None)

    def _rigid(self, index: int, spec: DimSpec, size: Dim, bindings: Bindings) -> str | None:
        """Why a size is not what the names of the parameters make of it, whatever they stand for."""
        from arraytyping.checker.flow.contracts.symbolic import evaluate

        if spec.broadcastable or not isinstance(size, SymbolicDim):
            return None
        if spec.kind == "named":
            wanted = of_dim(symbol(spec.text, self.mark)) if spec.text in self.names else None
        else:
            number = evaluate(spec.text, bindings, None) if spec.kind == "symbolic" else None
            wanted = number if isinstance(number, Size) else None
        given = of_dim(size)
        if given is None or wanted is None:
            return None
        rigid = {symbol(n, self.mark).name for n in self.names}
        difference = given - wanted
        if difference.operations or not difference.symbols or not {s.name for s in difference.symbols} <= rigid:
            return None
        return f"its dimension {index} is {plain_text(str(size))}, not {spec.text}"


def _certain(t: Type) -> Iterator[Instance]:
    """The arrays that a parameter certainly holds."""
    p = get_proper_type(t)
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
