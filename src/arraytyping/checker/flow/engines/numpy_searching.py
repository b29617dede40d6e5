"""The shapes of NumPy's functions whose results are as long as the elements say."""

from __future__ import annotations

from arraytyping.checker.flow.engines.numpy_arguments import Arguments, rule, same_dtype
from arraytyping.checker.flow.engines.numpy_array_likes import dtype_of, shape_of
from arraytyping.checker.flow.engines.numpy_statics import members_of, size_of, static_of
from arraytyping.checker.flow.values import Value
from arraytyping.semantics.avals import UNKNOWN, Dim, Shape
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.errors import DimError
from arraytyping.semantics.rules.shapes.creation import grid
from arraytyping.semantics.rules.shapes.samples import bins_between
from arraytyping.semantics.rules.shapes.searching import found_places, listed_places
from arraytyping.semantics.rules.shapes.selecting import inserted, left_of, resized_axis
from arraytyping.semantics.rules.sizes import size_dim
from arraytyping.semantics.sizes.dims import add_dims

__all__: list[str] = []


def _along(a: Arguments, *names: str) -> tuple[Shape | None, int | None] | None:
    """The array and the axis; without one the array is raveled, and of no dimensions it is taken for a vector.

    None if it is not known whether there is one.
    """
    shape, axis = a.operand(*names), a.axis()
    if axis is None:
        return (size_dim(shape),), 0
    if axis is UNKNOWN:
        return None
    shape = (1,) if shape == () else shape
    return shape, canonicalize_axis(a.name, axis, None if shape is None else len(shape))


@rule("unique")
def _unique(a: Arguments) -> Value:
    """Handled with its flags: values, first indices, inverse, counts."""
    flags, along = [a.flag(n) for n in ("return_index", "return_inverse", "return_counts")], _along(a)
    if None in flags:
        return None
    values = None if along is None else resized_axis(*along, None)
    inverse = a.operand() if a.get("axis") is None else None  # whose rank differs between releases of NumPy
    results = [values, *([(None,)] * bool(flags[0])), *([inverse] * bool(flags[1])), *([(None,)] * bool(flags[2]))]
    return results if len(results) > 1 else values


@rule("unique_values", "union1d", "setdiff1d", "setxor1d")
def _set(a: Arguments) -> Value:
    return (None,)


@rule("trim_zeros")
def _trimmed(a: Arguments) -> Value:
    shape = a.operand()
    return None if shape is None else (None,) * len(shape)


@rule("intersect1d")
def _intersect(a: Arguments) -> Value:
    with_indices = a.flag("return_indices")
    return None if with_indices is None else [(None,)] * 3 if with_indices else (None,)


@rule("nonzero", dtype=lambda a: "int64", sequence=tuple)
def _nonzero(a: Arguments) -> Value:
    count, rank = found_places("nonzero", a.operand(), None)
    return None if rank is None else [(count,)] * rank


@rule("where", dtype=lambda a: "int64", sequence=tuple)
def _where(a: Arguments) -> Value:
    return None if "x" in a.given else _nonzero(a)


@rule("argwhere", dtype=lambda a: "int64")
def _argwhere(a: Arguments) -> Value:
    return listed_places(a.operand(), None)


@rule("flatnonzero", dtype=lambda a: "int64")
def _flatnonzero(a: Arguments) -> Value:
    count, _ = found_places("flatnonzero", (size_dim(a.operand()),), None)
    return (count,)


@rule("bincount", dtype=lambda a: "int64" if "weights" not in a else "float64")
def _bincount(a: Arguments) -> Value:
    return (None,)


@rule("compress", "extract", dtype=lambda a: dtype_of(a.get("a", "arr")))
def _compress(a: Arguments) -> Value:
    along = None if a.name == "extract" else _along(a, "a")
    return (None,) if a.name == "extract" else None if along is None else resized_axis(*along, None)


@rule("delete", dtype=same_dtype)
def _delete(a: Arguments) -> Value:
    along, which = _along(a, "arr"), a.get("obj")
    if along is None:
        return None
    shape, number = along
    size = None if shape is None or number is None else shape[number]
    if isinstance(which, slice):
        which = slice(*map(static_of, (which.start, which.stop, which.step)))
    else:
        which = static_of(which) if shape_of(which) == () else UNKNOWN
    return resized_axis(shape, number, left_of("delete", size, which))


@rule("insert", dtype=same_dtype)
def _insert(a: Arguments) -> Value:
    along, where = _along(a, "arr"), a.get("obj")
    if along is None:
        return None
    is_index = not isinstance(where, slice) and (dtype_of(where) or "").startswith(("int", "uint"))
    return inserted("insert", *along, shape_of(where) if is_index else None, a.operand("values"))


@rule("histogram", "histogram_bin_edges", dtype=lambda a: None)
def _histogram(a: Arguments) -> Value:
    bins = a.given.get("bins", 10)
    count: Dim = None
    edges: Dim = None
    if (shape := shape_of(bins)) == () and not isinstance(bins, str):
        count = size_of(bins)
        edges = add_dims((count, 1))
    elif shape is not None and len(shape) == 1:
        (edges,) = shape
        count = bins_between(edges)
    return (edges,) if a.name == "histogram_bin_edges" else [(count,), (edges,)]


@rule("unravel_index", dtype=lambda a: "int64", sequence=tuple)
def _unravel_index(a: Arguments) -> Value:
    sizes = a.sizes("shape")
    return None if sizes is UNKNOWN else [a.operand("indices")] * len(sizes)


@rule("ix_", dtype=lambda a: None, sequence=tuple)
def _ix(a: Arguments) -> Value:
    """A mask counts as the places where it is true."""
    values = a.get("args")
    shapes = members_of(values) or []
    if any(s is not None and len(s) != 1 for s in shapes):
        raise DimError("ix_: each argument must have 1 dimension")
    sizes = [s[0] if s and dtype_of(v) not in ("bool", None) else None for v, s in zip(values, shapes)]
    return [grid(sizes, i, True, "ij") for i in range(len(sizes))]


@rule("fromiter", dtype=lambda a: None)
def _fromiter(a: Arguments) -> Value:
    return (None,)
