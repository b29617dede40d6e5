"""`jax.custom_vjp` and `jax.custom_jvp`: the function, and when it is differentiated also its rules.

Source: https://docs.jax.dev/en/latest/notebooks/Custom_derivative_rules_for_Python_code.html.
"""

from __future__ import annotations

from typing import Any

from arraytyping.checker.flow.engines.asking import NeedsLive
from arraytyping.checker.flow.engines.derivative_rules import checked_backward, checked_pair
from arraytyping.checker.flow.engines.own_results import as_arrays
from arraytyping.checker.flow.engines.signatures import has_unknown_signature
from arraytyping.checker.flow.libraries.registry import Handler, handles
from arraytyping.checker.flow.real_calls.own_programs import is_on_own_runtime
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.syntax.static_arguments import constants, is_told
from arraytyping.checker.flow.values import (
    ArrayValue,
    BaseValue,
    HandlerValue,
    ListValue,
    NumPyValue,
    ScalarValue,
    Value,
)
from arraytyping.checker.flow.values.calls import Call

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
    def handle(it: Interpreter, call: Call) -> Value:
        if not call.args and "fun" not in call.kwargs:
            return HandlerValue(kind, lambda i, later: handle(i, later.with_kwargs({**call.kwargs, **later.kwargs})))
        function = call.args[0] if call.args else call.kwargs["fun"]
        option = call.kwargs.get("nondiff_argnums", call.args[1] if len(call.args) > 1 else ())
        if not is_told(option):
            it.engines.havoc(it, [function])
            return it.unknown("a function of which it is not known by which arguments it is not differentiated")
        nondiff = tuple(constants(option, int))
        rules = _Rules()

        def called(it: Interpreter, call: Call) -> Value:
            if not is_on_own_runtime(it):
                return differentiable(it, call)
            return as_arrays(it.engines, it, differentiable(it, _of_arrays(it, call, nondiff)), call.node)

        def differentiable(it: Interpreter, call: Call) -> Value:
            if it.engines.is_live and not (it.staged == 0 and all(_is_plain(it, v) for v in call.values)):
                return _live(it, kind, function, nondiff, rules, call)
            if it.differentiating and not it.engines.is_live:
                raise NeedsLive
            return it.call(function, *call)

        def defvjp(it: Interpreter, call: Call) -> Value:
            rules.forward = call.argument(0, "fwd")
            rules.backward = call.argument(1, "bwd")
            rules.has_symbolic_zeros = call.kwargs.get("symbolic_zeros", call.positional(2, False))
            return None

        def defjvp(it: Interpreter, call: Call) -> Value:
            rules.tangent = call.argument(0, "jvp")
            rules.has_symbolic_zeros = call.kwargs.get("symbolic_zeros", call.positional(1, False))
            return rules.tangent

        def defjvps(it: Interpreter, call: Call) -> Value:
            rules.tangents = tuple(call.args)
            return None

        def put(it: Interpreter, call: Call) -> Value:
            rules.forward = rules.backward = rules.tangent = it.unknown("a rule that is set as an attribute")
            return None

        methods = {
            "__setattr__": HandlerValue("__setattr__", put),
            "defvjp": HandlerValue("defvjp", defvjp),
            "defjvp": HandlerValue("defjvp", defjvp),
            "defjvps": HandlerValue("defjvps", defjvps),
            "fun": function,
        }
        return HandlerValue(kind, called, (function,), methods)

    return handle


handles("jax.custom_vjp")(_custom("custom_vjp"))
handles("jax.custom_jvp")(_custom("custom_jvp"))


def _of_arrays(it: Interpreter, call: Call, nondiff: tuple[int, ...]) -> Call:
    """The call with arrays in the place of numbers, but for the arguments that are not differentiated."""
    static = {n % len(call.args) for n in nondiff} if call.args else set()
    args = [a if i in static else as_arrays(it.engines, it, a, call.node) for i, a in enumerate(call.args)]
    return call.with_args(args)


def _given_arrays(rule: Any, nondiff: tuple[int, ...]) -> Value:
    """A rule, or several, that are given arrays in the place of numbers."""
    if isinstance(rule, tuple):
        return tuple(_given_arrays(one, nondiff) for one in rule)
    if rule is None:
        return None

    def given(it: Interpreter, call: Call) -> Value:
        return it.call(rule, *_of_arrays(it, call, nondiff))

    return HandlerValue(str(getattr(rule, "name", "rule")), given, (rule,))


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


def _live(it: Interpreter, kind: str, function: Value, nondiff: tuple[int, ...], rules: _Rules, call: Call) -> Value:
    """The call with the rules as callbacks, which jax's own differentiation calls."""
    # By the signature jax finds the places of keywords and of defaults.
    is_resolved = bool(call.kwargs) or any(n >= len(call.args) for n in nondiff)
    if rules.has_symbolic_zeros is not False or (is_resolved and has_unknown_signature(function)):
        it.engines.havoc(it, [rules.forward, rules.backward, rules.tangent])
        return it.call(function, *call)
    tree_call = getattr(it.engines.jax.jax, kind)

    def called(primal: Any, forward: Any, backward: Any, tangent: Any, tangents: Any, /, *a: Any, **k: Any) -> Value:
        made = tree_call(primal, nondiff_argnums=nondiff)
        if kind == "custom_vjp" and forward is not None:
            forward = checked_pair(kind, forward, rules.forward, function)
            is_unchecked = getattr(it.engines.jax.jax.config, "jax_disable_bwd_checks", False)
            backward = checked_backward(backward, rules.backward, function, nondiff, () if is_unchecked else a)
        elif tangent is not None:
            tangent = checked_pair(kind, tangent, rules.tangent, function)
        if kind == "custom_vjp" and forward is not None:
            made.defvjp(forward, backward)
        elif kind == "custom_jvp" and tangent is not None:
            made.defjvp(tangent)
        elif kind == "custom_jvp" and tangents:
            made.defjvps(*tangents)
        return made(*a, **k)

    called.__name__ = kind
    own = [function, rules.forward, rules.backward, rules.tangent, rules.tangents]
    if is_on_own_runtime(it):
        first = tuple(range(len(nondiff)))  # the backward pass and the tangents are given these before all others
        static = (nondiff, nondiff, first, first, ())
        own = [_given_arrays(rule, numbers) for rule, numbers in zip(own, static)]
    return it.engines.asker.ask(it, called, call.preceded_by(*own))
