"""`scan` and `cond` without what nobody reads: carries, results, operands.

Source: `_scan_dce_rule` and `_cond_dce_rule` of https://github.com/jax-ml/jax/tree/main/jax/_src/lax/control_flow.
"""

from __future__ import annotations

from collections.abc import Sequence

from arraytyping.runtime.jaxpr.dce import dce_closed
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr, JaxprEqn
from arraytyping.runtime.lax.control_flow.bodies import select_by, split
from arraytyping.runtime.lax.control_flow.cond import cond_p
from arraytyping.runtime.lax.control_flow.scan import scan_p

__all__: list[str] = []


def _scan(used: Sequence[bool], eqn: JaxprEqn) -> JaxprEqn:
    """A carry stays if its last value is read, or if a step needs it for something that is."""
    body: ClosedJaxpr = eqn.params["jaxpr"]
    c, n = eqn.params["num_consts"], eqn.params["num_carry"]
    carry, ys = split(used, n)
    n_xs = len(body.in_avals) - c - n
    while True:
        inner, used_inputs = dce_closed(body, [*carry, *ys], [*[False] * c, *carry, *[False] * n_xs])
        consts_in, carry_in, _ = split(used_inputs, c, n)
        if carry_in == carry:
            break
        carry = [a or b for a, b in zip(carry, carry_in)]
    if inner is body:
        return eqn
    params = {**eqn.params, "jaxpr": inner, "num_consts": sum(consts_in), "num_carry": sum(carry)}
    outvars = select_by([*carry, *ys], eqn.outvars)
    return JaxprEqn(select_by(used_inputs, eqn.invars), outvars, scan_p, params, eqn.source)


def _cond(used: Sequence[bool], eqn: JaxprEqn) -> JaxprEqn:
    """An operand stays if any branch needs it for a result that is read."""
    branches: tuple[ClosedJaxpr, ...] = eqn.params["branches"]
    flags = [dce_closed(branch, used)[1] for branch in branches]
    wanted = [any(column) for column in zip(*flags)]
    inner = tuple(dce_closed(branch, used, wanted)[0] for branch in branches)
    if all(a is b for a, b in zip(inner, branches)):
        return eqn
    index, *operands = eqn.invars
    invars = [index, *select_by(wanted, operands)]
    return JaxprEqn(invars, select_by(used, eqn.outvars), cond_p, {"branches": inner}, eqn.source)


scan_p.dce_rule = _scan
cond_p.dce_rule = _cond
