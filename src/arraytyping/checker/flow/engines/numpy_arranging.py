"""The shapes of NumPy's functions that arrange elements anew: reshaping, permuting, repeating."""

from __future__ import annotations

from arraytyping.checker.flow.engines.numpy_arguments import Arguments, rule, same_dtype
from arraytyping.checker.flow.engines.numpy_statics import members_of
from arraytyping.checker.flow.values import Value
from arraytyping.semantics.avals import UNKNOWN, Dim
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes, stretched
from arraytyping.semantics.rules.shapes.creation import grid, sizes_of
from arraytyping.semantics.rules.shapes.permuting import (
    any_order,
    matrices_transposed,
    moved,
    rolled,
    swapped,
    transposed,
    turned,
)
from arraytyping.semantics.rules.shapes.products import cross_part, crossed
from arraytyping.semantics.rules.shapes.repeating import nested_widths, pad_widths, padded, repeated, tiled
from arraytyping.semantics.rules.shapes.reshaping import at_least, expanded, new_shape, resized, squeezed
from arraytyping.semantics.rules.shapes.selecting import diagonal_matrix, diagonals, resized_axis, taken
from arraytyping.semantics.rules.sizes import is_empty, size_dim
from arraytyping.semantics.rules.static_arguments import as_sizes
from arraytyping.semantics.sizes.dims import add_dims

__all__: list[str] = []


def _whole(size: Dim) -> int | None:
    return size if isinstance(size, int) else None


def _known(size: Dim) -> Value:
    return UNKNOWN if size is None else size


@rule("reshape", dtype=same_dtype)
def _reshape(a: Arguments) -> Value:
    return new_shape("reshape", a.operand(), a.sizes("shape"), ValueError)


@rule("ravel", dtype=same_dtype)
def _ravel(a: Arguments) -> Value:
    return (size_dim(a.operand()),)


@rule("transpose", "permute_dims", dtype=same_dtype)
def _transpose(a: Arguments) -> Value:
    shape, axes = a.operand(), a.static("axes")
    if axes is None:
        return None if shape is None else shape[::-1]
    return any_order(shape) if axes is UNKNOWN else transposed(a.name, shape, as_sizes(a.name, "an axis", axes))


@rule("swapaxes", "matrix_transpose", "linalg.matrix_transpose", dtype=same_dtype)
def _swapaxes(a: Arguments) -> Value:
    shape = a.operand()
    if a.name != "swapaxes":
        return matrices_transposed(a.name, shape)
    if None in (axes := [a.static("axis1"), a.static("axis2")]):
        return any_order(shape)
    rank = None if shape is None else len(shape)
    return swapped(shape, *(canonicalize_axis("swapaxes", axis, rank) for axis in axes))


@rule("moveaxis", dtype=same_dtype)
def _moveaxis(a: Arguments) -> Value:
    shape, source, destination = a.operand(), a.static("source"), a.static("destination")
    return any_order(shape) if None in (source, destination) else moved("moveaxis", shape, source, destination)


@rule("rollaxis", dtype=same_dtype)
def _rollaxis(a: Arguments) -> Value:
    shape, axis, start = a.operand(), a.static("axis"), a.static("start", 0)
    return any_order(shape) if None in (axis, start) else rolled("rollaxis", shape, axis, start)


@rule("expand_dims", dtype=same_dtype)
def _expand_dims(a: Arguments) -> Value:
    return expanded("expand_dims", a.operand(), a.sizes("axis"))


@rule("squeeze", dtype=same_dtype)
def _squeeze(a: Arguments) -> Value:
    """Of an array of no dimensions NumPy squeezes the axes 0 and -1."""
    shape, axis = a.operand(), a.static("axis")
    return () if shape == () else squeezed("squeeze", shape, axis)


@rule("broadcast_to", dtype=same_dtype)
def _broadcast_to(a: Arguments) -> Value:
    shape, target = a.operand(), sizes_of("broadcast_to", a.sizes("shape"))
    return target if shape is None or target is None else stretched("broadcast_to", shape, target)


@rule("broadcast_arrays", sequence=tuple)
def _broadcast_arrays(a: Arguments) -> Value:
    shapes = members_of(a.get("args"))
    return None if shapes is None else [broadcast_shapes("broadcast_arrays", *shapes)] * len(shapes)


@rule("atleast_1d", "atleast_2d", "atleast_3d")
def _atleast(a: Arguments) -> Value:
    shapes = [at_least(s, int(a.name[8])) for s in members_of(a.get("arys")) or ()]
    return shapes[0] if len(shapes) == 1 else shapes


@rule("tile", dtype=same_dtype, grows=True)
def _tile(a: Arguments) -> Value:
    return tiled("tile", a.operand(), as_sizes("tile", "a repetition", a.sizes("reps")))


@rule("repeat", dtype=same_dtype, grows=True)
def _repeat(a: Arguments) -> Value:
    """NumPy looks at the numbers, which may be one for each element; what has no dimension gets one."""
    shape, axis = (1,) if a.operand() == () else a.operand(), a.axis()
    counts = as_sizes("repeat", "a number of repetitions", a.sizes("repeats"))
    if axis is None:
        shape, axis = (size_dim(shape),), 0
    if any(isinstance(c, int) and c < 0 for c in counts or ()) and is_empty(shape) is not False:
        return None
    if counts is not None and len(counts) == 1:
        return repeated("repeat", shape, counts[0], axis)
    number = canonicalize_axis("repeat", axis, None if shape is None else len(shape))
    return resized_axis(shape, number, None if counts is None else add_dims(counts))


@rule("pad", dtype=same_dtype, grows=True)
def _pad(a: Arguments) -> Value:
    """The widths are broadcast to a pair for each axis."""
    shape, given = a.operand("array"), a.static("pad_width")
    if shape is None or given is None or a.static("mode", "") is UNKNOWN:
        return None
    nested = nested_widths("pad", given)
    if nested is None:
        return padded(shape, None)
    (rows, flat) = nested
    if len(rows) == 2 and rows[1] == 1:
        rows, flat = (rows[0], 2), [w for w in flat for _ in range(2)]
    widths = as_sizes("pad", "a width", tuple(flat))
    return padded(shape, pad_widths("pad", rows, widths or (), len(shape)))


@rule("take")
def _take(a: Arguments) -> Value:
    """Of an array of no dimensions NumPy takes as of one with one."""
    shape, indices, axis = a.operand(), a.operand("indices"), a.axis()
    return indices if axis is None else taken("take", (1,) if shape == () else shape, indices, axis)


@rule("diag", "diagflat", dtype=same_dtype, grows=True)
def _diag(a: Arguments) -> Value:
    shape, offset = a.operand(), a.size("k", default=0)
    if a.name == "diagflat":
        return diagonal_matrix(size_dim(shape), _whole(offset))
    if shape is None or len(shape) not in (1, 2):
        return None
    if len(shape) == 1:
        return diagonal_matrix(shape[0], _whole(offset))
    return diagonals("diag", shape, _known(offset), 0, 1)


@rule("diagonal", "linalg.diagonal", dtype=same_dtype)
def _diagonal(a: Arguments) -> Value:
    first, second = (-2, -1) if a.name == "linalg.diagonal" else (a.static("axis1", 0), a.static("axis2", 1))
    offset = _known(a.size("offset", default=0))
    return None if None in (first, second) else diagonals(a.name, a.operand(), offset, first, second)


@rule("meshgrid", sequence=tuple, grows=True)
def _meshgrid(a: Arguments) -> Value:
    """NumPy flattens what it is given."""
    sizes = [size_dim(shape) for shape in members_of(a.get("xi")) or ()]
    sparse, indexing = a.flag("sparse"), a.static("indexing", "xy")
    if sparse is None or not isinstance(indexing, str):
        return [(None,) * len(sizes)] * len(sizes)
    return [grid(sizes, i, sparse, indexing) for i in range(len(sizes))]


@rule("rot90", dtype=same_dtype)
def _rot90(a: Arguments) -> Value:
    axes = as_sizes("rot90", "an axis", a.static("axes", (0, 1)) or UNKNOWN)
    return turned("rot90", a.operand(), _whole(a.size("k", default=1)), axes)


@rule("cross", "linalg.cross")
def _cross(a: Arguments) -> Value:
    """Of two vectors of 2 NumPy gives a number."""
    first, second = (a.operand(*names) for names in (("a", "x1"), ("b", "x2")))
    axis = a.static("axis", None if a.name == "cross" else -1)
    axes = [a.static(n, -1) if axis is None else axis for n in ("axisa", "axisb", "axisc")]
    if None in axes or () in (first, second):
        return None
    ranks = (None if s is None else len(s) for s in (first, second))
    places = [canonicalize_axis(a.name, axis, rank) for axis, rank in zip(axes, ranks)]
    x, y = (cross_part(a.name, s, place) for s, place in zip((first, second), places))
    numbers, vectors, is_vector = crossed(a.name, x, y, axes[2], a.name == "linalg.cross")
    return None if is_vector is None else vectors if is_vector else numbers


@rule("resize", dtype=same_dtype, grows=True)
def _resize(a: Arguments) -> Value:
    return resized("resize", a.sizes("new_shape"))
