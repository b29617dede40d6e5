"""Contexts of parts of a program: names, which XLA's profiles show, and what is computed while it is traced.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.named_scope.html;
https://docs.jax.dev/en/latest/_autosummary/jax.ensure_compile_time_eval.html.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ParamSpec, TypeVar

from arraytyping.runtime.core import EVAL, Primitive, Trace, Tracer, current_trace, use_trace
from arraytyping.runtime.trace_state import STATE

__all__ = ["ensure_compile_time_eval", "named_call", "named_scope"]

P = ParamSpec("P")
R = TypeVar("R")


@contextlib.contextmanager
def _entered(name: str) -> Iterator[None]:
    before = STATE.scope
    STATE.scope = f"{before}/{name}" if before else name
    try:
        yield
    finally:
        STATE.scope = before


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


class _AtOnceTrace(Trace):
    """Evaluates what has no tracer among its operands, and hands on the rest."""

    __slots__ = ()

    def process(self, primitive: Primitive, args: Sequence[Any], params: dict[str, Any]) -> Any:
        parent = self.parent
        assert parent is not None
        with use_trace(parent if any(isinstance(a, Tracer) for a in args) else EVAL):
            return primitive.bind(*args, **params)


@contextlib.contextmanager
def ensure_compile_time_eval() -> Iterator[None]:
    """A context in which operations on concrete values are computed at once, also while a function is traced."""
    before = current_trace()
    with use_trace(before if before is EVAL else _AtOnceTrace(before)):
        yield
