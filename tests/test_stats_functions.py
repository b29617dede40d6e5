"""The rules of the distributions of `jax.scipy.stats` against JAX itself."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest
from oracle import Call, array, differences, elements
from rule_families import a_few_of_each, parameters_of_both

from arraytyping.semantics.avals import NumPyArray, ShapedArray
from arraytyping.semantics.rules.registry import RULES

NAMES = sorted(n for n in RULES if n.startswith("scipy.stats.") and n.count(".") == 3)
for _name in NAMES:
    importlib.import_module(f"jax.{_name.rpartition('.')[0]}")

FIRST: tuple[Any, ...] = (2, 1.5, array("float32", 3), array("int8", 2, 1), array("complex64", 3), array("float32", 4))
SECOND: tuple[Any, ...] = (1, 0.5, array("bfloat16"), array("float32", 3), array("float32", 3, weak=True), 1j)
ODD: tuple[Any, ...] = (None, [1.0], "a", True, NumPyArray((3,), "float64"), NumPyArray((), "int8"))


def required(name: str) -> int:
    """How many arguments have no default."""
    return sum(p.default is p.empty for p in RULES[name].signature.parameters.values())


@cache
def all_calls() -> tuple[Call, ...]:
    """Calls that JAX can be asked for in one trace."""
    return tuple(_calls())


def _calls() -> Iterator[Call]:
    for name in NAMES:
        count, most = required(name), len(RULES[name].signature.parameters)
        for first, second in product(FIRST, SECOND):
            yield Call(name, (first, second, 0.5, 2.0, 1.0)[: max(count, 2)])
        for odd in ODD:
            yield Call(name, (odd, *(0.5,) * (count - 1)))
        for last in (array("float32", 2, 1), array("float16", 3), 2, array("int32", weak=True)):
            yield Call(name, (array("float32", 3), *(0.5,) * (most - 2), last))
        names = list(RULES[name].signature.parameters)
        yield Call(name, (), {n: array("float32", 3) for n in names})


def calls() -> tuple[Call, ...]:
    """Some calls of each rule: those that are tried with unknown parts."""
    return a_few_of_each(NAMES, all_calls())


@pytest.mark.parametrize("x64", [False, True])
def test_calls(x64: bool) -> None:
    count, lines = differences(all_calls(), x64=x64, at_once=True)
    print(f"{count} calls compared, {len(lines)} differ")
    assert lines == []
    assert count > 4000


# JAX raises what Python does for numbers that integers of one and two bits do not hold
@pytest.mark.parametrize("x64", [False, True])
def test_every_dtype(x64: bool) -> None:
    found = [
        Call(name, (ShapedArray((2,), *e), *(ShapedArray((2,), *e),) * (required(name) - 1)))
        for name in NAMES for e in elements(x64) if not e[0].endswith(("int1", "int2"))
    ]  # fmt: skip
    count, lines = differences(found, x64=x64, at_once=True)
    assert lines == []
    assert count > 2000


@pytest.mark.parametrize("name", NAMES)
def test_signature(name: str) -> None:
    ours, real = parameters_of_both(name)
    assert ours == real
    assert inspect.getdoc(RULES[name].function)
