"""`optimization_barrier`: what the compiler may not move computations across, nor merge them over.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.optimization_barrier.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import materialized
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.tracing.tangents import is_zero
from arraytyping.runtime.transformations.arguments import arrays_of
from arraytyping.semantics.avals import ShapedArray

__all__ = ["optimization_barrier", "optimization_barrier_p"]


def _rule(cx: Any, *operands: ShapedArray) -> list[ShapedArray]:
    return list(operands)


optimization_barrier_p: Final = Primitive("optimization_barrier", _rule, multiple_results=True)


def optimization_barrier(operand: Any, /) -> Any:
    """`jax.lax.optimization_barrier`: the same arrays, computed before anything that is computed of them.

    Raises:
        TypeError: for a leaf that is no array-like.
    """
    found, structure = tree.flatten(operand)
    arrays = arrays_of(found, optimization_barrier, lambda i: tree.path_str(structure.paths()[i]))
    return tree.unflatten(structure, optimization_barrier_p.bind(*map(materialized, arrays)) if arrays else [])


def _jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    moving = [t for t in tangents if not is_zero(t)]
    given = iter(optimization_barrier_p.bind(*moving))
    return optimization_barrier_p.bind(*primals), [t if is_zero(t) else next(given) for t in tangents]


def _transpose(cts: Sequence[Any], *operands: Any) -> list[Any]:
    moving = [ct for ct in cts if not is_zero(ct)]
    given = iter(optimization_barrier_p.bind(*moving))
    return [ct if is_zero(ct) else next(given) for ct in cts]


optimization_barrier_p.jvp_rule = _jvp
optimization_barrier_p.transpose_rule = _transpose
optimization_barrier_p.batching_rule = lambda axis, args, dims: (optimization_barrier_p.bind(*args), dims)
