"""What has no gradient: `stop_gradient`; and `stage`, which is the identity.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.stop_gradient.html.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.basearray import Array
from arraytyping.runtime import tree
from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive, aval_of
from arraytyping.runtime.lax.nary import no_tangent
from arraytyping.runtime.tracing.tangents import has_tangent
from arraytyping.semantics.avals import ShapedArray

__all__ = ["stage", "stop_gradient", "stop_gradient_p"]


def _same(cx: Any, x: ShapedArray) -> ShapedArray:
    return x


stop_gradient_p: Final = Primitive("stop_gradient", _same)
stop_gradient_p.jvp_rule = lambda primals, tangents: no_tangent(stop_gradient_p, primals, {})
stop_gradient_p.batching_rule = lambda axis, args, dims: (stop_gradient_p.bind(*args), dims[0])


def _stopped(leaf: Any) -> Any:
    return stop_gradient_p.bind(leaf) if isinstance(leaf, Array) and has_tangent(aval_of(leaf)) else leaf


@operation("lax.stop_gradient", "x", how="inline")
def _of_leaf(x: Any) -> Any:
    return _stopped(x)


def stop_gradient(x: Any) -> Any:
    """`jax.lax.stop_gradient`: the same values, of which no gradient is taken; also of trees of arrays.

    Raises:
        TypeError: for a leaf that is no array-like.
    """
    return tree.map(_of_leaf, x)


@operation("lax.stage", "x", how="inline")
def stage(x: Any, /) -> Any:
    """`jax.lax.stage`: the array as a part of the computation that is traced."""
    return x
