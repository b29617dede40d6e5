"""`shard_map`: each device of a mesh runs a function on its part of the arguments.

Source: https://docs.jax.dev/en/latest/notebooks/shard_map.html.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final

from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.core import Primitive, axes_of, vary
from arraytyping.runtime.cut_types import cut_of, with_sharding
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr, short_aval
from arraytyping.runtime.sharding import AbstractMesh, AxisType, Mesh, NamedSharding, PartitionSpec, get_mesh
from arraytyping.runtime.sharding.specs import UNCONSTRAINED, entries_of
from arraytyping.runtime.trace_state import Manual, bind_mesh, manual_here
from arraytyping.runtime.tracebacks import api_boundary
from arraytyping.runtime.tracing.staging import stage
from arraytyping.runtime.transformations.arguments import FlatFunction, arrays_of, described_argument, name_of
from arraytyping.runtime.transformations.calls import hoisted
from arraytyping.runtime.varying import Axes, varying_axes, with_axes
from arraytyping.semantics.avals import ShapedArray, static_shape
from arraytyping.semantics.cut_rules import axes_of_entry
from arraytyping.semantics.rules.control_flow import check_types
from arraytyping.semantics.shardings import axes_str

__all__ = ["mapped_over", "part_of", "shard_map", "shard_map_p", "whole_of"]


NOT_GIVEN: Final = object()


def axes_in(spec: PartitionSpec) -> Axes:
    """The axes that a spec names."""
    return frozenset(name for entry in entries_of(spec) for name in entry or ())


def part_of(value: Any, mesh: Mesh, spec: PartitionSpec, check: bool) -> ShapedArray:
    """The type of the part that a device gets of an array, or of its part of one, that is cut so."""
    aval = value.aval
    shape = NamedSharding(mesh, spec).shard_shape(static_shape(aval))
    made = ShapedArray(shape, aval.dtype, aval.weak_type)
    return with_axes(made, axes_in(spec) | axes_of(value)) if check else made


def whole_of(aval: ShapedArray, mesh: Mesh, spec: PartitionSpec, axes: Axes, check: bool) -> ShapedArray:
    """The type of the array of which each device has a part of this type, where these axes are mapped."""
    counts = NamedSharding(mesh, spec).counts(len(static_shape(aval)))
    shape = tuple(size * count for size, count in zip(static_shape(aval), counts))
    made = ShapedArray(shape, aval.dtype, aval.weak_type)
    around = manual_here()
    if around is None:
        return with_sharding(made, NamedSharding(mesh, spec))
    if not around.check:
        return made
    return with_axes(made, differing(aval) - axes if check else around.followed)


def _rule(
    cx: Any, *avals: ShapedArray, jaxpr: ClosedJaxpr, mesh: Mesh, axes: Axes, in_specs: Sequence[PartitionSpec],
    out_specs: Sequence[PartitionSpec], check: bool,
) -> list[ShapedArray]:  # fmt: skip
    parts = [
        ShapedArray(NamedSharding(mesh, spec).shard_shape(static_shape(a)), a.dtype, a.weak_type)
        for a, spec in zip(avals, in_specs, strict=True)
    ]
    check_types("the operands of shard_map", parts, jaxpr.in_avals)
    return [whole_of(a, mesh, spec, axes, check) for a, spec in zip(jaxpr.out_avals, out_specs, strict=True)]


def _varying(given: Sequence[Axes], params: dict[str, Any]) -> tuple[Sequence[Axes], Sequence[Axes]]:
    """Along which of the axes of a mapped function around it operands have to differ, and results do."""
    jaxpr, axes = params["jaxpr"], params["axes"]
    if not params["check"] and (around := manual_here()) is not None:  # each device has values of its own within
        return [around.followed] * len(given), [around.followed] * len(jaxpr.out_avals)
    wanted = [differing(a) - axes for a in jaxpr.in_avals]
    if any(not a <= w for a, w in zip(given, wanted)):
        raise NotImplementedError(
            "shard_map with check_vma=True cannot follow along which axes the operands of a shard_map within it "
            "differ; use check_vma=False for both"
        )
    return wanted, [differing(a) - axes for a in jaxpr.out_avals]


shard_map_p: Final = Primitive("shard_map", _rule, multiple_results=True, has_jaxprs=True)
shard_map_p.varying_rule = _varying


@api_boundary
def shard_map(
    f: Callable[..., Any] | None = None, /, *, out_specs: Any, in_specs: Any = NOT_GIVEN, mesh: Mesh | None = None,
    axis_names: Any = frozenset(), check_vma: bool = True,
) -> Callable[..., Any]:  # fmt: skip
    """`jax.shard_map`: a function that each device of the mesh runs on its part of the arguments.

    `in_specs` and `out_specs` say how arguments are cut and how results are put together, each a tree that is a prefix;
    an argument with the spec None is handed on as it is.  Without a mesh it is the one in force.  It maps over the axes
    `axis_names`, by default over all; along the others the compiler decides, or a `shard_map` within.  With `check_vma`
    it is followed along which axes values differ: a result has to be the same where its spec says so, and the gradient
    by a value that is the same on all devices is the sum of theirs.

    Raises (when called):
        ValueError: if a spec names no axis of the mesh, is longer than the rank or does not divide a dimension, if
            specs are no prefix, or if a result is not known to be the same where its spec says so.
        TypeError: if it is given no function, or no `in_specs`.
        NotImplementedError: where it is not known along which axes values differ.
    """
    if f is None:
        return lambda function: shard_map(
            function, mesh=mesh, in_specs=in_specs, out_specs=out_specs, axis_names=axis_names, check_vma=check_vma
        )
    if not callable(f):
        raise TypeError(f"shard_map requires a callable for its first argument, but got {f!r:.60} of type {type(f)}.")
    function = f

    @api_boundary
    @functools.wraps(function)
    def mapped(*args: Any) -> Any:
        over = _mesh_here(mesh)
        if not isinstance(axis_names, set | frozenset):
            raise TypeError(
                "`axis_names` argument of shard_map should be of type `frozenset` or `set`. Got type: "
                f"{type(axis_names)}"
            )
        if not axis_names <= set(over.axis_names):
            raise ValueError(
                f"jax.shard_map requires axis_names={frozenset(axis_names)} to be a subset of "
                f"mesh.axis_names={over.axis_names}"
            )
        axes = frozenset(axis_names) or frozenset(over.axis_names)
        given = specs_of_types("shard_map: in_specs", over, axes, args) if in_specs is NOT_GIVEN else in_specs
        return mapped_over(function, over, axes, given, out_specs, bool(check_vma), args)

    return mapped


def specs_of_types(what: str, mesh: Mesh, axes: Axes, args: Any) -> Any:
    """How arguments are cut along these axes, as their types say.

    Raises:
        TypeError: if one of the axes is not explicit.
    """
    free = [n for n, kind in zip(mesh.axis_names, mesh.axis_types) if n in axes and kind is not AxisType.Explicit]
    if free:
        raise TypeError(
            f"{what} was not specified when {axes_str(free)} was of type Auto, along which types of arrays do not "
            "say it; say how each argument is cut"
        )

    def spec_of(leaf: Any) -> PartitionSpec:
        cut = cut_of(materialized(array_from(leaf)).aval) or ()
        entries = [tuple(a for a in axes_of_entry(entry) if a in axes) for entry in cut]
        return PartitionSpec(*entries)

    return tree.map(spec_of, args)


def _mesh_here(given: Any) -> Mesh:
    """The mesh over which a function is mapped here.

    Raises:
        ValueError: where there is none, and for one other than that over which a function around this one is mapped.
        TypeError: for what is no mesh.
    """
    around = manual_here()
    if given is None:
        found: Mesh | None = get_mesh() if around is None else around.mesh
        if found is None:
            raise ValueError("The context mesh cannot be empty. Use `set_mesh(mesh)` to enter into a mesh context")
        return found
    if isinstance(given, AbstractMesh):
        found = get_mesh() if around is None else around.mesh
        if found is None or found.shape != given.shape:
            raise ValueError(
                f"shard_map over {given}, which has no devices, takes them from the mesh in force, which is {found}: "
                "use `with set_mesh(mesh):` with one of the same axes, or give that one"
            )
        return found
    if not isinstance(given, Mesh):
        raise TypeError(f"shard_map takes a Mesh, got {given!r:.60} of type {type(given).__name__}")
    if given.empty:
        raise ValueError(f"shard_map requires a non-empty mesh. Got {given}")
    if around is not None:
        mapped = axes_str([n for n in around.mesh.axis_names if n in around.axes])
        raise ValueError(
            f"The context mesh, of which {mapped} are mapped here, should match the mesh passed to shard_map {given}; "
            "give it no mesh within another shard_map"
        )
    return given


def mapped_over(
    f: Callable[..., Any], mesh: Mesh, axes: Axes, in_specs: Any, out_specs: Any, check: bool, args: tuple[Any, ...]
) -> Any:
    """The result of a function that is mapped over these axes of a mesh; raises as `shard_map`.

    Those of them over which a function around it is mapped already are passed over.  `out_specs` may be a function, of
    the function's result to the specs of its leaves.
    """
    if (around := manual_here()) is not None:
        if around.mesh._flat != mesh._flat or around.mesh.shape != mesh.shape:
            raise NotImplementedError(
                f"a function that is mapped over {around.mesh} cannot map one over {mesh} within; use axes of one mesh"
            )
        axes -= around.axes
    _check_specs("in_specs", in_specs, mesh, axes)
    if not callable(out_specs):
        _check_specs("out_specs", out_specs, mesh, axes)
    found, in_tree = tree.flatten(args)
    in_specs = tuple(in_specs) if isinstance(in_specs, list) else in_specs
    specs = _broadcast("in_specs", in_specs, args)
    places = [i for i, spec in enumerate(specs) if spec is not None]
    fixed = {i: leaf for i, (leaf, spec) in enumerate(zip(found, specs)) if spec is None}
    leaves = arrays_of([found[i] for i in places], f, lambda i: described_argument(f, (0, *in_tree.paths()[places[i]])))
    given = [specs[i] for i in places]
    for i, leaf, spec in zip(places, leaves, given):
        what = f"the argument {described_argument(f, (0, *in_tree.paths()[i]))} of {name_of(f)}"
        NamedSharding(mesh, spec).check_divides(static_shape(leaf.aval), what)
    parts = [part_of(leaf, mesh, s, check) for leaf, s in zip(leaves, given)]
    manual = manual_of(mesh, axes, check)
    flat = FlatFunction(f, in_tree)
    wanted: list[PartitionSpec] = []

    def on_parts(*parts: Any) -> list[Any]:
        own = dict(zip(places, parts))
        outs = flat(*(fixed[i] if i in fixed else own[i] for i in range(len(found))))
        result = tree.unflatten(flat.out_tree, outs)
        wanted[:] = out_specs(result) if callable(out_specs) else _broadcast("out_specs", out_specs, result)
        return [_checked(o, spec, manual, i, flat, f) for i, (o, spec) in enumerate(zip(outs, wanted))]

    with bind_mesh(manual):
        closed = stage(on_parts, parts)
    jaxpr, consts = hoisted(closed)
    outs = shard_map_p.bind(
        *consts, *leaves, jaxpr=jaxpr, mesh=mesh, axes=axes,
        in_specs=(*[PartitionSpec()] * len(consts), *given), out_specs=tuple(wanted), check=check,
    )  # fmt: skip
    return tree.unflatten(flat.out_tree, outs)


def _check_specs(what: str, specs: Any, mesh: Mesh, axes: Axes) -> None:
    for spec in tree.leaves(specs):
        if not isinstance(spec, PartitionSpec):
            raise TypeError(f"shard_map {what} must be a tree of PartitionSpecs, got {spec!r:.60} in it")
        if UNCONSTRAINED in spec.partitions:
            raise ValueError(f"shard_map {what} says of each dimension how it is cut, and {spec} leaves one open")
        try:
            NamedSharding(mesh, spec)
        except ValueError as error:
            raise ValueError(f"shard_map {what}: {error}") from None
        if other := axes_in(spec) - axes:
            named, mapped = (axes_str([n for n in mesh.axis_names if n in some]) for some in (other, axes))
            raise ValueError(
                f"shard_map {what} must refer to an axis that it maps over, which is {mapped}, and {spec} refers to "
                f"{named}; revise the spec, or axis_names"
            )


def _broadcast(what: str, specs: Any, value: Any) -> list[Any]:
    structure = tree.structure(value)
    if isinstance(specs, PartitionSpec):
        return [specs] * structure.num_leaves
    try:
        found: list[Any] = tree.broadcast_prefix(specs, value, is_leaf=lambda node: node is None)
    except ValueError:
        raise ValueError(tree.prefix_mismatch(f"shard_map {what}", specs, structure)) from None
    if what == "out_specs" and None in found:
        raise ValueError("shard_map out_specs says of each result how it is put together; use P() where it is the same")
    return found


def _checked(out: Any, spec: PartitionSpec, manual: Manual, number: int, flat: FlatFunction, f: Any) -> Any:
    """A result that can be put together as the spec says.

    Raises:
        ValueError: if the spec is too long, or the result may differ where it is to be the same.
    """
    place = tree.path_str(flat.out_tree.paths()[number])
    what = f"the result{f' {place}' if place else ''} of {name_of(f)}"
    if len(spec) > len(out.aval.shape):
        raise ValueError(
            f"{what} has rank {len(out.aval.shape)} ({short_aval(out.aval)}), and its spec in out_specs, {spec}, has "
            f"{len(spec)} entries; revise the spec, or the function so that the result has as many dimensions"
        )
    if not manual.check:
        return out
    around: Axes = frozenset() if manual.around is None else manual.around.followed
    axes, named = axes_of(out) - around, axes_in(spec)
    if axes - named:
        differs = axes_str([n for n in manual.mesh.axis_names if n in axes - named])
        raise ValueError(
            f"{what} may differ from device to device along {differs}, and its spec in out_specs, {spec}, says that it "
            "is the same; revise the spec, reduce the result (psum, pmean), or use check_vma=False if it is the same"
        )
    return vary(out, named - axes)


def unmentioned(mesh: Mesh, axes: Axes, spec: PartitionSpec) -> tuple[Any, ...]:
    """Those of these axes of the mesh that a spec does not name, in order."""
    left = axes - axes_in(spec)
    return tuple(name for name in mesh.axis_names if name in left)


def manual_of(mesh: Mesh, axes: Axes, check: bool) -> Manual:
    """What holds within a function that is mapped over these axes of the mesh here."""
    return Manual(mesh, axes, check, manual_here())


def differing(aval: ShapedArray) -> Axes:
    """The axes along which a value of this type differs."""
    return varying_axes(aval) or frozenset()
