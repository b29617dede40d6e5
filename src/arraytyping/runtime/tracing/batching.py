"""Batching: compute a function of single examples on a whole batch at once.

Source: https://docs.jax.dev/en/latest/autodidax.html, part 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from arraytyping.runtime.core import EVAL, Primitive, Trace, Tracer, axes_of, current_trace, escaped, use_trace, vary
from arraytyping.runtime.cut_types import CutArray, cut_of, uncut, with_cut
from arraytyping.runtime.jaxpr.evaluate import eval_jaxpr
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr
from arraytyping.runtime.trace_state import bind_axis, manual_here
from arraytyping.runtime.tracing.staging import stage
from arraytyping.runtime.varying import Axes, many_along, one_along, varying_axes, with_axes
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.operations import OPERATIONS

__all__ = [
    "Axis",
    "BatchTrace",
    "BatchTracer",
    "batch_flat",
    "batch_jaxpr",
    "move_batch_dim",
    "spmd_axes",
    "unbatched_aval",
]


@dataclass(frozen=True, slots=True)
class Axis:
    """A mapped axis: its size, its name if it has one, and the axes of a mesh along which the batch is cut.

    `level` is one object for each call of `vmap`: by it a function that is called late, by a rule of its own, knows the
    examples of this batch again among what it closes over.
    """

    size: int
    name: Any = None
    level: object = field(default_factory=object, compare=False)
    spmd: tuple[Any, ...] = ()
    cut: tuple[Any, Any] | None = None
    """A mesh and the explicit axes of it along which types say that the batch is cut."""

    @property
    def entry(self) -> Any:
        """These axes."""
        return None if self.cut is None else self.cut[1]


def spmd_axes() -> frozenset[Any]:
    """The axes of meshes along which the batches are cut, examples of which are computed with here."""
    found: set[Any] = set()
    trace: Trace | None = current_trace()
    while trace is not None:
        if isinstance(trace, BatchTrace):
            found.update(trace.axis.spmd)
        trace = trace.parent
    return frozenset(found)


class BatchTracer(Tracer):
    """A single example, of which `value` holds the whole batch along the dimension `dim`."""

    __slots__ = ("dim", "value")

    def __init__(self, trace: Trace, value: Any, dim: int) -> None:
        self._trace = trace
        self.aval: ShapedArray = unbatched_aval(value.aval, dim)
        self.value: Any = value
        self.dim: int = dim


class BatchTrace(Trace):
    """Computes every primitive on the batch, by the primitive's rule."""

    __slots__ = ("axis", "level")

    def __init__(self, parent: Trace, axis: Axis) -> None:
        super().__init__(parent)
        self.axis: Axis = axis
        self.level: object = axis.level

    def pair(self, value: Any) -> tuple[Any, int | None]:
        """The batch of a value and its dimension; None for a value that is the same for every example."""
        if type(value) is BatchTracer and value._trace.level is self.level:  # type: ignore[attr-defined]
            return value.value, value.dim
        if isinstance(value, Tracer) and value._trace.is_finished:
            raise escaped(value)
        return value, None

    def process(self, primitive: Primitive, args: Sequence[Any], params: dict[str, Any]) -> Any:
        """The result for the whole batch.

        Raises:
            NotImplementedError: if the primitive has no rule and an argument is batched.
        """
        pairs = [self.pair(arg) for arg in args]
        values = [value for value, _ in pairs]
        named = self.axis.name is not None and (
            (primitive.is_collective and self.axis.name in params["axis_name"]) or primitive.has_jaxprs
        )
        parent = self.parent
        assert parent is not None
        with use_trace(parent):
            if not named and all(dim is None for _, dim in pairs) and not self.is_closed_over(values, params):
                return primitive.bind(*values, **params)
            if primitive.batching_rule is None:
                raise NotImplementedError(f"Batching rule for '{primitive}' not implemented")
            out, dim = primitive.batching_rule(self.axis, values, [d for _, d in pairs], **params)
        if primitive.multiple_results:
            return [self.tracer(o, d) for o, d in zip(out, dim)]
        return self.tracer(out, dim)

    def is_closed_over(self, args: Sequence[Any], params: dict[str, Any]) -> bool:
        """Whether the primitive calls a function, not yet a jaxpr, that closes over examples of this batch."""
        function = params.get("jaxpr")
        if not callable(function):
            return False
        return any(self.pair(const)[1] is not None for const in stage(function, [a.aval for a in args]).consts)

    def tracer(self, value: Any, dim: int | None) -> Any:
        """An example of this batch; the value itself where it is not batched."""
        return value if dim is None else BatchTracer(self, value, dim)


def unbatched_aval(aval: ShapedArray, dim: int) -> ShapedArray:
    """The abstract value of one example."""
    return one_along(aval, dim)


def batched_aval(aval: ShapedArray, dim: int | None, size: int, cut: tuple[Any, Any] | None = None) -> ShapedArray:
    """The abstract value of a batch of such values, cut along the explicit axes of `cut`, a mesh and an entry."""
    if dim is None:
        return aval
    if cut is not None:
        aval = aval if isinstance(aval, CutArray) else with_cut(aval, cut[0], (None,) * len(aval.shape or ()))
    return many_along(aval, dim, size, None if cut is None else cut[1])


def move_batch_dim(axis: Axis, value: Any, source: int | None, to: int) -> Any:
    """The batch with its dimension at another place; a value that is not batched is repeated."""
    if source is None:
        made = OPERATIONS.broadcast_at(value, axis.size, to)
        if axis.cut is None:
            return made
        mesh, entry = axis.cut
        own = cut_of(value.aval) or (None,) * (len(made.aval.shape) - 1)
        return OPERATIONS.lying_as(made, with_cut(uncut(made.aval), mesh, (*own[:to], entry, *own[to:])))
    return OPERATIONS.moveaxis(value, source, to)


def batch_flat(
    function: Callable[..., Sequence[Any]],
    axis: Axis,
    args: Sequence[Any],
    dims: Sequence[int | None],
) -> tuple[list[Any], list[int | None]]:
    """The results of a function of flat arguments for the whole batch, and where their batch dimension is."""
    trace = BatchTrace(current_trace(), axis)
    try:
        tracers = [trace.tracer(arg, dim) for arg, dim in zip(args, dims)]
        with use_trace(trace):
            if axis.name is None:
                outs = function(*tracers)
            else:
                with bind_axis(axis.name, axis.size):
                    outs = function(*tracers)
        pairs = [trace.pair(out) for out in outs]
        return [value for value, _ in pairs], [dim for _, dim in pairs]
    finally:
        trace.finish()


def batch_jaxpr(
    closed: ClosedJaxpr, axis: Axis, batched: Sequence[bool], out_batched: bool | Sequence[bool] = False
) -> tuple[ClosedJaxpr, list[bool]]:
    """A jaxpr of the whole batch, which is at dimension 0 of the batched inputs and results.

    `out_batched` says which results are to be batched even where they need not be; the second result says which are.
    """
    key = ("batch", axis, tuple(batched), out_batched if isinstance(out_batched, bool) else tuple(out_batched))
    if key in closed.cache:
        return closed.cache[key]  # type: ignore[no-any-return]
    found: list[bool] = []

    def on_batch(*args: Any) -> list[Any]:
        outs, dims = batch_flat(
            lambda *xs: eval_jaxpr(closed.jaxpr, closed.consts, *xs), axis, args, [0 if b else None for b in batched]
        )
        wanted = [out_batched] * len(outs) if isinstance(out_batched, bool) else out_batched
        found[:] = [d is not None or w for d, w in zip(dims, wanted)]
        moved = [move_batch_dim(axis, o, d, 0) if f else o for o, d, f in zip(outs, dims, found)]
        return [vary(o, along - axes_of(o)) if f and along else o for o, f in zip(moved, found)]

    manual = manual_here()
    # of a batch that is cut along axes over which a function is mapped each device has other examples
    along: Axes = frozenset() if manual is None else manual.followed.intersection(axis.spmd)
    avals = [batched_aval(a, 0 if b else None, axis.size, axis.cut) for a, b in zip(closed.in_avals, batched)]
    avals = [
        with_axes(a, (varying_axes(a) or frozenset()) | along) if b and along else a for a, b in zip(avals, batched)
    ]
    with use_trace(EVAL):
        result = stage(on_batch, avals), found
    closed.cache[key] = result
    return result
