"""Along which axes of a mesh the results of primitives differ, and `pcast`, which makes values differ.

The transpose of making a value differ is a sum over the devices: so the gradient by a value that is the same on all of
them is the whole one.

Source: https://docs.jax.dev/en/latest/notebooks/shard_map.html; https://docs.jax.dev/en/latest/_autosummary/jax.lax.pcast.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.runtime import core, trace_state, tree
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr, Jaxpr, jaxprs_in
from arraytyping.runtime.lax.barriers import optimization_barrier_p
from arraytyping.runtime.lax.collectives import axis_index_p, axis_names, pmax_p, pmin_p, psum_p
from arraytyping.runtime.lax.control_flow.cond import cond_p
from arraytyping.runtime.lax.control_flow.scan import scan_p
from arraytyping.runtime.lax.control_flow.while_loop import while_p
from arraytyping.runtime.lax.exchanges import all_gather_p, ppermute_p
from arraytyping.runtime.lax.scattering_collectives import all_to_all_p, reduce_scatter_p
from arraytyping.runtime.lax.structure import linear_unary
from arraytyping.runtime.transformations.calls import jit_p, remat_p
from arraytyping.runtime.transformations.custom_batching import custom_vmap_p
from arraytyping.runtime.transformations.custom_calls import custom_jvp_call_p, custom_vjp_call_p
from arraytyping.runtime.transformations.custom_remat import remat_opt_p
from arraytyping.runtime.varying import Axes, varying_axes

__all__ = ["pcast", "pvary", "pvary_p"]

Rule = tuple[Sequence[Axes], Sequence[Axes]]
_NONE: Final[Axes] = frozenset()

pvary_p: Final = Primitive("pvary", lambda cx, x, *, axes: x)
linear_unary(pvary_p)
pvary_p.transpose_rule = lambda ct, x, *, axes: [psum_p.bind(ct, axis_name=tuple(sorted(axes, key=str)))]
pvary_p.varying_rule = lambda given, params: (given, [given[0] | params["axes"]])
pvary_p.batching_rule = lambda axis, args, dims, *, axes: (pvary_p.bind(args[0], axes=axes), dims[0])


def pcast(x: Any, axis_name: Any, *, to: str) -> Any:
    """`jax.lax.pcast`: the leaves, which from now on count as different on the devices along these axes.

    Raises:
        NameError: if no axis of this name is mapped here.
        ValueError: for another `to` than "varying".
        NotImplementedError: for "reduced" and "unreduced".
    """
    if to in ("reduced", "unreduced"):
        raise NotImplementedError(f"pcast to {to!r} is not there; 'varying' is")
    if to != "varying":
        raise ValueError(f"pcast: to must be 'varying', got {to!r:.40}")
    names = frozenset(axis_names(axis_name))

    def cast(leaf: Any) -> Any:
        array = materialized(array_from(leaf))
        manual = trace_state.manual_here()
        if manual is None or not manual.check:
            return array
        return core.vary(array, (names & manual.followed) - core.axes_of(array))

    return tree.map(cast, x)


def pvary(x: Any, axis_name: Any) -> Any:
    """`jax.lax.pvary`: the older name of `pcast(x, axis_name, to="varying")`."""
    return pcast(x, axis_name, to="varying")


def _manual(params: dict[str, Any]) -> Axes:
    manual = trace_state.manual_here()
    return _NONE if manual is None else manual.followed.intersection(params["axis_name"])


def _reducing(given: Sequence[Axes], params: dict[str, Any]) -> Rule:
    axes = _manual(params)
    return [given[0] | axes], [given[0] - axes]


def _exchanging(given: Sequence[Axes], params: dict[str, Any]) -> Rule:
    axes = given[0] | _manual(params)
    return [axes], [axes]


for _primitive in (psum_p, pmax_p, pmin_p):
    _primitive.varying_rule = _reducing
for _primitive in (all_gather_p, all_to_all_p, ppermute_p, reduce_scatter_p):
    _primitive.varying_rule = _exchanging
axis_index_p.varying_rule = lambda given, params: ([], [_manual(params)])


def _inputs(jaxprs: Sequence[ClosedJaxpr], given: Sequence[Axes], what: str) -> list[Axes]:
    """The axes along which the operands of jaxprs have to differ: those of which they were traced to be."""
    wanted = [
        frozenset().union(*(varying_axes(a) or _NONE for a in avals))
        for avals in zip(*(jaxpr.in_avals for jaxpr in jaxprs))
    ]
    if any(not axes <= w for axes, w in zip(given, wanted)):
        raise NotImplementedError(
            f"shard_map with check_vma=True cannot follow along which axes the operands of {what} differ; use "
            "check_vma=False"
        )
    return wanted


def _outputs(jaxpr: ClosedJaxpr) -> list[Axes]:
    """The axes along which the results of a jaxpr differ; of a literal none."""
    return [varying_axes(a) or _NONE for a in jaxpr.out_avals]


def _of_call(given: Sequence[Axes], params: dict[str, Any]) -> Rule:
    jaxpr = params["jaxpr"]
    if not isinstance(jaxpr, ClosedJaxpr):  # a function of the program, which is yet to be traced
        return given, []
    return _inputs([jaxpr], given, "a function"), _outputs(jaxpr)


def _of_scan(given: Sequence[Axes], params: dict[str, Any]) -> Rule:
    jaxpr: ClosedJaxpr = params["jaxpr"]
    wanted = _inputs([jaxpr], given, "scan")
    first, count = params["num_consts"], params["num_carry"]
    outs = _outputs(jaxpr)
    return wanted, [*(i | o for i, o in zip(wanted[first : first + count], outs)), *outs[count:]]


def _of_while(given: Sequence[Axes], params: dict[str, Any]) -> Rule:
    cond, body = params["cond_jaxpr"], params["body_jaxpr"]
    n, m = params["cond_nconsts"], params["body_nconsts"]
    wanted_cond = _inputs([cond], [*given[:n], *[_NONE] * (len(given) - n - m)], "while_loop")
    wanted_body = _inputs([body], given[n:], "while_loop")
    (pred,) = _outputs(cond)
    if pred and (_exchanges(cond.jaxpr) or _exchanges(body.jaxpr)):
        raise NotImplementedError(
            "the predicate of while_loop differs from device to device, and devices exchange values in the loop: those "
            "of them that are done would be waited for; let the predicate be the same, by a psum for example"
        )
    outs = [i | o | pred for i, o in zip(wanted_body[m:], _outputs(body))]
    return [*wanted_cond[:n], *wanted_body], outs


def _exchanges(jaxpr: Jaxpr) -> bool:
    """Whether there is an exchange between devices in a jaxpr."""
    return any(
        (eqn.primitive.is_collective and eqn.primitive is not axis_index_p and bool(_manual(eqn.params)))
        or any(_exchanges(inner.jaxpr) for inner in jaxprs_in(eqn.params))
        for eqn in jaxpr.eqns
    )


def _of_cond(given: Sequence[Axes], params: dict[str, Any]) -> Rule:
    branches: tuple[ClosedJaxpr, ...] = params["branches"]
    wanted = _inputs(branches, given[1:], "cond")
    outs = [frozenset().union(*axes) for axes in zip(*map(_outputs, branches))]
    if given[0] and any(_exchanges(branch.jaxpr) for branch in branches):
        raise NotImplementedError(
            "the predicate of cond differs from device to device, and in a branch, or in its derivative, devices "
            "exchange values: those of them that take another branch would be waited for; compute that outside of "
            "the cond, or use where"
        )
    outs = [axes | given[0] for axes in outs]
    return [given[0], *wanted], outs


for _primitive in (jit_p, remat_p, remat_opt_p, custom_vmap_p, custom_jvp_call_p, custom_vjp_call_p):
    _primitive.varying_rule = _of_call
optimization_barrier_p.varying_rule = lambda given, params: (given, given)
scan_p.varying_rule = _of_scan
while_p.varying_rule = _of_while
cond_p.varying_rule = _of_cond
