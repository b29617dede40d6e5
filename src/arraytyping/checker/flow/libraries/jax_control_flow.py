"""`jax.lax.scan`, `cond` and their kin over arguments of which a part is not known, so that jax cannot be asked.

Their functions are followed once as they are traced, with what is known of the arguments.  What comes out of a loop has
the types that go in, and all branches give the same types, since jax refuses anything else.

Source: https://docs.jax.dev/en/latest/jax.lax.html, control flow operators.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

from arraytyping.checker.flow.engines.conversion import is_callable_value
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.libraries.same_types import same_types
from arraytyping.checker.flow.state.identity import identity
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.lives import begin_lives, tracing
from arraytyping.checker.flow.state.not_known import traces
from arraytyping.checker.flow.syntax.mapped_axes import item_along, outside, stacked_along
from arraytyping.checker.flow.syntax.traced_arguments import as_traced, map_arrays, to_array
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    BoundMethod,
    ListValue,
    ScalarValue,
    Unknown,
    Value,
    is_traced,
    walk,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.semantics.avals import Dim, ShapedArray

Node: TypeAlias = ast.AST | None
_MOST_PASSES: Final = 4
"""How often a body is followed, at most, until the types that go in come out."""


class _Staged:
    """One call of such a function: what it is given becomes tracers, and what comes out is of the outer trace."""

    def __init__(self, it: Interpreter, name: str, call: Call) -> None:
        self.it = it
        self.name = name
        self.node: Node = call.node
        self.is_inside: bool = it.staged > 0 or any(map(is_traced, call.values))

    def traced(self, value: Value) -> Value:
        return as_traced(self.it, value, f"an argument of jax.lax.{self.name}", self.node)

    def follow(self, function: Value, *given: Value) -> Value:
        """What a function gives that is traced with these arguments."""
        it = self.it
        inner = function.function if isinstance(function, BoundMethod) else function
        label = str(getattr(inner, "name", "function"))
        it.staged += 1
        try:
            with tracing(it, label, self.node, traces(it, self.name, function)) as life:
                begin_lives(life, given)
                return it.call(function, list(given), {}, self.node)
        finally:
            it.staged -= 1

    def settle(self, carry: Value, step: Callable[[Value], tuple[Value, Any]]) -> tuple[Value, Any]:
        """What is carried, with the types that stay, and what a step gives besides."""
        it = self.it
        if not it.inventing and not _is_known(carry):  # find out first, and tell of the last pass only
            mark = it.journal.mark
            with _trying(it):
                carry = same_types(carry, self.traced(self._passes(carry, step)[0]))
            it.journal.undo(mark)
        return self._passes(carry, step)

    def _passes(self, carry: Value, step: Callable[[Value], tuple[Value, Any]]) -> tuple[Value, Any]:
        """The body again and again, until the types that go in come out: a weak type may have given way."""
        for _ in range(_MOST_PASSES):
            mark = self.it.journal.mark
            out, rest = step(carry)
            before, carry = carry, same_types(carry, self.traced(out))
            if identity(before) == identity(carry):
                return carry, rest
            self.it.journal.undo(mark)
        unknown = self.it.unknown("what is carried through a loop, which changes in each pass")
        return unknown, step(unknown)[1]

    def outcome(self, value: Value) -> Value:
        """What comes out."""

        def change(leaf: Value) -> Value:
            array = to_array(self.it, leaf, self.node)
            return outside(self.it, array, array.aval, self.is_inside) if isinstance(array, ArrayValue) else leaf

        return map_arrays(self.it, value, change, self.node)

    def stacked(self, value: Value, length: Dim) -> Value:
        """What comes out of each of so many steps, along a first axis."""
        return stacked_along(self.it, value, 0, length, self.is_inside, self.node)


def _is_known(carry: Value) -> bool:
    """Whether dtype and shape are known of whatever is carried."""
    parts = [v for v in walk(carry) if isinstance(v, ArrayValue | Unknown | ListValue)]
    return all(
        v.is_full if isinstance(v, ArrayValue) else isinstance(v, ListValue) and v.items is not None for v in parts
    )


@contextmanager
def _trying(it: Interpreter) -> Iterator[None]:
    """What is seen meanwhile is not told."""
    inventing, it.inventing = it.inventing, True
    try:
        with it.quietly():
            yield
    finally:
        it.inventing = inventing


# ---------------------------------------------------------------------- loops


def _longest(lengths: list[Dim], said: Value) -> Dim:
    if type(said) is int:
        return said
    return next((length for length in lengths if length is not None), None)


def _scan(staged: _Staged, call: Call) -> Value:
    function, init = call.argument(0, "f", MISSING), call.argument(1, "init", MISSING)
    if not is_callable_value(function) or init is MISSING:
        return MISSING
    lengths: list[Dim] = []
    item = staged.traced(item_along(staged.it, call.argument(2, "xs"), 0, lengths, call.node))

    def step(carry: Value) -> tuple[Value, Value]:
        given = staged.follow(function, carry, item)
        if isinstance(given, tuple) and len(given) == 2:
            return given[0], given[1]
        unknown = staged.it.unknown("what a scanned function gives")
        return unknown, unknown

    carry, item_out = staged.settle(staged.traced(init), step)
    return staged.outcome(carry), staged.stacked(item_out, _longest(lengths, call.argument(3, "length")))


def _map(staged: _Staged, call: Call) -> Value:
    function, rows = call.argument(0, "f", MISSING), call.argument(1, "xs", MISSING)
    if not is_callable_value(function) or rows is MISSING:
        return MISSING
    lengths: list[Dim] = []
    item = staged.traced(item_along(staged.it, rows, 0, lengths, call.node))
    return staged.stacked(staged.follow(function, item), _longest(lengths, None))


def _while_loop(staged: _Staged, call: Call) -> Value:
    condition, body = call.argument(0, "cond_fun", MISSING), call.argument(1, "body_fun", MISSING)
    init = call.argument(2, "init_val", MISSING)
    if not is_callable_value(condition) or not is_callable_value(body) or init is MISSING:
        return MISSING

    def step(carry: Value) -> tuple[Value, None]:
        staged.follow(condition, carry)
        return staged.follow(body, carry), None

    return staged.outcome(staged.settle(staged.traced(init), step)[0])


def _fori_loop(staged: _Staged, call: Call) -> Value:
    bounds = [call.argument(0, "lower", MISSING), call.argument(1, "upper", MISSING)]
    body, init = call.argument(2, "body_fun", MISSING), call.argument(3, "init_val", MISSING)
    if not is_callable_value(body) or any(v is MISSING for v in (*bounds, init)):
        return MISSING
    is_plain = all(type(b) is int or (isinstance(b, ScalarValue) and b.kinds == (int,)) for b in bounds)
    dtype = staged.it.engines.rules.promotions()[0].default("int") if is_plain else None
    number = ArrayValue(ShapedArray((), dtype, None), True)

    def step(carry: Value) -> tuple[Value, None]:
        return staged.follow(body, number, carry), None

    return staged.outcome(staged.settle(staged.traced(init), step)[0])


# ---------------------------------------------------------------------- branches


def _cond(staged: _Staged, call: Call) -> Value:
    branches = [call.argument(1, "true_fun", MISSING), call.argument(2, "false_fun", MISSING)]
    operands = list(call.args[3:])
    if "operand" in call.kwargs:
        operands = [call.kwargs["operand"]]
    return _branches(staged, branches, operands)


def _switch(staged: _Staged, call: Call) -> Value:
    branches, operands = call.argument(1, "branches", MISSING), list(call.args[2:])
    if "operand" in call.kwargs:
        operands = [call.kwargs["operand"]]
    known = staged.it.iterate(branches, call.node)[0] if isinstance(branches, tuple | ListValue) else None
    return _branches(staged, known or [MISSING], operands)


def _branches(staged: _Staged, branches: list[Value], operands: list[Value]) -> Value:
    if not all(map(is_callable_value, branches)):
        return MISSING
    given = [staged.traced(operand) for operand in operands]
    first, *others = (staged.traced(staged.follow(branch, *given)) for branch in branches)
    for other in others:
        first = same_types(first, other)
    return staged.outcome(first)


# ---------------------------------------------------------------------- the handlers

_KNOWN: Final[dict[str, Callable[[_Staged, Call], Value]]] = {
    "scan": _scan,
    "map": _map,
    "while_loop": _while_loop,
    "fori_loop": _fori_loop,
    "cond": _cond,
    "switch": _switch,
}


def _handler(name: str, in_part: Callable[[_Staged, Call], Value]) -> None:
    @handles(f"jax.lax.{name}")
    def handle(it: Interpreter, call: Call) -> Value:
        real: Any = getattr(it.engines.jax.jax.lax, name)

        return it.engines.call(it, real, call, lambda: in_part(_Staged(it, name, call), call))


for _name, _in_part in _KNOWN.items():
    _handler(_name, _in_part)
