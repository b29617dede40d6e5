"""`with_sharding_constraint`: where a value of a program lies over a mesh.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.with_sharding_constraint.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.cut_types import cut_of, explicit_mesh, explicit_spec, with_sharding
from arraytyping.runtime.lax.structure import linear_unary
from arraytyping.runtime.sharding import (
    AbstractMesh,
    Mesh,
    NamedSharding,
    PartitionSpec,
    Sharding,
    SingleDeviceSharding,
    get_mesh,
)
from arraytyping.runtime.sharding.specs import UNCONSTRAINED, entries_of
from arraytyping.runtime.trace_state import manual_here
from arraytyping.runtime.tracing.batching import Axis
from arraytyping.semantics.avals import ShapedArray, static_shape
from arraytyping.semantics.shardings import axes_str

__all__ = ["named_sharding", "sharding_constraint_p", "sharding_leaves", "with_sharding_constraint"]


def _rule(cx: Any, x: ShapedArray, *, sharding: NamedSharding) -> ShapedArray:
    """The type, which says of explicit axes that it lies so."""
    return x if explicit_mesh(sharding) is None else with_sharding(x, sharding)


sharding_constraint_p: Final = Primitive("sharding_constraint", _rule)
linear_unary(sharding_constraint_p)
sharding_constraint_p.transpose_rule = lambda ct, x, *, sharding: [sharding_constraint_p.bind(ct, sharding=sharding)]


def _batch(axis: Axis, args: Sequence[Any], dims: Sequence[int | None], *, sharding: NamedSharding) -> Any:
    (x,), (dim,) = args, dims
    assert dim is not None
    entries = list(sharding.spec)
    entry = axis.spmd or UNCONSTRAINED
    if dim <= len(entries):  # else it is among the dimensions that the spec does not reach, which are whole
        entries.insert(dim, entry)
    else:
        entries += [*[None] * (dim - len(entries)), entry]
    spec = PartitionSpec(*entries)
    return sharding_constraint_p.bind(x, sharding=NamedSharding(sharding.mesh, spec)), dim


sharding_constraint_p.batching_rule = _batch


def mesh_here() -> Mesh | None:
    """The mesh over which a function is mapped here, else that in force."""
    manual = manual_here()
    return get_mesh() if manual is None else manual.mesh


def named_sharding(given: Any, what: str) -> Any:
    """A sharding, or a spec over the mesh in force.

    Raises:
        RuntimeError: for a spec where no mesh is in force.
        TypeError: for what is neither.
    """
    if isinstance(given, NamedSharding) and isinstance(given.mesh, AbstractMesh):
        mesh = mesh_here()
        if mesh is None or mesh.shape != given.mesh.shape:
            raise RuntimeError(
                f"{what}: the mesh of {given} has no devices, and {'no mesh is' if mesh is None else f'{mesh} is'} in "
                "force: use `with set_mesh(mesh):` with one of the same axes, or give a NamedSharding over it"
            )
        return NamedSharding(mesh, given.spec)
    if isinstance(given, Sharding):
        return given
    if isinstance(given, PartitionSpec):
        mesh = mesh_here()
        if mesh is None:
            raise RuntimeError(
                f"{what} requires a mesh in force if it is given a PartitionSpec: use `with set_mesh(mesh):`, or give "
                "a NamedSharding"
            )
        return NamedSharding(mesh, given)
    raise TypeError(f"{what} takes shardings or PartitionSpecs, got {given!r:.60} of type {type(given).__name__}")


def sharding_leaves(given: Any, value: Any, what: str) -> list[Any]:
    """The shardings of the leaves of a tree: one for all, or those of a tree that is a prefix; None where none is.

    Raises:
        ValueError: if it is no prefix.
        RuntimeError, TypeError: as `named_sharding`.
    """
    leaves, structure = tree.flatten(value)
    if given is None or isinstance(given, Sharding | PartitionSpec):
        found: list[Any] = [given] * len(leaves)
    else:
        try:
            found = tree.broadcast_prefix(given, value, is_leaf=lambda node: node is None)
        except ValueError:
            raise ValueError(tree.prefix_mismatch(what, given, structure)) from None
    return [None if one is None else named_sharding(one, what) for one in found]


def with_sharding_constraint(x: Any, shardings: Any) -> Any:
    """`jax.lax.with_sharding_constraint`: the leaves, which the program is to lay out so.

    Outside of a program they are laid out so now.  The shardings may be a prefix of the tree.

    Raises:
        RuntimeError: for a PartitionSpec where no mesh is in force.
        ValueError: if an array cannot be cut so, or the shardings are no prefix, or for None.
        TypeError: for what is no sharding.
        AssertionError: if all axes of the mesh are explicit, and the type of an array says that it lies otherwise.
    """
    leaves, structure = tree.flatten(x)
    wanted = sharding_leaves(shardings, x, "with_sharding_constraint")
    if None in wanted:
        raise ValueError(
            "One of with_sharding_constraint arguments got sharding None which is not allowed; use P() for an array "
            "that is whole on all devices, or leave it out"
        )
    return tree.unflatten(structure, [_lying(leaf, sharding) for leaf, sharding in zip(leaves, wanted)])


def _lying(x: Any, sharding: Any) -> Any:
    """An array that the program is to lay out so; where types say how arrays lie it has to be of such a one."""
    mesh = explicit_mesh(sharding)
    if mesh is None or not mesh.are_all_axes_explicit or manual_here() is not None:
        return constrained(x, sharding)
    array = materialized(array_from(x))
    rank = len(static_shape(array.aval))
    own, wanted = cut_of(array.aval) or (None,) * rank, explicit_spec(sharding, rank)
    if own != wanted:
        raise AssertionError(
            "`with_sharding_constraint` acts as an assert when all axes of mesh are of type `Explicit`. The array "
            f"sharding: {PartitionSpec(*own)} did not match the sharding provided: {sharding.spec}. Please use "
            "`jax.sharding.reshard` to shard your input to the sharding you want."
        )
    return array


def constrained(x: Any, sharding: Any) -> Any:
    """An array, which is to lie so; None says nothing.

    Raises:
        ValueError: if it cannot be cut so.
        NotImplementedError: for one device, which a program cannot choose for a value of it.
    """
    array = materialized(array_from(x))
    if sharding is None:
        return array
    aval: ShapedArray = array.aval
    if isinstance(sharding, SingleDeviceSharding):
        raise NotImplementedError("with_sharding_constraint takes a NamedSharding; device_put puts onto one device")
    if (manual := manual_here()) is not None:
        named = [n for entry in entries_of(sharding.spec) for n in entry or () if n in manual.axes]
        if named:
            raise ValueError(
                f"with_sharding_constraint: {sharding.spec} refers to {axes_str(named)}, which is manual here: "
                "shard_map maps the function over it, and each device has its part; name other axes"
            )
        if manual.mesh.shape == sharding.mesh.shape and manual.axes >= set(manual.mesh.axis_names):
            return array  # there is no axis along which the compiler could cut it
    sharding.check_divides(static_shape(aval))
    return sharding_constraint_p.bind(array, sharding=sharding)
