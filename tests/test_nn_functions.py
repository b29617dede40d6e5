"""The rules of functions of neural networks against JAX itself."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cache
from typing import Any

import jax
import pytest
from oracle import Call, array, differences, elements, resolve

from arraytyping.semantics.avals import NumPyArray, ShapedArray
from arraytyping.semantics.rules.registry import RULES

UNARY = (
    "celu", "elu", "gelu", "hard_sigmoid", "hard_silu", "hard_swish", "hard_tanh", "identity", "leaky_relu", "log1mexp",
    "log_sigmoid", "log_softmax", "logmeanexp", "logsumexp", "mish", "relu", "relu6", "selu", "sigmoid", "silu",
    "soft_sign", "softmax", "softplus", "sparse_plus", "sparse_sigmoid", "squareplus", "standardize", "swish", "tanh",
)  # fmt: skip
NAMES = sorted(n for n in RULES if n.startswith(("nn.", "scipy.special.logsumexp")))
X, MASK = array("float32", 2, 4), array("bool", 2, 4)
PYTHON: tuple[Any, ...] = (True, 2, 2.5, 1j, NumPyArray((3,), "float64"), NumPyArray((), "int8"), None, "a", [1.0])


@cache
def calls() -> tuple[Call, ...]:
    """Calls that JAX can be asked for in one trace."""
    return tuple(_calls())


def _calls() -> Iterator[Call]:
    for name in UNARY:
        for value in PYTHON:
            yield Call(f"nn.{name}", (value,))
        for shape in ((3,), (2, 3), (), (0,)):
            yield Call(f"nn.{name}", (array("bfloat16", *shape),))
            yield Call(f"nn.{name}", (array("int32", *shape, weak=True),))
    for x in (
        X,
        array("bfloat16", 2, 4),
        array("int8", 2, 4),
        array("float32", 2, 4, weak=True),
        array("complex64", 4),
    ):
        yield Call("nn.gelu", (x, False))
        yield Call("nn.glu", (x,))
        for alpha in (2, 0.5, array("float16"), array("bfloat16", 4)):
            for name in ("elu", "celu", "leaky_relu", "squareplus"):
                yield Call(f"nn.{name}", (x, alpha))
        for name in ("softmax", "log_softmax"):
            for axis in (0, (0, -1), None, 5):
                yield Call(f"nn.{name}", (x, axis))
            yield Call(f"nn.{name}", (x,), {"where": MASK})
        for algorithm in ("stable", "fast", "other"):
            yield Call("nn.standardize", (x,), {"algorithm": algorithm})
        yield Call("nn.standardize", (x, 0), {"mean": 0.5, "variance": array("float32", 4), "epsilon": 1})
        yield Call("nn.standardize", (x,), {"where": MASK})
        for name in ("nn.logsumexp", "scipy.special.logsumexp"):
            for keepdims, sign in ((False, False), (True, False), (False, True), (True, True)):
                for axis in (None, 0, (0, -1), -1):
                    if axis != 0 or x.ndim == 2:
                        yield Call(name, (x, axis), {"keepdims": keepdims, "return_sign": sign})
            if not x.weak_type:
                yield Call(name, (x,), {"b": x})
            yield Call(name, (x,), {"where": MASK, "axis": 0})
    for classes in (
        array("int32", 3),
        array("uint8", 2, 3),
        1,
        True,
        array("float32", 3),
        [0, 2],
        NumPyArray((2,), "int64"),
    ):
        for axis in (-1, 0, 1, 5):
            yield Call("nn.one_hot", (classes, 4), {"axis": axis})
        for dtype in ("bfloat16", int, "float64", bool):
            yield Call("nn.one_hot", (classes, 4), {"dtype": dtype})
    yield Call("nn.one_hot", (array("int32", 3), 2.5))
    yield from _attention()
    for axis, keepdims in ((None, False), (0, True), ((0, -1), False)):
        yield Call("nn.logmeanexp", (X, axis), {"keepdims": keepdims})
        yield Call("nn.logmeanexp", (array("int8", 2, 4), axis), {"where": MASK})


def _attention() -> Iterator[Call]:
    name, lengths = "nn.dot_product_attention", array("int32", 2)
    keys, single = array("float32", 2, 6, 2, 8), array("float32", 6, 2, 8)
    queries = [
        array("float32", 2, 5, 4, 8), array("float32", 5, 4, 8), array("float32", 2, 5, 3, 8), array("float32", 3),
        array("float32", 2, 5, 4, 7), array("bfloat16", 2, 5, 4, 8), array("float32", 1, 1, 2, 5, 4, 8),
        array("float32", 2, 5, 4, 8, weak=True),
    ]  # fmt: skip
    for query in queries:
        for key, value in ((keys, keys), (single, single), (keys, single), (keys, array("int32", 2, 6, 2, 8))):
            yield Call(name, (query, key, value))
    query = queries[0]
    for dtype in ("bool", "int8", "int32", "float16", "bfloat16", "float32"):
        three = [array(dtype, 2, 5, 4, 8), *[array(dtype, 2, 6, 2, 8)] * 2]
        yield Call(name, tuple(three))
        yield Call(name, tuple(three), {"bias": array("float32", 1, 4, 5, 6), "mask": array("bool", 2, 1, 5, 6)})
    for options in (
        {"is_causal": True}, {"return_residual": True}, {"scale": 0.5}, {"scale": 2, "local_window_size": (1, 2)},
        {"local_window_size": 3}, {"implementation": "xla"}, {"implementation": "other"}, {"mask": array("int8", 5, 6)},
        {"query_seq_lengths": lengths}, {"key_value_seq_lengths": lengths}, {"query_seq_lengths": array("int8", 2)},
        {"key_value_seq_lengths": array("int32", 2, 1)}, {"bias": array("int32", 4, 5, 6), "return_residual": True},
    ):  # fmt: skip
        yield Call(name, (query, keys, keys), options)


@pytest.mark.parametrize("x64", [False, True])
def test_calls(x64: bool) -> None:
    count, lines = differences(calls(), x64=x64, at_once=True)
    print(f"{count} calls compared, {len(lines)} differ")
    assert lines == []
    assert count > 400


@pytest.mark.parametrize("x64", [False, True])
def test_every_dtype(x64: bool) -> None:
    found = [Call(f"nn.{name}", (ShapedArray((2, 4), *e),)) for name in UNARY for e in elements(x64)]
    count, lines = differences(found, x64=x64, at_once=True)
    assert lines == []
    assert count > 700


@pytest.mark.parametrize("name", NAMES)
def test_signature(name: str) -> None:
    real = inspect.signature(resolve(name)).parameters.values()
    ours = RULES[name].signature.parameters.values()
    shown = [[(p.name, p.kind, p.default) for p in ps] for ps in (ours, real)]
    assert shown[0] == shown[1]


def test_the_functions_are_there() -> None:
    assert all(hasattr(jax.nn, n.removeprefix("nn.")) for n in NAMES if n.startswith("nn."))
