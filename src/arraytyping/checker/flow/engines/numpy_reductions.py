"""The shapes of NumPy's reductions, and of what keeps a shape, where sizes are unknown."""

from __future__ import annotations

from arraytyping.checker.flow.engines.numpy_arguments import Arguments, rule, same_dtype
from arraytyping.checker.flow.engines.numpy_array_likes import shape_of
from arraytyping.checker.flow.engines.numpy_statics import members_of
from arraytyping.checker.flow.values import Value
from arraytyping.semantics.avals import Scalar, Shape
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes
from arraytyping.semantics.rules.shapes.creation import sizes_of
from arraytyping.semantics.rules.shapes.reductions import reduced, reduced_axes, traced
from arraytyping.semantics.rules.shapes.scans import differences, kept_or_raveled, lengthened
from arraytyping.semantics.rules.shapes.selecting import taken_along
from arraytyping.semantics.rules.sizes import is_empty
from arraytyping.semantics.sizes.dims import at_least

__all__: list[str] = []


def _axis(a: Arguments, shape: Shape | None) -> Value:
    """The axis or axes; an array of no dimensions has none, though NumPy's reductions take 0 and -1 for it."""
    axis = a.static("axis")
    known = axis if isinstance(axis, tuple) else (axis,)
    return () if shape == () and len(known) < 2 and all(a in (0, -1) or not isinstance(a, int) for a in known) else axis


@rule(
    "all", "any", "sum", "prod", "amax", "amin", "max", "min", "mean", "std", "var", "median", "ptp", "argmax",
    "argmin",
    "nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanstd", "nanvar", "nanmedian", "nanargmax", "nanargmin",
    "linalg.norm", "linalg.vector_norm",
)  # fmt: skip
def _reduce(a: Arguments) -> Value:
    shape = a.operand()
    if a.name == "linalg.norm" and "ord" in a and a.operand("ord") != ():
        return None
    return reduced(a.name, shape, _axis(a, shape), a.flag("keepdims"))


@rule("count_nonzero")
def _count_nonzero(a: Arguments) -> Value:
    import numpy as np

    # Older releases give a Python int.
    if a.get("axis") is None and a.flag("keepdims") is False and isinstance(np.count_nonzero(np.ones(1)), int):
        return int
    return _reduce(a)


@rule("average")
def _average(a: Arguments) -> Value:
    found, pair = _reduce(a), a.flag("returned")
    return None if pair is None else [found, found] if pair else found


@rule("percentile", "quantile", "nanpercentile", "nanquantile")
def _quantile(a: Arguments) -> Value:
    left, first = _reduce(a), a.operand("q")
    if a.name.startswith("nan") and first is not None and len(first) > 1:
        return None  # whose dimensions NumPy mixes with the others
    if a.name.startswith("nan") and (empty := is_empty(a.operand())) is not False:
        return left if empty else None  # of nothing NumPy gives one NaN, whatever is asked for
    return None if left is None or first is None else (*first, *left)


@rule("linalg.cond", "linalg.det", "linalg.matrix_rank", "linalg.matrix_norm", exception="LinAlgError")
def _matrices(a: Arguments) -> Value:
    shape = a.operand()
    if shape is not None and len(shape) < 2:
        return () if a.name == "linalg.matrix_rank" else None
    return reduced(a.name, shape, (-2, -1), a.flag("keepdims"))


@rule("trace", "linalg.trace")
def _trace(a: Arguments) -> Value:
    return traced(
        a.name, a.operand(), a.static("axis1", -2 * ("." in a.name)), a.static("axis2", 1 - 2 * ("." in a.name))
    )


@rule("sort", "argsort", "partition", "argpartition")
def _sorted(a: Arguments) -> Value:
    shape = a.operand()
    if shape == ():
        return (1,) if a.name.startswith("arg") or (a.get("axis") is None and "axis" in a.given) else None
    return kept_or_raveled(a.name, shape, a.axis(default=-1))


@rule(
    "flip", "fliplr", "flipud", "roll", "fft.fftshift", "fft.ifftshift", "i0", "isneginf", "isposinf", "unwrap",
    "linalg.inv", "linalg.cholesky", "linalg.matrix_power", "astype",
)  # fmt: skip
def _kept(a: Arguments) -> Value:
    shape = a.operand()
    axes = a.static("axis")
    for axis in axes if isinstance(axes, tuple) else () if axes is None else (axes,):
        canonicalize_axis(a.name, axis, None if shape is None else len(shape))
    return shape


@rule("tril", "triu", dtype=same_dtype)
def _triangle(a: Arguments) -> Value:
    """Of a vector NumPy makes the rows of a matrix."""
    shape = a.operand()
    return None if not shape else (*shape, *shape) if len(shape) == 1 else shape


@rule("cumsum", "cumprod", "nancumsum", "nancumprod")
def _cumulative(a: Arguments) -> Value:
    return kept_or_raveled(a.name, a.operand() or None if a.operand() != () else (1,), a.axis())


@rule("cumulative_sum", "cumulative_prod")
def _cumulative_new(a: Arguments) -> Value:
    shape = a.operand()
    return lengthened(a.name, (1,) if shape == () else shape, a.axis(), a.flag("include_initial"))


@rule("diff")
def _diff(a: Arguments) -> Value:
    before, after = ([shape_of(a.get(n))] if n in a else [] for n in ("prepend", "append"))
    return differences(
        "diff",
        a.operand(),
        times if isinstance(times := a.size("n", default=1), int) else None,
        a.axis(default=-1),
        before,
        after,
    )


@rule("searchsorted")
def _searchsorted(a: Arguments) -> Value:
    return a.operand("v")


@rule("digitize", "interp", "isin")
def _like_one(a: Arguments) -> Value:
    return a.operand({"isin": "element"}.get(a.name, "x"))


@rule("polyval")
def _polyval(a: Arguments) -> Value:
    """Each coefficient may be an array, which is broadcast with what it is a coefficient of."""
    coefficients, shape = a.operand("p"), a.operand("x")
    if coefficients is None or (len(coefficients) > 1 and not at_least(coefficients[0], 1)):
        return None
    return broadcast_shapes("polyval", shape, coefficients[1:])


@rule("trapezoid")
def _trapezoid(a: Arguments) -> Value:
    if "x" in a and len(a.operand("x") or (1, 1)) > 1:
        return None
    return reduced("trapezoid", a.operand("y"), a.axis(default=-1), False)


@rule("gradient")
def _gradient(a: Arguments) -> Value:
    shape, axis = a.operand("f"), a.static("axis")
    if shape is None:
        return None
    reduced_axes("gradient", axis, len(shape), named=False)
    if isinstance(axis, tuple):
        return shape if len(axis) == 1 else [shape] * len(axis)
    if isinstance(axis, int | Scalar) or (axis is None and len(shape) == 1):
        return shape
    return [shape] * len(shape) if axis is None else None


@rule("array_equal", "array_equiv", "allclose", "iscomplexobj", "isrealobj", "isscalar", "iterable")
def _bool(a: Arguments) -> Value:
    return bool


@rule("lexsort")
def _lexsort(a: Arguments) -> Value:
    """All keys have the same shape."""
    shapes = members_of(a.get("keys"))
    if shapes is None:
        keys = a.operand("keys")
        return keys[1:] if keys else None
    return next((s for s in shapes if s is not None), None)


@rule("take_along_axis")
def _take_along_axis(a: Arguments) -> Value:
    shape, indices, axis = a.operand("arr"), a.operand("indices"), a.axis(default=-1)
    return indices if axis is None else taken_along("take_along_axis", shape, indices, axis)


@rule("select", dtype=lambda a: None)
def _select(a: Arguments) -> Value:
    shapes = [a.operand("default")] if "default" in a else []
    for name in ("condlist", "choicelist"):
        found = members_of(a.get(name))
        if found is None:
            return None
        shapes += found
    return broadcast_shapes("select", *shapes)


@rule("ravel_multi_index")
def _ravel_multi_index(a: Arguments) -> Value:
    shapes = members_of(a.get("multi_index"))
    if shapes is None:
        indices = a.operand("multi_index")
        return indices[1:] if indices and at_least(indices[0], 1) else None
    return broadcast_shapes("ravel_multi_index", *shapes) if shapes else None


@rule("zeros_like", "ones_like", "empty_like", "full_like")
def _like(a: Arguments) -> Value:
    return sizes_of(a.name, a.sizes("shape")) if "shape" in a else a.operand()


@rule("copy", dtype=same_dtype)
def _copy(a: Arguments) -> Value:
    return a.operand()
