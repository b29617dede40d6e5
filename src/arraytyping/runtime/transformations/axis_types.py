"""`auto_axes` and `explicit_axes`: functions within which axes of the mesh are of another type.

Source: https://docs.jax.dev/en/latest/notebooks/explicit-sharding.html.
"""

from __future__ import annotations

import functools
from typing import Any

from arraytyping import config
from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.cut_types import CutArray, explicit_spec
from arraytyping.runtime.lax.resharding import reshard, resharded
from arraytyping.runtime.sharding import AxisType, Mesh, NamedSharding, PartitionSpec, get_mesh
from arraytyping.runtime.trace_state import manual_here

__all__ = ["auto_axes", "explicit_axes"]


def auto_axes(f: Any = None, /, *, axes: Any = None, out_sharding: Any = None) -> Any:
    """`jax.sharding.auto_axes`: a function within which the compiler decides along these axes, by default along all.

    Its results are cut as `out_sharding` says, one sharding or a tree that is a prefix; it may be given in the call.

    Raises (when called):
        TypeError: if `out_sharding` is not given.
        ValueError: for a sharding over another mesh than that in force.
        NotImplementedError: for an axis over which a function is mapped.
    """
    if f is None:
        return lambda function: auto_axes(function, axes=axes, out_sharding=out_sharding)

    @functools.wraps(f)
    def on_auto(*args: Any, **kwargs: Any) -> Any:
        wanted = _given(out_sharding, "out_sharding", kwargs)
        mesh = _mesh_of(wanted, "auto_axes")
        if mesh is None:
            return f(*args, **kwargs)
        named = _named(axes, mesh)
        _check_manual(named)
        if set(mesh.auto_axes) == set(named):
            return f(*args, **kwargs)
        free = _with_types(mesh, named, AxisType.Auto)
        with config._set_here("mesh", free):
            result = f(*tree.map(lambda leaf: _as_on(leaf, free), args), **kwargs)
        with config._set_here("mesh", mesh):
            return reshard(result, wanted)

    return on_auto


def explicit_axes(f: Any = None, /, *, axes: Any = None, in_sharding: Any = None) -> Any:
    """`jax.sharding.explicit_axes`: a function within which types say how arrays are cut along these axes.

    Its arguments are cut as `in_sharding` says, one sharding or a tree that is a prefix; it may be given in the call.

    Raises (when called):
        TypeError: if `in_sharding` is not given.
        ValueError: where no mesh is in force.
        NotImplementedError: for an axis over which a function is mapped.
    """
    if f is None:
        return lambda function: explicit_axes(function, axes=axes, in_sharding=in_sharding)

    @functools.wraps(f)
    def on_explicit(*args: Any, **kwargs: Any) -> Any:
        wanted = _given(in_sharding, "in_sharding", kwargs)
        mesh = _mesh_of(None, "explicit_axes")
        if mesh is None:
            raise ValueError(
                "Context mesh cannot be empty. Please use `jax.set_mesh` API to enter into a mesh context when using "
                "`explicit_axes` API."
            )
        named = _named(axes, mesh)
        _check_manual(named)
        with config._set_here("mesh", _with_types(mesh, named, AxisType.Explicit)):
            result = f(*reshard(args, wanted), **kwargs)
        return tree.map(lambda leaf: _as_on(leaf, mesh), result)

    return on_explicit


def _given(always: Any, name: str, kwargs: dict[str, Any]) -> Any:
    if always is not None:
        return always
    if name not in kwargs:
        raise TypeError(f"Missing required keyword argument: {name!r}")
    return kwargs.pop(name)


def _named(axes: Any, mesh: Mesh) -> tuple[Any, ...]:
    return tuple(mesh.axis_names) if axes is None else axes if isinstance(axes, tuple) else (axes,)


def _with_types(mesh: Mesh, axes: tuple[Any, ...], kind: AxisType) -> Mesh:
    """The mesh with these axes of another type; raises KeyError for one that it does not have."""
    for axis in axes:
        mesh.shape[axis]
    types = tuple(kind if name in axes else own for name, own in zip(mesh.axis_names, mesh.axis_types))
    return mesh.update(axis_types=types)


def _check_manual(axes: tuple[Any, ...]) -> None:
    manual = manual_here()
    if manual is not None and manual.axes.intersection(axes):
        raise NotImplementedError(
            "Going from `Manual` AxisType to `Auto` or `Explicit` AxisType is not allowed: shard_map maps the function "
            "over that axis"
        )


def _mesh_of(shardings: Any, name: str) -> Mesh | None:
    """The mesh in force, or that of the shardings."""
    found: Mesh | None = None
    for leaf in tree.leaves(shardings):
        if isinstance(leaf, NamedSharding):
            if found is not None and found != leaf.mesh:
                raise ValueError(
                    f"Shardings passed to {name} should have the same mesh. Got one mesh {found} and another "
                    f"{leaf.mesh}"
                )
            found = leaf.mesh
    here = get_mesh() if (manual := manual_here()) is None else manual.mesh
    if here is None or found is None:
        return found if here is None else here
    if found.abstract_mesh != here.abstract_mesh:
        raise ValueError(
            f"Context mesh {here.abstract_mesh} must match the mesh passed to shardings {found.abstract_mesh}. "
            "Recommended approach is to use `jax.set_mesh` context manager."
        )
    return here


def _as_on(leaf: Any, mesh: Mesh) -> Any:
    """A value of the type that it has where the axes of the mesh are of these types."""
    array = materialized(array_from(leaf))
    if not isinstance(array.aval, CutArray):
        return array
    rank = len(array.aval.cut)
    spec = PartitionSpec(*explicit_spec(NamedSharding(mesh, PartitionSpec(*array.aval.cut)), rank))
    return resharded(array, NamedSharding(mesh, spec))
