"""Promotion systems as objects: the graphs of JEP 9407 edge by edge, TensorFlow's modes, names, paths, extensions."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from oracle import to_dtype

from arraytyping.scalars import DTYPES, KINDS, SMALL_FLOATS, bits
from arraytyping.semantics.lattice import CycleError
from arraytyping.semantics.promotion.dtype_names import UnknownDtypeError, parse_dtype, short_name
from arraytyping.semantics.promotion.jax import NARROW_INTS, JaxPromotion
from arraytyping.semantics.promotion.jep import GRAPHS
from arraytyping.semantics.promotion.losses import FLOAT_FORMATS, conversion_loss, values_of
from arraytyping.semantics.promotion.registry import SYSTEMS, UnknownSystemError, names, system
from arraytyping.semantics.promotion.system import PUBLISHED, PromotionError, System

# The dicts of edges in the document's own cells, in its notation.
JEP = json.loads((Path(__file__).parent / "data" / "jep_9407_graphs.json").read_text())


def edges_of(system: System) -> set[tuple[str, str]]:
    return {(a, b) for a, above in system.covers.items() for b in above}


def test_names() -> None:
    assert set(names()) == set(SYSTEMS) == {s.name for s in SYSTEMS.values()}
    asked = ("jax", "lax", "numpy", "numpy-legacy", "torch", "tensorflow", "tensorflow-safe", "tensorflow-all")
    assert {*asked, "array-api", "python", *GRAPHS} <= set(names())
    assert system("jax") is SYSTEMS["jax"]
    assert all(s.title and s.source.startswith("https://") for s in SYSTEMS.values())


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("jx", "'jx' is no promotion system; did you mean jax"),
        ("tensorflow-save", "did you mean tensorflow-safe or"),
        ("jep-option-4", "did you mean jep-option-"),
        ("zzzz", "the systems are jax, "),
    ],
)
def test_unknown_systems(name: str, message: str) -> None:
    with pytest.raises(UnknownSystemError, match=message):
        system(name)


@pytest.mark.parametrize("name", JEP)
def test_graphs_of_the_jep_edge_by_edge(name: str) -> None:
    def parsed(text: str) -> str:
        return text if len(text) == 1 else parse_dtype(text)

    edges = {(parsed(a), parsed(b)) for a, above in JEP[name].items() for b in above}
    assert edges_of(system(name)) == edges
    assert set(system(name).nodes) == {n for edge in edges for n in edge}


def test_the_jep_has_no_other_graph() -> None:
    assert set(GRAPHS) == {*JEP, "jep-option-0"}  # which is the graph before it, as it stands
    assert edges_of(system("jep-option-0")) == edges_of(system("jep-signed-unsigned"))


def test_which_are_lattices() -> None:
    lattices = {"jax", "jax-x32", "tensorflow-all", "python", "jep-signed-scalars", "jep-jax"}
    assert {n for n in names() if system(n).is_lattice()} == lattices
    ambiguous = {n for n in GRAPHS if not system(n).is_partial_lattice()}
    assert ambiguous == {"jep-two-upper-bounds", "jep-numpy"}


@pytest.mark.parametrize(
    ("name", "pair", "minimal"),
    [
        ("jep-no-upper-bound", ("B", "C"), ()),
        ("jep-two-upper-bounds", ("A", "B"), ("C", "D")),
        ("jep-two-upper-bounds", ("C", "D"), ()),
        ("jep-numpy", ("uint8", "int8"), ("int16", "float16")),
    ],
)
def test_witnesses(name: str, pair: tuple[str, str], minimal: tuple[str, ...]) -> None:
    lattice = system(name).lattice
    assert lattice is not None
    assert {(v.a, v.b): v.minimal for v in lattice.violations()}[pair] == minimal
    words = " and ".join(minimal) or "nothing lies above them all"
    with pytest.raises(PromotionError, match=f"{name} defines no promotion: .*{words}"):
        system(name).promote(*pair)


# Rows start at the diagonal; `!` marks what the mode `safe` refuses.  After `_BINARY_DTYPE_RES_HALF` of TensorFlow's
# flexible_dtypes.py, commit 25305f1.
TENSORFLOW = """
bool       bool u8 u16 u32 u64 i8 i16 i32 i64 bf16 f16 f32 f64 c64 c128 i* i64* f* f64* c*
u8         u8 u16 u32 u64 i16! i16 i32 i64 bf16 f16 f32 f64 c64 c128 u8 u8 f64*! f64* c*
u16        u16 u32 u64 i32! i32! i32 i64 bf16! f16! f32 f64 c64 c128 u16 u16 f64*! f64* c*
u32        u32 u64 i64! i64! i64! i64 bf16! f16! f32! f64 c64! c128 u32 u32 f64*! f64* c*
u64        u64 f64*! f64*! f64*! f64*! bf16! f16! f32! f64! c64! c128! u64 u64 f64*! f64*! c*!
i8         i8 i16 i32 i64 bf16 f16 f32 f64 c64 c128 i8 i8 f64*! f64* c*
i16        i16 i32 i64 bf16! f16! f32 f64 c64 c128 i16 i16 f64*! f64* c*
i32        i32 i64 bf16! f16! f32! f64 c64! c128 i32 i32 f64*! f64* c*
i64        i64 bf16! f16! f32! f64! c64! c128! i64 i64 f64*! f64*! c*!
bf16       bf16 f32! f32 f64 c64 c128 bf16 bf16 bf16 bf16 c64!
f16        f16 f32 f64 c64 c128 f16 f16 f16 f16 c64!
f32        f32 f64 c64 c128 f32 f32 f32 f32 c64!
f64        f64 c128! c128 f64 f64 f64 f64 c128
c64        c64 c128 c64 c64 c64 c64 c64
c128       c128 c128 c128 c128 c128 c128
i*         i* i64* f* f64* c*
i64*       i64* f* f64* c*
f*         f* f64* c*
f64*       f64* c*
c*         c*
"""


def test_tensorflow_modes() -> None:
    rows = [line.split() for line in TENSORFLOW.strip().splitlines()]
    order = [parse_dtype(row[0]) for row in rows]
    assert set(order) == set(system("tensorflow-all").nodes) == set(system("tensorflow-safe").nodes)
    cells = 0
    for i, (_, *results) in enumerate(rows):
        for b, text in zip(order[i:], results, strict=True):
            for x, y in ((order[i], b), (b, order[i])):
                result = parse_dtype(text.removesuffix("!"))
                assert system("tensorflow-all").promote_or_none(x, y) == result, (x, y)
                assert system("tensorflow-safe").promote_or_none(x, y) == (None if "!" in text else result), (x, y)
                cells += 1
    assert cells == 20 * 21


def test_array_api() -> None:
    api = system("array-api")
    assert api.promote("int8", "uint8") == "int16"
    assert api.promote("float64", "complex64") == "complex128"
    assert api.promote("float32", "complex") == api.promote("complex", "float32") == "complex64"
    assert api.promote("uint8", "int") == "uint8"
    assert api.promote("int", "float64") == "float64"
    undefined = [("uint64", "int8"), ("int32", "float32"), ("bool", "int8"), ("bool", "int"), ("int8", "float")]
    undefined += [("int", "float"), ("int8", "complex"), ("bool", "float32"), ("int", "int")]
    assert [api.promote_or_none(a, b) for a, b in undefined] == [None] * len(undefined)
    # Whatever it defines, NumPy 2 does too, as a library that conforms has to.
    for a, b in product(api.nodes, repeat=2):
        assert api.promote_or_none(a, b) in (None, system("numpy").promote(a, b))


def said(promote: Callable[[str, str], str], a: str, b: str) -> tuple[str, str]:
    """The result, or the message of the refusal."""
    try:
        return "is", promote(a, b)
    except PromotionError as error:
        return "refused", str(error)


def test_jax_knows_every_node_of_its_engine() -> None:
    jax, engine = system("jax"), JaxPromotion("standard", x64=True)
    assert set(jax.nodes) == {*DTYPES, "int", "float", "complex"}
    assert jax.columns == PUBLISHED
    for a, b in product(("int4", "uint2", "float8_e5m2", "int8", "int", "float"), repeat=2):
        assert said(jax.promote, a, b) == said(engine.bound, a, b)
    assert jax.promote("int8", "uint8", "float16") == "float16"
    assert set(jax.table(NARROW_INTS)) == set(NARROW_INTS)


def test_order_and_paths() -> None:
    jax, numpy = system("jax"), system("numpy")
    assert jax.path("uint16", "bfloat16") in (
        ("uint16", "int32", "int64", "float", "bfloat16"),
        ("uint16", "uint32", "int64", "float", "bfloat16"),
        ("uint16", "uint32", "uint64", "float", "bfloat16"),
    )
    assert jax.path("float32", "int8") is None
    assert not jax.can_promote("float32", "int8")
    assert numpy.path("uint8", "float32") in (("uint8", "uint16", "float32"), ("uint8", "float16", "float32"))
    assert numpy.path("int64", "float32") is None
    assert numpy.path("int8", "int8") == ("int8",)
    tensorflow = system("tensorflow")
    assert not tensorflow.can_promote("int", "float32")  # only behind a tensor
    for name in names():
        one = system(name)
        for a, b in product(one.tabled, repeat=2):
            path = one.path(a, b)
            assert (path is not None) == one.can_promote(a, b)
            assert path is None or (path[0] == a and path[-1] == b and all(map(one.can_promote, path, path[1:])))


def test_the_order_of_numpy_is_that_of_its_safe_casts() -> None:
    dtypes = [n for n in system("numpy").nodes if n not in system("numpy").scalars]
    for a, b in product(dtypes, repeat=2):
        assert system("numpy").can_promote(a, b) == np.can_cast(a, b, "safe")


def test_errors_name_what_was_given() -> None:
    with pytest.raises(PromotionError, match="numpy has no bfloat16; it has bool, uint8, "):
        system("numpy").promote("int8", "bfloat16")
    with pytest.raises(UnknownDtypeError, match="'flaot32' is no dtype; did you mean float32"):
        system("numpy").promote("int8", "flaot32")
    with pytest.raises(PromotionError, match="jax knows 'i16' as 'int16'; write that"):
        system("jax").promote("i16", "int8")
    with pytest.raises(PromotionError, match="lax defines no promotion of int8 and int16; convert one of them"):
        system("lax").promote("int8", "int16")
    with pytest.raises(PromotionError, match="numpy has no bfloat16"):
        system("numpy").promote("int8", "int8", "bfloat16")
    with pytest.raises(UnknownDtypeError):
        system("jax").path("int8", "nothing")
    with pytest.raises(ValueError, match="numpy is a table, not a graph"):
        system("numpy").with_edges(("int64", "float32"))
    with pytest.raises(ValueError, match="jep-jax already has bfloat16"):
        system("jep-jax").extensions(node="bfloat16")
    with pytest.raises(CycleError, match="the covers form a cycle"):
        system("jep-option-1").with_edges(("float64", "int8"))


def test_the_questions_of_the_jep_about_edges() -> None:
    first, second, third = (system(f"jep-option-{n}") for n in (1, 2, 3))
    i64, u64, weak = ("int64", "float64"), ("uint64", "float64"), ("uint64", "float")

    alone = {e.edges[0]: e for e in first.extensions(i64, u64)}
    assert alone[i64].possible
    assert not alone[i64].complete
    # uint32 and int32 would have both int64 and float64 above them.
    assert not alone[u64].possible
    assert ("uint32", "int32", ("int64", "float64")) in [(v.a, v.b, v.minimal) for v in alone[u64].violations]
    assert first.with_edges(i64, u64).is_lattice()
    assert second.with_edges(u64).is_lattice()
    assert second.extensions(u64)[0].complete
    assert third.with_edges(weak).is_lattice()
    assert third.with_edges(u64).is_lattice()
    assert edges_of(system("jep-option-3-bfloat16").with_edges(weak)) == edges_of(system("jep-jax"))
    assert third.with_edges(weak).promote("uint64", "int8") == "float"
    circle = first.extensions(("complex128", "int"))[0]
    assert not circle.possible
    assert circle.cycle
    assert str(circle).startswith("complex128 -> int: no, they close the circle")


def test_the_questions_of_the_jep_about_bfloat16() -> None:
    """Between `f*` and float32, unordered with float16: only in option 3 do integers promote to it there."""

    def results(name: str) -> set[str | None]:
        found = set()
        for extension in system(name).extensions(node="bfloat16"):
            extended = system(name).with_edges(*extension.edges)
            ordered = extended.can_promote("bfloat16", "float16") or extended.can_promote("float16", "bfloat16")
            inside = extended.can_promote("float", "bfloat16") and extended.can_promote("bfloat16", "float32")
            if inside and not ordered:
                found.add(extended.promote_or_none("int8", "bfloat16"))
        return found

    assert results("jep-option-1") == results("jep-option-2") == {"float32"}
    assert results("jep-option-3") == {"bfloat16"}
    places = [set(e.edges) for e in system("jep-option-3").extensions(node="bfloat16")]
    assert {("float", "bfloat16"), ("bfloat16", "float32")} in places


def test_extensions_are_all_that_keep_it_sound() -> None:
    """Every single edge between any two nodes, tried one by one."""
    for name in ("jep-categories", "jep-option-2", "jep-option-3"):
        one = system(name)
        assert one.lattice is not None
        new = [(a, b) for a, b in product(one.nodes, repeat=2) if not one.can_promote(a, b)]
        sound = {e for e in new if not one.can_promote(e[1], e[0]) and one.with_edges(e).is_partial_lattice()}
        assert {e.edges[0] for e in one.extensions()} == sound
        order = {(a, b) for a, b in product(one.nodes, repeat=2) if one.can_promote(a, b)}
        for extension in one.extensions(node="new"):
            assert extension.possible
            assert extension.lattice is not None
            here = extension.lattice
            assert {(a, b) for a, b in product(one.nodes, repeat=2) if here.le(a, b)} == order


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("int16", "int16"), ("i16", "int16"), ("bf16", "bfloat16"), ("c64", "complex64"), ("u8", "uint8"),
        ("f32", "float32"), ("b1", "bool"), ("bool", "bool"), ("i*", "int"), ("f*", "float"), ("c*", "complex"),
        ("u*", "uint"), ("i8*", "int8*"), ("int", "int"), ("i4", "int4"), ("f8_e4m3fn", "float8_e4m3fn"),
        (" f64 ", "float64"), ("float8_e5m2", "float8_e5m2"),
    ],
)  # fmt: skip
def test_names_that_count_bits(text: str, name: str) -> None:
    assert parse_dtype(text) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("i1", "int8"), ("i8", "int64"), ("u2", "uint16"), ("f2", "float16"), ("c8", "complex64"),
        ("c16", "complex128"), ("bf", "bfloat16"), ("b1", "bool"), ("i*", "int"), ("int32", "int32"),
    ],
)  # fmt: skip
def test_names_that_count_bytes(text: str, name: str) -> None:
    assert parse_dtype(text, bytes=True) == name


@pytest.mark.parametrize(
    ("text", "as_bytes", "message"),
    [
        ("f2", False, "'f2' counts bytes, and names count bits here: write 'f16' for float16, or pass --bytes"),
        ("c8", False, "write 'c64' for complex64"),
        ("f16", True, "'f16' counts bits, and --bytes says that names count bytes: float16 is 'f2' there"),
        ("flaot32", False, "did you mean float32"),
        ("int9", False, "did you mean int"),
        ("?", False, "dtypes are named as in NumPy and JAX"),
        ("", False, "dtypes are named as in NumPy and JAX"),
        ("f*16", False, "is no dtype"),
    ],
)
def test_unknown_names(text: str, as_bytes: bool, message: str) -> None:
    with pytest.raises(UnknownDtypeError) as raised:
        parse_dtype(text, bytes=as_bytes)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_short_names_lead_back() -> None:
    for name in (*DTYPES, "int", "float", "complex", "uint"):
        assert parse_dtype(short_name(name)) == name


def test_formats_are_those_of_ml_dtypes() -> None:
    assert set(FLOAT_FORMATS) == {d for d in DTYPES if KINDS[d] == "f"}
    for dtype, form in FLOAT_FORMATS.items():
        info = ml_dtypes.finfo(to_dtype(dtype))  # type: ignore[no-untyped-call]
        assert form.precision == info.nmant + 1
        assert float(values_of(dtype).greatest) == float(info.max)
        assert form.signed == (float(info.min) < 0)
        assert 2.0**form.smallest == float(info.smallest_subnormal)


def all_values(dtype: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Every finite value of a dtype of 16 bits or less, as float64."""
    real = to_dtype(dtype)
    width = bits(dtype)
    if KINDS[dtype] in "bui":
        low, high = values_of(dtype).least, values_of(dtype).greatest
        return np.arange(int(low), int(high) + 1, dtype=np.float64)
    codes = np.arange(2**width, dtype=np.uint8 if real.itemsize == 1 else np.uint16)
    with np.errstate(invalid="ignore"):  # NaN with a payload
        values = codes.view(real).astype(np.float64)
    return values[np.isfinite(values)]


@pytest.mark.parametrize("source", [d for d in DTYPES if bits(d) <= 16])
def test_losses_of_every_value(source: str) -> None:
    values = all_values(source)
    for target in (d for d in DTYPES if KINDS[d] not in "bc"):
        span = values_of(target)
        inside = values[(values >= float(span.least)) & (values <= float(span.greatest))]
        kept = inside.astype(to_dtype(target)).astype(np.float64) if KINDS[target] == "f" else np.floor(inside)
        loss = conversion_loss(source, target)
        assert loss.overflow == (inside.size < values.size), str(loss)
        assert loss.precision == bool((kept != inside).any()), str(loss)
        assert not loss.component


@pytest.mark.parametrize(
    ("source", "target", "text"),
    [
        ("int64", "float16", "range: values reach 9.22e+18, beyond 65504"),
        ("int64", "float64", "precision: 63 significant bits become 53"),
        ("float64", "float32", "range: values reach 1.8e+308, beyond 3.4e+38"),
        ("complex64", "float32", "the imaginary part is lost"),
        ("int8", "uint8", "range: values go down to -128, below 0"),
        ("int32", "float64", "nothing is lost"),
        ("float32", "complex64", "nothing is lost"),
        ("uint32", "float32", "precision: 32 significant bits become 24"),
        ("float32", "int32", "precision: values come in steps down to 2**-149, and here to 2**0"),
    ],
)
def test_losses_in_words(source: str, target: str, text: str) -> None:
    loss = conversion_loss(source, target)
    assert text in str(loss)
    assert bool(loss) == (text != "nothing is lost")


def test_small_floats_promote_with_no_other_inexact_dtype() -> None:
    jax = system("jax")
    for dtype in SMALL_FLOATS:
        assert [n for n in PUBLISHED if jax.promote_or_none(dtype, n) is None] == [
            *("bfloat16", "float16", "float32", "float64", "complex64", "complex128", "complex")
        ]
