"""`scan`: a function is applied along the leading dimension of arrays, with a carry; its results are stacked.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, Final

from arraytyping import config
from arraytyping.errors import ConcretizationTypeError
from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import array_from, convert_to, materialized
from arraytyping.runtime.core import Primitive, Tracer
from arraytyping.runtime.cut_types import CutArray
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr
from arraytyping.runtime.lax.control_flow.bodies import (
    Body,
    check_carry,
    handed_on,
    leaves_of,
    made_to_differ,
    run_compiled,
    select_by,
    split,
    structure_of_tuple,
    traced,
    with_fixed,
)
from arraytyping.runtime.lax.slicing import concatenate_p
from arraytyping.runtime.tracebacks import api_boundary
from arraytyping.runtime.varying import many_along, one_along
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.operations import OPERATIONS
from arraytyping.semantics.rules.control_flow import check_types, promoted_carry, scan_results, stacked

__all__ = ["scan", "scan_p"]


def _rule(
    cx: Any, *avals: ShapedArray, jaxpr: ClosedJaxpr, length: int, reverse: bool, unroll: int, num_consts: int,
    num_carry: int,
) -> list[ShapedArray]:  # fmt: skip
    consts, carry, xs = split(avals, num_consts, num_carry)
    consts_in, carry_in, xs_in = split(jaxpr.in_avals, num_consts, num_carry)
    check_types("the constants of scan", consts, consts_in)
    check_types("the carry of scan", carry, carry_in)
    check_types("what scan goes over", xs, [stacked(x, length) for x in xs_in])
    check_types("the carry that the body of scan gives", jaxpr.out_avals[:num_carry], carry)
    outs = jaxpr.out_avals
    return [
        many_along(a, 0, length) if i >= num_carry and isinstance(a, CutArray) else made
        for i, (a, made) in enumerate(zip(outs, scan_results(outs, num_carry, length)))
    ]


scan_p: Final = Primitive("scan", _rule, multiple_results=True, has_jaxprs=True)
scan_p.eval_rule = lambda *args, **params: run_compiled(scan_p, params["jaxpr"], args, params)


@api_boundary
def scan(
    f: Callable[[Any, Any], tuple[Any, Any]],
    init: Any,
    xs: Any = None,
    length: int | None = None,
    reverse: bool = False,
    unroll: int | bool = 1,
) -> tuple[Any, Any]:
    """`jax.lax.scan`: `carry, y = f(carry, x)` for every `x` along the leading dimension; the last carry, and all `y`.

    `reverse` goes from the last to the first; `unroll` says how many steps one round of the loop holds (0 or True:
    all).

    Raises:
        TypeError: if `f` is no function, does not return a pair, or its carry goes out of another structure, shape or
        dtype
            than that with which it came in.
        ValueError: if lengths disagree, or none is given.
    """
    if not callable(f):
        raise TypeError(f"lax.scan: f argument should be a callable, got {f!r:.60} of type {type(f).__name__}")
    carry, carry_tree = leaves_of(init, f)
    items, items_tree = leaves_of(xs, f)
    n = _length(items, items_tree, length)
    rounds = _unroll(unroll, n)
    if config.jit_is_disabled() and n:
        return _in_python(f, tree.unflatten(carry_tree, map(materialized, carry)), items, items_tree, n, reverse)
    in_tree = structure_of_tuple(carry_tree, items_tree)
    for x in items:
        if isinstance(x.aval, CutArray) and x.aval.cut[0] is not None:
            raise ValueError(
                f"0th dimension of all xs should be replicated, which scan goes over, got {x.aval}; reshard it to be "
                "whole there"
            )
    slices = [one_along(x.aval, 0) for x in items]
    body, out_carry_tree, n_carry = _traced(f, in_tree, [v.aval for v in carry], slices)
    if n_carry == len(carry):
        outs = body.out_avals
        wanted = [promoted_carry(config.promotion(), v.aval, out) for v, out in zip(carry, outs)]
        if wanted != [v.aval for v in carry]:
            carry = [convert_to(v, str(w.dtype), bool(w.weak_type)) for v, w in zip(carry, wanted)]
            body, out_carry_tree, n_carry = _traced(f, in_tree, [v.aval for v in carry], slices)
        while (differing := made_to_differ(f, carry, body.out_avals)) is not carry:
            carry = differing
            body, out_carry_tree, n_carry = _traced(f, in_tree, [v.aval for v in carry], slices)
    check_carry("scan body", f, carry_tree, [v.aval for v in carry], out_carry_tree, body.out_avals)
    # what the body only hands on is no carry: it would be kept for every step where the scan is differentiated
    fixed = handed_on(body.jaxpr, len(body.consts), n_carry)
    found = iter(
        scan_p.bind(
            *body.consts, *select_by(fixed, carry), *(v for v, f in zip(carry, fixed) if not f), *items,
            jaxpr=with_fixed(body.jaxpr, len(body.consts), fixed), length=n, reverse=bool(reverse), unroll=rounds,
            num_consts=len(body.consts) + sum(fixed), num_carry=n_carry - sum(fixed),
        )
    )  # fmt: skip
    last = [materialized(v) if f else next(found) for v, f in zip(carry, fixed)]
    carry_out, ys = tree.unflatten(body.out_tree, [*last, *found])
    return carry_out, ys


def _in_python(
    f: Callable[..., Any], carry: Any, items: Sequence[Any], items_tree: Any, length: int, reverse: bool
) -> tuple[Any, Any]:
    """The same step by step."""
    found = []
    for i in reversed(range(length)) if reverse else range(length):
        carry, y = f(carry, tree.unflatten(items_tree, [x[i] for x in items]))
        found.append(y)
    if reverse:
        found.reverse()

    def stacked_up(*ys: Any) -> Any:
        rows = [OPERATIONS.broadcast_at(materialized(array_from(y)), 1, 0) for y in ys]
        return concatenate_p.bind(*rows, dimension=0)

    return carry, tree.map(stacked_up, *found)


def _traced(
    f: Callable[..., Any], in_tree: Any, carry: Sequence[ShapedArray], slices: Sequence[ShapedArray]
) -> tuple[Body, Any, int]:
    """The body, the structure of the carry that it gives, and the number of arrays in that."""
    body = traced(f, in_tree, [*carry, *slices])
    out_tree = body.out_tree
    if out_tree.is_leaf() or out_tree.type not in (tuple, list) or out_tree.num_children != 2:
        given = body.out_avals[0] if out_tree.is_leaf() else out_tree
        raise TypeError(f"scan body output must be a pair, got {given}; return the new carry and what is to be stacked")
    carry_tree = out_tree.children()[0]
    return body, carry_tree, carry_tree.num_leaves


def _length(items: Sequence[Any], items_tree: Any, length: Any) -> int:
    """The number of steps.

    Raises:
        ValueError: if an array has no leading dimension, sizes disagree, or nothing says it.
        ConcretizationTypeError: if it is a tracer.
    """
    for i, x in enumerate(items):
        if not x.aval.shape:
            place = tree.path_str(items_tree.paths()[i])
            raise ValueError(
                f"scan got value with no leading axis to scan over: xs{place} is {x.aval}; give it a leading "
                "dimension, or "
                "close over it"
            )
    sizes = [x.aval.shape[0] for x in items]
    if length is not None:
        if isinstance(length, Tracer):
            raise ConcretizationTypeError(
                "The `length` argument to `scan` expects a concrete `int` value, got a tracer. For scan-like iteration "
                "with "
                "a dynamic length, use `while_loop` or `fori_loop`."
            )
        try:
            n = operator.index(length) if not isinstance(length, float) else int(length)
        except TypeError:
            n = int(length)
        if n < 0:
            raise ValueError(f"scan got the `length` {n}; expected 0 or more")
        if any(size != n for size in sizes):
            raise ValueError(f"scan got `length` argument of {n} which disagrees with leading axis sizes {sizes}.")
        return n
    if not sizes:
        raise ValueError("scan got no values to scan over and `length` not provided.")
    if len(set(sizes)) > 1:
        raise ValueError(f"scan got values with different leading axis sizes: {', '.join(map(str, sizes))}.")
    return int(sizes[0])


def _unroll(unroll: Any, length: int) -> int:
    if isinstance(unroll, Tracer):
        raise ConcretizationTypeError("The `unroll` argument to `scan` expects a concrete `int` or `bool` value.")
    if isinstance(unroll, bool):
        return max(length, 1) if unroll else 1
    rounds = operator.index(unroll)
    if rounds < 0:
        raise ValueError(f"`unroll` must be a `bool` or a non-negative `int`, got {unroll}.")
    return rounds
