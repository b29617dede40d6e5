"""`cond`, `while` and `scan`: their jaxprs become regions of StableHLO's `case` and `while`.

A scan is a `while` over a counter, its inputs, and the stacks that its results are written to.  Where callbacks in it
are ordered, the token that goes from one to the next goes through the regions first of all.

Source: https://openxla.org/stablehlo/spec#case; https://openxla.org/stablehlo/spec#while.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from arraytyping.runtime.effects import has_ordered
from arraytyping.runtime.lax.control_flow.bodies import split
from arraytyping.runtime.lax.control_flow.cond import cond_p
from arraytyping.runtime.lax.control_flow.linear_solve import linear_solve_p, solve_arguments
from arraytyping.runtime.lax.control_flow.scan import scan_p
from arraytyping.runtime.lax.control_flow.while_loop import while_p
from arraytyping.runtime.xla.types import int_array, splat, tensor_type, zeros
from arraytyping.semantics.avals import ShapedArray


def _while(
    cx: Any, ordered: bool, init: Sequence[Any], cond: Callable[[Sequence[Any]], Any],
    body: Callable[[Sequence[Any]], Any],
) -> list[Any]:  # fmt: skip
    """The values after a loop."""
    first = int(ordered)
    values = [cx.current_token(), *init] if ordered else list(init)
    types = [v.type for v in values]
    op = hlo.WhileOp(types, values)
    with ir.InsertionPoint(op.regions[0].blocks.append(*types)) as point:
        hlo.return_([cond(list(point.block.arguments)[first:])])
    with ir.InsertionPoint(op.regions[1].blocks.append(*types)) as point:
        given = list(point.block.arguments)
        if ordered:
            cx.token = given[0]
        outs = body(given[first:])
        hlo.return_([cx.token, *outs] if ordered else outs)
    results = list(op.results)
    if ordered:
        cx.token = results.pop(0)
    return results


def _lower_while(
    cx: Any, avals_in: Any, avals_out: Any, *args: Any, cond_jaxpr: Any, cond_nconsts: int, body_jaxpr: Any,
    body_nconsts: int,
) -> list[Any]:  # fmt: skip
    def goes_on(values: Sequence[Any]) -> Any:
        consts, _, carry = split(values, cond_nconsts, body_nconsts)
        return cx.closed(cond_jaxpr, [*consts, *carry])[0]

    def body(values: Sequence[Any]) -> Any:
        cond_consts, consts, carry = split(values, cond_nconsts, body_nconsts)
        return [*cond_consts, *consts, *cx.closed(body_jaxpr, [*consts, *carry])]

    ordered = has_ordered(cond_jaxpr.effects | body_jaxpr.effects)
    first = cond_nconsts + body_nconsts
    if not has_ordered(cond_jaxpr.effects):
        return _while(cx, ordered, args, goes_on, body)[first:]

    def body_first(values: Sequence[Any]) -> Any:
        found = body(values[1:])
        return [goes_on(found), *found]

    # no token comes out of the region of a predicate: what it says is a value of the loop
    return _while(cx, ordered, [goes_on(args), *args], lambda values: values[0], body_first)[first + 1 :]


def _lower_cond(cx: Any, avals_in: Any, avals_out: Any, index: Any, *operands: Any, branches: Any) -> list[Any]:
    ordered = any(has_ordered(branch.effects) for branch in branches)
    token = cx.current_token() if ordered else None
    types = [tensor_type(a) for a in avals_out]
    op = hlo.CaseOp([token.type, *types] if token is not None else types, index, len(branches))
    for region, branch in zip(op.regions, branches):
        with ir.InsertionPoint(region.blocks.append()):
            cx.token = token if ordered else cx.token
            outs = cx.closed(branch, operands)
            hlo.return_([cx.token, *outs] if ordered else outs)
    results = list(op.results)
    if ordered:
        cx.token = results.pop(0)
    return results


def _slice(stack: Any, aval: ShapedArray, index: Any, zero: Any) -> Any:
    """One element of an array along its leading dimension."""
    assert aval.shape is not None
    element = ShapedArray(aval.shape[1:], aval.dtype)
    starts = [index, *[zero] * len(element.shape or ())]
    sizes: Any = (1, *aval.shape[1:])
    return hlo.reshape(tensor_type(element), hlo.dynamic_slice(stack, starts, int_array(sizes)))


def _write(stack: Any, aval: ShapedArray, element: Any, index: Any, zero: Any) -> Any:
    """The array with this element along its leading dimension."""
    assert aval.shape is not None
    one = hlo.reshape(tensor_type(ShapedArray((1, *aval.shape[1:]), aval.dtype)), element)
    return hlo.dynamic_update_slice(stack, one, [index, *[zero] * (len(aval.shape) - 1)])


def _lower_scan(
    cx: Any, avals_in: Sequence[ShapedArray], avals_out: Sequence[ShapedArray], *args: Any, jaxpr: Any, length: int,
    reverse: bool, unroll: int, num_consts: int, num_carry: int,
) -> list[Any]:  # fmt: skip
    consts, carry, xs = split(args, num_consts, num_carry)
    _, _, xs_avals = split(avals_in, num_consts, num_carry)
    _, ys_avals = split(avals_out, num_carry)
    ys = [zeros(a) for a in ys_avals]
    if not length:
        return [*carry, *ys]
    scalar = ShapedArray((), "int32" if length < 2**31 else "int64")

    def number(value: int) -> Any:
        return splat(value, scalar)

    def step(at: Any, consts: Sequence[Any], carry: Sequence[Any], xs: Sequence[Any], ys: Sequence[Any]) -> Any:
        """The carry and the stacks after the step of this number."""
        zero = number(0)
        place = hlo.subtract(number(length - 1), at) if reverse else at
        items = [_slice(x, a, place, zero) for x, a in zip(xs, xs_avals)]
        carry, outs = split(cx.closed(jaxpr, [*consts, *carry, *items]), num_carry)
        return carry, [_write(y, a, out, place, zero) for y, a, out in zip(ys, ys_avals, outs)]

    unroll = min(unroll or length, length)
    rounds = length // unroll
    sizes = (1, num_consts, num_carry, len(xs))

    def body(values: Sequence[Any]) -> list[Any]:
        (i,), consts, carry, xs, ys = split(values, *sizes)
        for k in range(unroll):
            carry, ys = step(hlo.add(i, number(k)) if k else i, consts, carry, xs, ys)
        return [hlo.add(i, number(unroll)), *consts, *carry, *xs, *ys]

    def cond(values: Sequence[Any]) -> Any:
        return hlo.compare(
            values[0],
            number(rounds * unroll),
            hlo.ComparisonDirectionAttr.get("LT"),
            compare_type=hlo.ComparisonTypeAttr.get("SIGNED"),
        )

    values: list[Any] = [number(0), *consts, *carry, *xs, *ys]
    values = body(values) if rounds == 1 else _while(cx, has_ordered(jaxpr.effects), values, cond, body)
    _, _, carry, _, ys = split(values, *sizes)
    for k in range(rounds * unroll, length):
        carry, ys = step(number(k), consts, carry, xs, ys)
    return [*carry, *ys]


cond_p.lowering = _lower_cond
while_p.lowering = _lower_while
scan_p.lowering = _lower_scan


def _lower_linear_solve(
    cx: Any, avals_in: Any, avals_out: Any, *args: Any, const_lengths: tuple[int, ...], jaxprs: Any
) -> Any:
    return cx.closed(jaxprs[1], solve_arguments(args, const_lengths))


linear_solve_p.lowering = _lower_linear_solve
