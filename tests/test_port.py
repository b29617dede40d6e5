"""`arraytyping port`: what it says of NumPy programs against their runs, as they are and as their ports."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import forked_commands
import pytest
from click.testing import CliRunner
from kept_runs import run_or_recall
from program_runs import Program, Result

from arraytyping.checker.cli import cli
from arraytyping.checker.flow.porting.comparing import compare
from arraytyping.checker.flow.porting.noting import Key
from arraytyping.checker.flow.porting.operands import compare_systems
from arraytyping.checker.flow.porting.reading import ported
from arraytyping.checker.flow.porting.report import Change, PortReport
from arraytyping.checker.flow.porting.running import Reading, read_program
from arraytyping.semantics.promotion.registry import system

ROOT = Path(__file__).parent.parent
PROGRAMS = sorted((ROOT / "typecheck_cases" / "port").glob("*.py"))
WIDE = [p for p in PROGRAMS if p.stem in ("integer_statistics", "mixed_precision")]
"""The programs whose ports are run with x64 as well."""
PAGE = ROOT / "docs" / "port.md"

Arrays = dict[tuple[int, int, int, int], set[tuple[tuple[int, ...], str, str]]]
"""By position the arrays that came: the place in a tuple, the library, the dtype."""


def port_source(text: str) -> str:
    """A program's text with its imports of NumPy replaced, each in its line, by what the port has in their place."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import) and any(a.name.startswith("numpy") for a in node.names):
            made = [f"{a.asname or 'numpy'} = ported({(a.name if a.asname else 'numpy')!r})" for a in node.names]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("numpy"):
            made = [f"{a.asname or a.name} = ported({node.module!r}).{a.name}" for a in node.names]
        else:
            continue
        lines[node.lineno - 1] = "; ".join(["from arraytyping.checker.flow.porting.reading import ported", *made])
    return "\n".join(lines)


def as_program(path: Path) -> Program:
    return Program(path)


def as_port(path: Path) -> Program:
    return Program(path, source=port_source(path.read_text()))


@cache
def runs() -> dict[Program, Result]:
    """The programs and their ports, run."""
    return run_or_recall([make(path) for path in PROGRAMS for make in (as_program, as_port)])


@cache
def wide_runs() -> dict[Program, Result]:
    """Ports that were run with x64."""
    return run_or_recall([as_port(path) for path in WIDE], environ={"JAX_ENABLE_X64": "1"})


class Readings(NamedTuple):
    program: Reading
    port: Reading
    wide: Reading

    @property
    def report(self) -> PortReport:
        return compare(*self)


@cache
def readings(path: Path) -> Readings:
    program = read_program(path, as_port=False, x64=None)
    port, wide = (read_program(path, as_port=True, x64=x64) for x64 in (False, True))
    return Readings(program, port, wide)


def came(result: Result) -> Arrays:
    return {
        e.position: {(a.item, a.library, a.dtype) for a in e.arrays}
        for expressions in result.observations.files.values()
        for e in expressions
    }


def wrong_claims(reading: Reading, arrays: Arrays) -> tuple[list[str], int]:
    """What came and was not said, and how many arrays were as they were said to be."""
    wrong, right = [], 0
    for key, contexts in reading.seen.items():
        said = {a for values in contexts.values() for value in values for a in value if a.library in LIBRARIES}
        if key[5] == "AugAssign" or any(a.dtype is None for a in said):
            continue
        for item, library, dtype in arrays.get(key[1:5], ()):
            here = {(a.library, a.dtype) for a in said if a.path == item}
            if here and (library, dtype) not in here:
                wrong.append(f"{key}: {reading.source(key)}: {library} {dtype}, said were {here}")
            right += bool(here)
    return wrong, right


LIBRARIES = ("jax", "numpy", "unknown")


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_what_is_noted_of_a_program_and_its_port_is_what_comes_when_they_run(path: Path) -> None:
    found = readings(path)
    for reading, result in ((found.program, runs()[as_program(path)]), (found.port, runs()[as_port(path)])):
        assert reading.is_complete
        assert reading.crashes == {}
        wrong, right = wrong_claims(reading, came(result))
        assert wrong == []
        assert right >= 20


@pytest.mark.parametrize("path", WIDE, ids=lambda p: p.stem)
def test_what_is_noted_of_a_port_with_x64_is_what_comes_when_it_runs(path: Path) -> None:
    wrong, right = wrong_claims(readings(path).wide, came(wide_runs()[as_port(path)]))
    assert wrong == []
    assert right >= 60


def test_a_wrong_reading_is_found_out() -> None:
    path = PROGRAMS[0]
    wrong, _ = wrong_claims(readings(path).wide, came(runs()[as_port(path)]))
    assert len(wrong) > 10


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_each_dtype_that_changes_when_run_is_told_and_no_other(path: Path) -> None:
    before, after = came(runs()[as_program(path)]), came(runs()[as_port(path)])
    found = readings(path)
    told: dict[tuple[Any, ...], list[Change]] = {}
    for change in found.report.changes:
        told.setdefault(_position(change), []).append(change)
    checked = 0
    for position in before.keys() & after.keys():
        first, second = ({dtype for item, _, dtype in side[position] if item == ()} for side in (before, after))
        if not first or not second or is_unknown(found, position):
            continue
        changes = [c for c in told.get(position, ()) if c.item == ()]
        assert bool(changes) == (first != second), (position, first, second)
        assert {d for c in changes for d in c.before} <= first
        assert {d for c in changes for d in c.after} <= second
        checked += first != second
    assert checked >= 10


def _position(change: Change) -> tuple[int, int, int, int]:
    return change.place.line, change.place.column, change.place.end_line, change.place.end_column


def is_unknown(found: Readings, position: tuple[int, int, int, int]) -> bool:
    def has_unknown(reading: Reading, key: Key) -> bool:
        return any(a.library == "unknown" or a.dtype is None for c in reading.seen[key].values() for s in c for a in s)

    keys = [k for k in found.program.seen.keys() | found.port.seen.keys() if k[1:5] == position]
    return any(has_unknown(r, k) for r in found[:2] for k in keys if k in r.seen)


def test_little_is_unknown() -> None:
    reports = [readings(path).report for path in PROGRAMS]
    assert sum(report.expressions for report in reports) > 700
    assert sum(report.unknown for report in reports) <= 25


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_a_port_fails_first_where_that_is_said(path: Path) -> None:
    result = runs()[as_port(path)]
    assert runs()[as_program(path)].exception is None
    failing = [p.place.line for p in readings(path).report.problems if p.kind == "fails"]
    lines = [frame.line for frame in result.frames if frame.file == path.resolve()]
    assert lines[-1:] == failing[:1]


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_a_change_begins_somewhere_or_follows_what_is_shown(path: Path) -> None:
    report = readings(path).report
    shown = {str(change.place) for change in report.origins}
    for change in report.followers:
        assert set(change.follows) <= shown
        assert change.follows
    assert report.changes == []  or 0 < len(report.origins) < len(report.changes)  # fmt: skip
    assert PortReport.from_json(json.loads(json.dumps(report.to_json()))) == report


# ---------------------------------------------------------------------- small programs


def report_on(tmp_path: Path, text: str, **others: str) -> PortReport:
    path = tmp_path / "main.py"
    path.write_text(text)
    for name, source in others.items():
        (tmp_path / f"{name}.py").write_text(source)
    return readings(path).report


def origins(report: PortReport) -> list[tuple[str, str, str]]:
    return [(c.place.source, c.dtypes, c.reason or "") for c in report.origins]


REASONS = {
    "np.zeros(3)": ("float64 -> float32", "JAX's default float is float32 while x64 is off"),
    "np.arange(3)": ("int64 -> int32", "JAX's default integer is int32 while x64 is off"),
    "np.zeros(3, float)": ("float64 -> float32", "JAX's default float is float32 while x64 is off"),
    "np.zeros(3, np.int64)": ("int64 -> int32", "int64 is asked for, and JAX makes it int32 while x64 is off"),
    "f32 * i32": (
        "float64 -> float32",
        "JAX keeps the width of the float where it meets an integer (float32 and int32); NumPy widens it to float64",
    ),
    "u32 + i32": ("int64 -> int32", "JAX has int32 in place of int64 while x64 is off"),
    "np.sqrt(i8)": ("float16 -> float32", "JAX computes in float32 for int8, NumPy in float16"),
    "i8 / i8": ("float64 -> float32", "JAX computes in float32 for int8, NumPy in float64"),
    "np.digitize(f32, f32)": ("int64 -> int32", "NumPy gives int64 here, JAX int32"),
    "np.cumsum(u8)": ("uint64 -> uint8", "NumPy gives uint64 here, JAX uint8"),
    "np.random.rand(3) + f32": (
        "float64 -> float32",
        "a NumPy array of float64 becomes float32 in JAX while x64 is off",
    ),
    "np.exp(1j)": ("complex128 -> complex64 (weak)", "JAX's default complex is complex64 while x64 is off"),
}


def test_each_kind_of_change_has_its_reason(tmp_path: Path) -> None:
    dtypes = {"f32": "float32", "i32": "int32", "u32": "uint32", "i8": "int8", "u8": "uint8"}
    head = ["import numpy as np", *(f"{name} = np.ones(3, np.{dtype})" for name, dtype in dtypes.items())]
    report = report_on(tmp_path, "\n".join([*head, *REASONS]))
    assert {source: (dtypes, reason) for source, dtypes, reason in origins(report)} == REASONS


def test_what_the_reasons_take_for_granted_of_weak_types(tmp_path: Path) -> None:
    text = "import numpy as np\nx = np.ones(3, np.float32)\ny = x * np.sqrt(2.0)\nz = x * 2.0\n"
    weak = "a weakly typed operand (float) does not widen float32 in JAX; NumPy gives float64"
    assert origins(report_on(tmp_path, text)) == [
        ("x * np.sqrt(2.0)", "float64 -> float32", weak),
        ("np.sqrt(2.0)", "float64 -> float32 (weak)", REASONS["np.zeros(3)"][1]),
    ]


def test_a_bfloat16_array_is_told_of(tmp_path: Path) -> None:
    text = "import numpy as np\nimport ml_dtypes\nx = np.ones(3, ml_dtypes.bfloat16)\ny = x + np.ones(3, np.int16)\n"
    (found,) = origins(report_on(tmp_path, text))
    assert found[:2] == ("x + np.ones(3, np.int16)", "float32 -> bfloat16")
    assert found[2] == "JAX promotes bfloat16 and int16 to bfloat16, NumPy to float32"


def test_changes_are_followed_through_functions_classes_lists_and_loops(tmp_path: Path) -> None:
    text = """
import numpy as np

class Scaler:
    def __init__(self, factor):
        self.factor = factor
    def __call__(self, x):
        return x * self.factor

def total(values):
    result = np.zeros(2, np.float32)
    for value in values:
        result = result + value
    return result

scale = Scaler(np.full(2, 0.5, np.float32))
parts = [scale(np.ones(2)), scale(np.ones(2, np.float32))]
table = {"sum": total(parts)}
mean = table["sum"].mean()
"""
    report = report_on(tmp_path, text)
    assert origins(report) == [("np.ones(2)", "float64 -> float32", REASONS["np.zeros(3)"][1])]
    assert {c.place.line for c in report.followers} == {8, 13, 14, 17, 18, 19}


def test_a_change_that_comes_about_in_a_loop_begins_where_it_is_first(tmp_path: Path) -> None:
    text = "import numpy as np\nx = np.ones(2, np.float32)\nfor i in range(100):\n    x = x + np.ones(2, np.int32)\n"
    text += "s = np.random.rand(2)\nfor i in range(5):\n    y = s**2\n    s = np.array([y[0], y[1]])\n"
    found = origins(report_on(tmp_path, text))
    assert [source for source, _, _ in found] == ["x + np.ones(2, np.int32)", "np.array([y[0], y[1]])"]


def test_calls_of_one_function_with_several_dtypes_are_told_apart(tmp_path: Path) -> None:
    text = """
import numpy as np

def half(x):
    return x / 2

for x in (np.arange(3), np.ones(3, np.float32), np.ones(3, np.float16)):
    half(x)
"""
    report = report_on(tmp_path, text)
    changes = [c for c in report.changes if c.place.source == "x / 2"]
    assert [(c.before, c.after) for c in changes] == [(("float64",), ("float32",))]


def test_the_items_of_a_dict_are_compared_by_their_keys(tmp_path: Path) -> None:
    text = """
import numpy as np
import unheard_of

def make(x):
    made = {"a": np.ones(2, np.float32), "b": x.sum()}
    made[unheard_of.name(x)] = x
    return made

def order(x):
    return {"n": x.astype(np.int8), "x": x} if x.sum() > 1 else {"x": x, "n": x.astype(np.int8)}

x = np.zeros(2, np.float32)
y = make(x)
z = order(x)
both = (z, z["n"])
"""
    assert report_on(tmp_path, text).changes == []


def test_the_modules_of_a_program_are_ported_too(tmp_path: Path) -> None:
    other = "import numpy\nfrom numpy.linalg import norm\n\ndef length(x):\n    return norm(x) * numpy.ones(2)\n"
    report = report_on(tmp_path, "from other import length\nfrom numpy import *\ny = length(zeros(3))\n", other=other)
    assert [(Path(c.place.path).name, c.place.source) for c in report.origins] == [
        ("main.py", "zeros(3)"),
        ("other.py", "numpy.ones(2)"),
    ]
    assert report.expressions == len({c.place for c in report.changes})


def test_a_program_that_asks_for_its_dtypes_does_not_change(tmp_path: Path) -> None:
    text = "import numpy as np\nx = np.ones((3, 2), np.float32)\ny = (x @ x.T).sum() / 2\n"
    report = report_on(tmp_path, text)
    assert (report.changes, report.problems, report.unknown) == ([], [], 0)
    assert report.expressions == 7


def test_what_is_not_known_is_counted_and_not_told(tmp_path: Path) -> None:
    text = "import numpy as np\nimport unheard_of\nx = np.ones(3, np.float32)\ny = x + unheard_of.f(x)\nz = y.sum()\n"
    report = report_on(tmp_path, text)
    assert report.changes == []
    assert report.expressions == 3


IN_PLACE = """
x = np.zeros((3, 3))
v = np.arange(3)
x[0] = 1
x[0] += 1
x.T[0] = 1
np.add(x, 1.0, out=x)
np.fill_diagonal(x, 1.0)
np.put(x, v, 2.0)
np.add.at(x, 0, 1)
np.copyto(x, 1.0)
np.putmask(x, x > 0, 1.0)
np.place(x, x > 0, 1.0)
np.random.shuffle(x)
np.random.default_rng(0).shuffle(x)
np.put_along_axis(x, v[None], 1.0, 1)
x.fill(2.0)
x.partition(1)
x.put(0, 1)
x.shape = (9,)
np.array(["a", "b"])
np.array([1, None])
np.mean([1, 2, 3])
x += 1
x = x * 2
np.random.default_rng(0).permutation(x)
np.sort(x)
np.where(x > 0, x, 0)
"""


def test_each_statement_that_fails_after_the_port_is_told_and_no_other(tmp_path: Path) -> None:
    report = report_on(tmp_path, f"import numpy as np{IN_PLACE}")
    names = {"np": ported("numpy")}
    failing = []
    for statement in ast.parse(IN_PLACE).body:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(compile(ast.Module([statement], []), "<statement>", "exec"), names)
        except Exception:
            failing.append(statement.lineno)
    assert len(failing) == 20
    assert [p.place.line for p in report.problems if p.kind == "fails"] == failing


def test_what_comes_behind_a_failure_is_told_as_if_that_were_mended(tmp_path: Path) -> None:
    head = "import numpy as np\nx = np.ones(3, np.float32)\n"
    failing = "y = np.quantile(x, [0.5])\nz = np.add(x, np.float64(1), out=x)\nv = y * z\nn = v + np.mean([1, 2])\n"
    mended = failing.replace("[0.5]", "np.array([0.5])").replace("[1, 2]", "np.array([1, 2])").replace(", out=x", "")
    reports = []
    for name, text in (("failing", failing), ("mended", mended)):
        (tmp_path / name).mkdir()
        reports.append(report_on(tmp_path / name, head + text))
    first, second = ([(c.place.line, c.before, c.after) for c in r.changes if c.place.line > 4] for r in reports)
    assert [p.kind for p in reports[0].problems] == ["fails"] * 3
    assert reports[1].problems == []
    assert reports[0].unknown == reports[1].unknown == 0
    assert [one for one in second if one not in first] == [(6, ("int64",), ("int32",))]
    assert [one for one in first if one not in second] == []


def test_a_method_that_only_numpy_does_in_place_is_told_of(tmp_path: Path) -> None:
    text = "import numpy as np\nx = np.zeros(3, np.float32)\nx.sort()\nprint(x)\n"
    (problem,) = report_on(tmp_path, text).problems
    assert (problem.kind, problem.place.line) == ("not in place", 3)


def test_a_failure_that_hangs_on_a_value_is_only_possible_and_one_that_is_handled_is_none(tmp_path: Path) -> None:
    text = "import numpy as np\nx = np.ones(3, np.float32)\nif x.sum() > 2:\n    x[0] = 1\nelse:\n    x[1] = 1\n"
    handled = "try:\n    x[1] = 2\nexcept TypeError:\n    x = x.at[1].set(2)\n"
    problems = report_on(tmp_path, text + handled).problems
    assert [(p.kind, p.place.line) for p in problems] == [("fails", 4), ("may fail", 6)]


def test_a_program_that_fails_as_it_is_gets_a_note(tmp_path: Path) -> None:
    report = report_on(tmp_path, "import numpy as np\nx = np.ones(3) @ np.ones(4)\n")
    (note,) = report.notes
    assert re.match(r".*main\.py:2: the program fails here as it is: ", note)
    assert report.problems == []


# ---------------------------------------------------------------------- other systems


def between(tmp_path: Path, one: str, other: str, text: str) -> PortReport:
    path = tmp_path / "main.py"
    path.write_text(f"import numpy as np\nimport jax.numpy as jnp\n{text}")
    return compare_systems(read_program(path, as_port=False, x64=None), system(one), system(other))


def changes(report: PortReport) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    yield from ((c.place.source, c.before, c.after) for c in report.changes)


def test_numpy_1_looks_at_values(tmp_path: Path) -> None:
    text = "a = np.zeros(1, np.int8)\na + 1\na + np.int64(1)\na + np.int64(1000)\nnp.int8(0) + 1\n"
    text += "np.add(np.ones(1, np.float16), np.float64(1))\n"
    report = between(tmp_path, "numpy-legacy", "numpy", text)
    assert list(changes(report)) == [
        ("a + np.int64(1)", ("int8",), ("int64",)),
        ("a + np.int64(1000)", ("int16",), ("int64",)),
        ("np.int8(0) + 1", ("int64",), ("int8",)),
        ("np.add(np.ones(1, np.float16), np.float64(1))", ("float16",), ("float64",)),
    ]
    assert report.expressions == 5
    reason = "numpy-legacy promotes int8 and the int64 scalar 1000 to int16, numpy to int64"
    assert report.origins[1].reason == reason


def test_weak_types_take_part(tmp_path: Path) -> None:
    text = "x = jnp.ones(3, jnp.bfloat16)\ny = x * jnp.asarray(2.0)\nz = x + jnp.ones(3, jnp.float16)\nx += 1\n"
    assert list(changes(between(tmp_path, "torch", "jax", text))) == []
    report = between(tmp_path, "jax", "jax-strict", text)
    assert [p.place.source for p in report.problems] == ["x + jnp.ones(3, jnp.float16)"]
    assert report.expressions == 3


def test_operands_that_are_unknown_or_undefined_are_counted(tmp_path: Path) -> None:
    text = "from unheard_of import f\nx = np.ones(3, np.uint16)\nx + f()\nx + x\nx * np.ones(3)\n"
    report = between(tmp_path, "torch", "numpy", text)
    assert (report.expressions, report.unknown, report.changes) == (0, 1, [])
    assert report.notes == ["torch defines no promotion for 2 pairs of operands, which are left out"]
    report = between(tmp_path, "numpy", "torch", text)
    assert [p.place.source for p in report.problems] == ["x + x", "x * np.ones(3)"]


# ---------------------------------------------------------------------- the command


def port(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environ = {k: v for k, v in os.environ.items() if k not in ("JAX_ENABLE_X64", "FORCE_COLOR")}
    return forked_commands.run("-m", "arraytyping", "port", *arguments, cwd=cwd, env=environ)


def test_bad_input_gets_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.py").write_text("def f(:\n")
    (tmp_path / "good.py").write_text("import numpy as np\nx = np.ones(3, np.float32)\n")
    begins = "name the file with which a program begins"
    for arguments, said in (
        (["missing.py"], f"missing.py cannot be read: No such file or directory; {begins}"),
        (["."], f". cannot be read: Is a directory; {begins}"),
        (["bad.py"], "bad.py:1: syntax error: invalid syntax"),
        (["--to", "torhc", "good.py"], "'torhc' is no promotion system; did you mean torch?"),
        (
            ["--to", "numpy", "good.py"],
            "--from and --to are both numpy: name two systems, such as --from numpy --to jax",
        ),
        (["--x64", "--to", "lax", "good.py"], "--x64 is for --from numpy --to jax: other systems have no such switch"),
    ):
        result = CliRunner().invoke(cli, ["port", *arguments])
        assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"arraytyping: error: {said}\n")
    done = port("good.py", cwd=tmp_path)
    summary = "good.py: 1 array expression compared, 0 change from numpy to jax\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, summary, "")


def test_a_lattice_of_ones_own_is_a_system(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('[covers]\nint8 = ["float64"]\nfloat32 = ["float64"]\nfloat64 = []\n')
    (tmp_path / "main.py").write_text("import numpy as np\nx = np.ones(3, np.int8) + np.ones(3, np.float32)\n")
    done = port("--to", "own.toml", "main.py", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.splitlines()[0] == (
        "main.py:2:5: float32 -> float64: np.ones(3, np.int8) + np.ones(3, np.float32)"
    )


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """The page of documentation, and a directory with its program."""
    text = PAGE.read_text(encoding="utf-8")
    directory = tmp_path_factory.mktemp("port")
    (source,) = re.findall(r"```python\n(# readings\.py\n.*?)```", text, re.DOTALL)
    (directory / "readings.py").write_text(source)
    return text, directory


def test_what_the_page_prints_is_what_the_command_prints(page: tuple[str, Path]) -> None:
    text, directory = page
    shown = re.findall(r"```text\n\$ arraytyping port (.*?)\n(.*?)```", text, re.DOTALL)
    assert len(shown) == 4
    for arguments, output in shown:
        done = port(*arguments.split(), cwd=directory)
        assert done.stdout == output
        assert (done.returncode, done.stderr) == (1, "")


def test_the_json_of_the_page_is_part_of_what_the_command_prints(page: tuple[str, Path]) -> None:
    text, directory = page
    (shown,) = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL))
    printed = json.loads(port("--json", "readings.py", cwd=directory).stdout)
    assert shown.keys() == printed.keys()
    for key, value in shown.items():
        if isinstance(value, list) and value:
            assert all(one in printed[key] for one in value)
        else:
            assert value == printed[key]
    assert [c["reason"] is not None for c in printed["changes"]] == [c["is_origin"] for c in printed["changes"]]
