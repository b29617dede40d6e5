"""Which expressions of a followed body are certainly tracers, whose values nobody knows while JAX traces.

A function is traced by `jit`, by a loop or in a branch: each operation of JAX with a tracer gives a tracer there.  An
expression is one if it has an array's type and is a parameter that is traced, a part of such, a variable that holds
nothing but tracers, or an operation with a tracer.
"""

from __future__ import annotations

from typing import Final

from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    ConditionalExpr,
    Expression,
    FuncItem,
    IndexExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    ReturnStmt,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.types import Instance, TupleType, get_proper_type

from arraytyping.semantics.avals import ShapedArray
from arraytyping_mypy.convert import arrays_of
from arraytyping_mypy.features.stacking import is_plain_array
from arraytyping_mypy.frameworks import function_rule, method_rule
from arraytyping_mypy.names import ARRAY
from arraytyping_mypy.records import Followed, Tracing
from arraytyping_mypy.session import Session
from arraytyping_mypy.walk import children

__all__ = ["NOT_TRACED", "Tracers", "gives_tracers", "within"]

NOT_TRACED: Final = frozenset({
    "result_type", "shape", "ndim", "size", "dtype", "zeros_like", "ones_like", "full_like", "empty_like", "histogram",
    "histogram2d", "histogramdd", "histogram_bin_edges",
})  # fmt: skip
"""The operations of which a result may hang on no more than a tracer's type, or on other arguments."""


class Tracers:
    """The tracers among the expressions of one followed function."""

    def __init__(self, node: Followed, tracing: Tracing, session: Session) -> None:
        self._node = node
        self._tracing = tracing
        self._session = session
        self._known: dict[Expression, bool] = {}
        self._variables: dict[Var, bool] = {}
        function = node.original
        self._parameters = {} if function is None else {a.variable: a.variable.name for a in function.arguments}

    def array(self, e: Expression) -> ShapedArray | None:
        """What is known of an expression that certainly is an array and a tracer; None if it may be anything else."""
        arrays = self.arrays(e)
        return arrays[0] if arrays and self.is_tracer(e) else None

    def arrays(self, e: Expression) -> list[ShapedArray]:
        """The arrays of JAX that an expression may be; none if it may be anything else."""
        t = self._node.types.get(e)
        return arrays_of(t, self._session) if t is not None and is_plain_array(t) else []

    def is_tracer(self, e: Expression) -> bool:
        """Whether each array in what an expression gives is a tracer."""
        if e not in self._known:
            self._known[e] = True  # of a variable that is bound by itself the other bindings decide
            self._known[e] = self._is_tracer(e)
        return self._known[e]

    def parameter(self, e: Expression) -> str | None:
        """The name of the parameter that an expression is, if that is given by the transformation itself."""
        if not isinstance(e, NameExpr) or not isinstance(e.node, Var):
            return None
        name = self._parameters.get(e.node)
        is_own = self._node.original is not None and self._node.original.line == self._tracing.line
        is_bound_again = len(self._session.bindings.values(e.node)) > 1
        return name if is_own and not is_bound_again and name in self._tracing.tracers else None

    def _is_tracer(self, e: Expression) -> bool:
        match e:
            case NameExpr():
                return isinstance(e.node, Var) and self._is_variable(e.node)
            case MemberExpr():
                return self._is_member(e)
            case IndexExpr():
                if not self.arrays(e.base):
                    return self.is_tracer(e.base) and self._is_tree(e.base)
                return bool(self.arrays(e)) and (self.is_tracer(e.base) or self._among([e.index]))
            case OpExpr():
                return bool(self.arrays(e)) and e.op not in ("and", "or") and self._among([e.left, e.right])
            case ComparisonExpr():
                return bool(self.arrays(e)) and len(e.operators) == 1 and self._among(e.operands)
            case UnaryExpr():
                return e.op != "not" and bool(self.arrays(e)) and self.is_tracer(e.expr)
            case ConditionalExpr():
                return self.is_tracer(e.if_expr) and self.is_tracer(e.else_expr)
            case CallExpr():
                return bool(self.arrays(e)) and self._is_call(e)
        return False

    def _among(self, operands: list[Expression]) -> bool:
        """Whether one of these is an array and a tracer."""
        for operand in operands:
            if isinstance(operand, TupleExpr | ListExpr):
                if self._among(operand.items):
                    return True
            elif self.array(operand) is not None:
                return True
        return False

    def _is_variable(self, variable: Var) -> bool:
        bindings = self._session.bindings
        if bindings.owner_of(variable) is not self._node.original or variable.is_self:
            return False
        values = bindings.values(variable)
        if variable in self._parameters:
            if self._parameters[variable] not in self._tracing.tracers or values.count(None) != 1:
                return False
            return all(v is None or self.is_tracer(v) for v in values)
        item = bindings.only_item(variable)
        if item is not None:
            return self.is_tracer(item.whole)
        return bool(values) and all(v is not None and self.is_tracer(v) for v in values)

    def _is_tree(self, e: Expression) -> bool:
        """Whether what is in an expression is what JAX finds in it: it is a container of Python, or a named tuple."""
        t = self._node.types.get(e)
        p = None if t is None else get_proper_type(t)
        if isinstance(p, TupleType):
            return True
        return isinstance(p, Instance) and p.type.fullname in ("builtins.list", "builtins.dict", "builtins.tuple")

    def _is_member(self, e: MemberExpr) -> bool:
        if not self.is_tracer(e.expr):
            return False
        if self.arrays(e.expr):
            return bool(self.arrays(e)) and method_rule(f"{ARRAY}.{e.name}") is not None
        t = self._node.types.get(e.expr)
        p = None if t is None else get_proper_type(t)
        info = p.partial_fallback.type if isinstance(p, TupleType) else None
        if info is None or not info.is_named_tuple:
            return False
        symbol = info.names.get(e.name)
        return symbol is not None and isinstance(symbol.node, Var)

    def _is_call(self, call: CallExpr) -> bool:
        for child, sites in self._node.sites.items():
            if call in sites:
                inner = within(child, call, self, self._tracing, self._session)
                return inner is not None and gives_tracers(child, type(self)(child, inner, self._session))
        callee = call.callee
        if not isinstance(callee, RefExpr):
            return False
        if isinstance(callee, MemberExpr) and self.arrays(callee.expr):
            is_known = method_rule(f"{ARRAY}.{callee.name}") is not None and callee.name not in NOT_TRACED
            return is_known and self._among([callee.expr, *call.args])
        rule = function_rule(callee.fullname)
        return rule is not None and rule.rpartition(".")[2] not in NOT_TRACED and self._among(call.args)


def within(child: Followed, site: Expression, outer: Tracers, tracing: Tracing, session: Session) -> Tracing | None:
    """The trace in a function that is called from one that is traced; None if the call says something else of it."""
    if not isinstance(site, CallExpr) or not isinstance(site.callee, NameExpr) or child.original is None:
        return None
    function = site.callee.node
    if not isinstance(function, FuncItem) or session.following.original(function) is not child.original:
        return None
    if any(kind.is_star() for kind in site.arg_kinds) or any(a.kind.is_star() for a in child.original.arguments):
        return None
    names = [a.variable.name for a in child.original.arguments]
    given = [
        (name or names[i], e) for i, (e, name) in enumerate(zip(site.args, site.arg_names)) if name or i < len(names)
    ]
    tracers = frozenset(name for name, e in given if outer.is_tracer(e))
    return Tracing(tracing.by, tracing.function, tracing.line, tracers, is_derivative=tracing.is_derivative)


def gives_tracers(node: Followed, inside: Tracers, *, is_pair: bool = False) -> bool:
    """Whether a function returns tracers only, or a pair of which the first part is one."""
    function = node.original
    if function is None or function.is_generator:
        return False
    found: list[Expression | None] = []
    stack = list(children(function.body))
    while stack:
        one = stack.pop()
        if isinstance(one, ReturnStmt):
            if one.expr is None or one.expr in node.types:
                e = one.expr
                found.append(e.items[0] if is_pair and isinstance(e, TupleExpr) and len(e.items) == 2 else e)
        elif not isinstance(one, FuncItem):
            stack += children(one)
    return bool(found) and all(e is not None and inside.array(e) is not None for e in found)
