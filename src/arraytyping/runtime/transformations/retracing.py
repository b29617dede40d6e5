"""Why a jitted function was traced once more: which argument is of another kind than in the calls before.

Source: `jax_explain_cache_misses`, https://docs.jax.dev/en/latest/config_options.html.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from arraytyping.runtime.jaxpr.syntax import short_aval
from arraytyping.runtime.transformations.arguments import described_argument
from arraytyping.semantics.avals import ShapedArray

__all__ = ["Trace", "why_traced"]

_COMPARED: Final = 16
"""How many earlier traces one is compared with, so that the thousandth is found as fast as the tenth."""


@dataclass(frozen=True)
class Trace:
    """One tracing of a jitted function; `reason` is a sentence, empty for the first one."""

    in_tree: Any
    static: tuple[tuple[Any, Any], ...]
    avals: tuple[ShapedArray, ...]
    reason: str

    def __str__(self) -> str:
        return self.reason or "traced for the first time"


def why_traced(
    function: Callable[..., Any],
    in_tree: Any,
    static: tuple[tuple[Any, Any], ...],
    avals: tuple[ShapedArray, ...],
    earlier: Sequence[Trace],
) -> Trace:
    """The record of a tracing: how it differs from the most similar one of the last before."""
    reasons = [_differences(function, in_tree, static, avals, before) for before in reversed(earlier[-_COMPARED:])]
    if not reasons:
        return Trace(in_tree, static, avals, "")
    fewest = min(reasons, key=len)
    return Trace(in_tree, static, avals, "; ".join(fewest) or "x64, the promotion mode or a mapped axis changed")


def _differences(
    function: Callable[..., Any], in_tree: Any, static: tuple[tuple[Any, Any], ...], avals: tuple[ShapedArray, ...],
    before: Trace,
) -> list[str]:  # fmt: skip
    found = []
    if before.in_tree != in_tree:
        found.append("the arguments have another structure than before")
    else:
        paths = in_tree.paths()
        found += [
            f"{described_argument(function, path)} is {short_aval(aval)}, and was {short_aval(old)}"
            for path, aval, old in zip(paths, avals, before.avals)
            if aval != old
        ]
    values = dict(before.static)
    for place, value in static:
        if place not in values or type(values[place]) is not type(value) or values[place] != value:
            name = described_argument(function, (0, place)) if isinstance(place, int) else place
            found.append(f"the static {name} is {value!r:.40}, and was {values.get(place, 'not given')!r:.40}")
    return found
