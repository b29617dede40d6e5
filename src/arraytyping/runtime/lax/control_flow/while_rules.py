"""`while_loop` under the transformations; it cannot be transposed, since the number of its steps is not known.

Which carries have a tangent, are unknown, or are batched, is found by iteration: a carry that goes out so comes in so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arraytyping.runtime.effects import IOEffect, OrderedIOEffect
from arraytyping.runtime.jaxpr.evaluate import eval_jaxpr
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr, Jaxpr, Var
from arraytyping.runtime.lax.choices import select_n_p
from arraytyping.runtime.lax.control_flow.bodies import (
    rearranged,
    select_by,
    split,
    staged_apart,
)
from arraytyping.runtime.lax.control_flow.while_loop import while_p
from arraytyping.runtime.lax.converting import convert_element_type_p
from arraytyping.runtime.lax.reductions import reduce_sum
from arraytyping.runtime.lax.structure import broadcast_in_dim_p
from arraytyping.runtime.tracing.batching import Axis, batch_jaxpr, move_batch_dim
from arraytyping.runtime.tracing.forward import jvp_jaxpr
from arraytyping.runtime.tracing.partial_eval import PartialTrace, partial_eval_jaxpr
from arraytyping.runtime.tracing.tangents import Zero, instantiate, is_zero, tangent_aval
from arraytyping.semantics.avals import ShapedArray

__all__: list[str] = []


def _jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, cond_jaxpr: ClosedJaxpr, cond_nconsts: int,
    body_jaxpr: ClosedJaxpr, body_nconsts: int,
) -> tuple[list[Any], list[Any]]:  # fmt: skip
    cond_consts, body_consts, carry = split(primals, cond_nconsts, body_nconsts)
    _, const_dots, carry_dots = split(tangents, cond_nconsts, body_nconsts)
    const_nonzero = [not is_zero(t) for t in const_dots]
    nonzero = [not is_zero(t) for t in carry_dots]
    while True:  # a carry has a tangent if it comes in or goes out with one
        derived, found = jvp_jaxpr(body_jaxpr, [*const_nonzero, *nonzero], nonzero)
        if found == nonzero:
            break
        nonzero = [a or b for a, b in zip(nonzero, found)]
    n, c = len(carry), len(const_nonzero)
    m = sum(const_nonzero)
    body = rearranged(derived, [*range(c), *range(c + n, c + n + m), *range(c, c + n),
                                *range(c + n + m, len(derived.in_avals))])  # fmt: skip
    dots = [instantiate(t) for t in select_by(nonzero, carry_dots)]
    outs = while_p.bind(
        *cond_consts, *body_consts, *select_by(const_nonzero, const_dots), *carry, *dots,
        cond_jaxpr=_with_unused(cond_jaxpr, [tangent_aval(v.aval) for v in select_by(nonzero, carry)]),
        cond_nconsts=cond_nconsts, body_jaxpr=body, body_nconsts=body_nconsts + m,
    )  # fmt: skip
    given = iter(outs[n:])
    return outs[:n], [next(given) if nz else Zero(o.aval) for o, nz in zip(outs[:n], nonzero)]


def _with_unused(closed: ClosedJaxpr, avals: Sequence[ShapedArray]) -> ClosedJaxpr:
    """The jaxpr with more inputs, which it does not use."""
    key = ("unused", tuple(avals))
    if key not in closed.cache:
        inner = closed.jaxpr
        jaxpr = Jaxpr(inner.constvars, [*inner.invars, *map(Var, avals)], inner.eqns, inner.outvars)
        closed.cache[key] = ClosedJaxpr(jaxpr, closed.consts)
    return closed.cache[key]  # type: ignore[no-any-return]


def _batch(
    axis: Axis, args: Sequence[Any], dims: Sequence[int | None], *, cond_jaxpr: ClosedJaxpr, cond_nconsts: int,
    body_jaxpr: ClosedJaxpr, body_nconsts: int,
) -> tuple[list[Any], list[int | None]]:  # fmt: skip
    batched = [d is not None for d in dims]
    cond_batched, const_batched, carry_batched = split(batched, cond_nconsts, body_nconsts)
    while True:
        body, found = batch_jaxpr(body_jaxpr, axis, [*const_batched, *carry_batched], carry_batched)
        if found == carry_batched:
            break
        carry_batched = [a or b for a, b in zip(carry_batched, found)]
    cond, (pred_batched,) = batch_jaxpr(cond_jaxpr, axis, [*cond_batched, *carry_batched])
    if pred_batched and any(isinstance(e, IOEffect | OrderedIOEffect) for e in cond.effects | body.effects):
        raise NotImplementedError("IO effects are not supported in while_loop with batched predicate.")
    if pred_batched:  # an example that has ended stays what it is while others go on
        carry_batched = [True] * len(carry_batched)
        body, _ = batch_jaxpr(body_jaxpr, axis, [*const_batched, *carry_batched], True)
        cond, _ = batch_jaxpr(cond_jaxpr, axis, [*cond_batched, *carry_batched], True)
        cond, body = _while_any(cond, cond_nconsts, body)
    flags = [*cond_batched, *const_batched, *carry_batched]
    moved = [move_batch_dim(axis, a, d, 0) if f else a for a, d, f in zip(args, dims, flags)]
    cond_consts, body_consts, carry = split(moved, cond_nconsts, body_nconsts)
    if pred_batched:
        body_consts, body_nconsts = [*cond_consts, *body_consts], body_nconsts + cond_nconsts
    outs = while_p.bind(
        *cond_consts, *body_consts, *carry, cond_jaxpr=cond, cond_nconsts=cond_nconsts, body_jaxpr=body,
        body_nconsts=body_nconsts,
    )  # fmt: skip
    return outs, [0 if b else None for b in carry_batched]


def _while_any(cond: ClosedJaxpr, cond_nconsts: int, body: ClosedJaxpr) -> tuple[ClosedJaxpr, ClosedJaxpr]:
    """A loop that goes on while any example does, and changes those only that do; its body takes the cond's consts."""
    key = ("while any", cond)
    if key in body.cache:
        return body.cache[key]  # type: ignore[no-any-return]

    def any_goes_on(*args: Any) -> list[Any]:
        (pred,) = eval_jaxpr(cond.jaxpr, cond.consts, *args)
        number = convert_element_type_p.bind(pred, new_dtype="int32", weak_type=False)
        return [convert_element_type_p.bind(reduce_sum(number, (0,)), new_dtype="bool", weak_type=False)]

    n_consts = len(body.in_avals) - len(body.out_avals)

    def step(*args: Any) -> list[Any]:
        cond_consts, rest = split(args, cond_nconsts)
        carry = rest[n_consts:]
        (pred,) = eval_jaxpr(cond.jaxpr, cond.consts, *cond_consts, *carry)
        outs = eval_jaxpr(body.jaxpr, body.consts, *rest)
        return [_selected(pred, old, new) for old, new in zip(carry, outs)]

    result = (
        staged_apart(any_goes_on, cond.in_avals),
        staged_apart(step, [*cond.in_avals[:cond_nconsts], *body.in_avals]),
    )
    body.cache[key] = result
    return result


def _selected(pred: Any, old: Any, new: Any) -> Any:
    shape = new.aval.shape
    if len(shape) > 1:
        pred = broadcast_in_dim_p.bind(pred, shape=shape, broadcast_dimensions=(0,))
    return select_n_p.bind(pred, old, new)


def _partial_eval(trace: PartialTrace, args: Sequence[Any], params: dict[str, Any]) -> list[Any]:
    cond_jaxpr, body_jaxpr = params["cond_jaxpr"], params["body_jaxpr"]
    cond_nconsts, body_nconsts = params["cond_nconsts"], params["body_nconsts"]
    cond_unknown, const_unknown, carry_unknown = split([trace.is_unknown(a) for a in args], cond_nconsts, body_nconsts)
    while True:
        body, _, found, n_residuals = partial_eval_jaxpr(body_jaxpr, [*const_unknown, *carry_unknown], carry_unknown)
        if found == carry_unknown:
            break
        carry_unknown = [a or b for a, b in zip(carry_unknown, found)]
    cond, _, (pred_unknown,), _ = partial_eval_jaxpr(cond_jaxpr, [*cond_unknown, *carry_unknown])
    # what is not known computes what is known again: a loop of unknown length has no room for residuals
    outs: list[Any] = list(trace.record(while_p, args, params, body_jaxpr.out_avals))
    if pred_unknown or all(carry_unknown):
        return outs
    n = len(body.out_avals) - n_residuals
    flags = [not u for u in (*cond_unknown, *const_unknown, *carry_unknown)]
    known = trace.bind_known(
        while_p,
        select_by(flags, args),
        {
            "cond_jaxpr": rearranged(cond, range(len(cond.in_avals)), [0]),
            "cond_nconsts": cond_unknown.count(False),
            "body_jaxpr": rearranged(body, range(len(body.in_avals)), range(n)),
            "body_nconsts": const_unknown.count(False),
        },
    )
    of_known = iter(known)
    return [out if u else next(of_known) for out, u in zip(outs, carry_unknown)]


def _transpose(cts: Sequence[Any], *args: Any, **params: Any) -> list[Any]:
    raise ValueError(
        "Reverse-mode differentiation does not work for lax.while_loop or lax.fori_loop with dynamic start/stop "
        "values. "
        "Try using lax.scan, or using fori_loop with static start/stop."
    )


while_p.jvp_rule = _jvp
while_p.batching_rule = _batch
while_p.partial_eval_rule = _partial_eval
while_p.transpose_rule = _transpose
