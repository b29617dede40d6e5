"""Every attribute and method of arrays, numbers, texts and containers, with odd arguments, as the run gives them.

Each expression stands in a `try` of its own whose handler binds the class of what was raised: so flow is held both to
what a call gives and to whether it raises, and "unknown" is right for each.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from flow_values import difference, interpreted

SUBJECTS = [
    "jnp.arange(4)", "jnp.arange(4.0)[1]", "jnp.ones((2, 2))", "jnp.array(True)", "jnp.zeros((0, 2), jnp.bfloat16)",
    "np.arange(4)", "np.ones((2, 2), np.float32)", "np.array(True)", "np.float32(2)", "np.int8(3)", "np.bool_(True)",
    "np.complex64(2j)", "np.zeros((0, 2))", "np.array(['a', 'b'])", "np.float64(2.5)", "np.random.default_rng(0)",
    "2.5", "3", "2j", "'ab'", "b'ab'", "(1, 'a')", "[1, 2]", "{1, 2}", "{'a': 1}", "range(3)", "slice(1, 2)",
    "frozenset((1,))", "bytearray(b'a')", "iter([1])", "(i for i in [1])", "{}.keys()", "int", "np.dtype('int8')",
]  # fmt: skip
ARGUMENTS = [
    "", "1", "2.0", "jnp.ones(2)", "np.ones(2)", "None", "'a'", "(0,)", "1, 0", "slice(0, 1)", "True", "[0]",
    "np.float64",
]  # fmt: skip
_LEFT_OUT = {
    "__class__", "__dict__", "__dir__", "__doc__", "__init__", "__init_subclass__", "__reduce__", "__reduce_ex__",
    "__setstate__", "__sizeof__", "__subclasses__", "__subclasshook__", "delete", "dump", "tofile",
}  # fmt: skip
"""What is about the interpreter more than about values, or destroys."""
_NOT_COMPARED = {"__iter__", "__reversed__"}
"""Iterators of Python, which are equal to nothing."""
_NAMES = {"jax": jax, "jnp": jnp, "np": np}


def _expressions(subject: str) -> list[str]:
    found = []
    for name in dir(eval(subject, dict(_NAMES))):
        if name not in _LEFT_OUT | _NOT_COMPARED:
            found += [f"({subject}).{name}", *(f"({subject}).{name}({arguments})" for arguments in ARGUMENTS)]
    return found


def _outcome(expression: str) -> Any:
    """What an expression gives, or the class of what it raises."""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return eval(expression, dict(_NAMES))
        except Exception as error:
            return type(error)


@pytest.mark.parametrize(("number", "subject"), [*enumerate(SUBJECTS)])
def test_odd_methods(number: int, subject: str) -> None:
    hold(_expressions(subject)[number % 11 :: 11])


@pytest.mark.thorough
@pytest.mark.parametrize("subject", SUBJECTS)
def test_all_odd_methods(subject: str) -> None:
    hold(_expressions(subject))


def hold(expressions: list[str]) -> None:
    """Hold what flow knows of expressions against what they give, or raise."""
    assert expressions
    lines = ["import jax, jax.numpy as jnp, numpy as np"]
    for i, expression in enumerate(expressions):
        lines += ["try:", f"    v{i} = {expression}", "except Exception as error:", f"    v{i} = type(error)"]
    known, _ = interpreted("\n".join(lines) + "\n")
    wrong = []
    for i, expression in enumerate(expressions):
        real = _outcome(expression)
        is_class = isinstance(real, type) and issubclass(real, Exception)
        if (not callable(real) or is_class) and (found := difference(known[f"v{i}"], real)) is not None:
            wrong.append(f"{expression}: {found}")
    assert not wrong
