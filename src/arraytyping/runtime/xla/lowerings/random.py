"""The hash of random numbers, as a function of the module that is built once for each shape."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from arraytyping.runtime.core import EVAL, use_trace
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr
from arraytyping.runtime.lax.threefry import threefry2x32_p, threefry_rounds
from arraytyping.runtime.tracing.staging import stage
from arraytyping.runtime.xla.lowerings.building import broadcast
from arraytyping.semantics.avals import ShapedArray

__all__: list[str] = []


@lru_cache(maxsize=64)
def _rounds(shape: tuple[int, ...]) -> ClosedJaxpr:
    with use_trace(EVAL):
        return stage(threefry_rounds, [ShapedArray(shape, "uint32", False)] * 4)


def _threefry(cx: Any, avals_in: Any, avals_out: Any, *operands: Any) -> list[Any]:
    shape = avals_out[0].shape
    words = [broadcast(x, a, shape) for x, a in zip(operands, avals_in)]
    return cx.call(_rounds(shape), "threefry2x32", words)  # type: ignore[no-any-return]


threefry2x32_p.lowering = _threefry
