"""The commands `explain`, `table` and `lattice`: what they print is what the systems say, in every form."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
import struct
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from arraytyping.checker.cli import cli
from arraytyping.checker.cli.drawing.layout import Layout, Point, lay_out, reduced
from arraytyping.checker.cli.drawing.picture import WIDTH, Picture, picture, sort_key
from arraytyping.semantics.promotion.dtype_names import short_name
from arraytyping.semantics.promotion.registry import SYSTEMS, names, system
from arraytyping.semantics.promotion.system import PUBLISHED, PromotionError, System

ROOT = Path(__file__).parent.parent
GUIDE = ROOT / "docs" / "promotion.md"
GRAPHS = [name for name in names() if system(name).lattice is not None]


@dataclass(frozen=True)
class Done:
    status: int
    out: str
    err: str


def run(*arguments: str) -> Done:
    done = CliRunner().invoke(cli, arguments)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Done(done.exit_code, done.stdout, done.stderr)


def refused(*arguments: str) -> str:
    done = run(*arguments)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("arraytyping: error: ")
    assert done.err.count("\n") == 1
    return done.err.removeprefix("arraytyping: error: ").rstrip("\n")


def section(text: str, title: str) -> list[str]:
    """The lines under a title."""
    found = re.search(rf"^{re.escape(title)}:\n((?:  .*\n)*)", text, re.MULTILINE)
    return [line.strip() for line in found[1].splitlines()] if found else []


# explain


@pytest.mark.parametrize("name", ["jax", "numpy", "tensorflow", "torch", "lax", "jep-option-1", "array-api"])
def test_explain_says_what_the_system_says(name: str) -> None:
    one = system(name)
    said = undefined = 0
    for i, (a, b) in enumerate(itertools.product(one.nodes, repeat=2)):
        if i % 11:
            continue
        done = run("explain", a, b, "--system", name)
        first = done.out.partition("\n")[0]
        try:
            result = one.promote(a, b)
        except PromotionError:
            assert (first, done.status) == (f"{a} and {b} have no promotion ({name})", 1)
            undefined += 1
            continue
        assert re.fullmatch(rf"{a} and {b} promote to {re.escape(result)}(, which is weak)? \({name}\)", first)
        assert done.status == 0
        ways = [re.split(" +(?:-> )?", line) for line in section(done.out, "the way")]
        if one.lattice is not None:
            assert [way[0] for way in ways] == list(dict.fromkeys((a, b)))
            for node, *others in ways:
                assert [node, *others] in ([result, "stays"], list(one.path(node, result) or ()))
        said += 1
    print(f"{name}: {said} pairs promote, {undefined} do not")
    assert said
    assert undefined or one.is_lattice() or name in ("numpy", "torch")


def test_every_other_system_is_asked() -> None:
    done = run("explain", "i16", "u32", "f16", "--system", "jep-option-1")
    operands = ("int16", "uint32", "float16")
    said: dict[str, str] = {}
    for line in section(done.out, "other systems") + section(done.out, "the graphs of JEP 9407"):
        result, _, others = line.partition("  ")
        for name in re.sub(r" \(in another order [^)]*\)", "", others).strip().split(", "):
            said[name] = result
    assert set(said) == {name for name in names() if name != "jep-option-1"}
    for name, result in said.items():
        other = system(name)
        if result == "no such dtype":
            assert any(o not in other.nodes for o in operands)
        elif result == "undefined":
            with pytest.raises(PromotionError):
                other.promote(*operands)
        else:
            assert other.promote(*operands) == result


def test_the_order_of_operands_is_told_where_it_matters() -> None:
    told = section(run("explain", "i8", "u8", "f16", "--system", "numpy").out, "the order of the operands matters")
    assert told == ["int8 + uint8 + float16 is float32", "int8 + float16 + uint8 is float16"]
    told = section(run("explain", "i8", "int", "--system", "tensorflow").out, "the order of the operands matters")
    assert told == ["int8 + int is int8", "int + int8 is undefined"]
    assert section(run("explain", "i8", "u8", "f16").out, "the order of the operands matters") == []


@pytest.mark.parametrize(
    ("dtypes", "lost"),
    [
        ("i16 u32", ["nothing"]),
        ("i8 f16", ["nothing"]),
        ("i32 f32", ["int32 -> float32: precision: 31 significant bits become 24"]),
        ("i64 u64", [
            "int64 -> float (stored as float64): precision: 63 significant bits become 53",
            "uint64 -> float (stored as float64): precision: 64 significant bits become 53",
        ]),
        ("int u8", ["int -> uint8: what uint8 does not hold of the value; it holds 0 to 255"]),
        ("i32 u32 f16", None),
    ],
)  # fmt: skip
def test_what_is_lost(dtypes: str, lost: list[str] | None) -> None:
    said = section(run("explain", *dtypes.split()).out, "what is lost")
    if lost is not None:
        assert said == lost
    else:  # what comes in between is converted, too
        assert {line.partition(":")[0] for line in said} == {"int64 -> float16"}


def test_without_x64_another_answer_is_told() -> None:
    assert "\nwithout x64, which is JAX's default: int32\n" in run("explain", "i16", "u32").out
    assert "without x64" not in run("explain", "i16", "u16").out
    assert "without x64" not in run("explain", "i64", "u32").out


def test_names_in_bits_and_in_bytes() -> None:
    assert run("explain", "i8", "u8").out == run("explain", "int8", "uint8").out
    assert run("explain", "i8", "c8", "--bytes").out == run("explain", "int64", "complex64").out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("explain shape", "shape is no error code of arraytyping: did you mean array-shape?"),
        ("explain no-such-code", "no-such-code is no error code of arraytyping: the codes are "),
        ("explain i8", "explain takes two dtypes and more, and 1 was given: arraytyping explain int16 uint32"),
        ("explain i8 flaot32", "did you mean float32"),
        ("explain f2 i8", "--bytes"),
        ("explain i8 i16 --system numpi", "did you mean numpy?"),
        ("table --system jaxx", "did you mean jax"),
        ("table --compare jep-option-9", "did you mean jep-option-"),
        ("lattice --system torhc", "did you mean torch?"),
        ("lattice --system missing.toml", "missing.toml: cannot be read: No such file or directory"),
        ("lattice -o lattice.pdf", "lattice.pdf ends in none of .txt, .mmd, .dot, .gv, .svg, .png"),
        ("lattice -o missing/lattice.svg", "missing/lattice.svg cannot be written: No such file or directory"),
    ],
)
def test_bad_input_gives_one_line(
    arguments: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert expected in refused(*arguments.split())


# table


@pytest.mark.parametrize("name", names())
def test_json_and_csv_are_the_table(name: str) -> None:
    one = system(name)
    table = json.loads(run("table", "--system", name, "--format", "json").out)
    assert table == one.table()
    assert list(table) == list(one.columns)
    head, *rows = csv.reader(io.StringIO(run("table", "--system", name, "--format", "csv").out))
    assert {row: dict(zip(head[1:], (c or None for c in cells))) for row, *cells in rows} == table


@pytest.mark.parametrize("name", ["jax", "lax", "numpy", "torch", "tensorflow"])
def test_the_published_tables_have_the_published_rows(name: str) -> None:
    assert tuple(json.loads(run("table", "--system", name, "--format", "json").out)) == PUBLISHED


class Cells(HTMLParser):
    """The cells of a table, those that differ apart."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.marked: list[tuple[int, int]] = []
        self.in_cell = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.in_cell = True
        if ("class", "differs") in attrs:
            self.marked.append((len(self.rows) - 2, len(self.rows[-1]) - 2))

    def handle_endtag(self, tag: str) -> None:
        self.in_cell = self.in_cell and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self.in_cell:
            self.rows[-1][-1] += data


@pytest.mark.parametrize(("name", "other"), [("jax", "numpy"), ("torch", "jax"), ("jep-option-1", "jep-option-2")])
def test_every_form_marks_the_cells_that_differ(name: str, other: str) -> None:
    table, compared = system(name).table(), system(other).table(system(name).columns)
    columns = list(table)
    differ = [[a, b] for a, b in itertools.product(columns, repeat=2) if table[a][b] != compared[a][b]]
    assert 0 < len(differ) < len(columns) ** 2
    at = [(columns.index(a), columns.index(b)) for a, b in differ]

    def form(name_of: str) -> str:
        return run("table", "--system", name, "--compare", other, "--format", name_of).out

    assert json.loads(form("json")) == {name: table, other: compared, "differs": differ}

    html = Cells()
    html.feed(form("html"))
    expected = [[short_name(table[a][b] or "-") for b in columns] for a in columns]
    assert [row[1:] for row in html.rows[1:]] == expected
    assert html.marked == at

    text = [line.split() for line in form("text").splitlines()]
    assert text[-1][:3] == [str(len(differ)), "of", str(len(columns) ** 2)]
    cells = [row[1:] for row in text[2 : 2 + len(columns)]]
    assert [[c.strip("[]") for c in row] for row in cells] == expected
    assert [(i, j) for i, row in enumerate(cells) for j, c in enumerate(row) if c.startswith("[")] == at

    markdown = [line.strip("| ").split(" | ") for line in form("markdown").splitlines() if line.startswith("|")]
    cells = [row[1:] for row in markdown[2:]]
    plain = [[re.sub(r"^\*\*(.*)\*\*$", r"\1", c).replace("\\", "") for c in row] for row in cells]
    assert plain == expected
    assert [(i, j) for i, row in enumerate(cells) for j, c in enumerate(row) if c.startswith("**")] == at

    marked = list(csv.reader(io.StringIO(form("csv"))))
    assert [(i, j) for i, row in enumerate(marked[1:]) for j, c in enumerate(row[1:]) if f"({other}: " in c] == at


# lattice


@pytest.mark.parametrize("name", names())
def test_text_dot_and_mermaid_have_every_node_and_edge(name: str) -> None:
    one = system(name)
    covers = reduced(one.covers)
    edges = {(a, b) for a, bs in covers.items() for b in bs}
    text = run("lattice", "--system", name).out.splitlines()[2:]
    found = [match for line in text if (match := re.match(r"[ \d]{4}  (\S+) *(?:-> )?(.*)", line))]
    assert len(found) == len(text)
    rows = {match[1]: match[2].split(", ") if match[2] else [] for match in found}
    assert {(a, b) for a, bs in rows.items() for b in bs} == edges
    assert set(rows) == set(one.nodes)
    dot = run("lattice", "--system", name, "--format", "dot").out
    assert set(re.findall(r'^    "([^"]+)" -> "([^"]+)";$', dot, re.MULTILINE)) == edges
    assert set(re.findall(r'^    "([^"]+)" \[label=', dot, re.MULTILINE)) == set(one.nodes)
    assert dot.count("{") == dot.count("}")
    mermaid = run("lattice", "--system", name, "--format", "mermaid").out
    label = dict(re.findall(r'^    (n\d+)[\[(]+"([^"]+)"[\])]+:::[obuifc]$', mermaid, re.MULTILINE))
    arrows = re.findall(r"^    (n\d+) --> (n\d+)$", mermaid, re.MULTILINE)
    assert {(label[a], label[b]) for a, b in arrows} == {(short_name(a), short_name(b)) for a, b in edges}
    assert set(label.values()) == set(map(short_name, one.nodes))


def reachable(covers: dict[str, tuple[str, ...]], node: str) -> set[str]:
    return {node}.union(*(reachable(covers, b) for b in covers[node]))


@pytest.mark.parametrize("name", names())
def test_edges_that_follow_from_others_are_left_out_and_no_others(name: str) -> None:
    covers = system(name).covers
    fewer = reduced(covers)
    for node in covers:
        assert reachable(fewer, node) == reachable({a: tuple(bs) for a, bs in covers.items()}, node)
        for b in fewer[node]:
            assert not any(b in reachable(fewer, c) for c in fewer[node] if c != b)


def crossings(layout: Layout) -> int:
    steps = [pair for points in layout.edges.values() for pair in itertools.pairwise(points)]

    def cross(one: tuple[Point, Point], two: tuple[Point, Point]) -> bool:
        (a, b), (c, d) = one, two
        same = layout.rank[a] == layout.rank[c]
        return same and (layout.row[a] - layout.row[c]) * (layout.row[b] - layout.row[d]) < 0

    return sum(cross(one, two) for one, two in itertools.combinations(steps, 2))


@pytest.mark.parametrize("name", names())
def test_edges_lead_upwards_and_hardly_cross(name: str) -> None:
    one = system(name)
    layout = lay_out(one.covers, sort_key, dict.fromkeys(one.nodes, 1.0))
    for points in layout.edges.values():
        ranks = [layout.rank[p] for p in points]
        assert ranks == list(range(ranks[0], ranks[-1] + 1))
    graphs = {"jep-two-upper-bounds": 1, "jep-numpy": 6}
    if one.lattice is not None and name != "tensorflow-safe":
        assert crossings(layout) <= graphs.get(name, 3)


def overlaps(drawn: Picture) -> Iterator[tuple[str, str]]:
    for a, b in itertools.combinations(drawn.boxes, 2):
        if abs(a.x - b.x) < (a.width + b.width) / 2 + 4 and abs(a.y - b.y) < (a.height + b.height) / 2 + 4:
            yield a.lines[0], b.lines[0]


@pytest.mark.parametrize("name", names())
def test_a_picture_can_be_read_at_800_pixels(name: str) -> None:
    drawn = picture(system(name))
    assert list(overlaps(drawn)) == []
    labels = [label for box in drawn.boxes for line in box.lines for label in line.split()]
    assert sorted(labels) == sorted(map(short_name, system(name).nodes))
    for box in drawn.boxes:
        assert box.width / 2 <= box.x <= drawn.width - box.width / 2
        assert box.height / 2 <= box.y <= drawn.height - box.height / 2
        assert max(map(len, box.lines)) * box.size * 0.6 < box.width
        assert box.size * WIDTH / drawn.width >= 11  # the letters as they are shown
    assert drawn.height <= 1.3 * drawn.width
    left = {round(box.x - box.width / 2, 1) for box in drawn.boxes}
    for curve in drawn.curves:
        assert any(abs(curve[-1][0] - x) < 0.2 for x in left)
    for curve in drawn.curves:  # no curve runs through a box on its way
        for box in drawn.boxes:
            for (x1, y1), (x2, y2) in zip(curve[::3], curve[3::3]):
                level = y1 == y2 and abs(y1 - box.y) < box.height / 2
                assert not (level and x1 < box.x - 1 and x2 > box.x + 1), (box.lines, curve)


@pytest.mark.parametrize("name", ["jax", "jep-jax", "lax", "jep-no-upper-bound"])
def test_svg_is_well_formed_and_the_same_every_time(name: str) -> None:
    svg = run("lattice", "--system", name, "--format", "svg").out
    assert svg == run("lattice", "--system", name, "--format", "svg").out
    root = ET.fromstring(svg)
    space = "{http://www.w3.org/2000/svg}"
    assert root.get("width") == "800"
    drawn = picture(system(name))
    assert len(root.findall(f".//{space}path")) == len(root.findall(f".//{space}polygon")) == len(drawn.curves)
    assert len(root.findall(f".//{space}rect")) == 1 + len(drawn.boxes)
    texts = [text.text for text in root.iter(f"{space}text")]
    assert texts[1:] == [line for box in drawn.boxes for line in box.lines]


def test_names_in_a_picture_are_escaped(tmp_path: Path) -> None:
    file = tmp_path / "odd.json"
    file.write_text(json.dumps({"name": "<odd>", "covers": {'a"<b': ["&"], "&": []}}))
    root = ET.fromstring(run("lattice", "--system", str(file), "--format", "svg").out)
    assert [t.text for t in root.iter("{http://www.w3.org/2000/svg}text")] == ["<odd>: a lattice", 'a"<b', "&"]
    assert '"a\\"<b" -> "&";' in run("lattice", "--system", str(file), "--format", "dot").out
    assert 'n0["a#quot;<b"]' in run("lattice", "--system", str(file), "--format", "mermaid").out


def test_the_format_is_that_of_the_file(tmp_path: Path) -> None:
    for suffix, form in (("txt", "text"), ("mmd", "mermaid"), ("dot", "dot"), ("gv", "dot"), ("svg", "svg")):
        done = run("lattice", "-o", str(tmp_path / f"jax.{suffix}"))
        assert done == Done(0, "", "")
        assert (tmp_path / f"jax.{suffix}").read_text() == run("lattice", "--format", form).out
    run("lattice", "-o", str(tmp_path / "jax.txt"), "--format", "dot")
    assert (tmp_path / "jax.txt").read_text().startswith("digraph")


def test_png(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="PNG is drawn by matplotlib, which the extra `plot` installs")
    file = tmp_path / "jax.png"
    assert run("lattice", "-o", str(file)).status == 0
    data = file.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    drawn = picture(system("jax"))
    assert width == 2 * WIDTH
    assert height == pytest.approx(width * drawn.height / drawn.width, abs=2)


def test_without_the_extra_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [*sys.modules]:
        if name.partition(".")[0] == "matplotlib":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    message = refused("lattice", "--format", "png")
    assert 'pip install "arraytyping[plot]"' in message
    for form in ("text", "mermaid", "dot", "svg"):
        assert run("lattice", "--format", form).status == 0


def test_the_commands_load_no_library_that_draws_or_computes() -> None:
    program = (
        "import sys; from click.testing import CliRunner; from arraytyping.checker.cli import cli\n"
        "for a in ('explain i8 u8', 'table', 'lattice --format svg'):\n"
        "    assert CliRunner().invoke(cli, a.split()).exit_code == 0\n"
        "print([m for m in ('matplotlib', 'networkx', 'numpy', 'jax', 'mypy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_system_that_is_no_lattice_says_so() -> None:
    def said(one: System) -> str:
        return run("lattice", "--system", one.name).out.splitlines()[1]

    for name, one in SYSTEMS.items():
        first = said(one)
        assert first.startswith("a lattice") is (one.is_lattice() or one.is_partial_lattice()), name
        assert ("some pairs have no upper bound" in first) is (one.is_partial_lattice() and not one.is_lattice()), name


# What the documentation has of them


def test_the_gallery_is_current() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "promotion" / "generate.py"), "--check"], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_gallery_notices_what_is_stale(tmp_path: Path) -> None:
    script = tmp_path / "generate.py"
    script.write_text((ROOT / "docs" / "promotion" / "generate.py").read_text())
    (tmp_path / "old.svg").write_text("<svg/>")

    def check(*arguments: str) -> Done:
        done = subprocess.run([sys.executable, str(script), *arguments], capture_output=True, text=True)
        return Done(done.returncode, done.stdout, done.stderr)

    assert check("--check").status == 1
    assert check() == Done(0, "", "")
    assert not (tmp_path / "old.svg").exists()
    assert check("--check") == Done(0, "", "")
    (tmp_path / "jax.svg").write_text("")
    assert check("--check").out.startswith("docs/promotion/jax.svg is not current: ")


@pytest.fixture
def guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """The blocks of the guide by language, in a directory with the files that it shows."""
    found: dict[str, list[str]] = {}
    for language, text in re.findall(r"^```(\w+)\n(.*?)^```$", GUIDE.read_text(), re.MULTILINE | re.DOTALL):
        found.setdefault(language, []).append(text)
        if named := re.match(r"# (\w+\.(?:toml|py))", text):
            (tmp_path / named[1]).write_text(text)
    (tmp_path / "pyproject.toml").write_text('[tool.arraytyping]\npromotion = "lattice.toml"\n')
    monkeypatch.chdir(tmp_path)
    return found


def test_what_the_guide_prints_is_what_is_printed(guide: dict[str, list[str]]) -> None:
    assert len(guide["console"]) > 6
    for block in guide["console"]:
        command, _, expected = block.partition("\n")
        assert command.startswith("$ arraytyping ")
        done = run(*command.split()[2:])
        assert done.out + done.err == expected


def test_the_guide_knows_every_system() -> None:
    rows = re.findall(r"^\| (`[^|]+) \|", GUIDE.read_text(), re.MULTILINE)
    listed = set(re.findall(r"`([\w.-]+)`", " ".join(rows))) - {"covers", "name", "title", "partial"}
    assert listed == {name for name in names() if not name.startswith("jep-")} | {"jep-..."}


def test_the_programs_of_the_guide_run(guide: dict[str, list[str]]) -> None:
    for block in guide["python"]:
        if "networkx" in block:
            exec(compile(block, "guide", "exec"), {})
            return
    raise AssertionError("the guide shows no program")
