"""The rules of the elementwise functions of jax.lax against JAX itself, for every dtype and pair of dtypes."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

import jax
import pytest
from oracle import Call, Raised, array, differences, elements, rule_says

from arraytyping.scalars import DTYPES
from arraytyping.semantics.avals import UNKNOWN, NumPyArray, Scalar, ShapedArray, SymbolicDim
from arraytyping.semantics.rules import lax_binary, lax_unary
from arraytyping.semantics.rules.registry import RULES

UNARY = [n for row in lax_unary.ROWS for n in row.names.split()] + ["conj", "round", "stage", "stop_gradient"]
BINARY = [n for row in lax_binary.ROWS for n in row.names.split()] + [
    "mul", "mulhi", "pow", "nextafter", "polygamma", "zeta", "igamma", "igammac", "igamma_grad_a",
]  # fmt: skip
ONE_OF_EACH = [row.names.split()[0] for row in lax_binary.ROWS] + ["mul", "mulhi", "pow", "igamma"]
OTHER = ["betainc", "bitcast_convert_type", "clamp", "convert_element_type", "integer_pow", "reduce_precision",
         "select", "select_n"]  # fmt: skip
PYTHON_SCALARS: tuple[bool | float | complex, ...] = (True, 2, 2.5, 1j)
ODD = (2**31 - 1, 2**31, -(2**31) - 1, 2**63, 2**70, None, "a", [1.0], (1,), slice(None), float)
SHAPES: list[tuple[int, ...]] = [(), (3,), (1,), (0,), (4,), (2, 3), (2, 1), (1, 3), (2, 2, 3)]


def all_elements(x64: bool) -> list[tuple[str, bool]]:
    """Every dtype and weak dtype, weak bool, and a weak dtype that is no default."""
    return [*elements(x64), ("bool", True), ("int8", True)]


def check(count: int, lines: list[str], at_least: int) -> None:
    print(f"{count} calls compared, {len(lines)} differ")
    assert lines == []
    assert count >= at_least


def compare(names: Iterable[str], operands: Iterable[tuple[Any, ...]], *, x64: bool, at_least: int) -> None:
    """Each of the functions on each of the arguments."""
    calls = [Call(f"lax.{name}", args) for args in operands for name in names]
    check(*differences(calls, x64=x64, at_once=True), at_least=at_least)


@pytest.mark.parametrize("name", sorted({*UNARY, *BINARY, *OTHER}))
def test_signature(name: str) -> None:
    real = list(inspect.signature(getattr(jax.lax, name)).parameters.values())
    ours = list(RULES[f"lax.{name}"].signature.parameters.values())
    assert [(p.name, p.kind, p.default) for p in ours] == [(p.name, p.kind, p.default) for p in real]


@pytest.mark.parametrize("x64", [False, True])
def test_unary_of_every_dtype(x64: bool) -> None:
    operands: list[tuple[Any, ...]] = [
        (ShapedArray(shape, *e),) for e, shape in product(all_elements(x64), ((), (2, 3), (0,)))
    ]
    operands += [(NumPyArray(shape, dtype),) for dtype in DTYPES for shape in ((), (2,))]
    operands += [(value,) for value in PYTHON_SCALARS]
    compare(UNARY, operands, x64=x64, at_least=7000)
    # It goes through containers.
    compare([n for n in UNARY if n != "stop_gradient"], [(v,) for v in ODD], x64=x64, at_least=450)


@pytest.mark.parametrize("x64", [False, True])
def test_binary_of_every_pair(x64: bool) -> None:
    pairs = product(all_elements(x64), repeat=2)
    arrays = [(ShapedArray((2, 3), *a), ShapedArray((2, 3), *b)) for a, b in pairs]
    compare(BINARY, arrays, x64=x64, at_least=30_000)


@pytest.mark.parametrize("x64", [False, True])
def test_binary_with_scalars(x64: bool) -> None:
    arrays = [ShapedArray((2,), *e) for e in all_elements(x64)]
    operands: list[tuple[Any, ...]] = []
    for a, s in product(arrays, PYTHON_SCALARS):
        operands += [(a, s), (s, a)]
    operands += list(product(PYTHON_SCALARS, repeat=2))
    compare(BINARY, operands, x64=x64, at_least=8_000)
    operands = []
    for a, value in product((array("int8", 2), array("float32")), ODD):
        operands += [(a, value), (value, a)]
    for a, dtype in product((array("int32", 2), array("float32", 2, weak=True)), DTYPES):
        operands += [(a, NumPyArray((2,), dtype)), (NumPyArray((), dtype), a)]
    compare(ONE_OF_EACH, operands, x64=x64, at_least=2_000)


def test_binary_shapes() -> None:
    """Every pair of shapes: those of rank 0 broadcast, other ranks must be equal."""
    operands = [(ShapedArray(s, "float32", a), ShapedArray(t, "float32", b))
                for s, t in product(SHAPES, repeat=2) for a, b in ((True, True), (True, False))]  # fmt: skip
    floats = [n for n in BINARY if not isinstance(rule_says(Call(f"lax.{n}", operands[0])), Raised)]
    compare(floats, operands, x64=False, at_least=2_000)
    three = [tuple(ShapedArray(s, "float32") for s in shapes) for shapes in product(SHAPES, repeat=3)]
    compare(["betainc", "clamp"], three, x64=False, at_least=1_400)
    chosen = [
        (ShapedArray(s[0], "bool"), *(ShapedArray(t, "float32") for t in s[1:])) for s in product(SHAPES, repeat=3)
    ]
    compare(["select", "select_n"], chosen, x64=False, at_least=1_400)


@pytest.mark.parametrize("x64", [False, True])
def test_conversions_of_every_pair(x64: bool) -> None:
    """To every dtype from every dtype, array or Python scalar."""
    names = ["convert_element_type", "bitcast_convert_type"]
    arrays = [ShapedArray(shape, *e) for e, shape in product(all_elements(x64), ((), (4,)))]
    operands: list[tuple[Any, ...]] = list(product(arrays, DTYPES))
    operands += list(product((*PYTHON_SCALARS, float("nan"), *ODD), DTYPES))
    f = array("float32", 2)
    operands += [(f, to) for to in (None, "abc", 1, int, float, bool, complex, "f4", f, [1])]
    operands += [(NumPyArray((2,), "float64"), "int8"), (NumPyArray((), "int64"), "float32")]
    compare(names, operands, x64=x64, at_least=4_500)
    bits = [(ShapedArray(s, "int8"), d) for s in ((2,), (8,), (3, 1), (3, 4), (0,)) for d in DTYPES]
    compare(names[1:], bits, x64=x64, at_least=150)


def choices() -> Iterator[Call]:
    """Of `select`, `select_n` and `clamp`: dtypes of the one that chooses, and of those that are chosen."""
    f = array("float32", 2)
    for e in all_elements(False):
        x = ShapedArray((2,), *e)
        yield Call("lax.select", (x, f, f))
        yield Call("lax.select", (array("bool", 2), x, x))
        yield Call("lax.select", (True, x, ShapedArray((2,), e[0], not e[1]) if e[1] else x))
        yield Call("lax.select", (array("bool"), x, f))
        yield Call("lax.select_n", (x, f, f, f))
        yield Call("lax.select_n", (array("int32"), x, x, x))
        yield Call("lax.clamp", (x, x, x))
        yield Call("lax.clamp", (ShapedArray((), *e), x, ShapedArray((), *e)))
        for s in PYTHON_SCALARS:
            yield Call("lax.clamp", (s, x, s))
            yield Call("lax.select", (s, x, x))
            yield Call("lax.select", (array("bool"), s, ShapedArray((), *e)))
    yield Call("lax.select_n", (array("bool", 2),))
    yield Call("lax.select_n", (array("bool", 2), f))
    for odd in ODD:
        for name in ("clamp", "select"):
            yield Call(f"lax.{name}", (odd, f, f))
            yield Call(f"lax.{name}", (array("bool"), f, odd))


def special_arguments() -> Iterator[Call]:
    f, i, w = array("float32", 2), array("int32", 2), array("float32", weak=True)
    for e in all_elements(False):
        x = ShapedArray((2, 1), *e)
        for y in (0, 2, -1, 2.5, -1.5, True, 2**40, -(2**70)):
            yield Call("lax.integer_pow", (x, y))
        yield Call("lax.reduce_precision", (x, 8, 7))
        yield Call("lax.betainc", (x, x, x))
        yield Call("lax.betainc", (x, f, 1.0))
        for out in ("int8", "float64", float):
            yield Call("lax.mul", (x, x), {"out_dtype": out})
            yield Call("lax.mul", (x, f), {"out_dtype": out})
    for exponent in (None, "a", 1j, [1]):
        yield Call("lax.integer_pow", (f, exponent))
    for method in (0, 1, True, 1.0, 2, -1, "a", None):
        yield Call("lax.round", (f, method))
    for bits in ((0, 7), (8, -1), (1, 0), (8.0, 7), (True, 7), (None, 7), (8, "a"), (8, NumPyArray((), "int32"))):
        yield Call("lax.reduce_precision", (f, *bits))
    yield Call("lax.reduce_precision", (1.0, 8, 7))
    for named in ("abc", 1, int, bool, complex, "f2", None, "int64"):
        yield Call("lax.mul", (w, w), {"out_dtype": named})
        yield Call("lax.mul", (w, i), {"out_dtype": named})
    for name in ("exp", "log", "tanh", "cbrt"):
        yield Call(f"lax.{name}", (f,), {"accuracy": None})
    for value in (None, "a", slice(None), float, 2.5, True, NumPyArray((2,), "float64"), w):
        yield Call("lax.stop_gradient", (value,))


@pytest.mark.parametrize("x64", [False, True])
def test_choices(x64: bool) -> None:
    check(*differences(choices(), x64=x64, at_once=True), at_least=700)


@pytest.mark.parametrize("x64", [False, True])
def test_special_arguments(x64: bool) -> None:
    check(*differences(special_arguments(), x64=x64, at_once=True), at_least=600)


def calls() -> Iterator[Call]:
    """A few hundred fully known calls of every function."""
    elements_ = [("bool", False), ("uint4", False), ("int32", False), ("int32", True), ("float16", False),
                 ("float32", True), ("complex64", False)]  # fmt: skip
    for k, name in enumerate(UNARY):
        for n, e in enumerate(elements_):
            yield Call(f"lax.{name}", (ShapedArray(SHAPES[(k + n) % 6], *e),))
        yield Call(f"lax.{name}", (PYTHON_SCALARS[k % 4],))
    for k, name in enumerate(BINARY):
        for n, e in enumerate(elements_):
            shapes = SHAPES[(k + n) % 5], SHAPES[(2 * k + n) % 5]
            yield Call(f"lax.{name}", (ShapedArray(shapes[0], *e), ShapedArray(shapes[1], *e)))
        yield Call(f"lax.{name}", (array("float32", 2), 1.5))
        yield Call(f"lax.{name}", (NumPyArray((2, 1), "int32"), array("int32", 1, 3)))
    yield from list(choices())[::5]
    yield from list(special_arguments())[::4]
    for x, to in product((array("int32", 4), array("int8", 2, 4), 2, NumPyArray((2,), "float32")), ("int8", "float32")):
        yield Call("lax.convert_element_type", (x, to))
        yield Call("lax.bitcast_convert_type", (x, to))


def test_messages() -> None:
    """They say what was given and what to do."""
    said = rule_says(Call("lax.add", (array("float32", 2), array("int32", 2))))
    assert said.message == (
        "lax.add requires arguments to have the same dtypes, got float32[2], int32[2]; it promotes nothing: "
        "convert one of them, with .astype('float32'), or use the function of jax.numpy"
    )
    said = rule_says(Call("lax.sin", (array("int32", 2),)))
    assert said.message == (
        "lax.sin does not take int32; it takes floats and complex numbers: convert first, with x.astype(jnp.float32)"
    )
    said = rule_says(Call("lax.add", (array("float32", 2, 3), array("float32", 3))))
    assert "(2, 3) and (3,) do not have the same number of dimensions" in said.message


def test_partly_known_operands() -> None:
    """What is known of one operand is known of all, since they must agree."""
    some, anything = ShapedArray((2, None), "float16"), ShapedArray(None, None)
    assert rule_says(Call("lax.add", (some, anything))) == ShapedArray((2, None), "float16")
    assert rule_says(Call("lax.add", (UNKNOWN, some))) == ShapedArray((2, None), "float16")
    assert rule_says(Call("lax.add", (ShapedArray((), None), Scalar("float")))) == ShapedArray((), "float32", None)
    named = ShapedArray((SymbolicDim("n"), 3), "float32")
    assert rule_says(Call("lax.select", (array("bool", 4, 3), named, anything))) == array("float32", 4, 3)
    assert rule_says(Call("lax.stop_gradient", ((some, 1),))) is UNKNOWN  # it may be a pytree of a class of its own
    assert rule_says(Call("lax.lt", (UNKNOWN, UNKNOWN))) == ShapedArray(None, "bool", None)
