"""What a traced function asks a tracer for that it does not have: a truth, a number, a size.

It is told of what certainly is a tracer, with flow's sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from mypy.nodes import (
    AssertStmt,
    AssignmentStmt,
    CallExpr,
    ConditionalExpr,
    DelStmt,
    Expression,
    FuncItem,
    IfStmt,
    IndexExpr,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    OpExpr,
    RefExpr,
    TupleExpr,
    UnaryExpr,
    WhileStmt,
)

from arraytyping.checker.traced_sentences import (
    LOOP_ADVICE,
    MASK_ADVICE,
    OTHERWISE,
    SIZE_ADVICE,
    SIZED,
    mask_sentence,
    not_known_sentence,
    number_sentence,
    python_value_sentence,
    sized_sentence,
    static_sentence,
    truth_sentence,
)
from arraytyping.semantics.avals import ShapedArray
from arraytyping_mypy.frameworks import function_rule
from arraytyping_mypy.records import Followed, Mistake, Tracing
from arraytyping_mypy.session import Session
from arraytyping_mypy.tracers import Tracers
from arraytyping_mypy.walk import children

__all__ = ["traced_mistakes"]

_NUMBERS: Final = {f"builtins.{name}": name for name in ("int", "float", "complex")}
_SHAPES: Final = frozenset({"zeros", "ones", "empty", "full"})
"""The functions whose first argument is a shape."""


def traced_mistakes(node: Followed, tracers: Tracers, tracing: Tracing, session: Session) -> Iterator[Mistake]:
    """What certainly fails in a function that is traced, wherever it comes to that."""
    if node.original is None or session.is_compiling_off:
        return
    yield from _Body(tracers, tracing).mistakes(node.original)


class _Body:
    def __init__(self, tracers: Tracers, tracing: Tracing) -> None:
        self._tracers = tracers
        self._tracing = tracing

    def mistakes(self, function: FuncItem) -> Iterator[Mistake]:
        """Those of a function itself, not of the functions in it."""
        stack: list[Node] = [function.body]
        while stack:
            node = stack.pop()
            if isinstance(node, FuncItem):
                continue
            for place, message in self._of(node):
                exception = IndexError if isinstance(place, IndexExpr) else TypeError
                yield Mistake(place, message, "array-traced", exception)
            below = children(node)
            if isinstance(node, AssignmentStmt | OperatorAssignmentStmt | DelStmt):
                below = [node.rvalue] if isinstance(node, AssignmentStmt) else []
            stack.extend(below)

    def _of(self, node: Node) -> Iterator[tuple[Expression, str]]:
        match node:
            case IfStmt():
                yield from (found for e in node.expr for found in self._truth(e))
            case WhileStmt() | AssertStmt():
                yield from self._truth(node.expr)
            case ConditionalExpr():
                yield from self._truth(node.cond)
            case OpExpr() if node.op in ("and", "or"):
                yield from self._truth(node.left)
            case UnaryExpr() if node.op == "not":
                yield from self._truth(node.expr)
            case IndexExpr():
                yield from self._mask(node)
            case CallExpr():
                yield from self._call(node)

    def _truth(self, e: Expression) -> Iterator[tuple[Expression, str]]:
        array = self._scalar(e)
        if array is not None:
            yield e, truth_sentence(array, self._static([], e))

    def _mask(self, e: IndexExpr) -> Iterator[tuple[Expression, str]]:
        masks = self._tracers.arrays(e.index)
        base = e.base.expr if isinstance(e.base, MemberExpr) and e.base.name == "at" else e.base
        if not masks or not self._tracers.arrays(base) or self._tracers.array(e.index) is None:
            return
        if all(m.dtype == "bool" and m.shape for m in masks):
            yield e, mask_sentence(self._not_known([e.index], e, MASK_ADVICE))

    def _call(self, call: CallExpr) -> Iterator[tuple[Expression, str]]:
        callee, positional = call.callee, [e for e, k in zip(call.args, call.arg_kinds) if k.is_positional()]
        if any(k.is_star() for k in call.arg_kinds) or not isinstance(callee, RefExpr):
            return
        if callee.fullname in _NUMBERS and len(call.args) == 1:
            array = self._scalar(call.args[0])
            if array is not None:
                yield call, number_sentence(_NUMBERS[callee.fullname], array)
        elif callee.fullname == "builtins.range":
            wrong = [e for e in call.args if self._scalar(e) is not None]
            if wrong:
                yield call, f"range: {self._not_known(wrong[:1], call, LOOP_ADVICE)}"
        elif isinstance(callee, MemberExpr) and callee.name in ("item", "tolist") and not call.args:
            array = self._tracers.array(callee.expr)
            if array is not None:
                yield call, python_value_sentence(callee.name, array)
        rule = function_rule(callee.fullname) or ""
        name = rule.removeprefix("numpy.")
        named = {n: e for n, e in zip(call.arg_names, call.args) if n is not None}
        if name in _SHAPES:
            shape = positional[0] if positional else named.get("shape")
            sizes = shape.items if isinstance(shape, TupleExpr) else [] if shape is None else [shape]
            wrong = [e for e in sizes if self._scalar(e) is not None]
            if wrong:
                yield call, f"{name}: {self._not_known(wrong, call, '')}"
        elif name in SIZED and positional and (name != "where" or len(call.args) == 1):
            size = named.get("size")
            wrong = positional[:1] if size is None else [size]
            if ("size" not in named or self._scalar(wrong[0]) is not None) and self._tracers.array(wrong[0]):
                yield call, sized_sentence(name, self._not_known(wrong, call, SIZE_ADVICE))

    def _scalar(self, e: Expression) -> ShapedArray | None:
        """A tracer that certainly has no dimensions."""
        if any(a.shape != () for a in self._tracers.arrays(e)):
            return None
        return self._tracers.array(e)

    def _not_known(self, wrong: Sequence[Expression], node: Expression, advice: str) -> str:
        names = {name: None for e in wrong if (name := self._tracers.parameter(e)) is not None}
        arrays = [a for e in wrong if (a := self._tracers.array(e)) is not None]
        if len(names) == len(wrong):
            subject = f"the value of {' and '.join(f'`{n}`' for n in names)}"
        else:
            types = dict.fromkeys(f"{a.dtype or '?'}[{_sizes(a)}]" for a in arrays)
            subject = f"a value of type {' or '.join(types)}"
        tracing = self._tracing
        where = f" (line {tracing.line})" if tracing.line else ""
        said = self._static(list(names) if len(names) == len(wrong) else [], node) or advice or OTHERWISE
        return not_known_sentence(subject, tracing.by, tracing.function, where, said)

    def _static(self, names: list[str], node: Expression) -> str | None:
        """Which arguments to mark as static, if they are such that can be."""
        if not names:
            names = [n for e in _names_in(node) if self._scalar(e) and (n := self._tracers.parameter(e)) is not None]
            names = list(dict.fromkeys(names))
        if not names or not set(names) <= self._tracing.hashable or self._tracing.by != "jit":
            return None
        return static_sentence(self._tracing.function, names, self._tracing.has_static)


def _names_in(node: Node) -> list[Expression]:
    found = [node]
    for one in found:
        found.extend(children(one))
    return [n for n in found if isinstance(n, NameExpr)]


def _sizes(array: ShapedArray) -> str:
    return "..." if array.shape is None else ", ".join("?" if s is None else str(s) for s in array.shape)
