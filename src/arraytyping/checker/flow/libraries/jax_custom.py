"""`jax.custom_vjp` and `jax.custom_jvp`: the function, and when it is differentiated also its rules.

Source: https://docs.jax.dev/en/latest/notebooks/Custom_derivative_rules_for_Python_code.html.
"""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.flow.engines.asking import NeedsLive
from arraytyping.checker.flow.engines.signatures import has_unknown_signature
from arraytyping.checker.flow.libraries.registry import Handler, handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.syntax.static_arguments import constants
from arraytyping.checker.flow.values import (
    ArrayValue,
    BaseValue,
    HandlerValue,
    ListValue,
    NumPyValue,
    ScalarValue,
    Value,
)

__all__: list[str] = []


class _Rules:
    """The rules of one function with custom derivatives."""

    def __init__(self) -> None:
        self.forward: Value = None
        self.backward: Value = None
        self.tangent: Value = None
        self.tangents: tuple[Value, ...] = ()
        """One for each argument, or None."""
        self.has_symbolic_zeros: Value = False
        """Whether the rules are given objects that tell which arguments are perturbed, in place of arrays."""


def _custom(kind: str) -> Handler:
    def handle(it: Interpreter, args: list[Value], kwargs: dict[str, Value], node: ast.AST | None) -> Value:
        if not args and "fun" not in kwargs:
            return HandlerValue(kind, lambda i, a, k, n: handle(i, a, {**kwargs, **k}, n))
        function = args[0] if args else kwargs["fun"]
        nondiff = tuple(constants(kwargs.get("nondiff_argnums", args[1] if len(args) > 1 else ()), int))
        rules = _Rules()

        def call(it: Interpreter, a: list[Value], k: dict[str, Value], n: ast.AST | None) -> Value:
            if it.engines.is_live and not (it.staged == 0 and all(_is_plain(it, v) for v in (*a, *k.values()))):
                return _live(it, kind, function, nondiff, rules, a, k, n)
            if it.differentiating and not it.engines.is_live:
                raise NeedsLive
            return it.call(function, a, k, n)

        def defvjp(it: Interpreter, a: list[Value], k: dict[str, Value], n: ast.AST | None) -> Value:
            rules.forward = a[0] if a else k.get("fwd")
            rules.backward = a[1] if len(a) > 1 else k.get("bwd")
            rules.has_symbolic_zeros = k.get("symbolic_zeros", a[2] if len(a) > 2 else False)
            return None

        def defjvp(it: Interpreter, a: list[Value], k: dict[str, Value], n: ast.AST | None) -> Value:
            rules.tangent = a[0] if a else k.get("jvp")
            rules.has_symbolic_zeros = k.get("symbolic_zeros", a[1] if len(a) > 1 else False)
            return rules.tangent

        def defjvps(it: Interpreter, a: list[Value], k: dict[str, Value], n: ast.AST | None) -> Value:
            rules.tangents = tuple(a)
            return None

        methods = {
            "defvjp": HandlerValue("defvjp", defvjp),
            "defjvp": HandlerValue("defjvp", defjvp),
            "defjvps": HandlerValue("defjvps", defjvps),
            "fun": function,
        }
        return HandlerValue(kind, call, (function,), methods)

    return handle


handles("jax.custom_vjp")(_custom("custom_vjp"))
handles("jax.custom_jvp")(_custom("custom_jvp"))


def _is_plain(it: Interpreter, value: Value) -> bool:
    """Whether an argument is no tracer of a transformation, so that jax calls the function as it is."""
    if isinstance(value, tuple):
        return all(_is_plain(it, v) for v in value)
    if isinstance(value, ListValue):
        return value.items is not None and all(_is_plain(it, v) for v in value.items)
    if isinstance(value, ArrayValue):
        if value.real is None:
            return not value.traced
        trace = it.engines.jax.private.trace_of(value.real[1])
        return not value.traced and (trace is None or any(trace is base for base in it.engines.asker.callbacks.bases))
    return not isinstance(value, BaseValue) or isinstance(value, ScalarValue | NumPyValue)


def _live(
    it: Interpreter, kind: str, function: Value, nondiff: tuple[int, ...], rules: _Rules, args: list[Value],
    kwargs: dict[str, Value], node: ast.AST | None,
) -> Value:  # fmt: skip
    """The call with the rules as callbacks, which jax's own differentiation calls."""
    # By the signature jax finds the places of keywords and of defaults.
    is_resolved = bool(kwargs) or any(n >= len(args) for n in nondiff)
    if rules.has_symbolic_zeros is not False or (is_resolved and has_unknown_signature(function)):
        it.engines.havoc(it, [rules.forward, rules.backward, rules.tangent])
        return it.call(function, args, kwargs, node)
    tree_call = getattr(it.engines.jax.jax, kind)

    def call(primal: Any, forward: Any, backward: Any, tangent: Any, tangents: Any, /, *a: Any, **k: Any) -> Value:
        made = tree_call(primal, nondiff_argnums=nondiff)
        if kind == "custom_vjp" and forward is not None:
            made.defvjp(forward, backward)
        elif kind == "custom_jvp" and tangent is not None:
            made.defjvp(tangent)
        elif kind == "custom_jvp" and tangents:
            made.defjvps(*tangents)
        return made(*a, **k)

    call.__name__ = kind
    own = [function, rules.forward, rules.backward, rules.tangent, rules.tangents]
    return it.engines.asker.ask(it, call, [*own, *args], kwargs, node)
