"""Every type checker reads the stubs and knows what the rules know: the matrix, canaries, and programs.

To read what jax and NumPy say takes a checker longest, so each is asked of all files at once.
"""

from __future__ import annotations

import ast
import functools
import subprocess
import sys
from pathlib import Path

import pytest
from checker_cases import OWN_HEAD, Case, Table, program
from checker_matrix import PAGE, Row, add_all, cases_for, judge, judged_shapes, matrix, short
from checkers import CHECKERS, ROOT, Run, run as run_checker, shared_environment
from kept_checks import hold
from shape_cases import ShapeCase, shape_cases, shape_program
from shares import is_thorough

from arraytyping.checker.stubgen.nodes import Nodes
from arraytyping.semantics.rules import registry

CASES = ROOT / "typecheck_cases" / "stubs"
TWINS = {"pyright": "basedpyright"}
"""Checkers whose twin, which says the same, runs with `--thorough`."""
EACH = [pytest.param(c, marks=pytest.mark.thorough) if c in TWINS.values() else c for c in CHECKERS]
SHARE = 300
"""Which of the cases the suite takes; `python tests/checker_matrix.py` takes all."""

CANARY = """\
from typing_extensions import assert_type
import jax
import jax.numpy as jnp
def f(a: jax.Array) -> jax.Array: return a
x = jnp.zeros((3,), jnp.int8)
assert_type(x, str)
assert_type(jnp.sin(x), str)
assert_type(jax.jit(f)(x), str)
x + "text"
assert_type(x + 1, bytes)
"""
CANARY_TYPES = {6: "Array[int8", 7: "Array[float32", 8: "Array", 10: "Array[int8"}


OF_ARGUMENTS = [c for c in CHECKERS if c != "mypy+plugin"]
"""Those that are asked of functions as arguments; the plugin knows which signature applies, and reports some."""
THOROUGH_OF_ARGUMENTS = ("ty", "basedpyright")


class Asked:
    """What the checkers say of the files of these tests, each asked once."""

    def __init__(self, env: Path, folder: Path) -> None:
        self.env, self.folder = env, folder
        self.nodes = Nodes()
        self.cases: list[Case] = Table(self.nodes, SHARE).cases()

    @functools.cache  # noqa: B019 (it lives as long as the tests)
    def matrix(self, checker: str) -> tuple[str, dict[int, Case]]:
        """A program of the cases of a checker, and on which lines they are."""
        return program(cases_for(checker, self.cases), self.nodes)

    @functools.cache  # noqa: B019
    def shapes(self) -> tuple[str, dict[int, ShapeCase]]:
        """A program of the cases of shapes, and on which lines they are."""
        return shape_program(list(shape_cases()))

    @functools.cache  # noqa: B019
    def run(self, checker: str) -> Run:
        """What it says of all of them, in a time that is bounded, and of nothing else."""
        files = {"matrix.py": self.matrix(checker)[0], "shapes.py": self.shapes()[0], "canary.py": CANARY}
        files |= {p.name: p.read_text() for p in sorted(CASES.glob("*.py"))}
        if checker in OF_ARGUMENTS and (is_thorough() or checker not in THOROUGH_OF_ARGUMENTS):
            files["arguments.py"] = arguments()
        folder = self.folder / checker
        folder.mkdir(exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text)
        result = run_checker(checker, self.env, folder, list(files))
        assert result.reports.keys() <= files.keys(), result.output[-3000:]
        return result


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    env = shared_environment(tmp_path_factory.mktemp("environment"))
    return Asked(env, tmp_path_factory.mktemp("files"))


@pytest.fixture
def some(request: pytest.FixtureRequest) -> list[str]:
    """The checkers that run."""
    return [c for c in CHECKERS if c not in TWINS.values() or request.config.getoption("--thorough")]


def test_matrix(asked: Asked, some: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert registry.RULES
    assert len(asked.cases) > 1200
    rows = {c: Row() for c in some}
    for checker, row in rows.items():
        add_all(row, asked.matrix(checker)[1], asked.run(checker), "matrix.py")
    with capsys.disabled():
        print(f"\n{len(asked.cases)} cases, every {SHARE}th of each operation\n{matrix(rows)}")
    for checker, row in rows.items():
        assert not row.wrong, f"{checker} is wrong:\n" + "\n".join(row.wrong[:20])
        operators = row.counts["operators"]
        assert operators["unknown"] + operators["unreported"] <= operators.total() // 100, checker
        assert row.counts["functions"]["exact"] >= 0.9 * sum(row.counts["functions"][v] for v in ("exact", "unknown"))
        assert row.counts["lists"]["exact"] > 100, checker


def test_shapes(asked: Asked, some: list[str]) -> None:
    """What docs/checkers.md says of shapes is so: `python tests/checker_matrix.py --page --only-shapes` writes it."""
    page = PAGE.read_text(encoding="utf-8").splitlines()
    for checker in some:
        row = judged_shapes(asked.shapes()[1], asked.run(checker), "shapes.py")
        assert not row.wrong, f"{checker} is wrong:\n" + "\n".join(row.wrong)
        assert row.line(checker, row.shapes) in page, checker
        assert row.line(checker, row.dtypes) in page, checker


@pytest.mark.parametrize(
    ("printed", "shape", "dtype"),
    [
        ("Array[float32, tuple[Literal[2], Literal[3]]]", "exact", "exact"),
        ("Array[float32, tuple[Literal[2], int]]", "rank", "exact"),
        ("Array[float32, tuple[int, ...]]", "unknown", "exact"),
        ("Array[float32, SomeShape]", "unknown", "exact"),
        ("Array[float32]", "unknown", "exact"),
        ("Array[Any, Any]", "unknown", "unknown"),
        ("Any", "unknown", "unknown"),
        ("Array[float, tuple[int]]", "wrong", "wrong"),
        ("Array[float32, tuple[Literal[3], Literal[2]]]", "wrong", "exact"),
        ("Array[float32 | int8, tuple[()]]", "wrong", "wrong"),
        ("Array[float32, tuple[int]] | Array[float32, SomeShape]", "unknown", "exact"),
        ("Array[float32, tuple[int]] | Array[int8, tuple[Literal[2]]]", "wrong", "exact"),
        ("int", "wrong", "wrong"),
    ],
)
def test_what_a_printed_type_says(printed: str, shape: str, dtype: str) -> None:
    case = ShapeCase("", "x", "float32", ((2, 3),))
    assert (case.known_shape(printed), case.known_dtype(printed)) == (shape, dtype)


def test_matrix_of_our_own_arrays(some: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The stubs of our own runtime; what the plugin says of its arrays, `test_own_arrays.py` compares."""
    own = shared_environment(tmp_path / "environment", ["arraytyping-stubs"])
    nodes = Nodes()
    cases = Table(nodes, 2 * SHARE, "arraytyping").cases()
    assert len(cases) > 1000
    # The same generator makes the stubs of jax, which all read; --thorough has all read these too.
    asked = [c for c in some if c != "mypy+plugin"] if is_thorough() else ["pyright"]
    rows = {c: judge(c, cases, nodes, own, tmp_path, head=OWN_HEAD) for c in asked}
    with capsys.disabled():
        print(f"\n{len(cases)} cases of arraytyping's arrays\n{matrix(rows)}")
    for checker, row in rows.items():
        assert not row.wrong, f"{checker} is wrong:\n" + "\n".join(row.wrong[:20])
        assert row.counts["operators"]["exact"] > 500
        assert row.counts["operators"]["unknown"] == 0
        assert row.counts["functions"]["exact"] > 100


@pytest.mark.parametrize("checker", EACH)
def test_canary(checker: str, asked: Asked) -> None:
    reports = asked.run(checker).reports["canary.py"]
    for line, known in CANARY_TYPES.items():
        assert line in reports, f"{checker} lets a false assert_type pass on line {line}"
        assert reports[line].types
        assert all(short(t).startswith(known) for t in reports[line].types), reports[line]
    assert reports[9].errors, f"{checker} lets an undefined operator pass"


@pytest.mark.parametrize("checker", EACH)
def test_programs(checker: str, asked: Asked) -> None:
    files = sorted(p.name for p in CASES.glob("*.py"))
    assert {name.partition("_")[0] for name in files} == {"pass", "fail"}
    result = asked.run(checker)
    for name in files:
        expected = {n for n, line in enumerate((CASES / name).read_text().splitlines(), 1) if "# mistake" in line}
        assert bool(expected) == name.startswith("fail")
        found = result.reports.get(name, {})
        assert found.keys() == expected, f"{checker}, {name}: {found}\n{result.output[-3000:]}"


def _overloaded() -> list[str]:
    """The functions of the stubs that have overloads."""
    found = set()
    for module in ("numpy", "lax"):
        folder = ROOT / "stubs" / "jax-stubs" / module
        files = [folder / "__init__.pyi", *folder.glob("_from_*.pyi")]
        for node in (n for file in files for n in ast.parse(file.read_text()).body):
            if isinstance(node, ast.FunctionDef) and node.decorator_list:
                found.add(f"{module}.{node.name}")
            elif isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation).startswith("_Ufunc_"):
                found.add(f"{module}.{ast.unparse(node.target)}")
    return sorted(found)


def arguments() -> str:
    """A program in which functions with overloads are arguments."""
    names = _overloaded()
    assert len(names) > 300
    lines = ["import jax", "from jax import lax, numpy", "x = numpy.zeros((3,), numpy.float32)"]
    lines += [f"jax.jit({name})(x, x) + x" for name in names]
    mapped = [*names[::6], "lax.dot", "lax.batch_matmul", "numpy.dot", "numpy.matmul", "numpy.sin"]
    lines += [f"jax.vmap({name})(x, x) + x" for name in mapped]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    "checker",
    [pytest.param(c, marks=pytest.mark.thorough) if c in THOROUGH_OF_ARGUMENTS else c for c in OF_ARGUMENTS],
)
def test_functions_as_arguments(checker: str, asked: Asked) -> None:
    """What a checker makes of overloads here may be unknown; but no error."""
    assert "arguments.py" not in asked.run(checker).reports


@pytest.mark.parametrize("path", sorted(CASES.glob("pass_*.py")), ids=lambda p: p.stem)
def test_programs_run(path: Path) -> None:
    hold(runs, path.name, path.read_text())


def runs(name: str, text: str) -> None:
    """Run a program in a process of its own."""
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert done.returncode == 0, f"{name}: {done.stderr[-2000:]}"


@pytest.mark.parametrize("path", sorted(CASES.glob("fail_*.py")), ids=lambda p: p.stem)
def test_mistakes_raise(path: Path) -> None:
    hold(marked_statements_raise, path.name, path.read_text())


def marked_statements_raise(name: str, text: str) -> None:
    """Run a program statement by statement: those raise that are marked."""
    import jax.numpy as jnp

    names: dict[str, object] = {}
    for statement in ast.parse(text).body:
        marked = "# mistake" in text.splitlines()[statement.lineno - 1]
        code = compile(ast.Module([statement], []), name, "exec")
        if marked:
            with pytest.raises((TypeError, ValueError, AttributeError)):
                exec(code, names)
        else:
            exec(code, names)
    assert names["jnp"] is jnp
