"""`arraytyping compiles`, as it is called: what it lists, and what it says of what it cannot follow."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from arraytyping.checker.cli import cli

PROGRAM = """\
import jax
import jax.numpy as jnp


@jax.jit
def scale(x, factor):
    return x * factor


@jax.jit
def never(x):
    return x


for size in (2, 3):
    scale(jnp.ones(size), 2.0)
scale(jnp.ones(2), jnp.float32(3.0))
for _ in range(3):
    print(jax.jit(lambda x: x + 1)(jnp.ones(2)))
"""


def test_signatures_are_listed_with_the_lines_that_bring_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("program.py").write_text(PROGRAM)
    done = CliRunner().invoke(cli, ["compiles", "program.py"])
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "program.py:6: scale: compiled 3 times",
        "    program.py:16: x float32[2], factor float32[] (weak)",
        "    program.py:16: x float32[3], factor float32[] (weak)",
        "    program.py:17: x float32[2], factor float32[]",
        "program.py:19: <lambda>: compiled 3 times",
        "    program.py:19: x float32[2], 3 times, since the function is made anew",
        "2 jitted functions, compiled 6 times",
    ]


def test_a_file_that_cannot_be_read_does_not_stop_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("program.py").write_text(PROGRAM)
    Path("broken.py").write_text("def f(:\n")
    done = CliRunner().invoke(cli, ["compiles", "--json", "."])
    assert done.exit_code == 2
    assert "broken.py:1" in done.stderr
    functions = json.loads(done.stdout)
    assert [(f["function"], f["path"], f["line"]) for f in functions] == [
        ("scale", "program.py", 6),
        ("<lambda>", "program.py", 19),
    ]
    assert functions[0]["signatures"][2] == {
        "arguments": {"x": "float32[2]", "factor": "float32[]"}, "path": "program.py", "line": 17, "times": 1
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "Missing argument 'PROGRAM'"),
        (("nowhere.py",), "Path 'nowhere.py' does not exist"),
        (("program.py", "other.py"), "unexpected extra argument"),
        (("program.py", "--python", "nowhere"), "nowhere"),
        (("program.py", "--signatures"), "No such option"),
    ],
)
def test_bad_input_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("program.py").write_text("")
    Path("other.py").write_text("")
    done = CliRunner().invoke(cli, ["compiles", *arguments])
    assert done.exit_code == 2
    assert says in " ".join(done.stderr.replace("│", " ").split())
    assert "Traceback" not in done.stderr
