"""`jax.nn.initializers` where a size has a name only: what jax makes by a decomposition cannot be asked then.

Source: https://docs.jax.dev/en/latest/jax.nn.initializers.html.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import Value
from arraytyping.checker.flow.values.calls import Call


@handles("jax.nn.initializers.orthogonal")
def _orthogonal(it: Interpreter, call: Call) -> Value:
    """An initializer; it draws a square matrix of the greater size, which must be a number to jax."""
    jax = it.engines.jax
    made = it.engines.call(it, jax.jax.nn.initializers.orthogonal, call)
    if not inspect.isfunction(made):
        return made
    return _of_any_size(made, jax.is_symbolic, jax.jax.numpy.zeros)


def _of_any_size(
    initializer: Callable[..., Any], is_symbolic: Callable[[Any], bool], zeros: Callable[..., Any]
) -> Callable[..., Any]:
    """The initializer, which gives zeros of the same shape and dtype where a size has a name only."""
    default = inspect.signature(initializer).parameters["dtype"].default

    @functools.wraps(initializer)
    def init(key: Any, shape: Sequence[Any], dtype: Any = default, *args: Any, **options: Any) -> Any:
        if args or options or len(shape) < 2 or not any(map(is_symbolic, shape)):
            return initializer(key, shape, dtype, *args, **options)
        return zeros(shape, dtype)

    return init
