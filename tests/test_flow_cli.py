"""What a user sees of flow: the command with both layers, mypy with `flow = true`, and what is kept between runs."""

from __future__ import annotations

import ast
import json
import os
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import forked_commands
import pytest
from arraytyping_mypy.duplicates import without_duplicates
from mypy_runs import command_cache

from arraytyping.checker.claims import Claim, ExpressionClaims, FileClaims, ProgramClaims
from arraytyping.checker.cli.annotating import annotated
from arraytyping.checker.cli.merging import merge_layers
from arraytyping.checker.flow.report.reporting import FlowReport, Unreadable
from arraytyping.checker.flow.state.diagnostics import CallSite, Diagnostic, Operand

LIB = """\
import jax.numpy as jnp

def loss_fn(w, x):
    return (x @ w).sum()
"""
MAIN = """\
import jax.numpy as jnp
from lib import loss_fn

def train_step(w, x):
    return loss_fn(w, x)

def main():
    w = jnp.ones((4, 8))
    x = jnp.ones((32, 8))
    return train_step(w, x)

if __name__ == "__main__":
    main()
"""
PROGRAM = {"lib.py": LIB, "main.py": MAIN}
SENTENCE = (
    "matmul: contracted dimensions differ: dimension 1 of (32, 8) is 8, dimension 0 of (4, 8) is 4; they must be equal"
)
ERROR = f"lib.py:4:13: error: {SENTENCE}  [array-shape]\n"
WAY = "main -> train_step -> loss_fn: x is float32[32, 8] (main.py:9), w is float32[4, 8] (main.py:8)"
NOTE = f"lib.py:4:13: note: {WAY}\n"
TYPED = "import jax.numpy as jnp\nx = jnp.ones((3, 4))\ny = x + jnp.ones((3, 5))\n"


@dataclass(frozen=True)
class Done:
    status: int
    out: str
    err: str


class Shell:
    """Runs commands in a directory of its own; mypy's cache is that of the whole test run."""

    def __init__(self, directory: Path, cache: Path) -> None:
        self.directory = directory
        kept = {k: v for k, v in os.environ.items() if k not in ("JAX_ENABLE_X64", "FORCE_COLOR", "MYPY_FORCE_COLOR")}
        self.environ = {**kept, "MYPY_CACHE_DIR": str(cache), "ARRAYTYPING_DEBUG": "1"}
        (directory / ".git").mkdir()

    def write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            (self.directory / name).write_text(text, encoding="utf-8")

    def __call__(self, module: str, *args: str, files: dict[str, str] | None = None) -> Done:
        self.write(files or {})
        done = forked_commands.run("-m", module, *args, cwd=self.directory, env=self.environ)
        assert "Traceback" not in done.stderr, done.stderr
        return Done(done.returncode, done.stdout, done.stderr)

    def check(self, *args: str, files: dict[str, str] | None = None) -> Done:
        return self("arraytyping", "check", *args, files=files)

    @property
    def kept(self) -> list[Path]:
        """What is kept of flow's results."""
        return sorted((self.directory / ".arraytyping_cache" / "flow").glob("*.json"))


@pytest.fixture
def shell(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Shell:
    return Shell(tmp_path, command_cache(tmp_path_factory))


# check


def test_one_tool_each_mistake_once_with_the_way_to_it_and_the_layers_apart(shell: Shell) -> None:
    files = {**PROGRAM, "typed.py": TYPED}
    done = shell.check(".", files=files)
    assert done.status == 1
    assert done.err == ""
    errors = [line for line in done.out.splitlines() if ": error: " in line]
    assert [line.partition(" error:")[0] for line in errors] == ["lib.py:4:13:", "typed.py:3:5:"]
    assert ERROR + NOTE in done.out
    assert "typed.py:3:5: note: x is float32[3, 4] (line 2), jnp.ones((3, 5)) is float32[3, 5]\n" in done.out
    assert "Found 2 errors in 2 files (checked 3 source files)\nx64: off" in done.out
    # The types alone find one of them, and have no way to it; flow alone finds both.
    types = shell.check(".", "--no-flow")
    assert re.findall(r"^.*: (?:error|note): .*$", types.out, re.MULTILINE) == [errors[1]]
    flow = shell.check(".", "--no-types")
    assert flow.out.splitlines()[:-2] == done.out.splitlines()[:-2]
    assert flow.status == 1
    assert shell.check(".", "--no-types", "--no-flow").status == 2


SILENCED = [
    ({"typed.py": TYPED.replace("5))", "5))  # type: ignore[array-shape]")}, ""),
    ({"typed.py": TYPED.replace("5))", "5))  # type: ignore")}, ""),
    ({"typed.py": f"# type: ignore\n{TYPED}"}, ""),
    ({"typed.py": f'# mypy: disable-error-code="array-shape"\n{TYPED}'}, ""),
    ({"typed.py": TYPED}, "disable_error_code = ['array-shape']\n"),
    ({"typed.py": TYPED}, "[[tool.mypy.overrides]]\nmodule = 'typed'\nignore_errors = true\n"),
]


@pytest.mark.parametrize(("files", "config"), SILENCED)
def test_what_silences_mypys_errors_silences_flows(files: dict[str, str], config: str, shell: Shell) -> None:
    done = shell.check("typed.py", "--no-types", files={**files, "pyproject.toml": f"[tool.mypy]\n{config}"})
    assert (done.status, done.out.splitlines()[0]) == (0, "Success: no issues found in 1 source file")
    if "type: ignore[" in files["typed.py"]:
        done = shell.check("typed.py", files={"typed.py": f"{files['typed.py']}# mypy: warn-unused-ignores\n"})
        assert (done.status, done.out.splitlines()[0]) == (0, "Success: no issues found in 1 source file")


def test_an_ignored_line_of_another_code_is_shown(shell: Shell) -> None:
    text = TYPED.replace("5))", "5))  # type: ignore[array-dtype]")
    assert shell.check("typed.py", "--no-types", files={"typed.py": text}).status == 1


POSSIBLE = """\
import jax.numpy as jnp
import library_that_is_not_followed as library

x = jnp.ones((3, 4))
if library.flag():
    x + jnp.ones((3, 5))
"""


def test_what_is_possible_is_shown_where_it_is_asked_for(shell: Shell) -> None:
    assert shell.check("program.py", "--no-types", files={"program.py": POSSIBLE}).status == 0
    done = shell.check("program.py", "--no-types", "--possible")
    assert done.out.startswith("program.py:6:5: error: possible: add: incompatible shapes")


def test_json_and_pretty_output(shell: Shell) -> None:
    both = shell.check("main.py", "--mypy-args", "-O", "json", files=PROGRAM)
    alone = shell.check("main.py", "lib.py", "--no-types", "--mypy-args", "-O", "json")
    (one,), (two,) = ([json.loads(line) for line in done.out.splitlines()] for done in (both, alone))
    assert one == two
    assert (one["line"], one["column"], one["code"], one["message"]) == (4, 12, "array-shape", SENTENCE)
    assert one["hint"] == WAY
    pretty = [shell.check("main.py", "lib.py", *o, "--mypy-args", "--pretty").out for o in ((), ("--no-types",))]
    assert all("        return (x @ w).sum()\n                ^~~~~" in out for out in pretty)


def test_debug_says_what_was_not_understood(shell: Shell) -> None:
    done = shell.check("program.py", "--no-types", "--debug", files={"program.py": POSSIBLE})
    assert re.search(r"^flow: 1 entry point \(\d from the cache\), [\d.]+ s of CPU$", done.err, re.MULTILINE)
    assert "library_that_is_not_followed" in done.err


def test_files_that_cannot_be_read(shell: Shell) -> None:
    done = shell.check("program.py", "--no-types", files={"program.py": "def f(:\n"})
    assert done.status == 2
    assert re.match(r"program\.py:1: error: .*syntax", done.out)
    assert shell("arraytyping", "coverage", "program.py", "--no-types").status == 2


def test_two_at_a_time(shell: Shell) -> None:
    files = {**PROGRAM, "typed.py": TYPED}
    one = shell.check(".", "--no-types", files=files)
    for file in shell.kept:
        file.unlink()
    assert shell.check(".", "--no-types", "-j", "2") == one


# coverage


def test_coverage_says_which_layer_knows(shell: Shell) -> None:
    head = "import jax.numpy as jnp\ndef f(x):\n    y = x + 1\n    return y\n\n"
    text = f"{head}def g(x):\n    return jnp.sin(x)\n\n[f][0](jnp.ones(3))\n"
    done = shell("arraytyping", "coverage", "program.py", "--json", files={"program.py": text})
    found = ProgramClaims.from_json(json.loads(done.out)).files["program.py"].expressions
    shown = {ast.get_source_segment(text, n): (str(e), e.layer) for e in found for n in ast.walk(ast.parse(text))
             if isinstance(n, ast.expr) and (n.lineno, n.col_offset, n.end_lineno, n.end_col_offset)
             == (e.line, e.column, e.end_line, e.end_column)}  # fmt: skip
    assert shown["x + 1"] == ("float32[3]", "flow")
    assert shown["jnp.ones(3)"] == ("float32[3]", "types")
    assert shown["jnp.sin(x)"] == ("?[...]", "flow")
    as_text = shell("arraytyping", "coverage", "program.py").out
    assert re.search(r"^  f \(line 2\): \d array expressions: dtype known for \d \(100%\)", as_text, re.MULTILINE)
    assert "    program.py:7:19: ?[...]: an argument of a function that nothing calls\n" in as_text
    beside = shell("arraytyping", "coverage", "program.py", "--annotate").out
    assert re.search(r"^    y = x \+ 1 +# y: float32\[3\]$", beside, re.MULTILINE)


def test_at_each_expression_the_layer_that_knows_more_speaks() -> None:
    known, vague = Claim("float32", False, (3,)), Claim("float32", False, (None,))
    place = (1, 0, 1, 1)

    def best(types: Claim, flow: Claim) -> tuple[str, tuple[Claim, ...]]:
        one, two = (
            FileClaims((ExpressionClaims(*place, (c,), layer, None if c.is_shape_known else "why"),))  # type: ignore[arg-type]
            for layer, c in (("types", types), ("flow", flow))
        )
        merged = merge_layers(ProgramClaims({"a.py": one}), FlowReport(claims=ProgramClaims({"a.py": two})))
        (e,) = merged.files["a.py"].expressions
        return e.layer, e.claims

    assert best(known, known) == ("types", (known,))
    assert best(known, vague) == ("types", (known,))
    assert best(vague, known) == ("flow", (known,))
    assert best(Claim(), vague) == ("flow", (vague,))


def test_annotating_shows_alternatives_and_tuples(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("x = f()\ny: int = g(\n)\n")
    many = tuple(Claim("float32", False, (n,)) for n in range(5))
    pair = (Claim("int8", False, (), (0,)), Claim("int8", False, (2,), (1,)))
    claims = FileClaims((ExpressionClaims(1, 4, 1, 7, many, "flow"), ExpressionClaims(2, 9, 3, 1, pair, "flow")))
    shown = annotated(str(file), claims).splitlines()[1:]
    assert [re.split(r"  +", line, maxsplit=1) for line in shown] == [
        ["x = f()", "# x: float32[0] | float32[1] | float32[2] | 2 more"],
        ["y: int = g("],
        [")", "# y: int8[], int8[2]"],
    ]


# audit


def test_audit_compares_flow_with_a_run(shell: Shell) -> None:
    right = shell(
        "arraytyping", "audit", "--json", "main.py", files={**PROGRAM, "main.py": MAIN.replace("(4, 8)", "(8, 4)")}
    )
    found = json.loads(right.out)
    assert right.status == 0
    assert found["wrong"] == []
    by_module = shell("arraytyping", "audit", "-m", "main")
    assert "0 wrong" in by_module.out


# mypy with flow = true

CONFIG = '[tool.mypy]\nplugins = ["arraytyping_mypy"]\n[tool.arraytyping]\nflow = {}\n'


def test_mypy_reports_what_flow_finds_and_only_as_long_as_it_is_so(shell: Shell) -> None:
    shell.write({**PROGRAM, "pyproject.toml": CONFIG.format("true")})
    wrong = "lib.py:4: error: " + SENTENCE + "  [array-shape]\n"
    for _ in range(2):  # the second run takes the module from mypy's cache
        assert wrong in shell("mypy", "main.py").out
    # lib.py stays as it is: what flow says of it changes with the other file.
    assert shell("mypy", "main.py", files={"main.py": MAIN.replace("(4, 8)", "(8, 4)")}).status == 0
    assert wrong in shell("mypy", "main.py", files={"main.py": MAIN}).out
    assert shell("mypy", "main.py", files={"pyproject.toml": CONFIG.format("false")}).status == 0
    refused = shell("mypy", "-n", "2", "main.py", files={"pyproject.toml": CONFIG.format("true")})
    assert refused.status == 2
    assert "needs mypy in one process" in refused.out + refused.err


def test_mypy_reports_it_again_when_an_imported_module_has_changed(shell: Shell) -> None:
    """Then mypy parses the module anew without asking the plugin, unless its entry in the cache is void."""
    program = "import jax.numpy as jnp\nimport sizes\n\nx = jnp.ones((2, sizes.size())) @ jnp.ones((4, 2))\n"
    sizes = "def size() -> int:\n    return 3\n"
    shell.write({"main.py": program, "sizes.py": sizes, "pyproject.toml": CONFIG.format("true")})
    for added in ("", "def more() -> int:\n    return 1\n", ""):
        done = shell("mypy", "main.py", files={"sizes.py": sizes + added})
        assert "main.py:4: error: matmul: contracted dimensions differ" in done.out, added


# What is kept between runs


def test_a_result_is_used_again_if_nothing_has_changed(shell: Shell) -> None:
    def reused() -> tuple[bool, int]:
        done = shell.check("main.py", "--no-types", "--debug")
        match = re.search(r"flow: 1 entry point \((\d) from the cache\)", done.err)
        assert match
        return match[1] == "1", done.status

    shell.write(PROGRAM)
    assert reused() == (False, 1)
    assert {f.name for f in (shell.directory / ".arraytyping_cache").iterdir()} == {
        ".gitignore",
        "CACHEDIR.TAG",
        "flow",
    }
    assert reused() == (True, 1)
    shell.write({"lib.py": LIB.replace("x @ w", "w @ x")})
    assert reused() == (False, 1)
    shell.write({"lib.py": LIB})
    assert reused()[1] == 1
    # A module that was not there comes before the one that was found.
    (shell.directory / "lib").mkdir()
    shell.write({"lib/__init__.py": LIB.replace("x @ w", "x @ w.T")})
    assert reused() == (False, 0)
    (shell.directory / "lib" / "__init__.py").unlink()
    (shell.directory / "lib").rmdir()
    for file in shell.kept:
        file.write_text("{")
    assert reused() == (False, 1)
    shell.write({"pyproject.toml": "[tool.arraytyping]\npromotion = 'strict'\n"})
    assert reused()[0] is False


def test_runs_at_the_same_time_do_not_disturb_each_other(shell: Shell) -> None:
    shell.write(PROGRAM)
    with ThreadPoolExecutor(3) as pool:
        done = list(pool.map(lambda _: shell.check("main.py", "--no-types"), range(3)))
    assert len({(d.status, d.out) for d in done}) == 1
    inputs = [file.read_bytes().split(b"\n")[1] for file in shell.kept]  # between the signature and the report
    assert all(json.loads(text)["files"] for text in inputs)
    assert inputs


# Mistakes and reports


def test_the_note_of_a_mistake() -> None:
    diagnostic = Diagnostic("a.py", 7, 0, 7, 5, "array-shape", "no")
    assert diagnostic.note is None
    calls = tuple(CallSite(f"f{i}", "a.py", i) for i in range(20))
    operands = (
        Operand("x", "int8[2]", "a.py", 3),
        Operand("y", "int8[3]", "a.py", 7),
        Operand("z", "int8[4]", "b.py", 9),
    )
    noted = Diagnostic("a.py", 7, 0, 7, 5, "array-shape", "no", calls, operands=operands)
    assert noted.note == (
        "f0 -> f1 -> f2 -> ... -> f15 -> f16 -> f17 -> f18 -> f19: "
        "x is int8[2] (line 3), y is int8[3], z is int8[4] (b.py:9)"
    )


def test_what_mypy_says_of_the_same_is_left_out() -> None:
    diagnostic = Diagnostic("a.py", 7, 4, 7, 9, "array-annotation", "no", (CallSite("f", "a.py", 1),))
    said = [
        "a.py:7:3: error: another  [arg-type]",
        "a.py:7:5: error: no such argument  [arg-type]",
        "a.py:7:5: note: of the argument",
        "a.py:7:5: error: no  [array-annotation]",
        "a.py:7:5: note: f",
        "a.py:8:5: error: no such argument  [arg-type]",
    ]
    assert without_duplicates(said, [diagnostic]) == [said[0], *said[3:]]
    lines = [json.dumps({"file": "a.py", "line": 7, "column": c, "code": "arg-type"}) for c in (3, 4)]
    assert without_duplicates(lines, [diagnostic]) == lines[:1]


def test_a_report_survives_json() -> None:
    diagnostic = Diagnostic(
        "a.py", 7, 0, 7, 5, "array-shape", "no", (CallSite("f", "a.py", 1),), False, True, (Operand("x", "t"),)
    )
    claims = ProgramClaims({"a.py": FileClaims((ExpressionClaims(1, 0, 1, 2, (Claim("int8", False, (2,)),), "flow"),))})
    report = FlowReport(
        [diagnostic], claims, [Unreadable("b.py", 1, "no")], entry_points=[("a.py", 0.5, True)], reused=1
    )
    assert FlowReport.from_json(json.loads(json.dumps(report.to_json()))) == report


def test_the_command_line_of_the_program_stands_after_two_dashes(shell: Shell) -> None:
    text = (
        "import argparse\nimport jax.numpy as jnp\np = argparse.ArgumentParser()\n"
        "p.add_argument('--n', type=int, default=3)\nx = jnp.ones(p.parse_args().n) @ jnp.ones(3)\n"
    )
    assert shell.check("program.py", "--no-types", files={"program.py": text}).status == 0
    done = shell.check("program.py", "--no-types", "--", "--n", "4")
    assert done.status == 1
    assert "program.py:5:5: error: matmul: contracted dimensions differ" in done.out
    done = shell.check("program.py", "--no-types", "--mypy-args", "--no-error-summary", "--", "--n", "4")
    assert done.status == 1
    assert "Found" not in done.out
    done = shell("arraytyping", "check", ".", "--no-types", "--", "--n", "4")
    assert done.status == 2
    assert "those of one program" in done.err
