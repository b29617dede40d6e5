"""`gather`: slices of an array at places that are traced.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.gather.html; https://openxla.org/stablehlo/spec#gather.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.structure import moveaxis
from arraytyping.runtime.tracing.batching import Axis
from arraytyping.runtime.tracing.tangents import Zero, is_zero
from arraytyping.scalars import KINDS
from arraytyping.semantics.rules.dimension_numbers import GatherDimensionNumbers, ScatterDimensionNumbers
from arraytyping.semantics.rules.dtype_kinds import integer_limits
from arraytyping.semantics.rules.named import named

__all__ = ["GatherDimensionNumbers", "GatherScatterMode", "batch_gather", "gather", "gather_p", "scatter_numbers"]


class GatherScatterMode(enum.Enum):
    """What a gather or a scatter does where a slice is not within the array.

    `CLIP` moves it inside; `FILL_OR_DROP` fills the whole slice with a constant, or drops the update;
    `PROMISE_IN_BOUNDS` says that it does not happen; `ONE_HOT` computes a gather by a product, which is not done here.
    """

    CLIP = enum.auto()
    FILL_OR_DROP = enum.auto()
    PROMISE_IN_BOUNDS = enum.auto()
    ONE_HOT = enum.auto()

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    @staticmethod
    def from_any(s: str | GatherScatterMode | None) -> GatherScatterMode:
        """The mode of this name; `None` is that to fill or drop.

        Raises:
            ValueError: for an unknown one.
        """
        if isinstance(s, GatherScatterMode):
            return s
        if s is None:
            return GatherScatterMode.FILL_OR_DROP
        try:
            return _MODES[s]
        except (KeyError, TypeError):
            raise ValueError(f"mode is one of {', '.join(_MODES)}, got {s!r}") from None


_MODES = {
    "clip": GatherScatterMode.CLIP,
    "fill": GatherScatterMode.FILL_OR_DROP,
    "drop": GatherScatterMode.FILL_OR_DROP,
    "promise_in_bounds": GatherScatterMode.PROMISE_IN_BOUNDS,
    "one_hot": GatherScatterMode.ONE_HOT,
}

gather_p: Final = Primitive("gather", named("lax.gather"))


def scatter_numbers(numbers: GatherDimensionNumbers) -> ScatterDimensionNumbers:
    """The dimensions of the scatter that puts back what this gather takes."""
    return ScatterDimensionNumbers(
        update_window_dims=numbers.offset_dims,
        inserted_window_dims=numbers.collapsed_slice_dims,
        scatter_dims_to_operand_dims=numbers.start_index_map,
        operand_batching_dims=numbers.operand_batching_dims,
        scatter_indices_batching_dims=numbers.start_indices_batching_dims,
    )


def _jvp(primals: Sequence[Any], tangents: Sequence[Any], *, fill_value: Any, **params: Any) -> tuple[Any, Any]:
    x, indices = primals
    result = gather_p.bind(x, indices, fill_value=fill_value, **params)
    if is_zero(tangents[0]):
        return result, Zero(result.aval)
    filled = 0 if params["mode"] is GatherScatterMode.FILL_OR_DROP else None
    return result, gather_p.bind(tangents[0], indices, fill_value=filled, **params)


def _next(dims: Sequence[int]) -> tuple[int, ...]:
    """The dimensions with one more before them."""
    return tuple(d + 1 for d in dims)


def batch_gather(
    axis: Axis, args: Sequence[Any], dims: Sequence[int | None], *, dimension_numbers: GatherDimensionNumbers,
    slice_sizes: tuple[int, ...], **params: Any,
) -> tuple[Any, int]:  # fmt: skip
    """The gather of a whole batch: of slices that go through it, of more indices, or of both together."""
    (x, indices), (of_x, of_indices) = args, dims
    n = dimension_numbers
    if of_x is not None:
        x = moveaxis(x, of_x, 0)
        n = n._replace(
            collapsed_slice_dims=_next(n.collapsed_slice_dims),
            start_index_map=_next(n.start_index_map),
            operand_batching_dims=_next(n.operand_batching_dims),
        )
    n = n._replace(offset_dims=_next(n.offset_dims))
    if of_indices is None:  # the slices go through the whole batch
        n = n._replace(offset_dims=(0, *n.offset_dims))
        slice_sizes = (axis.size, *slice_sizes)
    else:
        indices = moveaxis(indices, of_indices, 0)
        n = n._replace(start_indices_batching_dims=_next(n.start_indices_batching_dims))
        if of_x is None:  # places that differ within an example may be the same for two
            params = {**params, "unique_indices": False, "indices_are_sorted": False}
        else:
            n = n._replace(
                operand_batching_dims=(0, *n.operand_batching_dims),
                start_indices_batching_dims=(0, *n.start_indices_batching_dims),
            )
            slice_sizes = (min(axis.size, 1), *slice_sizes)
    return gather_p.bind(x, indices, dimension_numbers=n, slice_sizes=slice_sizes, **params), 0


gather_p.jvp_rule = _jvp
gather_p.batching_rule = batch_gather


def default_fill(dtype: str) -> bool | int | float:
    """What a slice out of bounds is filled with: NaN, the least signed integer, the greatest unsigned one, True."""
    kind = KINDS[dtype]
    if kind in "fc":
        return float("nan")
    if kind == "b":
        return True
    return integer_limits(dtype)[0 if kind == "i" else 1]


@operation("lax.gather", "operand", "start_indices", how="inline")
def gather(
    operand: Any, start_indices: Any, dimension_numbers: Any, slice_sizes: Sequence[int], *,
    unique_indices: bool = False, indices_are_sorted: bool = False, mode: Any = None, fill_value: Any = None,
) -> Any:  # fmt: skip
    """`jax.lax.gather`: a slice of the array for each index vector, along the last dimension of the indices."""
    chosen = GatherScatterMode.PROMISE_IN_BOUNDS if mode is None else GatherScatterMode.from_any(mode)
    if chosen is GatherScatterMode.ONE_HOT:
        raise NotImplementedError("gather: mode 'one_hot' is not implemented; use 'clip' or 'fill'")
    if chosen is not GatherScatterMode.FILL_OR_DROP:
        fill_value = None
    elif fill_value is None:
        fill_value = default_fill(operand.aval.dtype)
    numbers = GatherDimensionNumbers(
        *(tuple(map(int, getattr(dimension_numbers, field))) for field in GatherDimensionNumbers._fields)
    )
    return gather_p.bind(
        operand, start_indices, dimension_numbers=numbers, slice_sizes=tuple(map(int, slice_sizes)),
        unique_indices=bool(unique_indices), indices_are_sorted=bool(indices_are_sorted), mode=chosen,
        fill_value=fill_value,
    )  # fmt: skip
