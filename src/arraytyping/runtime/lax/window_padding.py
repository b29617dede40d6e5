"""The padding of windows, given by name or in numbers.

Source: `padtype_to_pads` of https://github.com/jax-ml/jax/blob/main/jax/_src/lax/lax.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["pads_of"]

Pads = tuple[tuple[int, int], ...]


def pads_of(padding: Any, sizes: Sequence[int], window: Sequence[int], strides: Sequence[int]) -> Pads:
    """The widths before and after each dimension, of a window of these sizes, dilated already."""
    if not isinstance(padding, str):
        return tuple((int(low), int(high)) for low, high in padding)
    if padding.upper() == "VALID":
        return ((0, 0),) * len(sizes)
    pads = []
    for size, reach, stride in zip(sizes, window, strides):
        width = max((-(-size // stride) - 1) * stride + reach - size, 0)
        less, more = width // 2, width - width // 2
        pads.append((less, more) if padding.upper() == "SAME" else (more, less))
    return tuple(pads)
