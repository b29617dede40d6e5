"""`jax.jit` and `jax.checkpoint`, which are interpreted here.

Source: https://docs.jax.dev/en/latest/jax.html, just-in-time compilation.
"""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.python.functions import parameters
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.syntax.static_arguments import constants
from arraytyping.checker.flow.values import (
    MISSING,
    BoundMethod,
    FunctionValue,
    HandlerValue,
    JitValue,
    PartialValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.calls import Call

__all__ = ["jitted", "named"]


def named(args: list[Value], kwargs: dict[str, Value], *names: str) -> dict[str, Any]:
    """The arguments by name."""
    return {**dict(zip(names, args)), **kwargs}


@handles("jax.jit")
def _jit(it: Interpreter, call: Call) -> Value:
    options = call.named("fun")
    function = options.pop("fun", MISSING)
    if function is MISSING:
        return HandlerValue("jit", lambda i, call: _jit(i, call.with_kwargs({**options, **call.kwargs})))
    return jitted(it, function, options, call.node)


def jitted(it: Interpreter, function: Value, options: dict[str, Value], node: ast.AST | None) -> Value:
    """`jax.jit(function, **options)`."""
    if isinstance(function, Unknown):
        return function
    _check_static(it, function, options, node)
    line = getattr(node, "lineno", 0)
    return JitValue(function, options, compiles=True, origin=(it.frame.module.shown, line) if line else None)


def _check_static(it: Interpreter, function: Value, options: dict[str, Value], node: ast.AST | None) -> None:
    """Names and numbers of static or donated arguments must be those of parameters."""
    inner, shift, taken = function, 0, set()
    while isinstance(inner, PartialValue | BoundMethod | JitValue):
        if isinstance(inner, PartialValue):
            shift += len(inner.args)
            taken |= set(inner.kwargs)
        shift += isinstance(inner, BoundMethod)
        inner = inner.function
    if not isinstance(inner, FunctionValue):
        return
    spec = inner.node.args
    names = parameters(inner.node)[shift:]
    known = {*names, *(p.arg for p in spec.kwonlyargs)}
    for option in ("static_argnames", "donate_argnames"):
        for name in constants(options.get(option), str):
            if name not in known and spec.kwarg is None and spec.vararg is None:
                shown = ", ".join(sorted(known))
                it.fail(
                    node,
                    "array-call",
                    f"ValueError: jit: {option} names {name!r}, which is no parameter of {inner.name} ({shown})",
                )
    for option in ("static_argnums", "donate_argnums"):
        for number in constants(options.get(option), int):
            if spec.vararg is None and not -len(names) <= number < len(names):
                message = (
                    f"ValueError: jit: {option} is {number}, and {inner.name} takes {len(names)} positional arguments"
                )
                it.fail(node, "array-index", message)


@handles("jax.checkpoint", "jax.remat", "jax.ad_checkpoint.checkpoint")
def _checkpoint(it: Interpreter, call: Call) -> Value:
    """`jax.checkpoint(f)` traces `f` at each call, as `jit` does."""
    options = call.named("fun")
    function = options.pop("fun", MISSING)
    if function is MISSING:
        return HandlerValue("checkpoint", lambda i, call: _checkpoint(i, call.with_kwargs({**options, **call.kwargs})))
    static = {key: value for key, value in options.items() if key == "static_argnums"}
    return JitValue(function, static)
