"""JAX's promotion, compared with the installed JAX for every pair in every mode, errors included."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Callable
from itertools import combinations, product
from math import comb
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax._src import config, dtypes
from oracle import MISSING, RELEASE, configured, to_dtype

from arraytyping.scalars import DTYPES as ALL_DTYPES
from arraytyping.semantics.lattice import Lattice
from arraytyping.semantics.promotion.jax import (
    NARROW_INTS,
    WEAK,
    Element,
    JaxPromotion,
    Mode,
    PromotionError,
    jax_lattice,
)
from arraytyping.semantics.releases import NEWEST

MODES: list[tuple[Mode, bool]] = [("standard", False), ("standard", True), ("strict", False), ("strict", True)]
DTYPES = tuple(d for d in ALL_DTYPES if d not in MISSING)
NODES = (*DTYPES, *WEAK)
PYTHON = {"int": int, "float": float, "complex": complex}
PUBLISHED = json.loads((Path(__file__).parent / "data" / "published_tables.json").read_text())

Answer = tuple[str, Any]


def jax_node(node: str) -> Any:
    """A node of the lattice as JAX has it."""
    return PYTHON.get(node) or to_dtype(node)


def outcome(function: Callable[..., Any], *args: Any) -> Answer:
    """What a call gives, or its exception and message, in which the order of the dtypes does not count."""
    try:
        result = function(*args)
    except ValueError as error:
        message = str(error) if RELEASE == NEWEST else ""  # older ones have other words
        listed = re.search(r"Input dtypes (\(.*?\)) have", message)
        if listed is None:
            return "ValueError", message
        names = sorted(ast.literal_eval(listed[1]))
        kind = "TypePromotionError" if isinstance(error, PromotionError) else type(error).__name__
        return kind, message.replace(listed[1], str(names))
    if isinstance(result, tuple):  # a dtype and its weak type
        return "is", (str(result[0]), bool(result[1]))
    return "is", str(result)


def report(what: str, count: int, lines: list[str]) -> None:
    print(f"{what}: {count} compared, {len(lines)} differences")
    assert lines == []


def test_promote_types_of_every_pair() -> None:
    count, lines = 0, []
    for mode, x64 in MODES:
        promotion = JaxPromotion(mode, x64)
        with configured(x64, mode):
            for a, b in product(NODES, NODES):
                real = outcome(jnp.promote_types, jax_node(a), jax_node(b))
                ours = outcome(promotion.promote_types, a, b)
                count += 1
                if real != ours:
                    lines.append(f"{mode}, x64={x64}: {a}, {b}: jax says {real}, we say {ours}")
    report("promote_types", count, lines)
    assert count == 4 * len(NODES) ** 2


def tracers(inside: Callable[[list[Element], list[Any]], None]) -> None:
    """Call with a tracer of every dtype, strong and weak: also weak ones that are not the default, and 64-bit ones."""
    every = [Element(dtype, weak) for weak in (False, True) for dtype in DTYPES]
    structs = [jax.ShapeDtypeStruct((), to_dtype(e.dtype), weak_type=e.weak_type) for e in every]  # type: ignore[no-untyped-call]

    def traced(*arrays: Any) -> None:
        assert [Element(str(a.dtype), a.aval.weak_type) for a in arrays] == every
        inside(every, list(arrays))

    with jax.enable_x64(True):
        jax.eval_shape(traced, *structs)


def test_join_and_result_type_of_every_pair() -> None:
    count, crashes, lines = 0, 0, []

    def compare(every: list[Element], arrays: list[Any]) -> None:
        nonlocal count, crashes
        groups = [*product(range(len(every)), repeat=2), *((i,) for i in range(len(every)))]
        for mode, x64 in MODES:
            promotion = JaxPromotion(mode, x64)
            with configured(x64, mode):  # so that with x64 off there are 64-bit arrays, made while it was on
                for group in groups:
                    elements, operands = [every[i] for i in group], [arrays[i] for i in group]
                    join, type_ = outcome(promotion.join, elements), outcome(promotion.result_type, elements)
                    count += 2
                    if (real := outcome(dtypes.lattice_result_type, *operands)) != join:
                        lines.append(f"join, {mode}, x64={x64}: {elements}: jax says {real}, we say {join}")
                    if join[0] == "is" and join[1][1] and join[1][0] in NARROW_INTS:
                        # JAX has no default for the kind "V", which NumPy says these dtypes to be.
                        with pytest.raises(KeyError, match="V"):
                            jnp.result_type(*operands)
                        crashes += 1
                    elif (real := outcome(result_type, *operands)) != type_:
                        lines.append(f"result_type, {mode}, x64={x64}: {elements}: jax says {real}, we say {type_}")

    tracers(compare)
    report(f"join and result_type ({crashes} times JAX fails)", count, lines)
    assert count == 4 * 2 * ((2 * len(DTYPES)) ** 2 + 2 * len(DTYPES))
    assert crashes < 500


def result_type(*operands: Any) -> tuple[Any, bool]:
    return dtypes.result_type(*operands, return_weak_type_flag=True)


def dtype_of_result(promotion: JaxPromotion, operands: list[Element]) -> str:
    return promotion.result_type(operands).dtype


def test_result_type_of_dtypes_and_python_types() -> None:
    count, lines = 0, []
    for mode, x64 in MODES:
        promotion = JaxPromotion(mode, x64)
        with configured(x64, mode):
            for a, b in product(NODES, NODES):
                operands = [
                    Element(promotion.default(n), True) if n in WEAK else Element(promotion.canonicalize(n), False)
                    for n in (a, b)
                ]
                real = outcome(jnp.result_type, jax_node(a), jax_node(b))
                ours = outcome(dtype_of_result, promotion, operands)
                count += 1
                if real != ours:
                    lines.append(f"{mode}, x64={x64}: {a}, {b}: jax says {real}, we say {ours}")
    report("result_type of dtypes", count, lines)
    assert count == 4 * len(NODES) ** 2


def test_bound_of_every_triple() -> None:
    count, lines = 0, []
    for mode, x64 in MODES:
        lattice = jax_lattice(mode, x64)
        theirs = config.NumpyDtypePromotion[mode.upper()]
        nodes = {n: jax_node(n) for n in NODES}
        for triple in combinations(NODES, 3):
            try:
                bound = dtypes._least_upper_bound(theirs, x64, *(nodes[n] for n in triple))
                real = bound.__name__ if isinstance(bound, type) else str(bound)
            except ValueError:
                real = None
            minimal = lattice.minimal_upper_bounds(*triple)
            ours = minimal[0] if len(minimal) == 1 else None
            count += 1
            if real != ours:
                lines.append(f"{mode}, x64={x64}: {triple}: jax says {real}, we say {minimal}")
    report("bounds of triples", count, lines)
    assert count == 4 * comb(len(NODES), 3)


def test_published_table() -> None:
    """The table of JEP 9407, which has a weak type as a result where `promote_types` gives its 64-bit dtype."""
    table = PUBLISHED["jax_numpy"]
    lattice = jax_lattice("standard", True)
    wrong = [
        f"{a}, {b}: published {table[a][b]}, we say {lattice.join(a, b)}"
        for a, b in product(table, table)
        if lattice.join(a, b) != table[a][b]
    ]
    assert wrong == []
    assert len(table) == 18


@pytest.mark.parametrize(("mode", "x64"), MODES)
def test_defaults_and_canonical_dtypes(mode: Mode, x64: bool) -> None:
    promotion = JaxPromotion(mode, x64)
    with configured(x64, mode):
        for dtype in DTYPES:
            assert promotion.canonicalize(dtype) == str(dtypes.canonicalize_dtype(to_dtype(dtype)))
        for kind in "biufc":
            assert promotion.default(kind) == str(dtypes.default_types[kind]() if kind != "b" else jnp.dtype(bool))
        for name, python in {**PYTHON, "bool": bool}.items():
            assert promotion.default(name) == str(jnp.result_type(python))


def test_a_default_of_no_kind_is_an_error() -> None:
    with pytest.raises(KeyError):
        JaxPromotion().default("string")


@pytest.mark.parametrize("weak", [False, True])
def test_node_of_every_dtype(weak: bool) -> None:
    promotion = JaxPromotion()
    for dtype in DTYPES:
        real = dtypes._jax_type(to_dtype(dtype), weak)
        assert promotion.node(Element(dtype, weak)) == (real.__name__ if isinstance(real, type) else str(real))


def test_equal_modes_are_equal_and_hash_equally() -> None:
    assert JaxPromotion() == JaxPromotion("standard", x64=False)
    assert hash(JaxPromotion()) == hash(JaxPromotion("standard", x64=False))
    assert len({JaxPromotion(mode, x64) for mode, x64 in MODES * 2}) == 4


def test_another_lattice_decides() -> None:
    chain = Lattice({a: (b,) if b else () for a, b in zip(NODES, (*NODES[1:], ""))})
    own = JaxPromotion(lattice=chain)
    assert own != JaxPromotion()
    with pytest.raises(PromotionError):
        JaxPromotion().join([Element("int8", False), Element("uint4", False)])
    later = max("int8", "uint4", key=NODES.index)
    assert own.join([Element("int8", False), Element("uint4", False)]) == Element(later, False)


def test_no_operands() -> None:
    for function in (JaxPromotion().join, JaxPromotion().result_type):
        with pytest.raises(ValueError, match="at least one array or dtype is required"):
            function([])


def test_the_error_names_the_nodes() -> None:
    with pytest.raises(PromotionError, match=r"\('int8', 'int4'\).*x\.astype\('int32'\)") as error:
        JaxPromotion().join([Element("int8", False), Element("int4", False), Element("int8", False)])
    assert error.value.elements == ("int8", "int4")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert JaxPromotion().join([Element("int64", False)]) == Element("int64", False)
