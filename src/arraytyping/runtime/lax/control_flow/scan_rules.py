"""`scan` under the transformations.

Which carries have a tangent, are unknown, or are batched, is found by iteration: a carry that goes out so comes in so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from arraytyping.runtime.core import TypedScalar
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr, Jaxpr, Literal, Var
from arraytyping.runtime.lax.arithmetic import add_tangents
from arraytyping.runtime.lax.control_flow.bodies import rearranged, select_by, split, staged_apart
from arraytyping.runtime.lax.control_flow.scan import scan_p
from arraytyping.runtime.lax.creation import zeros_of
from arraytyping.runtime.tracing.batching import Axis, batch_jaxpr, move_batch_dim
from arraytyping.runtime.tracing.forward import jvp_jaxpr
from arraytyping.runtime.tracing.partial_eval import PartialTrace, partial_eval_jaxpr
from arraytyping.runtime.tracing.tangents import Zero, instantiate, is_zero
from arraytyping.runtime.tracing.transposing import Linear, backward, is_linear
from arraytyping.runtime.transformations.calls import jit_p

__all__: list[str] = []


def _jvp(
    primals: Sequence[Any],
    tangents: Sequence[Any],
    *,
    jaxpr: ClosedJaxpr,
    num_consts: int,
    num_carry: int,
    **params: Any,
) -> tuple[list[Any], list[Any]]:
    c, n = num_consts, num_carry
    consts_nz, carry_nz, xs_nz = split([not is_zero(t) for t in tangents], c, n)
    n_ys = len(jaxpr.out_avals) - n
    while True:
        derived, found = jvp_jaxpr(jaxpr, [*consts_nz, *carry_nz, *xs_nz], [*carry_nz, *[False] * n_ys])
        if found[:n] == carry_nz:
            break
        carry_nz = [a or b for a, b in zip(carry_nz, found)]
    consts, carry, xs = split(primals, c, n)
    const_dots, carry_dots, xs_dots = split(tangents, c, n)
    # the jaxpr takes all inputs, then their tangents; the scan consts with theirs, carries with theirs, xs with theirs
    places = iter(range(len(jaxpr.in_avals), len(derived.in_avals)))
    dots = [[next(places) for f in flags if f] for flags in (consts_nz, carry_nz, xs_nz)]
    firsts = split(range(len(jaxpr.in_avals)), c, n)
    m = sum(carry_nz)
    n_out = len(jaxpr.out_avals)
    outputs = [*range(n), *range(n_out, n_out + m), *range(n, n_out), *range(n_out + m, len(derived.out_avals))]
    body = rearranged(derived, [i for pair in zip(firsts, dots) for part in pair for i in part], outputs)
    outs = scan_p.bind(
        *consts, *select_by(consts_nz, const_dots), *carry, *map(instantiate, select_by(carry_nz, carry_dots)),
        *xs, *select_by(xs_nz, xs_dots), jaxpr=body, num_consts=c + sum(consts_nz), num_carry=n + m, **params,
    )  # fmt: skip
    carry_out, carry_out_dots, ys, ys_dots = split(outs, n, m, n_ys)
    values, given = [*carry_out, *ys], iter([*carry_out_dots, *ys_dots])
    return values, [next(given) if nz else Zero(v.aval) for v, nz in zip(values, found)]


def _batch(
    axis: Axis, args: Sequence[Any], dims: Sequence[int | None], *, jaxpr: ClosedJaxpr, num_consts: int, num_carry: int,
    **params: Any,
) -> tuple[list[Any], list[int | None]]:  # fmt: skip
    consts_b, carry_b, xs_b = split([d is not None for d in dims], num_consts, num_carry)
    n_ys = len(jaxpr.out_avals) - num_carry
    while True:
        body, found = batch_jaxpr(jaxpr, axis, [*consts_b, *carry_b, *xs_b], [*carry_b, *[False] * n_ys])
        if found[:num_carry] == carry_b:
            break
        carry_b = [a or b for a, b in zip(carry_b, found)]
    places = [*[0] * (num_consts + num_carry), *[1] * len(xs_b)]  # the dimension that is scanned over comes first
    flags = [*consts_b, *carry_b, *xs_b]
    moved = [move_batch_dim(axis, a, d, p) if f else a for a, d, p, f in zip(args, dims, places, flags)]
    outs = scan_p.bind(*moved, jaxpr=body, num_consts=num_consts, num_carry=num_carry, **params)
    return outs, [(0 if i < num_carry else 1) if f else None for i, f in enumerate(found)]


class _Parts(NamedTuple):
    """A body split in what is known and what is not.

    `known` gives known carries, known results, and `n_stacked` residuals, which are stacked.  The other residuals,
    which are consts and xs of `unknown`: `literals`; the known consts of the numbers `from_consts`; what `before`
    computes from the known consts once, since no step changes it (None: nothing); the known xs of the numbers
    `from_xs`.
    """

    known: ClosedJaxpr
    unknown: ClosedJaxpr
    carry_unknown: list[bool]
    out_unknown: list[bool]
    literals: list[Literal]
    from_consts: list[int]
    before: ClosedJaxpr | None
    from_xs: list[int]
    n_stacked: int


def _parts(jaxpr: ClosedJaxpr, c: int, n: int, unknown: Sequence[bool]) -> _Parts:
    key = ("scan parts", c, n, tuple(unknown))
    if key in jaxpr.cache:
        return jaxpr.cache[key]  # type: ignore[no-any-return]
    consts_u, carry_u, xs_u = split(unknown, c, n)
    n_ys = len(jaxpr.out_avals) - n
    while True:
        least = [*carry_u, *[False] * n_ys]
        first, rest, out_unknown, n_residuals = partial_eval_jaxpr(jaxpr, [*consts_u, *carry_u, *xs_u], least)
        if out_unknown[:n] == carry_u:
            break
        carry_u = [a or b for a, b in zip(carry_u, out_unknown)]
    inner = first.jaxpr
    n_consts, n_carry = consts_u.count(False), carry_u.count(False)
    const_vars, carry_vars, xs_vars = split(inner.invars, n_consts, n_carry)
    n_outs = len(inner.outvars) - n_residuals
    varying = {*carry_vars, *xs_vars}
    invariant = []
    for eqn in inner.eqns:
        if eqn.effects or any(isinstance(v, Var) and v in varying for v in eqn.invars):
            varying.update(eqn.outvars)
        else:
            invariant.append(eqn)
    residuals: list[Any] = inner.outvars[n_outs:]

    def kind(residual: Any) -> str:
        if isinstance(residual, Literal):
            return "literal"
        if residual in xs_vars:
            return "xs"
        return "stacked" if residual in varying else "const" if residual in const_vars else "before"

    literal, const, computed, stacked, from_xs = (
        [i for i, r in enumerate(residuals) if kind(r) == k] for k in ("literal", "const", "before", "stacked", "xs")
    )
    before = None
    if computed:
        outs = [residuals[i] for i in computed]
        before = ClosedJaxpr(Jaxpr(inner.constvars, const_vars, invariant, outs), first.consts)
    known = rearranged(first, range(len(inner.invars)), [*range(n_outs), *(n_outs + i for i in stacked)])
    start = n_residuals + consts_u.count(True) + carry_u.count(True)
    inputs = [
        *literal, *const, *computed, *range(n_residuals, start), *stacked, *from_xs, *range(start, len(rest.in_avals)),
    ]  # fmt: skip
    result = _Parts(
        known, rearranged(rest, inputs), carry_u, out_unknown, [residuals[i] for i in literal],
        [const_vars.index(residuals[i]) for i in const], before, [xs_vars.index(residuals[i]) for i in from_xs],
        len(stacked),
    )  # fmt: skip
    jaxpr.cache[key] = result
    return result


def _partial_eval(trace: PartialTrace, args: Sequence[Any], params: dict[str, Any]) -> list[Any]:
    c, n = params["num_consts"], params["num_carry"]
    parts = _parts(params["jaxpr"], c, n, [trace.is_unknown(a) for a in args])
    consts_u, _, xs_u = split([trace.is_unknown(a) for a in args], c, n)
    consts, carry, xs = split(args, c, n)
    known_consts = [a for a, u in zip(consts, consts_u) if not u]
    known_carry = [a for a, u in zip(carry, parts.carry_unknown) if not u]
    known_xs = [a for a, u in zip(xs, xs_u) if not u]
    outs = trace.bind_known(
        scan_p,
        [*known_consts, *known_carry, *known_xs],
        {**params, "jaxpr": parts.known, "num_consts": len(known_consts), "num_carry": len(known_carry)},
    )
    known, stacked = split(outs, len(outs) - parts.n_stacked)
    fixed: list[Any] = [TypedScalar(v.val, v.aval) for v in parts.literals]
    fixed += [known_consts[i] for i in parts.from_consts]
    if parts.before is not None:
        fixed += trace.bind_known(jit_p, known_consts, {"jaxpr": parts.before, "name": "before_scan"})
    unknown_consts = [*fixed, *select_by(consts_u, consts)]
    unknown_carry = select_by(parts.carry_unknown, carry)
    rest = {**params, "jaxpr": parts.unknown, "num_consts": len(unknown_consts), "num_carry": len(unknown_carry)}
    operands = [*unknown_consts, *unknown_carry, *stacked, *(known_xs[i] for i in parts.from_xs), *select_by(xs_u, xs)]
    of_unknown = iter(trace.record(scan_p, operands, rest, scan_p.abstract_eval([a.aval for a in operands], rest)))
    of_known = iter(known)
    return [next(of_unknown) if u else next(of_known) for u in parts.out_unknown]


def _transpose(
    cts: Sequence[Any], *args: Any, jaxpr: ClosedJaxpr, num_consts: int, num_carry: int, reverse: bool, **params: Any
) -> list[Any]:
    consts_lin, _, xs_lin = split([is_linear(a) for a in args], num_consts, num_carry)
    consts, carry, xs = split(args, num_consts, num_carry)
    ct_carry, ct_ys = split(cts, num_carry)
    nonzero = [not is_zero(ct) for ct in ct_ys]
    body = _transposed(jaxpr, num_carry, consts_lin, xs_lin, nonzero)
    fixed = [a for a, lin in zip(consts, consts_lin) if not lin]
    totals = [zeros_of(a.aval) for a in select_by(consts_lin, consts)]
    outs = scan_p.bind(
        *fixed, *totals, *map(instantiate, ct_carry), *select_by(nonzero, ct_ys),
        *(a for a, lin in zip(xs, xs_lin) if not lin),
        jaxpr=body, num_consts=len(fixed), num_carry=len(totals) + num_carry, reverse=not reverse, **params,
    )  # fmt: skip
    of_consts, of_carry, of_xs = split(outs, len(totals), num_carry)
    for_consts, for_xs = iter(of_consts), iter(of_xs)
    return [
        *(next(for_consts) if lin else None for lin in consts_lin),
        *(ct if is_linear(a) else None for a, ct in zip(carry, of_carry)),
        *(next(for_xs) if lin else None for lin in xs_lin),
    ]


def _transposed(
    jaxpr: ClosedJaxpr, num_carry: int, consts_lin: Sequence[bool], xs_lin: Sequence[bool], nonzero: Sequence[bool]
) -> ClosedJaxpr:
    """The body from cotangents of the results to cotangents of what is linear.

    Its carry is the sum of the cotangents of linear consts, then the cotangent of the carry, in which the body is
    linear.
    """
    key = ("scan transpose", num_carry, tuple(consts_lin), tuple(xs_lin), tuple(nonzero))
    if key in jaxpr.cache:
        return jaxpr.cache[key]  # type: ignore[no-any-return]
    const_avals, carry_avals, xs_avals = split(jaxpr.in_avals, len(consts_lin), num_carry)
    carry_outs, ys = split(jaxpr.out_avals, num_carry)
    sizes = [consts_lin.count(False), consts_lin.count(True), num_carry, sum(nonzero)]

    def step(*args: Any) -> list[Any]:
        fixed, totals, ct_carry, ct_ys, items = split(args, *sizes)
        for_consts, for_xs, for_ys = iter(fixed), iter(items), iter(ct_ys)
        operands = [
            *(Linear(a) if lin else next(for_consts) for a, lin in zip(const_avals, consts_lin)),
            *map(Linear, carry_avals),
            *(Linear(a) if lin else next(for_xs) for a, lin in zip(xs_avals, xs_lin)),
        ]
        cotangents = [*ct_carry, *(next(for_ys) if nz else Zero(a) for a, nz in zip(ys, nonzero))]
        found = backward(jaxpr.jaxpr, jaxpr.consts, operands, cotangents)
        of_consts, of_carry, of_xs = split(found, len(consts_lin), num_carry)
        added = [add_tangents(t, ct) for t, ct in zip(totals, select_by(consts_lin, of_consts))]
        return [*added, *map(instantiate, of_carry), *map(instantiate, select_by(xs_lin, of_xs))]

    avals = [
        *(a for a, lin in zip(const_avals, consts_lin) if not lin), *select_by(consts_lin, const_avals), *carry_outs,
        *select_by(nonzero, ys), *(a for a, lin in zip(xs_avals, xs_lin) if not lin),
    ]  # fmt: skip
    result = staged_apart(step, avals)
    jaxpr.cache[key] = result
    return result


scan_p.jvp_rule = _jvp
scan_p.batching_rule = _batch
scan_p.partial_eval_rule = _partial_eval
scan_p.transpose_rule = _transpose
