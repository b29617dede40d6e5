"""The shapes of NumPy's functions whose results are as long as the elements say."""

from __future__ import annotations

from typing import Any

from arraytyping.checker.flow.engines.numpy_arguments import Arguments, Refused, Unknowable, dims_of, known_shape, rule
from arraytyping.checker.flow.engines.numpy_array_likes import dim_of, dtype_of, shape_of
from arraytyping.checker.flow.engines.numpy_values import NotPossible
from arraytyping.semantics.avals import Shape
from arraytyping.semantics.sizes.dims import add_dims, max_dim

__all__: list[str] = []


def _first_dtype(a: Arguments) -> Any:
    return dtype_of(a.first)


@rule("unique")
def _unique(a: Arguments) -> Any:
    """Handled with its flags: values, first indices, inverse, counts."""
    shape = a.shape()
    axis = a.axis(len(shape))
    values: Shape = (None,) if axis is None else tuple(None if i == axis else d for i, d in enumerate(shape))
    flags = [bool(a.exact(n, False)) for n in ("return_index", "return_inverse", "return_counts")]
    inverse: Shape | None = shape if axis is None else (shape[axis],)
    if axis is not None:
        inverse = None  # its rank differs between releases of NumPy
    results = [values, *([(None,)] * flags[0]), *([inverse] * flags[1]), *([(None,)] * flags[2])]
    return results if len(results) > 1 else values


@rule("unique_values", "union1d", "setdiff1d", "setxor1d", "trim_zeros")
def _set(a: Arguments) -> Any:
    return (None,)


@rule("intersect1d")
def _intersect(a: Arguments) -> Any:
    return [(None,)] * 3 if a.exact("return_indices", False) else (None,)


@rule("nonzero", dtype=lambda a: "int64", sequence=tuple)
def _nonzero(a: Arguments) -> Any:
    return [(None,)] * len(a.shape())


@rule("where", dtype=lambda a: "int64", sequence=tuple)
def _where(a: Arguments) -> Any:
    if "x" in a.given:
        raise Unknowable
    return [(None,)] * len(a.shape())


@rule("argwhere", dtype=lambda a: "int64")
def _argwhere(a: Arguments) -> Any:
    return (None, len(a.shape()))


@rule("flatnonzero", dtype=lambda a: "int64")
def _flatnonzero(a: Arguments) -> Any:
    return (None,)


@rule("bincount", dtype=lambda a: "int64" if "weights" not in a else "float64")
def _bincount(a: Arguments) -> Any:
    return (None,)


@rule("compress", "extract", dtype=lambda a: dtype_of(a.get("a", "arr")))
def _compress(a: Arguments) -> Any:
    shape = a.shape("a", "arr")
    axis = a.axis(len(shape)) if a.name == "compress" else None
    return (None,) if axis is None else tuple(None if i == axis else d for i, d in enumerate(shape))


@rule("delete", dtype=_first_dtype)
def _delete(a: Arguments) -> Any:
    shape = list(a.shape("arr"))
    axis = a.axis(len(shape))
    if axis is None:
        shape, axis = [None], 0
    index = a.get("obj")
    is_one = shape_of(index) == () and not isinstance(index, slice)
    shape[axis] = add_dims((shape[axis], -1)) if is_one else None
    return tuple(shape)


@rule("insert", dtype=_first_dtype)
def _insert(a: Arguments) -> Any:
    shape = list(a.shape("arr"))
    axis = a.axis(len(shape))
    if axis is None:
        return (None,)
    shape[axis] = None
    return tuple(shape)


@rule("histogram", "histogram_bin_edges", dtype=lambda a: None)
def _histogram(a: Arguments) -> Any:
    bins = a.given.get("bins", 10)
    try:
        if isinstance(bins, str):
            count = None
        elif shape_of(bins) == ():
            count = dim_of(bins)
        else:
            count = max_dim(add_dims((known_shape(bins)[0], -1)), 0)
    except NotPossible:
        count = None
    edges = (add_dims((count, 1)),)
    return edges if a.name == "histogram_bin_edges" else [(count,), edges]


@rule("resize", dtype=_first_dtype, grows=True)
def _resize(a: Arguments) -> Any:
    return dims_of(a.get("new_shape"))


@rule("unravel_index", dtype=lambda a: "int64", sequence=tuple)
def _unravel_index(a: Arguments) -> Any:
    inner = a.shape("indices")
    return [inner] * len(a.dims("shape"))


@rule("ix_", dtype=lambda a: None, sequence=tuple)
def _ix(a: Arguments) -> Any:
    values = a.get("args")
    if any(len(known_shape(v)) != 1 for v in values):
        raise Refused("array-dim", "ValueError: Cross index must be 1 dimensional")
    sizes = [s[0] if dtype_of(v) not in ("bool", None) else None for v in values for s in [known_shape(v)]]
    return [tuple(d if i == j else 1 for j in range(len(sizes))) for i, d in enumerate(sizes)]


@rule("fromiter", dtype=lambda a: None)
def _fromiter(a: Arguments) -> Any:
    return (None,)
