"""Times that are taken before the work is done: a call of a jitted function returns as soon as its work is queued.

Looked at are two readings of a clock in one block of statements, with nothing between that may wait for a result:
calls of jitted functions and of jax's own, and Python without decisions.  A call that compiles takes its time at once,
so that one which was compiled before has to be there.  A function that waits anywhere knows what it measures.

Source: https://docs.jax.dev/en/latest/benchmarking.html and https://docs.jax.dev/en/latest/async_dispatch.html.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from typing import Final, NamedTuple

from arraytyping.checker.flow.state.compilations import COMPILED
from arraytyping.checker.flow.state.frozen import CLOCKS
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.syntax.dropped_results import PURE, is_chain
from arraytyping.checker.flow.values import BoundMethod, JitValue, Value
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["check_time"]

_CODE: Final = "array-unused"
_WAITS: Final = frozenset({"block_until_ready", "effects_barrier"})
_SIMPLE: Final = (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return)
_STEPS: Final = (range, len, zip, enumerate)
_SIZED_BY_VALUES: Final = frozenset({
    "argwhere", "extract", "flatnonzero", "intersect1d", "nonzero", "save", "savez", "setdiff1d", "setxor1d", "union1d",
    "unique", "where",
})  # fmt: skip
"""Functions of jax that need the elements of their arguments, or write them."""
_DECISIONS: Final = (
    ast.If, ast.While, ast.IfExp, ast.BoolOp, ast.Not, ast.Assert, ast.JoinedStr, ast.With, ast.AsyncWith, ast.Try,
    ast.AsyncFor, ast.Await, ast.Yield, ast.YieldFrom, ast.Return, ast.Raise, ast.Match, ast.AugAssign, ast.Delete,
)  # fmt: skip
"""What may ask for the elements of an array, or leave the block."""


class _Span(NamedTuple):
    """Two readings of a clock, and the statements between."""

    first: ast.Call
    second: ast.Call
    between: tuple[ast.stmt, ...]


def check_time(it: Interpreter, node: ast.BinOp, frame: Frame) -> None:
    """Report a difference of two times between which work is begun only."""
    if not frame.module.is_program or it.staged:
        return
    function = frame.function_frame().function
    span = _spans(frame.module.tree if function is None else function.node).get(node)
    if span is None or not all(_is_clock(it.evaluate(call.func, frame)) for call in span[:2]):
        return
    # Only straight code that does nothing but queue work is certain to be timed wrongly: whatever else is between
    # the two times may wait for a result.
    begun: ast.Call | None = None
    for statement in span.between:
        for inner in _inside(statement):
            if isinstance(inner, _DECISIONS) or (isinstance(inner, _STORES) and isinstance(inner.ctx, ast.Store)):
                return
            if isinstance(inner, ast.Call):
                if not is_chain(inner.func):
                    return
                called = it.evaluate(inner.func, frame)
                while isinstance(called, BoundMethod):
                    called = called.function
                if isinstance(called, JitValue):
                    begun = inner if id(inner) in COMPILED.of(it).again else begun
                elif not _only_queues(called):
                    return
    if begun is not None:
        message = (
            f"the time is taken before {ast.unparse(begun.func)} (line {begun.lineno}) is done: the call returns as "
            "soon as its work is queued; wait for the result first: jax.block_until_ready(...)"
        )
        it.remark(span.second, _CODE, message)


_STORES: Final = (ast.Subscript, ast.Attribute)


def _only_queues(function: Value) -> bool:
    """Whether a function waits for no array: a step of Python, or one of jax that gives arrays of known sizes."""
    is_pure = PURE.match(str(getattr(function, "__module__", ""))) is not None
    return function in _STEPS or (is_pure and getattr(function, "__name__", "") not in _SIZED_BY_VALUES)


def _is_clock(function: Value) -> bool:
    try:
        return function in CLOCKS
    except TypeError:  # it cannot be hashed
        return False


@functools.lru_cache(maxsize=256)
def _spans(scope: ast.AST) -> dict[ast.AST, _Span]:
    """The differences of times in a function or a module, but for one that waits for results; each with its span."""
    inside = list(_inside(scope))
    if any(getattr(n, "attr", getattr(n, "id", "")) in _WAITS for n in inside):
        return {}
    found: dict[ast.AST, _Span] = {}
    for node in inside:
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                found.update(_spans_of(block))
    return found


def _spans_of(block: list[ast.stmt]) -> Iterator[tuple[ast.AST, _Span]]:
    """The differences of times in a block whose readings are statements of it, or parts of them."""
    readings: dict[str, tuple[int, ast.Call]] = {}
    for i, statement in enumerate(block):
        for node in _inside(statement) if isinstance(statement, _SIMPLE) else ():
            if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Sub):
                continue
            first = readings.get(node.right.id) if isinstance(node.right, ast.Name) else None
            second = readings.get(node.left.id) if isinstance(node.left, ast.Name) else (i, node.left)
            if first is None or second is None or not isinstance(second[1], ast.Call) or second[1].args:
                continue
            between = tuple(block[first[0] + 1 : second[0]])
            if second[0] < i or _is_alone(second[1], statement, between):
                yield node, _Span(first[1], second[1], between)
        for target in getattr(statement, "targets", ()):
            if isinstance(target, ast.Name):
                value = getattr(statement, "value", None)  # `del` has none
                readings.pop(target.id, None)
                if isinstance(value, ast.Call) and not value.args:
                    readings[target.id] = i, value


def _is_alone(reading: ast.Call, statement: ast.stmt, between: tuple[ast.stmt, ...]) -> bool:
    """Whether nothing else of a statement that reads a clock is called, and no new value is formatted."""
    new = {n.id for s in between for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    others = [
        n
        for n in ast.walk(statement)
        if isinstance(n, ast.Call | ast.FormattedValue) and not any(inner is reading for inner in ast.walk(n))
    ]
    return all(
        isinstance(n, ast.FormattedValue)
        and isinstance(n.value, ast.Name | ast.Constant)
        and getattr(n.value, "id", "") not in new
        for n in others
    )


def _inside(scope: ast.AST) -> Iterator[ast.AST]:
    """What is executed with a piece of code: not the functions and classes that it defines."""
    waiting = [scope]
    while waiting:
        node = waiting.pop()
        yield node
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
                waiting.append(child)
