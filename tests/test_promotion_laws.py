"""The laws and JEP 9407's criteria: every violation, against a search by brute force and what is published."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations, permutations, product
from pathlib import Path

import numpy as np
import pytest

from arraytyping.semantics.promotion.criteria import (
    CRITERIA,
    keeps_components,
    keeps_precision,
    keeps_range,
    keeps_width,
    orderless,
)
from arraytyping.semantics.promotion.differences import jax_differs_from_numpy
from arraytyping.semantics.promotion.laws import Breach, Laws, check_laws
from arraytyping.semantics.promotion.losses import conversion_loss
from arraytyping.semantics.promotion.registry import names, system
from arraytyping.semantics.promotion.table_system import TableSystem

DATA = json.loads((Path(__file__).parent / "data" / "published_tables.json").read_text())
PUBLISHED = {"numpy": "numpy", "tensorflow": "tensorflow", "torch": "torch", "jax": "jax_numpy", "lax": "jax_lax"}
SCALARS = ("int", "float", "complex")

PAGE = (Path(__file__).parent.parent / "docs" / "promotion-differences.md").read_text(encoding="utf-8")


def on_the_page(section: str) -> dict[str, list[str]]:
    """The cells of the table in a section of the page, by the name in its first column."""
    text = PAGE.split(f"\n## {section}\n")[1].split("\n## ")[0]
    rows = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in text.splitlines() if "|" in line]
    return {name: cells for name, *cells in rows[2:]}


def counts(laws: Laws) -> tuple[int, ...]:
    kinds = (laws.existence, laws.commutativity, laws.associativity, laws.idempotence)
    return tuple(map(len, (*kinds, laws.reordering, laws.distributivity)))


def test_how_often_each_system_breaks_each_law() -> None:
    page = on_the_page("Laws")
    assert list(page) == list(names())
    for name in names():
        laws = check_laws(system(name)), check_laws(system(name), scalars=False)
        with_scalars, without = map(counts, laws)
        print(f"{name}: {with_scalars} with scalars, {without} without")
        assert page[name] == [f"{x}, {y}" for x, y in zip(with_scalars, without)], name
        assert laws[0].is_lattice == system(name).is_lattice()
        assert laws[0].is_partial_lattice == system(name).is_partial_lattice()


def test_how_often_each_system_breaks_each_criterion() -> None:
    page = on_the_page("The criteria of JEP 9407")
    assert list(page) == list(names())
    for name in names():
        one = system(name)
        cells = [str(len(c(one))) for c in (orderless, keeps_components, keeps_range)]
        for criterion in (keeps_precision, keeps_width):
            findings = criterion(one)
            cells.append(f"{sum(f.avoidable for f in findings)} of {len(findings)}")
        assert page[name] == cells, name


def test_how_many_cells_are_of_each_kind() -> None:
    kinds = Counter(d.kind for d in jax_differs_from_numpy())
    page = on_the_page("Against the published tables")
    assert {text: int(number) for number, (text,) in page.items()} == {k.value: n for k, n in kinds.items()}


@pytest.mark.parametrize("name", ["tensorflow", "tensorflow-safe", "array-api"])
def test_systems_that_refuse_in_one_order_and_contradict_in_none(name: str) -> None:
    laws = check_laws(system(name))
    assert laws.associativity
    assert not any(b.contradicts for b in laws.associativity)


def operands(breaches: tuple[Breach, ...]) -> set[tuple[str, ...]]:
    return {b.operands for b in breaches}


@pytest.mark.parametrize("name", PUBLISHED)
@pytest.mark.parametrize("scalars", [True, False])
def test_violations_of_the_published_tables(name: str, scalars: bool) -> None:
    """The same sets, searched for in the published data."""
    table = DATA[PUBLISHED[name]]
    nodes = [n for n in system(name).nodes if n in table and (scalars or n not in SCALARS)]

    def plus(a: str | None, b: str | None) -> str | None:
        return None if a is None or b is None else table[a][b]

    laws = check_laws(system(name), scalars=scalars)
    pairs, triples = list(product(nodes, repeat=2)), list(product(nodes, repeat=3))
    assert operands(laws.existence) == {p for p in pairs if plus(*p) is None}
    assert operands(laws.commutativity) == {(a, b) for a, b in combinations(nodes, 2) if plus(a, b) != plus(b, a)}
    assert operands(laws.idempotence) == {(a,) for a in nodes if plus(a, a) not in (a, None)}
    assert operands(laws.associativity) == {
        (a, b, c) for a, b, c in triples if plus(plus(a, b), c) != plus(a, plus(b, c))
    }
    assert operands(laws.reordering) == {
        t for t in combinations(nodes, 3) if len({plus(plus(a, b), c) for a, b, c in permutations(t)}) > 1
    }
    assert operands(laws.distributivity) == {
        (x, y, z) for x, y, z in triples if plus(x, plus(y, z)) != plus(plus(x, y), plus(x, z))
    }


def test_published_witnesses() -> None:
    torch = check_laws(system("torch"))
    assert len(torch.associativity) == 128
    assert all(b.contradicts for b in torch.associativity)
    assert not check_laws(system("torch"), scalars=False).associativity
    found = {b.operands: dict(b.results) for b in check_laws(system("numpy"), scalars=False).associativity}
    results = found["int8", "uint8", "float16"]
    assert results == {"(int8 + uint8) + float16": "float32", "int8 + (uint8 + float16)": "float16"}
    a, b, c = np.int8(1), np.uint8(1), np.float16(1)
    assert list(results.values()) == [str(((a + b) + c).dtype), str((a + (b + c)).dtype)]


def test_nodes_beside_the_table() -> None:
    jax = system("jax")
    assert check_laws(jax).is_lattice
    every = check_laws(jax, nodes=jax.nodes)
    assert not every.is_lattice
    assert every.is_partial_lattice
    assert ("int4", "int8") in operands(every.existence)


def test_what_the_laws_say_in_words() -> None:
    assert check_laws(system("jax")).explanation() == (
        "existence: every two of its dtypes and scalars promote",
        "commutativity: a + b and b + a agree",
        "associativity: (a + b) + c and a + (b + c) agree",
        "idempotence: a + a is a",
        "a + b + c keeps its dtype in every order",
        "x * (y + z) and x * y + x * z agree",
    )
    said = check_laws(system("numpy"), scalars=False).explanation()
    assert said[0] == "existence: every two of its dtypes promote"
    assert said[2].startswith("associativity: (a + b) + c and a + (b + c) agree, but 28 triples do not: (")
    assert "7 sets of operands do not: " in said[4]
    assert "42 triples do not: " in said[5]
    said = check_laws(system("tensorflow")).explanation()
    assert "22 pairs do not: uint8 + int is uint8, int + uint8 is undefined" in said[1]


def test_laws_can_fail() -> None:
    """A system that breaks each law once where nothing else breaks."""

    def one(**cells: str) -> TableSystem:
        table = {(a, b): max(a, b) for a, b in product("abc", repeat=2)}
        table |= {(key[0], key[1]): value for key, value in cells.items()}
        return TableSystem("own", "abc", lambda a, b: table[a, b] or None, title="", source="")

    assert one().is_lattice()
    assert [counts(check_laws(one(**c)))[:4] for c in ({"ab": "", "ba": ""}, {"ab": "c"}, {"aa": "b"})] == [
        (2, 0, 4, 0),  # c with a and b, in that order or b and a, with the parentheses on either side
        (0, 1, 1, 0),  # b + a + b
        (0, 0, 0, 1),
    ]
    assert not any(one(**c).is_lattice() for c in ({"ab": "", "ba": ""}, {"ab": "c"}, {"aa": "b"}))


def pairs(findings: object) -> set[tuple[str, str]]:
    return {(f.a, f.b) for f in findings}  # type: ignore[attr-defined]


def test_criteria_of_the_options_are_what_the_jep_says() -> None:
    first, second, third, numpy = (system(n) for n in ("jep-option-1", "jep-option-2", "jep-option-3", "jep-numpy"))
    assert not orderless(first)
    assert not orderless(second)
    assert not orderless(third)
    assert orderless(numpy)

    # 1 avoids all precision loss, and makes float64 of uint16 and float16.
    assert keeps_precision(first) == () == keeps_range(first)
    assert {("uint16", "float16"): "float32"}.items() <= {(f.a, f.b): f.instead for f in keeps_width(first)}.items()

    # 2 may lose precision, but no magnitude, and still widens float32 with uint32.
    assert pairs(keeps_precision(second))
    assert keeps_range(second) == ()
    unnecessary = {(f.a, f.b) for f in keeps_width(second) if f.avoidable}
    assert ("uint32", "float32") in unnecessary
    assert ("int32", "float32") not in pairs(keeps_width(second))
    assert len(unnecessary) < len([f for f in keeps_width(first) if f.avoidable])

    # 3 widens nothing unnecessarily; what it widens are unsigned with signed integers.  int64 overflows float16.
    assert not any(f.avoidable for f in keeps_width(third))
    assert pairs(keeps_width(third)) == {
        *(("uint8", "int8"), ("uint16", "int8"), ("uint16", "int16")),
        *(("uint32", "int8"), ("uint32", "int16"), ("uint32", "int32")),
    }
    assert ("int64", "float16") in pairs(keeps_range(third))


def test_criteria_of_libraries() -> None:
    for name in names():
        one = system(name)
        assert keeps_components(one) == ()
        for criterion in (keeps_range, keeps_precision):
            for finding in criterion(one):
                assert one.promote(finding.a, finding.b) == finding.result
    assert not keeps_range(system("numpy"))
    assert not any(f.avoidable for f in keeps_precision(system("numpy")))
    assert ("int32", "float32") in pairs(keeps_width(system("numpy")))
    assert pairs(keeps_width(system("torch"))) == {("uint8", "int8"), ("bfloat16", "float16")}
    assert not keeps_precision(system("tensorflow-safe"))
    assert not keeps_width(system("lax"))
    assert list(CRITERIA) == [
        *("a (partial) lattice", "no component dropped", "no overflow", "precision kept where possible"),
        "no unnecessary widening",
    ]


def test_criteria_by_the_definition() -> None:
    """JAX's table, pair by pair, from the losses alone."""
    jax, dtypes = system("jax"), [n for n in system("jax").tabled if n not in SCALARS]
    stored = {"int": "int64", "float": "float64", "complex": "complex128"}
    for a, b in combinations(dtypes, 2):
        result = jax.promote(a, b)
        losses = [conversion_loss(n, stored.get(result, result)) for n in (a, b)]
        assert ((a, b) in pairs(keeps_range(jax))) == any(x.overflow for x in losses)
        assert ((a, b) in pairs(keeps_precision(jax))) == any(x.precision for x in losses)


def test_criteria_can_fail() -> None:
    cells = {("complex64", "float32"): "float32", ("float32", "complex64"): "complex64"}
    dropping = TableSystem("own", ("float32", "complex64"), lambda a, b: cells.get((a, b), a), title="", source="")
    assert [(f.a, f.b, f.result, f.instead) for f in keeps_components(dropping)] == [
        ("complex64", "float32", "float32", "complex64")
    ]
    down = TableSystem("own", ("uint32", "int32", "int64"), lambda a, b: "int32", title="", source="")
    found = {(f.a, f.b): f for f in keeps_range(down)}
    assert found["uint32", "int32"].instead == "int64"
    assert "(int64 would not)" in str(found["uint32", "int32"])
