"""Dead code elimination: the equations of a jaxpr that nothing asked for depends on are left out.

An equation whose results nobody reads may go, unless it has effects.  Of the jaxprs in an equation, unused results and
inputs go as well (`Primitive.dce_rule`).

Source: `dce_jaxpr` of https://github.com/jax-ml/jax/blob/main/jax/_src/interpreters/partial_eval.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from arraytyping.runtime.jaxpr.syntax import Atom, ClosedJaxpr, Jaxpr, JaxprEqn, Var

__all__ = ["dce_closed", "dce_jaxpr"]


def dce_jaxpr(
    jaxpr: Jaxpr, used_outputs: bool | Sequence[bool], instantiate: bool | Sequence[bool] = False
) -> tuple[Jaxpr, list[bool]]:
    """A jaxpr of the results that are used, and which inputs it takes.

    `instantiate` says which inputs it takes even where they are not used.

    Raises:
        ValueError: if `used_outputs` does not say it of every result.
    """
    if isinstance(used_outputs, bool):
        used_outputs = [used_outputs] * len(jaxpr.outvars)
    if len(used_outputs) != len(jaxpr.outvars):
        raise ValueError(
            f"dce_jaxpr: the jaxpr has {len(jaxpr.outvars)} results, and used_outputs says of {len(used_outputs)} "
            "whether they are used; say it of each"
        )
    outvars = [v for v, used in zip(jaxpr.outvars, used_outputs) if used]
    live: set[Atom] = {v for v in outvars if isinstance(v, Var)}
    kept: list[JaxprEqn] = []
    for eqn in reversed(jaxpr.eqns):
        used = [v in live for v in eqn.outvars]
        if not any(used) and not eqn.effects:
            continue
        if eqn.primitive.dce_rule is not None:
            eqn = eqn.primitive.dce_rule(used, eqn)
        live.update(v for v in eqn.invars if isinstance(v, Var))
        kept.append(eqn)
    wanted = [instantiate] * len(jaxpr.invars) if isinstance(instantiate, bool) else instantiate
    used_inputs = [v in live or wants for v, wants in zip(jaxpr.invars, wanted)]
    invars = [v for v, used in zip(jaxpr.invars, used_inputs) if used]
    return Jaxpr(jaxpr.constvars, invars, kept[::-1], outvars), used_inputs


def dce_closed(
    closed: ClosedJaxpr, used_outputs: Sequence[bool], instantiate: bool | Sequence[bool] = False
) -> tuple[ClosedJaxpr, list[bool]]:
    """The same of a closed jaxpr, once for each question; itself where nothing goes."""
    wanted = instantiate if isinstance(instantiate, bool) else tuple(instantiate)
    key = ("dce", tuple(used_outputs), wanted)
    if key not in closed.cache:
        jaxpr, used_inputs = dce_jaxpr(closed.jaxpr, used_outputs, instantiate)
        same = all(used_outputs) and all(used_inputs) and _are_same(jaxpr.eqns, closed.eqns)
        closed.cache[key] = None if same else ClosedJaxpr(jaxpr, closed.consts), used_inputs
    found, used_inputs = closed.cache[key]
    return found or closed, list(used_inputs)


def _are_same(eqns: Sequence[JaxprEqn], others: Sequence[JaxprEqn]) -> bool:
    return len(eqns) == len(others) and all(a is b for a, b in zip(eqns, others))
