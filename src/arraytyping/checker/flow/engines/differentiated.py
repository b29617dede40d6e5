"""Arrays that are differentiated: outside of `jit` they have values, and are tracers all the same.

`bool`, `int` and `.item()` of such a one are its value; `float` and NumPy's functions ask it for an array, and JAX
refuses.  Which arrays they are is known where every operation is traced by jax as it is interpreted (`Asker.live`).

Source: https://docs.jax.dev/en/latest/errors.html#jax.errors.TracerArrayConversionError.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from arraytyping.checker.flow.engines.asking import NeedsLive
from arraytyping.checker.flow.engines.numpy_values import walk_array_like
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ArrayValue, Value

__all__ = ["differentiated"]


def differentiated(it: Interpreter, values: Iterable[Value]) -> ArrayValue | None:
    """An array among values that is differentiated here; None if there is none.

    Raises:
        NeedsLive: if that is not known, and the derivative has to be followed live.
    """
    asker = getattr(it.engines, "asker", None)
    if not it.differentiating or asker is None or not asker.callbacks.bases:
        return None
    arrays = [v for value in values for v in walk_array_like(value) if isinstance(v, ArrayValue) and not v.traced]
    if not arrays:
        return None
    live = asker.callbacks.live
    if not live:
        raise NeedsLive
    private = it.engines.jax.private
    return next((a for a in arrays if a.real is not None and a.real[0] == live and _is_derived(private, a)), None)


def _is_derived(private: Any, array: ArrayValue) -> bool:
    """Whether the tracer of an array is one of differentiation."""
    return array.real is not None and private.primal_of(array.real[1]) is not None
