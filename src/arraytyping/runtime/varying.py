"""Along which axes of a mesh a value differs from device to device, within a function that is mapped over the mesh.

It is part of the abstract value of a tracer; where it was lost on the way it is not known, and never taken for nothing.

Source: https://docs.jax.dev/en/latest/notebooks/shard_map.html, "varying manual axes".
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from arraytyping.runtime.cut_types import CutArray, with_dim, without_dim
from arraytyping.semantics.avals import ShapedArray

__all__ = [
    "Axes", "ManualAxisType", "VaryingArray", "VaryingRule", "axes_by_rule", "many_along", "of_shape", "one_along",
    "plain", "tangent_type", "varying_axes", "with_axes",
]  # fmt: skip

Axes = frozenset[Any]


@dataclass(frozen=True, slots=True)
class ManualAxisType:
    """Along which axes of a mesh, over which a function is mapped, a value differs; sums over them are always taken."""

    varying: Axes = frozenset()
    unreduced: Axes = frozenset()
    reduced: Axes = frozenset()


@dataclass(frozen=True, slots=True)
class VaryingArray(ShapedArray):
    """An abstract value, and the axes along which the value differs."""

    axes: Axes = frozenset()

    @property
    def mat(self) -> ManualAxisType:
        """The same under JAX's name."""
        return ManualAxisType(self.axes)


def varying_axes(aval: ShapedArray) -> Axes | None:
    """The axes along which a value differs; None where that is not known."""
    return aval.axes if isinstance(aval, VaryingArray) else None


def with_axes(aval: ShapedArray, axes: Axes) -> ShapedArray:
    """The abstract value of a value that differs along these axes."""
    return VaryingArray(aval.shape, aval.dtype, aval.weak_type, None, axes)


def plain(aval: ShapedArray) -> ShapedArray:
    """The abstract value alone."""
    return ShapedArray(aval.shape, aval.dtype, aval.weak_type) if isinstance(aval, VaryingArray | CutArray) else aval


def of_shape(aval: ShapedArray, shape: Sequence[Any]) -> ShapedArray:
    """The abstract value of a value of this shape that is otherwise like one of `aval`, but for how it is cut."""
    made = ShapedArray(tuple(shape), aval.dtype, aval.weak_type)
    return with_axes(made, aval.axes) if isinstance(aval, VaryingArray) else made


def tangent_type(aval: ShapedArray) -> ShapedArray:
    """The type of a tangent of a value of this type."""
    if isinstance(aval, CutArray):
        return CutArray(aval.shape, aval.dtype, aval.weak_type, None, aval.mesh, aval.cut)
    assert aval.shape is not None
    return of_shape(aval, aval.shape)


def one_along(aval: ShapedArray, dim: int) -> ShapedArray:
    """The type of what stands at one place along a dimension of such a value."""
    if isinstance(aval, CutArray):
        return without_dim(aval, dim)
    assert aval.shape is not None
    return of_shape(aval, (*aval.shape[:dim], *aval.shape[dim + 1 :]))


def many_along(aval: ShapedArray, dim: int, size: int, entry: Any = None) -> ShapedArray:
    """The type of so many such values along a new dimension, which is cut along the axes of `entry`."""
    if isinstance(aval, CutArray):
        return with_dim(aval, dim, size, entry)
    assert aval.shape is not None
    return of_shape(aval, (*aval.shape[:dim], size, *aval.shape[dim:]))


VaryingRule = Callable[[Sequence[Axes], dict[str, Any]], tuple[Sequence[Axes], Sequence[Axes]]]
"""Of the axes along which operands differ: those along which they have to, and those along which each result does."""


def axes_by_rule(
    primitive: Any, given: Sequence[Axes], params: dict[str, Any]
) -> tuple[Sequence[Axes], Sequence[Axes]]:
    """What the rule of a primitive says; without one operands and results differ along the same axes."""
    if primitive.varying_rule is not None:
        rule: VaryingRule = primitive.varying_rule
        return rule(given, params)
    if primitive.has_jaxprs or primitive.has_functions:
        raise NotImplementedError(
            f"shard_map with check_vma=True does not know of '{primitive}' along which axes its results differ; use "
            "check_vma=False"
        )
    union: Axes = frozenset().union(*given)
    return [union] * len(given), _Always(union)


class _Always(Sequence[Axes]):
    """The same for as many results as there are."""

    def __init__(self, axes: Axes) -> None:
        self.axes: Axes = axes

    def __getitem__(self, number: Any) -> Any:
        return self.axes

    def __len__(self) -> int:
        return sys.maxsize
