"""`cond` under the transformations.

Branches are transformed each, and made to agree in which results have a tangent, are unknown or are batched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.core import is_eager
from arraytyping.runtime.effects import IOEffect, OrderedIOEffect
from arraytyping.runtime.jaxpr.evaluate import eval_jaxpr
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr, Jaxpr, Var
from arraytyping.runtime.lax.arithmetic import constant_like
from arraytyping.runtime.lax.choices import select_n_p
from arraytyping.runtime.lax.comparisons import eq_p
from arraytyping.runtime.lax.control_flow.bodies import select_by, staged_apart
from arraytyping.runtime.lax.control_flow.cond import cond_p
from arraytyping.runtime.lax.creation import zeros_of
from arraytyping.runtime.lax.gradients import stop_gradient_p
from arraytyping.runtime.lax.structure import broadcast_in_dim_p, moveaxis
from arraytyping.runtime.tracing.batching import Axis, batch_jaxpr, move_batch_dim
from arraytyping.runtime.tracing.forward import jvp_jaxpr
from arraytyping.runtime.tracing.partial_eval import PartialTrace, partial_eval_jaxpr
from arraytyping.runtime.tracing.tangents import Zero, has_tangent, is_zero
from arraytyping.runtime.tracing.transposing import is_linear, transpose_jaxpr
from arraytyping.semantics.avals import ShapedArray

__all__: list[str] = []

Branches = tuple[ClosedJaxpr, ...]


def _any(flags: Sequence[Sequence[bool]]) -> list[bool]:
    """For each result whether a flag is set in any branch."""
    return [any(column) for column in zip(*flags)]


def _jvp(primals: Sequence[Any], tangents: Sequence[Any], *, branches: Branches) -> tuple[list[Any], list[Any]]:
    index, *operands = primals
    nonzero = [not is_zero(t) for t in tangents[1:]]
    wanted = _any([jvp_jaxpr(b, nonzero)[1] for b in branches])
    derived = tuple(jvp_jaxpr(b, nonzero, wanted)[0] for b in branches)
    outs = cond_p.bind(index, *operands, *select_by(nonzero, tangents[1:]), branches=derived)
    n = len(branches[0].out_avals)
    given = iter(outs[n:])
    return outs[:n], [next(given) if w else Zero(o.aval) for o, w in zip(outs[:n], wanted)]


def _transpose(cts: Sequence[Any], index: Any, *operands: Any, branches: Branches) -> list[Any]:
    linear = [is_linear(o) for o in operands]
    nonzero = [not is_zero(ct) for ct in cts]
    derived = tuple(transpose_jaxpr(b, linear, nonzero) for b in branches)
    given = [o for o, lin in zip(operands, linear) if not lin]
    outs = iter(cond_p.bind(index, *given, *select_by(nonzero, cts), branches=derived))
    return [None, *(next(outs) if lin else None for lin in linear)]


def _batch(
    axis: Axis, args: Sequence[Any], dims: Sequence[int | None], *, branches: Branches
) -> tuple[list[Any], list[int | None]]:
    index, *operands = args
    batched = [d is not None for d in dims[1:]]
    moved = [o if d is None else moveaxis(o, d, 0) for o, d in zip(operands, dims[1:])]
    if dims[0] is None:
        wanted = _any([batch_jaxpr(b, axis, batched)[1] for b in branches])
        derived = tuple(batch_jaxpr(b, axis, batched, wanted)[0] for b in branches)
        outs = cond_p.bind(index, *moved, branches=derived)
        return outs, [0 if w else None for w in wanted]
    if any(isinstance(e, IOEffect | OrderedIOEffect) for branch in branches for e in branch.effects):
        raise NotImplementedError("IO effect not supported in vmap-of-cond.")
    index = move_batch_dim(axis, index, dims[0], 0)
    results = []
    for i, branch in enumerate(branches):
        given = moved if is_eager() else _guarded(axis, eq_p.bind(index, constant_like(index, i)), moved, batched)
        are_batched = [g is not o or b for g, o, b in zip(given, moved, batched)]
        derived_branch, _ = batch_jaxpr(branch, axis, are_batched, True)
        results.append(eval_jaxpr(derived_branch.jaxpr, derived_branch.consts, *given))
    which = convert_to(index, "bool") if len(branches) == 2 else index
    selected: list[Any] = []
    out_dims: list[int | None] = []
    for place, cases in zip(_handed_on(branches), zip(*results)):
        selected.append(_selected(which, cases) if place is None else moved[place])
        out_dims.append(0 if place is None or batched[place] else None)
    return selected, out_dims


def _handed_on(branches: Branches) -> list[int | None]:
    """For each result the number of the operand that it is in every branch."""
    places: list[int | None] = []
    for atoms in zip(*(branch.jaxpr.outvars for branch in branches)):
        found = [
            branch.jaxpr.invars.index(atom) if atom in branch.jaxpr.invars else None
            for branch, atom in zip(branches, atoms)
        ]
        places.append(found[0] if len(set(found)) == 1 else None)
    return places


def _guarded(axis: Axis, taken: Any, operands: Sequence[Any], batched: Sequence[bool]) -> list[Any]:
    """The operands of a branch, through which tangents go for those of the batch only that take it.

    Elsewhere the derivative of the branch may be infinite, and 0 times infinity is NaN
    (https://github.com/jax-ml/jax/issues/1052).
    """
    guarded = []
    for operand, is_batched in zip(operands, batched):
        if has_tangent(operand.aval):
            whole = operand if is_batched else move_batch_dim(axis, operand, None, 0)
            operand = _selected(taken, (stop_gradient_p.bind(whole), whole))
        guarded.append(operand)
    return guarded


def _selected(which: Any, cases: Sequence[Any]) -> Any:
    shape = cases[0].aval.shape
    if len(shape) > 1:
        which = broadcast_in_dim_p.bind(which, shape=shape, broadcast_dimensions=(0,))
    return select_n_p.bind(which, *cases)


class _Parts(NamedTuple):
    """Branches split in what is known and what is not; the residuals are those of all branches."""

    known: Branches
    unknown: Branches
    out_unknown: list[bool]
    n_residuals: int


def _parts(branches: Branches, unknown: Sequence[bool]) -> _Parts:
    key = ("cond parts", branches[1:], tuple(unknown))
    if key in branches[0].cache:
        return branches[0].cache[key]  # type: ignore[no-any-return]
    out_unknown = _any([partial_eval_jaxpr(b, unknown)[2] for b in branches])
    found = [partial_eval_jaxpr(b, unknown, out_unknown) for b in branches]
    kinds = [[v.aval for v in rest.jaxpr.invars[:n]] for _, rest, _, n in found]
    most: Counter[ShapedArray] = Counter()
    for avals in kinds:
        most |= Counter(avals)
    slots = list(most.elements())
    known, rests = [], []
    for (first, rest, _, n), avals in zip(found, kinds):
        free: dict[ShapedArray, list[int]] = {}
        for i, aval in enumerate(slots):
            free.setdefault(aval, []).append(i)
        places = [free[aval].pop(0) for aval in avals]
        known.append(_filling(first, n, places, slots))
        invars = [Var(a) for a in slots]
        for place, var in zip(places, rest.jaxpr.invars):
            invars[place] = var
        inner = rest.jaxpr
        rests.append(ClosedJaxpr(Jaxpr([], [*invars, *inner.invars[n:]], inner.eqns, inner.outvars), []))
    result = _Parts(tuple(known), tuple(rests), out_unknown, len(slots))
    branches[0].cache[key] = result
    return result


def _filling(closed: ClosedJaxpr, n: int, places: Sequence[int], slots: Sequence[ShapedArray]) -> ClosedJaxpr:
    """The jaxpr whose last `n` results are at these places among others, which are zeros."""

    def run(*args: Any) -> list[Any]:
        outs = eval_jaxpr(closed.jaxpr, closed.consts, *args)
        residuals = dict(zip(places, outs[len(outs) - n :]))
        return [*outs[: len(outs) - n], *(residuals[i] if i in residuals else zeros_of(a) for i, a in enumerate(slots))]

    return staged_apart(run, closed.in_avals)


def _partial_eval(trace: PartialTrace, args: Sequence[Any], params: dict[str, Any]) -> list[Any]:
    branches: Branches = params["branches"]
    index, *operands = args
    if trace.is_unknown(index):
        return trace.record(cond_p, args, params, branches[0].out_avals)
    unknown = [trace.is_unknown(o) for o in operands]
    parts = _parts(branches, unknown)
    given = [o for o, u in zip(operands, unknown) if not u]
    known = trace.bind_known(cond_p, [index, *given], {"branches": parts.known})
    n = len(known) - parts.n_residuals
    outs = iter(
        trace.record(
            cond_p, [index, *known[n:], *select_by(unknown, operands)], {"branches": parts.unknown},
            parts.unknown[0].out_avals,
        )
    )  # fmt: skip
    of_known = iter(known[:n])
    return [next(outs) if u else next(of_known) for u in parts.out_unknown]


cond_p.jvp_rule = _jvp
cond_p.transpose_rule = _transpose
cond_p.batching_rule = _batch
cond_p.partial_eval_rule = _partial_eval
