"""Operations across a mapped axis that has a name, as in `vmap(f, axis_name="i")`.

Source: https://docs.jax.dev/en/latest/jax.lax.html#parallel-operators.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, Final

from arraytyping import config
from arraytyping.runtime import core, trace_state, tree
from arraytyping.runtime.array_likes import array_from, convert_to, materialized, python_scalar
from arraytyping.runtime.core import Primitive, Tracer, TypedScalar
from arraytyping.runtime.lax.arithmetic import div_p, mul_p
from arraytyping.runtime.lax.creation import iota_of
from arraytyping.runtime.lax.reductions import reduce_sum
from arraytyping.runtime.lax.structure import linear_unary
from arraytyping.runtime.tracing.batching import Axis
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.dtype_kinds import to_inexact

__all__ = ["axis_index", "axis_size", "pmax", "pmean", "pmin", "psum"]


def axis_names(axis_name: Any) -> tuple[Any, ...]:
    """The axes that are meant; each must exist.

    Raises:
        NameError: if one is not mapped here.
        TypeError: for a positional axis.
    """
    names = tuple(axis_name) if isinstance(axis_name, tuple | list) else (axis_name,)
    for name in names:
        if isinstance(name, int):
            raise TypeError(f"axis_name {name!r} is an int; expected the name of a mapped axis, for example 'i'")
        trace_state.axis_size(name)
    return names


Groups = tuple[tuple[int, ...], ...]
"""The numbers of the examples of each group, in which a collective goes."""


def groups_of(axis_index_groups: Any, names: Sequence[Any], what: str, is_even: bool = True) -> Groups | None:
    """The groups as they were given; None where there are none.

    Raises:
        ValueError: if they do not have each example once, or are not as large as one another where they have to be.
    """
    if axis_index_groups is None:
        return None
    groups = tuple(tuple(map(operator.index, group)) for group in axis_index_groups)
    size = axis_size(names)
    if sorted(i for group in groups for i in group) != list(range(size)):
        raise ValueError(
            f"axis_index_groups must cover all indices exactly once, and {what} over an axis of size {size} got "
            f"{groups}"
        )
    if is_even and len({len(group) for group in groups}) > 1:
        raise ValueError(f"axis_index_groups of {what} must all be the same size, got {groups}")
    return groups


def over_mesh(names: Sequence[Any]) -> bool:
    """Whether these are axes of a mesh alone, along which devices exchange; those of `vmap` are dimensions."""
    manual = trace_state.manual_here()
    return manual is not None and bool(names) and manual.axes.issuperset(names)


def axis_size(axis_name: Any) -> int:
    """`jax.lax.axis_size`: the size of the mapped axis, or the product of the sizes of several.

    Raises:
        NameError: if no axis of this name is mapped here.
    """
    return math.prod(map(trace_state.axis_size, axis_names(axis_name)))


def same_type(cx: Any, x: ShapedArray, **params: Any) -> ShapedArray:
    return x


def _reducing(name: str, reduce: Callable[[Any, int], Any], of_same: Callable[[Any, int], Any]) -> Primitive:
    """A collective that puts the elements of all examples together.

    `reduce(batch, dim)` does, `of_same(x, size)` says what comes of a value that is the same for all.
    """
    primitive = Primitive(name, same_type, is_collective=True)

    def batch(axis: Axis, args: Sequence[Any], dims: Sequence[int | None], *, axis_name: tuple[Any, ...]) -> Any:
        (x,), (dim,) = args, dims
        if axis.name not in axis_name:
            return primitive.bind(x, axis_name=axis_name), dim
        result = of_same(x, axis.size) if dim is None else reduce(x, dim)
        rest = tuple(n for n in axis_name if n != axis.name)
        return primitive.bind(result, axis_name=rest) if rest else result, None

    primitive.batching_rule = batch
    return primitive


def number_like(x: Any, number: int) -> TypedScalar:
    """A number, of the dtype and weak type of an array."""
    return TypedScalar(python_scalar(number, x.aval.dtype), ShapedArray((), x.aval.dtype, x.aval.weak_type))


def times(x: Any, size: int) -> Any:
    return mul_p.bind(x, number_like(x, size))


def _greatest(x: Any, dim: int) -> Any:
    from arraytyping.runtime.lax.extremes import reduce_max_p

    return reduce_max_p.bind(x, axes=(dim,))


def _least(x: Any, dim: int) -> Any:
    from arraytyping.runtime.lax.extremes import reduce_min_p

    return reduce_min_p.bind(x, axes=(dim,))


psum_p: Final = _reducing("psum", lambda x, dim: reduce_sum(x, (dim,)), times)
linear_unary(psum_p)


def _transpose_psum(ct: Any, x: Any, *, axis_name: tuple[Any, ...]) -> list[Any]:
    # Where it is followed which values differ over a mesh, the sum does not, and the cotangent is each device's.
    manual = trace_state.manual_here()
    over_mesh = frozenset() if manual is None else manual.followed.intersection(axis_name)
    rest = tuple(name for name in axis_name if name not in over_mesh)
    ct = psum_p.bind(ct, axis_name=rest) if rest else ct
    return [core.vary(ct, over_mesh - core.axes_of(ct)) if over_mesh else ct]


psum_p.transpose_rule = _transpose_psum
pmax_p: Final = _reducing("pmax", _greatest, lambda x, size: x)
pmin_p: Final = _reducing("pmin", _least, lambda x, size: x)


def psum(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
    """`jax.lax.psum`: the sum over the mapped axis, of each leaf; of a Python number, known at once.

    Raises:
        NameError: if no axis of this name is mapped here.
    """
    names = axis_names(axis_name)
    if not names:
        return x
    leaves, structure = tree.flatten(x)
    is_constant = not any(isinstance(leaf, Tracer) for leaf in leaves)
    groups = groups_of(axis_index_groups, names, "psum", is_even=is_constant)
    size = len(groups[0]) if groups else axis_size(names)
    if groups is not None and not is_constant:
        from arraytyping.runtime.lax.grouped_collectives import grouped_sum

        return tree.unflatten(structure, [grouped_sum(_summable(leaf), names, groups) for leaf in leaves])
    if is_constant:
        return tree.unflatten(structure, [_multiplied(leaf, size) for leaf in leaves])
    return tree.unflatten(structure, [psum_p.bind(_summable(leaf), axis_name=names) for leaf in leaves])


def _multiplied(x: Any, size: int) -> Any:
    if isinstance(x, bool | int | float | complex):
        return x * size
    return times(_summable(x), size)


def _summable(x: Any) -> Any:
    array = materialized(array_from(x))
    return convert_to(array, "int32") if array.aval.dtype == "bool" else array


def pmean(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
    """`jax.lax.pmean`: the mean over the mapped axis, of each leaf.

    Raises:
        NameError: if no axis of this name is mapped here.
    """
    groups = groups_of(axis_index_groups, axis_names(axis_name), "pmean")
    total = psum(x, axis_name, axis_index_groups=groups)
    size = len(groups[0]) if groups else axis_size(axis_name)

    def divided(v: Any) -> Any:
        if isinstance(v, bool | int | float | complex):
            return v / size
        v = convert_to(v, config.promotion().canonicalize(to_inexact(v.aval.dtype)), bool(v.aval.weak_type))
        return div_p.bind(v, number_like(v, size))

    return tree.map(divided, total)


def pmax(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
    """`jax.lax.pmax`: the greatest over the mapped axis, of each leaf.

    Raises:
        NameError: if no axis of this name is mapped here.
    """
    return _extreme(pmax_p, x, axis_name, axis_index_groups)


def pmin(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
    """`jax.lax.pmin`: the least over the mapped axis, of each leaf.

    Raises:
        NameError: if no axis of this name is mapped here.
    """
    return _extreme(pmin_p, x, axis_name, axis_index_groups)


def _extreme(primitive: Primitive, x: Any, axis_name: Any, axis_index_groups: Any) -> Any:
    names = axis_names(axis_name)
    if (groups := groups_of(axis_index_groups, names, primitive.name, is_even=False)) is not None:
        from arraytyping.runtime.lax.grouped_collectives import grouped_extreme

        def extreme(leaf: Any) -> Any:
            return grouped_extreme(materialized(array_from(leaf)), names, groups, primitive is pmax_p)

        return tree.map(extreme, x)
    return tree.map(lambda leaf: primitive.bind(materialized(array_from(leaf)), axis_name=names), x)


axis_index_p: Final = Primitive(
    "axis_index", lambda cx, *, axis_name: ShapedArray((), "int32", False), is_collective=True
)
axis_index_p.batching_rule = lambda axis, args, dims, *, axis_name: (iota_of("int32", (axis.size,), 0), 0)


def axis_index(axis_name: Any) -> Any:
    """`jax.lax.axis_index`: the number of the example along the mapped axis; of several axes, the first is the slowest.

    Raises:
        NameError: if no axis of this name is mapped here.
    """
    names = axis_names(axis_name)
    if not isinstance(axis_name, tuple | list):
        return axis_index_p.bind(axis_name=names)
    from arraytyping.runtime.lax.arithmetic import add_p

    index: Any = materialized(TypedScalar(0, ShapedArray((), "int32", False)))
    size = 1
    for name in reversed(names):
        index = add_p.bind(index, times(axis_index_p.bind(axis_name=(name,)), size))
        size *= trace_state.axis_size(name)
    return index
