"""Chex's variants of a test: it is run once for each, and `self.variant` makes of a function what the variant is.

Source: https://chex.readthedocs.io/en/latest/api.html#variants; with one device `with_pmap` is skipped, as chex does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any, Final

from arraytyping.checker.flow.libraries.jax_jit import jitted
from arraytyping.checker.flow.libraries.pytest_ import Mark
from arraytyping.checker.flow.libraries.registry import handles, handles_base
from arraytyping.checker.flow.libraries.unittest_ import make_test_case
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.syntax.static_arguments import constants
from arraytyping.checker.flow.syntax.traced_arguments import map_arrays, to_array
from arraytyping.checker.flow.values import ArrayValue, ClassValue, HandlerValue, InstanceValue, Value
from arraytyping.checker.flow.values.calls import Call

__all__ = ["VARIANT", "variants_of"]

Kwargs = dict[str, Any]
Node = ast.AST | None

_MARK: Final = "chex variants"
_FOLLOWED: Final = ("with_jit", "without_jit", "with_device", "without_device")
_ALL: Final = (*_FOLLOWED, "with_pmap")

VARIANT: Final[RunSlot[str]] = RunSlot("the variant of chex in which a test is run", str)


def variants_of(marks: Iterable[Mark]) -> list[str]:
    """The variants in which a test with these marks is run; one without a name if chex has no part in it."""
    chosen: dict[str, Value] = {}
    for mark in marks:
        if mark.name == _MARK:
            chosen.update(mark.kwargs)
    return [name for name in _FOLLOWED if chosen.get(name) is True] if chosen else [""]


def _variants(name: str, default: bool) -> None:
    @handles(f"chex.{name}")
    def handle(it: Interpreter, call: Call) -> Value:
        named = dict(zip(_ALL, call.args[1:]))
        mark = Mark(_MARK, (), {**dict.fromkeys(_ALL, default), **named, **call.kwargs})
        return it.call(mark, call.args[:1], {}, call.node) if call.args else mark


_variants("variants", False)
_variants("all_variants", True)


@handles_base("chex.TestCase")
def _test_case(it: Interpreter, cls: ClassValue, base: Value, keywords: Kwargs, node: Node) -> Value:
    inherited = make_test_case(cls)

    def attribute(it: Interpreter, case: InstanceValue, name: str, node: Node) -> Value:
        return HandlerValue("variant", _variant) if name == "variant" else inherited(it, case, name, node)

    cls.options["attribute"] = attribute
    return cls


def _variant(it: Interpreter, call: Call) -> Value:
    """`self.variant(f, static_argnums=...)`, also without the function, as a decorator."""
    if not call.args:
        return HandlerValue("variant", lambda i, later: _variant(i, later.with_kwargs({**call.kwargs, **later.kwargs})))
    function, kind = call.args[0], VARIANT.of(it)
    if kind == "with_jit":
        static = {k: v for k, v in call.kwargs.items() if k in ("static_argnums", "static_argnames") and v is not None}
        return jitted(it, function, static, call.node)
    if kind == "without_jit":
        return function
    if kind not in ("with_device", "without_device"):
        return it.unknown("a variant of chex that is not known here")
    kept = {n for k in ("ignore_argnums", "static_argnums") for n in constants(call.kwargs.get(k), int)}
    return HandlerValue("variant", _moving(function, kind, kept), (function,))


def _moving(function: Value, kind: str, kept: set[int]) -> Any:
    """The function with its arguments on the device, or as NumPy arrays."""

    def handle(it: Interpreter, call: Call) -> Value:
        def move(leaf: Value) -> Value:
            if kind == "with_device":
                return to_array(it, leaf, call.node)
            return it.call(it.engines.jax.jax.device_get, [leaf], {}, call.node) if type(leaf) is ArrayValue else leaf

        stays = kept if kind == "with_device" else set()
        given = [a if i in stays else map_arrays(it, a, move, call.node) for i, a in enumerate(call.args)]
        return it.call(
            function, given, {k: map_arrays(it, v, move, call.node) for k, v in call.kwargs.items()}, call.node
        )

    return handle
