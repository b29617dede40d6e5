"""The same program on jax and on this runtime: what it gives, or what it raises, compared."""

from __future__ import annotations

import builtins
import warnings
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import arraytyping
import arraytyping.numpy as anp

__all__ = ["OURS", "THEIRS", "check_same", "described", "outcome", "raised_like"]

OURS: Any = (arraytyping, anp)
THEIRS: Any = (jax, jnp)
"""A framework and its module of NumPy's functions."""

_SHARED = {name for name, value in vars(builtins).items() if isinstance(value, type)}
_SHARED -= {"object", "BaseException", "Exception"}


def outcome(program: Callable[..., Any], framework: Any) -> Any:
    """What a program gives on a framework, or the exception that it raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return program(*framework)
        except Exception as error:
            return error


def raised_like(ours: Any, theirs: Exception) -> bool:
    """Whether ours is an exception of the builtin class that theirs is, and of JAX's own class by name."""
    if not isinstance(ours, Exception):
        return False
    own = type(theirs).__name__
    if own.startswith(("Tracer", "Concretization", "NonConcrete", "UnexpectedTracer")):
        return own in {c.__name__ for c in type(ours).__mro__}
    wanted = next((c for c in type(theirs).__mro__ if c.__name__ in _SHARED), Exception)
    return isinstance(ours, wanted)


def described(value: Any) -> Any:
    """What is compared of a result: text, dtype and values of arrays, and of what holds them."""
    if isinstance(value, tuple | list):
        return [described(v) for v in value]
    if isinstance(value, dict):
        return {k: described(v) for k, v in value.items()}
    if isinstance(value, arraytyping.Array | jax.Array):
        return repr(value), str(value.dtype), bool(value.weak_type)  # type: ignore[union-attr]
    if isinstance(value, np.ndarray):
        return repr(value), str(value.dtype), value.flags.writeable
    return repr(value)


def check_same(program: Callable[..., Any]) -> str | None:
    """Run a program `program(framework, numpy)` on both; None if they agree, else what differs."""
    ours, theirs = outcome(program, OURS), outcome(program, THEIRS)
    if isinstance(theirs, Exception):
        if raised_like(ours, theirs):
            return None
        return f"JAX raises {type(theirs).__name__}: {str(theirs)[:120]}; ours: {ours!r:.200}"
    if isinstance(ours, Exception):
        return f"ours raises {type(ours).__name__}: {str(ours)[:200]}; JAX gives {theirs!r:.120}"
    if described(ours) == described(theirs):
        return None
    return f"ours: {ours!r:.200}; JAX: {theirs!r:.200}"
