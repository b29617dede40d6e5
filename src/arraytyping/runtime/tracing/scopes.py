"""Names of parts of a program, which XLA's profiles show: `named_scope` and `named_call`.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.named_scope.html.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import ParamSpec, TypeVar

from arraytyping.runtime.core import _state

__all__ = ["named_call", "named_scope"]

P = ParamSpec("P")
R = TypeVar("R")


@contextlib.contextmanager
def _entered(name: str) -> Iterator[None]:
    before = _state.scope
    _state.scope = f"{before}/{name}" if before else name
    try:
        yield
    finally:
        _state.scope = before


def named_scope(name: str) -> contextlib._GeneratorContextManager[None]:
    """A context, and a decorator, in which equations are recorded under a name, within those of scopes around it.

    Raises:
        TypeError: for a name that is no string.
    """
    if not isinstance(name, str):
        raise TypeError(f"named_scope name argument must be a string, got {name!r:.40}")
    return _entered(name)


def named_call(fun: Callable[P, R], *, name: str | None = None) -> Callable[P, R]:
    """The function in a scope of this name, or its own."""
    return named_scope(fun.__name__ if name is None else name)(fun)
