"""The command `arraytyping` with the types alone, run as a user runs it; `test_flow_cli.py` has flow besides."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import forked_commands
import pytest
from click.testing import CliRunner
from mypy_runs import command_cache

from arraytyping import __version__
from arraytyping.checker.claims import FileClaims, ProgramClaims
from arraytyping.checker.cli import cli

MISTAKE = "import jax.numpy as jnp\nx = jnp.ones((3, 4))\ny = x + jnp.ones((3, 5))\n"
CLEAN = MISTAKE.replace("(3, 5)", "(1, 4)")
X64_OFF = "x64: off (JAX's default: nothing switches it on)\n"


@dataclass(frozen=True)
class Done:
    status: int
    out: str
    err: str


class Command:
    """The command in a fresh directory, with a cache for the whole test run: a cold run on jax takes seconds."""

    def __init__(self, directory: Path, cache: Path) -> None:
        self.directory = directory
        self.claims = cache / "arraytyping" / "claims-{}.{}".format(*sys.version_info[:2])
        kept = {k: v for k, v in os.environ.items() if k not in ("JAX_ENABLE_X64", "FORCE_COLOR", "MYPY_FORCE_COLOR")}
        self._environ = {**kept, "MYPY_CACHE_DIR": str(cache), "ARRAYTYPING_DEBUG": "1"}
        (directory / ".git").mkdir()  # the search for a configuration ends here

    def __call__(self, *args: str, files: dict[str, str] | None = None, **variables: str) -> Done:
        for name, text in (files or {}).items():
            (self.directory / name).parent.mkdir(parents=True, exist_ok=True)
            (self.directory / name).write_text(text, encoding="utf-8")
        command = ("-m", "arraytyping", *args[:1], "--no-flow", *args[1:])
        done = forked_commands.run(*command, cwd=self.directory, env={**self._environ, **variables})
        assert "Traceback" not in done.stderr, done.stderr
        return Done(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def arraytyping(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Command:
    return Command(tmp_path, command_cache(tmp_path_factory))


def claims_of(arraytyping: Command, text: str, *options: str, **files: str) -> FileClaims:
    done = arraytyping("coverage", "program.py", "--json", *options, files={"program.py": text, **files})
    assert done.status == 0, done.err
    return ProgramClaims.from_json(json.loads(done.out)).files["program.py"]


# The command itself


def test_help_and_version() -> None:
    runner = CliRunner()
    shown = runner.invoke(cli, ["--help"])
    assert shown.exit_code == 0
    assert "check" in shown.output
    assert "coverage" in shown.output
    assert runner.invoke(cli, ["--version"]).output == f"arraytyping, version {__version__}\n"
    for command in ("check", "coverage"):
        assert "after `--mypy-args`" in runner.invoke(cli, [command, "--help"]).output
    text = " ".join(runner.invoke(cli, ["check", "--help"]).output.split())
    assert "does not decide `check_untyped_defs`, that is turned on" in text


def test_an_option_of_mypy_in_the_wrong_place_is_explained() -> None:
    done = CliRunner().invoke(cli, ["check", "--strict", "program.py"])
    assert done.exit_code == 2
    assert "check PATH... --mypy-args --strict" in " ".join(done.output.replace("│", " ").split())


def test_help_does_not_load_mypy() -> None:
    program = (
        "import sys; from arraytyping.checker.cli import cli; "
        "assert all(cli.get_command(None, name) for name in cli.list_commands(None)); "
        "print('mypy.build' in sys.modules, 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"


# check


def test_check_without_any_configuration(arraytyping: Command) -> None:
    done = arraytyping("check", "program.py", files={"program.py": MISTAKE})
    assert done == Done(
        1,
        "program.py:3:5: error: add: incompatible shapes for broadcasting: (3, 4) and (3, 5): "
        "dimension 1 is 4 against 5  [array-shape]\n"
        "Found 1 error in 1 file (checked 1 source file)\n"
        f"{X64_OFF}"
        "arraytyping: 3 array expressions: dtype known for 2 (66%), shape for 2 (66%)\n",
        "",
    )


def test_check_of_a_program_without_mistakes(arraytyping: Command) -> None:
    done = arraytyping("check", ".", files={"program.py": CLEAN})
    assert done == Done(
        0,
        "Success: no issues found in 1 source file\n"
        f"{X64_OFF}"
        "arraytyping: 3 array expressions: dtype known for 3 (100%), shape for 3 (100%)\n",
        "",
    )


def test_a_program_without_arrays(arraytyping: Command) -> None:
    done = arraytyping("check", "program.py", files={"program.py": "x = 1\n"})
    assert done.out.endswith(f"{X64_OFF}arraytyping: no array expressions\n")


@pytest.mark.parametrize(
    ("args", "text", "says"),
    [
        (("program.py",), "def f(:\n", "[syntax]"),
        (("missing.py",), "", "missing.py"),
        (("program.py", "--mypy-args", "--no-such-option"), "", "unrecognized arguments: --no-such-option"),
        (("program.py", "--mypy-args", "--install-types"), "", "--install-types"),
    ],
)
def test_a_program_that_cannot_be_checked(args: tuple[str, ...], text: str, says: str, arraytyping: Command) -> None:
    done = arraytyping("check", *args, files={"program.py": text})
    assert done.status == 2
    assert says in done.out + done.err
    assert "array expressions" not in done.out
    shown = arraytyping("coverage", *args)
    assert (shown.status, shown.out) == (2, "")
    assert says in shown.err


@pytest.mark.parametrize("command", ["check", "coverage"])
def test_a_malformed_table_gives_one_line(command: str, arraytyping: Command) -> None:
    config = '[tool.arraytyping]\nx64 = "maybe"\n'
    done = arraytyping(command, "program.py", files={"program.py": "x = 1\n", "pyproject.toml": config})
    assert done == Done(
        2,
        "",
        'arraytyping: error: pyproject.toml: [tool.arraytyping] x64 = "maybe": allowed are true, false and "auto"\n',
    )


UNTYPED = "def f(x):\n    return x + 1\n\n\ndef g():\n    return 1 + ''\n"


@pytest.mark.parametrize(
    ("name", "config"),
    [
        ("pyproject.toml", "[tool.mypy]\ndisallow_untyped_defs = true\n"),
        ("pyproject.toml", "[tool.mypy]\nplugins = ['arraytyping_mypy']\ndisallow_untyped_defs = true\n"),
        ("mypy.ini", "[mypy]\ndisallow_untyped_defs = True\n"),
        ("setup.cfg", "[mypy]\ndisallow_untyped_defs = True\n"),
    ],
)
def test_mypys_configuration_is_honoured(name: str, config: str, arraytyping: Command) -> None:
    done = arraytyping("check", "program.py", files={"program.py": UNTYPED, name: config})
    assert done.out.count("[no-untyped-def]") == 2
    assert done.out.count("[operator]") == 1


def test_a_configuration_that_lists_the_plugin(arraytyping: Command) -> None:
    files = {"program.py": MISTAKE, "pyproject.toml": "[tool.mypy]\nplugins = ['arraytyping_mypy']\n"}
    done = arraytyping("check", "program.py", files=files)
    assert done.status == 1
    assert done.out.count("[array-shape]") == 1


def test_without_paths_what_mypys_configuration_lists_is_checked(arraytyping: Command) -> None:
    files = {"a/one.py": "x: str = 1\n", "b.py": "y: str = 1\n", "mypy.ini": "[mypy]\nfiles = a\n"}
    done = arraytyping("check", files=files)
    assert done.status == 1
    assert f"a{os.sep}one.py:1" in done.out
    assert "b.py" not in done.out


@pytest.mark.parametrize(
    ("config", "options", "is_checked"),
    [
        ("[mypy]", (), True),
        ("[mypy]\nstrict = True", (), True),
        ("[mypy]\ncheck_untyped_defs = False", (), False),
        ("[mypy]\nno_check_untyped_defs = True", (), False),
        ("[mypy]", ("--mypy-args", "--no-check-untyped-defs"), False),
        ("[mypy]\ncheck_untyped_defs = False", ("--mypy-args", "--check-untyped-defs"), True),
        ("[mypy]\n[mypy-program]\ncheck_untyped_defs = False", (), False),
    ],
)
def test_functions_without_annotations_are_checked_unless_it_is_said(
    config: str, options: tuple[str, ...], is_checked: bool, arraytyping: Command
) -> None:
    done = arraytyping("check", "program.py", *options, files={"program.py": UNTYPED, "mypy.ini": config})
    assert ("[operator]" in done.out) is is_checked


def test_mypys_options_stand_after_two_dashes(arraytyping: Command) -> None:
    done = arraytyping("check", "--mypy-errors", "program.py", files={"program.py": "x: str = 1\n"})
    assert done.out.startswith("program.py:1:10: error: ")
    hidden = ("check", "--mypy-errors", "program.py", "--mypy-args", "--hide-column-numbers")
    assert arraytyping(*hidden).out.startswith("program.py:1: error: ")
    config = {"mypy.ini": "[mypy]\nshow_column_numbers = False\n"}
    assert arraytyping("check", "program.py", files=config).out.startswith("program.py:1: error: ")
    (arraytyping.directory / "mypy.ini").unlink()
    done = arraytyping("check", "--mypy-errors", "--mypy-args", "-c", "x: str = 1")
    assert (done.status, done.out.partition(" ")[0]) == (1, "<string>:1:10:")
    files = {"pkg/__init__.py": "", "pkg/a.py": "x: str = 1\n"}
    done = arraytyping("check", "--mypy-errors", "--mypy-args", "-p", "pkg", files=files)
    assert "(checked 2 source files)" in done.out


def test_json_output_is_json(arraytyping: Command) -> None:
    done = arraytyping("check", "program.py", "--mypy-args", "-O", "json", files={"program.py": MISTAKE})
    assert done.status == 1
    messages = [json.loads(line) for line in done.out.splitlines()]
    assert [(m["line"], m["column"], m["code"]) for m in messages] == [(3, 4, "array-shape")]
    assert done.err.startswith(f"{X64_OFF}arraytyping: 3 array expressions")


def test_no_summary_where_none_is_wanted(arraytyping: Command) -> None:
    assert arraytyping("check", "program.py", "--mypy-args", "--no-error-summary", files={"program.py": CLEAN}) == Done(
        0, "", ""
    )


def test_colours(arraytyping: Command) -> None:
    done = arraytyping("check", "program.py", files={"program.py": "x: str = 1\n"}, MYPY_FORCE_COLOR="1", TERM="xterm")
    assert "\x1b[" in done.out
    assert "[0m\n" in done.out or "\x1b(B\x1b[m" in done.out
    assert "\x1b[" not in arraytyping("check", "program.py").out


def test_pretty_output_and_junit_xml(arraytyping: Command, tmp_path: Path) -> None:
    done = arraytyping(
        "check", "program.py", "--mypy-args", "--pretty", "--junit-xml", "r.xml", files={"program.py": MISTAKE}
    )
    assert "    y = x + jnp.ones((3, 5))\n        ^~~~" in done.out
    assert "array-shape" in (tmp_path / "r.xml").read_text()


def test_errors_are_ignored_where_the_program_says_so(arraytyping: Command) -> None:
    ignored = MISTAKE.replace("5))", "5))  # type: ignore[array-shape]")
    done = arraytyping("check", "program.py", files={"program.py": ignored})
    assert done.status == 0
    assert "3 array expressions: dtype known for 2" in done.out


def test_workers_are_not_used(arraytyping: Command) -> None:
    done = arraytyping("check", "program.py", "--mypy-args", "-n", "2", files={"program.py": CLEAN})
    assert done.status == 0
    assert done.out.endswith("arraytyping: 3 array expressions: dtype known for 3 (100%), shape for 3 (100%)\n")
    assert done.err == "arraytyping: note: the types are read in one process, so mypy's workers are not used\n"


# x64


def test_x64_is_shown_with_the_line_that_decided_it_and_holds(
    arraytyping: Command, tmp_path_factory: pytest.TempPathFactory
) -> None:
    files = {
        "train.py": "import jax, settings\nimport jax.numpy as jnp\nx = jnp.arange(3)\n",
        "settings.py": 'import jax\n\njax.config.update("jax_enable_x64", True)\n',
    }
    own = str(command_cache(tmp_path_factory, "x64"))  # x64 is part of the cache's key
    done = arraytyping("check", "train.py", files=files, MYPY_CACHE_DIR=own)
    assert 'x64: on (settings.py:3: jax.config.update("jax_enable_x64", True))\n' in done.out
    shown = arraytyping("coverage", "train.py", "--json", MYPY_CACHE_DIR=own)
    claims = ProgramClaims.from_json(json.loads(shown.out)).files["train.py"].expressions
    assert [str(e) for e in claims] == ["int64[3]"]


@pytest.mark.parametrize(
    ("text", "config", "variables", "line"),
    [
        ("", "", {"JAX_ENABLE_X64": "1"}, "x64: on (environment variable JAX_ENABLE_X64=1)"),
        ("", "[tool.arraytyping]\nx64 = true", {}, "x64: on (configured in pyproject.toml)"),
        ("", "[tool.arraytyping]\nx64 = false", {"JAX_ENABLE_X64": "1"}, "x64: off (configured in pyproject.toml)"),
        (
            "def f(jax, x):\n    jax.config.update('jax_enable_x64', x)\n",
            "",
            {},
            'x64: undecided (program.py:2: jax.config.update("jax_enable_x64", x) says on or off, which is not known '
            "before it runs; what depends on it is given for both)",
        ),
    ],
)
def test_how_x64_is_decided(text: str, config: str, variables: dict[str, str], line: str, arraytyping: Command) -> None:
    files = {"program.py": text, "pyproject.toml": config}
    done = arraytyping("check", "program.py", files=files, **variables)
    assert done.out.splitlines()[-2] == line


# Warm runs


def test_a_warm_run_says_the_same(arraytyping: Command) -> None:
    files = {"warm_one.py": MISTAKE, "warm_two.py": f"from warm_one import x\n{CLEAN}z = x.T\n"}
    cold = arraytyping("check", "warm_one.py", "warm_two.py", files=files)
    assert "7 array expressions: dtype known for 6" in cold.out
    stored = {f: f.stat().st_mtime_ns for f in arraytyping.claims.glob("warm_*.json")}
    assert len(stored) == 2
    assert arraytyping("check", "warm_one.py", "warm_two.py") == cold
    assert {f: f.stat().st_mtime_ns for f in stored} == stored, "the modules were checked again"


def test_a_module_whose_claims_are_lost_is_checked_again(arraytyping: Command) -> None:
    cold = arraytyping("check", "lost.py", files={"lost.py": MISTAKE})
    (arraytyping.claims / "lost.json").unlink()
    assert arraytyping("check", "lost.py") == cold
    (arraytyping.claims / "lost.json").write_text("{")
    assert arraytyping("check", "lost.py") == cold


def test_an_empty_module_is_warm_too(arraytyping: Command) -> None:
    files = {"empty/__init__.py": "", "empty/full.py": CLEAN}
    cold = arraytyping("check", "empty", files=files)
    stored = {f: f.stat().st_mtime_ns for f in arraytyping.claims.glob("empty*.json")}
    assert len(stored) == 2
    assert arraytyping("check", "empty") == cold
    assert {f: f.stat().st_mtime_ns for f in stored} == stored


def test_claims_follow_a_change_in_another_module(arraytyping: Command) -> None:
    maker = "import jax.numpy as jnp\nx = jnp.ones({})\n"
    files = {"maker.py": maker.format(3), "user.py": "from maker import x\ny = x + 1\n"}
    first = arraytyping("coverage", "user.py", "--json", files=files)
    second = arraytyping("coverage", "user.py", "--json", files={"maker.py": maker.format((5, 2))})
    shown = [
        [str(e) for e in ProgramClaims.from_json(json.loads(done.out)).files["user.py"].expressions]
        for done in (first, second)
    ]
    assert shown == [["float32[3]"], ["float32[5, 2]"]]


def test_without_a_cache(arraytyping: Command) -> None:
    files = {"program.py": "x: str = 1\n"}
    done = arraytyping("check", "--mypy-errors", "program.py", "--mypy-args", f"--cache-dir={os.devnull}", files=files)
    assert done.status == 1
    assert not (arraytyping.directory / "arraytyping").exists()


# Coverage

PROGRAM = """\
import jax
import jax.numpy as jnp
from jax import Array

def f(x: Array, n: int) -> Array:
    y = (x + 1) * 2
    z = jnp.zeros((n, 3))
    return y.T

é = jnp.ones((2, 3), jnp.int8); ü = (é + é) * (-é)  # é
name = f"{é.shape}: {é.sum()}, {'é'.join([])}"
weak = jnp.asarray(2) * 3.0
q = jnp.divmod(é, 2)
é.at[0].set(1)
v = (
    é[0]
    + 1
)
table = {}
table["a"] = é
if False:
    unreachable = jnp.ones(3)
"""


def test_coverage_as_text(arraytyping: Command) -> None:
    done = arraytyping("coverage", "program.py", files={"program.py": PROGRAM})
    assert done == Done(
        0,
        "program.py: 15 array expressions: dtype known for 12 (80%), shape for 11 (73%)\n"
        "  f (line 5): 4 array expressions: dtype known for 1 (25%), shape for 0 (0%)\n"
        "    program.py:6:8: ?[...]: dtype and shape of x + 1 are unknown\n"
        "    program.py:6:9: ?[...]: dtype and shape of x are unknown\n"
        "    program.py:7:8: float32[?, 3]: the value of n is not known before it runs\n"
        "    program.py:8:11: ?[...]: dtype and shape of y are unknown\n"
        "  outside of functions: 11 array expressions: dtype known for 11 (100%), shape for 11 (100%)\n"
        "total: 15 array expressions: dtype known for 12 (80%), shape for 11 (73%)\n",
        "",
    )


def test_positions_are_those_of_ast(arraytyping: Command) -> None:
    tree = ast.walk(ast.parse(PROGRAM))
    nodes = {
        (n.lineno, n.col_offset, n.end_lineno, n.end_col_offset): ast.get_source_segment(PROGRAM, n)
        for n in tree
        if isinstance(n, ast.Call | ast.BinOp | ast.UnaryOp | ast.Subscript | ast.Attribute | ast.Compare)
    }
    found = claims_of(arraytyping, PROGRAM).expressions
    at = [nodes[e.line, e.column, e.end_line, e.end_column] for e in found]
    assert at == [
        "(x + 1) * 2", "x + 1", "jnp.zeros((n, 3))", "y.T",
        "jnp.ones((2, 3), jnp.int8)", "(é + é) * (-é)", "é + é", "-é",
        "é.sum()", "jnp.asarray(2) * 3.0", "jnp.asarray(2)", "jnp.divmod(é, 2)",
        "é.at[0].set(1)", "é[0]\n    + 1", "é[0]",
    ]  # fmt: skip


def test_what_is_claimed(arraytyping: Command) -> None:
    found = [(e.line, str(e)) for e in claims_of(arraytyping, PROGRAM).expressions]
    assert found[4:] == [
        *[(10, "int8[2, 3]")] * 4,
        (11, "int32[]"),
        (12, "float32[] (weak)"),
        (12, "int32[] (weak)"),
        (13, "int8[2, 3], int8[2, 3]"),
        (14, "int8[2, 3]"),
        (16, "int8[3]"),
        (16, "int8[3]"),
    ]


def test_the_json_form(arraytyping: Command) -> None:
    text = "import jax\nimport jax.numpy as jnp\n\ndef f(x: jax.Array, n: int) -> None:\n    jnp.ones((2, n))\n"
    done = arraytyping("coverage", "--json", "program.py", files={"program.py": text})
    assert json.loads(done.out) == {
        "files": {
            "program.py": {
                "expressions": [
                    {
                        "line": 5,
                        "column": 4,
                        "end_line": 5,
                        "end_column": 20,
                        "claims": [{"dtype": "float32", "weak_type": False, "shape": [2, None]}],
                        "layer": "types",
                        "why_unknown": "the value of n is not known before it runs",
                    }
                ]
            }
        }
    }


REASONS = {
    "jnp.sin(untyped)": "untyped has no annotation",
    "x + 1": "dtype and shape of x are unknown",
    "jnp.sum(x)": "dtype and shape of x are unknown",
    "jnp.ones((n, 3)) * 2": "the size of dimension 0 of jnp.ones((n, 3)) is unknown",
    "jnp.ones((n, n)) * 2": "the size of dimensions 0, 1 of jnp.ones((n, n)) is unknown",
    "jnp.ones(n)": "the value of n is not known before it runs",
    "params.w": "dtype and shape of params are unknown",
    "box.w": "box.w is declared without dtype and shape",
    "box.get()": "what box.get returns is declared without dtype and shape",
    "jnp.piecewise(k, [k > 0], [1.0])": "jnp.piecewise has no rule",
    "jnp.sin(x + 1)": "dtype and shape of x + 1 are unknown",
    "jnp.sin(jnp.cos(jnp.tan(x)) + jnp.cos(jnp.tan(x)))": (
        "dtype and shape of jnp.cos(jnp.tan(x)) + jnp.cos(jnp.tan... are unknown"
    ),
}


def test_why_something_is_unknown(arraytyping: Command) -> None:
    head = """\
from typing import Any, NamedTuple
import jax.numpy as jnp
from jax import Array

class Params(NamedTuple):
    w: Array

class Box:
    w: Array

    def get(self) -> Array:
        return self.w

def f(untyped, x: Array, n: int, params: Params, box: Box):
    k = jnp.ones(3)
"""
    found = claims_of(arraytyping, head + "".join(f"    {e}\n" for e in REASONS)).expressions
    first = head.count("\n") + 1
    outer = [
        min((e for e in found if e.line == first + i), key=lambda e: (e.column, -e.end_column))
        for i in range(len(REASONS))
    ]
    assert {e: o.why_unknown for e, o in zip(REASONS, outer)} == REASONS


def test_functions_that_are_not_checked_count_as_unknown(arraytyping: Command) -> None:
    text = "import jax.numpy as jnp\n\ndef f(x):\n    return jnp.sin(jnp.ones(3))\n\ny = jnp.ones(3)\n"
    config = "[[tool.mypy.overrides]]\nmodule = 'program'\ncheck_untyped_defs = false\n"
    found = claims_of(arraytyping, text, **{"pyproject.toml": "[tool.mypy]\n" + config}).expressions
    assert [(str(e), e.why_unknown) for e in found] == [
        ("?[...]", "a function without annotations is not checked"),
        ("?[...]", "a function without annotations is not checked"),
        ("float32[3]", None),
    ]


RUN = """\
import jax
import jax.numpy as jnp
import numpy as np

a = jnp.arange(6).reshape(2, 3)
b = a * 2.5 + jnp.float32(1)
c = a[:, None] == a.T[None, 0, 0]
d = jnp.asarray(1) + 2
e = (d < 3) & True
f = jnp.where(e, b, np.ones(3, np.float64))
g = jnp.stack([a, a]).sum(axis=(0, -1), keepdims=True)
h = -b @ jnp.ones((3, 4), jnp.bfloat16)
i = jnp.divmod(a, 2)
j = np.ones(3) * b
k = b.astype(jnp.int8).mT
"""


def test_what_is_claimed_is_so_when_it_runs(arraytyping: Command) -> None:
    found = claims_of(arraytyping, RUN).expressions
    namespace: dict[str, Any] = {}
    exec(compile(RUN, "program.py", "exec"), namespace)
    lines = RUN.splitlines()
    compared = 0
    for e in found:
        values = eval(lines[e.line - 1][e.column : e.end_column], namespace)
        for claim in e.claims:
            value = values
            for i in claim.item:
                value = value[i]
            actual = (str(value.dtype), value.weak_type, value.shape)
            for known, is_so in zip((claim.dtype, claim.weak_type, claim.shape), actual):
                if known is not None:
                    assert known == is_so, (e, actual)
                    compared += 1
    print(f"{compared} claims on {len(found)} expressions compared with a run")
    assert len(found) >= 20
    assert compared >= 60


def test_what_is_not_counted(arraytyping: Command) -> None:
    files = {
        "program.py": "import lib, helper, typed\nx = helper.x\n",
        "lib.pyi": "import jax\nx: jax.Array\n",
        "helper.py": CLEAN,
        "typed.py": f"# mypy: ignore-errors\n{CLEAN}",
    }
    done = arraytyping("coverage", "program.py", files=files)
    shown = [line.partition(":")[0] for line in done.out.splitlines()]
    assert shown == ["helper.py", "program.py", "total"]
