"""Choices among elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jaxlib.mlir.dialects import stablehlo as hlo

from arraytyping.runtime.lax.choices import clamp_p, select_n_p
from arraytyping.runtime.xla.types import splat
from arraytyping.semantics.avals import ShapedArray


def _select_n(cx: Any, avals_in: Sequence[ShapedArray], aval_out: Any, which: Any, *cases: Any) -> Any:
    selector = avals_in[0]
    if len(cases) == 1:
        return cases[0]
    if selector.dtype == "bool":
        on_false, on_true = cases
        return hlo.select(which, on_true, on_false)
    return _by_number(which, selector, 0, cases)


def _by_number(which: Any, selector: ShapedArray, offset: int, cases: Sequence[Any]) -> Any:
    """Of cases that are numbered from `offset`: each half of them, chosen between by one comparison."""
    if len(cases) == 1:
        return cases[0]
    middle = len(cases) // 2
    kind = "UNSIGNED" if str(selector.dtype).startswith("u") else "SIGNED"
    is_lower = hlo.compare(
        which,
        splat(offset + middle, selector),
        hlo.ComparisonDirectionAttr.get("LT"),
        compare_type=hlo.ComparisonTypeAttr.get(kind),
    )
    lower = _by_number(which, selector, offset, cases[:middle])
    return hlo.select(is_lower, lower, _by_number(which, selector, offset + middle, cases[middle:]))


def _clamp(cx: Any, avals_in: Any, aval_out: Any, least: Any, x: Any, greatest: Any) -> Any:
    return hlo.clamp(least, x, greatest)


select_n_p.lowering = _select_n
clamp_p.lowering = _clamp
