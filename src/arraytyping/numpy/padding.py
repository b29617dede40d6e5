"""Padding: constants, repeated edges, reflections, ramps and statistics around an array.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.pad.html; `_pad` of `jax/_src/numpy/lax_numpy.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from arraytyping.basearray import Array
from arraytyping.errors import ConcretizationTypeError
from arraytyping.numpy.axes import known_values, several, without_axes
from arraytyping.numpy.promoting import kind_of
from arraytyping.numpy.stretching import repeated
from arraytyping.runtime.array_likes import array_from, convert_to
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.arithmetic import constant_like, mul_p, sub_p
from arraytyping.runtime.lax.slicing import concatenate_p, pad_p, rev_p
from arraytyping.runtime.lax.structure import reshape

__all__ = ["pad"]

Pairs = tuple[tuple[Any, Any], ...]


def _known(value: Any, name: str) -> Any:
    """Nested values with Python scalars in place of arrays.

    Raises:
        ConcretizationTypeError: for a tracer.
    """
    if several(value):
        return [_known(v, name) for v in value]
    if hasattr(value, "__jax_array__"):
        value = value.__jax_array__()
    if isinstance(value, Array):
        known = known_values(value)
        if known is None:
            raise ConcretizationTypeError(f"pad: {name} must be known, got a tracer of {value.aval}")
        return known.tolist()
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def _pairs(values: Any, rank: int, name: str) -> Pairs:
    """A pair for each axis: of one value, of a pair, or of all pairs.

    Raises:
        TypeError: if entries differ in length.
        ValueError: if there are not as many.
    """
    try:
        shape = np.shape(values)
    except ValueError:
        raise TypeError(f"pad: entries of {name} differ in length; give a pair for each dimension") from None
    if shape == (rank, 2):
        return tuple((low, high) for low, high in values)
    if shape in ((1, 2), (2,), (1,), ()):
        flat = np.asarray(values, dtype=object).ravel().tolist()
        return ((flat[0], flat[-1]),) * rank
    raise ValueError(
        f"pad: {name} of shape {shape} does not go with an array of {rank} dimensions; give one value, a pair, or "
        "a pair for each dimension"
    )


def _joined(parts: list[Any], axis: int) -> Any:
    return parts[0] if len(parts) == 1 else concatenate_p.bind(*parts, dimension=axis)


def _constant(x: Any, widths: Pairs, values: Any) -> Any:
    values = convert_to(values, x.aval.dtype, bool(x.aval.weak_type))
    shape, rank = values.aval.shape, len(x.aval.shape)
    if shape in ((), (1,)):
        return pad_p.bind(x, reshape(values, ()), padding_config=tuple((*w, 0) for w in widths))
    if len(shape) > 2 or shape[-1] not in (1, 2):
        raise ValueError(
            f"pad: constant_values of shape {shape} do not go with an array of {rank} dimensions; give one value, "
            "a pair, or a pair for each dimension"
        )
    from arraytyping.numpy.stretching import broadcast_to

    each = broadcast_to(values, (rank, 2))
    for axis, (low, high) in enumerate(widths):
        for side, width in enumerate((low, high)):
            value = reshape(slice_along(slice_along(each, axis, axis + 1), side, side + 1, axis=1), ())
            none = [(0, 0, 0)] * rank
            none[axis] = (0, width, 0) if side else (width, 0, 0)
            x = pad_p.bind(x, value, padding_config=tuple(none)) if width else x
    return x


def _wrap(x: Any, widths: Pairs) -> Any:
    for axis, (low, high) in enumerate(widths):
        size = x.aval.shape[axis]
        if not size:
            continue
        parts = [x] * (low // size + high // size + 1)
        if low % size:
            parts.insert(0, slice_along(x, size - low % size, size, axis=axis))
        if high % size:
            parts.append(slice_along(x, 0, high % size, axis=axis))
        x = _joined(parts, axis)
    return x


def _mirrored(x: Any, width: int, axis: int, size: int, skipped: int, odd: bool, before: bool) -> Any:
    """The array with its reflection on one side, as often as needed; `skipped` elements are not repeated."""
    n = x.aval.shape[axis]
    edge = slice_along(x, 0, 1, axis=axis) if before else slice_along(x, n - 1, n, axis=axis)
    while width > 0:
        now = min(width, size - skipped)
        width -= now
        n = x.aval.shape[axis]
        start = skipped if before else n - now - skipped
        part = rev_p.bind(slice_along(x, start, start + now, axis=axis), dimensions=(axis,))
        if odd:
            twice = mul_p.bind(constant_like(edge, 2), edge)
            shape = part.aval.shape
            part = sub_p.bind(repeated(twice, shape[axis], axis), part)
            if size > 1:
                edge = slice_along(part, 0, 1, axis=axis) if before else slice_along(part, now - 1, now, axis=axis)
        x = concatenate_p.bind(*((part, x) if before else (x, part)), dimension=axis)
    return x


def _reflect(x: Any, widths: Pairs, symmetric: bool, odd: bool) -> Any:
    for axis, (low, high) in enumerate(widths):
        size = x.aval.shape[axis]
        skipped = 0 if symmetric or size == 1 else 1
        for width, before in ((low, True), (high, False)):
            if size and width:
                x = _mirrored(x, width, axis, size, skipped, odd, before)
    return x


def _edge(x: Any, widths: Pairs) -> Any:
    for axis, (low, high) in enumerate(widths):
        size = x.aval.shape[axis]
        if size:
            first, last = slice_along(x, 0, 1, axis=axis), slice_along(x, size - 1, size, axis=axis)
            x = _joined([repeated(first, low, axis), x, repeated(last, high, axis)], axis)
    return x


def _ramp(x: Any, widths: Pairs, ends: Pairs) -> Any:
    from arraytyping.numpy.ranges import linspace

    dtype, weak = x.aval.dtype, bool(x.aval.weak_type)
    for axis, ((low, high), (start, stop)) in enumerate(zip(widths, ends)):
        size = x.aval.shape[axis]
        edges = slice_along(x, 0, 1, axis=axis), slice_along(x, size - 1, size, axis=axis)
        first, last = (without_axes(e, (axis,)) for e in edges)
        before = linspace(start, first, low, endpoint=False, dtype=dtype, axis=axis)
        after = linspace(stop, last, high, endpoint=False, dtype=dtype, axis=axis)
        after = rev_p.bind(after, dimensions=(axis,))
        x = _joined([convert_to(before, dtype, weak), x, convert_to(after, dtype, weak)], axis)
    return x


def _statistic(x: Any, widths: Pairs, lengths: Pairs | None, of: Callable[..., Any]) -> Any:
    from arraytyping.numpy.rounding import round as rounded

    dtype, weak, is_integer = x.aval.dtype, bool(x.aval.weak_type), kind_of(x) in "iu"
    for axis, (low, high) in enumerate(widths):
        size = x.aval.shape[axis]
        if lengths is None:
            parts = [of(x, axis=axis, keepdims=True)] * 2
        else:
            if 0 in lengths[axis]:
                raise ValueError("pad: a stat_length of 0 yields no value for padding")
            left, right = (min(n, size) for n in lengths[axis])
            seen = slice_along(x, 0, left, axis=axis), slice_along(x, size - right, size, axis=axis)
            parts = [of(part, axis=axis, keepdims=True) for part in seen]
        parts = [convert_to(rounded(p) if is_integer else p, dtype, weak) for p in parts]
        x = _joined([repeated(parts[0], low, axis), x, repeated(parts[1], high, axis)], axis)
    return x


def _empty(x: Any, widths: Pairs) -> Any:
    return pad_p.bind(x, constant_like(x, 0), padding_config=tuple((*w, 0) for w in widths))


@operation("numpy.pad", "array", "constant_values")
def _pad(
    array: Any, pad_width: Any, mode: str = "constant", *, constant_values: Any = 0, end_values: Any = 0,
    stat_length: Any = None, reflect_type: str = "even",
) -> Any:  # fmt: skip
    from arraytyping.numpy.means import mean
    from arraytyping.numpy.quantiles import median
    from arraytyping.numpy.reductions import amax, amin

    rank = len(array.aval.shape)
    if not rank:
        return array
    widths = _pairs(pad_width, rank, "pad_width")
    if mode == "constant":
        return _constant(array, widths, array_from(constant_values))
    if mode == "wrap":
        return _wrap(array, widths)
    if mode in ("reflect", "symmetric"):
        return _reflect(array, widths, mode == "symmetric", reflect_type == "odd")
    if mode == "edge":
        return _edge(array, widths)
    if mode == "linear_ramp":
        return _ramp(array, widths, _pairs(end_values, rank, "end_values"))
    if mode == "empty":
        return _empty(array, widths)
    statistic = {"maximum": amax, "minimum": amin, "mean": mean, "median": median}[mode]
    return _statistic(
        array, widths, None if stat_length is None else _pairs(stat_length, rank, "stat_length"), statistic
    )


def pad(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
    """The array with more elements before and behind along each axis: `jax.numpy.pad`.

    The mode may be a function of a padded vector, the widths, the axis and the other arguments that returns the vector.
    """
    if isinstance(pad_width, dict):
        raise TypeError("pad: pad_width is an integer, a pair, or a pair for each dimension, got a dict")
    pad_width = _known(pad_width, "pad_width")
    if callable(mode):
        from arraytyping.numpy.vectorizing import apply_along_axis

        result = _pad(array, pad_width)
        rank = len(result.aval.shape)
        widths = _pairs(pad_width, rank, "pad_width")
        for axis in range(rank):
            result = apply_along_axis(mode, axis, result, widths[axis], axis, kwargs)
        return result
    for name in ("end_values", "stat_length"):
        if name in kwargs:
            kwargs[name] = _known(kwargs[name], name)
    if isinstance(kwargs.get("constant_values"), tuple | list):
        from arraytyping.numpy.conversion import asarray

        kwargs["constant_values"] = asarray(kwargs["constant_values"])
    return _pad(array, pad_width, mode, **kwargs)
