"""Schedules of optax where a number that they are made of is not known: they are made of others, and tell dtypes alone.

How many steps there are hangs on the data of most programs.  No number decides more of what a schedule gives than
whether it is an array, so it is asked with several of them.

Source: https://optax.readthedocs.io/en/latest/api/optimizer_schedules.html.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator
from typing import Any, Final

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.values import (
    ArrayValue,
    DictValue,
    HandlerValue,
    ListValue,
    ScalarValue,
    Unknown,
    Value,
    mapped,
    walk,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.semantics.avals import ShapedArray

__all__: list[str] = []

_SCHEDULES: Final = (
    "constant_schedule", "cosine_decay_schedule", "cosine_onecycle_schedule", "exponential_decay",
    "linear_onecycle_schedule", "linear_schedule", "polynomial_schedule", "warmup_constant_schedule",
    "warmup_cosine_decay_schedule", "warmup_exponential_decay_schedule",
)  # fmt: skip
_STEPS: Final = ((3, 50), (3, 1_000_000), (2_000_000, 50), (0, 0), (0, 1_000), (1_000, 0))
"""The first number of steps that is not known, and what the others are multiples of."""
_POSITIVE: Final = 3
"""How many of these have no 0."""
_FRACTION: Final = 0.25
_NUMBERS: Final = frozenset({(int,), (float,)})


def _made(name: str, it: Interpreter, call: Call) -> Value:
    function = getattr(sys.modules["optax"], name)
    open_numbers = [v for v in walk(tuple(call.values)) if isinstance(v, ScalarValue)]
    if not open_numbers or any(v.kinds not in _NUMBERS for v in open_numbers):
        return it.engines.call(it, function, call)
    found = [one for numbers in _assignments(open_numbers) for one in _with(it, function, call, numbers)]
    if not found:
        return it.unknown(f"optax.{name} with numbers that are not known")
    return HandlerValue(name, functools.partial(_rate, found))


def _assignments(open_numbers: list[ScalarValue]) -> Iterator[dict[int, Any]]:
    distinct = list({id(v): v for v in open_numbers}.values())
    steps = [v for v in distinct if v.kinds == (int,)]
    several = _STEPS if any(v.size is None for v in steps) else _STEPS[:_POSITIVE]  # a size is none of an empty array
    for first, others in several if steps else _STEPS[:1]:
        chosen: dict[int, Any] = {id(v): _FRACTION for v in distinct}
        chosen |= {id(v): first if at == 0 else others * at for at, v in enumerate(steps)}
        yield chosen


def _with(it: Interpreter, function: Any, call: Call, numbers: dict[int, Any]) -> Iterator[Value]:
    """The schedule of these numbers, where optax takes them."""

    def change(value: Value) -> Value:
        if isinstance(value, ScalarValue):
            return numbers[id(value)]
        return mapped(value, change) if isinstance(value, tuple | ListValue | DictValue) else value

    suppressed = it.suppressed
    given = Call([change(a) for a in call.args], {k: change(v) for k, v in call.kwargs.items()}, call.node)
    with it.quietly():
        made = it.engines.call(it, function, given)
    if it.suppressed == suppressed and not isinstance(made, Unknown):
        yield made


def _rate(schedules: list[Value], it: Interpreter, call: Call) -> Value:
    """What the schedules give, of which no value is known."""
    found = [it.call(one, call.args, call.kwargs, call.node) for one in schedules]
    numbers = [ScalarValue(type(one)) for one in found if isinstance(one, int | float)]
    others = [one for one in found if not isinstance(one, int | float)]
    arrays = join_all(others)
    if numbers and it.engines.is_asking and isinstance(arrays, ArrayValue):  # to jax a number is an array as well
        return ArrayValue(ShapedArray(arrays.aval.shape, arrays.aval.dtype, None), arrays.traced)
    return join_all([*numbers, *others])


for _name in _SCHEDULES:
    handles(f"optax.{_name}")(functools.partial(_made, _name))
