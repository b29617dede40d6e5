"""Promotion systems against the tables published in JEP 9407, and against the libraries that are installed."""

from __future__ import annotations

import importlib.util
import json
from collections import Counter
from collections.abc import Callable
from itertools import permutations, product
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from oracle import configured, to_dtype

from arraytyping.semantics.promotion.differences import Difference, Kind, differences, jax_differs_from_numpy
from arraytyping.semantics.promotion.numpy_legacy import NumPyLegacy, NumPyScalar, PythonScalar, min_scalar_type
from arraytyping.semantics.promotion.registry import system
from arraytyping.semantics.promotion.system import PUBLISHED, PromotionError

DATA = json.loads((Path(__file__).parent / "data" / "published_tables.json").read_text())
SYSTEMS = {"numpy": "numpy", "tensorflow": "tensorflow", "torch": "torch", "jax_numpy": "jax", "jax_lax": "lax"}
SCALARS: dict[str, Any] = {"int": 0, "float": 0.0, "complex": 0j}
NARROW = [n for n in PUBLISHED if n not in ("int64", "uint64", "float64", "complex128")]

Table = dict[str, dict[str, str | None]]


def unequal(ours: Table, theirs: Table) -> list[str]:
    """The cells that differ, and those that only one of the tables has."""
    cells = {(a, b) for table in (ours, theirs) for a, row in table.items() for b in row}
    here = {(a, b): (ours.get(a, {}).get(b, "missing"), theirs.get(a, {}).get(b, "missing")) for a, b in sorted(cells)}
    return [f"{a} + {b}: we say {x}, they {y}" for (a, b), (x, y) in here.items() if x != y]


def table_of(names: list[str] | tuple[str, ...], result: Callable[[str, str], str | None]) -> Table:
    return {a: {b: result(a, b) for b in names} for a in names}


def test_every_published_cell() -> None:
    equal = 0
    for key, name in SYSTEMS.items():
        table = system(name).table()
        assert list(table) == list(DATA[key])
        assert unequal(table, DATA[key]) == [], name
        equal += sum(len(row) for row in table.values())
    print(f"{equal} of 1620 published cells are equal")
    assert equal == 5 * 18 * 18 == 1620


def test_the_published_cells_in_which_jax_differs_from_numpy() -> None:
    found = jax_differs_from_numpy()
    assert [[d.a, d.b] for d in found] == DATA["jax_differs_from_numpy"]
    kinds = {(d.a, d.b): d.kind for d in found}
    assert Counter(kinds.values()) == {Kind.BFLOAT16: 35, Kind.INEXACT: 34, Kind.WEAK: 26}
    assert all((kind is Kind.BFLOAT16) == ("bfloat16" in cell) for cell, kind in kinds.items())
    assert kinds["int16", "int"] is kinds["float16", "float"] is kinds["complex64", "float"] is Kind.WEAK
    assert kinds["int32", "float32"] is kinds["uint16", "float16"] is kinds["int", "complex64"] is Kind.INEXACT


def test_differences_of_two_tables() -> None:
    assert differences(system("numpy"), system("numpy-legacy")) == ()
    found = differences(system("jax"), system("numpy"))
    assert Difference("int32", "float32", "float32", "float64") in found
    assert Difference("bool", "bfloat16", "bfloat16", None) in found
    cells = [(d.a, d.b) for d in found]
    theirs = DATA["jax_numpy"], DATA["numpy"]
    assert cells == [(a, b) for a, b in product(PUBLISHED, repeat=2) if theirs[0][a][b] != theirs[1][a][b]]


def jax_result(function: Callable[[Any, Any], Any], a: str, b: str) -> str | None:
    """What an operation of JAX gives for two nodes; a weak result is named by its Python type."""

    def traced() -> Any:
        return function(*(SCALARS[n] if n in SCALARS else jnp.zeros((), to_dtype(n)) for n in (a, b)))

    try:
        result = jax.eval_shape(traced)
    except (TypeError, ValueError):
        return None
    weak = {"i": "int", "f": "float", "c": "complex"}.get(result.dtype.kind) if result.weak_type else None
    return weak or str(result.dtype)


def test_installed_jax() -> None:
    with configured(True, "standard"):
        assert unequal(system("jax").table(), table_of(PUBLISHED, lambda a, b: jax_result(jnp.add, a, b))) == []
        assert unequal(system("lax").table(), table_of(PUBLISHED, lambda a, b: jax_result(jax.lax.add, a, b))) == []
    with configured(True, "strict"):
        theirs = table_of(PUBLISHED, lambda a, b: jax_result(jnp.add, a, b))
        assert unequal(system("jax-strict").table(), theirs) == []
    with configured(False, "standard"):
        assert unequal(system("jax-x32").table(), table_of(NARROW, lambda a, b: jax_result(jnp.add, a, b))) == []


def numpy_result(a: str, b: str) -> str | None:
    operands = [SCALARS[n] if n in SCALARS else np.zeros(1, getattr(ml_dtypes, n, n)) for n in (a, b)]
    try:
        return np.result_type(*operands).name
    except TypeError:
        return None


def test_installed_numpy() -> None:
    names = system("numpy").nodes
    assert set(names) == set(PUBLISHED) - {"bfloat16"}
    assert unequal(system("numpy").table(names), table_of(names, numpy_result)) == []
    dtypes = [n for n in names if n not in SCALARS]
    for a, b in product(dtypes, repeat=2):
        assert system("numpy").promote(a, b) == np.promote_types(a, b).name


def test_installed_ml_dtypes() -> None:
    assert unequal(system("ml-dtypes").table(), table_of(PUBLISHED, numpy_result)) == []


def test_installed_numpy_in_longer_expressions() -> None:
    def added(*names: str) -> str:
        """The dtype of `a + b + c`, arrays or Python scalars of which the first two are not both Python's."""
        first, *others = (SCALARS[n] if n in SCALARS else np.ones(1, n) for n in names)
        for other in others:
            first = first + other
        return str(first.dtype)

    some = ("bool", "uint8", "int8", "uint64", "int32", "float16", "complex64", "float")
    for names in permutations(some, 3):
        assert system("numpy").promote(*names) == added(*names), names
    assert added("int8", "uint8", "float16") != added("int8", "float16", "uint8")


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch is not installed")
def test_installed_torch() -> None:
    torch = pytest.importorskip("torch")

    def result(a: str, b: str) -> str | None:
        operands = [SCALARS[n] if n in SCALARS else torch.zeros(1, dtype=getattr(torch, n)) for n in (a, b)]
        return str(torch.add(*operands).dtype).removeprefix("torch.")

    names = system("torch").nodes
    assert unequal(system("torch").table(names), table_of(names, result)) == []


LEGACY: list[tuple[tuple[str | NumPyScalar | PythonScalar, ...], str]] = [
    # JEP 9407
    (("int8", 1), "int8"),
    (("int8", 1000), "int16"),
    ((NumPyScalar("int8", 0), 1), "int64"),
    # NEP 50, the column of old results
    ((NumPyScalar("uint8", 1), 2), "int64"),
    (("uint8", NumPyScalar("int64", 1)), "uint8"),
    (("float32", NumPyScalar("float64", 1.0)), "float32"),
    (("uint8", 1), "uint8"),
    (("uint8", 200), "uint8"),
    (("uint8", 300), "uint16"),
    ((NumPyScalar("uint8", 1), 300), "int64"),
    ((NumPyScalar("float32", 1), 3e100), "float64"),
    (("float32", 3), "float32"),
    (("float32", NumPyScalar("int64", 3)), "float32"),
    (("int8", 255), "int16"),
    (("int8", NumPyScalar("int64", 1)), "int8"),
    (("float32", 1e200), "float64"),
    # numpy.result_type of NumPy 1
    ((3, "int8"), "int8"),
    (("int32", "complex64"), "complex128"),
    ((3.0, -2), "float64"),
    # a scalar of a higher category counts with its dtype
    (("int8", 1.0), "float64"),
    (("bool", 1), "int64"),
    (("int8", 1j), "complex128"),
]


@pytest.mark.parametrize(("operands", "expected"), LEGACY, ids=str)
def test_numpy_1_by_value(operands: tuple[str | NumPyScalar | PythonScalar, ...], expected: str) -> None:
    legacy = system("numpy-legacy")
    assert isinstance(legacy, NumPyLegacy)
    assert legacy.result_type(*operands) == expected


def test_numpy_1_for_arrays_and_small_values_is_its_table() -> None:
    legacy = system("numpy-legacy")
    assert isinstance(legacy, NumPyLegacy)
    for a, b in product(legacy.nodes, repeat=2):
        if a not in SCALARS or b not in SCALARS:
            assert legacy.result_type(SCALARS.get(a, a), SCALARS.get(b, b)) == DATA["numpy"][a][b]


def test_numpy_1_refuses_what_it_keeps_as_an_object() -> None:
    legacy = system("numpy-legacy")
    assert isinstance(legacy, NumPyLegacy)
    assert legacy.result_type("int8", 2**63) == "float64"
    with pytest.raises(PromotionError, match="more than 64 bits"):
        legacy.result_type("int8", 2**64)
    with pytest.raises(PromotionError, match="numpy-legacy has no bfloat16"):
        legacy.result_type("bfloat16", 1)
    with pytest.raises(ValueError, match="at least one"):
        legacy.result_type()


def test_min_scalar_type_of_the_installed_numpy() -> None:
    edges = [2**k + d for k in (0, 7, 8, 15, 16, 31, 32, 63, 64) for d in (-2, -1, 0, 1)]
    integers = [n for e in edges for n in (e, -e) if -(2**63) <= n < 2**64]
    reals = [0.0, 1.5, 64999.9, 65000.0, 65504.0, 3.3e38, 3.4e38, 3.41e38, 1e300, float("inf"), float("nan")]
    floats = [f for r in reals for f in (r, -r)]
    complexes = [complex(r, i) for r in reals for i in (0.0, 1e39)]
    values: list[PythonScalar] = [True, False, *integers, *floats, *complexes]
    assert [min_scalar_type(v) for v in values] == [np.min_scalar_type(v).name for v in values]
    for dtype in ("float16", "float32", "int8", "uint64", "complex64"):
        for value in (0, 1, 100):
            scalar = np.dtype(dtype).type(value)
            assert min_scalar_type(NumPyScalar(dtype, value)) == np.min_scalar_type(scalar).name
    for dtype in ("float16", "float32"):
        top = float(np.finfo(dtype).max)
        assert min_scalar_type(NumPyScalar(dtype, top)) == np.min_scalar_type(np.dtype(dtype).type(top)).name
