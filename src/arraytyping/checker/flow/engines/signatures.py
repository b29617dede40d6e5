"""The signatures of callables, which libraries look at: JAX finds places of arguments by them."""

from __future__ import annotations

import functools
import inspect
from typing import Any, Final

from arraytyping.checker.flow.values import (
    MISSING,
    BaseValue,
    BoundMethod,
    FunctionValue,
    HandlerValue,
    JitValue,
    PartialValue,
    Value,
)

__all__ = ["FILLED_IN", "has_unknown_signature", "signature_of"]

_SAME: Final = frozenset(
    {"custom_jvp", "custom_vjp", "checkpoint", "remat", "vmap", "pmap", "grad", "value_and_grad", "jacfwd", "jacrev"}
    | {"jacobian", "hessian"}
)
"""Transformations of JAX, which keep the signature (`functools.wraps`)."""
FILLED_IN: Final = "filled in"
"""The name of the handler of a function whose arguments a library fills in, which keeps the signature as well."""


def has_unknown_signature(function: Value) -> bool:
    """Whether a library that looks at the signature of a callable sees another one than in a run."""
    return signature_of(function) is None


def signature_of(function: Value) -> inspect.Signature | None:
    """The parameters of a callable of the program, as `inspect.signature` gives them; None if that is not known."""
    if not isinstance(function, BaseValue):
        return _of_library(function)
    if isinstance(function, JitValue):
        return signature_of(function.function)
    if isinstance(function, HandlerValue):
        is_same = function.name in _SAME or function.name == FILLED_IN
        return signature_of(function.wraps[0]) if is_same and len(function.wraps) == 1 else None
    if isinstance(function, BoundMethod):
        inner = signature_of(function.function)
        return None if inner is None else _without_first(inner)
    if isinstance(function, PartialValue):
        inner = signature_of(function.function)
        return None if inner is None else _of_partial(inner, function)
    if not isinstance(function, FunctionValue):
        return None
    if "__wrapped__" in function.attributes:
        return signature_of(function.attributes["__wrapped__"])
    return _of_function(function)


def _of_library(function: Any) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None


def _of_function(function: FunctionValue) -> inspect.Signature | None:
    spec = function.node.args
    positional = [*spec.posonlyargs, *spec.args]
    first = len(positional) - len(function.defaults)
    kind = inspect.Parameter
    parameters = []
    for i, p in enumerate(positional):
        default = function.defaults[i - first] if i >= first else kind.empty
        how = kind.POSITIONAL_ONLY if i < len(spec.posonlyargs) else kind.POSITIONAL_OR_KEYWORD
        parameters.append(kind(p.arg, how, default=default))
    if spec.vararg is not None:
        parameters.append(kind(spec.vararg.arg, kind.VAR_POSITIONAL))
    for p, default in zip(spec.kwonlyargs, function.kw_defaults):
        parameters.append(kind(p.arg, kind.KEYWORD_ONLY, default=kind.empty if default is MISSING else default))
    if spec.kwarg is not None:
        parameters.append(kind(spec.kwarg.arg, kind.VAR_KEYWORD))
    try:
        return inspect.Signature(parameters)
    except ValueError:
        return None


def _without_first(signature: inspect.Signature) -> inspect.Signature:
    """That of a method that is bound to its receiver."""
    parameters = list(signature.parameters.values())
    if parameters and parameters[0].kind is not inspect.Parameter.VAR_POSITIONAL:
        parameters = parameters[1:]
    return signature.replace(parameters=parameters)


def _of_partial(signature: inspect.Signature, function: PartialValue) -> inspect.Signature | None:
    def stands_for_it() -> None:
        """Has the signature, and is never called."""

    stands_for_it.__signature__ = signature  # type: ignore[attr-defined]
    try:
        return inspect.signature(functools.partial(stands_for_it, *function.args, **function.kwargs))
    except (TypeError, ValueError):  # the arguments do not fit
        return None
