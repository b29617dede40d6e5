"""What is made with slices in brackets: `mgrid`, `ogrid`, `r_`, `c_`.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; https://numpy.org/doc/stable/reference/generated/numpy.r_.html.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from arraytyping import config
from arraytyping.errors import ConcretizationTypeError
from arraytyping.numpy.conversion import array
from arraytyping.numpy.joining import concatenate, stack
from arraytyping.numpy.permuting import transpose
from arraytyping.numpy.promoting import promoted
from arraytyping.numpy.ranges import arange, linspace, meshgrid
from arraytyping.numpy.reshaping import expand_dims
from arraytyping.runtime.core import Tracer

__all__ = ["c_", "mgrid", "ogrid", "r_"]


def _range(s: slice, name: str) -> Any:
    """What a slice stands for: a range, or as many numbers as an imaginary step says."""
    for part in (s.start, s.stop, s.step):
        if isinstance(part, Tracer):
            raise ConcretizationTypeError(f"{name}: the parts of a slice must be known when the program is traced")
    start, stop, step = s.start or 0, s.stop, s.step or 1
    if np.iscomplex(step):
        return linspace(start, stop, int(abs(step)))
    return arange(start, stop, step)


class _Mesh:
    """Makes coordinates of all points of a grid; `sparse`: each in its own dimension alone."""

    def __init__(self, name: str, sparse: bool) -> None:
        self._name = name
        self._sparse = sparse

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return _range(key, self._name)
        axes = [_range(k, self._name) for k in key]
        with config.numpy_dtype_promotion("standard"):  # an imaginary step makes floats, of which nobody asked for
            one_type = promoted(*axes) if axes else []
        found = meshgrid(*one_type, indexing="ij", sparse=self._sparse)
        if self._sparse:
            return found
        return stack(found, 0) if found else arange(0)


class _Joined:
    """Joins arrays, numbers and ranges along an axis; a text that comes first says along which, and of how many."""

    def __init__(self, name: str, axis: int, ndmin: int, place: int) -> None:
        self._name = name
        self._defaults = (axis, ndmin, place)

    def __len__(self) -> int:
        return 0

    def __getitem__(self, key: Any) -> Any:
        items = key if isinstance(key, tuple) else (key,)
        axis, ndmin, place = self._defaults
        matrix: int | None = None
        if isinstance(items[0], str):
            directive, *items = items  # type: ignore[assignment]
            if directive in ("r", "c"):
                matrix = "rc".index(directive)
            else:
                axis, ndmin, place = self._numbers(directive)
        result = concatenate([self._part(item, ndmin, place) for item in items], axis=axis)
        return expand_dims(result, matrix) if matrix is not None and result.ndim == 1 else result

    def _numbers(self, directive: str) -> tuple[int, int, int]:
        given = directive.split(",")[:3]
        try:
            numbers = tuple(map(int, given))
        except ValueError:
            raise ValueError(f"{self._name}: could not understand directive {directive!r}") from None
        return (*numbers, *self._defaults[len(numbers) :])  # type: ignore[return-value]

    def _part(self, item: Any, ndmin: int, place: int) -> Any:
        if isinstance(item, str):
            raise ValueError(f"{self._name}: a string directive must be placed at the beginning, got {item!r} after it")
        made = _range(item, self._name) if isinstance(item, slice) else array(item)
        own = 0 if isinstance(item, slice) else made.ndim
        part = array(made, ndmin=ndmin)
        if place != -1 and ndmin > own:
            axes = list(range(ndmin))
            shift = ndmin - abs(ndmin + place + 1) % ndmin
            part = transpose(part, axes[shift:] + axes[:shift])
        return part


mgrid: Final = _Mesh("mgrid", sparse=False)
ogrid: Final = _Mesh("ogrid", sparse=True)
r_: Final = _Joined("r_", 0, 1, -1)
c_: Final = _Joined("c_", -1, 2, 0)
