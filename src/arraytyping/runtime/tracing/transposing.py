"""Transpose a linear jaxpr: from cotangents of its results to cotangents of its linear inputs.

Source: https://docs.jax.dev/en/latest/autodidax.html, part 4; R. Frostig et al., "Decomposing reverse-mode automatic
differentiation", https://arxiv.org/abs/2105.09469.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arraytyping.runtime.core import EVAL, TypedScalar, use_trace
from arraytyping.runtime.cut_types import CutArray
from arraytyping.runtime.jaxpr.evaluate import eval_jaxpr
from arraytyping.runtime.jaxpr.syntax import Atom, ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var
from arraytyping.runtime.tracing.partial_eval import partial_eval_jaxpr
from arraytyping.runtime.tracing.staging import stage
from arraytyping.runtime.tracing.tangents import Zero, instantiate
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.operations import OPERATIONS

__all__ = ["Linear", "backward", "is_linear", "transpose_jaxpr"]


class Linear:
    """Stands in the place of an argument in which an operation is linear, and whose cotangent is asked for."""

    __slots__ = ("aval",)

    def __init__(self, aval: ShapedArray) -> None:
        self.aval: ShapedArray = aval

    def __repr__(self) -> str:
        return f"Linear({self.aval})"


def is_linear(value: Any) -> bool:
    """Whether this is a placeholder of a linear argument."""
    return type(value) is Linear


def backward(jaxpr: Jaxpr, consts: Sequence[Any], args: Sequence[Any], cotangents: Sequence[Any]) -> list[Any]:
    """The cotangents of those arguments that are `Linear`, None for the others.

    What depends on no linear argument is computed on the way (a checkpointed function again).

    Raises:
        NotImplementedError: if a primitive that linear arguments reach has no transpose.
    """
    values: dict[Var, Any] = dict(zip(jaxpr.constvars, consts))
    linear: dict[Var, ShapedArray] = {}
    for var, arg in zip(jaxpr.invars, args):
        if type(arg) is Linear:
            linear[var] = var.aval
        else:
            values[var] = arg

    def read(atom: Atom) -> Any:
        if isinstance(atom, Literal):
            return TypedScalar(atom.val, atom.aval)
        return values[atom] if atom in values else Linear(atom.aval)

    backwards = []
    for eqn in jaxpr.eqns:
        if any(isinstance(v, Var) and v in linear for v in eqn.invars):
            linear.update((v, v.aval) for v in eqn.outvars)
            backwards.append(eqn)
            continue
        result = eqn.primitive.bind(*[read(v) for v in eqn.invars], **eqn.params)
        values.update(zip(eqn.outvars, result if eqn.primitive.multiple_results else [result]))

    gathered: dict[Var, Any] = {}

    def collect(atom: Atom, cotangent: Any) -> None:
        if cotangent is None or type(cotangent) is Zero or isinstance(atom, Literal) or atom not in linear:
            return
        if type(atom.aval) is CutArray or type(cotangent.aval) is CutArray:
            cotangent = OPERATIONS.lying_as(cotangent, atom.aval)
        gathered[atom] = OPERATIONS.add(gathered[atom], cotangent) if atom in gathered else cotangent

    for atom, cotangent in zip(jaxpr.outvars, cotangents):
        collect(atom, cotangent)
    # Backwards, an equation comes after all that use its results, so that their cotangents are whole.
    for eqn in reversed(backwards):
        given = [gathered.pop(v, None) for v in eqn.outvars]
        if all(g is None for g in given):
            continue
        found: list[Any] = [Zero(v.aval) if g is None else g for v, g in zip(eqn.outvars, given)]
        rule = eqn.primitive.transpose_rule
        if rule is None:
            raise NotImplementedError(
                f"Transpose rule (for reverse-mode differentiation) for '{eqn.primitive}' not implemented"
            )
        operands = [read(v) for v in eqn.invars]
        outs = rule(found if eqn.primitive.multiple_results else found[0], *operands, **eqn.params)
        for atom, cotangent in zip(eqn.invars, outs):
            collect(atom, cotangent)
    return [gathered.get(v, Zero(v.aval)) if v in linear else None for v in jaxpr.invars]


def _dependent(jaxpr: Jaxpr, linear: Sequence[bool]) -> set[Atom]:
    """The variables that depend on the linear inputs."""
    found: set[Atom] = {v for v, is_lin in zip(jaxpr.invars, linear) if is_lin}
    for eqn in jaxpr.eqns:
        if not found.isdisjoint(eqn.invars):
            found.update(eqn.outvars)
    return found


def _is_whole(eqn: JaxprEqn, depends: set[Atom]) -> bool:
    """Whether an equation can be transposed as it is: if linear arguments reach it, then all of its results.

    Of a jaxpr in it, results may depend on arguments alone that are not linear; of a loop, also what is carried.
    """
    flags = [v in depends for v in eqn.invars]
    if not eqn.primitive.has_jaxprs or not any(flags):
        return True
    inner = eqn.params.get("jaxpr")
    if (
        not isinstance(inner, ClosedJaxpr)
        or len(inner.jaxpr.invars) != len(flags)
        or set(eqn.params) - {"jaxpr", "name"}
    ):
        return False
    reached = _dependent(inner.jaxpr, flags)
    return all(v in reached for v in inner.jaxpr.outvars) and all(_is_whole(e, reached) for e in inner.eqns)


def transpose_jaxpr(closed: ClosedJaxpr, linear: Sequence[bool], nonzero: Sequence[bool]) -> ClosedJaxpr:
    """A jaxpr from the arguments that are not linear and the cotangents that are not zero to all cotangents."""
    key = ("transpose", tuple(linear), tuple(nonzero))
    if key in closed.cache:
        return closed.cache[key]  # type: ignore[no-any-return]
    fixed = [a for a, is_lin in zip(closed.in_avals, linear) if not is_lin]
    depends = _dependent(closed.jaxpr, linear)

    def transposed(*args: Any) -> list[Any]:
        given, cts = iter(args[: len(fixed)]), iter(args[len(fixed) :])
        cotangents = [next(cts) if nz else Zero(a) for a, nz in zip(closed.out_avals, nonzero)]
        if all(_is_whole(eqn, depends) for eqn in closed.eqns):
            operands = [Linear(a) if is_lin else next(given) for a, is_lin in zip(closed.in_avals, linear)]
            outs = backward(closed.jaxpr, closed.consts, operands, cotangents)
            return [instantiate(out) for out, is_lin in zip(outs, linear) if is_lin]
        # an inner jaxpr may hold both what is linear and what is not: that is split before
        known, rest, out_linear, n_residuals = partial_eval_jaxpr(closed, linear)
        values = eval_jaxpr(known.jaxpr, known.consts, *given)
        operands = [*values[len(values) - n_residuals :], *(Linear(a) for a in rest.in_avals[n_residuals:])]
        wanted = [ct for ct, is_lin in zip(cotangents, out_linear) if is_lin]
        return [instantiate(out) for out in backward(rest.jaxpr, rest.consts, operands, wanted)[n_residuals:]]

    avals = [*fixed, *(a for a, nz in zip(closed.out_avals, nonzero) if nz)]
    with use_trace(EVAL):
        result = stage(transposed, avals)
    closed.cache[key] = result
    return result
