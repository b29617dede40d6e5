"""`pmap`: a function of single examples, each of which another device runs.

It is `shard_map` over a mesh of as many devices as there are examples, without following which values differ.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.pmap.html.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from arraytyping.runtime import tree
from arraytyping.runtime.core import EVAL
from arraytyping.runtime.lax.structure import reshape
from arraytyping.runtime.sharding import Mesh, PartitionSpec
from arraytyping.runtime.tracebacks import api_boundary
from arraytyping.runtime.transformations.arguments import arrays_of, described_argument, name_of
from arraytyping.runtime.transformations.jit import jit
from arraytyping.runtime.transformations.jit_arguments import kind_of, with_stand_ins
from arraytyping.runtime.transformations.shard_mapping import mapped_over
from arraytyping.runtime.transformations.stages import Traced

__all__ = ["pmap"]

_NO_NAME: Final = "_internal_pmap_axis_name"


def pmap(
    fun: Callable[..., Any], axis_name: Any = None, *, in_axes: Any = 0, out_axes: Any = 0,
    static_broadcasted_argnums: int | Sequence[int] = (), devices: Sequence[Any] | None = None, backend: Any = None,
    axis_size: int | None = None, donate_argnums: int | Sequence[int] = (),
) -> Callable[..., Any]:  # fmt: skip
    """`jax.pmap`: a function that maps `fun` over a dimension of its arguments, one example for each device.

    `in_axes` says over which dimension (None: the same on all), `out_axes` where it is in the results (None: that of
    the first device), each a tree that is a prefix.  `axis_name` gives the mapped axis a name, for `psum` and its kin.
    Arguments of the numbers `static_broadcasted_argnums` are handed on as they are; those of the numbers
    `donate_argnums` give their memory to the results and are deleted, where they lie as the devices take them.
    `.trace` and `.lower` give the stages of a jitted function.

    Raises:
        TypeError: if it is given no function.
        ValueError: when called, if sizes differ, nothing is mapped, or there are more examples than devices; and if an
            argument is both static and donated.
    """
    if not callable(fun):
        raise TypeError(f"pmap takes a function, got {fun!r:.60} of type {type(fun).__name__}")
    if backend is not None and devices is not None:
        raise ValueError("pmap takes devices or a backend, not both")
    static = _numbers(static_broadcasted_argnums)
    given_away = _numbers(donate_argnums)
    if both := static & given_away:
        raise ValueError(
            f"pmap: donate_argnums cannot intersect with static_broadcasted_argnums, and both name {sorted(both)}; a "
            "static argument has no memory to give"
        )
    places = tuple(in_axes) if isinstance(in_axes, list) else in_axes
    name = _NO_NAME if axis_name is None else axis_name

    def on_mesh(call: _Call, *leaves: Any) -> Any:
        def on_example(*parts: Any) -> Any:
            own = [p if d is None else reshape(p, _without(p.aval.shape, d)) for p, d in zip(parts, call.dims)]
            rest, named = tree.unflatten(call.in_tree, own)
            whole = list(rest)
            for i, value in call.fixed:
                whole.insert(i, value)
            result = fun(*whole, **named)
            outs, structure = tree.flatten(result)
            arrays = arrays_of(outs, fun, lambda i: tree.path_str(structure.paths()[i]) or "the result")
            wanted = _out_axes(result)
            return tree.unflatten(structure, [_with(a, w, fun) for a, w in zip(arrays, wanted)])

        def spec_of(array: Any, axis: int | None) -> PartitionSpec:
            return PartitionSpec() if axis is None else _spec(axis % len(array.aval.shape), name)

        def out_specs(result: Any) -> list[PartitionSpec]:
            return [spec_of(a, w) for a, w in zip(tree.leaves(result), _out_axes(result))]

        specs = tuple(PartitionSpec() if d is None else _spec(d, name) for d in call.dims)
        return mapped_over(on_example, call.mesh, frozenset(call.mesh.axis_names), specs, out_specs, False, leaves)

    def _out_axes(result: Any) -> list[Any]:
        try:
            return tree.prefix_leaves(out_axes, result)
        except ValueError:
            raise ValueError(tree.prefix_mismatch("pmap out_axes", out_axes, tree.structure(result))) from None

    on_mesh.__name__ = name_of(fun)
    runs: dict[tuple[int, ...], Any] = {}

    def run_of(donated: tuple[int, ...]) -> Any:
        """The jitted function that is given these leaves."""
        if donated not in runs:
            runs[donated] = jit(on_mesh, static_argnums=0, donate_argnums=[i + 1 for i in donated])
        return runs[donated]

    def prepared(args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[_Call, list[Any]]:
        numbers = _of_call(static, args)
        given = places
        if isinstance(given, tuple):
            if len(given) != len(args):
                raise ValueError(
                    f"pmap in_axes must be an int, None, or a tuple of entries corresponding to the positional "
                    f"arguments passed to the function, but got len(in_axes)={len(given)}, len(args)={len(args)}"
                )
            given = tuple(a for i, a in enumerate(given) if i not in numbers)
        dynamic = tuple(a for i, a in enumerate(args) if i not in numbers)
        found, in_tree = tree.flatten((dynamic, kwargs))
        try:
            axes = tree.prefix_leaves(given, dynamic) + [0] * (len(found) - len(tree.leaves(dynamic)))
        except ValueError:
            raise ValueError(tree.prefix_mismatch("pmap in_axes", given, tree.structure(dynamic))) from None

        def describe(i: int) -> str:
            return described_argument(fun, in_tree.paths()[i])

        leaves = arrays_of(found, fun, describe)
        dims = tuple(_dimension(leaf, axis, describe(i)) for i, (leaf, axis) in enumerate(zip(leaves, axes)))
        mesh = _mesh(_size(leaves, dims, axis_size, describe), devices, backend, name)
        fixed = tuple((i, args[i]) for i in sorted(numbers))
        marked = [
            i for i, n in enumerate(n for n in range(len(args)) if n not in numbers) if n in _of_call(given_away, args)
        ]
        donated = tuple(i for i, path in enumerate(in_tree.paths()) if path[0] == 0 and path[1] in marked)
        call = _Call(in_tree, dims, mesh, fixed, tuple(kind_of(value) for _, value in fixed), donated)
        return call, leaves

    @api_boundary
    @functools.wraps(fun)
    def mapped(*args: Any, **kwargs: Any) -> Any:
        call, leaves = prepared(args, kwargs)
        return run_of(call.donated)(call, *leaves)

    def trace(*args: Any, **kwargs: Any) -> Traced:
        """The function traced for arguments of these types; a `ShapeDtypeStruct` will do for an array."""
        call, leaves = prepared(*with_stand_ins(args, kwargs))
        traced: Traced = replace(
            run_of(call.donated).trace(call, *leaves),
            function=fun,
            in_tree=call.in_tree,
            split=lambda args, kwargs: (tuple(args), kwargs),
        )
        return traced

    mapped.trace = trace  # type: ignore[attr-defined]
    mapped.lower = lambda *args, **kwargs: trace(*args, **kwargs).lower()  # type: ignore[attr-defined]
    return mapped


@dataclass(frozen=True)
class _Call:
    """What tells calls apart: the tree of the arguments that are not static, what is mapped over which devices."""

    in_tree: Any
    dims: tuple[int | None, ...]
    mesh: Mesh
    fixed: tuple[tuple[int, Any], ...]
    kinds: tuple[Any, ...]
    donated: tuple[int, ...]


def _numbers(given: Any) -> frozenset[int]:
    return frozenset((given,) if isinstance(given, int) else given or ())


def _of_call(numbers: frozenset[int], args: Sequence[Any]) -> frozenset[int]:
    """Numbers of arguments, negative ones counted from the end of those of a call."""
    return frozenset(n % len(args) for n in numbers if -len(args) <= n < len(args))


def _spec(dim: int, name: Any) -> PartitionSpec:
    return PartitionSpec(*[None] * dim, name)


def _without(shape: tuple[int, ...], dim: int) -> tuple[int, ...]:
    return (*shape[:dim], *shape[dim + 1 :])


def _with(array: Any, axis: int | None, fun: Callable[..., Any]) -> Any:
    """A result with the mapped dimension, of size 1 on each device, where it is to be."""
    if axis is None:
        return array
    shape = array.aval.shape
    if not -len(shape) - 1 <= axis <= len(shape):
        raise ValueError(f"pmap out_axes is {axis}, out of bounds for a result of {name_of(fun)} of rank {len(shape)}")
    place = axis % (len(shape) + 1)
    return reshape(array, (*shape[:place], 1, *shape[place:]))


def _dimension(leaf: Any, axis: Any, what: str) -> int | None:
    if axis is None:
        return None
    rank = len(leaf.aval.shape)
    if type(axis) is not int:
        raise TypeError(f"pmap in_axes must be an int, None, or a tree of these, got {axis!r:.40} in it")
    if not -rank <= axis < rank:
        raise ValueError(
            f"pmap was requested to map its argument along axis {axis}, which implies that its rank should be at least "
            f"{axis + 1 if axis >= 0 else -axis}, but {what} is of rank {rank} (its shape is {leaf.aval.shape})"
        )
    return int(axis % rank)


def _size(leaves: Sequence[Any], dims: Sequence[int | None], given: int | None, describe: Callable[[int], str]) -> int:
    """How many examples there are.

    Raises:
        ValueError: if sizes differ, or nothing says it.
    """
    sizes = {leaf.aval.shape[d]: describe(i) for i, (leaf, d) in enumerate(zip(leaves, dims)) if d is not None}
    if given is not None:
        sizes[given] = "axis_size"
    if not sizes:
        raise ValueError(
            "pmap must have at least one non-None value in in_axes, or axis_size must be given; nothing is mapped"
        )
    if len(sizes) > 1:
        raise ValueError(
            "pmap got inconsistent sizes for array axes to be mapped: "
            + ", ".join(f"{size} of {what}" for size, what in sizes.items())
        )
    return int(next(iter(sizes)))


def _mesh(size: int, devices: Sequence[Any] | None, backend: Any, name: Any) -> Mesh:
    there = EVAL.devices(backend) if devices is None else list(devices)
    if size > len(there):
        raise ValueError(
            f"compiling computation that requires {size} logical devices, but only {len(there)} XLA devices are "
            f"available: pmap maps over one example for each device; use vmap within it for more"
        )
    array = np.empty(size, object)
    array[:] = there[:size]
    return Mesh(array, (name,))
