"""`dce_sink`: a use of values that is no use of theirs, for which what computes them stays in the program.

Source: `jax.lax.dce_sink` of https://github.com/jax-ml/jax/blob/main/jax/_src/lax/lax.py.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.effects import NO_DCE

__all__ = ["dce_sink", "dce_sink_p"]


def _rule(cx: Any, *avals: Any, **params: Any) -> list[Any]:
    return []


dce_sink_p: Final = Primitive("dce_sink", _rule, multiple_results=True)
dce_sink_p.eval_rule = lambda *args, **params: []
dce_sink_p.effects_rule = lambda params: frozenset({NO_DCE})
dce_sink_p.jvp_rule = lambda primals, tangents, **params: (dce_sink_p.bind(*primals, **params), [])
dce_sink_p.transpose_rule = lambda cts, *args, **params: [None] * len(args)
dce_sink_p.batching_rule = lambda axis, args, dims, **params: (dce_sink_p.bind(*args, **params), [])


def dce_sink(val: Any, *, prevent_mlir_dce: bool = False) -> None:
    """`jax.lax.dce_sink`: keep what computes these values in the jaxpr.

    XLA still leaves it out, unless `prevent_mlir_dce` holds.

    Raises:
        TypeError: for a leaf that is no array-like.
    """
    for leaf in tree.leaves(val):
        dce_sink_p.bind(materialized(array_from(leaf)), prevent_mlir_dce=bool(prevent_mlir_dce))
