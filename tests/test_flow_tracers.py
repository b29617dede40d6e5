"""Whether there is a tracer in a value, whatever holds it."""

from __future__ import annotations

from typing import Any

import pytest
from flow_values import interpreted

from arraytyping.checker.flow.values import (
    ArrayValue,
    ClassValue,
    DictValue,
    InstanceValue,
    IteratorValue,
    ListValue,
    SetValue,
    UnionValue,
    is_traced,
)
from arraytyping.semantics.avals import ShapedArray

TRACER = ArrayValue(ShapedArray((), "float32"), True)
ARRAY = ArrayValue(ShapedArray((), "float32"), False)


def _held(value: Any) -> dict[str, Any]:
    return {
        "itself": value,
        "tuple": (1, (value,)),
        "list": ListValue([1, value]),
        "list of unknown length": ListValue(None, value),
        "dict": DictValue({"a": value}),
        "dict of unknown keys": DictValue(None, "a", value),
        "set of unknown items": SetValue(None, value),
        "iterator": IteratorValue([value]),
        "instance": InstanceValue(ClassValue("C", (), {}, None), {"x": ListValue(None, value)}),
        "alternatives": UnionValue((None, value)),
        "slice": slice(0, value),
    }


@pytest.mark.parametrize("holder", _held(TRACER))
def test_a_tracer_is_seen(holder: str) -> None:
    assert is_traced(_held(TRACER)[holder])
    assert not is_traced(_held(ARRAY)[holder])


def test_a_list_in_itself_ends() -> None:
    own = ListValue([1])
    assert own.items is not None
    own.items.append(own)
    assert not is_traced(own)
    own.items.append(TRACER)
    assert is_traced(own)


def test_what_is_not_yet_evaluated_is_not_asked_for() -> None:
    assert not is_traced(IteratorValue(pending=lambda: pytest.fail("it was evaluated")))


def test_a_rule_passes_on_that_a_list_of_unknown_length_holds_tracers() -> None:
    _, result = interpreted(
        """
import random
import jax, jax.numpy as jnp

n = random.randrange(1, 4)

def f(x):
    s = jnp.concatenate([x for _ in range(n)])
    return x.sum() * float(s.sum())

jax.vmap(f)(jnp.ones((3, 2)))
"""
    )
    assert [(m.line, m.code) for m in result.diagnostics if m.is_certain] == [(9, "array-traced")]


@pytest.mark.parametrize("call", ["item()", "item(0)", "__array__(float)", "tolist()"])
def test_a_tracer_has_no_value_whatever_the_arguments(call: str) -> None:
    source = f"import jax, jax.numpy as jnp\n@jax.jit\ndef f(x):\n    return x.{call}\nf(jnp.ones(1))\n"
    _, result = interpreted(source)
    assert [(m.line, m.code) for m in result.diagnostics] == [(4, "array-traced")]


def test_a_tracer_in_a_static_argument_lives_as_long_as_its_own_trace() -> None:
    _, result = interpreted(
        """
from functools import partial
import jax, jax.numpy as jnp

class Manager:
    def __init__(self):
        self.table = jnp.eye(2)

    @partial(jax.jit, static_argnums=0)
    def reset(self, x):
        return self.add(x, self.table)

    @partial(jax.jit, static_argnums=0)
    def add(self, x, y):
        return x + y

kept = []

@jax.jit
def train(x):
    manager = Manager()
    kept.append(manager)
    return manager.reset(x) + manager.reset(x)

train(jnp.ones((2, 2)))
print(kept[0].table + 1)
"""
    )
    assert [(m.line, m.code) for m in result.diagnostics if m.is_certain] == [(26, "array-leak")]
