"""What flow calls certain: a table of small programs, each followed, and run by Python where that decides."""

from __future__ import annotations

import contextlib
import json
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

import forked_commands
import pytest
from flow_certainty_programs import PROGRAMS, Program
from flow_values import difference, interpreted, run

from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.flow.start.program import interpret
from arraytyping.checker.flow.state.diagnostics import Diagnostic
from arraytyping.checker.settings import Settings


def follow(source: str) -> list[Diagnostic]:
    """What flow finds in a program."""
    result = interpret(Path("program.py"), source=source)
    assert not result.crashes
    return result.diagnostics


def marked(source: str) -> int:
    """The line that ends with the mark."""
    (line,) = [i for i, text in enumerate(source.splitlines(), 1) if text.endswith("# !")]
    return line


@pytest.mark.parametrize("program", PROGRAMS, ids=[p.name for p in PROGRAMS])
def test_what_is_said(program: Program) -> None:
    diagnostics = follow(program.source)
    line = marked(program.source)
    said = {"certain" if m.is_certain else "possible" for m in diagnostics if m.line == line} or {"nothing"}
    assert said == {program.said}
    assert [str(m) for m in diagnostics if m.line != line and m.is_certain] == []


@pytest.mark.parametrize(
    "program", [p for p in PROGRAMS if p.runs != "either"], ids=[p.name for p in PROGRAMS if p.runs != "either"]
)
def test_what_python_does(program: Program) -> None:
    names: dict[str, Any] = {"__name__": "program"}
    raised: int | None = None
    try:
        with contextlib.redirect_stdout(None):
            exec(compile(program.source, "program.py", "exec"), names)
    except Exception as error:
        lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == "program.py"]
        raised = lines[-1]
    assert (raised is not None) == (program.runs == "raises")
    assert raised in (None, marked(program.source))


def shown(tmp_path: Path, source: str, name: str = "program.py") -> list[tuple[int, str, str]]:
    """The line, severity and code of what `check` shows of a file by flow."""
    (tmp_path / name).write_text(source)
    found = analyze([tmp_path / name], Settings(), root=tmp_path).diagnostics
    return [(m.line, m.severity, m.code) for m in found if m.is_shown]


def test_conditions_on_data_are_named() -> None:
    source = """\
import jax.numpy as jnp
x, y = jnp.ones((3, 4)), jnp.ones(5)
def f(v):
    if v.sum() < 0:
        return 0
    while v.sum() > 3:
        if v[0, 0] > 0 and v[0, 1] > 0:
            x @ y
f(x)
if x.sum() > 0:
    x + y
x @ y
"""
    notes = [str(m.note) for m in follow(source)]
    behind = (
        "if the condition in line 4 does not hold and the condition in line 6 holds and the condition in line 7 holds"
    )
    assert [note.partition("; ")[2] for note in notes] == [behind, "if the condition in line 10 holds", ""]


def test_mistakes_as_json() -> None:
    for diagnostic in follow(PROGRAMS[0].source):
        assert diagnostic.conditions
        assert Diagnostic.from_json(json.loads(json.dumps(diagnostic.to_json()))) == diagnostic


RAISING = """\
import jax.numpy as jnp
from jaxtyping import Array, Float32


def loss(pred: Float32[Array, "n"]) -> Float32[Array, ""]:
    raise NotImplementedError


def pick(x: Float32[Array, "n m"], mode: str = "none"):
    if mode == "mean":
        return x.mean(axis=1)
    raise ValueError(f"unknown mode {mode}")


def other(x: Float32[Array, "n m"]):
    return pick(x, "none")
"""


def test_what_is_raised_on_purpose_where_nothing_calls(tmp_path: Path) -> None:
    assert shown(tmp_path, RAISING) == []
    called = RAISING + "\n\npick(jnp.ones((2, 3)))\n"
    assert shown(tmp_path, called) == [(12, "error", "array-call")]


TESTS = """\
import unittest
import jax.numpy as jnp
import pytest
x, y = jnp.ones((3, 4)), jnp.ones(5)


def test_raises():
    with pytest.raises(TypeError, match="dot"):
        x @ y


@pytest.mark.xfail
def test_fails():
    x @ y


@pytest.mark.xfail(raises=TypeError, reason="known")
def test_fails_with():
    x @ y


@pytest.mark.skip
def test_skipped():
    x @ y


@pytest.mark.parametrize("v", [x, pytest.param(y, marks=pytest.mark.xfail)])
def test_parameters(v):
    x + v


@pytest.mark.parametrize("expected", [pytest.raises(TypeError)])
def test_expectation(expected):
    with expected:
        x @ y


def test_leaves():
    if x.shape[0] == 3:
        pytest.skip("not here")
    x @ y


def test_fails_inside():
    pytest.xfail("not yet")
    x @ y


class TestCase(unittest.TestCase):
    def test_raises(self):
        with self.assertRaises(TypeError):
            x @ y
        with self.assertRaisesRegex(TypeError, "dot"):
            x @ y
        self.assertRaisesRegex(TypeError, "dot", jnp.matmul, x, y)

    @unittest.expectedFailure
    def test_fails(self):
        x @ y

    @unittest.skip("not now")
    def test_skipped(self):
        x @ y


def test_wrong():
    x @ y
"""


def test_what_tests_expect(tmp_path: Path) -> None:
    wrong = TESTS.splitlines().index("def test_wrong():") + 2
    assert shown(tmp_path, TESTS, "test_it.py") == [(wrong, "error", "array-shape")]


ANNOTATED = """\
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float32


def plain(x: jax.Array, y: jnp.ndarray | float = 1.0):
    return x


def sized(x: Float32[Array, "n 3"], y: Float32[Array, "n"]):
    return x


plain(jnp.ones(3))
plain(3.0)
plain(None)
plain((1, 2))
plain([jnp.ones(3)])
plain(np.ones(3))
plain(jnp.ones(3), np.ones(3))
sized(jnp.ones((2, 3)), jnp.ones(2))
sized(jnp.ones((2, 3), "int32"), jnp.ones(2))
sized(jnp.ones(3), jnp.ones(2))
sized(jnp.ones((2, 4)), jnp.ones(2))
sized(jnp.ones((2, 3)), jnp.ones(3))
sized(None, jnp.ones(3))
"""


def test_annotations(tmp_path: Path) -> None:
    warned = [(line, "warning", "array-annotation") for line in range(17, 22)]
    wrong = [(line, "error", "array-annotation") for line in range(23, 28)]
    assert shown(tmp_path, ANNOTATED) == warned + wrong


@pytest.mark.parametrize(
    ("options", "severity", "status"),
    [
        (["--no-types", "--strict-annotations"], "error", 1),
        (["--types"], "warning", 0),
    ],
)
def test_warnings_count_if_asked_to(tmp_path: Path, options: list[str], severity: str, status: int) -> None:
    source = "import jax\nimport json\n\n\ndef f(x: jax.Array):\n    return x\n\n\nf(*json.loads('[null]'))\n"
    (tmp_path / "program.py").write_text(source)
    run = [
        "-m",
        "arraytyping",
        "check",
        *options,
        "program.py",
        "--mypy-args",
        "-O",
        "json",
        "--follow-imports=skip",
    ]
    told = forked_commands.run(*run, cwd=tmp_path)
    (message,) = map(json.loads, told.stdout.splitlines())
    assert (message["line"], message["code"], message["severity"]) == (9, "array-annotation", severity)
    assert told.returncode == status


def test_warnings_as_text(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import jax\n\n\ndef f(x: jax.Array):\n    return x\n\n\nf(None)\n")
    run = ["-m", "arraytyping", "check", "--no-types", "program.py"]
    told = forked_commands.run(*run, cwd=tmp_path)
    assert "program.py:8:1: warning: argument 'x' of f is None, but Array is expected" in told.stdout
    assert "Found no errors, and 1 warning\n" in told.stdout
    assert told.returncode == 0


def test_the_table_has_all_kinds() -> None:
    counts = Counter(p.said for p in PROGRAMS)
    print(f"programs: {len(PROGRAMS)}; said: {dict(counts)}; run: {sum(p.runs != 'either' for p in PROGRAMS)}")
    assert len(PROGRAMS) >= 100
    assert min(counts.values()) >= 20


def test_messages_name_no_place_in_memory() -> None:
    result = interpret(Path("program.py"), source="import ast\nast.literal_eval('f()')\n")
    assert [m.message for m in result.diagnostics] == [
        "ValueError: malformed node or string on line 1: <ast.Call object>"
    ]


def test_an_argument_that_jax_refuses_on_one_path_only() -> None:
    """Nothing is certain of a call that one of the alternatives allows, alone or in a tree."""
    source = """
import jax
import jax.numpy as jnp
import numpy as np

class A: pass

n = len(open(np.__file__).read())
f = jax.jit(lambda x: jax.tree.map(lambda leaf: leaf * 2, x))
a = f(jnp.ones(3) if n > 3 else A())
b = f({"x": np.ones(2) if n > 3 else "text", "y": 1})
c = f((jnp.ones(1) if n > 3 else A, None))
"""
    known, result = interpreted(source)
    assert not [m for m in result.diagnostics if m.is_certain]
    real = run(source)
    assert not {n: text for n in "abc" if (text := difference(known[n], real[n])) is not None}
    assert known["a"].aval.shape == (3,)
    _, result = interpreted(source.replace("jnp.ones(3) if n > 3 else A()", "A() if n > 3 else 'text'"))
    assert {m.code for m in result.diagnostics if m.is_certain} == {"array-call"}
