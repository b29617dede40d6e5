"""Windows of signals: vectors of a size, of the default floats.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/window_functions.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import UNKNOWN, Dim, Scalar, ShapedArray
from arraytyping.semantics.rules.compositions import on_abstract_values
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import RuleError, ShapeError
from arraytyping.semantics.rules.static_arguments import as_size
from arraytyping.semantics.rules.table import register, rule
from arraytyping.semantics.sizes.dims import at_least

__all__: list[str] = []


def _size(operation: str, value: Any) -> Dim:
    """The size of a window; of a float or a text Python makes an integer."""
    if isinstance(value, float | str):
        try:
            value = int(value)
        except ValueError:
            raise RuleError(f"{operation}: the size M is an integer, got {value!r}; give an int", ValueError) from None
    size = None if isinstance(value, Scalar) else as_size(operation, "the size M", value)
    if isinstance(size, int) and size < 0:
        raise ShapeError(f"{operation}: the size M must not be negative, got {size}")
    return size


def _of_size(name: str) -> None:
    def window(cx: Context, M: Any) -> ShapedArray:
        return ShapedArray((_size(name, M),), cx.default("float"), False)

    window.__doc__ = f"`jax.numpy.{name}`."
    register(f"numpy.{name}", window)


for _name in ("bartlett", "blackman", "hamming", "hanning"):
    _of_size(_name)


@rule("numpy.kaiser")
def kaiser(cx: Context, M: Any, beta: Any) -> Any:
    """`jax.numpy.kaiser`: of more than one item, in the dtype that goes with `beta`."""
    size = _size("kaiser", M)
    ops = on_abstract_values(cx)
    places = ShapedArray((size,), cx.default("float"), False)
    if isinstance(size, int) and size <= 1:
        return places
    if not at_least(size, 2):
        return UNKNOWN
    scaled = ops("numpy.i0", ops("Array.__mul__", places, beta))
    return ops("numpy.true_divide", scaled, ops("numpy.i0", beta))
