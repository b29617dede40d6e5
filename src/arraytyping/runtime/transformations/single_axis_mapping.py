"""`smap`: `shard_map` over one axis of the mesh in force, with numbers of dimensions in the place of specs.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.smap.html.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arraytyping.runtime import tree
from arraytyping.runtime.sharding import PartitionSpec
from arraytyping.runtime.tracebacks import api_boundary
from arraytyping.runtime.transformations.shard_mapping import NOT_GIVEN, shard_map

__all__ = ["smap"]


@api_boundary
def smap(
    f: Callable[..., Any] | None = None, /, *, in_axes: Any = NOT_GIVEN, out_axes: Any, axis_name: Any
) -> Callable[..., Any]:
    """`jax.smap`: a function that the devices along an axis of the mesh in force run, each on its part.

    `in_axes` and `out_axes` say along which dimension arguments are cut and results are put together, each a tree that
    is a prefix; None: the same on all.

    Raises:
        TypeError: if a dimension is no int, or `axis_name` is several.
        As `shard_map`, when called.
    """
    if f is None:
        return lambda function: smap(function, in_axes=in_axes, out_axes=out_axes, axis_name=axis_name)
    if isinstance(axis_name, list | tuple):
        raise TypeError(f"smap axis_name should be a `str` or a `Hashable`, but got {axis_name}")
    for what, axes in (("in_axes", in_axes), ("out_axes", out_axes)):
        if axes is not NOT_GIVEN and not all(isinstance(axis, int) for axis in tree.leaves(axes)):
            raise TypeError(
                f"smap {what} must be an int, None, or (nested) container with those types as leaves, but got {axes}."
            )
    return shard_map(
        f, in_specs=_specs(axis_name, in_axes), out_specs=_specs(axis_name, out_axes), axis_names={axis_name}
    )


def _specs(name: Any, axes: Any) -> Any:
    """The specs for dimensions, in the same tree."""
    if axes is NOT_GIVEN:
        return axes

    def spec(axis: int | None) -> PartitionSpec:
        return PartitionSpec() if axis is None else PartitionSpec(*[None] * axis, name)

    return tree.map(spec, axes, is_leaf=lambda node: node is None)
