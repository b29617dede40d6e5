"""Arrays as text.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.Array.html: `Array([1., 2.], dtype=float32)`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arraytyping.runtime.core import Tracer
from arraytyping.runtime.interface.host import concrete, value_of
from arraytyping.runtime.interface.installing import method
from arraytyping.runtime.jaxpr.syntax import short_aval

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
    ending = f"dtype={x.aval.dtype}{', weak_type=True' if x.weak_type else ''}"
    width = np.get_printoptions()["linewidth"]
    if values.size:
        shown = np.array2string(values, prefix="Array(", suffix=",", separator=", ", max_line_width=width)
    else:
        shown = f"[], shape={x.shape}"
    last_line = len(shown) - shown.rfind("\n") + 1
    gap = " " * (len("Array(") if last_line + len(ending) + 2 > width else 1)
    return f"Array({shown},{gap}{ending})"


@method("__str__")
def text(x: Any) -> str:
    """The values, as NumPy writes them."""
    found = concrete(x)
    return _tracer_text(x) if found is None or isinstance(x, Tracer) else str(value_of(x, TypeError, "", ""))


@method("__format__")
def formatted(x: Any, spec: str) -> str:
    """A number by a format, other arrays as their text.

    Raises:
        TypeError: for a format where there is no number.
    """
    if isinstance(x, Tracer):
        if spec:
            raise TypeError(
                f"a tracer of {x.aval} has no value to be formatted by {spec!r}; use it outside of the function"
            )
        return _tracer_text(x)
    values = value_of(x, TypeError, "", "")
    return format(values if x.ndim else values[()], spec)
