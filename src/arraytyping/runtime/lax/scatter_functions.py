"""The public functions `scatter`, `scatter_add` and so on.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.scatter.html.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax import scatter_derivatives as scatter_derivatives  # fills the primitives' slots
from arraytyping.runtime.lax.gathering import GatherScatterMode
from arraytyping.runtime.lax.scattering import (
    scatter_add_p,
    scatter_max_p,
    scatter_min_p,
    scatter_mul_p,
    scatter_p,
    scatter_sub_p,
)
from arraytyping.semantics.rules.dimension_numbers import ScatterDimensionNumbers

__all__ = ["scatter", "scatter_add", "scatter_max", "scatter_min", "scatter_mul", "scatter_sub"]


def _scatter_function(primitive: Primitive, what: str) -> Callable[..., Any]:
    def function(
        operand: Any, scatter_indices: Any, updates: Any, dimension_numbers: Any, *,
        indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
    ) -> Any:  # fmt: skip
        fields = ScatterDimensionNumbers._fields
        numbers = ScatterDimensionNumbers(*(tuple(map(int, getattr(dimension_numbers, f))) for f in fields))
        return primitive.bind(
            operand, scatter_indices, updates, dimension_numbers=numbers, indices_are_sorted=bool(indices_are_sorted),
            unique_indices=bool(unique_indices), mode=GatherScatterMode.from_any(mode),
        )  # fmt: skip

    function.__name__ = function.__qualname__ = primitive.name
    function.__doc__ = f"`jax.lax.{primitive.name}`: the array with updates {what} for each index vector."
    return operation(f"lax.{primitive.name}", "operand", "scatter_indices", "updates", how="inline")(function)


scatter: Final = _scatter_function(scatter_p, "in the place of what was there")
scatter_add: Final = _scatter_function(scatter_add_p, "added to it")
scatter_sub: Final = _scatter_function(scatter_sub_p, "subtracted from it")
scatter_mul: Final = _scatter_function(scatter_mul_p, "multiplied with it")
scatter_min: Final = _scatter_function(scatter_min_p, "where they are less")
scatter_max: Final = _scatter_function(scatter_max_p, "where they are greater")
