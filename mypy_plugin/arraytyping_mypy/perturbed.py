"""Which expressions of a followed body certainly hang on what a function is differentiated by.

That is known of arrays of floats that come about by operations whose derivatives are not zero: what has no derivative
(`jnp.round`, integers, `stop_gradient`) is cut off from what it was computed of.

Source: `JVPTrace.process_custom_vjp_call` in jax/_src/interpreters/ad.py, which asks no rule otherwise.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from mypy.nodes import CallExpr, Expression, FloatExpr, IndexExpr, IntExpr, MemberExpr, OpExpr, RefExpr, UnaryExpr

from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.dtype_kinds import ANY_FLOAT
from arraytyping_mypy.features.differentiated import refused_by
from arraytyping_mypy.features.stacking import leaves
from arraytyping_mypy.frameworks import function_rule, method_rule
from arraytyping_mypy.names import ARRAY
from arraytyping_mypy.records import Followed, Mistake, Tracing
from arraytyping_mypy.session import Session
from arraytyping_mypy.tracers import Tracers, gives_tracers

__all__ = ["Perturbed", "refused_rules"]

_SMOOTH: Final = frozenset({
    "sum", "mean", "var", "std", "max", "min", "exp", "log", "log1p", "expm1", "tanh", "sinh", "cosh", "sin", "cos",
    "sqrt", "square", "abs", "absolute", "dot", "matmul", "vdot", "inner", "outer", "tensordot", "einsum", "add",
    "subtract", "multiply", "divide", "true_divide", "negative", "maximum", "minimum", "reshape", "ravel",
    "transpose", "swapaxes", "moveaxis", "squeeze", "expand_dims", "broadcast_to", "concatenate", "stack", "hstack",
    "vstack", "where", "array", "asarray", "astype", "norm", "logaddexp", "logsumexp", "relu", "gelu", "silu",
    "swish", "sigmoid", "softplus", "softmax", "log_softmax", "tile", "repeat", "flip", "roll", "cumsum", "take", "T",
    "mT",
})  # fmt: skip
_OPERATORS: Final = frozenset("+-*/@")


class Perturbed(Tracers):
    """The expressions of one followed function that hang on what it is differentiated by, or on some of its own."""

    def __init__(self, node: Followed, tracing: Tracing, session: Session, on: Collection[Expression] = ()) -> None:
        super().__init__(node, tracing, session)
        self._on = on

    def arrays(self, e: Expression) -> list[ShapedArray]:
        """The arrays that an expression may be, if all are of floats."""
        found = super().arrays(e)
        return found if all(a.dtype == "float" or a.dtype in ANY_FLOAT for a in found) else []

    def _is_tracer(self, e: Expression) -> bool:
        if e in self._on:
            return True
        match e:
            case OpExpr():
                if e.op == "**":
                    is_smooth = isinstance(e.right, IntExpr | FloatExpr) and e.right.value != 0
                    return is_smooth and bool(self.arrays(e)) and self.is_tracer(e.left)
                return e.op in _OPERATORS and bool(self.arrays(e)) and self._among([e.left, e.right])
            case UnaryExpr():
                return e.op == "-" and super()._is_tracer(e)
            case MemberExpr() if super().arrays(e.expr):
                return e.name in _SMOOTH and super()._is_tracer(e)
            case IndexExpr() if super().arrays(e.base):
                return bool(self.arrays(e)) and self.array(e.base) is not None
        return super()._is_tracer(e)

    def _is_call(self, call: CallExpr) -> bool:
        if call in self._node.custom:
            found = self._node.custom[call]
            return found is not None and self.has_any(found.by)
        callee = call.callee
        if any(call in sites for sites in self._node.sites.values()):
            return super()._is_call(call)
        if not isinstance(callee, RefExpr):
            return False
        if isinstance(callee, MemberExpr) and super().arrays(callee.expr):
            is_known = method_rule(f"{ARRAY}.{callee.name}") is not None and callee.name in _SMOOTH
            return is_known and self._among([callee.expr, *call.args])
        rule = function_rule(callee.fullname)
        return rule is not None and rule.rpartition(".")[2] in _SMOOTH and self._among(call.args)

    def has_any(self, arguments: Collection[Expression]) -> bool:
        """Whether one of these is an array that hangs on it."""
        return self._among(list(arguments)) or any(self.is_tracer(e) and self._has_floats(e) for e in arguments)

    def _has_floats(self, e: Expression) -> bool:
        """Whether there certainly is an array of floats in an expression, which may be a tree."""
        t = self._node.types.get(e)
        found = [] if t is None else leaves(t, self._session)
        return any(a.dtype == "float" or a.dtype in ANY_FLOAT for a in found)


def refused_rules(
    node: Followed, site: Expression, tracing: Tracing, perturbed: Perturbed, session: Session
) -> Iterator[tuple[Expression, Mistake]]:
    """What JAX refuses of the rules of what a differentiated function calls: the call in it, and the mistake.

    `site` is what is called where the derivative is taken, at which JAX refuses what the backward rule gives.
    """
    if node.original is None:
        return
    is_outermost = node.original.line == tracing.line and isinstance(site, CallExpr)
    for call, found in node.custom.items():
        if found is None or not perturbed.has_any(found.by):
            continue
        flows = is_outermost and gives_tracers(
            node, Perturbed(node, tracing._replace(tracers=frozenset()), session, {call}), is_pair=True
        )
        refused = refused_by(tracing.by, found, is_result=flows)
        if refused is not None:
            place = site if refused is found.backwards else call
            yield call, Mistake(place, refused.message, refused.code, refused.exception)
