"""`vmap`: a function of single examples on a whole batch.

Source: https://docs.jax.dev/en/latest/automatic-vectorization.html.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from arraytyping.runtime import tree
from arraytyping.runtime.cut_types import CutArray
from arraytyping.runtime.tracebacks import api_boundary
from arraytyping.runtime.tracing.batching import Axis, batch_flat, move_batch_dim
from arraytyping.runtime.transformations.arguments import FlatFunction, arrays_of, described_argument, name_of
from arraytyping.semantics.cut_rules import axes_of_entry

__all__ = ["vmap"]


def vmap(
    fun: Callable[..., Any],
    in_axes: int | Sequence[Any] | None = 0,
    out_axes: Any = 0,
    axis_name: Any = None,
    axis_size: int | None = None,
    spmd_axis_name: Any = None,
) -> Callable[..., Any]:
    """A function that maps `fun` over a dimension of its arguments.

    `in_axes` says over which dimension of each argument (a tree that is a prefix of the arguments; None: the argument
    is the same for every example), `out_axes` where that dimension is in the results.  Keyword arguments are mapped
    over their first dimension.  `axis_name` gives the mapped axis a name, for `psum` and its kin; along
    `spmd_axis_name`, an axis of a mesh or several, `shard_map` and `with_sharding_constraint` within cut the batch.

    Raises (when called):
        TypeError: if `in_axes` is no int, None, tuple or list of these.
        ValueError: if the sizes of the mapped dimensions differ, or nothing is mapped and no size is given.
    """
    if not callable(fun):
        raise TypeError(f"vmap takes a function, got {fun!r:.60} of type {type(fun).__name__}")
    if isinstance(in_axes, list):
        in_axes = tuple(in_axes)
    if in_axes is not None and type(in_axes) is not int and not isinstance(in_axes, tuple):
        raise TypeError(
            f"vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments "
            f"passed to the function, but got {in_axes!r}."
        )
    spmd = () if spmd_axis_name is None else _tuple_of(spmd_axis_name)
    _check_axes("in_axes", in_axes)
    _check_axes("out_axes", out_axes)

    @api_boundary
    @functools.wraps(fun)
    def mapped(*args: Any, **kwargs: Any) -> Any:
        if isinstance(in_axes, tuple) and len(in_axes) != len(args):
            raise ValueError(
                f"vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments "
                f"passed to the function, but got len(in_axes)={len(in_axes)}, len(args)={len(args)}"
            )
        found, in_tree = tree.flatten((args, kwargs))
        try:
            axes = tree.prefix_leaves(in_axes, args) + [0] * (len(found) - len(tree.leaves(args)))
        except ValueError:
            raise ValueError(tree.prefix_mismatch("vmap in_axes", in_axes, tree.structure(args))) from None
        axes = _of_whole(axes, (args, kwargs))
        leaves = [
            arrays_of([leaf], fun, functools.partial(_named, fun, in_tree, i))[0]
            if axis is not None
            else leaf  # handed on as it is, which may be a static argument of a function inside
            for i, (leaf, axis) in enumerate(zip(found, axes))
        ]
        dims = [_dimension(leaf, axis, in_tree, i, fun) for i, (leaf, axis) in enumerate(zip(leaves, axes))]
        size = _size(leaves, dims, axis_size, in_tree, fun)
        flat = FlatFunction(fun, in_tree, lambda given: fun(*given[0], **given[1]))
        axis = Axis(size, axis_name, spmd=spmd, cut=_cut(leaves, dims, spmd))
        outs, out_dims = batch_flat(flat, axis, leaves, dims)
        result = tree.unflatten(flat.out_tree, outs)
        try:
            wanted = _of_whole(tree.prefix_leaves(out_axes, result), result)
        except ValueError:
            raise ValueError(tree.prefix_mismatch("vmap out_axes", out_axes, flat.out_tree)) from None
        return tree.unflatten(flat.out_tree, [_placed(axis, o, d, w, fun) for o, d, w in zip(outs, out_dims, wanted)])

    return mapped


def _tuple_of(names: Any) -> tuple[Any, ...]:
    return tuple(names) if isinstance(names, tuple | list) else (names,)


def _check_axes(what: str, axes: Any) -> None:
    if not all(type(axis) is int for axis in tree.leaves(axes)):
        raise TypeError(
            f"vmap {what} must be an int, None, or (nested) container with those types as leaves, but got {axes!r}."
        )


def _of_whole(axes: list[Any], value: Any) -> list[Any]:
    """The axes of leaves, where one that is counted from the end does not count hidden dimensions of a container."""
    if all(axis is None or axis >= 0 for axis in axes):
        return axes
    nodes = tree.leaves(value, is_leaf=lambda node: hasattr(node, "hidden_dims"))
    return [
        axis - getattr(node, "hidden_dims", 0) if axis is not None and axis < 0 else axis
        for axis, node in zip(axes, nodes, strict=True)
    ]


def _named(fun: Callable[..., Any], in_tree: Any, number: int, _: int) -> str:
    return described_argument(fun, in_tree.paths()[number])


def _dimension(leaf: Any, axis: Any, in_tree: Any, number: int, fun: Callable[..., Any]) -> int | None:
    if axis is None:
        return None
    rank = len(leaf.aval.shape)
    if not -rank <= axis < rank:
        raise ValueError(
            f"vmap was requested to map its argument along axis {axis}, which implies that its rank should be at least "
            f"{axis + 1 if axis >= 0 else -axis}, but {described_argument(fun, in_tree.paths()[number])} is of rank "
            f"{rank} (its shape is {leaf.aval.shape})"
        )
    return int(axis % rank)


def _size(
    leaves: Sequence[Any], dims: Sequence[int | None], given: int | None, in_tree: Any, fun: Callable[..., Any]
) -> int:
    sizes = {
        leaf.aval.shape[dim]: i for i, (leaf, dim) in reversed(list(enumerate(zip(leaves, dims)))) if dim is not None
    }
    if given is not None:
        sizes.setdefault(given, -1)
    if not sizes:
        raise ValueError(
            "vmap must have at least one non-None value in in_axes, or axis_size must be given; nothing is mapped"
        )
    if len(sizes) > 1:
        places = [
            f"axis_size is {size}" if i < 0
            else f"axis {dims[i]} of {described_argument(fun, in_tree.paths()[i])} has size {size}"
            for size, i in sizes.items()
        ]  # fmt: skip
        raise ValueError(
            f"vmap got inconsistent sizes for array axes to be mapped: {', '.join(places)}; all must be the same"
        )
    return int(next(iter(sizes)))


def _cut(leaves: Sequence[Any], dims: Sequence[int | None], spmd: tuple[Any, ...]) -> tuple[Any, Any] | None:
    """The mesh and the explicit axes along which the batch is cut, as the types of the arguments say.

    Raises:
        ValueError: if they do not agree, or an argument that is not mapped is cut along them.
    """
    found = [(leaf.aval.mesh, leaf.aval.cut[d]) for leaf, d in zip(leaves, dims) if d is not None and _is_cut(leaf)]
    if not found:
        return None
    entries = [leaf.aval.cut[d] if _is_cut(leaf) else None for leaf, d in zip(leaves, dims) if d is not None]
    if other := [e for e in entries if e != entries[0]]:
        raise ValueError(
            "Mapped away dimension of inputs passed to vmap should be sharded the same. Got inconsistent axis specs: "
            f"{entries[0]} vs {other[0]}"
        )
    if entries[0] is None:
        return None
    axes = axes_of_entry(entries[0])
    for leaf, d in zip(leaves, dims):
        if d is None and _is_cut(leaf) and any(a in axes for entry in leaf.aval.cut for a in axes_of_entry(entry)):
            raise ValueError(
                "Unmapped values passed to vmap cannot be sharded along the mesh axis you are vmapping over. Got type: "
                f"{leaf.aval}, in_axes: None and vmapped mesh axis: {axes}"
            )
    if spmd and spmd != axes:
        raise ValueError(
            "Only one of spmd_axis_name or arrays sharded on `Explicit` mesh axis type is allowed. Got "
            f"spmd_axis_name={spmd} and arrays sharded on explicit_mesh_axis={axes}"
        )
    return found[0][0], entries[0]


def _is_cut(leaf: Any) -> bool:
    return isinstance(getattr(leaf, "aval", None), CutArray)


def _placed(axis: Axis, out: Any, dim: int | None, wanted: Any, fun: Callable[..., Any]) -> Any:
    if wanted is None:
        if dim is not None:
            raise ValueError(
                f"vmap has mapped output but out_axes is None for a result of {name_of(fun)}; give the dimension at "
                "which it is to be"
            )
        return out
    rank = len(out.aval.shape) + (dim is None)
    if not -rank <= wanted < rank:
        raise ValueError(f"vmap out_axes is {wanted}, which is out of bounds for a result of rank {rank - 1}")
    return move_batch_dim(axis, out, dim, wanted % rank)
