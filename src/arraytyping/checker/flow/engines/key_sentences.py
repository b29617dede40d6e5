"""What is wrong with the key that a function of `jax.random` is given, by the rule of its arguments."""

from __future__ import annotations

import inspect
from typing import Any, Final

from arraytyping.checker.flow.values import MISSING, ArrayValue, NumPyValue, Unknown, Value
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.avals import UNKNOWN, NumPyArray
from arraytyping.semantics.rules.errors import RuleError
from arraytyping.semantics.rules.random_arguments import one_key

__all__ = ["key_sentence"]

_MODULES: Final = ("jax._src.random", "jax.random")


def key_sentence(function: Any, args: list[Value], kwargs: dict[str, Value]) -> tuple[str, str] | None:
    """The code and the sentence for a key that is none; None if the function takes none, or it is one."""
    if not str(getattr(function, "__module__", "")).startswith(_MODULES):
        return None
    try:
        first = next(iter(inspect.signature(function).parameters), "")
    except (TypeError, ValueError) as error:
        swallow(error)
        return None
    key = args[0] if args else kwargs.get("key", MISSING)
    if first != "key" or key is MISSING:
        return None
    try:
        one_key(str(function.__name__), _given(key))
    except RuleError as error:
        return error.code, error.message
    return None


def _given(key: Value) -> Value:
    """What the rule knows of a value."""
    if isinstance(key, ArrayValue):
        return key.aval
    if isinstance(key, NumPyValue):
        return NumPyArray(key.shape, key.dtype)
    return UNKNOWN if isinstance(key, Unknown) else key
