"""The same program on jax and on this runtime: what it gives, or what it raises, compared."""

from __future__ import annotations

import builtins
import functools
import json
import warnings
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from answers import asked

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
    return _is_raised_like(ours, _kinds(theirs))


def _kinds(error: Exception) -> list[str]:
    """The name of an exception's class, and that of the nearest builtin class."""
    return [type(error).__name__, next((c.__name__ for c in type(error).__mro__ if c.__name__ in _SHARED), "Exception")]


def _is_raised_like(ours: Any, kinds: list[str]) -> bool:
    if not isinstance(ours, Exception):
        return False
    own, builtin = kinds
    if own.startswith(("Tracer", "Concretization", "NonConcrete", "UnexpectedTracer")):
        return own in {c.__name__ for c in type(ours).__mro__}
    return isinstance(ours, getattr(builtins, builtin))


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
    """Run a program `program(framework, numpy)` on both; None if they agree, else what differs.

    What jax gives or raises is kept (tests/answers.py).
    """
    ours = outcome(program, OURS)
    is_x64 = bool(jax.config.jax_enable_x64)  # type: ignore[attr-defined]
    theirs = json.loads(bytes(asked(functools.partial(_told_by_jax, program, is_x64)).values).decode())
    if "raises" in theirs:
        if _is_raised_like(ours, theirs["raises"]):
            return None
        return f"JAX raises {theirs['raises'][0]}: {theirs['text']}; ours: {ours!r:.200}"
    if isinstance(ours, Exception):
        return f"ours raises {type(ours).__name__}: {str(ours)[:200]}; JAX gives {theirs['text']}"
    if json.loads(json.dumps(described(ours))) == theirs["gives"]:
        return None
    return f"ours: {ours!r:.200}; JAX: {theirs['text']}"


def _told_by_jax(program: Callable[..., Any], _: bool) -> Any:
    """What jax gives or raises, as an array that can be kept; with x64 it is another question."""
    found = outcome(program, THEIRS)
    if isinstance(found, Exception):
        told = {"raises": _kinds(found), "text": str(found)[:120]}
    else:
        told = {"gives": described(found), "text": f"{found!r:.200}"}
    return np.frombuffer(json.dumps(told).encode(), np.uint8)
