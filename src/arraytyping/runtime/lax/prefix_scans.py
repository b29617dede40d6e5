"""A scan with an associative function of lists of arrays, in logarithmically many steps.

Source: G. Blelloch, "Prefix sums and their applications", 1990; as `jax.lax.associative_scan` does it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.arithmetic import add_p, constant_like
from arraytyping.runtime.lax.integers import bitwise_or_p
from arraytyping.runtime.lax.slicing import concatenate_p, pad_p, rev_p

__all__ = ["prefix_scan"]

Combine = Callable[[Sequence[Any], Sequence[Any]], Sequence[Any]]


def prefix_scan(combine: Combine, elements: Sequence[Any], axis: int, reverse: bool = False) -> list[Any]:
    """What `combine` makes of all elements up to each, along one dimension (from the end, if `reverse`)."""
    if reverse:
        elements = [rev_p.bind(e, dimensions=(axis,)) for e in elements]
    scanned = _scan(combine, list(elements), axis)
    return [rev_p.bind(e, dimensions=(axis,)) for e in scanned] if reverse else scanned


def _scan(combine: Combine, elements: list[Any], axis: int) -> list[Any]:
    n = elements[0].aval.shape[axis]
    if n < 2:
        return elements

    def part(arrays: Sequence[Any], start: int, stride: int, limit: int | None = None) -> list[Any]:
        return [slice_along(e, start, e.aval.shape[axis] if limit is None else limit, stride, axis) for e in arrays]

    odd = _scan(combine, list(combine(part(elements, 0, 2, n - 1), part(elements, 1, 2))), axis)
    before = part(odd, 0, 1, odd[0].aval.shape[axis] - 1) if n % 2 == 0 else odd
    rest = combine(before, part(elements, 2, 2)) if n > 2 else None
    even = part(elements, 0, 1, 1)
    if rest is not None:
        even = [concatenate_p.bind(first, r, dimension=axis) for first, r in zip(even, rest)]
    return [_interleaved(a, b, axis) for a, b in zip(even, odd)]


def _interleaved(a: Any, b: Any, axis: int) -> Any:
    """The elements of one and the other array by turns; the first may have one more."""
    rank = len(a.aval.shape)
    more = a.aval.shape[axis] - b.aval.shape[axis]

    def spread(x: Any, low: int, high: int) -> Any:
        config = tuple((low, high, 1) if d == axis else (0, 0, 0) for d in range(rank))
        return pad_p.bind(x, constant_like(x, 0), padding_config=config)

    put = bitwise_or_p if a.aval.dtype == "bool" else add_p
    return put.bind(spread(a, 0, 1 - more), spread(b, 1, more))
