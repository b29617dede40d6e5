"""Operators with an array on either side, subscripts and unary operators.

mypy tries `__add__` of the left operand and `__radd__` of the right one under an error filter, takes the first
without an error, and shows the errors of the first otherwise: so both report.  Of `1 + x` it shows that of
`int.__add__`, so that ours goes past the filter.  With a union on the right it asks for `__radd__` of the whole
union, for which there is no hook: the result is any array then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from mypy import operators
from mypy.nodes import ComparisonExpr, Expression, IndexExpr, OpExpr, UnaryExpr
from mypy.plugin import MethodContext
from mypy.types import Instance, Type, UnionType, get_proper_type

from arraytyping.semantics.avals import UNKNOWN, Alternatives, ShapedArray
from arraytyping_mypy.arguments import read, whole_union
from arraytyping_mypy.calls import Answer, answer, report, result_type
from arraytyping_mypy.checker import stored_type, unfiltered
from arraytyping_mypy.convert import unknown_array, value_of
from arraytyping_mypy.names import ARRAYS
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions

__all__ = ["METHODS", "call_ndarray_operator", "call_operator", "call_scalar_comparison"]

_BINARY: Final = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "matmul",
    "and", "or", "xor", "lshift", "rshift",
)  # fmt: skip
_COMPARISONS: Final = ("lt", "le", "gt", "ge", "eq", "ne")
METHODS: Final = frozenset(
    [f"__{o}__" for o in (*_BINARY, *_COMPARISONS, "neg", "pos", "abs", "invert", "getitem")]
    + [f"__r{o}__" for o in _BINARY]
)
"""The special methods that this module takes."""


def call_operator(rule: str, sessions: Sessions, ctx: MethodContext) -> Type:
    """`x + y` and its kin, on the array whose method this is."""
    session = sessions.of(ctx.api)
    if not session.is_active:
        return ctx.default_return_type
    name = rule.partition(".")[2]
    left, right = _sides(ctx.context)
    own, other = (right, left) if _is_reflected(name, ctx.context) else (left, right)
    receiver = _operand(own, ctx.type, session)
    if not ctx.args or not ctx.args[0]:
        return _finish(rule, [receiver], ctx, session, [own])
    operand = _operand(other or ctx.args[0][0], ctx.arg_types[0][0], session)
    if isinstance(operand, str) and receiver == ShapedArray(None, None):
        return ctx.default_return_type  # annotations say `jnp.ndarray` of a dict of arrays, too
    return _finish(rule, [receiver, operand], ctx, session, [own, other], reflected=own is right)


def _is_reflected(name: str, context: object) -> bool:
    """Whether the array whose method this is stands on the right."""
    if isinstance(context, ComparisonExpr):  # `None < x` is `x.__gt__(None)`
        return len(context.operators) == 1 and operators.op_methods.get(context.operators[0]) != name
    return name.startswith("__r") and name != "__rshift__"


def call_ndarray_operator(
    rule: str, sessions: Sessions, otherwise: Callable[[MethodContext], Type], ctx: MethodContext
) -> Type:
    """`n + x` with a NumPy array or scalar on the left: NumPy hands over to the array on the right, if it is JAX's."""
    left, right = _sides(ctx.context)
    made = _handed_over(rule, sessions, ctx, left, right)
    return otherwise(ctx) if made is ctx.default_return_type else made


def call_scalar_comparison(
    rule: str, sessions: Sessions, otherwise: Callable[[MethodContext], Type], ctx: MethodContext
) -> Type:
    """`0 == x` and `0 != x`: for mypy any object compares with an int, and Python hands over to an array."""
    if not isinstance(ctx.context, ComparisonExpr):
        return ctx.default_return_type
    made = _handed_over(rule, sessions, ctx, _sides(ctx.context)[0], None)
    return otherwise(ctx) if made is ctx.default_return_type else made


def _handed_over(
    rule: str, sessions: Sessions, ctx: MethodContext, left: Expression | None, right: Expression | None
) -> Type:
    """What the array on the right gives; where that is one of several types, only for those that are arrays."""
    if not ctx.args or not ctx.args[0]:
        return ctx.default_return_type
    given = get_proper_type(ctx.arg_types[0][0])
    members = [get_proper_type(t) for t in given.items] if isinstance(given, UnionType) else [given]
    arrays = [t for t in members if isinstance(t, Instance) and t.type.fullname in ARRAYS]
    session = sessions.of(ctx.api) if arrays else None
    if session is None or not session.is_active:
        return ctx.default_return_type
    is_whole = len(arrays) == len(members)
    array = UnionType.make_union(list(arrays))
    receiver = _operand(right if is_whole else None, array, session)
    operand = _operand(left, ctx.type, session)
    result = _finish(rule, [receiver, operand], ctx, session, [right, left], array_result=True)
    return result if is_whole else UnionType.make_union([result, ctx.default_return_type])


def _operand(expression: Expression | None, t: Type, session: Session) -> Any:
    return value_of(t, session) if expression is None else read(expression, t, session)


def _sides(context: object) -> tuple[Expression | None, Expression | None]:
    """The operands of the expression, where it is one whose operands can be told apart."""
    if isinstance(context, OpExpr):
        return context.left, context.right
    if isinstance(context, IndexExpr):
        return context.base, context.index
    if isinstance(context, UnaryExpr):
        return context.expr, None
    if isinstance(context, ComparisonExpr) and len(context.operands) == 2:
        return context.operands[0], context.operands[1]
    return None, None


def _finish(
    rule: str,
    operands: list[Any],
    ctx: MethodContext,
    session: Session,
    expressions: list[Expression | None],
    *,
    reflected: bool = False,
    array_result: bool = False,
) -> Type:
    made = answer(rule, operands, {}, session)
    default = unknown_array(session) if array_result else ctx.default_return_type
    if made is None:
        return default
    if made.error is not None:
        # mypy asks for each member of a union on its own; it is a mistake only if all of them are.
        whole = _for_whole_unions(rule, operands, expressions, session)
        if whole is None or whole.error is None:
            return default
        made = whole
    if made.error is not None or made.warnings:
        if reflected and not _is_array(expressions[1], session):
            with unfiltered(session.api):
                told = report(made, ctx.context, session)
        else:  # mypy shows it where it tries this variant first
            told = report(made, ctx.context, session) and not reflected
        if told:
            arguments = (argument for given in ctx.args for argument in given)
            session.refused_operators.add(e for e in (ctx.context, *_sides(ctx.context), *arguments) if e is not None)
    return result_type(made, default, session)


def _is_array(expression: Expression | None, session: Session) -> bool:
    t = stored_type(session.api, expression) if expression is not None else None
    value = None if t is None else value_of(t, session)
    return any(isinstance(v, ShapedArray) for v in (value.values if isinstance(value, Alternatives) else (value,)))


def _for_whole_unions(
    rule: str, operands: list[Any], expressions: list[Expression | None], session: Session
) -> Answer | None:
    """The answer for the operands as they stand in the program, with all members of their unions."""
    whole: list[Any] = list(operands)
    for i, expression in enumerate(expressions[: len(operands)]):
        union = whole_union(expression, session)
        if union is UNKNOWN:
            return None
        if union is not None:
            whole[i] = union
    return answer(rule, whole, {}, session)
