"""A lattice of one's own: its description, what is refused and why, and programs that are checked under it."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import networkx as nx
import pytest
from mypy_runs import Mypy, shared_caches
from test_soundness import calls

from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.flow.report.cache import ReportCache
from arraytyping.checker.settings import ConfigError, Settings
from arraytyping.checker.settings_file import load_settings
from arraytyping.scalars import DTYPES
from arraytyping.semantics.lattice import Lattice
from arraytyping.semantics.promotion.description import LatticeError, OwnLattice, from_graph, from_mapping, load
from arraytyping.semantics.promotion.jax import Element, JaxPromotion, PromotionError, jax_lattice, standard_covers
from arraytyping.semantics.rules.evaluation import BindError
from arraytyping.semantics.rules.registry import evaluate

ROOT = Path(__file__).parent.parent
FLOATS = {"float": ["bfloat16", "float16"], "bfloat16": ["float32"], "float16": ["float32"], "float32": []}

MIXING = """\
# Integers and floats do not mix; int8 with uint8 is int32.
partial = true

[covers]
bool = ["int"]
int = ["int8", "uint8"]
int8 = ["int32"]
uint8 = ["int32"]
int32 = []
float = ["float16", "float32"]
float16 = ["float32"]
float32 = []
"""


def refused(data: object) -> str:
    with pytest.raises(LatticeError) as caught:
        from_mapping(data)
    message = str(caught.value)
    assert "\n" not in message
    return message


# Descriptions


def test_toml_json_node_links_and_graphs_say_the_same(tmp_path: Path) -> None:
    rows = "".join(f"{node} = {json.dumps(above)}\n" for node, above in FLOATS.items())
    (tmp_path / "floats.toml").write_text(f'title = "Floats only"\n[covers]\n{rows}')
    (tmp_path / "floats.json").write_text(json.dumps({"covers": FLOATS, "title": "Floats only"}))
    graph = nx.DiGraph([(a, b) for a, above in FLOATS.items() for b in above], title="Floats only")
    (tmp_path / "links.json").write_text(json.dumps(nx.node_link_data(graph)))
    expected = Lattice(FLOATS)
    every = [load(tmp_path / name) for name in ("floats.toml", "floats.json", "links.json")]
    assert [own.name for own in every] == ["floats", "floats", "links"]
    assert {own.title for own in every} == {"Floats only"}
    for own in [*every, from_graph(graph), from_mapping({"covers": FLOATS})]:
        assert own.lattice.upper_bounds == expected.upper_bounds
        assert own.system.promote("bfloat16", "float16") == "float32"
        assert own.system.scalars == ("float",)


def test_short_names_stand_for_dtypes_and_other_nodes_keep_theirs() -> None:
    own = from_mapping({"covers": {"i*": ["i8", "u8"], "i8": ["top"], "u8": ["top"], "top": []}})
    assert own.lattice.elements == ("int", "int8", "uint8", "top")
    assert own.lattice.join("int8", "uint8") == "top"


def test_equal_lattices_are_equal_whatever_they_are_called() -> None:
    a, b = from_mapping({"covers": FLOATS, "name": "a"}), from_mapping({"covers": FLOATS, "name": "b"})
    assert a == b
    assert len({a, b}) == 1
    assert a.fingerprint() == b.fingerprint() == FLOATS
    assert a != from_mapping({"covers": {**FLOATS, "float64": [], "float32": ["float64"]}})


def test_what_is_no_lattice_is_refused_with_its_witnesses() -> None:
    covers = {"A": ["C", "D"], "B": ["C", "D"], "C": [], "D": []}
    with pytest.raises(LatticeError) as caught:
        from_mapping({"covers": covers})
    assert {(v.a, v.b, v.minimal) for v in caught.value.violations} == {("A", "B", ("C", "D")), ("C", "D", ())}
    assert str(caught.value) == (
        "is no lattice: A and B have no least upper bound: C and D lie above them all, and none of these below "
        "another; C and D have no least upper bound: nothing lies above them all"
    )
    with pytest.raises(LatticeError) as caught:  # a pair with no bound may stay undefined, one with two may not
        from_mapping({"covers": covers, "partial": True})
    assert [(v.a, v.b) for v in caught.value.violations] == [("A", "B")]
    message = refused({"covers": {"A": ["B", "C"], "B": [], "C": []}})
    assert message.startswith("is no lattice: B and C have no least upper bound: nothing lies above them all; ")
    assert "partial = true" in message
    assert from_mapping({"covers": {"A": ["B", "C"], "B": [], "C": []}, "partial": True}).is_partial


def test_many_witnesses_are_counted() -> None:
    message = refused({"covers": {name: [] for name in "ABCDE"}})
    assert message.count("nothing lies above them all") == 6
    assert "; and 4 more pairs; " in message


def test_the_orders_of_jax_are_lattices_in_part() -> None:
    for x64 in (True, False):
        covers = {node: list(above) for node, above in standard_covers(x64=x64).items()}
        assert from_mapping({"covers": covers, "partial": True}).lattice == jax_lattice("standard", x64)
        assert "is no lattice" in refused({"covers": covers})


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ([], 'a table with the key "covers" is expected, and [] was given'),
        ({}, 'the key "covers" is missing: for each node the nodes directly above it'),
        ({"covers": {}}, "a lattice needs at least one node, and none was given"),
        ({"cover": {}}, 'there is no key "cover": allowed are name, title, partial and covers; did you mean "covers"?'),
        ({"covers": ["a"]}, 'covers = ["a"]: it must be a table, with the nodes directly above each node'),
        ({"covers": {"a": "b"}}, 'covers of "a" is "b": it must be a list of nodes, which may be empty'),
        ({"covers": {"a": []}, "partial": 1}, "partial = 1: it must be true or false"),
        ({"covers": {"a": []}, "name": 1}, "name = 1: it must be a string"),
        (
            {"covers": {"float16": ["flaot32"], "float32": []}},
            '"flaot32" lies above "float16", but is no node; did you mean "float32"?',
        ),
        (
            {"covers": {"a": ["xyz"]}},
            '"xyz" lies above "a", but is no node; list it too, with [] above it',
        ),
        (
            {"covers": {"i8": [], "int8": []}},
            'node "int8" is there twice; put all that lies directly above it in one list',
        ),
        (
            {"covers": {"a": ["b"], "b": ["c"], "c": ["a"]}},
            "the covers form a cycle, so they are no order: a -> b -> c -> a; remove one of them",
        ),
        ({"nodes": [{"id": "a"}], "edges": []}, 'the graph has no directions: "directed": true is expected, with edges '
         "that lead upwards"),
        ({"nodes": ["a"], "directed": True}, 'node-link data has nodes with an "id", and edges with "source" and '
         '"target"'),
    ],
)  # fmt: skip
def test_a_bad_description_gives_one_sentence(data: object, expected: str) -> None:
    assert refused(data) == expected


def test_bad_graphs_and_files(tmp_path: Path) -> None:
    with pytest.raises(LatticeError, match="a DiGraph is expected"):
        from_graph(nx.Graph([("a", "b")]))
    with pytest.raises(LatticeError, match="node 1 is no string"):
        from_graph(nx.DiGraph([(1, 2)]))
    for name, text, expected in (
        ("a.toml", b"[covers", "is not valid TOML: "),
        ("a.json", b"{", "is not valid JSON: "),
        ("b.json", b"[" * 100_000, "is not valid JSON: it is nested too deeply"),
        ("c.toml", b'x = "\xff"', "is not UTF-8: "),
        ("d.yaml", b"", 'a file that ends in ".toml" or ".json", not in ".yaml"'),
    ):
        (tmp_path / name).write_bytes(text)
        with pytest.raises(LatticeError) as caught:
            load(tmp_path / name)
        assert expected in str(caught.value)
    with pytest.raises(LatticeError, match="cannot be read: No such file"):
        load(tmp_path / "missing.toml")
    (tmp_path / "directory.toml").mkdir()
    with pytest.raises(LatticeError, match="cannot be read: Is a directory"):
        load(tmp_path / "directory.toml")


def test_networkx_is_not_loaded() -> None:
    module = "arraytyping.semantics.promotion.description"
    program = f"import sys, {module}; print('networkx' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"


# Promotion


def elements(*names: str) -> list[Element]:
    weak = {"int": "int32", "float": "float32", "complex": "complex64"}
    return [Element(weak.get(n, n), n in weak) for n in names]


def shuffled() -> Lattice:
    """JAX's own order, written otherwise, so that it counts as another lattice."""
    covers = {node: list(above) for node, above in standard_covers(x64=True).items()}
    covers["float"] = [*covers["float"][1:], covers["float"][0]]
    return from_mapping({"covers": covers, "partial": True}).lattice


@pytest.mark.parametrize("x64", [True, False])
def test_jaxs_own_order_as_a_description_promotes_as_jax(x64: bool) -> None:
    own = JaxPromotion(x64=x64, lattice=shuffled())
    real = JaxPromotion(x64=x64)
    every = [Element(d, w) for d in DTYPES for w in (False, True) if real.canonicalize(d) == d]
    compared = 0
    for a in every:
        for b in every:
            if a.weak_type and b.weak_type and (a != b):
                continue  # on their weak nodes, not on those of their dtypes
            results: list[Element | None] = []
            for promotion in (own, real):
                try:
                    results.append(promotion.join([a, b]))
                except PromotionError:
                    results.append(None)
            assert results[0] == results[1], (a, b)
            compared += 1
    assert compared > 2000


def test_weak_operands_stand_on_their_nodes(tmp_path: Path) -> None:
    (tmp_path / "mixing.toml").write_text(MIXING)
    own = load(tmp_path / "mixing.toml")
    promotion = JaxPromotion(lattice=own.lattice)
    assert promotion.join(elements("int8", "uint8")) == Element("int32", False)
    assert promotion.join(elements("int8", "int")) == Element("int8", False)
    assert promotion.join(elements("bool", "int")) == Element("int32", True)
    assert promotion.join([Element("int16", True), Element("int8", True)]) == Element("int16", True)
    assert promotion.join(elements("float64", "float64")) == Element("float64", False)
    with pytest.raises(PromotionError, match="int8 and a Python or weakly typed float have no implicit promotion"):
        promotion.join(elements("int8", "float"))
    with pytest.raises(PromotionError, match="float64 has no implicit promotion, since it is no node"):
        promotion.join(elements("float64", "float32"))


def test_without_x64_the_result_is_stored_in_32_bits() -> None:
    lattice = from_mapping({"covers": {"i32": ["i64"], "u32": ["i64"], "i64": ["f64"], "f64": []}}).lattice
    assert JaxPromotion(x64=True, lattice=lattice).join(elements("int32", "uint32")) == Element("int64", False)
    assert JaxPromotion(x64=False, lattice=lattice).join(elements("int32", "uint32")) == Element("int32", False)


@pytest.mark.parametrize("x64", [True, False])
def test_every_rule_takes_any_lattice(x64: bool) -> None:
    every = calls()[::3]
    real = JaxPromotion(x64=x64)
    same = JaxPromotion(x64=x64, lattice=shuffled())
    narrow = JaxPromotion(x64=x64, lattice=from_mapping(tomllib.loads(MIXING)).lattice)
    compared = refused_too = 0
    for call in every:
        try:
            expected = evaluate(call.name, [real], call.args, call.kwargs)
        except BindError:
            continue
        found = evaluate(call.name, [same], call.args, call.kwargs)
        assert repr(found.value) == repr(expected.value), call
        assert (found.error is None) == (expected.error is None), call
        refused_too += evaluate(call.name, [narrow], call.args, call.kwargs).error is not None
        compared += 1
    print(f"x64={x64}: {compared} calls on JAX's order as a description; {refused_too} refused on a narrower one")
    assert compared > 2000
    assert refused_too > 200


# The setting


def configured(directory: Path, text: str, **files: str) -> Settings:
    for name, content in files.items():
        (directory / f"{name}.toml").write_text(content)
    (directory / "pyproject.toml").write_text(text)
    return load_settings(directory)


def test_the_path_is_relative_to_the_file_with_the_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lattices").mkdir()
    (tmp_path / "lattices" / "mixing.toml").write_text(MIXING)
    (tmp_path / "floats.json").write_text(json.dumps({"covers": FLOATS}))
    settings = configured(
        tmp_path,
        '[tool.arraytyping]\npromotion = "lattices/mixing.toml"\n'
        '[[tool.arraytyping.overrides]]\nmodule = "a"\npromotion = "strict"\n'
        '[[tool.arraytyping.overrides]]\nmodule = "b"\npromotion = "floats.json"\n',
    )
    monkeypatch.chdir(tmp_path / "lattices")
    assert load_settings() == settings
    assert isinstance(settings.promotion, OwnLattice)
    assert settings.mode == "standard"
    assert settings.lattice == load(tmp_path / "lattices" / "mixing.toml").lattice
    assert (settings.for_module("a").mode, settings.for_module("a").lattice) == ("strict", None)
    assert settings.for_module("b").lattice == Lattice(FLOATS)
    assert json.loads(json.dumps(settings.fingerprint()))["promotion"]["int8"] == ["int32"]


def test_the_fingerprint_holds_what_the_lattice_holds(tmp_path: Path) -> None:
    text = '[tool.arraytyping]\npromotion = "own.toml"\n'
    first = configured(tmp_path, text, own=MIXING).fingerprint()
    assert configured(tmp_path, text, own=MIXING + "\n# a comment\n").fingerprint() == first
    changed = configured(tmp_path, text, own=MIXING.replace('"int32"]', '"float16"]'))
    assert changed.fingerprint() != first


@pytest.mark.parametrize(
    ("lattice", "expected"),
    [
        (None, "cannot be read: No such file or directory"),
        ("[covers]\nA = []", 'node "A" is no dtype of an array: to check programs, nodes are dtypes such as "int8" and '
         'the weak types "int", "float" and "complex"'),
        ("[covers]\nint8 = []\nint16 = []", "is no lattice: int8 and int16 have no least upper bound: nothing lies "
         "above them all; add a node above them, or set partial = true to leave such pairs undefined"),
        ('[covers]\nint8 = ["int16"]\nint16 = ["int8"]', "the covers form a cycle, so they are no order: "
         "int8 -> int16 -> int8; remove one of them"),
    ],
)  # fmt: skip
def test_a_mistake_ends_the_run_with_one_sentence(
    lattice: str | None, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = {} if lattice is None else {"own": lattice}
    with pytest.raises(ConfigError) as caught:
        configured(tmp_path, '[tool.arraytyping]\npromotion = "own.toml"\n', **files)
    assert str(caught.value) == f'pyproject.toml: [tool.arraytyping] promotion = "own.toml": {expected}'


# Programs

PROGRAM = """\
import jax
import jax.numpy as jnp

a = jnp.ones(3, jnp.int8)
b = jnp.ones(3, jnp.uint8)
f = jnp.ones(3, jnp.float16)
reveal_type(a + b)
reveal_type(a * 2)
reveal_type(jnp.where(a > 0, a, b))
a * f
c = jax.vmap(lambda x, y: x * y)(a, b)
d = jnp.cross(a, b)
e = jnp.linalg.norm(f)
"""
ERROR = (
    "multiply: int8 and float16 have no implicit promotion on the configured lattice: nothing lies above them all. "
    "Try explicitly casting inputs to the desired output type."
)


def test_mypy_promotes_on_the_lattice_and_notices_a_change_of_its_file(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    mypy = Mypy(tmp_path, shared_caches(tmp_path_factory))
    files = {"program.py": PROGRAM, "other.py": PROGRAM}
    override = '[[tool.arraytyping.overrides]]\nmodule = "other"\npromotion = "standard"'
    settings = f'promotion = "own.toml"\n{override}'

    def revealed(lattice: str) -> tuple[list[str], list[str], list[str]]:
        (tmp_path / "own.toml").write_text(lattice)
        run = mypy.run(files, settings=settings)
        own = [m.revealed for m in run.messages if m.file == "program.py" and m.revealed]
        other = [m.revealed for m in run.messages if m.file == "other.py" and m.revealed]
        return own, other, [m.text for m in run.errors()]

    def shaped(*dtypes: str) -> list[str]:
        return [f"Array[{dtype}, tuple[Literal[3]]]" for dtype in dtypes]

    jaxs = shaped("int16", "int8", "int16")
    assert revealed(MIXING) == (shaped("int32", "int8", "int32"), jaxs, [ERROR])
    assert revealed(MIXING) == (shaped("int32", "int8", "int32"), jaxs, [ERROR])
    widening = MIXING.replace('int8 = ["int32"]\nuint8 = ["int32"]\n', 'int8 = ["float16"]\nuint8 = ["float16"]\n')
    assert widening != MIXING
    assert revealed(widening) == (shaped("float16", "int8", "float16"), jaxs, [])


def test_what_is_in_the_cache_under_one_lattice_is_read_under_another(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Then mypy parses `jax.numpy` anew without asking the plugin; its dtypes could no longer be called."""
    mypy = Mypy(tmp_path, shared_caches(tmp_path_factory), tmp_path / "cache")
    (tmp_path / "own.toml").write_text(MIXING)
    mypy.run(PROGRAM, settings='promotion = "own.toml"')
    run = mypy.run("import jax.numpy as jnp\nreveal_type(jnp.float32(3))\n")
    assert run.revealed() == ["Array[float32, tuple[()]]"]


def test_a_lattice_that_is_none_ends_mypy_with_one_line(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    mypy = Mypy(tmp_path, shared_caches(tmp_path_factory))
    (tmp_path / "own.toml").write_text('[covers]\nint8 = ["int16"]\nint16 = ["int8"]\n')
    run = mypy.run("x = 1\n", settings='promotion = "own.toml"')
    assert run.status == 2
    assert run.output == (
        'arraytyping: pyproject.toml: [tool.arraytyping] promotion = "own.toml": the covers form a cycle, so they are '
        "no order: int8 -> int16 -> int8; remove one of them\n"
    )


def test_flow_promotes_on_the_lattice_in_transformations_and_libraries_too(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.replace("reveal_type", ""))

    def found(lattice: str | None) -> tuple[dict[int, str | None], list[str], int]:
        setting = "[tool.arraytyping]\n" + ("" if lattice is None else 'promotion = "own.toml"\n')
        settings = configured(tmp_path, setting, own=lattice or "")
        cache = ReportCache(tmp_path / "cache", settings)
        analysis = analyze([program], settings, cache=cache)
        assert not analysis.crashes
        assert not analysis.errors
        (file,) = analysis.claims.files.values()
        widest = sorted(file.expressions, key=lambda e: e.end_column - e.column)
        dtypes = {e.line: e.claims[0].dtype for e in widest}
        return dtypes, [m.message for m in analysis.diagnostics], cache.reused

    jaxs = {7: "int16", 9: "int16", 11: "int16", 12: "int16", 13: "float16"}
    own = {7: "int32", 9: "int32", 11: "int32", 12: "int32", 13: "float16"}
    for lattice, expected, errors, reused in (
        (None, jaxs, [], 0),
        (MIXING, own, [ERROR], 0),
        (MIXING, own, [ERROR], 1),
        (None, jaxs, [], 1),
        (MIXING.replace("int32", "uint32"), {k: v.replace("int32", "uint32") for k, v in own.items()}, [ERROR], 0),
    ):
        dtypes, messages, kept = found(lattice)
        assert {line: dtypes[line] for line in expected} == expected
        assert messages == errors
        assert kept == reused


@pytest.mark.parametrize("name", ["mixed_precision", "int8_quantisation", "conv_classifier"])
def test_flow_under_jaxs_own_order_as_a_description_finds_the_same(name: str) -> None:
    program = ROOT / "typecheck_cases" / "flow" / f"{name}.py"
    own = OwnLattice("jax", "JAX's order", shuffled(), is_partial=True)
    expected, found, again = (analyze([program], s) for s in (Settings(), Settings(promotion=own), Settings()))
    assert found.claims.to_json() == expected.claims.to_json() == again.claims.to_json()
    assert [m.to_json() for m in found.diagnostics] == [m.to_json() for m in expected.diagnostics]
    assert sum(len(file.expressions) for file in found.claims.files.values()) > 100
