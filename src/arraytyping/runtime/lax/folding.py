"""`reduce`: arrays reduced over dimensions by any associative function of two scalars for each.

The tangent is that of a tree of the function, as in JAX.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.reduce.html;
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/lax.py, `_reduce_jvp`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.core import Primitive, Tracer, TypedScalar
from arraytyping.runtime.jaxpr.evaluate import eval_jaxpr
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr, short_aval
from arraytyping.runtime.lax.aggregates import reduce_and_p, reduce_or_p, reduce_prod_p, reduce_xor_p, slice_along
from arraytyping.runtime.lax.control_flow.bodies import leaves_of, run_compiled, staged_apart, structure_of_tuple
from arraytyping.runtime.lax.extremes import reduce_max_p, reduce_min_p
from arraytyping.runtime.lax.limits import extreme
from arraytyping.runtime.lax.reductions import reduce_sum_p
from arraytyping.runtime.lax.slicing import pad_p
from arraytyping.runtime.lax.structure import broadcast_in_dim_p, reshape, transpose
from arraytyping.runtime.tracing.batching import Axis, batch_flat, move_batch_dim
from arraytyping.runtime.tracing.forward import jvp_flat
from arraytyping.runtime.tracing.tangents import is_zero
from arraytyping.runtime.transformations.arguments import FlatFunction
from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import ShapedArray

__all__ = ["reduce", "reduce_p"]


def _rule(cx: Any, *avals: ShapedArray, jaxpr: ClosedJaxpr, dimensions: tuple[int, ...]) -> list[ShapedArray]:
    n = len(avals) // 2
    return [
        ShapedArray(
            tuple(s for d, s in enumerate(x.shape or ()) if d not in dimensions), x.dtype,
            bool(x.weak_type and start.weak_type),
        )
        for x, start in zip(avals[:n], avals[n:])
    ]  # fmt: skip


reduce_p: Final = Primitive("reduce", _rule, multiple_results=True, has_jaxprs=True)


def _evaluate(*args: Any, jaxpr: ClosedJaxpr, dimensions: tuple[int, ...]) -> list[Any]:
    return run_compiled(reduce_p, jaxpr, args, {"jaxpr": jaxpr, "dimensions": dimensions})


reduce_p.eval_rule = _evaluate


def _batch(
    axis: Axis, args: Sequence[Any], dims: Sequence[int | None], *, jaxpr: ClosedJaxpr, dimensions: tuple[int, ...]
) -> tuple[list[Any], list[int]]:
    n = len(args) // 2
    if any(d is not None for d in dims[n:]):
        raise NotImplementedError("lax.reduce: initial values cannot be mapped over; reduce from one that is the same")
    moved = [move_batch_dim(axis, x, d, 0) for x, d in zip(args[:n], dims)]
    return reduce_p.bind(*moved, *args[n:], jaxpr=jaxpr, dimensions=tuple(d + 1 for d in dimensions)), [0] * n


def _jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, jaxpr: ClosedJaxpr, dimensions: tuple[int, ...]
) -> tuple[list[Any], list[Any]]:
    n = len(primals) // 2
    if not all(map(is_zero, tangents[n:])):
        raise NotImplementedError(
            "Gradient of general lax.reduce with non-zero tangents for initial values to reduction not implemented"
        )
    initial = primals[n:]
    shape = primals[0].aval.shape
    kept = tuple(d for d in range(len(shape)) if d not in dimensions)
    rest = tuple(shape[d] for d in kept)
    size = math.prod(shape[d] for d in dimensions)

    def combine(left: Sequence[Any], right: Sequence[Any]) -> list[Any]:
        flat = [reshape(v, (math.prod(v.aval.shape),)) for v in (*left, *right)]
        axis = Axis(flat[0].aval.shape[0])
        outs, found = batch_flat(lambda *xs: eval_jaxpr(jaxpr.jaxpr, jaxpr.consts, *xs), axis, flat, [0] * len(flat))
        return [reshape(move_batch_dim(axis, o, d, 0), left[0].aval.shape) for o, d in zip(outs, found)]

    def as_tree(*arrays: Any) -> list[Any]:
        """The reduction of halves, again and again."""
        xs = [reshape(transpose(x, (*dimensions, *kept)), (size, *rest)) for x in arrays]
        while (count := xs[0].aval.shape[0]) > 1:
            half = (count + 1) // 2
            left, right = [slice_along(x, 0, half) for x in xs], [slice_along(x, half, count) for x in xs]
            if count % 2:
                config = ((0, 1, 0), *((0, 0, 0),) * len(rest))
                right = [pad_p.bind(x, i, padding_config=config) for x, i in zip(right, initial)]
            xs = combine(left, right)
        if not size:
            return [broadcast_in_dim_p.bind(i, shape=rest, broadcast_dimensions=()) for i in initial]
        return [reshape(x, rest) for x in xs]

    return jvp_flat(as_tree, primals[:n], tangents[:n])


reduce_p.batching_rule = _batch
reduce_p.jvp_rule = _jvp

_OF_INTEGERS: Final = {
    "lax.bitwise_or": (reduce_or_p, 0), "lax.bitwise_and": (reduce_and_p, -1), "lax.bitwise_xor": (reduce_xor_p, 0),
}  # fmt: skip


def _monoid(computation: Any, initial: Any) -> Primitive | None:
    """The primitive that this reduction is: one from the identity of a well-known operation on."""
    if isinstance(initial, Tracer) or initial.aval.shape:
        return None
    value = initial.value if isinstance(initial, TypedScalar) else initial._literal()
    dtype, name = str(initial.aval.dtype), getattr(computation, "rule_name", None)
    if name == "lax.add":
        return reduce_sum_p if value == 0 else None
    if name == "lax.mul":
        return reduce_prod_p if value == 1 else None
    if name in _OF_INTEGERS and KINDS[dtype] in "biu":
        primitive, identity = _OF_INTEGERS[name]
        if identity == -1 and KINDS[dtype] in "bu":
            return primitive if value == extreme(dtype, lowest=False) else None
        return primitive if value == identity else None
    if name in ("lax.max", "lax.min") and KINDS[dtype] != "c":
        is_max = name == "lax.max"
        return (reduce_max_p if is_max else reduce_min_p) if value == extreme(dtype, lowest=is_max) else None
    return None


def reduce(
    operands: Any, init_values: Any, computation: Callable[[Any, Any], Any], dimensions: Sequence[int],
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.lax.reduce`: arrays reduced over dimensions by an associative function, from its identity on.

    Shapes: all operands have one shape, the initial values none; the dimensions go away.

    Raises:
        ValueError: if the initial values are of another structure than the operands, or have dimensions.
        TypeError: if they are of another dtype, or the function gives another type than theirs.
    """
    arrays, structure = leaves_of(operands, computation)
    initial, other = leaves_of(init_values, computation)
    if structure != other:
        raise ValueError(f"Operands must have the same tree structure as init_values: {structure} vs. {other}")
    axes = tuple(map(int, dimensions))
    rank = len(arrays[0].aval.shape) if arrays else 0
    if len(arrays) == 1 and (primitive := _monoid(computation, initial[0])) is not None:
        (x,), (start,) = arrays, initial
        outside = [a for a in axes if not 0 <= a < rank]
        if outside or len(set(axes)) < len(axes):
            raise ValueError(f"lax.reduce: dimensions {axes} are not each once one of an array of {rank} dimensions")
        out = primitive.bind(x, axes=axes)
        result = convert_to(out, out.aval.dtype, bool(x.aval.weak_type and start.aval.weak_type))
        return tree.unflatten(structure, [result])
    _check(arrays, initial)
    axes = tuple(a % rank if -rank <= a < rank else a for a in axes)
    if any(not 0 <= a < rank for a in axes) or len(set(axes)) < len(axes):
        raise ValueError(f"lax.reduce: dimensions {axes} are not each once one of an array of {rank} dimensions")
    flat = FlatFunction(computation, structure_of_tuple(structure, structure))
    avals = [x.aval for x in initial]
    jaxpr = staged_apart(flat, [*avals, *avals])
    if any(isinstance(c, Tracer) for c in jaxpr.consts):
        raise NotImplementedError(
            "Reduction computations can't close over Tracers; give the values as further operands"
        )
    found = [(a.shape, a.dtype) for a in jaxpr.out_avals]
    if found != [((), x.aval.dtype) for x in arrays]:
        raise TypeError(
            f"lax.reduce: the function must give {', '.join(short_aval(a) for a in avals)}, as it takes, and gives "
            f"{', '.join(short_aval(a) for a in jaxpr.out_avals)}"
        )
    outs = reduce_p.bind(*arrays, *initial, jaxpr=jaxpr, dimensions=axes)
    return tree.unflatten(flat.out_tree, outs)


def _check(arrays: Sequence[Any], initial: Sequence[Any]) -> None:
    if any(x.aval.shape != () for x in initial):
        raise ValueError(f"reduce found non-scalar initial value: {[x.aval.shape for x in initial]}")
    if [x.aval.dtype for x in arrays] != [x.aval.dtype for x in initial]:
        raise TypeError(
            "reduce operand dtypes should match corresponding initial value dtypes, got operands="
            f"{[short_aval(x.aval) for x in arrays]} and initial_values={[short_aval(x.aval) for x in initial]}"
        )
    if len({x.aval.shape for x in arrays}) > 1:
        raise ValueError(f"lax.reduce: the operands have different shapes: {[x.aval.shape for x in arrays]}")
