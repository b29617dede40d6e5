"""What the type checker of jaxprs asks of functions with their own derivatives: whether their rules fit them.

A rule is traced for the types of the call's operands, all of which have a tangent where their dtype has one.  A rule
that cannot be traced there (it needs values, closes over a tracer that is gone, or refuses on purpose) is not judged.

Source: https://docs.jax.dev/en/latest/notebooks/Custom_derivative_rules_for_Python_code.html.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arraytyping.errors import JaxprTypeError
from arraytyping.runtime.tracing.staging import stage
from arraytyping.runtime.tracing.tangents import Zero, has_tangent, is_zero, tangent_aval
from arraytyping.runtime.transformations.custom_calls import custom_jvp_call_p, custom_vjp_call_p
from arraytyping.semantics.avals import ShapedArray

__all__: list[str] = []


def _is_judged(run: Callable[..., list[Any]], own: Sequence[ShapedArray], others: Sequence[ShapedArray]) -> bool:
    """Trace a rule; whether that was possible.

    Raises:
        JaxprTypeError: if what the rule gives does not fit its function, with the sentence of the call.
    """
    if not _moving(own):
        return True  # the rule is never used
    try:
        stage(run, [*own, *others])
    except Exception as error:
        if getattr(error, "rule_disagrees", False):
            raise JaxprTypeError(str(error)) from None
        return False
    return True


def _moving(avals: Sequence[ShapedArray]) -> list[ShapedArray]:
    return [tangent_aval(a) for a in avals if has_tangent(a)]


def _tangents(avals: Sequence[ShapedArray], given: Sequence[Any]) -> list[Any]:
    rest = iter(given)
    return [next(rest) if has_tangent(a) else Zero(a) for a in avals]


def _check_jvp(operands: Sequence[ShapedArray], params: dict[str, Any]) -> bool:
    if "jvp" not in params:
        return True  # an equation of JAX, which comes without it
    own = operands[params["num_consts"] :]

    def run(*values: Any) -> list[Any]:
        outs, tangents = params["jvp"](list(values[: len(own)]), _tangents(own, values[len(own) :]))
        return [*outs, *(t for t in tangents if not is_zero(t))]

    return _is_judged(run, own, _moving(own))


def _check_vjp(operands: Sequence[ShapedArray], params: dict[str, Any]) -> bool:
    if "fwd" not in params:
        return True
    own, outs = operands[params["num_consts"] :], params["jaxpr"].out_avals

    def run(*values: Any) -> list[Any]:
        given = list(values[: len(own)])
        _, residuals = params["fwd"](given, [has_tangent(a) for a in own])
        found = params["bwd"](residuals, _tangents(outs, values[len(own) :]))
        return [ct for ct in found if not is_zero(ct)]

    return _is_judged(run, own, _moving(outs))


custom_jvp_call_p.check_rule = _check_jvp
custom_vjp_call_p.check_rule = _check_vjp
