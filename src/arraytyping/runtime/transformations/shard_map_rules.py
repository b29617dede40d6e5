"""Derivatives and batches of functions that are mapped over a mesh.

What the backward pass needs of the forward one is kept on each device: along a new first dimension, which is cut along
all axes along which it may differ.

Source: https://docs.jax.dev/en/latest/notebooks/shard_map.html.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from arraytyping.runtime.core import EVAL, use_trace
from arraytyping.runtime.jaxpr.dce import dce_closed
from arraytyping.runtime.jaxpr.evaluate import eval_jaxpr
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr, Jaxpr, JaxprEqn, jaxprs_in
from arraytyping.runtime.lax.arithmetic import div_p
from arraytyping.runtime.lax.collectives import number_like, psum_p
from arraytyping.runtime.lax.structure import reshape
from arraytyping.runtime.sharding import Mesh, PartitionSpec
from arraytyping.runtime.trace_state import bind_mesh
from arraytyping.runtime.tracing.batching import Axis, batch_jaxpr, move_batch_dim, spmd_axes
from arraytyping.runtime.tracing.forward import jvp_jaxpr
from arraytyping.runtime.tracing.partial_eval import PartialTrace, partial_eval_jaxpr
from arraytyping.runtime.tracing.staging import stage
from arraytyping.runtime.tracing.tangents import Zero, has_tangent, is_zero
from arraytyping.runtime.tracing.transposing import is_linear, transpose_jaxpr
from arraytyping.runtime.transformations.calls import hoisted
from arraytyping.runtime.transformations.shard_mapping import (
    axes_in,
    differing,
    manual_of,
    part_of,
    shard_map_p,
    unmentioned,
    whole_of,
)
from arraytyping.runtime.varying import Axes, of_shape
from arraytyping.semantics.avals import ShapedArray, static_shape
from arraytyping.semantics.shardings import axes_str

__all__: list[str] = []

Specs = Sequence[PartitionSpec]
_WHOLE: Final = PartitionSpec()


def _staged(
    mesh: Mesh, axes: Axes, check: bool, function: Callable[..., Sequence[Any]], avals: Sequence[ShapedArray]
) -> ClosedJaxpr:
    """A jaxpr of a function of parts, within the mesh."""
    with use_trace(EVAL), bind_mesh(manual_of(mesh, axes, check)):
        return stage(function, avals)


def _bind(
    jaxpr: ClosedJaxpr, args: Sequence[Any], mesh: Mesh, axes: Axes, in_specs: Specs, out_specs: Specs, check: bool
) -> list[Any]:
    jaxpr, consts = hoisted(jaxpr)
    outs: list[Any] = shard_map_p.bind(
        *consts, *args, jaxpr=jaxpr, mesh=mesh, axes=axes, in_specs=(*[_WHOLE] * len(consts), *in_specs),
        out_specs=tuple(out_specs), check=check,
    )  # fmt: skip
    return outs


def _jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, jaxpr: ClosedJaxpr, mesh: Mesh, axes: Axes,
    in_specs: Specs, out_specs: Specs, check: bool,
) -> Any:  # fmt: skip
    nonzero = [not is_zero(t) for t in tangents]
    with bind_mesh(manual_of(mesh, axes, check)):
        derived, out_nonzero = jvp_jaxpr(jaxpr, nonzero)
    outs = _bind(
        derived, [*primals, *(t for t in tangents if not is_zero(t))], mesh, axes,
        [*in_specs, *(s for s, nz in zip(in_specs, nonzero) if nz)],
        [*out_specs, *(s for s, nz in zip(out_specs, out_nonzero) if nz)], check,
    )  # fmt: skip
    n = len(out_specs)
    given = iter(outs[n:])
    return outs[:n], [next(given) if nz else Zero(o.aval) for o, nz in zip(outs[:n], out_nonzero)]


def _of_batch(spec: PartitionSpec, axis: Axis) -> PartitionSpec:
    """The spec of an array with one more first dimension, which is whole, or cut as the batch is."""
    return PartitionSpec(axis.spmd or None, *spec)


def _batch(
    axis: Axis, args: Sequence[Any], dims: Sequence[int | None], *, jaxpr: ClosedJaxpr, mesh: Mesh, axes: Axes,
    in_specs: Specs, out_specs: Specs, check: bool,
) -> Any:  # fmt: skip
    if axis.name in axes:  # within, the name is that of the mesh
        axis = Axis(axis.size, None, axis.level)
    whole = axis
    if axis.spmd:
        axis = _cut(axis, mesh, axes, [*in_specs, *out_specs], jaxpr)
    batched = [d is not None for d in dims]
    moved = [a if d is None else move_batch_dim(whole, a, d, 0) for a, d in zip(args, dims)]
    with bind_mesh(manual_of(mesh, axes, check)):
        derived, out_batched = batch_jaxpr(jaxpr, axis, batched)
    outs = _bind(
        derived, moved, mesh, axes, [_of_batch(s, axis) if b else s for s, b in zip(in_specs, batched)],
        [_of_batch(s, axis) if b else s for s, b in zip(out_specs, out_batched)], check,
    )  # fmt: skip
    return outs, [0 if b else None for b in out_batched]


def _asked(jaxpr: Jaxpr) -> set[Any]:
    """The axes along which devices exchange in a jaxpr, or ask for their number."""
    found: set[Any] = set()
    for eqn in jaxpr.eqns:
        if eqn.primitive.is_collective:
            names = eqn.params["axis_name"]
            found.update(names if isinstance(names, tuple) else (names,))
        for inner in jaxprs_in(eqn.params):
            found |= _asked(inner.jaxpr)
    return found


def _cut(axis: Axis, mesh: Mesh, axes: Axes, specs: Specs, jaxpr: ClosedJaxpr) -> Axis:
    """The part of a mapped axis that a device has, where the batch is cut along axes of the mesh.

    Raises:
        ValueError: if they are not all mapped, are named already, or do not divide the batch.
        NotImplementedError: for an axis with a name, by which examples of other devices would be asked for.
    """
    shown = axes_str(axis.spmd)
    if axis.name is not None:
        raise NotImplementedError(
            f"vmap with both axis_name={axis.name!r} and spmd_axis_name {shown} around shard_map is not there; leave "
            "either out"
        )
    if not axes.issuperset(axis.spmd):
        raise ValueError(f"vmap spmd_axis_name {shown} has to be among the axes over which shard_map maps within")
    if any(axes_in(spec).intersection(axis.spmd) for spec in specs):
        raise ValueError(
            f"vmap spmd_axis_name cannot appear in shard_map in_specs or out_specs, and {shown} does: an axis cuts the "
            "batch or a dimension of an example"
        )
    if asked := _asked(jaxpr.jaxpr).intersection(axis.spmd):
        raise NotImplementedError(
            f"vmap with spmd_axis_name {shown} cuts the batch along it, and within shard_map devices exchange values, "
            f"or ask for their number, along {axes_str(sorted(asked))}; use another axis, or leave spmd_axis_name out"
        )
    count = math.prod(mesh.shape[name] for name in axis.spmd)
    if axis.size % count:
        raise ValueError(
            f"vmap maps over {axis.size} examples, which the {count} devices along spmd_axis_name {shown} do not divide"
        )
    return Axis(axis.size // count, None, axis.level, axis.spmd)


def _of_example(axes: Axes, jaxpr: ClosedJaxpr) -> Axes:
    """The axes along which one example may differ: not along those along which the batch around it is cut."""
    spmd = spmd_axes()
    return axes - (spmd - _asked(jaxpr.jaxpr)) if spmd else axes


def _kept(aval: ShapedArray) -> ShapedArray:
    """The part of what is kept of such a value on each device."""
    return of_shape(aval, (1, *static_shape(aval)))


def _partial_eval(trace: PartialTrace, args: Sequence[Any], params: dict[str, Any]) -> list[Any]:
    jaxpr, mesh, axes, check = params["jaxpr"], params["mesh"], params["axes"], params["check"]
    in_specs, out_specs = params["in_specs"], params["out_specs"]
    unknown = [trace.is_unknown(a) for a in args]
    with bind_mesh(manual_of(mesh, axes, check)):
        known, rest, out_unknown, n = partial_eval_jaxpr(jaxpr, unknown)
    first = len(known.out_avals) - n
    # where it is followed along which axes values differ, what is kept differs along no more than it did
    whole = _of_example(axes, jaxpr)
    along = [differing(a) & axes if check else whole for a in rest.in_avals[:n]]
    kept_specs = [PartitionSpec(tuple(name for name in mesh.axis_names if name in one)) for one in along]

    def keeping(*given: Any) -> list[Any]:
        outs = eval_jaxpr(known.jaxpr, known.consts, *given)
        return [*outs[:first], *(reshape(r, (1, *r.aval.shape)) for r in outs[first:])]

    def kept_used(*given: Any) -> list[Any]:
        kept = [reshape(r, r.aval.shape[1:]) for r in given[:n]]
        return eval_jaxpr(rest.jaxpr, rest.consts, *kept, *given[n:])

    residuals = [_kept(a) for a in rest.in_avals[:n]]
    known_jaxpr = _staged(mesh, axes, check, keeping, known.in_avals)
    rest_jaxpr = _staged(mesh, axes, check, kept_used, [*residuals, *rest.in_avals[n:]])
    known_jaxpr, consts = hoisted(known_jaxpr)
    specs = [_WHOLE] * len(consts)
    outs = trace.bind_known(
        shard_map_p, [*consts, *(a for a, u in zip(args, unknown) if not u)],
        {
            "jaxpr": known_jaxpr, "mesh": mesh, "axes": axes, "check": check,
            "in_specs": (*specs, *(s for s, u in zip(in_specs, unknown) if not u)),
            "out_specs": (*(s for s, u in zip(out_specs, out_unknown) if not u), *kept_specs),
        },
    )  # fmt: skip
    rest_jaxpr, rest_consts = hoisted(rest_jaxpr)
    rest_specs = tuple(s for s, u in zip(out_specs, out_unknown) if u)
    found = trace.record(
        shard_map_p, [*rest_consts, *outs[first:], *(a for a, u in zip(args, unknown) if u)],
        {
            "jaxpr": rest_jaxpr, "mesh": mesh, "axes": axes, "check": check,
            "in_specs": (
                *[_WHOLE] * len(rest_consts), *kept_specs, *(s for s, u in zip(in_specs, unknown) if u),
            ),
            "out_specs": rest_specs,
        },
        [whole_of(a, mesh, s, axes, check) for a, s in zip(rest_jaxpr.out_avals, rest_specs)],
    )  # fmt: skip
    of_known, of_unknown = iter(outs), iter(found)
    return [next(of_unknown) if u else next(of_known) for u in out_unknown]


def _transpose(
    cts: Sequence[Any], *args: Any, jaxpr: ClosedJaxpr, mesh: Mesh, axes: Axes, in_specs: Specs, out_specs: Specs,
    check: bool,
) -> list[Any]:  # fmt: skip
    linear = [is_linear(a) for a in args]
    nonzero = [not is_zero(ct) for ct in cts]
    with bind_mesh(manual_of(mesh, axes, check)):
        derived = transpose_jaxpr(jaxpr, linear, nonzero)
    given = [(a, s) for a, s, lin in zip(args, in_specs, linear) if not lin]
    found = [(ct, s) for ct, s in zip(cts, out_specs) if not is_zero(ct)]
    left = [s for s, lin in zip(in_specs, linear) if lin]
    of_one = _of_example(axes, jaxpr)
    if not check:
        # a result that is the same on several devices has its cotangent from all of them, each a part of it
        found = [(_divided(ct, math.prod(mesh.shape[n] for n in unmentioned(mesh, of_one, s))), s) for ct, s in found]

    def summed(*values: Any) -> list[Any]:
        outs = eval_jaxpr(derived.jaxpr, derived.consts, *values)
        if check:
            return list(outs)
        return [
            psum_p.bind(o, axis_name=names) if (names := unmentioned(mesh, of_one, s)) and has_tangent(o.aval) else o
            for o, s in zip(outs, left)
        ]

    values = [*given, *found]
    avals = [part_of(v, mesh, s, check) for v, s in values]
    whole = _staged(mesh, axes, check, summed, avals)
    outs = iter(_bind(whole, [v for v, _ in values], mesh, axes, [s for _, s in values], left, check))
    return [next(outs) if lin else None for lin in linear]


def _divided(ct: Any, count: int) -> Any:
    if count == 1:
        return ct
    return div_p.bind(ct, number_like(ct, count))


def _unused_left_out(used: Sequence[bool], eqn: JaxprEqn) -> JaxprEqn:
    inner: ClosedJaxpr = eqn.params["jaxpr"]
    closed, used_inputs = dce_closed(inner, used)
    if closed is inner:
        return eqn
    params = {
        **eqn.params, "jaxpr": closed,
        "in_specs": tuple(s for s, u in zip(eqn.params["in_specs"], used_inputs) if u),
        "out_specs": tuple(s for s, u in zip(eqn.params["out_specs"], used) if u),
    }  # fmt: skip
    invars = [v for v, u in zip(eqn.invars, used_inputs) if u]
    outvars = [v for v, u in zip(eqn.outvars, used) if u]
    return JaxprEqn(invars, outvars, eqn.primitive, params, eqn.source)


shard_map_p.jvp_rule = _jvp
shard_map_p.batching_rule = _batch
shard_map_p.partial_eval_rule = _partial_eval
shard_map_p.transpose_rule = _transpose
shard_map_p.dce_rule = _unused_left_out
