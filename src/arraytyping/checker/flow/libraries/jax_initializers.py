"""`jax.nn.initializers` of which shape and dtype are known without the decomposition that jax makes.

Where a size has a name only jax cannot be asked for it, and elsewhere it takes a tenth of a second to trace.
Source: https://docs.jax.dev/en/latest/jax.nn.initializers.html.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import NumPyValue, Value
from arraytyping.checker.flow.values.calls import Call

_FLOATS: Final = ("float32", "float64")
_MOST_ELEMENTS: Final = 2**31


@handles("jax.nn.initializers.orthogonal")
def _orthogonal(it: Interpreter, call: Call) -> Value:
    """An initializer; it draws a square matrix of the greater size, which must be a number to jax."""
    jax = it.engines.jax
    made = it.engines.call(it, jax.jax.nn.initializers.orthogonal, call)
    if not inspect.isfunction(made):
        return made
    scale, axis = call.argument(0, "scale", 1.0), call.argument(1, "column_axis", -1)
    is_number = type(scale) in (int, float) or (isinstance(scale, NumPyValue) and scale.is_scalar)
    return _without_decomposition(made, jax, axis if is_number and type(axis) is int else None)


def _without_decomposition(initializer: Callable[..., Any], jax: Any, axis: int | None) -> Callable[..., Any]:
    """The initializer, which in a trace gives zeros of the same shape and dtype.

    `axis` is the one whose columns are orthogonal, if nothing is the matter with the other options.
    """
    default = inspect.signature(initializer).parameters["dtype"].default

    @functools.wraps(initializer)
    def init(key: Any, shape: Sequence[Any], dtype: Any = default, *args: Any, **options: Any) -> Any:
        if args or options or len(shape) < 2:
            return initializer(key, shape, dtype, *args, **options)
        is_plain = axis is not None and -len(shape) <= axis < len(shape) and _are_common(shape)
        if any(map(jax.is_symbolic, shape)) or (is_plain and _is_taken(jax, key, dtype)):
            return jax.jax.numpy.zeros(shape, dtype)
        return initializer(key, shape, dtype)

    return init


def _are_common(shape: Sequence[Any]) -> bool:
    return all(type(size) is int and size > 0 for size in shape) and math.prod(shape) < _MOST_ELEMENTS


def _is_taken(jax: Any, key: Any, dtype: Any) -> bool:
    """Whether a draw with this key and dtype is one in a trace that jax does not refuse."""
    if not jax.private.is_of_jaxpr(jax.private.trace_of(key)):
        return False
    try:
        name = jax.jax.dtypes.canonicalize_dtype(float if dtype is None else dtype).name
    except TypeError:
        return False
    if jax.jax.dtypes.issubdtype(key.dtype, jax.jax.dtypes.prng_key):
        return bool(key.shape == () and name in _FLOATS)
    is_threefry = jax.config.jax_default_prng_impl == "threefry2x32"
    return bool(is_threefry and key.shape == (2,) and key.dtype == "uint32" and name in _FLOATS)
