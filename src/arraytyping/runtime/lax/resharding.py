"""`reshard`: a value cut in another way along the explicit axes of a mesh, and with that of another type.

Source: https://docs.jax.dev/en/latest/notebooks/explicit-sharding.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping import config
from arraytyping.basearray import Array
from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.cut_types import CutArray, cut_of, sharding_of_type, with_sharding
from arraytyping.runtime.lax.constraints import constrained, named_sharding, sharding_leaves
from arraytyping.runtime.lax.structure import linear_unary
from arraytyping.runtime.sharding import AxisType, Mesh, NamedSharding, PartitionSpec
from arraytyping.runtime.sharding.specs import UNCONSTRAINED
from arraytyping.runtime.trace_state import manual_here
from arraytyping.runtime.tracing.batching import Axis
from arraytyping.semantics.avals import ShapedArray, static_shape
from arraytyping.semantics.cut_rules import axes_of_entry
from arraytyping.semantics.operations import OPERATIONS

__all__ = ["lying_as", "on_auto_axes", "reshard", "reshard_p", "resharded"]


def _rule(cx: Any, x: ShapedArray, *, sharding: NamedSharding) -> ShapedArray:
    return with_sharding(x, sharding)


reshard_p: Final = Primitive("reshard", _rule)
linear_unary(reshard_p)
reshard_p.cut_rule = lambda avals, outs, mesh, params: [None]  # the type is that of the sharding alone


def _batch(axis: Axis, args: Sequence[Any], dims: Sequence[int | None], *, sharding: NamedSharding) -> Any:
    (x,), (dim,) = args, dims
    assert dim is not None
    rank = len(static_shape(x.aval)) - 1
    entries = [*sharding.spec.partitions, *[None] * (rank - len(sharding.spec.partitions))]
    own = cut_of(x.aval)
    of_batch = own[dim] if own is not None else axis.entry
    is_free = bool(entries) and all(entry is UNCONSTRAINED for entry in entries)
    entries.insert(dim, UNCONSTRAINED if is_free else of_batch)
    return reshard_p.bind(x, sharding=sharding.update(spec=PartitionSpec(*entries))), dim


def _transpose(ct: Any, x: Any, *, sharding: NamedSharding) -> list[Any]:
    if isinstance(x.aval, CutArray):
        return [lying_as(ct, x.aval)]
    return [on_auto_axes(ct, sharding.mesh)]


reshard_p.batching_rule = _batch
reshard_p.transpose_rule = _transpose


def resharded(x: Any, sharding: NamedSharding) -> Any:
    """An array that lies so, of the type that says it; with axes that are the compiler's as a constraint to it.

    Raises:
        ValueError: if it cannot be cut so.
    """
    array = materialized(array_from(x))
    if manual_here() is not None:
        return constrained(array, sharding)
    sharding.check_divides(static_shape(array.aval))
    if sharding_of_type(array.aval) == sharding:
        return array
    return reshard_p.bind(array, sharding=sharding)


def on_auto_axes(x: Any, mesh: Mesh | None = None) -> Any:
    """An array of a type that says nothing of how it is cut: that is the compiler's."""
    array = materialized(array_from(x))
    if not isinstance(array.aval, CutArray):
        return array
    mesh = array.aval.mesh if mesh is None else mesh
    free = mesh.update(axis_types=(AxisType.Auto,) * len(mesh.axis_names))
    spec = PartitionSpec(*[UNCONSTRAINED] * len(static_shape(array.aval)))
    return reshard_p.bind(array, sharding=NamedSharding(free, spec))


def lying_as(x: Any, aval: ShapedArray) -> Any:
    """An array cut as a type says, whatever else that is."""
    if isinstance(aval, CutArray):
        if isinstance(x.aval, CutArray) and (x.aval.mesh, x.aval.cut) == (aval.mesh, aval.cut):
            return x
        return reshard_p.bind(x, sharding=sharding_of_type(aval))
    if isinstance(x.aval, CutArray) and any(entry is not None for entry in x.aval.cut):
        whole = PartitionSpec(*[None] * len(x.aval.cut))
        return reshard_p.bind(x, sharding=NamedSharding(x.aval.mesh, whole))
    return x


OPERATIONS.lying_as = lying_as
OPERATIONS.on_auto_axes = on_auto_axes


def reshard(xs: Any, out_shardings: Any) -> Any:
    """`jax.sharding.reshard`: the leaves of a tree, cut in this way; the shardings may be a prefix of the tree.

    Raises:
        ValueError: for None, where they are no prefix, and for an array that cannot be cut so.
        RuntimeError: for a PartitionSpec where no mesh is in force.
        TypeError: for what is no sharding.
    """
    leaves, structure = tree.flatten(xs)
    wanted = sharding_leaves(out_shardings, xs, "reshard")
    if None in wanted:
        raise ValueError(
            "Reshard should only be used with out_shardings which are non-None and have a non-empty mesh. Got sharding "
            "None."
        )
    return tree.unflatten(structure, [_padded(leaf, sharding) for leaf, sharding in zip(leaves, wanted)])


def _padded(leaf: Any, sharding: NamedSharding) -> Any:
    array = materialized(array_from(leaf))
    rank, given = len(static_shape(array.aval)), sharding.spec.partitions
    if len(given) < rank:
        sharding = sharding.update(spec=PartitionSpec(*given, *[None] * (rank - len(given))))
    return resharded(array, sharding)


def computed_into(name: str, function: Any, args: Any, kwargs: Any, out_sharding: Any) -> Any:
    """The results of a function of arrays, within which the compiler decides, cut as `out_sharding` says.

    Raises:
        ValueError: if it names axes that are not explicit here.
    """
    sharding = named_sharding(out_sharding, name)
    _check_explicit(name, sharding)
    free = sharding.mesh.update(axis_types=(AxisType.Auto,) * len(sharding.mesh.axis_names))
    with config._set_here("mesh", free):
        args, kwargs = tree.map(_free, (args, kwargs), is_leaf=lambda leaf: leaf is None)
        result = function(*args, **kwargs)
    return tree.map(lambda leaf: _padded(leaf, sharding), result)


def _free(leaf: Any) -> Any:
    return on_auto_axes(leaf) if isinstance(leaf, Array) and isinstance(getattr(leaf, "aval", None), CutArray) else leaf


def _check_explicit(name: str, sharding: NamedSharding) -> None:
    named = {axis for entry in sharding.spec.partitions if entry is not UNCONSTRAINED for axis in axes_of_entry(entry)}
    if wrong := [axis for axis in sharding.mesh.axis_names if axis in named - set(sharding.mesh.explicit_axes)]:
        raise ValueError(
            f"PartitionSpec passed to {name} cannot contain axis names that are of type Auto or Manual. Got "
            f"PartitionSpec: {sharding.spec} with axis names: {', '.join(map(str, wrong))}"
        )


OPERATIONS.computed_into = computed_into
