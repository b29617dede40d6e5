"""Functions of `jax.numpy` that take arrays of keys too: `stack`, `concatenate`, `where`, on their bits.

Source: https://docs.jax.dev/en/latest/jep/9263-typed-keys.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arraytyping import numpy
from arraytyping.random.key_arrays import PRNGKeyArray
from arraytyping.runtime.calling import ON_KEYS

__all__: list[str] = []


def _bits(keys: Sequence[Any]) -> list[Any] | None:
    """The bits of arrays of keys; None if one of them is something else."""
    if not all(isinstance(k, PRNGKeyArray) for k in keys):
        return None
    if len({k.dtype for k in keys}) > 1:
        raise TypeError(f"keys of one implementation go together, got {', '.join(str(k.dtype) for k in keys)}")
    return [k._base_array for k in keys]


def _axis(axis: int, ndim: int) -> int:
    """The axis from the front, as if there were no dimension of bits."""
    if not -ndim <= axis < ndim:
        raise ValueError(f"axis {axis} is out of bounds for keys of {ndim} dimensions")
    return axis % ndim


def stack(arrays: Any, axis: int = 0, out: None = None, dtype: Any = None) -> Any:
    """Keys along a new axis."""
    bits = _bits(arrays)
    if bits is None or dtype is not None:
        return NotImplemented
    return arrays[0]._with(numpy.stack(bits, _axis(axis, arrays[0].ndim + 1)))


def concatenate(arrays: Any, axis: int | None = 0, dtype: Any = None) -> Any:
    """Keys along an axis that there is."""
    if axis is None and all(isinstance(k, PRNGKeyArray) for k in arrays):
        arrays, axis = [k.ravel() for k in arrays], 0
    bits = _bits(arrays)
    if bits is None or dtype is not None or axis is None:
        return NotImplemented
    return arrays[0]._with(numpy.concatenate(bits, _axis(axis, arrays[0].ndim)))


def where(condition: Any, x: Any = None, y: Any = None, /, *, size: Any = None, fill_value: Any = None) -> Any:
    """Keys of the one array where a condition holds, of the other elsewhere."""
    bits = _bits((x, y))
    if bits is None or isinstance(condition, PRNGKeyArray):
        return NotImplemented
    return x._with(numpy.where(numpy.expand_dims(condition, -1), *bits))


ON_KEYS.update({"numpy.stack": stack, "numpy.concatenate": concatenate, "numpy.where": where})
