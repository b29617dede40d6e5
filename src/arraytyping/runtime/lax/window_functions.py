"""The public function `reduce_window`.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.reduce_window.html.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive, Tracer, TypedScalar
from arraytyping.runtime.lax.limits import extreme
from arraytyping.runtime.lax.window_padding import pads_of
from arraytyping.runtime.lax.windows import (
    reduce_window_max_p,
    reduce_window_min_p,
    reduce_window_sum_p,
    windowed,
)
from arraytyping.scalars import KINDS
from arraytyping.semantics.rules.shapes.convolutions import dilated

__all__ = ["reduce_window"]


def _monoid(computation: Any, initial: Any) -> Primitive | None:
    """The primitive that this reduction is: a sum, a maximum or a minimum from its identity on."""
    name = getattr(computation, "rule_name", None)
    if name not in ("lax.add", "lax.max", "lax.min") or isinstance(initial, Tracer) or initial.aval.shape:
        return None
    value = initial.value if isinstance(initial, TypedScalar) else initial._literal()
    if name == "lax.add":
        return reduce_window_sum_p if value == 0 else None
    dtype = initial.aval.dtype
    if KINDS[dtype] == "c" or isinstance(value, complex):
        return None
    lowest = name == "lax.max"
    if value != extreme(dtype, lowest=lowest):
        return None
    return reduce_window_max_p if lowest else reduce_window_min_p


@operation("lax.reduce_window", "operand", "init_value", looks_at=("init_value",), how="inline")
def reduce_window(
    operand: Any, init_value: Any, computation: Callable[..., Any], window_dimensions: Sequence[int],
    window_strides: Sequence[int] | None = None, padding: Any = "VALID", base_dilation: Sequence[int] | None = None,
    window_dilation: Sequence[int] | None = None,
) -> Any:  # fmt: skip
    """`jax.lax.reduce_window`: every window of an array, or of several together, reduced by a function."""
    several = isinstance(operand, tuple | list)
    arrays, initial = (list(operand), list(init_value)) if several else ([operand], [init_value])
    window = tuple(map(int, window_dimensions))
    ones = (1,) * len(window)
    strides, base, holes = (
        ones if given is None else tuple(map(int, given)) for given in (window_strides, base_dilation, window_dilation)
    )
    reach = tuple(map(dilated, window, holes))
    params = {
        "window_dimensions": window, "window_strides": strides,
        "padding": pads_of(padding, arrays[0].aval.shape, reach, strides), "base_dilation": base,
        "window_dilation": holes,
    }  # fmt: skip
    monoid = None if several else _monoid(computation, initial[0])
    if monoid is not None:
        return monoid.bind(operand, **params)

    def combine(*values: Any) -> Sequence[Any]:
        if not several:
            return [computation(*values)]
        n = len(arrays)
        kind = type(operand)
        return list(computation(kind(values[:n]), kind(values[n:])))

    results = windowed(combine, arrays, initial, **params)
    return type(operand)(results) if several else results[0]
