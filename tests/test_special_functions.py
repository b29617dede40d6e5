"""The rules of `jax.scipy.special` against JAX itself."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import jax.scipy.special
import pytest
from oracle import Call, array, differences

from arraytyping.semantics.rules.registry import RULES

NAMES = sorted(n for n in RULES if n.startswith("scipy.special.") and n != "scipy.special.logsumexp")
OPERANDS: tuple[Any, ...] = (
    2, 1.5, array("float32", 3), array("int8", 2, 1), array("bfloat16"), array("float16", 3, weak=True),
    array("complex64", 3), None, [1.0], array("float32", 4), 1j, array("float32", 3, weak=True),
    array("float32", weak=True),
)  # fmt: skip


def parameters(name: str) -> list[inspect.Parameter]:
    """The parameters of JAX's function."""
    return list(inspect.signature(getattr(jax.scipy.special, name.rpartition(".")[2])).parameters.values())


@cache
def calls() -> tuple[Call, ...]:
    """Calls that JAX can be asked for in one trace."""
    return tuple(_calls())


def _calls() -> Iterator[Call]:
    for name in NAMES:
        if name == "scipy.special.bessel_jn":  # by keyword
            continue
        required = len([p for p in parameters(name) if p.default is p.empty])
        for given in product(OPERANDS, repeat=min(required, 2)):
            if name == "scipy.special.multigammaln" and not isinstance(given[1], int | float):
                continue
            if name != "scipy.special.expn" or given[0] is not None:  # an assertion of its own
                yield Call(name, (*given, *(0.5,) * (required - 2)))
    for x in OPERANDS[:4]:
        for q in (2.0, OPERANDS[6]):
            yield Call("scipy.special.zeta", (x, q))
        yield Call("scipy.special.factorial", (x, True))
        yield Call("scipy.special.comb", (x, 2), {"repetition": True})
        yield Call("scipy.special.softmax", (x,), {"axis": 0})
    for z in OPERANDS[:9]:
        yield Call("scipy.special.bessel_jn", (z,), {"v": 3})
        yield Call("scipy.special.bessel_jn", (z,), {"v": 7, "n_iter": 5})
    for order in (0, 30, 31, -1, 2.0):
        yield Call("scipy.special.log_ndtr", (1.0,), {"series_order": order})


@pytest.mark.parametrize("x64", [False, True])
def test_calls(x64: bool) -> None:
    count, lines = differences(calls(), x64=x64, at_once=True)
    print(f"{count} calls compared, {len(lines)} differ")
    assert lines == []
    assert count > 1500


def test_signatures() -> None:
    for name in NAMES:
        ours = RULES[name].signature.parameters.values()
        assert [(p.name, p.kind, p.default) for p in ours] == [(p.name, p.kind, p.default) for p in parameters(name)]
