"""Arrays as text.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.Array.html: `Array([1., 2.], dtype=float32)`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arraytyping.core import Tracer
from arraytyping.interface.host import concrete, value_of
from arraytyping.interface.installing import method
from arraytyping.jaxpr.syntax import short_aval

__all__: list[str] = []


def _tracer_text(x: Any) -> str:
    return f"{type(x).__name__}<{short_aval(x.aval)}>"


@method("__repr__")
def representation(x: Any) -> str:
    """The values, dtype and weak type; of a tracer its abstract value."""
    if isinstance(x, Tracer):
        return _tracer_text(x)
    try:
        values = value_of(x, TypeError, "", "")
    except RuntimeError:
        return f"Array(shape={x.shape}, dtype={x.dtype.name}, deleted)"
    ending = f"dtype={x.aval.dtype}{', weak_type=True' if x.weak_type else ''})"
    if not values.size:
        return f"Array([], shape={x.shape}, {ending}"
    text = np.array2string(values, separator=", ", prefix="Array(", suffix=",")
    last = text.rsplit("\n", 1)[-1]
    wide = len(last) + (0 if "\n" in text else len("Array(")) + len(ending) + 2 > np.get_printoptions()["linewidth"]
    return f"Array({text},{chr(10) + ' ' * 6 if wide else ' '}{ending}"


@method("__str__")
def text(x: Any) -> str:
    """The values, as NumPy writes them."""
    found = concrete(x)
    return _tracer_text(x) if found is None or isinstance(x, Tracer) else str(value_of(x, TypeError, "", ""))


@method("__format__")
def formatted(x: Any, spec: str) -> str:
    """An array of one element as its number, by a format; others as their text."""
    if x.shape == () and not isinstance(x, Tracer):
        return format(value_of(x, TypeError, "", "")[()], spec)
    if spec:
        raise TypeError(f"unsupported format string passed to {type(x).__name__}.__format__ of shape {x.shape}: {spec!r}")
    return str(x)
