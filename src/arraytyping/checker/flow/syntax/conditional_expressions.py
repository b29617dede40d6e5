"""Expressions of which not every part is evaluated: `x if y else z`, `and`, `or`, and comparisons in a row."""

from __future__ import annotations

import ast
from typing import Any, Final

from arraytyping.checker.flow.state.branching import branch
from arraytyping.checker.flow.state.certainty import Undecided, depends_on_data, undecided, under
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join, join_all, joining_in_doubt
from arraytyping.checker.flow.state.may_raise import note_comparison
from arraytyping.checker.flow.state.platforms import PlatformText, compared_platform
from arraytyping.checker.flow.syntax.branches import evaluate_if
from arraytyping.checker.flow.values import MISSING, ScalarValue, UnionValue, Value
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["bool_op", "compare", "if_expression"]


def if_expression(it: Interpreter, node: ast.IfExp, frame: Frame) -> Value:
    """`x if y else z`: both where the condition is not known."""
    value = it.evaluate(node.test, frame)
    known = it.truth(value, node.test)
    if known is not None:
        return it.evaluate(node.body if known else node.orelse, frame)
    paths: list[tuple[ast.expr, bool, ast.expr | None]] = [
        (node.test, True, node.body),
        (node.test, False, node.orelse),
    ]
    return _either(it, undecided(it, value, node.test), paths, frame)


def _either(
    it: Interpreter, why: Undecided, paths: list[tuple[ast.expr, bool, ast.expr | None]], frame: Frame
) -> Value:
    """The join of expressions of which one is evaluated: each with the condition that leads to it."""
    values: list[Value] = []

    def path(test: ast.expr, holds: bool, body: ast.expr | None) -> Any:
        def run() -> bool:
            if body is not None:
                values.append(under(it, why, holds, lambda: evaluate_if(it, test, holds, body, frame)))
            return True

        return run

    branch(it, frame, [path(*p) for p in paths], not why.is_data)
    with joining_in_doubt(not why.is_data):
        return join_all(values)


def bool_op(it: Interpreter, node: ast.BoolOp, frame: Frame) -> Value:
    """`and` and `or`: the operands up to the one that decides."""
    is_and = isinstance(node.op, ast.And)
    value = it.evaluate(node.values[0], frame)
    return _rest_of_bool_op(it, node, 0, value, is_and, frame)


def _rest_of_bool_op(it: Interpreter, node: ast.BoolOp, i: int, value: Value, is_and: bool, frame: Frame) -> Value:
    """The result from operand `i` on, which has this value."""
    if i == len(node.values) - 1:
        return value
    known = it.truth(value, node.values[i])
    if known is not None:
        if known is not is_and:
            return value
        following = it.evaluate(node.values[i + 1], frame)
        return _rest_of_bool_op(it, node, i + 1, following, is_and, frame)
    rest = node.values[i + 1]
    if i + 1 < len(node.values) - 1:
        rest = ast.copy_location(ast.BoolOp(node.op, node.values[i + 1 :]), rest)
    # Where this operand decides, the rest is not evaluated, and has no effect.
    paths = [(node.values[i], is_and, rest), (node.values[i], not is_and, None)]
    why = undecided(it, value, node.values[i])
    rest_value = _either(it, why, paths, frame)
    with joining_in_doubt(not why.is_data):
        return join(_part(it, value, not is_and), rest_value)


def _part(it: Interpreter, value: Value, holds: bool) -> Value:
    """Of a value whose truth is not known what is left of it if that is known to be true, or false."""
    if isinstance(value, ScalarValue) and value.kinds == (bool,):
        return holds
    if isinstance(value, UnionValue):
        with it.quietly():
            left = [v for v in value.values if it.truth(v, None) in (None, holds)]
        return join_all(left) if left else value
    return value


_COMPARISONS: Final = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
    ast.Is: "is_", ast.IsNot: "is_not", ast.In: "in", ast.NotIn: "not_in",
}  # fmt: skip


def compare(it: Interpreter, node: ast.Compare, frame: Frame) -> Value:
    """Comparisons, also several in a row."""
    left = it.evaluate(node.left, frame)
    result: Value = MISSING
    for operator, comparator in zip(node.ops, node.comparators):
        right = it.evaluate(comparator, frame)
        if it.attempts:
            note_comparison(it, operator, left, right)
        one: Value = None
        if isinstance(left, PlatformText) or isinstance(right, PlatformText):
            one = compared_platform(it, operator, left, right, node)
        if one is None:
            one = it.binary(_COMPARISONS[type(operator)], left, right, node)
        if result is MISSING:
            result = one
        else:  # a < b < c is `a < b and b < c`
            known = it.truth(result, node)
            if known is None:
                with joining_in_doubt(not depends_on_data(result)):
                    result = join(_part(it, result, False), one)
            else:
                result = one if known else result
        left = right
        if result is False:
            break
    return result
